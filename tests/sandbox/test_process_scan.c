/* The loop that ends a session's processes, on a table in which everything happens that can happen on a real one, each
 * at the worst moment: between two calls of the loop. */
#include "check.h"
#include "enforce/process_scan.h"

enum { SELF = 100, USER = 501, OTHER_USER = 502, PROCESSES_MAX = 1000, PIDS_FROM = 200 };

enum state { GONE, ALIVE, DYING, ZOMBIE };

/* The calls of the loop. A process acts at the next call of this kind. */
enum moment { NEVER, LISTED, LOOKED_AT, PROBED, KILLED, EACH_CALL };

struct simulated {
	pid_t pid;
	uid_t real, effective;
	uint64_t start;
	enum state state;
	bool marked;
	bool unreaped;               /* it stays as a zombie */
	int dying;                   /* the number of waits until it is dead */
	enum moment forks;           /* it forks a child like itself */
	enum moment exits;           /* it exits after the fork */
	enum moment replaced;        /* it has gone, and another process has its pid */
	int generations;             /* of children; the last one does not fork */
	int probe_fails, kill_fails; /* errno */
	int failures;                /* the number of failures; -1: always */
	unsigned killed;             /* how often it was killed */
};

struct world {
	struct simulated processes[PROCESSES_MAX];
	size_t count, alive_max;
	pid_t next_pid;
	uint64_t clock;
	int lost_from; /* the number of the check, from 2 on, from which the probes do not count */
	int check_fails, list_fails;
	unsigned checks, waits, probes_of_others, kills_of_innocents;
	bool lost;
};

static struct world world;

static struct simulated *find(pid_t pid)
{
	for (size_t i = world.count; i-- > 0;)
		if (world.processes[i].pid == pid && world.processes[i].state != GONE)
			return &world.processes[i];
	return NULL;
}

static struct simulated *start(struct simulated like)
{
	struct simulated *process = world.processes;

	while (process < world.processes + world.count && process->state != GONE)
		process++;
	if (process == world.processes + PROCESSES_MAX)
		return NULL;
	world.count += process == world.processes + world.count;
	*process = like;
	process->pid = world.next_pid++;
	process->start = ++world.clock;
	process->state = ALIVE;
	process->killed = 0;
	return process;
}

static void reset(void)
{
	memset(&world, 0, sizeof world);
	world.next_pid = PIDS_FROM;
	world.alive_max = PROCESSES_MAX;
	start((struct simulated){ .real = USER, .effective = USER })->pid = SELF;
}

static struct simulated *start_marked(void)
{
	return start((struct simulated){ .real = USER, .effective = USER, .marked = true });
}

static struct simulated *start_innocent(void)
{
	return start((struct simulated){ .real = USER, .effective = USER });
}

static size_t count_alive(bool marked)
{
	size_t count = 0;

	for (size_t i = 0; i < world.count; i++)
		count += world.processes[i].marked == marked &&
			 (world.processes[i].state == ALIVE || world.processes[i].state == DYING);
	return count;
}

static void die(struct simulated *process)
{
	process->state = process->unreaped ? ZOMBIE : GONE;
}

static void act(struct simulated *process, enum moment moment)
{
	struct simulated like = *process;

	if (process->state != ALIVE)
		return;
	if (process->forks == moment && process->generations != 0 && count_alive(true) < world.alive_max) {
		like.generations--;
		if (like.generations == 0)
			like.forks = like.exits = NEVER;
		start(like);
	}
	if (process->exits == moment)
		die(process);
	if (process->replaced == moment) {
		process->state = GONE;
		start((struct simulated){ .real = USER, .effective = USER })->pid = like.pid;
	}
}

static void act_all(enum moment moment)
{
	size_t count = world.count;

	for (size_t i = 0; i < count; i++)
		act(&world.processes[i], moment);
}

