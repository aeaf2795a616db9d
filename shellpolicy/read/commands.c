/* Lists, simple commands and redirections. */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

/* States of a list. */
enum { COMMAND_OPTIONAL, COMMAND_REQUIRED, COMMAND_BEHIND };

/* Lists */

/* Behind an operator: bytes that would be part of it, but for a continued line. */
static void refuse_continued(struct witness *w, const char *bytes)
{
	char next = peek_behind(w, 0);

	if (at_continuation(w, 0) && next && strchr(bytes, next))
		zs_refuse(w, ZS_REFUSE_CONTINUED_OPERATOR, w->at - 1, w->at + 2);
}

/* A command behind && or || may not run. A command in a pipe or in front of & runs in a shell of its own. */
static void loosen(struct witness *w, struct frame *list, const char *operator)
{
	bool ends = strcmp(operator, ";") == 0 || strcmp(operator, "&") == 0;
	bool own = strcmp(operator, "|") == 0 || strcmp(operator, "|&") == 0 || strcmp(operator, "&") == 0;

	for (uint32_t i = list->saved; own && i < w->raw->commands.count; i++)
		w->raw->commands.items[i].loose = true;
	for (uint32_t i = 0; own && i < w->raw->loops.count; i++)
		w->raw->loops.items[i].loose |= w->raw->loops.items[i].at >= list->saved;
	list->follows = !ends;
	if (ends)
		list->saved = w->raw->commands.count;
}

static void take_operator(struct witness *w, uint32_t len, unsigned next_state)
{
	static const char *const texts[] = { ";", "&", "|", "&&", "||", "|&" };
	struct frame *list = top(w);
	const char *text = "";

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strlen(texts[i]) == len && memcmp(texts[i], w->text + w->at, len) == 0)
			text = texts[i];
	ZS_PUSH(w->build->arena, &w->build->operators, (struct zs_operator){ text, zs_span_of(w, w->at, w->at + len) });
	zs_note_at(w, ZS_RISK_OPERATOR, NULL, w->at, w->at + len);
	/* bash prints what it has read of a substitution and reads that again: behind a body it leaves out a ; */
	if (strcmp(text, ";") == 0 && zs_substitution(w) && zs_substitution(w)->any)
		zs_refuse(w, ZS_REFUSE_HEREDOC_LIST, w->at, w->at + len);
	loosen(w, list, text);
	if (strcmp(text, "&") == 0)
		zs_note_at(w, ZS_RISK_BACKGROUND, NULL, w->at, w->at + len);
	zs_end_mark(w, zs_start_mark(w, ZS_MARK_OPERATOR, w->at), w->at + len);
	list->state = (uint8_t)next_state;
	list->piped = text[0] == '|' && text[1] != '|';
	list->producer = strcmp(text, "|") == 0 ? list->command : -1;
	list->command = -1;
	w->at += len;
	refuse_continued(w, "&|;>");
}

/* What closes it stays where it is: the frame below takes it. */
static void close_list(struct witness *w, unsigned closer)
{
	const struct frame *list = top(w);

	if (!(list->closers & closer) || list->state == COMMAND_REQUIRED ||
		(!list->any && !(list->closers & CLOSE_EMPTY)))
		zs_reject(w);
	else
		zs_close(w);
}

static unsigned closer_of(const char *word)
{
	static const struct {
		const char *word;
		unsigned closer;
	} closers[] = { { "}", CLOSE_BRACE }, { "then", CLOSE_THEN }, { "do", CLOSE_DO }, { "done", CLOSE_DONE },
		{ "fi", CLOSE_FI }, { "elif", CLOSE_ELSE }, { "else", CLOSE_ELSE }, { "esac", CLOSE_CASE } };

	for (size_t i = 0; i < sizeof closers / sizeof *closers; i++)
		if (strcmp(closers[i].word, word) == 0)
			return closers[i].closer;
	return 0;
}

