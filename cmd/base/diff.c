/* The shortest edit script by E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). Pure, apart from
 * the stream. */
#include "base/diff.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct line {
	const char *text;
	size_t len;  /* with its newline, which the last one may lack */
	bool marked; /* deleted, or added */
};

struct lines {
	struct line *items;
	size_t count;
};

static int diff_split(struct zs_diff_text text, struct lines *ret_lines)
{
	size_t count = 0, n = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.bytes[i] == '\n';
	count += text.len > 0 && text.bytes[text.len - 1] != '\n';
	ret_lines->items = calloc(count + 1, sizeof *ret_lines->items);
	ret_lines->count = count;
	if (!ret_lines->items)
		return -ENOMEM;
	for (size_t at = 0; at < text.len; n++) {
		const char *newline = memchr(text.bytes + at, '\n', text.len - at);
		size_t len = newline ? (size_t)(newline - text.bytes) + 1 - at : text.len - at;

		ret_lines->items[n] = (struct line){ text.bytes + at, len, false };
		at += len;
	}
	return 0;
}

static bool diff_is_same(const struct lines *old, size_t i, const struct lines *new, size_t j)
{
	const struct line *a = &old->items[i], *b = &new->items[j];

	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* The part of two texts between their common start and their common end. */
struct middle {
	const struct lines *old, *new;
	size_t start, old_count, new_count;
};

static struct middle find_middle(const struct lines *old, const struct lines *new)
{
	struct middle m = { old, new, 0, old->count, new->count };

	while (m.start < m.old_count && m.start < m.new_count && diff_is_same(old, m.start, new, m.start))
		m.start++;
	while (m.old_count > m.start && m.new_count > m.start &&
		diff_is_same(old, m.old_count - 1, new, m.new_count - 1))
		m.old_count--, m.new_count--;
	m.old_count -= m.start;
	m.new_count -= m.start;
	return m;
}

/* furthest[d] holds, for each diagonal from -d to d, how far into the old text d edits reach. */
struct trace {
	int32_t *rows[ZS_DIFF_EDITS_MAX + 1];
};

/* Is the step to diagonal k with d edits a step down, that is, an added line? */
static bool is_addition(const int32_t *before, int d, int k)
{
	return k == -d || (k != d && before[k - 1 + d - 1] < before[k + 1 + d - 1]);
}

static int32_t reach(const struct middle *m, const int32_t *before, int d, int k)
{
	int32_t x = 0, y;

	if (d > 0)
		x = is_addition(before, d, k) ? before[k + d] : before[k + d - 2] + 1;
	y = x - k;
	/* A diagonal that has left the texts goes nowhere. */
	while (x >= 0 && y >= 0 && (size_t)x < m->old_count && (size_t)y < m->new_count &&
		diff_is_same(m->old, m->start + (size_t)x, m->new, m->start + (size_t)y))
		x++, y++;
	return x;
}

/* Returns the number of edits; -E2BIG if there are too many. */
static int search(const struct middle *m, struct trace *trace)
{
	for (int d = 0; d <= ZS_DIFF_EDITS_MAX; d++) {
		int32_t *row = calloc(2 * (size_t)d + 1, sizeof *row);

		trace->rows[d] = row;
		if (!row)
			return -ENOMEM;
		for (int k = -d; k <= d; k += 2) {
			int32_t x = reach(m, d ? trace->rows[d - 1] : NULL, d, k);

			row[k + d] = x;
			if ((size_t)x >= m->old_count && (int64_t)x - k >= (int64_t)m->new_count)
				return d;
		}
	}
	return -E2BIG;
}

/* Walks back from the end, one edit at a time. */
static void mark_script(const struct middle *m, const struct trace *trace, int edits)
{
	int k = (int)((int64_t)m->old_count - (int64_t)m->new_count);

	for (int d = edits; d > 0; d--) {
		const int32_t *before = trace->rows[d - 1];

		if (is_addition(before, d, k)) {
			k++;
			m->new->items[m->start + (size_t)(before[k + d - 1] - k)].marked = true;
		} else {
			k--;
			m->old->items[m->start + (size_t)before[k + d - 1]].marked = true;
		}
	}
}

static void mark_all(const struct middle *m)
{
	for (size_t i = 0; i < m->old_count; i++)
		m->old->items[m->start + i].marked = true;
	for (size_t i = 0; i < m->new_count; i++)
		m->new->items[m->start + i].marked = true;
}

static int mark(const struct middle *m)
{
	struct trace *trace;
	int edits = 0;

	/* If one side is empty, every line of the other is an edit. */
	if (m->old_count == 0 || m->new_count == 0 || m->old_count > INT32_MAX / 4 || m->new_count > INT32_MAX / 4) {
		mark_all(m);
		return 0;
	}
	trace = calloc(1, sizeof *trace);
	if (!trace)
		return -ENOMEM;
	edits = search(m, trace);
	if (edits >= 0)
		mark_script(m, trace, edits);
	else if (edits == -E2BIG)
		mark_all(m);
	for (int d = 0; d <= ZS_DIFF_EDITS_MAX; d++)
		free(trace->rows[d]);
	free(trace);
	return edits == -ENOMEM ? edits : 0;
}

/* A hunk: a range of lines of each text. */
struct hunk {
	size_t old, old_end, new, new_end;
};

static void diff_put_line(FILE *out, char sign, const struct line *line)
{
	fputc(sign, out);
	fwrite(line->text, 1, line->len, out);
	if (line->len == 0 || line->text[line->len - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", out);
}

/* Line numbers start at 1. For an empty range the number is that of the line before it. */
static void put_range(FILE *out, char sign, size_t start, size_t end)
{
	size_t count = end - start;

	fprintf(out, " %c%zu", sign, count ? start + 1 : start);
	if (count != 1)
		fprintf(out, ",%zu", count);
}

static void put_hunk(FILE *out, const struct lines *old, const struct lines *new, const struct hunk *hunk)
{
	size_t i = hunk->old, j = hunk->new;

	fputs("@@", out);
	put_range(out, '-', hunk->old, hunk->old_end);
	put_range(out, '+', hunk->new, hunk->new_end);
	fputs(" @@\n", out);
	while (i < hunk->old_end || j < hunk->new_end) {
		if (i < hunk->old_end && old->items[i].marked)
			diff_put_line(out, '-', &old->items[i++]);
		else if (j < hunk->new_end && new->items[j].marked)
			diff_put_line(out, '+', &new->items[j++]);
		else
			diff_put_line(out, ' ', &old->items[i]), i++, j++;
	}
}

/* Moves past the lines that are in both. False at the end. */
static bool skip_same(const struct lines *old, const struct lines *new, size_t *i, size_t *j, size_t most)
{
	for (size_t n = 0;
		n < most && *i < old->count && !old->items[*i].marked && *j < new->count && !new->items[*j].marked; n++)
		(*i)++, (*j)++;
	return (*i < old->count && old->items[*i].marked) || (*j < new->count && new->items[*j].marked);
}

static void put_hunks(FILE *out, const struct lines *old, const struct lines *new)
{
	size_t i = 0, j = 0;

	while (skip_same(old, new, &i, &j, SIZE_MAX)) {
		size_t before = i < ZS_DIFF_CONTEXT ? i : ZS_DIFF_CONTEXT, end_i, end_j;
		struct hunk hunk = { .old = i - before, .new = j - before };

		/* Changes with at most twice the context between them share a hunk. */
		do {
			while (i < old->count && old->items[i].marked)
				i++;
			while (j < new->count && new->items[j].marked)
				j++;
			end_i = i, end_j = j;
		} while (skip_same(old, new, &i, &j, 2 * ZS_DIFF_CONTEXT));
		i = end_i, j = end_j;
		skip_same(old, new, &i, &j, ZS_DIFF_CONTEXT);
		hunk.old_end = i;
		hunk.new_end = j;
		put_hunk(out, old, new, &hunk);
	}
}

int zs_diff_hunks(FILE *out, struct zs_diff_text old_text, struct zs_diff_text new_text)
{
	struct lines old = { 0 }, new = { 0 };
	struct middle middle;
	int r = diff_split(old_text, &old);

	if (r == 0)
		r = diff_split(new_text, &new);
	if (r == 0) {
		middle = find_middle(&old, &new);
		r = mark(&middle);
	}
	if (r == 0)
		put_hunks(out, &old, &new);
	free(old.items);
	free(new.items);
	return r;
}
