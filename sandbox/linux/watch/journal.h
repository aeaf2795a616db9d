/* Names that a run protects although nothing has them yet, written down for a process that looks in the watch's place.
 *
 * The watch (watch.h) looks a last time when all processes of the run are dead. If the watch was killed, the supervisor
 * looks. If both were killed, the next run in the same workspace does, by the file: it lies in a private folder of the
 * user's, which no command can write. Supervisor and watch hold the file's lock (flock(2)), so a file that can be
 * locked is a dead run's. A lock ends before the kernel has ended the watch's pid namespace, so the end of the watch is
 * awaited as well.
 *
 * In a session each run's supervisor watches. The session has one journal: its init looks when a supervisor was killed,
 * and when all processes of the session are dead; if the init was killed, the session parent does.
 *
 * Neither is confined, and both look where a command has written: they follow no link, change no permissions, and only
 * rename in place. */
#ifndef ZS_SANDBOX_LINUX_JOURNAL_H
#define ZS_SANDBOX_LINUX_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "policy/policy.h"
#include "linux/watch/watch.h"

/* The names of a hundred repositories in one workspace. */
enum { ZS_JOURNAL_BYTES_MAX = 512 * 1024 };

/* How long a start waits for the last processes of a run that was killed. */
enum { ZS_JOURNAL_WAIT_MS = 2000 };

struct zs_journal {
	int folder;    /* -1: there is none, and the file is memory */
	int file;      /* -1: of a run that looks after no names */
	pid_t watch;   /* as /proc of the caller shows it */
	char boot[64]; /* of this start of the machine */
	char name[64]; /* of the file */
};

#define ZS_JOURNAL_NONE { .folder = -1, .file = -1 }

/* Looks at the names that dead runs in this workspace have left, and opens a journal of this run, if it is to have one.
 * A user who has no folder for it is told, and the journal is memory, for the supervisor. An error refuses the run. */
int zs_journal_begin(const struct zs_policy *policy, char *const envp[], struct zs_journal *ret_journal);

/* By the process that becomes the watch, while /proc is the machine's. */
void zs_journal_join(struct zs_journal *journal);

/* Writes the names down, before the command starts. overlaid: the workspace is an overlay, and its names are gone with
 * it. A list that does not fit is said. An error refuses the run. */
int zs_journal_write(
	struct zs_journal *journal, const struct zs_policy *policy, const struct zs_watch *watch, bool overlaid);

/* By the supervisor, when the watch was killed and with it all of the run. An error leaves something to the next run.
 */
int zs_journal_look(const struct zs_journal *journal);

/* Everything has been looked at, or no command was started. */
void zs_journal_end(struct zs_journal *journal);

/* For a session, whose last processes cannot all remove the file: looks, and when nothing is left to the next start
 * writes that it is done. Is there something to look at? */
void zs_journal_settle(struct zs_journal *journal);
bool zs_journal_is_due(const struct zs_journal *journal);

/* last_look.c */

/* A folder's identity, as a text: its inode, and when it was made. */
enum { ZS_FOLDER_ID_SIZE = 64 };
int zs_folder_id(int folder, const char *path, char ret_id[ZS_FOLDER_ID_SIZE]);

/* The first word of a journal's text. Each word ends in NUL:
 *
 *	zs-journal 1
 *	BOOT PID TICKS     the machine's start; the watch, and a time after its start (man 5 proc_pid_stat, field 22)
 *	tree PATH ID       the outermost folder that the command could write, around the names that follow
 *	absent NAME        a path in the tree that nothing had
 *	link NAME TARGET   a symbolic link there
 *	end
 */
#define ZS_JOURNAL_MAGIC "zs-journal 1"

/* In place of all but the first word: a session has looked by itself. */
#define ZS_JOURNAL_DONE "done"

/* Looks at each name of a journal's text. live: for the run that has just ended. 0: the text has been dealt with.
 * -EBADMSG: it is no journal; -EBUSY: its run has not ended; -EPERM: something could not be moved. */
int zs_last_look(const char *text, size_t len, bool live);

#endif
