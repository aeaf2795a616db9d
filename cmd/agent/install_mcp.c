/* zs install --mcp: wraps the MCP servers of an agent's configuration in zs run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/install.h"
#include "agent/install_change.h"
#include "agent/mcp_config.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/message.h"
#include "base/path.h"

extern char **environ;

enum { OPTIONS_MAX = 256 };

/* Programs that fetch a package before they start it, and the task of --for that lets them. */
static const struct {
	const char *program, *task;
} fetchers[] = {
	{ "npx", "npm" },
	{ "pnpm", "pnpm" },
	{ "yarn", "yarn" },
	{ "uvx", "uv" },
	{ "uv", "uv" },
};

struct job {
	const struct zs_install_mcp *wanted;
	const struct zs_server_row *row;
	struct zs_agent_place place;
	struct zs_agent_file file;
	struct zs_agent_change new; /* the text so far */
	struct zs_server_list list; /* its servers */
	char zs[PATH_MAX];
	const char *options[OPTIONS_MAX + 1]; /* on the owner's stack or in `owned` */
	char *owned[OPTIONS_MAX];
	size_t option_count, owned_count;
	bool given, network, writable, cache; /* what the caller's options say */
};

static struct zs_agent_text text_of(const struct job *job)
{
	return (struct zs_agent_text){ job->wanted->agent, job->place.path, job->new.text, job->new.len };
}

static bool is_named(const struct job *job, const struct zs_agent_text *text, struct zs_json_span name)
{
	const char *const *names = job->wanted->names;

	if (!*names)
		return true;
	for (; *names; names++)
		if (zs_server_is(text, name, *names))
			return true;
	return false;
}

/* The options */

static bool add_option(struct job *job, const char *name, const char *value, size_t len)
{
	size_t size = strlen("--=") + strlen(name) + len + 1;
	char *word;

	if (job->option_count == OPTIONS_MAX)
		return zs_fail(false, "install: there are too many options");
	word = malloc(size);
	if (!word)
		return zs_fail(false, "install: out of memory");
	if (value)
		snprintf(word, size, "--%s=%.*s", name, (int)len, value);
	else
		snprintf(word, size, "--%s", name);
	job->owned[job->owned_count++] = word;
	job->options[job->option_count++] = word;
	return zs_install_is_plain(word) ||
	       zs_fail(false, "install: %s: a configuration cannot contain this option", name);
}

static bool add_text(struct job *job, const char *name, const char *value)
{
	return add_option(job, name, value, value ? strlen(value) : 0);
}

static bool add_given(const char *name, const char *value, void *arg)
{
	struct job *job = arg;

	job->given = true;
	job->network = job->network || strcmp(name, "net") == 0 || strcmp(name, "host") == 0 ||
		       strcmp(name, "for") == 0 || strcmp(name, "policy") == 0;
	job->writable =
		job->writable || (strcmp(name, "rw") == 0 && strcmp(value, ".") == 0) || strcmp(name, "policy") == 0;
	job->cache = job->cache || strcmp(name, "tmp") == 0 || strcmp(name, "policy") == 0 ||
		     (strcmp(name, "setenv") == 0 && strncmp(value, "XDG_CACHE_HOME=", 15) == 0);
	return add_text(job, name, value);
}

/* Refuses a variable that zs run would refuse: the server would not start. */
static bool may_pass(const char *name)
{
	struct zs_policy *policy = NULL;
	struct zs_error error;
	int r = zs_policy_new(environ, &policy);

	if (r < 0)
		return !zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", name, -r);
	r = zs_policy_add_env(policy, name, &error);
	zs_policy_free(policy);
	return r == 0 || !zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
}

static bool add_variable(struct job *job, const char *name, size_t len)
{
	return add_option(job, "env", name, len) && may_pass(job->options[job->option_count - 1] + strlen("--env="));
}

/* Makes the words between run and "--": the default policy of a server, the caller's options, and the variables that
 * the agent sets for this server. */
static bool make_options(struct job *job, const struct zs_agent_text *text, const struct zs_server *server)
{
	const struct zs_confine_fields *policy = job->wanted->policy;
	bool ok;

	for (size_t i = 0; i < job->owned_count; i++)
		free(job->owned[i]);
	job->owned_count = job->option_count = 0;
	ok = zs_options_given(zs_confine_options, policy, add_given, job);
	if (ok && !job->writable)
		ok = add_text(job, "protect", policy->workspace ? policy->workspace : ".");
	if (ok && !job->network)
		ok = add_text(job, "net", "none");
	if (ok && !job->cache)
		/* Without the shared caches, and the devices beside them, of which programs need this one. */
		ok = add_text(job, "no-default", "write") && add_text(job, "rw", "/dev/null") &&
		     add_text(job, "setenv", "XDG_CACHE_HOME=/tmp/cache") &&
		     add_text(job, "setenv", "npm_config_cache=/tmp/cache/npm");
	for (size_t i = 0; ok && i < server->variable_count; i++) {
		struct zs_json_span name = server->variables[i];

		ok = add_variable(job, text->text + name.begin, name.end - name.begin);
	}
	job->options[job->option_count] = NULL;
	return ok;
}