static int check(void *context)
{
	(void)context;
	if (world.check_fails)
		return -world.check_fails;
	if (world.lost_from > 0 && world.checks++ > 0 && world.lost) {
		world.lost_from--;
		world.lost = world.lost_from > 0;
		return -EAGAIN;
	}
	return 0;
}

static int list(void *context, pid_t **ret_pids, size_t *ret_count)
{
	pid_t *pids = calloc(world.count + 1, sizeof *pids);
	size_t count = 0;

	(void)context;
	act_all(EACH_CALL);
	if (!pids || world.list_fails) {
		free(pids);
		return -(world.list_fails ? world.list_fails : ENOMEM);
	}
	for (size_t i = 0; i < world.count; i++)
		if (world.processes[i].state != GONE)
			pids[count++] = world.processes[i].pid;
	*ret_pids = pids;
	*ret_count = count;
	/* The list has been made, and is out of date already. */
	act_all(LISTED);
	return 0;
}

static int look(void *context, pid_t pid, struct zs_process *ret_process)
{
	struct simulated *process;

	(void)context;
	act_all(EACH_CALL);
	process = find(pid);
	if (!process)
		return -ESRCH;
	*ret_process =
		(struct zs_process){ process->real, process->effective, process->start, process->state == ZOMBIE };
	act(process, LOOKED_AT);
	return 0;
}

static bool fails_now(struct simulated *process)
{
	if (process->failures > 0)
		return process->failures--;
	return process->failures < 0;
}

static int probe(void *context, pid_t pid)
{
	struct simulated *process;
	bool marked;

	(void)context;
	act_all(EACH_CALL);
	process = find(pid);
	if (!process)
		return -ESRCH;
	/* The process has lost its mark, and has no other. */
	if (process->state != ALIVE)
		return 0;
	if (process->real != USER && process->effective != USER)
		world.probes_of_others++;
	if (process->probe_fails && fails_now(process))
		return -process->probe_fails;
	marked = process->marked && !world.lost;
	act(process, PROBED);
	return marked;
}

static int kill_one(void *context, pid_t pid)
{
	struct simulated *process;

	(void)context;
	act_all(EACH_CALL);
	process = find(pid);
	if (!process)
		return -ESRCH;
	act(process, KILLED);
	if (process->kill_fails && fails_now(process))
		return -process->kill_fails;
	process->killed++;
	if (!process->marked)
		world.kills_of_innocents++;
	if (process->dying)
		process->state = DYING;
	else
		die(process);
	return 0;
}

static void wait_a_moment(void *context)
{
	(void)context;
	world.waits++;
	for (size_t i = 0; i < world.count; i++)
		if (world.processes[i].state == DYING && --world.processes[i].dying == 0)
			die(&world.processes[i]);
}

static const struct zs_process_table table = { NULL, check, list, look, probe, kill_one, wait_a_moment };

static struct zs_scan_report report;

static int end(void)
{
	return zs_scan_end(&table, SELF, USER, &report);
}

static void check_all_dead(const char *what, int r)
{
	CHECK(r == 0, "%s: %s", what, strerror(-r));
	CHECK(count_alive(true) == 0, "%s: %zu of the session are alive", what, count_alive(true));
	CHECK(world.kills_of_innocents == 0, "%s: killed %u others", what, world.kills_of_innocents);
}

TEST(scan_nothing_to_end)
{
	reset();
	start_innocent();
	check_all_dead("none", end());
	CHECK(report.rounds == 2 && report.killed == 0 && world.waits == 0, "%u rounds", report.rounds);
}

/* The table has no parents, groups or sessions. So leaving one's own (setsid, a double fork, the parent's death) cannot
 * matter, and neither can a pid below the parent's, as after the highest pid. */
TEST(scan_finds_all)
{
	reset();
	for (int i = 0; i < 50; i++) {
		start_innocent();
		start_marked();
	}
	start_marked()->pid = 3;
	check_all_dead("fifty", end());
	CHECK(report.killed == 51, "%zu", report.killed);
	CHECK(count_alive(false) == 51, "%zu others are left", count_alive(false));
}

