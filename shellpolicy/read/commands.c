/* Lists, simple commands and redirections. */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

/* States of a list. */
enum { COMMAND_OPTIONAL, COMMAND_REQUIRED, COMMAND_BEHIND };

/* Lists */

/* Refuses a line continuation after an operator if the next byte, one of `bytes`, would belong to the operator. */
static void refuse_continued(struct strict_reader *r, const char *bytes)
{
	char next = peek_behind(r, 0);

	if (at_continuation(r, 0) && next && strchr(bytes, next))
		zs_refuse(r, ZS_REFUSE_CONTINUED_OPERATOR, r->at - 1, r->at + 2);
}

/* Notes what an operator means for the commands around it: a command after && or || may be skipped; a command of a
 * pipeline, or before &, runs in a subshell. */
static void loosen(struct strict_reader *r, struct frame *list, const char *operator)
{
	bool ends = strcmp(operator, ";") == 0 || strcmp(operator, "&") == 0;
	bool own = strcmp(operator, "|") == 0 || strcmp(operator, "|&") == 0 || strcmp(operator, "&") == 0;

	for (uint32_t i = list->saved; own && i < r->raw->commands.count; i++)
		r->raw->commands.items[i].loose = true;
	for (uint32_t i = 0; own && i < r->raw->loops.count; i++)
		r->raw->loops.items[i].loose |= r->raw->loops.items[i].at >= list->saved;
	list->follows = !ends;
	if (ends)
		list->saved = r->raw->commands.count;
}

static void take_operator(struct strict_reader *r, uint32_t len, unsigned next_state)
{
	static const char *const texts[] = { ";", "&", "|", "&&", "||", "|&" };
	struct frame *list = top(r);
	const char *text = "";

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strlen(texts[i]) == len && memcmp(texts[i], r->text + r->at, len) == 0)
			text = texts[i];
	ZS_PUSH(r->build->arena, &r->build->operators, (struct zs_operator){ text, zs_span_of(r, r->at, r->at + len) });
	zs_note_at(r, ZS_RISK_OPERATOR, NULL, r->at, r->at + len);
	if (strcmp(text, "|&") == 0)
		zs_only_in_bash(r, CONSTRUCT_PIPE_BOTH);
	if (strcmp(text, "&") == 0 && peek_behind(r, 1) == '!')
		zs_only_in_bash(r, CONSTRUCT_DISOWN);
	if (strcmp(text, "&") == 0 && !zs_is_metacharacter(peek(r, 1)) && r->at + 1 < r->len)
		zs_only_in_bash(r, CONSTRUCT_GLUED_AMPERSAND);
	if (text[0] == '|' && text[1] != '|' && (r->closed & (text[1] ? 6 : 2)))
		zs_only_in_bash(r, CONSTRUCT_MULTIOS);
	/* bash prints a parsed substitution and parses the result again; there it leaves out a ; after a body */
	if (strcmp(text, ";") == 0 && zs_substitution(r) && zs_substitution(r)->any)
		zs_refuse(r, ZS_REFUSE_HEREDOC_LIST, r->at, r->at + len);
	loosen(r, list, text);
	if (strcmp(text, "&") == 0)
		zs_note_at(r, ZS_RISK_BACKGROUND, NULL, r->at, r->at + len);
	zs_end_mark(r, zs_start_mark(r, ZS_MARK_OPERATOR, r->at), r->at + len);
	list->state = (uint8_t)next_state;
	list->piped = text[0] == '|' && text[1] != '|';
	list->producer = strcmp(text, "|") == 0 ? list->command : -1;
	list->command = -1;
	r->at += len;
	refuse_continued(r, "&|;>");
}

/* Closes the list at a token that may close it. The token is not taken: the frame below takes it. */
static void close_list(struct strict_reader *r, unsigned closer)
{
	const struct frame *list = top(r);

	if (!(list->closers & closer) || list->state == COMMAND_REQUIRED ||
		(!list->any && !(list->closers & CLOSE_EMPTY)))
		zs_reject(r);
	else
		zs_close(r);
}

