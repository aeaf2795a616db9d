/* SQL statements that destroy. It reads tokens only: comments and strings are skipped. */
#include "rules/rule.h"

#include <string.h>
#include <strings.h>

enum { WORD_MAX = 16 };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The end of the comment, string or quoted name at `at`; 0 if there is none. */
static size_t skip_quiet(const char *text, size_t at)
{
	const char *end = NULL;

	if ((text[at] == '-' && text[at + 1] == '-') || text[at] == '#')
		return at + strcspn(text + at, "\n");
	if (text[at] == '/' && text[at + 1] == '*')
		end = strstr(text + at + 2, "*/");
	else if (text[at] && strchr("'\"`", text[at]))
		end = strchr(text + at + 1, text[at]);
	else
		return 0;
	return end ? (size_t)(end - text) + (text[at] == '/' ? 2 : 1) : strlen(text);
}

struct statement {
	char first[WORD_MAX];
	bool drops, deletes, where, disables;
	bool asks; /* a name stands behind WHERE: 1=1 and true ask nothing */
};

static void take_sql_word(struct statement *statement, const char *word, size_t len)
{
	if (!statement->first[0])
		memcpy(statement->first, word, len < WORD_MAX ? len : WORD_MAX - 1);
	statement->drops |= len == 4 && strncasecmp(word, "drop", 4) == 0;
	statement->disables |= len == 7 && strncasecmp(word, "disable", 7) == 0;
	statement->deletes |= len == 6 && strncasecmp(word, "delete", 6) == 0;
	statement->asks |= statement->where && !(len == 4 && strncasecmp(word, "true", 4) == 0);
	statement->where |= len == 5 && strncasecmp(word, "where", 5) == 0;
}

static const char *verdict_of(const struct statement *statement)
{
	if (strcasecmp(statement->first, "drop") == 0 ||
		(strcasecmp(statement->first, "alter") == 0 && statement->drops))
		return "DROP";
	if (strcasecmp(statement->first, "alter") == 0 && statement->disables)
		return "ALTER ... DISABLE";
	if (strcasecmp(statement->first, "truncate") == 0)
		return "TRUNCATE";
	if (statement->asks)
		return NULL;
	if (strcasecmp(statement->first, "delete") == 0 ||
		(strcasecmp(statement->first, "with") == 0 && statement->deletes))
		return "DELETE without WHERE";
	return strcasecmp(statement->first, "update") == 0 ? "UPDATE without WHERE" : NULL;
}

const char *zs_sql_destroys(const char *text)
{
	struct statement statement = { 0 };
	size_t at = 0, end;

	for (;;) {
		const char *verdict;

		if (text[at] && text[at] != ';') {
			if ((end = skip_quiet(text, at)) != 0) {
				statement.asks |= statement.where && strchr("\"`", text[at]);
				at = end;
			} else if (is_letter(text[at])) {
				for (end = at; is_letter(text[end]) || (text[end] >= '0' && text[end] <= '9');)
					end++;
				take_sql_word(&statement, text + at, end - at);
				at = end;
			} else {
				at++;
			}
			continue;
		}
		verdict = verdict_of(&statement);
		if (verdict || !text[at])
			return verdict;
		statement = (struct statement){ 0 };
		at++;
	}
}
