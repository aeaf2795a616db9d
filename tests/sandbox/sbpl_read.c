/* Reads a profile: s-expressions of three kinds, (version 1), (allow …) and (deny …). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sbpl_tree.h"

struct reader {
	const char *text, *at;
	const char *const *parameters;
	char *problem;
	bool failed;
};

struct filter_kind {
	const char *name;
	enum sbpl_match match;
	unsigned about;
	enum { PARTS, TEXT, NUMBER, SYMBOL, ADDRESS } argument;
};

static const struct filter_kind kinds[] = {
	{ "require-all", SBPL_ALL, 0, PARTS },
	{ "require-any", SBPL_ANY, 0, PARTS },
	{ "require-not", SBPL_NOT, 0, PARTS },
	{ "literal", SBPL_LITERAL, SBPL_PATH, TEXT },
	{ "subpath", SBPL_SUBPATH, SBPL_PATH, TEXT },
	{ "regex", SBPL_REGEX, SBPL_PATH, TEXT },
	{ "file-mode", SBPL_FILE_MODE, SBPL_PATH, NUMBER },
	{ "vnode-type", SBPL_VNODE_TYPE, SBPL_VNODE, SYMBOL },
	{ "extension", SBPL_EXTENSION, SBPL_PATH, TEXT },
	{ "ioctl-command", SBPL_COMMAND, SBPL_IOCTL, NUMBER },
	{ "global-name", SBPL_GLOBAL_NAME, SBPL_MACH, TEXT },
	{ "local-name", SBPL_LOCAL_NAME, SBPL_MACH, TEXT },
	{ "sysctl-name", SBPL_NAME, SBPL_SYSCTL, TEXT },
	{ "sysctl-name-prefix", SBPL_NAME_PREFIX, SBPL_SYSCTL, TEXT },
	{ "ipc-posix-name", SBPL_NAME, SBPL_POSIX, TEXT },
	{ "ipc-posix-name-prefix", SBPL_NAME_PREFIX, SBPL_POSIX, TEXT },
	{ "preference-domain", SBPL_NAME, SBPL_PREFERENCE, TEXT },
	{ "iokit-registry-entry-class", SBPL_NAME, SBPL_IOKIT, TEXT },
	{ "target", SBPL_IS_SAME_SANDBOX, SBPL_TARGET, SYMBOL },
	{ "remote", SBPL_REMOTE, SBPL_NETWORK, ADDRESS },
	{ "local", SBPL_LOCAL, SBPL_NETWORK, ADDRESS },
	{ "socket-domain", SBPL_DOMAIN, SBPL_SOCKETS, SYMBOL },
	{ "socket-protocol", SBPL_PROTOCOL, SBPL_SOCKETS, NUMBER },
};

static void __attribute__((format(printf, 2, 3))) fail(struct reader *reader, const char *format, ...)
{
	char what[100];
	va_list args;

	if (reader->failed)
		return;
	reader->failed = true;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	snprintf(reader->problem, SBPL_PROBLEM_SIZE, "%s at byte %td: %.30s", what, reader->at - reader->text,
		reader->at);
}

static void skip(struct reader *reader)
{
	for (;;) {
		reader->at += strspn(reader->at, " \t\n");
		if (*reader->at != ';')
			return;
		reader->at += strcspn(reader->at, "\n");
	}
}

static bool take(struct reader *reader, char c)
{
	skip(reader);
	if (reader->failed || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

static void expect(struct reader *reader, char c)
{
	if (!take(reader, c))
		fail(reader, "no '%c'", c);
}

static void symbol(struct reader *reader, char ret_symbol[64])
{
	size_t len;

	skip(reader);
	len = strspn(reader->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-*_#");
	if (len == 0 || len >= 64) {
		fail(reader, "no symbol");
		len = 0;
	}
	memcpy(ret_symbol, reader->at, len);
	ret_symbol[len] = '\0';
	reader->at += len;
}

static unsigned long number(struct reader *reader)
{
	char text[64], *end;
	unsigned long value;

	symbol(reader, text);
	value = strncmp(text, "#o", 2) == 0 ? strtoul(text + 2, &end, 8) : strtoul(text, &end, 10);
	if (*end || end == text)
		fail(reader, "'%s' is no number", text);
	return value;
}

/* Reads "…", in which only \" and \\ are escapes; #"…", which has no escapes; or (param "…"). free() it. */
static char *string(struct reader *reader)
{
	bool raw, is_parameter = take(reader, '(');
	char *value, *end;
	char word[64];

	if (is_parameter) {
		symbol(reader, word);
		if (strcmp(word, "param") != 0)
			fail(reader, "'%s' makes no string", word);
	}
	skip(reader);
	raw = *reader->at == '#' && !is_parameter;
	reader->at += raw;
	expect(reader, '"');
	value = end = malloc(strlen(reader->at) + 1);
	while (!reader->failed && *reader->at != '"') {
		if (*reader->at == '\\' && !raw && *++reader->at != '"' && *reader->at != '\\')
			fail(reader, "an unknown escape");
		else if (!*reader->at)
			fail(reader, "a string without end");
		else
			*end++ = *reader->at++;
	}
	*end = '\0';
	expect(reader, '"');
	if (!is_parameter)
		return value;
	expect(reader, ')');
	for (const char *const *at = reader->parameters; *at; at += 2) {
		if (strcmp(at[0], value) != 0)
			continue;
		free(value);
		return strdup(at[1]);
	}
	fail(reader, "no parameter '%s'", value);
	return value;
}

