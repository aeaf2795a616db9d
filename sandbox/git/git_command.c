#include "git/git_command.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

/* "sh -c 'sh -c x'": a word with several words in it is read as a line again, at most this many times. Deeper nesting
 * is -EOVERFLOW. */
enum { DEPTH_MAX = 4 };

struct reader {
	const char *at;
	char *word;
	size_t len;
	bool begun, tail, quoted; /* of the word; quoted: in double quotes */
	bool first, git, start;   /* of the word's command */
	unsigned depth;
	zs_git_word_each *each;
	void *arg;
};

static int read_words(const char *line, bool git, unsigned depth, zs_git_word_each *each, void *arg);

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list != NULL;
}

/* Does the name of a program, or another prefix, follow this word? */
static bool is_prefix(const char *word)
{
	static const char *const prefixes[] = { "!", "{", "}", "if", "then", "elif", "else", "while", "until", "do",
		"time", "exec", "command", "env", "nice", "nohup", "sudo", NULL };

	return is_one_of(word, prefixes);
}

static const char *git_command_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int read_deeper(const struct reader *reader, const char *line)
{
	if (reader->depth == DEPTH_MAX)
		return -EOVERFLOW;
	return read_words(line, false, reader->depth + 1, reader->each, reader->arg);
}

static int emit(struct reader *reader, const char *text)
{
	const struct zs_git_word word = { text, reader->first, reader->git, reader->tail, reader->start };
	int r = *text ? reader->each(&word, reader->arg) : 0;

	if (r != 0 || !strpbrk(text, " \t\n;|&"))
		return r;
	return read_deeper(reader, text);
}

/* Is it "NAME=value", before a command? */
static bool is_assignment(const char *word)
{
	size_t len = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && word[len] == '=';
}

static int end_word(struct reader *reader)
{
	const char *equals;
	bool assignment;
	int r = 0;

	if (!reader->begun)
		return 0;
	reader->word[reader->len] = '\0';
	equals = strchr(reader->word, '=');
	assignment = reader->first && is_assignment(reader->word);
	if (reader->word[0] != '-' && !assignment)
		r = emit(reader, reader->word);
	if (r == 0 && equals) {
		bool first = reader->first;

		reader->first = false;
		r = emit(reader, equals + 1);
		reader->first = first;
	}
	reader->start = false;
	if (reader->first && !assignment && !is_prefix(reader->word) && reader->word[0] != '-') {
		static const char *const changes[] = { "cd", "pushd", NULL };

		reader->first = false;
		reader->git = strcmp(git_command_last_name(reader->word), "git") == 0;
		reader->start = is_one_of(reader->word, changes);
	}
	reader->begun = reader->tail = false;
	reader->len = 0;
	return r;
}

static void end_command(struct reader *reader)
{
	reader->first = true;
	reader->git = reader->start = false;
}

static void git_command_add(struct reader *reader, char c)
{
	reader->word[reader->len++] = c;
	reader->begun = true;
}

/* Returns the length of the text in parentheses, with the closing one. */
static size_t find_end(const char *text, char open, char close)
{
	size_t len = 0, depth = 1;

	for (; text[len] && depth > 0; len++) {
		if (text[len] == '\\' && text[len + 1])
			len++;
		else if (text[len] == close)
			depth--;
		else if (text[len] == open)
			depth++;
	}
	return len;
}

/* Reads a command substitution as a line of its own. */
static int read_inner(struct reader *reader, size_t len)
{
	ZS_AUTO_FREE char *inner = strndup(reader->at, len > 0 ? len - 1 : 0);

	if (!inner)
		return -ENOMEM;
	reader->at += len;
	return read_deeper(reader, inner);
}

/* Reads on after "$" or "`". The expansion's value is not known; the text after it may be the rest of a path. */
static int read_expansion(struct reader *reader, char c)
{
	reader->begun = reader->tail = true;
	reader->len = 0;
	if (c == '`')
		return read_inner(reader, find_end(reader->at, '\0', '`'));
	if (*reader->at == '(') {
		reader->at++;
		return read_inner(reader, find_end(reader->at, '(', ')'));
	}
	if (*reader->at == '{') {
		reader->at++;
		reader->at += find_end(reader->at, '{', '}');
		return 0;
	}
	c = *reader->at;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
		reader->at += strspn(reader->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
	else if (c)
		reader->at++;
	return 0;
}

static int read_plain(struct reader *reader, char c)
{
	int r;

	if (!strchr(" \t\r\n;|&()<>", c)) {
		git_command_add(reader, c);
		return 0;
	}
	r = end_word(reader);
	if (strchr("\n;|&()", c))
		end_command(reader);
	return r;
}

static int read_character(struct reader *reader)
{
	char c = *reader->at++;

	if (c == '$' || c == '`')
		return read_expansion(reader, c);
	if (c == '"') {
		reader->quoted = !reader->quoted;
		reader->begun = true;
		return 0;
	}
	if (c == '\\') {
		if (*reader->at)
			git_command_add(reader, *reader->at++);
		return 0;
	}
	if (c == '\'' && !reader->quoted) {
		reader->begun = true;
		while (*reader->at && *reader->at != '\'')
			git_command_add(reader, *reader->at++);
		reader->at += *reader->at == '\'';
		return 0;
	}
	if (reader->quoted) {
		git_command_add(reader, c);
		return 0;
	}
	return read_plain(reader, c);
}

static int read_words(const char *line, bool git, unsigned depth, zs_git_word_each *each, void *arg)
{
	ZS_AUTO_FREE char *word = malloc(strlen(line) + 1);
	struct reader reader = {
		.at = line,
		.word = word,
		.first = !git,
		.git = git,
		.depth = depth,
		.each = each,
		.arg = arg,
	};
	int r = word ? 0 : -ENOMEM;

	while (r == 0 && *reader.at)
		r = read_character(&reader);
	return r == 0 ? end_word(&reader) : r;
}

int zs_git_words(const char *line, bool git, zs_git_word_each *each, void *arg)
{
	return read_words(line, git, 0, each, arg);
}
