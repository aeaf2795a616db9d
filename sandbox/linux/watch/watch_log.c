/* The log of a watch: the changes in the folders of protected files, in the kernel's order (man 7 inotify). It tells
 * whether a file may be protected again that a program outside has replaced.
 *
 * As long as the mount over a protected file is there, no process of the run can rename, remove or write the name. So a
 * rename(2) to the name that is the first event to touch it comes from outside. If no later event changes the file
 * before it is protected again, no process of the run did, except by a hard link in a folder without a log that is gone
 * again. No event tells which program makes a file under a name that was removed first: see watch_witness.c.
 *
 * Closing the log takes the kernel 15 ms (fsnotify_destroy_group() in fs/notify/group.c waits for a grace period). So
 * only runs that last long have one: LOG_AFTER_MS in watch_process.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "linux/watch/watch.h"
#include "linux/watch/watched_name.h"

enum {
	MADE_MAX = 16,
	PLACES = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO,
	CONTENT = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE,
	EVENTS_BYTES = 16 * 1024,
	READS_MAX = 1000, /* more than the kernel keeps: a command can make events without end */
	EVENT_MS = 50,
};

/* A file that was made beside a protected one: a program may write it and then move it there. */
struct made {
	int folder; /* 0: none */
	bool mixed; /* more than one program may have written it */
	bool closed;
	char name[NAME_MAX + 1];
};

struct zs_watch_log {
	int events;
	bool gap; /* the kernel has dropped events */
	struct made made[MADE_MAX];
	size_t next;    /* the entry of made[] that is used next */
	uint32_t moved; /* the cookie of the last file that was moved away; 0: none */
	bool clean;     /* that file was made and written by one program, as far as the log knows */
};