void zs_command_done(struct witness *w, bool keyword_may_follow)
{
	struct frame *list = top(w);

	list->any = true;
	list->timed = false;
	list->command = -1;
	list->state = COMMAND_BEHIND;
	list->keyword = keyword_may_follow;
}

static void open_command(struct witness *w)
{
	struct frame *list = top(w), *frame;
	bool fed = list->piped, coproc = list->coproc, timed = list->timed;
	struct zs_feed feed = { .kind = fed || list->from_pipe ? ZS_FEED_ELSEWHERE : ZS_FEED_INHERITED };

	list->coproc = false;
	if (fed && list->producer >= 0)
		feed = (struct zs_feed){ .kind = ZS_FEED_PIPE, .producer = (uint32_t)list->producer };
	list->producer = -1;
	frame = zs_open(w, FRAME_COMMAND);
	frame->coproc = coproc;
	frame->timed = timed;

	ZS_PUSH(w->build->arena, &w->raw->commands,
		(struct zs_raw_command){
			.span = zs_span_of(w, w->at, w->at),
			.nesting = (enum zs_nesting)frame->nesting,
			.depth = frame->depth,
			.fed = fed,
			.feed = feed,
			.function = frame->function,
			.loose = frame->loose,
		});
	frame->command = (int32_t)w->raw->commands.count - 1;
}

static bool take_option(struct witness *w, const char *option)
{
	uint32_t len = (uint32_t)strlen(option);

	if (peek(w, 0) == '-' && at_continuation(w, 1))
		zs_refuse(w, ZS_REFUSE_CONTINUED_OPERATOR, w->at, w->at + 3);
	if (w->len - w->at < len || memcmp(w->text + w->at, option, len) != 0)
		return false;
	if (at_continuation(w, len))
		zs_refuse(w, ZS_REFUSE_CONTINUED_OPERATOR, w->at, w->at + len + 2);
	else if (w->len - w->at > len && !zs_is_metacharacter(peek(w, len)))
		return false;
	w->at += len;
	return true;
}

/* NAME of coproc NAME { …; }: a word, and behind it a compound command. */
static void skip_coproc_name(struct witness *w)
{
	uint32_t start = w->at, end = 0;
	const char *word;

	while (zs_is_name(peek(w, 0)))
		w->at++;
	if (at_continuation(w, 0))
		zs_refuse(w, ZS_REFUSE_CONTINUED_NAME, start, w->at);
	if (!zs_is_blank(peek(w, 0)) || zs_is_digit(w->text[start])) {
		w->at = start;
		return;
	}
	zs_skip_blanks(w);
	if (zs_at_compound(w))
		return;
	word = zs_reserved_word(w, &end); /* behind coproc NAME bash takes them for what they are: then, else, fi */
	if (word && strcmp(word, "time") != 0)
		zs_refuse(w, ZS_REFUSE_COPROC, start, end);
	w->at = start;
}

/* !, time and coproc stand in front of a command. They are masked: the parser takes what follows for arguments. */
static bool take_prefix(struct witness *w, const char *word, uint32_t end)
{
	struct frame *list = top(w);
	uint32_t start = w->at, ignored;

	if (strcmp(word, "!") == 0) {
		if (end < w->len && w->text[end] == '(') /* a pattern, where extglob is on */
			zs_refuse(w, ZS_REFUSE_PATTERN_COMMAND, w->at, end + 1);
		w->at = end;
	} else if (strcmp(word, "time") == 0) {
		w->at = end;
		zs_skip_blanks(w);
		if (take_option(w, "-p")) {
			end = w->at;
			zs_skip_blanks(w);
		}
		if (take_option(w, "--"))
			end = w->at;
	} else if (strcmp(word, "coproc") == 0) {
		w->at = end;
		zs_note_at(w, ZS_RISK_BACKGROUND, NULL, start, end);
		zs_skip_blanks(w);
		list->follows = true;
		if (!zs_at_compound(w)) {
			if (zs_reserved_word(w, &ignored))
				zs_refuse(w, ZS_REFUSE_COPROC, start, ignored);
			skip_coproc_name(w);
			list->coproc = true;
		}
		end = w->at;
	} else {
		return false;
	}
	w->at = end;
	zs_mask(w, start, end, ' ');
	list->state = COMMAND_REQUIRED;
	list->timed |= word[0] != '!';
	return true;
}

