/* SQL and sqlite3's dot commands: queries are plain, everything else is not. */
#include "code/filter.h"
#include "code/filter_text.h"

static const char queries[] = "select with explain values pragma show describe desc";
/* Those that tell, whatever stands behind them. */
static const char pragmas[] =
	"table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list database_list "
	"collation_list compile_options integrity_check quick_check foreign_key_check";
/* Words that make a query, or a function in it, change something. */
static const char changing[] =
	"insert update delete replace create drop alter attach detach vacuum reindex into writefile load_extension "
	"edit fts3_tokenizer copy grant truncate begin commit call do merge setval nextval lo_import lo_export "
	"lo_create lo_unlink lo_put lo_from_bytea dblink dblink_exec query_to_xml query_to_xmlschema "
	"query_to_xml_and_xmlschema cursor_to_xml pg_terminate_backend pg_cancel_backend pg_reload_conf "
	"pg_rotate_logfile pg_switch_wal pg_promote pg_file_write pg_logical_emit_message sys_exec sys_eval outfile "
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

/* Databases do not agree where a text or comment ends when these stand in or before it; what one takes for a text,
 * another runs. */
static bool is_disputed(const char *text, size_t len, size_t at)
{
	char next = at + 1 < len ? text[at + 1] : '\0';

	switch (text[at]) {
	case '\\':
	case '#':
		return true;
	case '$':
		return !is_digit(next);
	case '/':
		return next == '*';
	case '-':
		return next == '-' && at + 2 < len && !memchr(" \t\n", text[at + 2], 3);
	default:
		return false;
	}
}

static bool is_quoted_disputed(const char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (text[i] == '\\' || (text[from] == '[' && strchr("'\"`", text[i])))
			return true;
	return false;
}

/* psql's \d, \dt+ NAME, \l, \sf NAME, \z, \conninfo: alone they only tell. */
static bool is_psql_listing(const char *program, size_t len)
{
	size_t start = 0, end;

	while (start < len && memchr(" \t\n", program[start], 3))
		start++;
	if (start >= len || program[start++] != '\\')
		return false;
	for (end = start; end < len && is_letter(program[end]);)
		end++;
	for (size_t i = end; i < len; i++)
		if (memchr("\n\\|`;'\"", program[i], 8))
			return false;
	return program[start] == 'd' ||
	       is_sql(program + start, end - start, "l z sf sv conninfo encoding copyright errverbose list");
}

/* Behind a quoted text or comment that starts at `at`, or `at` itself. */
static size_t skip_quoted(const char *text, size_t len, size_t at)
{
	char c = text[at];

	if (c == '-' && at + 1 < len && text[at + 1] == '-') {
		while (at < len && text[at] != '\n')
			at++;
		return at;
	}
	if (c != '\'' && c != '"' && c != '`' && c != '[')
		return at;
	for (size_t i = at + 1; i < len; i++)
		if (text[i] == (c == '[' ? ']' : c))
			return i + 1;
	return len;
}

struct zs_filter zs_filter_sql(const char *program, size_t len)
{
	struct zs_filter plain = { .effect = ZS_FILTER_PLAIN };
	bool first = true, dot = false, pragma = false;

	if (is_psql_listing(program, len))
		return plain;
	for (size_t at = 0; at < len;) {
		size_t skipped = skip_quoted(program, len, at), start = at;

		if (is_disputed(program, len, at) || is_quoted_disputed(program, at, skipped))
			return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = at };
		if (skipped != at) {
			at = skipped;
		} else if (is_word(program[at])) {
			while (at < len && is_word(program[at]))
				at++;
			if (first ? !(dot ? is_sql(program + start, at - start, dot_commands)
					  : is_sql(program + start, at - start, queries))
				  : (!dot && is_sql(program + start, at - start, changing)))
				return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = start };
			if (pragma && !is_sql(program + start, at - start, pragmas))
				return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = start };
			pragma = first && is_sql(program + start, at - start, "pragma");
			first = false;
		} else {
			if (program[at] == ';' || (dot && program[at] == '\n')) {
				first = true;
				dot = false;
			} else if (program[at] == '.' && first) {
				dot = true;
			} else if (dot && program[at] == '|') {
				return (struct zs_filter){ .effect = ZS_FILTER_EXECUTES, .at = at };
			}
			at++;
		}
	}
	return plain;
}
