/* Drives a fuzz target by coverage: keeps an input that takes a new path through the code, and mutates it further. It
 * needs only the compiler's -fsanitize-coverage=trace-pc-guard.
 *
 *	guided [--corpus=FOLDER] SECONDS SEED [FILE...]
 *
 * A corpus is read first, and gets the inputs that are kept: the next run goes on from there. Without a corpus each run
 * starts from the files.
 *
 * The target runs in a child, so the parent can report an input that ends it, by a sanitizer or by taking too long. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "target.h"

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

#define EDGES_MAX (1 << 18)
#define FOUND_MAX 10 /* inputs that end the target, after which the run stops */
#define LIMIT_S 5    /* seconds of processor time for one input, under sanitizers */

/* The state that outlives the child. */
struct shared {
	uint8_t seen[EDGES_MAX]; /* an edge's counts so far, as classes */
	unsigned long inputs, kept;
	char input[ZS_INPUT_MAX];
	size_t len;
};

static struct shared *shared;
static const char *corpus; /* NULL: none */
static uint8_t counts[EDGES_MAX];
static uint32_t edges;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	if (start == stop || *start)
		return;
	for (; start < stop; start++)
		*start = edges + 1 < EDGES_MAX ? ++edges : edges;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	if (counts[*guard] < UINT8_MAX)
		counts[*guard]++;
}

/* Counts as classes (1, 2, 3, up to 7, …), so one more turn of a long loop is nothing new. */
static uint8_t class_of(uint8_t count)
{
	static const uint8_t ends[] = { 1, 2, 3, 7, 15, 31, 127, 255 };
	unsigned i = 0;

	if (!count)
		return 0;
	while (count > ends[i])
		i++;
	return (uint8_t)(1U << i);
}

/* Runs one input. Returns true if it took a path that no input took before. */
static bool is_new(const char *input, size_t len)
{
	bool fresh = false;

	memcpy(shared->input, input, len);
	shared->len = len;
	shared->inputs++;
	memset(counts, 0, edges + 1);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value.tv_sec = LIMIT_S }, NULL);
	LLVMFuzzerTestOneInput((const uint8_t *)input, len);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ 0 }, NULL);
	for (uint32_t i = 1; i <= edges; i++) {
		uint8_t class = class_of(counts[i]);

		fresh |= class & ~shared->seen[i];
		shared->seen[i] |= class;
	}
	return fresh;
}

/* Chooses a recent input half of the time, since most new paths start from these. */
static size_t choose(struct mutator *mutator, char *input)
{
	uint32_t count = (uint32_t)mutator->count, recent = count / 16 + 1;
	const struct seed *seed;

	if (!zs_random(mutator, 10))
		return zs_target_next(mutator, input);
	seed = &mutator->seeds[zs_random(mutator, 2) ? zs_random(mutator, count)
						     : count - 1 - zs_random(mutator, recent)];
	memcpy(input, seed->bytes, seed->len);
	return zs_target_change(mutator, input, seed->len);
}

static unsigned long edges_seen(void)
{
	unsigned long seen = 0;

	for (size_t i = 0; i < EDGES_MAX; i++)
		seen += shared->seen[i] != 0;
	return seen;
}

/* Adds the files of the corpus to the seeds. */
static bool load_corpus(struct mutator *mutator)
{
	DIR *folder = opendir(corpus);

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		char path[PATH_MAX], input[ZS_INPUT_MAX];
		FILE *file;

		snprintf(path, sizeof path, "%s/%s", corpus, entry->d_name);
		file = *entry->d_name == '.' ? NULL : fopen(path, "rb");
		if (!file)
			continue;
		zs_mutator_add(mutator, input, fread(input, 1, sizeof input, file));
		fclose(file);
	}
	if (folder)
		closedir(folder);
	return folder;
}

/* The file's name is the time, the process and a number: no run overwrites another's. */
static void keep(struct mutator *mutator, const char *input, size_t len)
{
	char path[PATH_MAX];
	FILE *file;

	zs_mutator_add(mutator, input, len);
	shared->kept++;
	if (!corpus)
		return;
	snprintf(path, sizeof path, "%s/%lx-%d-%lu", corpus, (unsigned long)time(NULL), (int)getpid(), shared->kept);
	file = fopen(path, "wb");
	if (!file || fwrite(input, 1, len, file) != len || fclose(file)) {
		perror(path);
		_exit(74);
	}
}

static void tell_minute(time_t now)
{
	static time_t told;
	static unsigned long inputs, edges_before;

	if (told && now - told < 60)
		return;
	if (told)
		fprintf(stderr, "fuzz: %lu executions a minute, %lu edges, %lu of them new, %lu inputs kept\n",
			shared->inputs - inputs, edges_seen(), edges_seen() - edges_before, shared->kept);
	told = now;
	inputs = shared->inputs;
	edges_before = edges_seen();
}

static _Noreturn void work(struct mutator *mutator, time_t end)
{
	char input[ZS_INPUT_MAX];
	time_t now;

	for (size_t i = 0; i < mutator->count && time(NULL) < end; i++)
		is_new(mutator->seeds[i].bytes, mutator->seeds[i].len);
	for (; (now = time(NULL)) < end; tell_minute(now)) {
		size_t len = choose(mutator, input);

		if (is_new(input, len))
			keep(mutator, input, len);
	}
	_exit(0);
}

static void tell(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
		printf("fuzz: an input took more than %d s", LIMIT_S);
	else
		printf("fuzz: an input ended the target");
	printf(" (%zu bytes):\n", shared->len);
	fwrite(shared->input, 1, shared->len, stdout);
	putchar('\n');
	for (size_t i = 0; i < shared->len; i++) /* for printf(1) */
		printf("\\x%02x", (uint8_t)shared->input[i]);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	bool kept = argc > 1 && strncmp(argv[1], "--corpus=", 9) == 0;
	char **words = argv + 1 + kept;
	unsigned long seconds = argc - kept > 2 ? strtoul(words[0], NULL, 10) : 0;
	unsigned long long seed = argc - kept > 2 ? strtoull(words[1], NULL, 10) : 0;
	struct mutator *mutator = zs_mutator_new(seed);
	time_t end = time(NULL) + (time_t)seconds;
	int found = 0;

	corpus = kept ? argv[1] + 9 : NULL;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mutator || !seconds || shared == MAP_FAILED) {
		fprintf(stderr, "usage: guided [--corpus=FOLDER] SECONDS SEED [FILE...]\n");
		return 64;
	}
	if (zs_mutator_load(mutator, words + 2) < 0 || zs_target_begin(mutator) < 0)
		return 65;
	if (corpus && !load_corpus(mutator)) {
		perror(corpus);
		return 66;
	}
	if (!edges) {
		fprintf(stderr, "guided: the target was compiled without coverage\n");
		return 64;
	}
	while (time(NULL) < end && found < FOUND_MAX) {
		int status;
		pid_t child;

		zs_mutator_seed(mutator, seed++);
		fflush(stdout);
		child = fork();
		if (!child)
			work(mutator, end);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return 71;
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			break;
		tell(status);
		found++;
	}
	printf("fuzz: %lu inputs in %lu s, %lu kept, %lu of %u edges\n%d passed, %d failed\n", shared->inputs, seconds,
		shared->kept, edges_seen(), edges, !found, found);
	zs_mutator_free(mutator);
	return found ? 1 : 0;
}