static void step_at_command(struct witness *w)
{
	struct frame *list = top(w);
	char c = peek(w, 0);
	uint32_t end = 0;
	const char *word;

	if (at_end(w)) {
		close_list(w, CLOSE_END);
	} else if (c == '\n') {
		w->reading->plain &= w->len - w->at == 1;
		zs_take_newline(w);
	} else if (c == ')') {
		close_list(w, CLOSE_PAREN);
	} else if (c == ';' && (peek(w, 1) == ';' || peek(w, 1) == '&')) {
		close_list(w, CLOSE_CASE);
	} else if (c == ';' || c == '|' || (c == '&' && peek(w, 1) != '>')) {
		zs_reject(w);
	} else if (c == '(') {
		zs_open_parenthesis(w);
	} else if (!(word = zs_reserved_word(w, &end)) || (strcmp(word, "time") == 0 && list->piped)) {
		open_command(w);
	} else if (closer_of(word)) {
		close_list(w, closer_of(word));
	} else if (list->timed && strcmp(word, "case") == 0 && zs_substitution(w)) {
		/* bash looks for the end of a substitution without it: the ) of a pattern is one */
		zs_refuse(w, ZS_REFUSE_RESERVED, w->at, end);
	} else if (!take_prefix(w, word, end) && !zs_open_compound(w, word, end)) {
		zs_reject(w);
	}
}

static void step_behind_command(struct witness *w)
{
	struct frame *list = top(w);
	char c = peek(w, 0), next = peek(w, 1);
	const char *word;
	uint32_t end = 0;

	if (at_end(w)) {
		close_list(w, CLOSE_END);
	} else if (c == '\n') {
		w->reading->plain &= w->len - w->at == 1;
		list->state = COMMAND_OPTIONAL;
		list->piped = list->follows = false;
		list->saved = w->raw->commands.count;
		zs_take_newline(w);
	} else if (c == ')') {
		close_list(w, CLOSE_PAREN);
	} else if (c == ';' && (next == ';' || next == '&')) {
		close_list(w, CLOSE_CASE);
	} else if ((c == '&' && next == '&') || (c == '|' && (next == '|' || next == '&'))) {
		take_operator(w, 2, COMMAND_REQUIRED);
	} else if (c == '|') {
		take_operator(w, 1, COMMAND_REQUIRED);
	} else if (c == ';' || c == '&') {
		take_operator(w, 1, COMMAND_OPTIONAL);
	} else if (list->keyword && (word = zs_reserved_word(w, &end)) && closer_of(word)) {
		close_list(w, closer_of(word));
	} else {
		zs_reject(w);
	}
}

void zs_step_list(struct witness *w)
{
	zs_skip_blanks(w);
	if (top(w)->state == COMMAND_BEHIND)
		step_behind_command(w);
	else
		step_at_command(w);
}

/* Simple commands */

static struct zs_raw_command *command_of(struct witness *w)
{
	return &w->raw->commands.items[top(w)->command];
}

static void end_command(struct witness *w)
{
	struct zs_raw_command *command = command_of(w);
	int32_t index = top(w)->coproc ? -1 : top(w)->command;

	/* >f alone is no command; one whose target holds a command stays, without words. */
	if (!command->words.count && !command->assignments.count && index == (int32_t)w->raw->commands.count - 1) {
		w->raw->commands.count--;
		index = -1;
	}
	zs_close(w);
	zs_command_done(w, false);
	top(w)->command = index;
}

