/* Applies an overlay in another user's workspace as that user. The workspace's owner can rename everything in it at any
 * moment, so a path that root has just checked may lead to one of root's folders by the time that root writes or chowns
 * it. So root takes the owner's file system uid and gid, no groups and no capabilities over files. The kernel checks
 * each step, and nothing happens that the owner could not have done alone. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

enum { ASK = -1 }; /* setfsuid(-1) changes nothing and returns the current id; setfsuid(2) fails silently */

/* Uses the system call, since the C library's function changes all threads. */
static int set_groups(size_t count, const gid_t *groups)
{
	return syscall(SYS_setgroups, count, groups) < 0 ? -errno : 0;
}

static int set_ids(uid_t uid, gid_t gid)
{
	setfsgid(gid);
	setfsuid(uid);
	return (uid_t)setfsuid((uid_t)ASK) == uid && (gid_t)setfsgid((gid_t)ASK) == gid ? 0 : -EPERM;
}

static int save(struct zs_identity *identity)
{
	int count = getgroups(0, NULL);

	if (count < 0 || prctl(PR_GET_PDEATHSIG, &identity->death_signal) < 0)
		return -errno;
	identity->groups = calloc((size_t)count + 1, sizeof *identity->groups);
	if (!identity->groups)
		return -ENOMEM;
	identity->dumpable = prctl(PR_GET_DUMPABLE);
	count = getgroups(count, identity->groups);
	identity->group_count = (size_t)count;
	return count < 0 ? -errno : 0;
}

int zs_apply_become_owner(struct zs_apply *apply)
{
	struct zs_identity *identity = &apply->identity;
	struct stat owner;
	int r;

	if (fstat(apply->overlay->lower, &owner) < 0)
		return zs_apply_fail(apply, "", -errno);
	if (geteuid() != 0 || owner.st_uid == 0)
		return 0;
	identity->uid = owner.st_uid;
	identity->gid = owner.st_gid;
	r = save(identity);
	if (r == 0)
		r = set_groups(0, NULL);
	if (r == 0) {
		identity->is_owner = true;
		r = set_ids(identity->uid, identity->gid);
	}
	if (r < 0)
		zs_apply_be_root(apply);
	return r < 0 ? zs_error_say(apply->error, "apply", "", -r, "root cannot work as the workspace's owner, %u:%u",
			       identity->uid, identity->gid)
		     : 0;
}

void zs_apply_be_root(struct zs_apply *apply)
{
	struct zs_identity *identity = &apply->identity;

	if (identity->is_owner) {
		set_ids(0, getegid());
		set_groups(identity->group_count, identity->groups);
		/* A change of identity resets both (man 2 PR_SET_DUMPABLE, PR_SET_PDEATHSIG). */
		prctl(PR_SET_DUMPABLE, identity->dumpable);
		prctl(PR_SET_PDEATHSIG, identity->death_signal);
	}
	free(identity->groups);
	*identity = (struct zs_identity){ 0 };
}

int zs_apply_read_as_root(struct zs_apply *apply, bool root)
{
	uid_t uid = root ? 0 : apply->identity.uid;

	if (!apply->identity.is_owner)
		return 0;
	setfsuid(uid);
	return (uid_t)setfsuid((uid_t)ASK) == uid ? 0 : -EPERM;
}
