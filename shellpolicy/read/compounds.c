/* Compound commands: groups, loops, conditionals, functions and [[ … ]] (man bash, Compound Commands). */
#include "read/reader.h"

#include <string.h>

#define STATE_TAIL 100 /* the state of a complete compound command: redirections may follow */

/* Reserved words */

static const struct reserved reserved_words[] = {
	{ .text = "!" },
	{ .text = "time" },
	{ .text = "coproc" },
	{ .text = "in" },
	{ .text = "]]" },
	{ .text = "{", .opens = FRAME_GROUP, .first = CLOSE_BRACE },
	{ .text = "if", .opens = FRAME_IF, .first = CLOSE_THEN },
	{ .text = "while", .opens = FRAME_WHILE, .first = CLOSE_DO },
	{ .text = "until", .opens = FRAME_WHILE, .first = CLOSE_DO },
	{ .text = "for", .opens = FRAME_FOR },
	{ .text = "select", .opens = FRAME_FOR },
	{ .text = "case", .opens = FRAME_CASE },
	{ .text = "[[", .opens = FRAME_TEST },
	{ .text = "function", .opens = FRAME_FUNCTION },
	{ .text = "}", .closes = CLOSE_BRACE },
	{ .text = "then", .closes = CLOSE_THEN },
	{ .text = "do", .closes = CLOSE_DO },
	{ .text = "done", .closes = CLOSE_DONE },
	{ .text = "fi", .closes = CLOSE_FI },
	{ .text = "elif", .closes = CLOSE_ELSE },
	{ .text = "else", .closes = CLOSE_ELSE },
	{ .text = "esac", .closes = CLOSE_CASE },
};

static const struct reserved *find_reserved(const char *text)
{
	for (size_t i = 0; i < sizeof reserved_words / sizeof *reserved_words; i++)
		if (strcmp(text, reserved_words[i].text) == 0)
			return &reserved_words[i];
	return NULL;
}

const struct reserved *zs_reserved_word(const struct strict_reader *r, uint32_t *ret_end)
{
	char word[9]; /* room for the longest word and a NUL */
	uint32_t len = 0, at = r->at;

	for (; at < r->len && !zs_is_metacharacter(r->text[at]); at++) {
		if (r->text[at] == '\\' && at + 1 < r->len && r->text[at + 1] == '\n') {
			at++; /* i, a continued line and f are if */
			continue;
		}
		if (len == sizeof word - 1)
			return NULL;
		word[len++] = r->text[at];
	}
	word[len] = '\0';
	*ret_end = at;
	return find_reserved(word);
}

bool zs_at_compound(const struct strict_reader *r)
{
	uint32_t end;
	const struct reserved *word = zs_reserved_word(r, &end);

	return peek(r, 0) == '(' || (word && word->opens && word->opens != FRAME_FUNCTION);
}

bool zs_is_reserved_text(const struct zs_raw_word *word)
{
	return word->text && !word->quoted && find_reserved(word->text);
}

static bool at_word(const struct strict_reader *r, const char *text)
{
	uint32_t end;
	const struct reserved *word = zs_reserved_word(r, &end);

	return word && strcmp(word->text, text) == 0;
}

/* Takes the reserved word `text`. False: it does not stand here. */
static bool take_reserved(struct strict_reader *r, const char *text)
{
	uint32_t end;
	const struct reserved *word = zs_reserved_word(r, &end);

	if (!word || strcmp(word->text, text) != 0)
		return false;
	r->at = end;
	return true;
}

/* Opening */

static struct frame *open_compound(struct strict_reader *r, enum frame_kind kind, uint32_t end)
{
	struct frame *frame = zs_open(r, kind);

	r->reading->plain = false;
	r->at = end;
	return frame;
}

static void enter(struct frame *frame, enum zs_nesting nesting)
{
	frame->nesting = (uint8_t)nesting;
	frame->depth++;
}

void zs_open_function(struct strict_reader *r, const char *name)
{
	struct frame *frame = open_compound(r, FRAME_FUNCTION, r->at);

	enter(frame, ZS_NEST_FUNCTION);
	frame->function = name;
	frame->loose = false;
	ZS_PUSH(r->build->arena, &r->raw->functions, name);
}