/* NAME ( ): the command was the head of a function. */
static void begin_function(struct witness *w)
{
	struct zs_raw_command *command = command_of(w);
	const struct zs_raw_word *name = command->words.items;
	bool plain = command->words.count == 1 && !command->assignments.count && name->text && !name->quoted;

	if (w->at > 0 && strchr("?*+@!", w->text[w->at - 1])) /* a pattern, where extglob is on */
		zs_refuse(w, ZS_REFUSE_PATTERN_COMMAND, w->at - 1, w->at + 1);
	w->at++;
	zs_skip_blanks(w);
	if (!plain || peek(w, 0) != ')') {
		zs_reject(w);
		return;
	}
	w->at++;
	ZS_PUSH(w->build->arena, &w->raw->functions, name->text);
	w->raw->commands.count--;
	if (!w->in_bodies)
		w->reading->marks.count--; /* of the name, which is the newest */
	zs_close(w);
	zs_open_compound(w, "()", w->at);
	top(w)->function = name->text;
	top(w)->loose = false;
}

/* coproc NAME x[…: to bash the word behind the first one may be an assignment, with all that its subscript holds. */
static void refuse_assignment(struct witness *w)
{
	uint32_t len = 0;

	while (zs_is_name(peek(w, len)))
		len++;
	if (peek(w, len) == '[' || peek(w, len) == '=' || peek(w, len) == '+' || at_continuation(w, len))
		zs_refuse(w, ZS_REFUSE_COPROC, w->at, w->at + len + 1);
}

void zs_step_command(struct witness *w)
{
	char c;

	zs_skip_blanks(w);
	c = peek(w, 0);
	if (at_end(w) || c == '\n' || c == ';' || c == ')' || c == '|' || (c == '&' && peek(w, 1) != '>'))
		end_command(w);
	else if (c == '(')
		begin_function(w);
	else if (!zs_take_redirect(w)) {
		if (top(w)->coproc && command_of(w)->words.count)
			refuse_assignment(w);
		zs_open_word(w, !command_of(w)->words.count ? PLACE_COMMAND
				: top(w)->array             ? PLACE_DECLARED
							    : PLACE_ARGUMENT);
	}
}

/* Redirections */

static const char *const harmless_targets[] = { "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/full",
	"/dev/zero" };

/* /dev/fd/3, /dev/pts/0: the number, or -1. */
static int numbered_device(const char *path, const char *folder)
{
	size_t len = strlen(folder), digits = strncmp(path, folder, len) == 0 ? strspn(path + len, "0123456789") : 0;

	if (!digits || digits > 6 || path[len + digits])
		return -1;
	return atoi(path + len);
}

bool zs_is_harmless_target(const char *path)
{
	for (size_t i = 0; i < sizeof harmless_targets / sizeof *harmless_targets; i++)
		if (strcmp(path, harmless_targets[i]) == 0)
			return true;
	/* Not 0: what stands at standard input may be a file, which opening it again for writing empties. */
	return numbered_device(path, "/dev/fd/") > 0 || numbered_device(path, "/dev/pts/") >= 0;
}

int zs_descriptor_target(const char *path)
{
	return numbered_device(path, "/dev/fd/");
}

static bool is_digits(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* What >&word and <&word make of their word: bash expands it twice (parser-facts.md, D), so only what cannot expand
 * is modelled: a descriptor, "-", or a plain path. */
static bool duplicates(struct witness *w, const char *op, const struct zs_raw_word *target, uint32_t start)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
	const char *text = target->text;

	if (op[1] != '&' || (op[0] != '>' && op[0] != '<'))
		return false;
	if (!text || !*text || text[strspn(text, plain)]) {
		zs_refuse(w, ZS_REFUSE_COMPUTED_DUPLICATE, start, w->at);
		return true;
	}
	return is_digits(text) || strcmp(text, "-") == 0 || op[0] == '<' ||
	       (text[strlen(text) - 1] == '-' && strspn(text, "0123456789") == strlen(text) - 1);
}