void zs_command_done(struct strict_reader *r, bool keyword_may_follow)
{
	struct frame *list = top(r);

	list->any = true;
	list->timed = false;
	list->command = -1;
	list->state = COMMAND_BEHIND;
	list->keyword = keyword_may_follow;
}

static void open_command(struct strict_reader *r)
{
	struct frame *list = top(r), *frame;
	bool fed = list->piped, coproc = list->coproc, timed = list->timed;
	struct zs_feed feed = { .kind = fed || list->from_pipe ? ZS_FEED_ELSEWHERE : ZS_FEED_INHERITED };

	list->coproc = false;
	if (fed && list->producer >= 0)
		feed = (struct zs_feed){ .kind = ZS_FEED_PIPE, .producer = (uint32_t)list->producer };
	list->producer = -1;
	frame = zs_open(r, FRAME_COMMAND);
	frame->coproc = coproc;
	frame->timed = timed;

	ZS_PUSH(r->build->arena, &r->raw->commands,
		(struct zs_raw_command){
			.span = zs_span_of(r, r->at, r->at),
			.nesting = (enum zs_nesting)frame->nesting,
			.depth = frame->depth,
			.fed = fed,
			.feed = feed,
			.function = frame->function,
			.loose = frame->loose,
		});
	frame->command = (int32_t)r->raw->commands.count - 1;
}

static bool take_option(struct strict_reader *r, const char *option)
{
	uint32_t len = (uint32_t)strlen(option);

	if (peek(r, 0) == '-' && at_continuation(r, 1))
		zs_refuse(r, ZS_REFUSE_CONTINUED_OPERATOR, r->at, r->at + 3);
	if (r->len - r->at < len || memcmp(r->text + r->at, option, len) != 0)
		return false;
	if (at_continuation(r, len))
		zs_refuse(r, ZS_REFUSE_CONTINUED_OPERATOR, r->at, r->at + len + 2);
	else if (r->len - r->at > len && !zs_is_metacharacter(peek(r, len)))
		return false;
	r->at += len;
	return true;
}

/* Skips NAME in coproc NAME { …; }: it is a name only before a compound command. */
static void skip_coproc_name(struct strict_reader *r)
{
	uint32_t start = r->at, end = 0;
	const struct reserved *word;

	while (zs_is_name(peek(r, 0)))
		r->at++;
	if (at_continuation(r, 0))
		zs_refuse(r, ZS_REFUSE_CONTINUED_NAME, start, r->at);
	if (!zs_is_blank(peek(r, 0)) || zs_is_digit(r->text[start])) {
		r->at = start;
		return;
	}
	zs_skip_blanks(r);
	if (zs_at_compound(r))
		return;
	word = zs_reserved_word(r, &end); /* after coproc NAME bash recognises then, else and fi */
	if (word && strcmp(word->text, "time") != 0)
		zs_refuse(r, ZS_REFUSE_COPROC, start, end);
	r->at = start;
}

/* Takes !, time or coproc before a command. They are masked, since the parser takes the words after them for
 * arguments. */
static bool take_prefix(struct strict_reader *r, const char *word, uint32_t end)
{
	struct frame *list = top(r);
	uint32_t start = r->at, ignored;

	if (strcmp(word, "!") == 0) {
		if (end < r->len && r->text[end] == '(') /* where extglob is on, !(…) is a pattern */
			zs_refuse(r, ZS_REFUSE_PATTERN_COMMAND, r->at, end + 1);
		r->at = end;
	} else if (strcmp(word, "time") == 0) {
		r->at = end;
		zs_skip_blanks(r);
		if (take_option(r, "-p")) {
			end = r->at;
			zs_skip_blanks(r);
		}
		if (take_option(r, "--"))
			end = r->at;
	} else if (strcmp(word, "coproc") == 0) {
		r->at = r->behind_coproc = end;
		zs_note_at(r, ZS_RISK_BACKGROUND, NULL, start, end);
		zs_skip_blanks(r);
		list->follows = true;
		if (!zs_at_compound(r)) {
			if (zs_reserved_word(r, &ignored))
				zs_refuse(r, ZS_REFUSE_COPROC, start, ignored);
			skip_coproc_name(r);
			list->coproc = true;
			if (!zs_at_compound(r) && zs_substitution(r))
				zs_refuse(r, ZS_REFUSE_COPROC_INSIDE, start, r->at);
		}
		end = r->at;
	} else {
		return false;
	}
	r->at = end;
	zs_mask(r, start, end, ' ');
	list->state = COMMAND_REQUIRED;
	list->timed |= word[0] != '!';
	return true;
}

