/* Runs mutants with the real bash in a jail, and looks for what `zs vet` did not show. See README.md. */
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "differential.h"

static void print_counters(const struct job *job, FILE *out, time_t seconds)
{
	struct shared *shared = job->shared;
	unsigned long executions = atomic_load(&shared->executions);

	fprintf(out, "fuzz:");
#define X(name)                                                                                                        \
	if (atomic_load(&shared->name))                                                                                \
		fprintf(out, " %s %lu,", #name, atomic_load(&shared->name));
	COUNTERS(X)
#undef X
	fprintf(out, " %ld s, %lu executions/s, seed %lu, %lu jobs\n", (long)seconds,
		executions / (unsigned long)(seconds ? seconds : 1), job->seed, job->jobs);
}

/* Pins a job and its jail to one processor. They take turns, so neither need wake another processor. */
static void pin(unsigned long number)
{
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof all, &all) || !CPU_COUNT(&all))
		return;
	number %= (unsigned long)CPU_COUNT(&all);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all) || number--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof one, &one);
		return;
	}
}

static void work(struct job *job)
{
	time_t start = time(NULL), told = start;
	atomic_ulong *done = &job->shared->executions;

	pin(job->seed + job->number);
	job->vetter = zs_vetter_new();
	if (!job->vetter)
		exit(ZS_EXIT_NO_JAIL);
	job->jail = zs_open_jail(job, job->parse ? ZS_JAIL_PARSE : ZS_JAIL_LATE);
	if (!job->parse)
		job->fresh = zs_open_jail(
			job, ZS_JAIL_EARLY); /* starts at once, to fail early: a broken jail would confirm nothing */
	while (job->known_count < ZS_FINDINGS_MAX) {
		time_t now = time(NULL);

		if ((job->count && atomic_load(done) >= job->count) ||
			(job->seconds && (unsigned long)(now - start) >= job->seconds))
			break;
		if (job->number == 0 && now - told >= 60) {
			told = now;
			print_counters(job, stderr, now - start);
		}
		zs_differ_once(job);
	}
	zs_jail_stop(job->jail);
	zs_jail_stop(job->fresh);
	zs_vetter_free(job->vetter);
}

static int usage(void)
{
	fprintf(stderr, "usage: differential --server=PATH --marker=PATH [OPTION...] FILE...\n"
			"FILE has JSON lines with a \"cmd\". Status: 0 nothing found, 1 found, 77 no jail.\n"
			"  --count=N --seconds=N  stop after so many executions, or so long\n"
			"  --seed=N --jobs=N      same seed and files, one job: same texts\n"
			"  --profile=NAME         strict\n"
			"  --parse                have bash's parser read the texts, and run nothing\n"
			"  --bash=FOLDER          its bash, and the libraries in it, for the machine's\n"
			"  --other                the bash is not 5.2\n"
			"  --wall=MS              a text that runs longer is killed (100)\n"
			"  --jail=optional        status 0 where the kernel permits no namespaces\n");
	return ZS_EXIT_USAGE;
}

static bool parse(struct job *job, int argc, char **argv)
{
	enum { SERVER, MARKER, BASH, PARSE, OTHER, COUNT, SECONDS, SEED, JOBS, PROFILE, WALL, JAIL };
	static const struct option options[] = { { "server", 1, NULL, SERVER }, { "marker", 1, NULL, MARKER },
		{ "bash", 1, NULL, BASH }, { "parse", 0, NULL, PARSE }, { "other", 0, NULL, OTHER },
		{ "count", 1, NULL, COUNT }, { "seconds", 1, NULL, SECONDS }, { "seed", 1, NULL, SEED },
		{ "jobs", 1, NULL, JOBS }, { "profile", 1, NULL, PROFILE }, { "wall", 1, NULL, WALL },
		{ "jail", 1, NULL, JAIL }, { 0 } };
	unsigned long *const numbers[] = { [COUNT] = &job->count,
		[SECONDS] = &job->seconds,
		[SEED] = &job->seed,
		[JOBS] = &job->jobs,
		[WALL] = &job->wall };

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		char *end = NULL;

		if (option == SERVER) {
			job->server = optarg;
		} else if (option == MARKER) {
			job->marker = optarg;
		} else if (option == BASH) {
			job->bash = optarg;
		} else if (option == PARSE) {
			job->parse = true;
		} else if (option == OTHER) {
			job->other = true;
		} else if (option == PROFILE) {
			if (!zs_profile_parse(optarg, &job->profile))
				return false;
		} else if (option == JAIL) {
			job->jail_is_optional = !strcmp(optarg, "optional");
		} else if (option >= COUNT && option <= WALL) {
			*numbers[option] = strtoul(optarg, &end, 10);
			if (*end)
				return false;
		} else {
			return false;
		}
	}
	return zs_mutator_load(job->mutator, argv + optind) == 0 && job->server && job->marker && job->jobs &&
	       job->jobs <= ZS_JOBS_MAX && job->wall;
}

int main(int argc, char **argv)
{
	static struct job job = { .seed = 1, .jobs = 1, .wall = 100, .profile = ZS_PROFILE_STRICT };
	time_t start = time(NULL);
	pid_t workers[ZS_JOBS_MAX];
	int status, worst = 0;

	job.mutator = zs_mutator_new(0);
	job.shared = mmap(NULL, sizeof *job.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!job.mutator || job.shared == MAP_FAILED || !parse(&job, argc, argv))
		return usage();
	for (unsigned long i = 0; i < job.jobs; i++) {
		workers[i] = fork();
		if (!workers[i]) {
			zs_mutator_seed(job.mutator, job.seed + i * 1000003);
			job.number = i;
			work(&job);
			exit(0);
		}
	}
	for (unsigned long i = 0; i < job.jobs; i++) {
		if (waitpid(workers[i], &status, 0) < 0 || !WIFEXITED(status))
			fprintf(stderr, "fuzz: a job ended by signal %d, vetting:\n%.*s\n", WTERMSIG(status),
				(int)job.shared->vetted[i].len, job.shared->vetted[i].text);
		else
			status = WEXITSTATUS(status);
		worst = status > worst ? status : worst;
	}
	print_counters(&job, stdout, time(NULL) - start);
	if (!worst && atomic_load(&job.shared->findings))
		worst = ZS_EXIT_FOUND;
	if (worst || atomic_load(&job.shared->executions))
		printf("%d passed, %d failed\n", !worst, !!worst);
	else
		printf("0 passed, 0 failed, 1 skipped\n");
	return worst;
}