/* <FILE, and no name for a descriptor. */
static bool is_plain_file(const struct zs_redirect *redirect)
{
	const char *file = redirect->target.text;

	return strcmp(redirect->op, "<") == 0 && file && (!strstr(file, "dev/") || strcmp(file, "/dev/null") == 0) &&
	       !strstr(file, "proc/");
}

/* A redirection says where the standard input of its command comes from; the last one counts. */
static void feed(struct witness *w, const struct zs_redirect *redirect, const struct zs_raw_word *target)
{
	bool heredoc = strcmp(redirect->op, "<<") == 0, text = heredoc || strcmp(redirect->op, "<<<") == 0;
	bool of_command = w->frames.count > 1 && w->frames.items[w->frames.count - 2].kind == FRAME_COMMAND;
	struct zs_raw_command *command = of_command ? command_of(w) : NULL;

	if (!command)
		return;
	command->redirected |= !text || redirect->descriptor != 0;
	if (redirect->descriptor != 0)
		return;
	command->feed = (struct zs_feed){ .kind = text                      ? ZS_FEED_TEXT
						  : is_plain_file(redirect) ? ZS_FEED_ELSEWHERE
									    : ZS_FEED_UNKNOWN };
	if (heredoc) {
		struct heredoc *newest = &w->heredocs.items[w->heredocs.count - 1];

		newest->command = top(w)->command;
		command->feed.heredoc = newest->number;
		command->feed.text =
			(struct zs_raw_word){ .dynamic = "expansion", .prefix = "", .span = redirect->span };
	} else if (text) {
		command->feed.text = *target;
		command->feed.text.shape = NULL;
		if (target->text)
			command->feed.text.text = command->feed.text.prefix =
				zs_arena_format(w->build->arena, "%s\n", target->text);
	}
}

static void record_redirect(struct witness *w, const struct frame *frame, const struct zs_raw_word *target)
{
	const char *op = frame->op;
	struct zs_redirect redirect = {
		.op = op,
		.descriptor = frame->descriptor >= 0 ? frame->descriptor
			      : op[0] == '<'         ? 0
						     : 1,
		.target = { target->text, target->dynamic, target->span },
		.span = zs_span_of(w, frame->start, w->at),
	};
	bool to_descriptor = duplicates(w, op, target, frame->start);
	bool harmless = target->text && zs_is_harmless_target(target->text);
	const char *object = target->text
				     ? target->text
				     : zs_arena_string(w->build->arena, w->text + frame->start, w->at - frame->start);

	redirect.writes = strchr(op, '>') && !to_descriptor && !harmless;
	feed(w, &redirect, target);
	ZS_PUSH(w->build->arena, &w->build->redirects, redirect);
	if (redirect.writes)
		zs_find(w->build, ZS_RISK_REDIRECT, -1, object, op, redirect.span);
	else if (strchr(op, '>'))
		zs_note(w->build, ZS_RISK_REDIRECT, -1, object, redirect.span);
	if (strcmp(op, "<") == 0 && (redirect.descriptor == 1 || redirect.descriptor == 2) && !harmless)
		zs_refuse(w, ZS_REFUSE_INPUT_AS_OUTPUT, frame->start, w->at);
	if (target->text && (strncmp(target->text, "/dev/tcp/", 9) == 0 || strncmp(target->text, "/dev/udp/", 9) == 0))
		zs_find(w->build, ZS_RISK_NETWORK, -1, target->text, NULL, redirect.span);
}

/* The target of the redirection on top. */
static void take_target(struct witness *w, const struct zs_word_list *list)
{
	const struct frame frame = *top(w);

	if (list->count != 1)
		zs_refuse(w, ZS_REFUSE_TARGETS, frame.start, w->at);
	else
		record_redirect(w, &frame, &list->items[0]);
	zs_close(w);
}

static const struct zs_raw_word *copy_of(struct zs_arena *arena, const struct zs_raw_word *word)
{
	struct zs_raw_word *copy = zs_arena_alloc(arena, sizeof *copy);

	*copy = *word;
	return copy;
}

