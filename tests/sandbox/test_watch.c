/* Names that must not appear: every way to make one is noticed. */
#include "linux/watch/watch.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "harness.h"
#include "linux/watch/watched_name.h"

enum { REST_MICROSECONDS = 3100 * 1000 }; /* a little more than watch.c wants */

static int make_directory(const char *name, const char *file)
{
	(void)file;
	return mkdir(name, 0755);
}

static int create(const char *name, const char *file)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	(void)file;
	return fd < 0 ? -1 : close(fd);
}

static int link_file(const char *name, const char *file)
{
	return link(file, name);
}

static int link_to(const char *name, const char *file)
{
	return symlink(file, name);
}

static int move_in(const char *name, const char *file)
{
	char other[512];

	snprintf(other, sizeof other, "%s-moved", file);
	return create(other, NULL) < 0 ? -1 : rename(other, name);
}

static int make_node(const char *name, const char *file)
{
	(void)file;
	return mknod(name, S_IFIFO | 0644, 0);
}

static int bind_to(const char *name, const char *file)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), r;

	(void)file;
	snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
	r = bind(fd, (struct sockaddr *)&address, sizeof address);
	close(fd);
	return r;
}

/* Restores the folder's times, which is all that utimensat(2) can undo. */
static int create_and_turn_back(const char *name, const char *file)
{
	char folder[512];
	struct stat st;

	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(name, '/') - name), name);
	if (stat(folder, &st) < 0 || create(name, file) < 0)
		return -1;
	return utimensat(AT_FDCWD, folder, (struct timespec[]){ st.st_atim, st.st_mtim }, 0);
}

/* The watch sees nothing in a folder that is closed to this user, unless it opens the folder first. */
static int create_and_close(const char *name, const char *file)
{
	char folder[512];

	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(name, '/') - name), name);
	return create(name, file) < 0 ? -1 : chmod(folder, 0);
}

static int (*const ways[])(const char *name, const char *file) = { make_directory, create, link_file, link_to, move_in,
	make_node, bind_to, create_and_turn_back, create_and_close };

enum { WAYS = sizeof ways / sizeof ways[0] };

/* A folder for each way, with a name in it. */
struct names {
	struct zs_watched_name items[WAYS];
	char paths[WAYS][256];
	struct zs_watch watch;
};

static void name_all(struct names *names, const struct scratch *scratch, const char *prefix)
{
	for (size_t i = 0; i < WAYS; i++) {
		char name[32];

		snprintf(name, sizeof name, "ws/%s%zu", prefix, i);
		make_folder(scratch_path(scratch, name));
		snprintf(names->paths[i], sizeof names->paths[i], "%s/made", scratch_path(scratch, name));
		names->items[i] = (struct zs_watched_name){
			.what = ZS_WATCHED_ABSENT, .path = names->paths[i], .folder = -1, .nearer = -1
		};
	}
	names->watch = (struct zs_watch){ .names = names->items, .count = WAYS };
}

/* Works as the next run of a session: what was open is closed. */
static int begin_again(struct names *names)
{
	struct zs_error error;

	for (size_t i = 0; i < WAYS; i++) {
		if (names->items[i].folder >= 0)
			close(names->items[i].folder);
		names->items[i].folder = -1;
	}
	return zs_watch_begin(&names->watch, &error);
}

/* Blocks dnotify's signal, so that the last look has to find the name alone. */
static void block_told(void)
{
	sigset_t told;

	sigemptyset(&told);
	sigaddset(&told, SIGIO);
	sigprocmask(SIG_BLOCK, &told, NULL);
}

static bool is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static int make_in_a_rested_folder(void *arg)
{
	const struct scratch *scratch = arg;
	struct names names;
	char file[256];

	block_told();
	snprintf(file, sizeof file, "%s", scratch_path(scratch, "ws/file"));
	name_all(&names, scratch, "ways");
	usleep(REST_MICROSECONDS);
	EXPECT(begin_again(&names) == 0 && zs_watch_end(&names.watch, 1) == 1, "nothing has happened");
	EXPECT(begin_again(&names) == 0, "a second time");
	for (size_t i = 0; i < WAYS; i++) {
		EXPECT(names.items[i].same, "%zu is looked at", i);
		EXPECT(ways[i](names.paths[i], file) == 0, "%zu: %s", i, strerror(errno));
	}
	EXPECT(zs_watch_end(&names.watch, 1) == 1, "cannot be moved");
	for (size_t i = 0; i < WAYS; i++) {
		names.paths[i][strlen(names.paths[i]) - strlen("/made")] = '\0';
		chmod(names.paths[i], 0755);
		names.paths[i][strlen(names.paths[i])] = '/';
		EXPECT(!is_there(names.paths[i]), "%zu is there", i);
	}
	return 0;
}

