/* The MCP servers in an agent's configuration, each of which is wrapped in zs run. The changed text shows what was
 * there before: the old command is the word behind "--", and the old arguments follow it. So unwrapping needs no other
 * file, and restores every byte. Pure. */
#ifndef ZS_CMD_MCP_CONFIG_H
#define ZS_CMD_MCP_CONFIG_H

#include "agent/agent_form.h"
#include "base/json_text.h"

/* Where an agent keeps its servers. */
struct zs_server_row {
	enum zs_agent_id agent;
	const char *files[ZS_SCOPE_COUNT]; /* below HOME; below the project */
	const char *variable_file; /* below the folder that the agent's variable names; NULL: no variable counts */
	const char *key;           /* of the table of servers */
	bool toml;
	bool comments; /* the agent accepts comments in its JSON */
	bool projects; /* "projects" has further tables, one for each project */
};

extern const struct zs_server_row zs_server_rows[];
extern const size_t zs_server_row_count;

/* NULL: zs does not know that agent's servers. */
const struct zs_server_row *zs_server_row_of(const struct zs_agent *agent);

enum { ZS_SERVERS_MAX = 64, ZS_SERVER_WORDS_MAX = 128, ZS_SERVER_VARIABLES_MAX = 32 };

/* One server. Spans are places in the text; strings have their quotes, names have none. */
struct zs_server {
	struct zs_json_span name;
	bool url;                                       /* it is reached by a URL */
	struct zs_json_span command;                    /* empty: there is none */
	size_t args_name;                               /* where the member "args" begins; 0: there is none */
	struct zs_json_span args;                       /* the array */
	struct zs_json_span words[ZS_SERVER_WORDS_MAX]; /* its items */
	size_t word_count;
	struct zs_json_span variables[ZS_SERVER_VARIABLES_MAX]; /* the names of variables that the agent sets for it */
	size_t variable_count;
};

struct zs_server_list {
	struct zs_server servers[ZS_SERVERS_MAX];
	size_t count;
};

/* Find the servers of the two formats. -EINVAL: the file has a form that zs does not know. */
int zs_server_read_json(const struct zs_server_row *row, const struct zs_agent_text *text, struct zs_server_list *list,
	struct zs_error *error);
int zs_server_read_toml(const struct zs_server_row *row, const struct zs_agent_text *text, struct zs_server_list *list,
	struct zs_error *error);
/* For the readers. They fail if there are too many, with the server's place. */
struct zs_server *zs_server_add_server(struct zs_server_list *list, const struct zs_agent_text *text,
	struct zs_json_span name, struct zs_error *error);
int zs_server_add_word(
	struct zs_server *server, const struct zs_agent_text *text, struct zs_json_span word, struct zs_error *error);
int zs_server_add_variable(
	struct zs_server *server, const struct zs_agent_text *text, struct zs_json_span name, struct zs_error *error);

/* Is the span this text? */
bool zs_server_is(const struct zs_agent_text *text, struct zs_json_span span, const char *word);

/* Does the server start zs itself? */
bool zs_server_is_zs(const struct zs_agent_text *text, const struct zs_server *server);
/* Is it wrapped as zs_server_wrap() does it? */
bool zs_server_is_wrapped(const struct zs_agent_text *text, const struct zs_server *server);
/* Is the last part of the server's own command this name? */
bool zs_server_starts(const struct zs_agent_text *text, const struct zs_server *server, const char *name);
/* Has the wrapped server an option that begins so? */
bool zs_server_has_option(const struct zs_agent_text *text, const struct zs_server *server, const char *begin);

/* Each makes the whole new text; free() its text. Returns 0 or -ENOMEM. options: up to a NULL; a word each. */
int zs_server_wrap(const struct zs_server_row *row, const struct zs_agent_text *text, const struct zs_server *server,
	const char *zs, const char *const options[], struct zs_agent_change *ret_new);
int zs_server_unwrap(const struct zs_server_row *row, const struct zs_agent_text *text, const struct zs_server *server,
	struct zs_agent_change *ret_new);
/* Names another zs. */
int zs_server_move(const struct zs_agent_text *text, const struct zs_server *server, const char *zs,
	struct zs_agent_change *ret_new);

#endif
