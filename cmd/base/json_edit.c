#include "base/json_edit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

#include "base/memory_stream.h"

int zs_json_read(const struct zs_json_source *source, bool comments, yyjson_doc **ret_doc, size_t *ret_at,
	const char **ret_problem)
{
	size_t mark = zs_json_mark(source);
	yyjson_read_flag flags = comments ? YYJSON_READ_ALLOW_COMMENTS : 0;
	yyjson_read_err error;
	/* yyjson does not write to the text: the flags do not ask it to read in place. */
	yyjson_doc *doc = yyjson_read_opts((char *)source->text + mark, source->len - mark, flags, NULL, &error);

	if (doc) {
		*ret_doc = doc;
		return 0;
	}
	*ret_at = mark + error.pos < source->len ? mark + error.pos : source->len;
	*ret_problem = source->len == mark ? "is empty" : error.msg;
	return error.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? -ENOMEM : -EINVAL;
}

static size_t begin_of(const struct zs_json_item *item)
{
	return item->name.end ? item->name.begin : item->value.begin;
}

/* Returns the end of the last comma or comment in a part that otherwise holds only blanks; `from` if there is none. */
static size_t last_mark(const struct zs_json_source *source, size_t from, size_t to, bool *ret_line_comment)
{
	size_t last = from, at = from;

	*ret_line_comment = false;
	while ((at = zs_json_skip_blanks(source, at)) < to) {
		size_t comment = zs_json_skip_comment(source, at);

		*ret_line_comment = comment > at && source->text[at + 1] == '/';
		at = last = comment > at ? comment : at + 1;
	}
	return last;
}

/* Layout */

struct layout {
	const char *newline;
	struct zs_json_span base; /* the indentation of every line but the first */
	struct zs_json_span unit; /* the indentation that a level adds; empty: two blanks */
	bool flat;                /* all on one line */
};

static bool has_newline(const struct zs_json_source *source, size_t from, size_t to)
{
	return to > from && memchr(source->text + from, '\n', to - from);
}

/* Returns the blanks at the start of the line that holds `at`. */
static struct zs_json_span indent_of(const struct zs_json_source *source, size_t at)
{
	struct zs_json_span indent;

	while (at > 0 && source->text[at - 1] != '\n')
		at--;
	if (at == 0)
		at = zs_json_mark(source);
	indent = (struct zs_json_span){ at, at };
	while (indent.end < source->len && (source->text[indent.end] == ' ' || source->text[indent.end] == '\t'))
		indent.end++;
	return indent;
}

/* Takes the layout from the indentation of the outermost members. */
static struct layout layout_of(const struct zs_json_source *source, size_t at)
{
	const char *newline = memchr(source->text, '\n', source->len);
	struct layout layout = { .newline = "\n", .base = indent_of(source, at) };
	struct zs_json_span root = zs_json_root(source);
	struct zs_json_item first;
	size_t next = 0;

	if (newline && newline > source->text && newline[-1] == '\r')
		layout.newline = "\r\n";
	if (root.begin < root.end && strchr("{[", source->text[root.begin]) &&
		zs_json_next(source, root.begin, &next, &first) && has_newline(source, root.begin, begin_of(&first)))
		layout.unit = indent_of(source, begin_of(&first));
	return layout;
}

struct writer {
	const struct zs_json_source *source;
	FILE *out;
	char *buffer; /* that it ends in */
	size_t len;
};

static void json_edit_put(const struct writer *writer, size_t begin, size_t end)
{
	if (end > begin)
		fwrite(writer->source->text + begin, 1, end - begin, writer->out);
}

static void put_newline(const struct writer *writer, const struct layout *layout, size_t levels)
{
	fputs(layout->newline, writer->out);
	json_edit_put(writer, layout->base.begin, layout->base.end);
	for (size_t i = 0; i < levels; i++)
		if (layout->unit.end > layout->unit.begin)
			json_edit_put(writer, layout->unit.begin, layout->unit.end);
		else
			fputs("  ", writer->out);
}

static void json_edit_put_value(const struct writer *writer, const struct layout *layout, const char *value)
{
	while (*value) {
		size_t len = strcspn(value, "\n"), levels;

		fwrite(value, 1, len, writer->out);
		value += len;
		if (!*value)
			break;
		levels = strspn(value + 1, "\t");
		if (layout->flat)
			fputc(' ', writer->out);
		else
			put_newline(writer, layout, levels);
		value += 1 + levels;
	}
}

