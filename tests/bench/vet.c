/* The vetter on the commands of standard input, in the verify profile, one vetter reused:
 *
 *	bench-vet            ns a command
 *	bench-vet memory     KB resident after 10,000 vettings, and after 1,000,000
 *	bench-vet worst      ms and KB of each single text, each in a process of its own
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "corpus.h"
#include "zs_shellpolicy.h"

static const struct zs_report *vet(struct zs_vetter *vetter, const char *text, size_t len)
{
	return zs_vet(vetter, text, len, &(struct zs_vet_options){ .profile = ZS_PROFILE_VERIFY });
}

static void vet_each(void *context, const char *text, size_t len)
{
	vet(context, text, len);
}

static long resident(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* The peak cannot fall, so it is enough that it does not rise. */
static void print_memory(const struct corpus *corpus)
{
	struct zs_vetter *vetter = zs_vetter_new();
	const char *text = corpus->text;

	for (size_t i = 1; i <= 1000000; i++) {
		size_t len = strlen(text);

		vet(vetter, text, len);
		text = text + len + 1 < corpus->text + corpus->len ? text + len + 1 : corpus->text;
		if (i == 10000 || i == 1000000)
			printf("%ld\n", resident());
	}
	zs_vetter_free(vetter);
}

static double cpu_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void print_alone(const char *text, size_t len)
{
	double best = 0;

	for (int i = 0; i < 3; i++) {
		struct zs_vetter *vetter = zs_vetter_new();
		double start = cpu_ms(), took;
		const struct zs_report *report = vet(vetter, text, len);

		took = cpu_ms() - start;
		best = i == 0 || took < best ? took : best;
		if (i == 2)
			printf("%.2f %ld %s\n", best, resident(),
				report->verdict == ZS_ALLOW ? "allow" : zs_risk_name(report->code));
		zs_vetter_free(vetter);
	}
	fflush(stdout);
}

static void print_worst(const struct corpus *corpus)
{
	for (const char *text = corpus->text; text < corpus->text + corpus->len; text += strlen(text) + 1) {
		pid_t child = fork();

		if (child == 0) {
			print_alone(text, strlen(text));
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	struct corpus corpus = corpus_read();

	if (argc == 2 && strcmp(argv[1], "memory") == 0)
		print_memory(&corpus);
	else if (argc == 2 && strcmp(argv[1], "worst") == 0)
		print_worst(&corpus);
	else
		printf("%.1f\n", corpus_time(&corpus, 3, vet_each, zs_vetter_new()));
	return 0;
}