/* Takes NAME [()] after function. bash allows any word as the name; only a plain one is modelled. */
static void take_function(struct strict_reader *r)
{
	uint32_t start;

	zs_skip_blanks(r);
	start = r->at;
	while (!at_end(r) && !zs_is_metacharacter(peek(r, 0)) && !strchr("$`'\"\\", peek(r, 0)))
		r->at++;
	if (r->at == start || (!at_end(r) && !zs_is_metacharacter(peek(r, 0)))) {
		zs_reject(r);
		return;
	}
	zs_open_function(r, zs_arena_string(r->build->arena, r->text + start, r->at - start));
	zs_skip_blanks(r);
	if (peek(r, 0) == '(' && peek(r, 1) == ')')
		r->at += 2;
}

bool zs_open_compound(struct strict_reader *r, const struct reserved *word, uint32_t end)
{
	if (!word->opens)
		return false;
	if (word->opens == FRAME_FUNCTION) {
		r->at = end;
		take_function(r);
		return true;
	}
	open_compound(r, (enum frame_kind)word->opens, end)->any = strcmp(word->text, "for") == 0;
	if (word->first)
		zs_open_list(r, word->first);
	return true;
}

/* If (( turns out not to be arithmetic, bash pushes the text back and reads it again. The second reading differs in
 * here-documents, comments and continued lines, and the body of a here-document before it begins only behind it. */
static bool reads_again_otherwise(const struct strict_reader *r, uint32_t start, uint32_t end)
{
	if (r->heredocs.count && memchr(r->text + start, '\n', end - start))
		return true;
	for (uint32_t i = start; i < end; i++) {
		char c = r->text[i], next = i + 1 < end ? r->text[i + 1] : '\0';

		if (strchr("#\\`", c) || (c == '<' && next == '<') || (c == '$' && next == '\'') ||
			(end - i >= 4 && memcmp(r->text + i, "case", 4) == 0))
			return true;
	}
	return false;
}

/* At ((: bash looks for the parenthesis that matches the second one. If another one stands after it, this is
 * arithmetic; else it is a subshell in a subshell. Returns the end of the arithmetic, or 0. */
static uint32_t double_parenthesis_end(struct strict_reader *r)
{
	uint32_t end = r->len;
	enum zs_refusal refused = zs_matched_end(r, r->at + 2, &end);

	if (!refused && end < r->len && r->text[end] == ')')
		return end + 1;
	if (!refused && reads_again_otherwise(r, r->at, end))
		refused = ZS_REFUSE_DOUBLE_PARENTHESIS;
	if (refused)
		zs_refuse(r, refused, r->at, end);
	return 0;
}

static void open_double_parenthesis(struct strict_reader *r, uint32_t end)
{
	zs_open_arithmetic(r, 2, ')', 2);
	top(r)->saved = end;
}

void zs_open_parenthesis(struct strict_reader *r)
{
	uint32_t end = peek(r, 1) == '(' ? double_parenthesis_end(r) : 0;
	struct frame *frame;

	if (at_continuation(r, 1) && peek_behind(r, 1) == '(')
		zs_refuse(r, ZS_REFUSE_CONTINUED_OPERATOR, r->at, r->at + 3);
	zs_only_in_bash(r, peek(r, 1) == '(' ? CONSTRUCT_ARITHMETIC_COMMAND : CONSTRUCT_SUBSHELL);
	frame = open_compound(r, FRAME_GROUP, r->at);
	frame->close = ')';
	if (end) {
		frame->state = STATE_TAIL;
		open_double_parenthesis(r, end);
		return;
	}
	r->at++;
	frame->loose = true;
	enter(frame, ZS_NEST_SUBSHELL);
	zs_open_list(r, CLOSE_PAREN);
}

/* Steps */

/* Takes the redirections after a compound command, and completes it. The frame's `any` says that there was one. */
static void step_tail(struct strict_reader *r)
{
	uint32_t compound = r->frames.count - 1;
	bool redirected;

	zs_skip_blanks(r);
	if (zs_take_redirect(r)) {
		r->frames.items[compound].any = true;
		return;
	}
	redirected = top(r)->any;
	zs_close(r);
	while (top(r)->kind == FRAME_FUNCTION)
		zs_close(r);
	zs_command_done(r, !redirected);
}

enum { IF_CONDITION, IF_BODY, IF_ELSE };
enum { WHILE_CONDITION, WHILE_BODY };
enum { FOR_NAME, FOR_IN, FOR_ITEMS, FOR_ARITHMETIC, FOR_DO, FOR_BODY, FOR_BRACE_BODY };
enum { CASE_SUBJECT, CASE_IN, CASE_ITEM, CASE_PATTERN, CASE_BAR, CASE_BODY };

