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

/* Opens and prepares the terminal. seconds: the time for each answer. Returns NULL, or the reason why nobody can be
 * asked: there is no terminal, or this process is not in its foreground. After success call zs_person_leave(). */
const char *zs_person_meet(struct zs_person *person, uint64_t seconds);
void zs_person_leave(struct zs_person *person);

/* Reads one line that is typed after the question was shown. False: no line came, because of the end of the input, ^C
 * or the time limit. A line that is too long is read to its end, and counts as "". */
bool zs_person_ask(const struct zs_person *person, const char *question, char line[ZS_ANSWER_BYTES]);

/* Is the answer "y" or "yes"? */
bool zs_person_agrees(const struct zs_person *person, const char *question);

#endif