static int make_between_runs(void *arg)
{
	enum { BEFORE = 0, BETWEEN = WAYS - 1 };
	struct names names;

	block_told();
	name_all(&names, arg, "between");
	EXPECT(create(names.paths[BEFORE], NULL) == 0, "%s", strerror(errno));
	usleep(REST_MICROSECONDS);
	/* Its folder has rested with it. */
	EXPECT(begin_again(&names) == -EEXIST, "it is there");
	EXPECT(begin_again(&names) == -EEXIST, "and still");
	EXPECT(unlink(names.paths[BEFORE]) == 0 && begin_again(&names) == 0, "it is not");
	EXPECT(zs_watch_end(&names.watch, 1) == 1, "nothing has happened");
	EXPECT(create(names.paths[BETWEEN], NULL) == 0, "%s", strerror(errno));
	EXPECT(begin_again(&names) == -EEXIST, "the other is there");
	EXPECT(begin_again(&names) == -EEXIST, "and still");
	EXPECT(unlink(names.paths[BETWEEN]) == 0 && begin_again(&names) == 0, "it is not");
	return 0;
}

/* The watch's last look is made to fit later changes. Then it is only not deceived where it does not go by that: in a
 * folder that has not rested, and in a system that nobody knows to note each change. */
static int deceive(struct names *names, size_t i)
{
	struct stat st;

	EXPECT(create(names->paths[i], NULL) == 0, "%s: %s", names->paths[i], strerror(errno));
	EXPECT(fstat(names->items[i].folder, &st) == 0, "%s", strerror(errno));
	names->items[i].seen.changed = st.st_ctim;
	return 0;
}

static void write_map(const char *path, unsigned own)
{
	char map[32];

	snprintf(map, sizeof map, "0 %u 1", own);
	write_text(path, map);
}

static int mount_other_system(const char *folder)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	/* A process that has changed its uid owns none of its /proc/self. */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -1;
	write_text("/proc/self/setgroups", "deny");
	write_map("/proc/self/uid_map", uid);
	write_map("/proc/self/gid_map", gid);
	return mount("none", folder, "ramfs", 0, NULL);
}

static int goes_by_time(void *arg)
{
	enum { RESTED, CHANGED, OTHER, COUNT };
	struct names names;
	char folder[256];

	block_told();
	name_all(&names, arg, "time");
	snprintf(
		folder, sizeof folder, "%.*s", (int)(strlen(names.paths[OTHER]) - strlen("/made")), names.paths[OTHER]);
	EXPECT(mount_other_system(folder) == 0, "ramfs: %s", strerror(errno));
	usleep(REST_MICROSECONDS);
	EXPECT(create(names.paths[CHANGED], NULL) == 0 && unlink(names.paths[CHANGED]) == 0, "%s", strerror(errno));
	EXPECT(begin_again(&names) == 0, "nothing is there");
	for (size_t i = 0; i < COUNT; i++)
		if (deceive(&names, i))
			return 1;
	EXPECT(zs_watch_end(&names.watch, 1) == 1, "cannot be moved");
	EXPECT(is_there(names.paths[RESTED]), "each name is looked at, for all that is measured");
	EXPECT(!is_there(names.paths[CHANGED]), "a folder that has not rested");
	EXPECT(!is_there(names.paths[OTHER]), "another file system");
	return 0;
}

/* Side by side: each rests. */
static int run_all(void *arg)
{
	static int (*const bodies[])(void *arg) = { make_in_a_rested_folder, make_between_runs, goes_by_time };
	int status, bad = 0;

	fflush(stdout);
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		pid_t pid = fork();

		EXPECT(pid >= 0, "fork: %s", strerror(errno));
		if (pid == 0) {
			bad = bodies[i](arg);
			fflush(stdout);
			_exit(bad);
		}
	}
	while (wait(&status) > 0)
		bad |= status != 0;
	return bad;
}

SLOW_TEST(watch_of_folders_at_rest)
{
	AS_EACH_USER (scratch) {
		struct result result;

		run_child(scratch.owner, run_all, &scratch, &result);
		CHECK(result.status == 0, "%d %s%s", result.status, result.out, result.err);
	}
}