/* The reserved words within compound commands: the state in which one may stand, the state after it, and the tokens
 * that close the list that it begins. */
static const struct {
	enum frame_kind kind;
	uint8_t state, next;
	const char *word;
	unsigned closers;
} keywords[] = {
	{ FRAME_GROUP, 0, STATE_TAIL, "}", 0 },
	{ FRAME_IF, IF_CONDITION, IF_BODY, "then", CLOSE_FI | CLOSE_ELSE },
	{ FRAME_IF, IF_BODY, IF_CONDITION, "elif", CLOSE_THEN },
	{ FRAME_IF, IF_BODY, IF_ELSE, "else", CLOSE_FI },
	{ FRAME_IF, IF_BODY, STATE_TAIL, "fi", 0 },
	{ FRAME_IF, IF_ELSE, STATE_TAIL, "fi", 0 },
	{ FRAME_WHILE, WHILE_CONDITION, WHILE_BODY, "do", CLOSE_DONE },
	{ FRAME_WHILE, WHILE_BODY, STATE_TAIL, "done", 0 },
	{ FRAME_FOR, FOR_DO, FOR_BODY, "do", CLOSE_DONE },
	{ FRAME_FOR, FOR_DO, FOR_BRACE_BODY, "{", CLOSE_BRACE },
	{ FRAME_FOR, FOR_BODY, STATE_TAIL, "done", 0 },
	{ FRAME_FOR, FOR_BRACE_BODY, STATE_TAIL, "}", 0 },
	{ FRAME_CASE, CASE_IN, CASE_ITEM, "in", 0 },
	{ FRAME_CASE, CASE_ITEM, STATE_TAIL, "esac", 0 },
	{ FRAME_CASE, CASE_BODY, STATE_TAIL, "esac", 0 },
};

/* Takes a reserved word that the state of the compound command on top allows. False: none stands here. */
static bool take_keyword(struct strict_reader *r)
{
	struct frame *frame = top(r);

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		if (keywords[i].kind != frame->kind || keywords[i].state != frame->state ||
			!take_reserved(r, keywords[i].word))
			continue;
		frame->state = keywords[i].next;
		frame->any &= frame->state != STATE_TAIL;
		if (keywords[i].closers)
			zs_open_list(r, keywords[i].closers);
		return true;
	}
	return false;
}

static void step_keyword(struct strict_reader *r)
{
	if (!take_keyword(r))
		zs_reject(r);
}

static void step_group(struct strict_reader *r)
{
	if (top(r)->close != ')') {
		step_keyword(r);
		return;
	}
	r->at++;
	zs_note_at(r, ZS_RISK_SUBSHELL, NULL, top(r)->start, r->at);
	top(r)->state = STATE_TAIL;
}

/* for and select */

static void take_for_name(struct strict_reader *r)
{
	const struct frame *outer = &r->frames.items[r->frames.count - 2];
	uint32_t start;

	zs_skip_blanks(r);
	if (top(r)->any && peek(r, 0) == '(' && peek(r, 1) == '(') {
		uint32_t end = double_parenthesis_end(r);

		zs_only_in_bash(r, CONSTRUCT_ARITHMETIC_COMMAND);
		top(r)->state = FOR_ARITHMETIC;
		if (end)
			open_double_parenthesis(r, end);
		else
			zs_reject(r);
		return;
	}
	start = r->at;
	while (zs_is_name(peek(r, 0)))
		r->at++;
	if (r->at == start || zs_is_digit(r->text[start]) || (!at_end(r) && !zs_is_metacharacter(peek(r, 0)))) {
		zs_reject(r);
		return;
	}
	ZS_PUSH(r->build->arena, &r->raw->loops,
		(struct zs_raw_loop){
			.name = zs_arena_string(r->build->arena, r->text + start, r->at - start),
			.function = top(r)->function,
			.at = r->raw->commands.count,
			.loose = outer->loose || outer->follows,
			.selects = !top(r)->any,
			.parameters = true,
		});
	top(r)->value = r->raw->loops.count;
	top(r)->state = FOR_IN;
}

static void take_for_in(struct strict_reader *r)
{
	struct frame *frame = top(r);

	zs_skip_newlines(r);
	if (take_reserved(r, "in")) {
		r->raw->loops.items[frame->value - 1].parameters = false;
		frame->state = FOR_ITEMS;
		return;
	}
	if (peek(r, 0) == ';')
		r->at++;
	frame->state = FOR_DO;
}

