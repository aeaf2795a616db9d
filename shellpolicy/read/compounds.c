/* Compound commands: groups, loops, conditionals, functions and [[ … ]] (man bash, Compound Commands). */
#include "read/reader.h"

#include <string.h>

#define STATE_TAIL 100 /* of every compound: complete but for its redirections */

/* Reserved words */

static const char *const reserved_words[] = { "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac",
	"fi", "for", "function", "if", "in", "select", "then", "time", "until", "while", "{", "}" };

const char *zs_reserved_word(const struct witness *w, uint32_t *ret_end)
{
	char word[9]; /* as long as the longest of them, and a NUL */
	uint32_t len = 0, at = w->at;

	for (; at < w->len && !zs_is_metacharacter(w->text[at]); at++) {
		if (w->text[at] == '\\' && at + 1 < w->len && w->text[at + 1] == '\n') {
			at++; /* i\ and f on the next line are if */
			continue;
		}
		if (len == sizeof word - 1)
			return NULL;
		word[len++] = w->text[at];
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

static bool at_word(const struct witness *w, const char *word)
{
	uint32_t end;
	const char *found = zs_reserved_word(w, &end);

	return found && strcmp(found, word) == 0;
}

bool zs_at_compound(const struct witness *w)
{
	static const char *const starts[] = { "{", "[[", "if", "while", "until", "for", "select", "case" };

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (at_word(w, starts[i]))
			return true;
	return peek(w, 0) == '(';
}

bool zs_is_reserved_text(const struct zs_raw_word *word)
{
	for (size_t i = 0; word->text && !word->quoted && i < sizeof reserved_words / sizeof *reserved_words; i++)
		if (strcmp(word->text, reserved_words[i]) == 0)
			return true;
	return false;
}

bool zs_expect(struct witness *w, const char *word)
{
	uint32_t end;
	const char *found = zs_reserved_word(w, &end);

	if (!found || strcmp(found, word) != 0) {
		zs_reject(w);
		return false;
	}
	w->at = end;
	return true;
}

/* Opening */

static struct frame *open_compound(struct witness *w, enum frame_kind kind, uint32_t end)
{
	struct frame *frame = zs_open(w, kind);

	w->reading->plain = false;
	w->at = end;
	return frame;
}

static void enter(struct frame *frame, enum zs_nesting nesting)
{
	frame->nesting = (uint8_t)nesting;
	frame->depth++;
}

/* function NAME [()]: bash takes any word for the name; ours is plain. */
static void take_function_name(struct witness *w)
{
	uint32_t start;

	zs_skip_blanks(w);
	start = w->at;
	while (!at_end(w) && !zs_is_metacharacter(peek(w, 0)) && !strchr("$`'\"\\", peek(w, 0)))
		w->at++;
	if (w->at == start || (!at_end(w) && !zs_is_metacharacter(peek(w, 0)))) {
		zs_reject(w);
		return;
	}
	top(w)->function = zs_arena_string(w->build->arena, w->text + start, w->at - start);
	top(w)->loose = false;
	ZS_PUSH(w->build->arena, &w->raw->functions, top(w)->function);
	zs_skip_blanks(w);
	if (peek(w, 0) == '(' && peek(w, 1) == ')')
		w->at += 2;
}

bool zs_open_compound(struct witness *w, const char *word, uint32_t end)
{
	if (strcmp(word, "{") == 0) {
		open_compound(w, FRAME_GROUP, end)->close = '}';
		zs_open_list(w, CLOSE_BRACE);
	} else if (strcmp(word, "if") == 0) {
		open_compound(w, FRAME_IF, end);
		zs_open_list(w, CLOSE_THEN);
	} else if (strcmp(word, "while") == 0 || strcmp(word, "until") == 0) {
		open_compound(w, FRAME_WHILE, end);
		zs_open_list(w, CLOSE_DO);
	} else if (strcmp(word, "for") == 0 || strcmp(word, "select") == 0) {
		open_compound(w, FRAME_FOR, end)->any = word[0] == 'f';
	} else if (strcmp(word, "case") == 0) {
		open_compound(w, FRAME_CASE, end);
	} else if (strcmp(word, "[[") == 0) {
		open_compound(w, FRAME_TEST, end);
	} else if (strcmp(word, "function") == 0) {
		enter(open_compound(w, FRAME_FUNCTION, end), ZS_NEST_FUNCTION);
		take_function_name(w);
	} else if (strcmp(word, "()") == 0) {
		enter(open_compound(w, FRAME_FUNCTION, end), ZS_NEST_FUNCTION);
	} else {
		return false;
	}
	return true;
}

/* What is no arithmetic bash pushes back and reads again, but not as it stood: here-documents, comments and continued
 * lines come out differently. */
static bool reads_again_otherwise(const struct witness *w, uint32_t start, uint32_t end)
{
	for (uint32_t i = start; i < end; i++) {
		char c = w->text[i], next = i + 1 < end ? w->text[i + 1] : '\0';

		if (strchr("#\\`", c) || (c == '<' && next == '<') || (c == '$' && next == '\'') ||
			(end - i >= 4 && memcmp(w->text + i, "case", 4) == 0))
			return true;
	}
	return false;
}

/* At ((: bash looks for the parenthesis that matches the second one; if another one follows it is arithmetic, else
 * a subshell in a subshell. Returns where the arithmetic ends, or 0. */
static uint32_t double_parenthesis_end(struct witness *w)
{
	uint32_t end = w->len;
	enum zs_refusal refused = zs_matched_end(w, w->at + 2, &end);

	if (!refused && end < w->len && w->text[end] == ')')
		return end + 1;
	if (!refused && reads_again_otherwise(w, w->at, end))
		refused = ZS_REFUSE_DOUBLE_PARENTHESIS;
	if (refused)
		zs_refuse(w, refused, w->at, end);
	return 0;
}

static void open_double_parenthesis(struct witness *w, uint32_t end)
{
	zs_open_arithmetic(w, 2, ')', 2);
	top(w)->saved = end;
}

void zs_open_parenthesis(struct witness *w)
{
	uint32_t end = peek(w, 1) == '(' ? double_parenthesis_end(w) : 0;
	struct frame *frame;

	if (at_continuation(w, 1) && peek_behind(w, 1) == '(')
		zs_refuse(w, ZS_REFUSE_CONTINUED_OPERATOR, w->at, w->at + 3);
	frame = open_compound(w, FRAME_GROUP, w->at);
	frame->close = ')';
	if (end) {
		frame->state = STATE_TAIL;
		open_double_parenthesis(w, end);
		return;
	}
	w->at++;
	frame->loose = true;
	enter(frame, ZS_NEST_SUBSHELL);
	zs_open_list(w, CLOSE_PAREN);
}

/* Steps */

/* Redirections, and then the command is complete. `any` tells that there was one. */
static void step_tail(struct witness *w)
{
	uint32_t compound = w->frames.count - 1;
	bool redirected;

	zs_skip_blanks(w);
	if (zs_take_redirect(w)) {
		w->frames.items[compound].any = true;
		return;
	}
	redirected = top(w)->any;
	zs_close(w);
	while (top(w)->kind == FRAME_FUNCTION)
		zs_close(w);
	zs_command_done(w, !redirected);
}

static void step_group(struct witness *w)
{
	if (top(w)->close == '}') {
		if (!zs_expect(w, "}"))
			return;
	} else {
		w->at++;
		zs_note_at(w, ZS_RISK_SUBSHELL, NULL, top(w)->start, w->at);
	}
	top(w)->state = STATE_TAIL;
}

enum { IF_CONDITION, IF_BODY, IF_ELSE };

static void step_if(struct witness *w)
{
	struct frame *frame = top(w);

	if (frame->state == IF_CONDITION) {
		if (!zs_expect(w, "then"))
			return;
		frame->state = IF_BODY;
		zs_open_list(w, CLOSE_FI | CLOSE_ELSE);
	} else if (frame->state == IF_BODY && at_word(w, "elif")) {
		zs_expect(w, "elif");
		frame->state = IF_CONDITION;
		zs_open_list(w, CLOSE_THEN);
	} else if (frame->state == IF_BODY && at_word(w, "else")) {
		zs_expect(w, "else");
		frame->state = IF_ELSE;
		zs_open_list(w, CLOSE_FI);
	} else if (zs_expect(w, "fi")) {
		frame->state = STATE_TAIL;
	}
}

enum { WHILE_CONDITION, WHILE_BODY };

static void step_while(struct witness *w)
{
	struct frame *frame = top(w);

	if (frame->state == WHILE_CONDITION) {
		if (!zs_expect(w, "do"))
			return;
		frame->state = WHILE_BODY;
		zs_open_list(w, CLOSE_DONE);
	} else if (zs_expect(w, "done")) {
		frame->state = STATE_TAIL;
	}
}

enum { FOR_NAME, FOR_IN, FOR_ITEMS, FOR_ARITHMETIC, FOR_DO, FOR_BODY, FOR_BRACE_BODY };

static void take_for_name(struct witness *w)
{
	const struct frame *outer = &w->frames.items[w->frames.count - 2];
	uint32_t start;

	zs_skip_blanks(w);
	if (top(w)->any && peek(w, 0) == '(' && peek(w, 1) == '(') {
		uint32_t end = double_parenthesis_end(w);

		top(w)->state = FOR_ARITHMETIC;
		if (end)
			open_double_parenthesis(w, end);
		else
			zs_reject(w);
		return;
	}
	start = w->at;
	while (zs_is_name(peek(w, 0)))
		w->at++;
	if (w->at == start || zs_is_digit(w->text[start]) || (!at_end(w) && !zs_is_metacharacter(peek(w, 0)))) {
		zs_reject(w);
		return;
	}
	ZS_PUSH(w->build->arena, &w->raw->loops,
		(struct zs_raw_loop){
			.name = zs_arena_string(w->build->arena, w->text + start, w->at - start),
			.function = top(w)->function,
			.at = w->raw->commands.count,
			.loose = outer->loose || outer->follows,
			.selects = !top(w)->any,
			.parameters = true,
		});
	top(w)->value = w->raw->loops.count;
	top(w)->state = FOR_IN;
}

static void take_for_in(struct witness *w)
{
	struct frame *frame = top(w);

	zs_skip_newlines(w);
	if (at_word(w, "in")) {
		zs_expect(w, "in");
		w->raw->loops.items[frame->value - 1].parameters = false;
		frame->state = FOR_ITEMS;
		return;
	}
	if (peek(w, 0) == ';')
		w->at++;
	frame->state = FOR_DO;
}

static void take_for_items(struct witness *w)
{
	zs_skip_blanks(w);
	if (peek(w, 0) == ';' || peek(w, 0) == '\n') {
		if (peek(w, 0) == ';')
			w->at++;
		top(w)->state = FOR_DO;
	} else if (at_end(w) || (zs_is_metacharacter(peek(w, 0)) && !at_process_substitution(w))) {
		zs_reject(w);
	} else {
		zs_open_word(w, PLACE_ITEM);
	}
}

static void step_for(struct witness *w)
{
	struct frame *frame = top(w);

	switch (frame->state) {
	case FOR_NAME:
		take_for_name(w);
		break;
	case FOR_IN:
		take_for_in(w);
		break;
	case FOR_ITEMS:
		take_for_items(w);
		break;
	case FOR_ARITHMETIC:
		zs_skip_blanks(w);
		if (peek(w, 0) == ';')
			w->at++;
		frame->state = FOR_DO;
		break;
	case FOR_DO:
		zs_skip_newlines(w);
		if (frame->value)
			w->raw->loops.items[frame->value - 1].body = w->raw->commands.count;
		if (at_word(w, "{")) {
			zs_expect(w, "{");
			frame->state = FOR_BRACE_BODY;
			zs_open_list(w, CLOSE_BRACE);
		} else if (zs_expect(w, "do")) {
			frame->state = FOR_BODY;
			zs_open_list(w, CLOSE_DONE);
		}
		break;
	default:
		if (zs_expect(w, frame->state == FOR_BODY ? "done" : "}")) {
			if (frame->value)
				w->raw->loops.items[frame->value - 1].end = w->raw->commands.count;
			frame->any = false;
			frame->state = STATE_TAIL;
		}
		break;
	}
}

enum { CASE_SUBJECT, CASE_IN, CASE_ITEM, CASE_PATTERN, CASE_BAR, CASE_BODY };

static void take_case_item_end(struct witness *w)
{
	if (peek(w, 0) != ';') {
		if (zs_expect(w, "esac"))
			top(w)->state = STATE_TAIL;
		return;
	}
	w->at += peek(w, 1) == ';' && peek(w, 2) == '&' ? 3 : 2; /* ;; ;& ;;& */
	top(w)->state = CASE_ITEM;
}

static void take_pattern(struct witness *w)
{
	zs_skip_blanks(w);
	if (at_end(w) || zs_is_metacharacter(peek(w, 0))) {
		zs_reject(w);
		return;
	}
	if (at_word(w,
		    "esac")) /* behind a parenthesis, which is lost when bash prints a substitution to read it again */
		zs_refuse(w, ZS_REFUSE_RESERVED, w->at, w->at + 4);
	top(w)->state = CASE_BAR;
	zs_open_word(w, PLACE_PATTERN);
}

static void step_case(struct witness *w)
{
	struct frame *frame = top(w);

	switch (frame->state) {
	case CASE_SUBJECT:
		zs_skip_blanks(w);
		if (at_end(w) || (zs_is_metacharacter(peek(w, 0)) && !at_process_substitution(w))) {
			zs_reject(w);
			break;
		}
		frame->state = CASE_IN;
		zs_open_word(w, PLACE_SUBJECT);
		break;
	case CASE_IN:
		zs_skip_newlines(w);
		if (zs_expect(w, "in"))
			frame->state = CASE_ITEM;
		break;
	case CASE_ITEM:
		zs_skip_newlines(w);
		if (at_word(w, "esac")) {
			zs_expect(w, "esac");
			frame->any = false;
			frame->state = STATE_TAIL;
			break;
		}
		if (peek(w, 0) == '(')
			w->at++;
		frame->state = CASE_PATTERN;
		break;
	case CASE_PATTERN:
		take_pattern(w);
		break;
	case CASE_BAR:
		zs_skip_blanks(w);
		if (peek(w, 0) == '|' && peek(w, 1) != '|' && peek(w, 1) != '&') {
			w->at++;
			frame->state = CASE_PATTERN;
		} else if (peek(w, 0) == ')') {
			w->at++;
			frame->state = CASE_BODY;
			zs_open_list(w, CLOSE_CASE | CLOSE_EMPTY);
		} else {
			zs_reject(w);
		}
		break;
	default:
		frame->any = false;
		take_case_item_end(w);
		break;
	}
}

/* NAME () or function NAME: its body is a compound command. */
static void step_function(struct witness *w)
{
	const char *word;
	uint32_t end = 0;

	zs_skip_newlines(w);
	if (w->failed)
		return;
	word = zs_reserved_word(w, &end);
	if (peek(w, 0) == '(')
		zs_open_parenthesis(w);
	else if (!word || strcmp(word, "function") == 0 || !zs_open_compound(w, word, end))
		zs_reject(w);
}

/* [[ … ]] */

enum { TEST_LEFT, TEST_OPERATOR, TEST_RIGHT, TEST_BEHIND };

/* && || and the end of a term. */
static bool take_test_joint(struct witness *w)
{
	struct frame *frame = top(w);
	char c = peek(w, 0);

	if (at_word(w, "]]")) {
		if (frame->parens)
			zs_reject(w);
		zs_expect(w, "]]");
		frame->any = false;
		frame->state = STATE_TAIL;
	} else if ((c == '&' || c == '|') && peek(w, 1) == c) {
		w->at += 2;
		frame->state = TEST_LEFT;
	} else if (c == ')' && frame->parens) {
		w->at++;
		frame->parens--;
		frame->state = TEST_BEHIND;
	} else {
		return false;
	}
	return true;
}

static bool at_unary_operator(const struct witness *w)
{
	return peek(w, 0) == '-' && peek(w, 1) && strchr("abcdefghkLnNoOprsStuvwxzGR", peek(w, 1)) &&
	       zs_is_metacharacter(peek(w, 2));
}

static void take_test_left(struct witness *w)
{
	struct frame *frame = top(w);

	zs_skip_newlines(w);
	if (peek(w, 0) == '(') {
		w->at++;
		frame->parens++;
	} else if (peek(w, 0) == '!' && zs_is_metacharacter(peek(w, 1)) && peek(w, 1) != '(') {
		w->at++;
	} else if (at_end(w) || at_word(w, "]]") || (zs_is_metacharacter(peek(w, 0)) && !at_process_substitution(w))) {
		zs_reject(w);
	} else if (at_unary_operator(w)) {
		if (peek(w, 1) == 'v')
			zs_note_evaluated(w, w->at, w->at + 2);
		w->at += 2;
		frame->place = PLACE_OPERAND;
		frame->state = TEST_RIGHT;
	} else {
		frame->state = TEST_OPERATOR;
		zs_open_word(w, PLACE_OPERAND);
	}
}

static void take_test_operator(struct witness *w)
{
	static const char *const operators[] = { "=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt",
		"-ot", "-ef" };
	struct frame *frame = top(w);
	uint32_t len = 0;

	zs_skip_blanks(w);
	if (take_test_joint(w))
		return;
	frame->state = TEST_RIGHT;
	frame->place = PLACE_OPERAND;
	if ((peek(w, 0) == '<' || peek(w, 0) == '>') && peek(w, 1) != '(') {
		w->at++;
		return;
	}
	while (w->at + len < w->len && !zs_is_metacharacter(peek(w, len)))
		len++;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		if (strlen(operators[i]) != len || memcmp(operators[i], w->text + w->at, len) != 0)
			continue;
		if (len == 2 && operators[i][1] == '~')
			frame->place = PLACE_REGEX;
		else if (operators[i][len - 1] == '=')
			frame->place = PLACE_GLOB;
		else if (operators[i][len - 1] != 't' || operators[i][1] == 'g' || operators[i][1] == 'l') /* -eq */
			zs_note_evaluated(w, w->at, w->at + len);
		w->at += len;
		return;
	}
	zs_reject(w);
}

static void take_test_right(struct witness *w)
{
	struct frame *frame = top(w);
	enum word_place place = (enum word_place)frame->place;
	char c;

	zs_skip_blanks(w);
	c = peek(w, 0);
	if (at_end(w) || at_word(w, "]]") ||
		(zs_is_metacharacter(c) && !at_process_substitution(w) &&
			!(place == PLACE_REGEX && (c == '(' || c == '|')))) {
		zs_reject(w);
		return;
	}
	frame->state = TEST_BEHIND;
	zs_open_word(w, place);
}

static void step_test(struct witness *w)
{
	switch (top(w)->state) {
	case TEST_LEFT:
		take_test_left(w);
		break;
	case TEST_OPERATOR:
		take_test_operator(w);
		break;
	case TEST_RIGHT:
		take_test_right(w);
		break;
	default:
		zs_skip_newlines(w);
		if (!take_test_joint(w))
			zs_reject(w);
		break;
	}
}

void zs_step_compound(struct witness *w)
{
	if (top(w)->state == STATE_TAIL) {
		step_tail(w);
		return;
	}
	switch (top(w)->kind) {
	case FRAME_GROUP:
		step_group(w);
		break;
	case FRAME_IF:
		step_if(w);
		break;
	case FRAME_WHILE:
		step_while(w);
		break;
	case FRAME_FOR:
		step_for(w);
		break;
	case FRAME_CASE:
		step_case(w);
		break;
	case FRAME_FUNCTION:
		step_function(w);
		break;
	default:
		step_test(w);
		break;
	}
}
