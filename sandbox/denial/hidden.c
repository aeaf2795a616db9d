/* Records that a model may read. The command is the model's own, so a record must not tell what the run hides from it:
 * whether a name exists in a folder that is hidden or not granted. So the policy alone makes such a record, whatever
 * exists outside, and the record names the folder and nothing below it. Where the command may look itself, the usual
 * judgement holds. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "denial/attempt.h"

/* A hidden place, and why it is hidden. */
struct place {
	char path[PATH_MAX];
	enum zs_denial_cause cause;
};

/* A grant of root's whose files are readable only if everybody may read them. */
static bool is_public(const struct zs_policy *policy, const char *path)
{
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].public && zs_path_lies_in(path, policy->grants[i].path) &&
			!zs_policy_takes_between(policy, path, policy->grants[i].path, ZS_ACCESS_READ))
			return true;
	return false;
}

/* Does the command see this name, since it is granted, or something below it is? */
static bool is_seen(const struct zs_policy *policy, const char *path)
{
	if (!*path || zs_policy_gives(policy, path, ZS_ACCESS_READ) || is_public(policy, path) ||
		(policy->workspace && zs_path_lies_in(policy->workspace, path)))
		return true;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access >= ZS_ACCESS_READ && zs_path_lies_in(policy->grants[i].path, path))
			return true;
	for (size_t i = 0; i < policy->link_count; i++)
		if (zs_path_lies_in(policy->links[i].path, path))
			return true;
	return false;
}

static void set_place(const struct zs_policy *policy, const char *path, struct place *place)
{
	const struct zs_grant *hides = NULL;

	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == ZS_ACCESS_HIDE && zs_path_lies_in(path, policy->grants[i].path) &&
			(!hides || policy->grants[i].len > hides->len))
			hides = &policy->grants[i];
	place->cause = hides ? ZS_DENIED_HIDDEN : ZS_DENIED_NOT_GRANTED;
	snprintf(place->path, sizeof place->path, "%s", hides ? hides->path : path);
}

/* Walks along the path, and looks at no name that the command does not see: a link beyond would tell where it leads.
 * Returns 1 for a hidden place, 0 for a path that the command sees, or a negative errno. */
static int find_place(const struct zs_policy *policy, const char *path, struct place *place)
{
	struct zs_path_walk walk;
	char target[PATH_MAX];
	int r = zs_path_start(&walk, "", path);

	while (r == 0 && (r = zs_path_step(&walk)) > ZS_PATH_ENDS) {
		struct stat st;
		ssize_t len;

		r = 0;
		if (!is_seen(policy, walk.done)) {
			set_place(policy, walk.done, place);
			return 1;
		}
		if (lstat(*walk.done ? walk.done : "/", &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode) && !(st.st_mode & S_IXOTH) && geteuid() == 0 && is_public(policy, walk.done) &&
			!zs_policy_gives(policy, walk.done, ZS_ACCESS_READ) && *walk.rest) {
			set_place(policy, walk.done, place);
			return 1;
		}
		if (!S_ISLNK(st.st_mode))
			continue;
		len = readlink(walk.done, target, sizeof target - 1);
		if (len < 0)
			return -errno;
		target[len] = '\0';
		r = zs_path_follow(&walk, target);
	}
	return r;
}

/* The path of a Unix socket; NULL: it is none. */
static const char *socket_path(const struct zs_refusal *refusal, char path[2 * PATH_MAX])
{
	const struct sockaddr_un *address = (const void *)refusal->address;
	size_t head = offsetof(struct sockaddr_un, sun_path);
	bool whole;

	if (!address || refusal->address_size <= head || address->sun_family != AF_UNIX || !address->sun_path[0])
		return NULL;
	whole = address->sun_path[0] == '/';
	snprintf(path, 2 * PATH_MAX, "%s%s%.*s", whole ? "" : refusal->path, whole ? "" : "/",
		(int)(refusal->address_size - head), address->sun_path);
	return path;
}

/* The hidden place that the call has met; 0: none, as above. */
static int find_refused(const struct zs_policy *policy, const struct zs_refusal *refusal, struct place *place)
{
	char program[PATH_MAX];
	int r = find_place(policy, refusal->path, place);

	if (r == 0 && *refusal->other)
		r = find_place(policy, refusal->other, place);
	if (r == 0 && refusal->attempt == ZS_ATTEMPT_EXEC && zs_denial_interpreter(refusal->path, program))
		r = find_place(policy, program, place);
	return r;
}

/* /proc and a private /tmp are the run's own, so there a missing file is missing. But folders on the way to a grant in
 * /tmp are those from outside. */
static bool is_own(const struct zs_policy *policy, const char *place)
{
	char above[PATH_MAX];

	if (!zs_denial_is_own_place(policy, place))
		return false;
	snprintf(above, sizeof above, "%s", place);
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(above, '/');

		if (slash)
			*slash = '\0';
	}
	return !zs_denial_is_own_place(policy, above);
}

/* Errors by which a policy hides something. Others tell of limits. */
static bool is_of_access(int error)
{
	return error != EMFILE && error != EFBIG && error != ENOSPC && error != ENOMEM;
}

bool zs_refusal_judge_for_model(const struct zs_policy *resolved, const struct zs_refusal *refusal,
	struct zs_denial *ret_denial, struct zs_denial_words *words)
{
	bool names = refusal->attempt <= ZS_ATTEMPT_EXEC && *refusal->path == '/';
	char socket[2 * PATH_MAX];
	struct place place;
	int r = 0;

	if (is_of_access(refusal->error) && names)
		r = find_refused(resolved, refusal, &place);
	/* C libraries ask for sockets that most machines lack, so a record for each would tell nothing. */
	if (refusal->attempt == ZS_ATTEMPT_CONNECT && socket_path(refusal, socket))
		return strlen(socket) < PATH_MAX && find_place(resolved, socket, &place) == 0 &&
		       zs_refusal_judge(resolved, refusal, ret_denial, words);
	if (r == 1 && is_own(resolved, place.path))
		return false;
	if (r <= 0)
		return r == 0 && zs_refusal_judge(resolved, refusal, ret_denial, words);
	*ret_denial = (struct zs_denial){
		.kind = refusal->attempt == ZS_ATTEMPT_EXEC   ? ZS_DENIAL_EXEC
			: refusal->attempt < ZS_ATTEMPT_WRITE ? ZS_DENIAL_READ
							      : ZS_DENIAL_WRITE,
		.cause = place.cause,
		.withheld = true,
		.error = refusal->error,
		.named = words->named,
		.real = words->real,
		.pid = refusal->pid,
		.times = 1,
	};
	memcpy(ret_denial->process, refusal->process, sizeof ret_denial->process);
	/* The name serves to take a search back; zs_denials_fold() drops it. */
	snprintf(words->named, sizeof words->named, "%s", refusal->path);
	snprintf(words->real, sizeof words->real, "%s", place.path);
	return true;
}