static void take_for_items(struct strict_reader *r)
{
	zs_skip_blanks(r);
	if (peek(r, 0) == ';' || peek(r, 0) == '\n') {
		if (peek(r, 0) == ';')
			r->at++;
		top(r)->state = FOR_DO;
	} else if (!at_word_start(r)) {
		zs_reject(r);
	} else {
		zs_open_word(r, PLACE_ITEM);
	}
}

static void step_for(struct strict_reader *r)
{
	struct frame *frame = top(r);

	switch (frame->state) {
	case FOR_NAME:
		take_for_name(r);
		break;
	case FOR_IN:
		take_for_in(r);
		break;
	case FOR_ITEMS:
		take_for_items(r);
		break;
	case FOR_ARITHMETIC:
		/* Where for ((…)) in a substitution has not three expressions, bash 5.3 complains, and runs the command
		 * around that without its words. */
		if (frame->semicolons != 2) {
			zs_reject(r);
			return;
		}
		zs_skip_blanks(r);
		if (peek(r, 0) == ';')
			r->at++;
		frame->state = FOR_DO;
		break;
	case FOR_DO:
		zs_skip_newlines(r);
		if (frame->value)
			r->raw->loops.items[frame->value - 1].body = r->raw->commands.count;
		step_keyword(r);
		break;
	default:
		if (frame->value)
			r->raw->loops.items[frame->value - 1].end = r->raw->commands.count;
		step_keyword(r);
		break;
	}
}

/* case */

static void take_pattern(struct strict_reader *r)
{
	zs_skip_blanks(r);
	if (at_end(r) || zs_is_metacharacter(peek(r, 0))) {
		zs_reject(r);
		return;
	}
	if (at_word(r, "esac")) /* bash prints a parsed substitution again without the ( before this pattern */
		zs_refuse(r, ZS_REFUSE_RESERVED, r->at, r->at + 4);
	top(r)->state = CASE_BAR;
	zs_open_word(r, PLACE_PATTERN);
}

static void step_case(struct strict_reader *r)
{
	struct frame *frame = top(r);

	switch (frame->state) {
	case CASE_SUBJECT:
		zs_skip_blanks(r);
		if (!at_word_start(r)) {
			zs_reject(r);
			break;
		}
		frame->state = CASE_IN;
		zs_open_word(r, PLACE_SUBJECT);
		break;
	case CASE_IN:
		zs_skip_newlines(r);
		step_keyword(r);
		break;
	case CASE_ITEM:
		zs_skip_newlines(r);
		if (take_keyword(r))
			break;
		if (peek(r, 0) == '(')
			r->at++;
		frame->state = CASE_PATTERN;
		break;
	case CASE_PATTERN:
		take_pattern(r);
		break;
	case CASE_BAR:
		zs_skip_blanks(r);
		if (peek(r, 0) == '|' && peek(r, 1) != '|' && peek(r, 1) != '&') {
			r->at++;
			frame->state = CASE_PATTERN;
		} else if (peek(r, 0) == ')') {
			r->at++;
			frame->state = CASE_BODY;
			zs_open_list(r, CLOSE_CASE | CLOSE_EMPTY);
		} else {
			zs_reject(r);
		}
		break;
	default:
		if (take_keyword(r))
			break;
		if (peek(r, 0) != ';') {
			zs_reject(r);
			break;
		}
		if (peek(r, 1) == '&' || peek(r, 2) == '&')
			zs_only_in_bash(r, CONSTRUCT_FALL_THROUGH);
		r->at += peek(r, 1) == ';' && peek(r, 2) == '&' ? 3 : 2; /* ;; ;& ;;& */
		frame->state = CASE_ITEM;
		break;
	}
}

/* The body of NAME () or function NAME: a compound command. */
static void step_function(struct strict_reader *r)
{
	const struct reserved *word;
	uint32_t end = 0;

	zs_skip_newlines(r);
	if (r->failed)
		return;
	word = zs_reserved_word(r, &end);
	if (word)
		zs_check_reserved(r, word->text, end);
	if (peek(r, 0) == '(')
		zs_open_parenthesis(r);
	else if (!word || word->opens == FRAME_FUNCTION || !zs_open_compound(r, word, end))
		zs_reject(r);
}

/* [[ … ]] */

enum { TEST_LEFT, TEST_OPERATOR, TEST_RIGHT, TEST_BEHIND };