SLOW_TEST(scan_forks_meanwhile)
{
	static const struct {
		const char *name;
		enum moment forks, exits;
		bool unreaped;
	} rows[] = {
		{ "a fork after the list", LISTED, NEVER, false },
		{ "a fork after the look", LOOKED_AT, NEVER, false },
		{ "a fork after the probe", PROBED, NEVER, false },
		{ "a fork before the kill", KILLED, NEVER, false },
		/* No listed process of the session is left, but the session still lives. */
		{ "a fork after the list, and gone", LISTED, LISTED, false },
		{ "a fork after the list, and a zombie", LISTED, LISTED, true },
		{ "a fork after the look, and gone", LOOKED_AT, LOOKED_AT, false },
		{ "a fork after the look, and a zombie", LOOKED_AT, LOOKED_AT, true },
		{ "a fork after the probe, and gone", PROBED, PROBED, false },
		{ "a fork after the probe, and a zombie", PROBED, PROBED, true },
		{ "a fork before the kill, and gone", KILLED, KILLED, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (int generations = 1; generations < 40; generations += 19) {
			struct simulated *process;

			reset();
			start_innocent();
			process = start_marked();
			process->forks = rows[i].forks;
			process->exits = rows[i].exits;
			process->unreaped = rows[i].unreaped;
			process->generations = generations;
			check_all_dead(rows[i].name, end());
		}
}

/* A process that is replaced by its child before every look is never seen, and the result says so. */
TEST(scan_never_clean_is_said)
{
	struct simulated *process;
	int r;

	reset();
	process = start_marked();
	process->forks = process->exits = LISTED;
	process->generations = -1;
	r = end();
	CHECK(r == -ETIMEDOUT, "%s", strerror(-r));
	CHECK(report.rounds == ZS_SCAN_ROUNDS_MAX, "%u rounds", report.rounds);
	CHECK(count_alive(true) == 1, "%zu", count_alive(true));
}

TEST(scan_storm)
{
	struct simulated *process;
	int r;

	/* Each process forks whenever any process is looked at. Only the kernel's limit of processes holds them. */
	reset();
	world.alive_max = 200;
	process = start_marked();
	process->forks = EACH_CALL;
	process->generations = 5;
	check_all_dead("a storm that ends", end());
	CHECK(report.killed > 5, "%zu", report.killed);

	reset();
	process = start_marked();
	world.alive_max = 20;
	process->forks = KILLED;
	process->generations = -1;
	r = end();
	CHECK(r == -ETIMEDOUT, "an endless storm: %s", strerror(-r));
	CHECK(report.rounds == ZS_SCAN_ROUNDS_MAX && report.killed >= ZS_SCAN_ROUNDS_MAX, "%u rounds", report.rounds);
	CHECK(world.waits == 0, "it was given %u moments", world.waits);
}

TEST(scan_zombies)
{
	reset();
	for (int i = 0; i < 10; i++) {
		struct simulated *process = i % 2 ? start_marked() : start_innocent();

		process->state = ZOMBIE;
	}
	start_marked()->unreaped = true;
	check_all_dead("zombies", end());
	CHECK(report.killed == 1, "%zu were killed", report.killed);
	for (size_t i = 0; i < world.count; i++)
		CHECK(world.processes[i].killed <= 1, "killed %u times", world.processes[i].killed);
}

TEST(scan_pid_reuse)
{
	static const enum moment moments[] = { LISTED, LOOKED_AT, PROBED };
	struct simulated *process;

	for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
		reset();
		start_marked()->replaced = moments[i];
		check_all_dead("a pid that changes hands", end());
		CHECK(report.killed == 0, "moment %zu: %zu were killed", i, report.killed);

		/* Children that it had forked before are found as well. */
		reset();
		process = start_marked();
		process->replaced = process->forks = moments[i];
		process->generations = 1;
		check_all_dead("a pid that changes hands, with a child", end());
	}
}

TEST(scan_users)
{
	struct simulated *setuid, *raised;

	reset();
	for (int i = 0; i < 5; i++)
		start((struct simulated){ .real = OTHER_USER,
			.effective = OTHER_USER,
			.marked = true,
			.probe_fails = EPERM,
			.failures = -1 });
	setuid = start((struct simulated){ .real = USER, .effective = 0, .marked = true });
	raised = start((struct simulated){ .real = OTHER_USER, .effective = USER, .marked = true });
	CHECK(end() == 0, "an ordinary user's");
	CHECK(world.probes_of_others == 0, "%u of other users were probed", world.probes_of_others);
	CHECK(setuid->state == GONE && raised->state == GONE, "setuid programs");
	CHECK(report.killed == 2, "%zu", report.killed);

	reset();
	start((struct simulated){ .real = OTHER_USER, .effective = OTHER_USER, .marked = true });
	start((struct simulated){ .real = OTHER_USER, .effective = OTHER_USER });
	CHECK(zs_scan_end(&table, SELF, 0, &report) == 0, "root's");
	CHECK(report.killed == 1 && count_alive(true) == 0, "root's session had changed its uid");
}

TEST(scan_failures)
{
	struct simulated *process;
	pid_t pid;
	int r;

	/* For some time */
	reset();
	process = start_marked();
	process->probe_fails = EPERM;
	process->failures = 3;
	check_all_dead("a probe that fails three times", end());
	reset();
	process = start_innocent();
	process->probe_fails = ESRCH;
	process->failures = 3;
	check_all_dead("a probe that finds nobody three times", end());

	/* For ever: all others are ended, and the report names the process. */
	reset();
	start_marked();
	process = start_innocent();
	process->probe_fails = EPERM;
	process->failures = -1;
	pid = process->pid;
	start_marked();
	r = end();
	CHECK(r == -EPERM && report.pid == pid, "%s, pid %d", strerror(-r), (int)report.pid);
	CHECK(report.rounds < ZS_SCAN_DOUBTS_MAX + 5, "%u rounds", report.rounds);
	CHECK(count_alive(true) == 0, "the others");

	reset();
	process = start_marked();
	process->kill_fails = EPERM;
	process->failures = -1;
	pid = process->pid;
	start_marked();
	r = end();
	CHECK(r == -EPERM && report.pid == pid, "%s, pid %d", strerror(-r), (int)report.pid);
	CHECK(count_alive(true) == 1, "the others");

	/* A process that cannot be probed must not count as innocent, with ESRCH or any other errno. */
	reset();
	process = start_innocent();
	process->probe_fails = ESRCH;
	process->failures = -1;
	r = end();
	CHECK(r == -ETIMEDOUT, "%s", strerror(-r));

	reset();
	start_marked();
	world.list_fails = ENOMEM;
	CHECK(end() == -ENOMEM, "no list");
}

TEST(scan_waits_for_the_dying)
{
	reset();
	start_marked()->dying = 30;
	check_all_dead("one that takes its time", end());
	CHECK(world.waits >= 30, "%u", world.waits);

	reset();
	start_marked()->dying = -1;
	CHECK(end() == -ETIMEDOUT, "one that never dies");
}

/* If the mark cannot be read, no process seems to have it. So a look that finds none has no meaning. */
TEST(scan_mark_lost)
{
	reset();
	start_marked();
	world.lost_from = 3;
	world.lost = true;
	check_all_dead("lost for a while", end());
	CHECK(report.killed == 1, "%zu", report.killed);

	reset();
	start_marked();
	world.check_fails = EIO;
	CHECK(end() == -EIO, "lost for good");
	CHECK(report.killed == 0, "%zu", report.killed);
}

TEST(scan_spares_itself)
{
	reset();
	find(SELF)->marked = true;
	start_marked()->pid = 1;
	CHECK(end() == 0, "its own mark");
	CHECK(find(SELF) && !find(SELF)->killed && !find(1)->killed, "itself and pid 1 are left alone");
}
