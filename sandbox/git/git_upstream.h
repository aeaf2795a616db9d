/* The one change of git's configuration that a command may make: a new remote, and the upstream of a new branch. */
#ifndef ZS_SANDBOX_GIT_UPSTREAM_H
#define ZS_SANDBOX_GIT_UPSTREAM_H

#include <stdbool.h>
#include <stddef.h>

/* Does the new text of a repository's configuration hold all entries of the old one, in order, and besides them at
 * least one other, each of a remote or of a branch's upstream that the old one does not have? False as well if git
 * cannot read one of the texts, or memory is short. */
bool zs_git_adds_upstream(const char *old, size_t old_len, const char *new, size_t new_len);

#endif
