/* Compound commands: groups, loops, conditionals, functions and [[ … ]] (man bash, Compound Commands). */
#include "read/reader.h"

#include <string.h>

#define STATE_TAIL 100 /* the state of a complete compound command: redirections may follow */

/* Reserved words */

static const char *const reserved_words[] = { "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac",
	"fi", "for", "function", "if", "in", "select", "then", "time", "until", "while", "{", "}" };

const char *zs_reserved_word(const struct strict_reader *r, uint32_t *ret_end)
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
	for (size_t i = 0; i < sizeof reserved_words / sizeof *reserved_words; i++) {
		if (strcmp(word, reserved_words[i]) == 0) {
			*ret_end = at;
			return reserved_words[i];
		}
	}
	return NULL;
}

static bool at_word(const struct strict_reader *r, const char *word)
{
	uint32_t end;
	const char *found = zs_reserved_word(r, &end);

	return found && strcmp(found, word) == 0;
}

bool zs_at_compound(const struct strict_reader *r)
{
	uint32_t end;

	return peek(r, 0) == '(' || zs_listed(zs_reserved_word(r, &end), "{ [[ if while until for select case");
}

bool zs_is_reserved_text(const struct zs_raw_word *word)
{
	for (size_t i = 0; word->text && !word->quoted && i < sizeof reserved_words / sizeof *reserved_words; i++)
		if (strcmp(word->text, reserved_words[i]) == 0)
			return true;
	return false;
}

/* Takes the reserved word `word`. Anything else is rejected. */
static bool expect_word(struct strict_reader *r, const char *word)
{
	uint32_t end;
	const char *found = zs_reserved_word(r, &end);

	if (!found || strcmp(found, word) != 0) {
		zs_reject(r);
		return false;
	}
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

/* Takes the name in function NAME [()]. bash allows any word; only a plain one is modelled. */
static void take_function_name(struct strict_reader *r)
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
	top(r)->function = zs_arena_string(r->build->arena, r->text + start, r->at - start);
	top(r)->loose = false;
	ZS_PUSH(r->build->arena, &r->raw->functions, top(r)->function);
	zs_skip_blanks(r);
	if (peek(r, 0) == '(' && peek(r, 1) == ')')
		r->at += 2;
}

bool zs_open_compound(struct strict_reader *r, const char *word, uint32_t end)
{
	if (strcmp(word, "{") == 0) {
		open_compound(r, FRAME_GROUP, end)->close = '}';
		zs_open_list(r, CLOSE_BRACE);
	} else if (strcmp(word, "if") == 0) {
		open_compound(r, FRAME_IF, end);
		zs_open_list(r, CLOSE_THEN);
	} else if (strcmp(word, "while") == 0 || strcmp(word, "until") == 0) {
		open_compound(r, FRAME_WHILE, end);
		zs_open_list(r, CLOSE_DO);
	} else if (strcmp(word, "for") == 0 || strcmp(word, "select") == 0) {
		open_compound(r, FRAME_FOR, end)->any = word[0] == 'f';
	} else if (strcmp(word, "case") == 0) {
		open_compound(r, FRAME_CASE, end);
	} else if (strcmp(word, "[[") == 0) {
		open_compound(r, FRAME_TEST, end);
	} else if (strcmp(word, "function") == 0) {
		enter(open_compound(r, FRAME_FUNCTION, end), ZS_NEST_FUNCTION);
		take_function_name(r);
	} else if (strcmp(word, "()") == 0) {
		enter(open_compound(r, FRAME_FUNCTION, end), ZS_NEST_FUNCTION);
	} else {
		return false;
	}
	return true;
}

/* If (( turns out not to be arithmetic, bash pushes the text back and reads it again, but not unchanged:
 * here-documents, comments and continued lines come out differently. */
static bool reads_again_otherwise(const struct strict_reader *r, uint32_t start, uint32_t end)
{
	for (uint32_t i = start; i < end; i++) {
		char c = r->text[i], next = i + 1 < end ? r->text[i + 1] : '\0';

		if (strchr("#\\`", c) || (c == '<' && next == '<') || (c == '$' && next == '\'') ||
			(end - i >= 4 && memcmp(r->text + i, "case", 4) == 0))
			return true;
	}
	return false;
}

/* At ((: bash looks for the parenthesis that matches the second one. If another one stands behind it, this is
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

/* Takes the redirections behind a compound command, and completes it. The frame's `any` says that there was one. */
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

static void step_group(struct strict_reader *r)
{
	if (top(r)->close == '}') {
		if (!expect_word(r, "}"))
			return;
	} else {
		r->at++;
		zs_note_at(r, ZS_RISK_SUBSHELL, NULL, top(r)->start, r->at);
	}
	top(r)->state = STATE_TAIL;
}

enum { IF_CONDITION, IF_BODY, IF_ELSE };

static void step_if(struct strict_reader *r)
{
	struct frame *frame = top(r);

	if (frame->state == IF_CONDITION) {
		if (!expect_word(r, "then"))
			return;
		frame->state = IF_BODY;
		zs_open_list(r, CLOSE_FI | CLOSE_ELSE);
	} else if (frame->state == IF_BODY && at_word(r, "elif")) {
		expect_word(r, "elif");
		frame->state = IF_CONDITION;
		zs_open_list(r, CLOSE_THEN);
	} else if (frame->state == IF_BODY && at_word(r, "else")) {
		expect_word(r, "else");
		frame->state = IF_ELSE;
		zs_open_list(r, CLOSE_FI);
	} else if (expect_word(r, "fi")) {
		frame->state = STATE_TAIL;
	}
}