static void check_text(struct reader *reader, struct sbpl_filter *filter)
{
	const char *text = filter->text;
	const char *port = strrchr(text, ':');
	bool knows = true;

	if ((filter->match == SBPL_LITERAL || filter->match == SBPL_SUBPATH) && text[0] != '/')
		fail(reader, "'%s' is no place", text);
	if (filter->match == SBPL_REGEX) {
		filter->has_regex = regcomp(&filter->regex, text, REG_EXTENDED | REG_NOSUB) == 0;
		if (!filter->has_regex || text[0] != '^')
			fail(reader, "a bad regular expression: %s", text);
	}
	if (filter->match == SBPL_VNODE_TYPE)
		knows = strcmp(text, "BLOCK-DEVICE") == 0 || strcmp(text, "CHARACTER-DEVICE") == 0;
	if (filter->match == SBPL_IS_SAME_SANDBOX)
		knows = strcmp(text, "same-sandbox") == 0;
	if (filter->match == SBPL_DOMAIN)
		knows = strcmp(text, "AF_UNIX") == 0 || strcmp(text, "AF_SYSTEM") == 0;
	if (filter->match == SBPL_REMOTE || filter->match == SBPL_LOCAL)
		knows = port && (strncmp(text, "*:", 2) == 0 || strncmp(text, "localhost:", 10) == 0) &&
			(strcmp(port, ":*") == 0 || (port[1] && !port[1 + strspn(port + 1, "0123456789")]));
	if (!knows)
		fail(reader, "'%s' is unknown", text);
}

static unsigned filter(struct reader *reader, struct sbpl_filter *ret_filter);

/* Returns the subject of all the filters. */
static unsigned filters(struct reader *reader, struct sbpl_filter *parent)
{
	unsigned about = ~0u;

	skip(reader);
	while (!reader->failed && *reader->at == '(') {
		parent->parts = realloc(parent->parts, (parent->count + 1) * sizeof *parent->parts);
		parent->parts[parent->count] = (struct sbpl_filter){ 0 };
		about &= filter(reader, &parent->parts[parent->count++]);
		skip(reader);
	}
	return about;
}

static unsigned filter(struct reader *reader, struct sbpl_filter *ret_filter)
{
	const struct filter_kind *kind = NULL;
	char name[64], word[64];
	unsigned about;

	expect(reader, '(');
	symbol(reader, name);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			kind = &kinds[i];
	if (!kind) {
		fail(reader, "an unknown filter '%s'", name);
		return 0;
	}
	ret_filter->match = kind->match;
	about = kind->about;
	switch (kind->argument) {
	case PARTS:
		about = filters(reader, ret_filter);
		if (ret_filter->count == 0 || (kind->match == SBPL_NOT && ret_filter->count != 1))
			fail(reader, "not so many filters");
		break;
	case ADDRESS:
		symbol(reader, word);
		ret_filter->transport = strcmp(word, "tcp") == 0   ? SBPL_TCP
					: strcmp(word, "udp") == 0 ? SBPL_UDP
								   : SBPL_IP;
		if (ret_filter->transport == SBPL_IP && strcmp(word, "ip") != 0)
			fail(reader, "'%s' is unknown", word);
		ret_filter->text = string(reader);
		break;
	case TEXT:
		ret_filter->text = string(reader);
		break;
	case SYMBOL:
		symbol(reader, word);
		ret_filter->text = strdup(word);
		break;
	case NUMBER:
		ret_filter->number = number(reader);
		break;
	}
	if (ret_filter->text)
		check_text(reader, ret_filter);
	expect(reader, ')');
	return about;
}

