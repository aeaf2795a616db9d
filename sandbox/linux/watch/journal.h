/* The journal of a run: a file that lists the protected names that did not exist when the run began, for a process that
 * looks when the watch was killed.
 *
 * The watch (watch.h) looks a last time when all processes of the run are dead. If the watch was killed, the supervisor
 * looks. If both were killed, the next run in the same workspace looks, by the file. The file lies in a private folder
 * of the user's that no command can write. Supervisor and watch hold its lock (flock(2)), so a file that can be locked
 * belongs to a dead run. The lock ends before the kernel has ended the watch's pid namespace, so the next run waits for
 * the end of the watch as well.
 *
 * A session has one journal, and each run's supervisor is the run's watch. The init looks when a supervisor was killed,
 * and when all processes of the session are dead. If the init was killed, the session parent looks.
 *
 * The processes that look by the journal are not confined, and the command could write where they look. So they follow
 * no symbolic link, change no permissions, and only rename names in place. */
#ifndef ZS_SANDBOX_LINUX_JOURNAL_H
#define ZS_SANDBOX_LINUX_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/policy.h"
#include "linux/watch/watch.h"

/* The most bytes of a journal: room for the names of a hundred repositories in one workspace. */
enum { ZS_JOURNAL_BYTES_MAX = 512 * 1024 };

/* How long a start waits for the last processes of a run that was killed. */
enum { ZS_JOURNAL_WAIT_MS = 2000 };

struct zs_journal {
	int folder;    /* the journals' folder; -1: there is none, and the file is memory (man 2 memfd_create) */
	int file;      /* -1: the run looks after no names */
	pid_t watch;   /* the watch's pid, as the machine's /proc shows it */
	char boot[64]; /* the identity of this start of the machine */
	char name[64]; /* the file's name */
};

#define ZS_JOURNAL_NONE { .folder = -1, .file = -1 }

/* Notes the caller's pid as the watch's. The caller becomes the watch, and still sees the machine's /proc. */
void zs_journal_join(struct zs_journal *journal);

/* Writes the names before the command starts. overlaid: the workspace is an overlay, so its names vanish with it and
 * are left out. Prints a warning when the list does not fit. An error refuses the run. */
int zs_journal_write(
	struct zs_journal *journal, const struct zs_policy *policy, const struct zs_watch *watch, bool overlaid);

/* Looks at the names in place of a watch that was killed, when all processes of the run are dead. An error leaves the
 * rest to the next run. */
int zs_journal_look(const struct zs_journal *journal);

/* Removes the file: all names have been looked at, or no command was started. */
void zs_journal_end(struct zs_journal *journal);

/* Looks at the end of a session. When nothing is left for the next start it writes that into the file, since not every
 * last process of a session can remove it. */
void zs_journal_settle(struct zs_journal *journal);

/* Does the journal have names that no process has looked at since the session ended? */
bool zs_journal_is_due(const struct zs_journal *journal);

/* last_look.c */

/* A folder's identity as text: its inode, and when it was made. 0 or a negative errno. */
enum { ZS_FOLDER_ID_SIZE = 64 };
int zs_folder_id(int folder, const char *path, char ret_id[ZS_FOLDER_ID_SIZE]);

/* The first word of a journal. The text is a sequence of words, each of which ends in NUL:
 *
 *	zs-journal 1
 *	BOOT PID TICKS     this start of the machine; the watch's pid; a time after the watch's start, in the clock
 *ticks of man 5 proc_pid_stat, field 22 tree PATH ID       the outermost folder that the command could write around the
 *names that follow; its identity absent NAME        a path in the tree that did not exist link NAME TARGET   a path in
 *the tree that was a symbolic link end
 */
#define ZS_JOURNAL_MAGIC "zs-journal 1"

/* The second and last word of a journal whose session has looked at all names itself. */
#define ZS_JOURNAL_DONE "done"

/* Looks at each name of a journal. live: the journal belongs to the run of this process, which has just ended. 0: all
 * names have been dealt with. -EBADMSG: the text is no journal; -EBUSY: its run has not ended; -EPERM: a name could not
 * be moved aside. */
int zs_last_look(const char *text, size_t len, bool live);

#endif