/* One server */

/* Finds the servers. */
static int read_servers(const struct zs_server_row *row, const struct zs_agent_text *text,
	struct zs_server_list *ret_list, struct zs_error *error)
{
	ret_list->count = 0;
	if (!text->text)
		return 0;
	return row->toml ? zs_server_read_toml(row, text, ret_list, error)
			 : zs_server_read_json(row, text, ret_list, error);
}

/* Takes the changed text as the one so far, and finds its servers again. Returns an exit code. */
static int accept(struct job *job, const struct zs_agent_change *change)
{
	struct zs_agent_text text;
	struct zs_error error;

	free(job->new.text);
	job->new = *change;
	text = text_of(job);
	return read_servers(job->row, &text, &job->list, &error) < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error)
								     : ZS_EXIT_OK;
}

/* Is this the server's own program, with nothing of zs before it? A reader that disagrees with ours must not get a text
 * of which we believe something else. */
static int check(const struct job *job, size_t number, bool wrapped)
{
	struct zs_agent_text text = text_of(job);

	if (number < job->list.count && zs_server_is_wrapped(&text, &job->list.servers[number]) == wrapped)
		return ZS_EXIT_OK;
	return zs_fail(ZS_EXIT_BAD_INPUT,
		"install: %s: the changed file would not be read as it is meant; nothing was changed", job->place.path);
}