static void step_at_command(struct strict_reader *r)
{
	struct frame *list = top(r);
	char c = peek(r, 0);
	uint32_t end = 0;
	const struct reserved *word;

	if (at_end(r)) {
		close_list(r, CLOSE_END);
	} else if (c == '\n') {
		r->reading->plain &= r->len - r->at == 1;
		zs_take_newline(r);
	} else if (c == ')') {
		close_list(r, CLOSE_PAREN);
	} else if (c == ';' && (peek(r, 1) == ';' || peek(r, 1) == '&')) {
		close_list(r, CLOSE_CASE);
	} else if (c == ';' || c == '|' || (c == '&' && peek(r, 1) != '>')) {
		zs_reject(r);
	} else if (c == '(') {
		zs_open_parenthesis(r);
	} else if (!(word = zs_reserved_word(r, &end)) || (strcmp(word->text, "time") == 0 && list->piped)) {
		open_command(r);
	} else if (word->closes) {
		close_list(r, word->closes);
	} else if (list->timed && word->opens == FRAME_CASE && zs_substitution(r)) {
		/* bash's search for the end of a substitution does not recognise this case: it ends at the ) of a
		 * pattern */
		zs_refuse(r, ZS_REFUSE_RESERVED, r->at, end);
	} else {
		zs_check_reserved(r, word->text, end);
		if (!take_prefix(r, word->text, end) && !zs_open_compound(r, word, end))
			zs_reject(r);
	}
}

static void step_behind_command(struct strict_reader *r)
{
	struct frame *list = top(r);
	char c = peek(r, 0), next = peek(r, 1);
	const struct reserved *word;
	uint32_t end = 0;

	if (at_end(r)) {
		close_list(r, CLOSE_END);
	} else if (c == '\n') {
		r->reading->plain &= r->len - r->at == 1;
		list->state = COMMAND_OPTIONAL;
		list->piped = list->follows = false;
		list->saved = r->raw->commands.count;
		zs_take_newline(r);
	} else if (c == ')') {
		close_list(r, CLOSE_PAREN);
	} else if (c == ';' && (next == ';' || next == '&')) {
		close_list(r, CLOSE_CASE);
	} else if ((c == '&' && next == '&') || (c == '|' && (next == '|' || next == '&'))) {
		take_operator(r, 2, COMMAND_REQUIRED);
	} else if (c == '|') {
		take_operator(r, 1, COMMAND_REQUIRED);
	} else if (c == ';' || c == '&') {
		take_operator(r, 1, COMMAND_OPTIONAL);
	} else if (list->keyword && (word = zs_reserved_word(r, &end)) && word->closes) {
		close_list(r, word->closes);
	} else {
		zs_reject(r);
	}
}

void zs_step_list(struct strict_reader *r)
{
	zs_skip_blanks(r);
	if (top(r)->state == COMMAND_BEHIND)
		step_behind_command(r);
	else
		step_at_command(r);
}

/* Simple commands */

static struct zs_raw_command *command_of(struct strict_reader *r)
{
	return &r->raw->commands.items[top(r)->command];
}

/* Is it the < of $(<file)? */
static bool is_read_file(struct strict_reader *r)
{
	uint32_t start = top(r)->start;

	return r->frames.count > 2 && r->frames.items[r->frames.count - 3].kind == FRAME_SUBSTITUTION &&
	       r->text[start] == '<' && start + 1 < r->len && r->text[start + 1] != '<';
}