void zs_take_word(struct witness *w, const struct frame *word, struct zs_word_list *list, uint32_t end)
{
	struct frame *owner = top(w);
	struct zs_raw_command *command;

	if (word->place == PLACE_HERESTRING || word->place == PLACE_ITEM || owner->kind == FRAME_TEST)
		for (uint32_t i = 0; i < list->count; i++)
			ZS_PUSH(w->build->arena, &w->raw->data, list->items[i]);
	if (word->place == PLACE_ITEM && owner->kind == FRAME_FOR && owner->value)
		for (uint32_t i = 0; i < list->count; i++)
			ZS_PUSH(w->build->arena, &w->raw->loops.items[owner->value - 1].items, list->items[i]);
	if (owner->kind == FRAME_REDIRECT) {
		if (word->place == PLACE_HERESTRING && w->frames.items[w->frames.count - 2].kind == FRAME_COMMAND)
			command_of(w)->herestring = copy_of(w->build->arena, &list->items[0]);
		take_target(w, list);
		return;
	}
	if (owner->kind != FRAME_COMMAND) { /* compounds and arrays need no more than that it was read */
		owner->any = true;
		return;
	}
	command = command_of(w);
	command->span.end = zs_span_of(w, word->start, end).end;
	if (word->name_len && (!command->words.count || word->array)) {
		struct zs_raw_assignment assignment = {
			.name = zs_arena_string(w->build->arena, w->text + word->start, word->name_len),
			.value = list->items[0],
			.op = w->text[word->start + word->name_len],
			.span = list->items[0].span,
		};

		if (word->array) {
			assignment.value = (struct zs_raw_word){ .dynamic = "array",
				.prefix = "",
				.raw = list->items[0].raw,
				.raw_len = list->items[0].raw_len,
				.span = assignment.span };
		} else { /* the value alone; a dynamic subscript hides it */
			bool shown = strlen(assignment.value.prefix) >= word->value;
			uint32_t skip = shown ? word->value : (uint32_t)strlen(assignment.value.prefix);

			assignment.value.prefix += skip;
			assignment.value.text = assignment.value.text ? assignment.value.text + skip : NULL;
			while (assignment.value.raw_len && *assignment.value.raw != '=') {
				assignment.value.raw++;
				assignment.value.raw_len--;
			}
			assignment.value.raw++;
			assignment.value.raw_len--;
		}
		ZS_PUSH(w->build->arena, &command->assignments, assignment);
		return;
	}
	for (uint32_t i = 0; i < list->count; i++)
		ZS_PUSH(w->build->arena, &command->words, list->items[i]);
}

/* The operators, longest first. */
static const char *const redirect_operators[] = { "&>>", "<<<", "<<-", "&>", "<<", "<&", "<>", ">>", ">&", ">|", "<",
	">" };

/* 2> {fd}> &>: the operator behind what may stand in front of it. */
static const char *operator_at(const struct witness *w, uint32_t ahead)
{
	char c = peek(w, ahead);

	if (!(c == '<' || c == '>' || (c == '&' && ahead == 0)) ||
		((c == '<' || c == '>') && peek(w, ahead + 1) == '('))
		return NULL;
	for (size_t i = 0; i < sizeof redirect_operators / sizeof *redirect_operators; i++) {
		const char *op = redirect_operators[i];

		if (c == op[0] && (!op[1] || peek(w, ahead + 1) == op[1]) &&
			(!op[1] || !op[2] || peek(w, ahead + 2) == op[2]))
			return op;
	}
	return NULL;
}

/* Bytes in front of the operator: a descriptor's digits, or {name}. */
static uint32_t descriptor_length(const struct witness *w)
{
	uint32_t len = 0;

	if (peek(w, 0) != '{') {
		while (zs_is_digit(peek(w, len)))
			len++;
		return len;
	}
	for (len = 1; zs_is_name(peek(w, len));)
		len++;
	return len > 1 && !zs_is_digit(peek(w, 1)) && peek(w, len) == '}' ? len + 1 : 0;
}

