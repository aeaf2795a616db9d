#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "differential.h"

void zs_emit(struct shared *shared, yyjson_mut_doc *doc)
{
	size_t len = 0;
	char *line = yyjson_mut_write(doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &len);

	while (atomic_flag_test_and_set(&shared->output))
		sched_yield();
	if (line && fwrite(line, 1, len, stdout) == len)
		putchar('\n');
	fflush(stdout);
	atomic_flag_clear(&shared->output);
	free(line);
	yyjson_mut_doc_free(doc);
}

static yyjson_mut_val *words_of(yyjson_mut_doc *doc, const struct zs_command *command)
{
	yyjson_mut_val *words = yyjson_mut_arr(doc);

	for (uint32_t i = 0; i < command->argc; i++) {
		if (command->argv[i].text)
			yyjson_mut_arr_add_strcpy(doc, words, command->argv[i].text);
		else
			yyjson_mut_arr_add_null(doc, words);
	}
	return words;
}

void zs_emit_finding(struct job *job, const char *text, size_t len, const char *from, size_t from_len,
	enum oracle_kind kind, const char *what)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *commands = yyjson_mut_arr(doc);
	const struct zs_report *report = zs_vet_as(job, text, len);

	yyjson_mut_doc_set_root(doc, root);
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		yyjson_mut_arr_append(commands, words_of(doc, &report->ir.commands[i]));
	yyjson_mut_obj_add_str(doc, root, "kind", zs_oracle_name(kind));
	yyjson_mut_obj_add_strn(doc, root, "cmd", text, len);
	yyjson_mut_obj_add_str(doc, root, "what", what);
	yyjson_mut_obj_add_val(doc, root, "shown", commands);
	yyjson_mut_obj_add_strn(doc, root, "from", from, from_len);
	zs_emit(job->shared, doc);
}

void zs_emit_false_block(struct job *job, const char *text, size_t len, const struct zs_report *report, bool mutated)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);

	yyjson_mut_doc_set_root(doc, root);
	yyjson_mut_obj_add_str(doc, root, "code", zs_risk_name(report->code));
	yyjson_mut_obj_add_bool(doc, root, "mutated", mutated);
	yyjson_mut_obj_add_strn(doc, root, "cmd", text, len);
	yyjson_mut_obj_add_str(doc, root, "reason", report->reason);
	zs_emit(job->shared, doc);
}