static void end_command(struct strict_reader *r)
{
	struct zs_raw_command *command = command_of(r);
	int32_t index = top(r)->coproc ? -1 : top(r)->command;

	if (!command->words.count && command->assignments.count)
		zs_only_in_bash(r, CONSTRUCT_LONE_ASSIGNMENT);
	if (!command->words.count && !command->assignments.count && !is_read_file(r))
		zs_only_in_bash(r, CONSTRUCT_LONE_REDIRECTION);
	/* >f without a word is no command. It can be dropped only if no newer one, from a substitution in the target,
	 * follows it. */
	if (!command->words.count && !command->assignments.count && index == (int32_t)r->raw->commands.count - 1) {
		r->raw->commands.count--;
		index = -1;
	}
	zs_close(r);
	zs_command_done(r, false);
	top(r)->command = index;
}

/* NAME ( ): the simple command turns out to be the head of a function. */
static void begin_function(struct strict_reader *r)
{
	struct zs_raw_command *command = command_of(r);
	const struct zs_raw_word *name = command->words.items;
	bool plain = command->words.count == 1 && !command->assignments.count && name->text && !name->quoted;

	if (r->at > 0 && strchr("?*+@!", r->text[r->at - 1])) /* where extglob is on, ?(…) is a pattern */
		zs_refuse(r, ZS_REFUSE_PATTERN_COMMAND, r->at - 1, r->at + 1);
	zs_only_in_bash(r, CONSTRUCT_COMPOUND);
	r->at++;
	zs_skip_blanks(r);
	if (!plain || peek(r, 0) != ')') {
		zs_reject(r);
		return;
	}
	r->at++;
	r->raw->commands.count--;
	if (!r->in_bodies)
		r->reading->marks.count--; /* the mark of the name is the newest */
	zs_close(r);
	zs_open_function(r, name->text);
}

/* coproc NAME x[…: bash may take the second word for an assignment, and evaluates its subscript. */
static void refuse_assignment(struct strict_reader *r)
{
	uint32_t len = 0;

	while (zs_is_name(peek(r, len)))
		len++;
	if (peek(r, len) == '[' || peek(r, len) == '=' || peek(r, len) == '+' || at_continuation(r, len))
		zs_refuse(r, ZS_REFUSE_COPROC, r->at, r->at + len + 1);
}

/* The place of a word after the command's name. */
static enum word_place place_behind_name(struct strict_reader *r)
{
	return top(r)->array ? PLACE_DECLARED : PLACE_ARGUMENT;
}

void zs_step_command(struct strict_reader *r)
{
	char c;

	zs_skip_blanks(r);
	c = peek(r, 0);
	if (at_end(r) || c == '\n' || c == ';' || c == ')' || c == '|' || (c == '&' && peek(r, 1) != '>'))
		end_command(r);
	else if (c == '(')
		begin_function(r);
	else if (!zs_take_redirect(r)) {
		if (top(r)->coproc && command_of(r)->words.count)
			refuse_assignment(r);
		zs_open_word(r, command_of(r)->words.count ? place_behind_name(r) : PLACE_COMMAND);
	}
}

/* Redirections */

/* The number of a device in a folder: 3 for /dev/fd/3, 0 for /dev/pts/0. -1 if it is none. */
static int numbered_device(const char *path, const char *folder)
{
	size_t len = strlen(folder), digits = strncmp(path, folder, len) == 0 ? strspn(path + len, "0123456789") : 0;

	if (!digits || digits > 6 || path[len + digits])
		return -1;
	return atoi(path + len);
}

bool zs_is_harmless_target(const char *path)
{
	/* /dev/fd/0 is not harmless: standard input may be a file, and opening that again for writing empties it. */
	return zs_listed(path, "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/full /dev/zero") ||
	       numbered_device(path, "/dev/fd/") > 0 || numbered_device(path, "/dev/pts/") >= 0;
}

int zs_descriptor_target(const char *path)
{
	return numbered_device(path, "/dev/fd/");
}

/* Does >& or <& duplicate a descriptor? bash expands the word after >& twice, so that '$(x)' runs x (bash 5.2). Only a
 * word that cannot expand is modelled: a descriptor, "-", or a plain path. */