/* Takes &&, ||, a closing parenthesis, or ]]. False: none of them stands here. */
static bool take_test_joint(struct strict_reader *r)
{
	struct frame *frame = top(r);
	char c = peek(r, 0);

	if (!frame->parens && take_reserved(r, "]]")) {
		frame->any = false;
		frame->state = STATE_TAIL;
	} else if ((c == '&' || c == '|') && peek(r, 1) == c) {
		r->at += 2;
		frame->state = TEST_LEFT;
	} else if (c == ')' && frame->parens) {
		r->at++;
		frame->parens--;
		frame->state = TEST_BEHIND;
	} else {
		return false;
	}
	return true;
}

static bool at_unary_operator(const struct strict_reader *r)
{
	return peek(r, 0) == '-' && peek(r, 1) && strchr("abcdefghkLnNoOprsStuvwxzGR", peek(r, 1)) &&
	       zs_is_metacharacter(peek(r, 2));
}

static void take_test_left(struct strict_reader *r)
{
	struct frame *frame = top(r);

	zs_skip_newlines(r);
	if (peek(r, 0) == '(') {
		r->at++;
		frame->parens++;
	} else if (peek(r, 0) == '!' && zs_is_metacharacter(peek(r, 1)) && peek(r, 1) != '(') {
		r->at++;
	} else if (!at_word_start(r) || at_word(r, "]]")) {
		zs_reject(r);
	} else if (at_unary_operator(r)) {
		r->build->assembly.evaluates |= peek(r, 1) == 'v' || peek(r, 1) == 'R';
		r->at += 2;
		frame->place = PLACE_OPERAND;
		frame->state = TEST_RIGHT;
	} else {
		frame->state = TEST_OPERATOR;
		zs_open_word(r, PLACE_OPERAND);
	}
}

static void take_test_operator(struct strict_reader *r)
{
	static const char *const operators[] = { "=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt",
		"-ot", "-ef" };
	struct frame *frame = top(r);
	uint32_t len = 0;

	zs_skip_blanks(r);
	if (take_test_joint(r))
		return;
	frame->state = TEST_RIGHT;
	frame->place = PLACE_OPERAND;
	if ((peek(r, 0) == '<' || peek(r, 0) == '>') && peek(r, 1) != '(') {
		r->at++;
		return;
	}
	while (r->at + len < r->len && !zs_is_metacharacter(peek(r, len)))
		len++;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		if (strlen(operators[i]) != len || memcmp(operators[i], r->text + r->at, len) != 0)
			continue;
		if (len == 2 && operators[i][1] == '~')
			frame->place = PLACE_REGEX;
		else if (operators[i][len - 1] == '=')
			frame->place = PLACE_GLOB;
		else if (operators[i][len - 1] != 't' || operators[i][1] == 'g' ||
			 operators[i][1] == 'l') /* -eq and its like evaluate their operands; -nt and -ot do not */
			r->build->assembly.evaluates = true;
		r->at += len;
		return;
	}
	zs_reject(r);
}

static void take_test_right(struct strict_reader *r)
{
	struct frame *frame = top(r);
	enum word_place place = (enum word_place)frame->place;
	char c;

	zs_skip_blanks(r);
	c = peek(r, 0);
	if (at_end(r) || at_word(r, "]]") ||
		(zs_is_metacharacter(c) && !at_process_substitution(r) &&
			!(place == PLACE_REGEX && (c == '(' || c == '|')))) {
		zs_reject(r);
		return;
	}
	frame->state = TEST_BEHIND;
	zs_open_word(r, place);
}

static void take_test_behind(struct strict_reader *r)
{
	zs_skip_newlines(r);
	if (!take_test_joint(r))
		zs_reject(r);
}

static void step_test(struct strict_reader *r)
{
	static void (*const steps[])(struct strict_reader *r) = {
		[TEST_LEFT] = take_test_left,
		[TEST_OPERATOR] = take_test_operator,
		[TEST_RIGHT] = take_test_right,
		[TEST_BEHIND] = take_test_behind,
	};

	steps[top(r)->state](r);
}

void zs_step_compound(struct strict_reader *r)
{
	static void (*const steps[])(struct strict_reader *r) = {
		[FRAME_GROUP] = step_group,
		[FRAME_IF] = step_keyword,
		[FRAME_WHILE] = step_keyword,
		[FRAME_FOR] = step_for,
		[FRAME_CASE] = step_case,
		[FRAME_FUNCTION] = step_function,
		[FRAME_TEST] = step_test,
	};

	if (top(r)->state == STATE_TAIL)
		step_tail(r);
	else
		steps[top(r)->kind](r);
}
