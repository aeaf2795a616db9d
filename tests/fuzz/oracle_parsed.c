/* Compares the report about a text with the simple commands that bash's parser makes of it. */
#include <string.h>

#include "oracle.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

/* Does bash take the word as it is written? Then it has no expansion, no pattern and no quotes. */
static bool is_plain(const char *word)
{
	return *word && strspn(word, LETTERS DIGITS "-+./:,@%") == strlen(word);
}

/* NAME=…, NAME+=… or NAME[… */
static bool is_assignment(const char *word)
{
	size_t len = strspn(word, LETTERS DIGITS);

	return len && !strchr(DIGITS, *word) &&
	       (word[len] == '=' || word[len] == '[' || (word[len] == '+' && word[len + 1] == '='));
}

/* A word that is not plain, or that the report does not know, may become any number of words. */
static bool match(const struct zs_word *words, uint32_t count, const char *const *read, size_t read_count)
{
	if (count && read_count && words->text && is_plain(*read))
		return !strcmp(words->text, *read) && match(words + 1, count - 1, read + 1, read_count - 1);
	if (read_count && !is_plain(*read))
		for (uint32_t skip = 0; skip <= count; skip++)
			if (match(words + skip, count - skip, read + 1, read_count - 1))
				return true;
	if (count && !words->text)
		for (size_t skip = 0; skip <= read_count; skip++)
			if (match(words + 1, count - 1, read + skip, read_count - skip))
				return true;
	return !count && !read_count;
}

static bool is_shown(const struct zs_report *report, const char *const *words, size_t count)
{
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		if (match(report->ir.commands[i].argv, report->ir.commands[i].argc, words, count))
			return true;
	return false;
}

/* bash reads the text of a substitution again when it runs it. These it reads otherwise only the first time, and what
 * it runs is as the report says: a leading reserved word, which it takes for a name; the parenthesis of $$(…) in
 * arithmetic, which starts nothing (5.3); a comment or here-document of a substitution behind a bracket (5.1, 5.3). */
static bool is_read_again(const char *text, size_t len, const char *program, bool other)
{
	static const char *const words[] = { "time", "if", "then", "elif", "else", "fi", "for", "select", "while",
		"until", "do", "done", "case", "esac", "function", "coproc", "!", "[[", "{", "}" };
	bool bracket = false;

	for (size_t at = 0; at + 3 <= len; at++) {
		bracket |= other && text[at] == '[';
		if (!memcmp(text + at, "$$(", 3) || (bracket && !memcmp(text + at, "$(", 2)))
			return true;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(program, words[i]))
			return true;
	return false;
}

enum oracle_kind zs_oracle_judge_parsed(const struct zs_report *report, const char *text, size_t len,
	const struct jail_result *result, bool other, char *ret_what, size_t what_size)
{
	enum oracle_kind kind = ZS_ORACLE_AGREES;
	uint32_t record;

	/* In front of a syntax error only whole lines run. The other run tries those. */
	if (zs_oracle_is_open(report) || result->answer.status)
		return kind;
	for (size_t at = 0; at + sizeof record < result->log_len; at += record) {
		const char *words[ZS_WORDS_MAX];
		size_t count, first = 0;

		memcpy(&record, result->log + at, sizeof record);
		at += sizeof record;
		count = zs_oracle_words(result->log + at, record, words);
		while (first < count && is_assignment(words[first]))
			first++;
		if (first == count || count == ZS_WORDS_MAX)
			continue;
		if (is_read_again(text, len, words[first], other))
			return ZS_ORACLE_AGREES;
		if (kind != ZS_ORACLE_AGREES || !is_plain(words[first]) ||
			is_shown(report, words + first, count - first))
			continue;
		zs_oracle_describe(ret_what, what_size, words[first], words + first + 1, count - first - 1);
		kind = ZS_ORACLE_PARSED;
	}
	return kind;
}
