#include "vet/rows_list.h"

#include <string.h>

#include "base/json.h"
#include "base/message.h"
#include "zs_shellpolicy.h"

/* Takes the next item of "a|b|c", and moves *at behind it. False at the end. */
static bool next_item(const char **at, const char **ret_item, size_t *ret_len)
{
	if (!*at || !**at)
		return false;
	*ret_item = *at;
	*ret_len = strcspn(*at, "|");
	*at += *ret_len + ((*at)[*ret_len] == '|');
	return true;
}

static void put_flag(FILE *out, const struct zs_row_flag *flag)
{
	fprintf(out, " %.*s", (int)flag->len, flag->name);
	if (flag->takes)
		fputc(flag->takes, out);
	if (flag->meaning)
		fputs(flag->meaning->name, out);
}

void zs_row_line(FILE *out, const struct zs_row *row)
{
	struct zs_row_view view = zs_row_view(row);
	struct zs_row_operand operand;
	struct zs_row_flag flag;
	const struct zs_term *trait;

	fprintf(out, "%s%s%s", view.of ? view.of : "", view.of ? ": " : "", view.names);
	for (size_t i = 0; zs_row_flag(row, i, &flag); i++) {
		fputs(i ? "" : " ", out);
		put_flag(out, &flag);
	}
	for (size_t i = 0; zs_row_operand(row, i, &operand); i++)
		fprintf(out, "%s %s%s", i ? "" : "  operands:", operand.role->name, operand.repeats ? "*" : "");
	for (size_t i = 0; (trait = zs_row_trait(row, i)) != NULL; i++)
		fprintf(out, "%s %s", i ? "" : "  traits:", trait->name);
	if (view.grammar)
		fprintf(out, "  grammar: %s", view.grammar->name);
	if (view.language)
		fprintf(out, "  language: %s", view.language);
	if (view.hint)
		fprintf(out, "  hint: %s", view.hint);
	fputc('\n', out);
}

static const char *takes_name(char takes)
{
	switch (takes) {
	case '=':
		return "value";
	case '?':
		return "attached";
	case '#':
		return "digits";
	default:
		return NULL;
	}
}

static void row_json_line(FILE *out, const struct zs_row *row)
{
	struct zs_row_view view = zs_row_view(row);
	struct zs_json json = { out, false };
	struct zs_row_operand operand;
	struct zs_row_flag flag;
	const struct zs_term *trait;

	zs_json_print(&json, "{'table':%s,'of':", view.table);
	zs_json_split(&json, view.of);
	zs_json_print(&json, "'names':");
	zs_json_split(&json, view.names);
	zs_json_print(&json, "'flags':[");
	for (size_t i = 0; zs_row_flag(row, i, &flag); i++)
		zs_json_print(&json, "{'flag':%.*s,'takes':%s,'meaning':%s}", (int)flag.len, flag.name,
			takes_name(flag.takes), flag.meaning ? flag.meaning->name : NULL);
	zs_json_print(&json, "],'operands':[");
	for (size_t i = 0; zs_row_operand(row, i, &operand); i++)
		zs_json_print(&json, "{'role':%s,'repeats':%i}", operand.role->name, operand.repeats);
	zs_json_print(&json, "],'traits':[");
	for (size_t i = 0; (trait = zs_row_trait(row, i)) != NULL; i++)
		zs_json_text(&json, trait->name);
	zs_json_print(&json, "],'grammar':%s,'language':%s,'hint':%s}\n", view.grammar ? view.grammar->name : NULL,
		view.language, view.hint);
}

static void rows_list_put_row(const struct zs_row *row, bool json)
{
	if (json)
		row_json_line(stdout, row);
	else
		zs_row_line(stdout, row);
}

/* Does the family start with these words? A "*" in the family matches any word. */
static bool rows_list_starts_with(const char *family, size_t len, const char *name, size_t name_len)
{
	size_t i = 0, j = 0;

	while (i < len && j < name_len && (family[i] == name[j] || family[i] == '*')) {
		j += family[i] == '*' ? strcspn(name + j, " ") : 1;
		i++;
	}
	return j >= name_len && (i == len || family[i] == ' ');
}

/* Does `of` list this command or a subcommand of it? "git stash" is below "git". */
static bool rows_list_is_below(const char *of, const char *name, size_t name_len)
{
	const char *item;
	size_t len;

	while (next_item(&of, &item, &len))
		if (rows_list_starts_with(item, len, name, name_len))
			return true;
	return false;
}

static bool rows_list_is_listed(const char *list, const char *name)
{
	const char *item;
	size_t len;

	while (next_item(&list, &item, &len))
		if (strlen(name) == len && memcmp(item, name, len) == 0)
			return true;
	return false;
}

/* False: no row has that name. */
static bool put_rows_of(const char *name, bool json)
{
	const struct zs_row *row = zs_row_named(name), *other;
	size_t len = strlen(name);

	if (!row)
		return false;
	rows_list_put_row(row, json);
	if (!zs_row_view(row).of &&
		!rows_list_is_listed(zs_row_view(row).names, name)) { /* the row of pip3.11 has the name pip */
		name = zs_row_view(row).names;
		len = strcspn(name, "|");
	}
	for (size_t i = 0; (other = zs_row_at(i)) != NULL; i++)
		if (rows_list_is_below(zs_row_view(other).of, name, len))
			rows_list_put_row(other, json);
	return true;
}

int zs_rows(char *const *names, int count, bool json)
{
	const struct zs_row *row;
	int exit_code = ZS_EXIT_OK;

	for (size_t i = 0; count == 0 && (row = zs_row_at(i)) != NULL; i++)
		rows_list_put_row(row, json);
	for (int i = 0; i < count; i++) {
		if (put_rows_of(names[i], json))
			continue;
		zs_complain("vet: no row describes '%s'", names[i]);
		exit_code = ZS_EXIT_NO;
	}
	return exit_code;
}

void zs_terms(bool json)
{
	const struct zs_term *term;

	for (unsigned i = 0; i < ZS_TERM_KIND_COUNT; i++) {
		enum zs_term_kind kind = (enum zs_term_kind)i;
		const char *name = zs_term_kind(kind)->name;

		for (size_t j = 0; (term = zs_term_at(kind, j)) != NULL; j++) {
			if (json)
				zs_json_print_line(
					stdout, "{'kind':%s,'name':%s,'meaning':%s}", name, term->name, term->text);
			else
				printf("%-7s  %-12s  %s\n", name, term->name, term->text);
		}
	}
}