static bool duplicates(struct strict_reader *r, const char *op, const struct zs_raw_word *target, uint32_t start)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
	const char *text = target->text;
	size_t digits;

	if (op[1] != '&' || (op[0] != '>' && op[0] != '<'))
		return false;
	if (!text || !*text || text[strspn(text, plain)]) {
		zs_refuse(r, ZS_REFUSE_COMPUTED_DUPLICATE, start, r->at);
		return true;
	}
	digits = strspn(text, "0123456789");
	return op[0] == '<' || !text[digits + (text[digits] == '-')];
}

/* Is it <FILE, where FILE does not stand for a descriptor? */
static bool is_plain_file(const struct zs_redirect *redirect)
{
	const char *file = redirect->target.text;

	return strcmp(redirect->op, "<") == 0 && file && (!strstr(file, "dev/") || strcmp(file, "/dev/null") == 0) &&
	       !strstr(file, "proc/");
}

/* Is the redirection on top one of a simple command? */
static bool is_of_command(const struct strict_reader *r)
{
	return r->frames.count > 1 && r->frames.items[r->frames.count - 2].kind == FRAME_COMMAND;
}

/* Notes the source of standard input that a redirection sets. The last redirection counts. */
static void feed(struct strict_reader *r, const struct zs_redirect *redirect, const struct zs_raw_word *target)
{
	bool heredoc = strcmp(redirect->op, "<<") == 0, text = heredoc || strcmp(redirect->op, "<<<") == 0;
	struct zs_raw_command *command = is_of_command(r) ? command_of(r) : NULL;

	if (!command)
		return;
	command->redirected |= !text || redirect->descriptor != 0;
	if (redirect->descriptor != 0)
		return;
	command->feed = (struct zs_feed){ .kind = is_plain_file(redirect) ? ZS_FEED_ELSEWHERE : ZS_FEED_UNKNOWN };
	if (text)
		command->feed.kind = ZS_FEED_TEXT;
	if (heredoc) {
		struct heredoc *newest = &r->heredocs.items[r->heredocs.count - 1];

		newest->command = top(r)->command;
		command->feed.heredoc = newest->number;
		command->feed.text =
			(struct zs_raw_word){ .dynamic = "expansion", .prefix = "", .span = redirect->span };
	} else if (text) {
		command->feed.text = *target;
		command->feed.text.shape = NULL;
		if (target->text)
			command->feed.text.text = command->feed.text.prefix =
				zs_arena_format(r->build->arena, "%s\n", target->text);
	}
}

static void record_redirect(struct strict_reader *r, const struct frame *frame, const struct zs_raw_word *target)
{
	const char *op = frame->op;
	struct zs_redirect redirect = {
		.op = op,
		.descriptor = op[0] == '<' ? 0 : 1,
		.target = { .text = target->text, .dynamic = target->dynamic, .span = target->span },
		.command = is_of_command(r) ? frame->command : -1,
		.span = zs_span_of(r, frame->start, r->at),
	};
	bool to_descriptor = duplicates(r, op, target, frame->start);
	bool harmless = target->text && zs_is_harmless_target(target->text);
	const char *object = target->text
				     ? target->text
				     : zs_arena_string(r->build->arena, r->text + frame->start, r->at - frame->start);

	if (target->dynamic && strcmp(target->dynamic, "glob") == 0)
		zs_only_in_bash(r, CONSTRUCT_PATTERN_TARGET);
	if (frame->descriptor >= 0)
		redirect.descriptor = frame->descriptor;
	redirect.writes = strchr(op, '>') && !to_descriptor && !harmless;
	feed(r, &redirect, target);
	ZS_PUSH(r->build->arena, &r->build->redirects, redirect);
	ZS_PUSH(r->build->arena, &r->build->redirect_words, *target);
	if (redirect.writes)
		zs_find(r->build, ZS_RISK_REDIRECT, -1, object, op, redirect.span);
	else if (strchr(op, '>'))
		zs_note(r->build, ZS_RISK_REDIRECT, -1, object, redirect.span);
	if (strcmp(op, "<") == 0 && (redirect.descriptor == 1 || redirect.descriptor == 2) && !harmless)
		zs_refuse(r, ZS_REFUSE_INPUT_AS_OUTPUT, frame->start, r->at);
	if (target->text && (strncmp(target->text, "/dev/tcp/", 9) == 0 || strncmp(target->text, "/dev/udp/", 9) == 0))
		zs_find(r->build, ZS_RISK_NETWORK, -1, target->text, NULL, redirect.span);
}