static void put_item(const struct writer *writer, const struct layout *layout, const char *name, const char *value)
{
	if (name)
		fprintf(writer->out, "\"%s\": ", name);
	json_edit_put_value(writer, layout, value);
}

/* Changing */

static int start_text(const struct zs_json_source *source, struct writer *writer)
{
	*writer = (struct writer){ .source = source };
	writer->out = zs_memory_stream(&writer->buffer, &writer->len);
	return writer->out ? 0 : -ENOMEM;
}

static int finish_text(struct writer *writer, char **ret_text)
{
	if (!zs_memory_close(writer->out, &writer->buffer))
		return -ENOMEM;
	*ret_text = writer->buffer;
	return 0;
}

/* Finds the first and the last item of a container before `end`. False: there is none. */
static bool find_items(const struct zs_json_source *source, size_t open, size_t end, struct zs_json_item *ret_first,
	struct zs_json_item *ret_last)
{
	struct zs_json_item item;
	size_t at = 0, count = 0;

	while (zs_json_next(source, open, &at, &item) && begin_of(&item) < end) {
		if (count++ == 0)
			*ret_first = item;
		*ret_last = item;
	}
	return count > 0;
}

int zs_json_add(const struct zs_json_source *source, size_t open, const char *name, const char *value, char **ret_text)
{
	struct layout layout = layout_of(source, open);
	struct zs_json_item first, last;
	struct writer writer;
	size_t end;
	bool line_comment;
	int r = start_text(source, &writer);

	if (r < 0)
		return r;
	if (!find_items(source, open, source->len, &first, &last)) {
		json_edit_put(&writer, 0, open + 1);
		put_item(&writer, &layout, name, value);
		json_edit_put(&writer, open + 1, source->len);
		return finish_text(&writer, ret_text);
	}
	/* A comment after the last item stays with that item. */
	end = last_mark(source, last.value.end, zs_json_skip(source, last.value.end), &line_comment);
	layout.flat = !has_newline(source, open, begin_of(&first));
	layout.base = indent_of(source, begin_of(&first));
	json_edit_put(&writer, 0, last.value.end);
	fputc(',', writer.out);
	json_edit_put(&writer, last.value.end, end);
	if (layout.flat && !line_comment)
		fputc(' ', writer.out);
	else
		put_newline(&writer, &layout, 0);
	put_item(&writer, &layout, name, value);
	json_edit_put(&writer, end, source->len);
	return finish_text(&writer, ret_text);
}

int zs_json_put(const struct zs_json_source *source, struct zs_json_span old, const char *value, char **ret_text)
{
	struct layout layout = layout_of(source, old.begin);
	struct writer writer;
	int r = start_text(source, &writer);

	if (r < 0)
		return r;
	layout.flat = !has_newline(source, old.begin, old.end);
	json_edit_put(&writer, 0, old.begin);
	json_edit_put_value(&writer, &layout, value);
	json_edit_put(&writer, old.end, source->len);
	return finish_text(&writer, ret_text);
}

int zs_json_take_out(const struct zs_json_source *source, size_t open, const struct zs_json_item *item, char **ret_text)
{
	struct zs_json_item first, before;
	size_t begin = begin_of(item), end = item->value.end, comma;
	struct writer writer;
	bool line_comment;
	int r = start_text(source, &writer);

	if (r < 0)
		return r;
	comma = zs_json_skip(source, end);
	if (find_items(source, open, begin, &first, &before)) {
		comma = zs_json_skip(source, before.value.end);
		json_edit_put(&writer, 0, before.value.end);
		json_edit_put(&writer, before.value.end, comma);
		json_edit_put(&writer, comma + 1, last_mark(source, comma + 1, begin, &line_comment));
	} else if (source->text[comma] == ',') {
		json_edit_put(&writer, 0, begin);
		json_edit_put(&writer, end, comma);
		end = zs_json_skip_blanks(source, comma + 1);
	} else {
		json_edit_put(&writer, 0, last_mark(source, open + 1, begin, &line_comment));
	}
	json_edit_put(&writer, end, source->len);
	return finish_text(&writer, ret_text);
}

bool zs_json_was_made(const struct zs_json_source *source, size_t open)
{
	size_t at = 0, first = zs_json_skip_blanks(source, open + 1), close;
	struct zs_json_item item, other;

	if (first == open + 1 || !zs_json_next(source, open, &at, &item) || zs_json_next(source, open, &at, &other))
		return false;
	close = zs_json_skip_blanks(source, item.value.end);
	return begin_of(&item) == first && close < source->len && strchr("]}", source->text[close]);
}
