#include "run/ask_terminal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/shell_quote.h"
#include "base/person.h"

enum {
	TRIES = 3,             /* for a word that is an answer */
	COMMAND_COLUMNS = 400, /* of a word of the command; the rest is cut */
	COMMAND_WORDS = 12,
};

static void ask_terminal_put_command(FILE *out, const struct zs_request *request)
{
	fputs("\nzs: a command wants more than it is granted:\n ", out);
	for (size_t i = 0; request->argv && request->argv[i]; i++) {
		size_t len = strlen(request->argv[i]), fits = zs_fit_text(request->argv[i], len, COMMAND_COLUMNS);

		if (i == COMMAND_WORDS) {
			fputs(" …", out);
			break;
		}
		fputc(' ', out);
		zs_put_quoted(out, request->argv[i], fits);
		if (fits < len)
			fputs("…", out);
	}
	if (request->folder) {
		fputs("\n  in ", out);
		zs_put_quoted(out, request->folder, strlen(request->folder));
	}
	fputc('\n', out);
}

static void put_need(FILE *out, const struct zs_need *need)
{
	fprintf(out, "\n%s", zs_need_text(need->kind));
	if (need->granted) {
		fputs(":\n  asked for  ", out);
		zs_put_quoted(out, need->wanted, strlen(need->wanted));
		fputs(need->missing ? "\n             is not there; to make it, the nearest folder:\n  this is    "
				    : "\n  this is    ",
			out);
		zs_put_quoted(out, need->granted, strlen(need->granted));
		if (need->kind == ZS_NEED_WRITE)
			fputs(need->folder ? ", and all below it" : ", this one file", out);
	}
	if (need->broad)
		fprintf(out, "\n  this is BROAD: %s", need->broad);
	fputc('\n', out);
}

/* In front of what denies: how to say yes beforehand. */
static void ask_terminal_tell(const struct zs_terminal_asking *asking, const struct zs_need *need, const char *why)
{
	const char *option = zs_need_option(need->kind), *value = need->granted ? need->granted : "";
	char by_option[ZS_SHELL_WORD_BYTES + 32] = "", by_setting[sizeof asking->settings + 64] = "";
	char word[ZS_SHELL_WORD_BYTES];

	if (option)
		snprintf(by_option, sizeof by_option, "%s%s%s", option, *value ? " " : "",
			*value ? zs_shell_word(value, word) : "");
	if (*asking->settings)
		snprintf(by_setting, sizeof by_setting, "\"%s\" of \"sandbox\" in %s", zs_need_setting(need->kind),
			asking->settings);
	zs_complain("ask: %s%s%s: denied: %s; to grant it: %s%s%s", zs_need_name(need->kind), *value ? ": " : "", value,
		why, by_option, *by_option && *by_setting ? ", or " : "",
		*by_option || *by_setting ? by_setting : "answer yes at a terminal");
}

static void tell_all(struct zs_terminal_asking *asking, const struct zs_question *question,
	const enum zs_answer *answers, const char *why)
{
	for (size_t i = 0; i < question->count; i++)
		if (answers[i] == ZS_ANSWER_DENY)
			ask_terminal_tell(asking, &question->needs[i], why);
	asking->denied = true;
}

/* How long can an answer last? */
struct offer {
	bool session, always;
};

/* The first letter, or the word. */
static bool parse_answer(const char *line, struct offer offer, enum zs_answer *ret_answer)
{
	for (enum zs_answer answer = ZS_ANSWER_DENY; answer < ZS_ANSWER_COUNT; answer++) {
		const char *name = zs_answer_name(answer);
		const char letter[] = { name[0], '\0' };

		if ((strcasecmp(line, letter) != 0 && strcasecmp(line, name) != 0) ||
			(answer == ZS_ANSWER_SESSION && !offer.session) ||
			(answer == ZS_ANSWER_ALWAYS && !offer.always))
			continue;
		*ret_answer = answer;
		return true;
	}
	*ret_answer = ZS_ANSWER_DENY;
	return *line == '\0';
}

static enum zs_answer ask_one(const struct zs_person *person, const struct zs_need *need, struct offer offer)
{
	enum zs_answer answer = ZS_ANSWER_DENY;
	char question[64], line[ZS_ANSWER_BYTES];

	snprintf(question, sizeof question, "[d]eny, [o]nce%s%s? ", offer.session ? ", for this [s]ession" : "",
		offer.always ? ", [a]lways" : "");
	put_need(person->out, need);
	for (int i = 0; i < TRIES && zs_person_ask(person, question, line); i++)
		if (parse_answer(line, offer, &answer))
			return answer;
	return ZS_ANSWER_DENY;
}

int zs_ask_terminal(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	struct zs_terminal_asking *asking = data;
	struct zs_person person;
	const char *why = zs_person_meet(&person, asking->seconds);
	const struct offer offer = { question->session, *asking->settings };
	bool denied = false;

	(void)error;
	if (why) {
		tell_all(asking, question, answers, why);
		return 0;
	}
	ask_terminal_put_command(person.out, question->request);
	for (size_t i = 0; i < question->count && !denied; i++) {
		answers[i] = ask_one(&person, &question->needs[i], offer);
		denied = answers[i] == ZS_ANSWER_DENY;
	}
	zs_person_leave(&person);
	if (denied)
		tell_all(asking, question, answers, "not approved");
	return 0;
}