static bool is_file(const struct zs_watched_name *name)
{
	struct stat st;

	return name->what == ZS_WATCHED_PROTECTED && fstatat(name->folder, name->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

/* Is there a file whose replacement the log could explain? */
static bool log_helps(const struct zs_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++)
		if (is_file(&watch->names[i]))
			return true;
	return false;
}

/* inotify_add_watch(2) takes a path. The working directory is one that no rename changes. */
static int add_folder(int events, int folder)
{
	return fchdir(folder) < 0 ? -1 : inotify_add_watch(events, ".", PLACES | CONTENT | IN_ONLYDIR);
}

void zs_watch_log_begin(struct zs_watch *watch)
{
	struct zs_watch_log *log = watch->log || !log_helps(watch) ? NULL : calloc(1, sizeof *log);

	if (!log)
		return;
	log->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (log->events < 0) {
		free(log);
		return;
	}
	for (size_t i = 0; i < watch->count; i++)
		if (is_file(&watch->names[i]) && watch->names[watch->names[i].first].log == 0)
			watch->names[watch->names[i].first].log = add_folder(log->events, watch->names[i].folder);
	watch->log = log;
}

static struct made *find_made(struct zs_watch_log *log, const struct inotify_event *event)
{
	for (size_t i = 0; i < MADE_MAX; i++)
		if (log->made[i].folder == event->wd && strcmp(log->made[i].name, event->name) == 0)
			return &log->made[i];
	return NULL;
}

/* Notes the files that are made beside a protected one. A name that is used again, or that is written twice, counts as
 * the work of two programs. */
static void note_made(struct zs_watch_log *log, const struct inotify_event *event)
{
	struct made *made = find_made(log, event);

	if (made && event->mask & (IN_DELETE | IN_CREATE | IN_MOVED_TO))
		made->mixed = true;
	if (!made && event->mask & (IN_CREATE | IN_MOVED_TO)) {
		made = &log->made[log->next++ % MADE_MAX];
		*made = (struct made){ .folder = event->wd, .mixed = event->mask & IN_MOVED_TO };
		snprintf(made->name, sizeof made->name, "%s", event->name);
	}
	if (made && event->mask & IN_CLOSE_WRITE) {
		made->mixed = made->mixed || made->closed;
		made->closed = true;
	}
	if (event->mask & IN_MOVED_FROM) {
		log->moved = event->cookie;
		log->clean = made && !made->mixed;
		if (made)
			made->folder = 0;
	}
}

static void note(struct zs_watch *watch, struct zs_watched_name *name, const struct inotify_event *event)
{
	/* A file from a folder without a log was not made for this name. */
	bool clean = event->cookie != watch->log->moved || watch->log->clean;
	const struct {
		enum zs_came before;
		uint32_t event;
		enum zs_came after;
	} rows[] = {
		{ ZS_CAME_NOT, IN_MOVED_TO, clean ? ZS_CAME_MOVED : ZS_CAME_UNKNOWN },
		{ ZS_CAME_NOT, IN_MOVED_FROM | IN_DELETE, ZS_CAME_REMOVED },
		{ ZS_CAME_NOT, CONTENT, ZS_CAME_NOT },
		{ ZS_CAME_REMOVED, IN_CREATE, ZS_CAME_MADE },
		{ ZS_CAME_MADE, IN_MODIFY, ZS_CAME_MADE },
		{ ZS_CAME_MADE, IN_CLOSE_WRITE, ZS_CAME_CLOSED },
	};

	name->touched = name->touched || event->mask & CONTENT;
	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if (rows[i].before == name->came && rows[i].event & event->mask) {
			name->came = rows[i].after;
			return;
		}
	name->came = ZS_CAME_UNKNOWN;
}

static void take(struct zs_watch *watch, const struct inotify_event *event)
{
	bool known = false;

	if (event->mask & (IN_Q_OVERFLOW | IN_IGNORED)) {
		watch->log->gap = true;
		memset(watch->log->made, 0, sizeof watch->log->made);
		return;
	}
	if (event->len == 0) /* of the folder itself */
		return;
	for (size_t i = 0; i < watch->count; i++) {
		struct zs_watched_name *name = &watch->names[i];

		if (name->what != ZS_WATCHED_PROTECTED || watch->names[name->first].log != event->wd ||
			strcmp(name->name, event->name) != 0)
			continue;
		note(watch, name, event);
		known = true;
	}
	if (!known)
		note_made(watch->log, event);
}

void zs_watch_log_read(struct zs_watch *watch)
{
	_Alignas(struct inotify_event) char events[EVENTS_BYTES];
	ssize_t len = 0;

	if (!watch->log)
		return;
	for (int i = 0; i < READS_MAX && (len = read(watch->log->events, events, sizeof events)) > 0; i++)
		for (const char *at = events; at < events + len;) {
			const struct inotify_event *event = (const void *)at;

			take(watch, event);
			at += sizeof *event + event->len;
		}
	/* The rest is read by the next look; until then nothing is known. */
	if (len >= 0 || errno != EAGAIN)
		watch->log->gap = true;
}

void zs_watch_log_close_gap(struct zs_watch *watch)
{
	if (watch->log)
		watch->log->gap = false;
}

enum zs_came zs_watch_log_tell(struct zs_watch *watch, struct zs_watched_name *name, struct stat *ret_st)
{
	struct pollfd event = { watch->log ? watch->log->events : -1, POLLIN, 0 };

	if (!watch->log || watch->names[name->first].log <= 0)
		return ZS_CAME_UNKNOWN;
	zs_watch_log_read(watch);
	for (int64_t until = zs_now_ms() + EVENT_MS; name->came == ZS_CAME_NOT && zs_now_ms() < until;)
		if (poll(&event, 1, EVENT_MS) > 0)
			zs_watch_log_read(watch);
	if (fstatat(name->folder, name->name, ret_st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && name->came == ZS_CAME_REMOVED ? ZS_CAME_REMOVED : ZS_CAME_UNKNOWN;
	/* A change that the description misses is in the log. */
	zs_watch_log_read(watch);
	return name->came != ZS_CAME_NOT && !watch->log->gap && S_ISREG(ret_st->st_mode) && ret_st->st_nlink == 1
		       ? name->came
		       : ZS_CAME_UNKNOWN;
}