static void operations(struct reader *reader, struct sbpl_rule *rule)
{
	char name[64];

	while (!reader->failed && *reader->at != '(' && *reader->at != ')') {
		symbol(reader, name);
		skip(reader);
		if (rule->operation_count == SBPL_OPERATIONS_MAX || !sbpl_operation(name))
			fail(reader, "an unknown operation, or one too many, '%s'", name);
		else
			rule->operations[rule->operation_count++] = sbpl_operation(name);
	}
	if (rule->operation_count == 0)
		fail(reader, "no operation");
}

static void rule(struct reader *reader, struct sbpl_rule *rule)
{
	char word[64];
	unsigned about;

	rule->begin = (size_t)(reader->at - reader->text);
	expect(reader, '(');
	symbol(reader, word);
	skip(reader);
	rule->allow = strcmp(word, "allow") == 0;
	if (!rule->allow && strcmp(word, "deny") != 0)
		fail(reader, "neither allow nor deny but '%s'", word);
	operations(reader, rule);
	rule->any.match = SBPL_ANY;
	about = filters(reader, &rule->any);
	for (size_t i = 0; rule->any.count && i < rule->operation_count; i++)
		if (!(rule->operations[i]->about & about))
			fail(reader, "a filter that does not fit %s", rule->operations[i]->name);
	expect(reader, ')');
	rule->end = (size_t)(reader->at - reader->text);
	skip(reader);
}

static void rules(struct reader *reader, struct sbpl *sbpl)
{
	char word[64];

	expect(reader, '(');
	symbol(reader, word);
	if (strcmp(word, "version") != 0 || number(reader) != 1)
		fail(reader, "no version 1");
	expect(reader, ')');
	skip(reader);
	while (!reader->failed && *reader->at) {
		sbpl->rules = realloc(sbpl->rules, (sbpl->count + 1) * sizeof *sbpl->rules);
		sbpl->rules[sbpl->count] = (struct sbpl_rule){ 0 };
		rule(reader, &sbpl->rules[sbpl->count++]);
	}
}

struct sbpl *sbpl_read(const char *text, const char *const *parameters, char problem[SBPL_PROBLEM_SIZE])
{
	struct sbpl *sbpl = calloc(1, sizeof *sbpl);
	struct reader reader = { .parameters = parameters, .problem = problem };

	sbpl->text = strdup(text);
	reader.text = reader.at = sbpl->text;
	rules(&reader, sbpl);
	if (!reader.failed)
		return sbpl;
	sbpl_free(sbpl);
	return NULL;
}

static void filter_free(struct sbpl_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		filter_free(&filter->parts[i]);
	free(filter->parts);
	free(filter->text);
	if (filter->has_regex)
		regfree(&filter->regex);
}

void sbpl_free(struct sbpl *sbpl)
{
	if (!sbpl)
		return;
	for (size_t i = 0; i < sbpl->count; i++)
		filter_free(&sbpl->rules[i].any);
	free(sbpl->rules);
	free(sbpl->text);
	free(sbpl);
}

size_t sbpl_rules(const struct sbpl *sbpl)
{
	return sbpl->count;
}

void sbpl_leave_out(struct sbpl *sbpl, size_t rule, bool out)
{
	sbpl->rules[rule].left_out = out;
}

const char *sbpl_rule_text(const struct sbpl *sbpl, size_t rule, size_t *ret_len)
{
	*ret_len = sbpl->rules[rule].end - sbpl->rules[rule].begin;
	return sbpl->text + sbpl->rules[rule].begin;
}