/* bash 5.2 prints what it has parsed of a substitution and reads that again, with the bodies of here-documents in
 * compound commands at places that differ. */
static bool in_compound_of_substitution(const struct witness *w)
{
	bool compound = false;

	for (uint32_t i = w->frames.count; i > 0; i--) {
		uint8_t kind = w->frames.items[i - 1].kind;

		if (kind == FRAME_SUBSTITUTION)
			return compound;
		compound |= kind >= FRAME_GROUP;
	}
	return false;
}

static void take_heredoc(struct witness *w)
{
	struct frame frame = *top(w);
	struct zs_raw_word delimiter = { .text = "", .prefix = "" };

	if (in_compound_of_substitution(w))
		zs_refuse(w, ZS_REFUSE_HEREDOC_COMPOUND, frame.start, w->at);
	if (zs_take_delimiter(w, strcmp(frame.op, "<<-") == 0, &delimiter)) {
		zs_mask(w, frame.start, w->at, ' ');
		frame.op = "<<";
		record_redirect(w, &frame, &delimiter);
	}
	zs_close(w);
}

/* cat - 2>&1 and a line behind it: the parser takes the dash for two words. */
static void mask_dash(struct witness *w)
{
	const struct zs_word_list *words = &command_of(w)->words;
	const struct zs_raw_word *word = words->count ? &words->items[words->count - 1] : NULL;

	if (word && word->raw_len == 1 && *word->raw == '-')
		zs_mask(w, (uint32_t)(word->raw - w->text), (uint32_t)(word->raw - w->text) + 1, '_');
}

bool zs_take_redirect(struct witness *w)
{
	uint32_t digits = descriptor_length(w);
	const char *op = operator_at(w, digits);
	struct frame *frame;

	if (!op)
		return false;
	if (top(w)->kind == FRAME_COMMAND) {
		/* which bash prints behind the words when it reads a substitution again: time <f -p is time -p <f */
		if (top(w)->timed && !command_of(w)->words.count && zs_substitution(w))
			zs_refuse(w, ZS_REFUSE_RESERVED, w->at, w->at + digits + (uint32_t)strlen(op));
		top(w)->any = true;
		command_of(w)->fed |= op[0] == '<';
		if (digits)
			mask_dash(w);
	}
	frame = zs_open(w, FRAME_REDIRECT);
	frame->op = op;
	frame->descriptor = -1;
	if (digits) {
		frame->descriptor = peek(w, 0) == '{' ? 1000000 : atoi(w->text + w->at);
		if (peek(w, 0) != '{' && digits > 9) /* one that does not fit is an argument to bash */
			zs_refuse(w, ZS_REFUSE_DESCRIPTOR, w->at, w->at + digits);
		if (peek(w, 0) == '{')
			zs_mask(w, w->at, w->at + digits, ' ');
	}
	w->at += digits;
	if (strcmp(op, "<>") == 0)
		zs_mask(w, w->at, w->at + 2, '>');
	w->at += (uint32_t)strlen(op);
	refuse_continued(w, "<>&|(-");
	zs_skip_blanks(w);
	if (op[1] == '<' && (!op[2] || op[2] == '-')) {
		take_heredoc(w);
	} else if (op[1] == '&' && op[0] != '&' && peek(w, 0) == '-') {
		w->at++; /* bash ends the word here, whatever follows */
		if (!at_end(w) && !zs_is_metacharacter(peek(w, 0)))
			zs_refuse(w, ZS_REFUSE_BEHIND_CLOSE, frame->start, w->at);
		zs_mask(w, frame->start, w->at, ' ');
		zs_close(w);
	} else if (at_end(w) || (zs_is_metacharacter(peek(w, 0)) && !at_process_substitution(w))) {
		zs_reject(w);
	} else {
		zs_open_word(w, op[1] == '<' && op[2] == '<' ? PLACE_HERESTRING : PLACE_TARGET);
	}
	return true;
}
