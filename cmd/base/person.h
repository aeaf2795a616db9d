/* The person at the controlling terminal, whatever the standard descriptors are. */
#ifndef ZS_CMD_PERSON_H
#define ZS_CMD_PERSON_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <termios.h>

enum { ZS_ANSWER_BYTES = 64 };

struct zs_person {
	FILE *out; /* for text that the person is to read before a question */
	int fd;
	struct termios before;
	struct sigaction interrupt, in, out_of;
	uint64_t seconds;
};

/* Makes the terminal fit to show and to ask. seconds: how long there is for each answer. NULL; or why nobody can be
 * asked: there is no terminal, or this process is not in its foreground. zs_person_leave() what has been met. */
const char *zs_person_meet(struct zs_person *person, uint64_t seconds);
void zs_person_leave(struct zs_person *person);

/* One line, typed after the question was shown; false: none comes, by the end of the input, ^C or silence. A line that
 * is too long for an answer is read to its end, and is "". */
bool zs_person_ask(const struct zs_person *person, const char *question, char line[ZS_ANSWER_BYTES]);

/* Is the answer "y" or "yes"? */
bool zs_person_agrees(const struct zs_person *person, const char *question);

#endif