/* The target of the redirection on top is complete. */
static void take_target(struct strict_reader *r, const struct zs_word_list *list)
{
	const struct frame frame = *top(r);

	if (list->count != 1)
		zs_refuse(r, ZS_REFUSE_TARGETS, frame.start, r->at);
	else
		record_redirect(r, &frame, &list->items[0]);
	zs_close(r);
}

void zs_take_word(struct strict_reader *r, const struct frame *word, struct zs_word_list *list, uint32_t end)
{
	struct frame *owner = top(r);
	struct zs_raw_command *command;

	if (word->place == PLACE_HERESTRING || word->place == PLACE_ITEM || owner->kind == FRAME_TEST)
		for (uint32_t i = 0; i < list->count; i++)
			ZS_PUSH(r->build->arena, &r->raw->data, list->items[i]);
	if (word->place == PLACE_ITEM && owner->kind == FRAME_FOR && owner->value)
		for (uint32_t i = 0; i < list->count; i++)
			ZS_PUSH(r->build->arena, &r->raw->loops.items[owner->value - 1].items, list->items[i]);
	if (owner->kind == FRAME_REDIRECT) {
		take_target(r, list);
		return;
	}
	if (owner->kind != FRAME_COMMAND) { /* compounds and arrays need to know only that there was a word */
		owner->any = true;
		return;
	}
	command = command_of(r);
	command->span.end = zs_span_of(r, word->start, end).end;
	if (word->name_len && (!command->words.count || word->array)) {
		struct zs_raw_assignment assignment = {
			.name = zs_arena_string(r->build->arena, r->text + word->start, word->name_len),
			.value = list->items[0],
			.op = r->text[word->start + word->name_len],
			.span = list->items[0].span,
		};

		if (word->array) {
			assignment.value = (struct zs_raw_word){ .dynamic = "array",
				.prefix = "",
				.raw = list->items[0].raw,
				.raw_len = list->items[0].raw_len,
				.span = assignment.span };
		} else { /* keeps only the value; the text before it may have a dynamic subscript */
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
		ZS_PUSH(r->build->arena, &command->assignments, assignment);
		return;
	}
	for (uint32_t i = 0; i < list->count; i++)
		ZS_PUSH(r->build->arena, &command->words, list->items[i]);
}

/* Longer operators stand before those that they begin with. */
static const char *const redirect_operators[] = { "&>>", "<<<", "<<-", "&>", "<<", "<&", "<>", ">>", ">&", ">|", "<",
	">" };

/* The redirection operator at `ahead`, after the descriptor in 2> and {fd}>; NULL if there is none. */
static const char *operator_at(const struct strict_reader *r, uint32_t ahead)
{
	char c = peek(r, ahead);

	if (!(c == '<' || c == '>' || (c == '&' && ahead == 0)) ||
		((c == '<' || c == '>') && peek(r, ahead + 1) == '('))
		return NULL;
	for (size_t i = 0; i < sizeof redirect_operators / sizeof *redirect_operators; i++) {
		const char *op = redirect_operators[i];

		if (c == op[0] && (!op[1] || peek(r, ahead + 1) == op[1]) &&
			(!op[1] || !op[2] || peek(r, ahead + 2) == op[2]))
			return op;
	}
	return NULL;
}

/* Length of the descriptor before a redirection operator: digits, or {name}. */
static uint32_t descriptor_length(const struct strict_reader *r)
{
	uint32_t len = 0;

	if (peek(r, 0) != '{') {
		while (zs_is_digit(peek(r, len)))
			len++;
		return len;
	}
	for (len = 1; zs_is_name(peek(r, len));)
		len++;
	return len > 1 && !zs_is_digit(peek(r, 1)) && peek(r, len) == '}' ? len + 1 : 0;
}

/* bash 5.2 prints a substitution that it has parsed and parses the result again. It prints the body of a here-document
 * in a compound command at another place. */
static bool in_compound_of_substitution(const struct strict_reader *r)
{
	bool compound = false;

	for (uint32_t i = r->frames.count; i > 0; i--) {
		uint8_t kind = r->frames.items[i - 1].kind;

		if (kind == FRAME_SUBSTITUTION)
			return compound;
		compound |= kind >= FRAME_GROUP;
	}
	return false;
}

static void take_heredoc(struct strict_reader *r)
{
	struct frame frame = *top(r);
	struct zs_raw_word delimiter = { .text = "", .prefix = "" };

	if (in_compound_of_substitution(r))
		zs_refuse(r, ZS_REFUSE_HEREDOC_COMPOUND, frame.start, r->at);
	if (zs_take_delimiter(r, strcmp(frame.op, "<<-") == 0, &delimiter)) {
		zs_mask(r, frame.start, r->at, ' ');
		frame.op = "<<";
		record_redirect(r, &frame, &delimiter);
	}
	zs_close(r);
}

/* Masks the - of `cat - 2>&1` if a line follows: the parser takes this dash for two words. */
static void mask_dash(struct strict_reader *r)
{
	const struct zs_word_list *words = &command_of(r)->words;
	const struct zs_raw_word *word = words->count ? &words->items[words->count - 1] : NULL;

	if (word && word->raw_len == 1 && *word->raw == '-')
		zs_mask(r, (uint32_t)(word->raw - r->text), (uint32_t)(word->raw - r->text) + 1, '_');
}

bool zs_take_redirect(struct strict_reader *r)
{
	uint32_t digits = descriptor_length(r);
	const char *op = operator_at(r, digits);
	struct frame *frame;

	if (!op)
		return false;
	zs_check_redirect(r, op, digits);
	if (top(r)->kind == FRAME_COMMAND) {
		/* bash prints the redirection after the words when it parses a substitution again: time <f -p becomes
		 * time -p <f */
		if (top(r)->timed && !command_of(r)->words.count && zs_substitution(r))
			zs_refuse(r, ZS_REFUSE_RESERVED, r->at, r->at + digits + (uint32_t)strlen(op));
		top(r)->any = true;
		command_of(r)->fed |= op[0] == '<';
		if (digits)
			mask_dash(r);
	}
	frame = zs_open(r, FRAME_REDIRECT);
	frame->op = op;
	frame->descriptor = -1;
	if (digits) {
		frame->descriptor = peek(r, 0) == '{' ? 1000000 : atoi(r->text + r->at);
		if (peek(r, 0) != '{' && digits > 9) /* a number that is too large is an argument to bash */
			zs_refuse(r, ZS_REFUSE_DESCRIPTOR, r->at, r->at + digits);
		if (peek(r, 0) == '{')
			zs_mask(r, r->at, r->at + digits, ' ');
	}
	r->at += digits;
	if (strcmp(op, "<>") == 0)
		zs_mask(r, r->at, r->at + 2, '>');
	r->at += (uint32_t)strlen(op);
	refuse_continued(r, "<>&|(-");
	zs_skip_blanks(r);
	if (op[1] == '<' && (!op[2] || op[2] == '-')) {
		take_heredoc(r);
	} else if (op[1] == '&' && op[0] != '&' && peek(r, 0) == '-') {
		r->at++; /* bash ends the word here, whatever follows */
		if (!at_end(r) && !zs_is_metacharacter(peek(r, 0)))
			zs_refuse(r, ZS_REFUSE_BEHIND_CLOSE, frame->start, r->at);
		zs_mask(r, frame->start, r->at, ' ');
		zs_close(r);
	} else if (!at_word_start(r)) {
		zs_reject(r);
	} else {
		zs_open_word(r, op[1] == '<' && op[2] == '<' ? PLACE_HERESTRING : PLACE_TARGET);
	}
	return true;
}