enum { WHILE_CONDITION, WHILE_BODY };

static void step_while(struct strict_reader *r)
{
	struct frame *frame = top(r);

	if (frame->state == WHILE_CONDITION) {
		if (!expect_word(r, "do"))
			return;
		frame->state = WHILE_BODY;
		zs_open_list(r, CLOSE_DONE);
	} else if (expect_word(r, "done")) {
		frame->state = STATE_TAIL;
	}
}

enum { FOR_NAME, FOR_IN, FOR_ITEMS, FOR_ARITHMETIC, FOR_DO, FOR_BODY, FOR_BRACE_BODY };

static void take_for_name(struct strict_reader *r)
{
	const struct frame *outer = &r->frames.items[r->frames.count - 2];
	uint32_t start;

	zs_skip_blanks(r);
	if (top(r)->any && peek(r, 0) == '(' && peek(r, 1) == '(') {
		uint32_t end = double_parenthesis_end(r);

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
	if (at_word(r, "in")) {
		expect_word(r, "in");
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
		zs_skip_blanks(r);
		if (peek(r, 0) == ';')
			r->at++;
		frame->state = FOR_DO;
		break;
	case FOR_DO:
		zs_skip_newlines(r);
		if (frame->value)
			r->raw->loops.items[frame->value - 1].body = r->raw->commands.count;
		if (at_word(r, "{")) {
			expect_word(r, "{");
			frame->state = FOR_BRACE_BODY;
			zs_open_list(r, CLOSE_BRACE);
		} else if (expect_word(r, "do")) {
			frame->state = FOR_BODY;
			zs_open_list(r, CLOSE_DONE);
		}
		break;
	default:
		if (expect_word(r, frame->state == FOR_BODY ? "done" : "}")) {
			if (frame->value)
				r->raw->loops.items[frame->value - 1].end = r->raw->commands.count;
			frame->any = false;
			frame->state = STATE_TAIL;
		}
		break;
	}
}

enum { CASE_SUBJECT, CASE_IN, CASE_ITEM, CASE_PATTERN, CASE_BAR, CASE_BODY };

static void take_case_item_end(struct strict_reader *r)
{
	if (peek(r, 0) != ';') {
		if (expect_word(r, "esac"))
			top(r)->state = STATE_TAIL;
		return;
	}
	r->at += peek(r, 1) == ';' && peek(r, 2) == '&' ? 3 : 2; /* ;; ;& ;;& */
	top(r)->state = CASE_ITEM;
}

static void take_pattern(struct strict_reader *r)
{
	zs_skip_blanks(r);
	if (at_end(r) || zs_is_metacharacter(peek(r, 0))) {
		zs_reject(r);
		return;
	}
	if (at_word(r,
		    "esac")) /* bash prints a substitution that it has parsed without the ( in front of this pattern */
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
		if (expect_word(r, "in"))
			frame->state = CASE_ITEM;
		break;
	case CASE_ITEM:
		zs_skip_newlines(r);
		if (at_word(r, "esac")) {
			expect_word(r, "esac");
			frame->any = false;
			frame->state = STATE_TAIL;
			break;
		}
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
		frame->any = false;
		take_case_item_end(r);
		break;
	}
}

/* The body of NAME () or function NAME: a compound command. */
static void step_function(struct strict_reader *r)
{
	const char *word;
	uint32_t end = 0;

	zs_skip_newlines(r);
	if (r->failed)
		return;
	word = zs_reserved_word(r, &end);
	if (peek(r, 0) == '(')
		zs_open_parenthesis(r);
	else if (!word || strcmp(word, "function") == 0 || !zs_open_compound(r, word, end))
		zs_reject(r);
}

/* [[ … ]] */

enum { TEST_LEFT, TEST_OPERATOR, TEST_RIGHT, TEST_BEHIND };

/* Takes && and ||, a closing parenthesis, or ]]. False: none of them stands here. */
static bool take_test_joint(struct strict_reader *r)
{
	struct frame *frame = top(r);
	char c = peek(r, 0);

	if (at_word(r, "]]")) {
		if (frame->parens)
			zs_reject(r);
		expect_word(r, "]]");
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
		if (peek(r, 1) == 'v')
			zs_note_evaluated(r, r->at, r->at + 2);
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
			zs_note_evaluated(r, r->at, r->at + len);
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

static void step_test(struct strict_reader *r)
{
	switch (top(r)->state) {
	case TEST_LEFT:
		take_test_left(r);
		break;
	case TEST_OPERATOR:
		take_test_operator(r);
		break;
	case TEST_RIGHT:
		take_test_right(r);
		break;
	default:
		zs_skip_newlines(r);
		if (!take_test_joint(r))
			zs_reject(r);
		break;
	}
}

void zs_step_compound(struct strict_reader *r)
{
	if (top(r)->state == STATE_TAIL) {
		step_tail(r);
		return;
	}
	switch (top(r)->kind) {
	case FRAME_GROUP:
		step_group(r);
		break;
	case FRAME_IF:
		step_if(r);
		break;
	case FRAME_WHILE:
		step_while(r);
		break;
	case FRAME_FOR:
		step_for(r);
		break;
	case FRAME_CASE:
		step_case(r);
		break;
	case FRAME_FUNCTION:
		step_function(r);
		break;
	default:
		step_test(r);
		break;
	}
}