static int unwrap(struct job *job, size_t number)
{
	struct zs_agent_text text = text_of(job);
	struct zs_agent_change change;
	int r;

	if (zs_server_unwrap(job->row, &text, &job->list.servers[number], &change) < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", job->place.path, ENOMEM);
	r = accept(job, &change);
	return r == ZS_EXIT_OK ? check(job, number, false) : r;
}

static int wrap(struct job *job, size_t number)
{
	const struct zs_server *server = &job->list.servers[number];
	struct zs_agent_text text = text_of(job);
	bool wrapped = zs_server_is_wrapped(&text, server);
	struct zs_agent_change change;
	int r;

	if (wrapped && !job->given) {
		r = zs_server_move(&text, server, job->zs, &change);
	} else {
		r = wrapped ? unwrap(job, number) : ZS_EXIT_OK;
		if (r != ZS_EXIT_OK)
			return r;
		text = text_of(job);
		if (!make_options(job, &text, server))
			return ZS_EXIT_USAGE;
		r = zs_server_wrap(job->row, &text, server, job->zs, job->options, &change);
	}
	if (r < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", job->place.path, ENOMEM);
	r = accept(job, &change);
	return r == ZS_EXIT_OK ? check(job, number, true) : r;
}

static void say(const struct zs_agent_text *text, struct zs_json_span name, const char *what)
{
	char word[128];

	snprintf(word, sizeof word, "%.*s", (int)(name.end - name.begin), text->text + name.begin);
	zs_tell(stdout, "%s: %s", word, what);
}

/* Says what was left, and what a person still has to decide. */
static void advise(const struct job *job)
{
	const struct zs_agent_text text = text_of(job);
	char what[256];

	for (size_t i = 0; i < job->list.count; i++) {
		const struct zs_server *server = &job->list.servers[i];

		if (!is_named(job, &text, server->name))
			continue;
		if (server->url)
			say(&text, server->name,
				"is left as it is: it is reached by a URL, and starts no command here");
		else if (zs_server_is_zs(&text, server) && !zs_server_is_wrapped(&text, server))
			say(&text, server->name, "is left as it is: it is zs itself");
		for (size_t j = 0; job->wanted->install && j < ZS_COUNT(fetchers); j++) {
			if (!zs_server_starts(&text, server, fetchers[j].program) ||
				!zs_server_is_wrapped(&text, server) ||
				!zs_server_has_option(&text, server, "--net=none"))
				continue;
			snprintf(what, sizeof what,
				"%s fetches a package, and has no network: install the package and name its program, "
				"or "
				"add --for %s",
				fetchers[j].program, fetchers[j].task);
			say(&text, server->name, what);
		}
	}
}

/* The file */

static int check_names(const struct job *job)
{
	const struct zs_agent_text text = text_of(job);

	for (const char *const *name = job->wanted->names; *name; name++) {
		size_t i = 0;

		while (i < job->list.count && !zs_server_is(&text, job->list.servers[i].name, *name))
			i++;
		if (i == job->list.count)
			return zs_fail(ZS_EXIT_BAD_INPUT, "install: %s: no MCP server of this name is in %s", *name,
				job->place.path);
	}
	return ZS_EXIT_OK;
}

static int change_all(struct job *job)
{
	int r = ZS_EXIT_OK;

	/* Each change finds the servers again; their number and order stay. */
	for (size_t i = 0; r == ZS_EXIT_OK && i < job->list.count; i++) {
		const struct zs_agent_text text = text_of(job);
		const struct zs_server *server = &job->list.servers[i];
		bool wrapped = zs_server_is_wrapped(&text, server);

		if (!is_named(job, &text, server->name) || server->url || (zs_server_is_zs(&text, server) && !wrapped))
			continue;
		if (job->wanted->install)
			r = wrap(job, i);
		else if (wrapped)
			r = unwrap(job, i);
	}
	return r;
}

static int find_place(struct job *job, struct zs_error *error)
{
	const struct zs_agent_config *config = &zs_agent_configs[job->wanted->agent->number];
	enum zs_config_scope scope = job->wanted->scope;
	const char *variable =
		job->row->variable_file && scope == ZS_SCOPE_USER ? zs_env_value(environ, config->variable) : NULL;
	bool there = variable && variable[0] == '/';
	const char *base = there ? variable : zs_agent_base(scope, environ, error);

	if (!base || zs_agent_place_at(
			     base, there ? job->row->variable_file : job->row->files[scope], &job->place, error) < 0)
		return -ENOENT;
	return zs_agent_place_check(&job->place, error);
}

static int read_file(struct job *job)
{
	struct zs_agent_text text;
	struct zs_error error;

	if (find_place(job, &error) < 0 || zs_agent_file_read(&job->place, job->wanted->scope, &job->file, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	if (!job->file.text)
		return zs_fail(ZS_EXIT_BAD_INPUT,
			"install: %s: there is no such file, so %s has no MCP servers there%s", job->place.path,
			job->wanted->agent->title,
			job->wanted->scope == ZS_SCOPE_USER ? "; --project looks into this project" : "");
	job->new = (struct zs_agent_change){ malloc(job->file.len + 1), job->file.len };
	if (!job->new.text)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", job->place.path, ENOMEM);
	memcpy(job->new.text, job->file.text, job->file.len + 1);
	text = text_of(job);
	return read_servers(job->row, &text, &job->list, &error) < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error)
								     : check_names(job);
}

static int install_all(struct job *job)
{
	bool install = job->wanted->install;
	struct zs_error error;
	int r = install ? zs_install_self(job->zs) : ZS_EXIT_OK;

	if (r == ZS_EXIT_OK && !zs_options_given(zs_confine_options, job->wanted->policy, add_given, job))
		r = ZS_EXIT_USAGE;
	if (r == ZS_EXIT_OK)
		r = read_file(job);
	if (r == ZS_EXIT_OK)
		r = change_all(job);
	if (r != ZS_EXIT_OK)
		return r;
	if (job->new.len == job->file.len && memcmp(job->new.text, job->file.text, job->file.len) == 0) {
		zs_tell(stdout, "Nothing to do: no MCP server in %s is to be changed.", job->place.path);
		advise(job);
		return ZS_EXIT_OK;
	}
	if (install)
		zs_install_warn(job->zs);
	r = zs_install_agree(&job->file, &job->new, job->wanted->yes, job->wanted->dry_run);
	if (r != ZS_EXIT_OK || job->wanted->dry_run)
		return r;
	if (zs_agent_file_write(&job->file, 0600, job->new.text, job->new.len, &error) < 0)
		return zs_fail_error(ZS_EXIT_NO_OUTPUT, &error);
	zs_tell(stdout, "The MCP servers in %s are %s.", job->place.path, install ? "confined now" : "as they were");
	advise(job);
	return ZS_EXIT_OK;
}

int zs_install_mcp(const struct zs_install_mcp *wanted)
{
	ZS_AUTO_FREE struct job *job = calloc(1, sizeof *job);
	int r;

	if (!job)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", wanted->agent->id, ENOMEM);
	job->wanted = wanted;
	job->row = zs_server_row_of(wanted->agent);
	if (!job->row)
		return zs_fail(ZS_EXIT_USAGE,
			"install: --mcp: zs does not know where %s keeps its servers; write zs run "
			"before their commands by hand",
			wanted->agent->title);
	r = install_all(job);
	for (size_t i = 0; i < job->owned_count; i++)
		free(job->owned[i]);
	free(job->file.text);
	free(job->new.text);
	return r;
}
