#include "oracle.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *zs_oracle_name(enum oracle_kind kind)
{
	static const char *const names[] = {
#define X(id, name) name,
		ZS_ORACLE_KINDS(X)
#undef X
	};

	return names[kind];
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool names(const struct zs_command *command, const char *program)
{
	return command->argc && command->argv[0].text && !strcmp(base_name(command->argv[0].text), program);
}

bool zs_oracle_is_open(const struct zs_report *report)
{
	const struct zs_ir *ir = &report->ir;

	for (uint32_t i = 0; i < ir->command_count; i++)
		if (ir->commands[i].argc && !ir->commands[i].argv[0].text)
			return true;
	for (uint32_t i = 0; i < ir->payload_count; i++)
		if (!ir->payloads[i].code.text)
			return true;
	return false;
}

static bool is_shown(const struct zs_report *report, const char *program)
{
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		if (names(&report->ir.commands[i], program))
			return true;
	return false;
}

bool zs_oracle_is_worthwhile(const struct zs_report *report, const char *text, size_t len)
{
	for (size_t at = 0; at + 4 <= len; at++) {
		char program[] = { 'p', 'w', 'n', text[at + 3], 0 };

		if (!memcmp(text + at, "pwn", 3) && !is_shown(report, program))
			return true;
	}
	return false;
}

/* A word that is known only at run time may be any number of words. */
static bool match(const struct zs_word *words, uint32_t count, const char *const *got, size_t got_count)
{
	if (!count)
		return !got_count;
	if (words->text)
		return got_count && !strcmp(words->text, *got) && match(words + 1, count - 1, got + 1, got_count - 1);
	for (size_t skip = 0; skip <= got_count; skip++)
		if (match(words + 1, count - 1, got + skip, got_count - skip))
			return true;
	return false;
}

static bool is_shown_with(const struct zs_report *report, const char *program, const char *const *got, size_t count)
{
	for (uint32_t i = 0; i < report->ir.command_count; i++) {
		const struct zs_command *command = &report->ir.commands[i];

		if (names(command, program) && match(command->argv + 1, command->argc - 1, got, count))
			return true;
	}
	return false;
}

void zs_oracle_describe(char *what, size_t size, const char *program, const char *const *words, size_t count)
{
	size_t used = (size_t)snprintf(what, size, "%s", program);

	for (size_t i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(what + used, size - used, " [%s]", words[i]);
}

size_t zs_oracle_words(const char *record, size_t len, const char **ret_words)
{
	size_t count = 0;

	for (size_t at = 0; at < len && count < ZS_WORDS_MAX; at += strlen(record + at) + 1)
		ret_words[count++] = record + at;
	return count;
}

/* One record of marker.c: a path, a working directory, arguments. */
static enum oracle_kind judge_record(
	const struct zs_report *report, const char *record, size_t len, char *what, size_t what_size)
{
	const char *words[ZS_WORDS_MAX];
	size_t count = zs_oracle_words(record, len, words);
	const char *program;

	if (count < 2)
		return ZS_ORACLE_AGREES;
	program = base_name(words[0]);
	zs_oracle_describe(what, what_size, program, words + 2, count - 2);
	if (!is_shown(report, program))
		return ZS_ORACLE_RAN;
	if (strcmp(words[1], ZS_JAIL_SCRATCH) && report->verdict == ZS_ALLOW && !(report->risks & 1U << ZS_RISK_CD))
		return ZS_ORACLE_MOVED;
	/* a full record may lack arguments */
	if (len + sizeof(uint32_t) < ZS_JAIL_RECORD_MAX && count < ZS_WORDS_MAX &&
		!is_shown_with(report, program, words + 2, count - 2))
		return ZS_ORACLE_ARGUMENTS;
	return ZS_ORACLE_AGREES;
}

enum oracle_kind zs_oracle_judge(
	const struct zs_report *report, const struct jail_result *result, char *ret_what, size_t what_size)
{
	const char *log = result->log;
	enum oracle_kind worst = ZS_ORACLE_AGREES;
	uint32_t len;

	if (zs_oracle_is_open(report))
		return ZS_ORACLE_AGREES;
	for (size_t at = 0; at + sizeof len < result->log_len && worst != ZS_ORACLE_RAN; at += len) {
		char what[1024];
		enum oracle_kind kind;

		memcpy(&len, log + at, sizeof len);
		at += sizeof len;
		if (!len || len > result->log_len - at || log[at + len - 1])
			break;
		kind = judge_record(report, log + at, len, what, sizeof what);
		if (kind != ZS_ORACLE_AGREES && (worst == ZS_ORACLE_AGREES || kind == ZS_ORACLE_RAN)) {
			worst = kind;
			snprintf(ret_what, what_size, "%s", what);
		}
	}
	if (worst == ZS_ORACLE_AGREES && *result->answer.wrote &&
		!(report->risks & (1U << ZS_RISK_REDIRECT | 1U << ZS_RISK_WRITE)) && !report->ir.write_count) {
		snprintf(ret_what, what_size, "%s", result->answer.wrote);
		return ZS_ORACLE_WROTE;
	}
	return worst;
}
