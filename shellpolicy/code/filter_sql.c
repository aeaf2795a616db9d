/* SQL and sqlite3's dot commands. Queries are plain; everything else is not known. */
#include "code/code_tokens.h"

static const char queries[] = "select with explain values pragma show describe desc";
/* Pragmas that only report, whatever follows them. */
static const char pragmas[] =
	"table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list database_list "
	"collation_list compile_options integrity_check quick_check foreign_key_check";
/* Words that make a query, or a function in it, change something. */
static const char changing[] =
	"insert update delete replace create drop alter attach detach vacuum reindex into writefile load_extension "
	"edit fts3_tokenizer copy grant truncate begin commit call do merge setval nextval lo_import lo_export "
	"lo_create lo_unlink lo_put lo_from_bytea dblink dblink_exec query_to_xml query_to_xmlschema "
	"query_to_xml_and_xmlschema cursor_to_xml pg_terminate_backend pg_cancel_backend pg_reload_conf "
	"pg_rotate_logfile pg_switch_wal pg_promote pg_file_write pg_file_rename pg_file_unlink "
	"pg_logical_emit_message sys_exec sys_eval outfile "
	"dumpfile";
static const char dot_commands[] =
	"tables schema databases headers header mode width indexes indices dbinfo stats show nullvalue separator "
	"version help fullschema";

/* Is the word one of the list, in letters of any case? */
static bool is_sql(const char *word, size_t len, const char *list)
{
	char lower[32];

	for (size_t i = 0; i < len && i < sizeof lower; i++)
		lower[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] | ' ' : word[i]);
	return len <= sizeof lower && zs_code_listed(lower, len, list);
}

static size_t skip_word(const char *text, size_t len, size_t at)
{
	while (at < len && is_word(text[at]))
		at++;
	return at;
}

/* Is it psql's \d, \dt+ NAME, \l, \sf NAME, \z or \conninfo, and nothing else? These only report. */
static bool is_psql_listing(const char *program, size_t len)
{
	size_t end = skip_word(program, len, 1);

	for (size_t i = end; i < len; i++)
		if (is_one_of(program[i], "\n\\|`;'\""))
			return false;
	return len > 1 && program[0] == '\\' &&
	       (program[1] == 'd' || is_sql(program + 1, end - 1, "l z sf sv conninfo encoding errverbose list"));
}

static bool begins_comment(const char *text, size_t len, size_t at)
{
	return at + 1 < len && text[at] == '-' && text[at + 1] == '-';
}

/* Databases disagree on where a string or comment ends if it has one of these in it or before it. Text that one
 * database takes for a string, another runs. */
static bool is_disputed(const char *text, size_t len, size_t at)
{
	int next = at + 1 < len ? text[at + 1] : END;

	return is_one_of(text[at], "\\#[") || (text[at] == '$' && !is_digit(next)) ||
	       (begins_comment(text, len, at) && !(at + 2 < len && is_one_of(text[at + 2], " \t\n"))) ||
	       (text[at] == '/' && next == '*');
}

struct zs_filter zs_filter_sql(const char *program, size_t len)
{
	struct zs_filter plain = { .effect = ZS_FILTER_PLAIN };
	bool first = true, dot = false, pragma = false;

	if (is_psql_listing(program, len))
		return plain;
	for (size_t at = 0, next; at < len; at = next) {
		const char *word = program + at, *end = memchr(word + 1, *word, len - at - 1);
		bool known = !is_disputed(program, len, at);

		next = skip_word(program, len, at);
		if (is_one_of(*word, "'\"`")) {
			known = end && !memchr(word, '\\', (size_t)(end - word));
			next = end ? (size_t)(end - program) + 1 : len;
		} else if (begins_comment(program, len, at)) {
			end = memchr(word, '\n', len - at);
			next = end ? (size_t)(end - program) : len;
			known &= !memchr(word, '\\', next - at);
		} else if (next > at) {
			size_t word_len = next - at;

			if (first)
				known = is_sql(word, word_len, dot ? dot_commands : queries);
			else
				known = dot || !is_sql(word, word_len, changing);
			known &= !pragma || is_sql(word, word_len, pragmas);
			pragma = first && is_sql(word, word_len, "pragma");
			first = false;
		} else if (*word == ';' || (dot && *word == '\n')) {
			first = true;
			dot = false;
		} else if (dot && *word == '|') {
			return (struct zs_filter){ .effect = ZS_FILTER_EXECUTES, .at = at };
		} else {
			dot |= *word == '.' && first;
		}
		if (!known)
			return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = at };
		next += next == at;
	}
	return plain;
}
