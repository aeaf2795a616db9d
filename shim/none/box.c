/* No boxes and no images on this system. */
#include "zs_box.h"
#include "git_base.h"
#include "image.h"
#include "named_session.h"
#include "snapshot.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "zs_shim.h"

static int refuse(const char *id, struct zs_error *error)
{
	return zs_error_say(error, "box", id, EOPNOTSUPP, "boxes are not available on this system");
}

int zs_box_make(struct zs_policy *policy, pid_t owner, char ret_id[ZS_BOX_ID_SIZE], char ret_token[ZS_BOX_TOKEN_SIZE],
	struct zs_error *error)
{
	(void)policy;
	(void)owner;
	(void)ret_token;
	(void)ret_id;
	return refuse(NULL, error);
}

int zs_box_create(const struct zs_policy *policy, const struct zs_box_options *options, char ret_id[ZS_BOX_ID_SIZE],
	struct zs_error *error)
{
	(void)policy;
	(void)options;
	(void)ret_id;
	return refuse(NULL, error);
}

_Noreturn void zs_box_be_maker(const char *json, char *const words[])
{
	(void)json;
	(void)words;
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

int zs_box_exec(
	const char *id, const struct zs_box_command *command, struct zs_box_result *ret_result, struct zs_error *error)
{
	if (command->denials > 0)
		close(command->denials);
	(void)ret_result;
	return refuse(id, error);
}

int zs_box_policy(const char *id, struct zs_policy **ret_policy, struct zs_error *error)
{
	(void)ret_policy;
	return refuse(id, error);
}

int zs_box_put(const char *id, int from, const char *path, mode_t mode, int *ret_status, struct zs_error *error)
{
	(void)from;
	(void)path;
	(void)mode;
	(void)ret_status;
	return refuse(id, error);
}

int zs_box_get(const char *id, const char *path, uint64_t most, int to, int *ret_status, struct zs_error *error)
{
	(void)path;
	(void)most;
	(void)to;
	(void)ret_status;
	return refuse(id, error);
}

int zs_box_put_alone(const char *id, int from, const char *path, mode_t mode, const char *user, int *ret_status,
	struct zs_error *error)
{
	(void)user;
	return zs_box_put(id, from, path, mode, ret_status, error);
}

int zs_box_get_alone(const char *id, const char *path, uint64_t most, int to, const char *user, int *ret_status,
	struct zs_error *error)
{
	(void)user;
	return zs_box_get(id, path, most, to, ret_status, error);
}

bool zs_image_is(const char *path)
{
	(void)path;
	return false;
}

int zs_image_use(
	struct zs_policy *policy, const char *layout, bool root_user, char *const envp[], struct zs_error *error)
{
	(void)policy;
	(void)root_user;
	(void)envp;
	return refuse(layout, error);
}

int zs_git_base_use(struct zs_policy *policy, const char *commit, char *const envp[], struct zs_error *error)
{
	(void)policy;
	(void)envp;
	return refuse(commit, error);
}

int zs_snapshot_save(const char *id, const char *name, char *const envp[], struct zs_error *error)
{
	(void)name;
	(void)envp;
	return refuse(id, error);
}

int zs_snapshot_root(const char *name, char *const envp[], char **ret_path, struct zs_error *error)
{
	(void)envp;
	(void)ret_path;
	return refuse(name, error);
}

int zs_snapshot_restore(const char *id, const char *name, char *const envp[], struct zs_error *error)
{
	(void)name;
	(void)envp;
	return refuse(id, error);
}

int zs_image_unpack(char *const words[])
{
	(void)words;
	return 1;
}

int zs_box_is_root(const char *id, bool *ret_root, bool *ret_users, struct zs_error *error)
{
	(void)ret_root;
	(void)ret_users;
	return refuse(id, error);
}

int zs_box_cut(const char *id, struct zs_error *error)
{
	return refuse(id, error);
}

int zs_box_resume(const char *id, const char *token, struct zs_error *error)
{
	(void)token;
	return refuse(id, error);
}

int zs_box_close(const char *id, struct zs_error *error)
{
	return refuse(id, error);
}

int zs_box_each(void (*each)(const struct zs_box_shown *shown, void *arg), void *arg, struct zs_error *error)
{
	(void)each;
	(void)arg;
	(void)error;
	return 0;
}
