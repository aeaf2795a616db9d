/* Adds what a task needs to a policy. The user's own configuration may name a registry, and that host is granted. The
 * workspace's may not, since its repository or a command has written it: zs_policy_each_missing() tells of it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/read_file.h"
#include "net/registry.h"
#include "policy/host_list.h"
#include "policy/policy.h"
#include "policy/preset.h"

static const char step[] = "for";

struct adding {
	struct zs_policy *policy;
	enum zs_task task;
	char *const *envp;
	struct zs_error *error;
	const struct zs_task_row *row;
	bool replaced; /* the user names a default registry of their own */
};

/* NULL: the row names no place here, or memory ran out. free() it. */
static char *place_of(const struct zs_task_row *row, const struct zs_policy *policy, char *const envp[])
{
	const char *value = *row->variable ? zs_env_value(envp, row->variable) : NULL;
	ZS_AUTO_FREE char *base = NULL;

	if (value && *value)
		base = strdup(value);
	else if (row->fallback[0] == '/')
		base = strdup(row->fallback);
	else if (*row->fallback && policy->home)
		base = zs_path_join(policy->home, row->fallback);
	if (!base || base[0] != '/')
		return NULL;
	return *row->name ? zs_path_join(base, row->name) : ZS_STEAL(base);
}

/* Reads the beginning of a regular file; free() *ret_text. -EFBIG: it is longer, and *ret_text is set. */
static int read_beginning(const char *path, int flags, char **ret_text)
{
	const size_t max = (size_t)ZS_TASK_KIB_MAX << 10;
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
	ZS_AUTO_FREE char *text = NULL;
	struct stat st;
	size_t len;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	text = malloc(max + 2);
	r = text ? zs_read_up_to(fd, max + 1, text, &len) : -ENOMEM;
	if (r < 0)
		return r;
	text[len > max ? max : len] = '\0';
	*ret_text = ZS_STEAL(text);
	return len > max ? -EFBIG : 0;
}

/* May a command, of this run or of an earlier one, have written the file? */
static bool is_the_workspaces(const struct zs_policy *policy, const char *path)
{
	return (policy->workspace && zs_way_touches(path, policy->workspace)) || zs_policy_can_write(policy, path);
}

static int add_registry(const char *host, bool exact, void *arg)
{
	struct adding *adding = arg;

	adding->replaced |= exact && adding->row->replaces;
	return host ? zs_policy_add_host(adding->policy, host, adding->error) : 0;
}

static int add_configured(struct adding *adding)
{
	const struct zs_task_row *row = adding->row;
	ZS_AUTO_FREE char *path = NULL;
	ZS_AUTO_FREE char *text = NULL;
	const char *value;
	int r;

	if (row->fact == ZS_FACT_REGISTRY_VARIABLE) {
		value = zs_env_value(adding->envp, row->variable);
		return value && *value ? zs_registries(value, NULL, add_registry, adding) : 0;
	}
	path = place_of(row, adding->policy, adding->envp);
	r = path ? read_beginning(path, 0, &text) : -ENOENT;
	if (r == -ENOMEM)
		return zs_error_errno(adding->error, step, path, ENOMEM);
	if (r == -EFBIG)
		return zs_error_say(adding->error, step, path, EFBIG,
			"is longer than %d KiB, so the registries in it cannot be found; name its host by --host",
			ZS_TASK_KIB_MAX);
	return r == 0 && !is_the_workspaces(adding->policy, path) ? zs_registries(text, row->key, add_registry, adding)
								  : 0;
}

/* Calls add() for each row of the task that has one of two facts. */
static int for_rows(struct adding *adding, enum zs_fact one, enum zs_fact other, int (*add)(struct adding *adding))
{
	int r = 0;

	for (adding->row = zs_task_rows; r == 0 && adding->row->tasks; adding->row++)
		if (adding->row->tasks & 1u << adding->task && (adding->row->fact == one || adding->row->fact == other))
			r = add(adding);
	return r;
}

static int add_default(struct adding *adding)
{
	return adding->row->replaces && adding->replaced
		       ? 0
		       : zs_policy_add_host(adding->policy, adding->row->name, adding->error);
}

/* The defaults come last: a tool whose registry is the user's own asks no other. */
static int add_hosts(struct adding *adding)
{
	int r = for_rows(adding, ZS_FACT_REGISTRY_VARIABLE, ZS_FACT_REGISTRY_FILE, add_configured);

	return r < 0 ? r : for_rows(adding, ZS_FACT_HOST, ZS_FACT_HOST, add_default);
}

static int add_variable(struct adding *adding)
{
	const char *value = zs_env_value(adding->envp, adding->row->variable);

	return value && (adding->row->fact == ZS_FACT_VARIABLE || !zs_registry_has_secret(value))
		       ? zs_policy_add_env(adding->policy, adding->row->variable, adding->error)
		       : 0;
}

static int add_file(struct adding *adding)
{
	ZS_AUTO_FREE char *path = place_of(adding->row, adding->policy, adding->envp);
	ZS_AUTO_FREE char *text = NULL;
	struct stat st;

	/* what everybody may read in /etc is granted, and for root nothing else there shall be */
	if (!path || stat(path, &st) < 0 || zs_path_lies_in(path, "/etc"))
		return 0;
	if (adding->row->fact == ZS_FACT_REGISTRY_FILE &&
		(is_the_workspaces(adding->policy, path) || read_beginning(path, 0, &text) < 0 ||
			zs_registry_has_secret(text)))
		return 0;
	return zs_policy_add_path(adding->policy, path, ZS_ACCESS_READ, adding->error);
}

/* The cache that the tool's configuration names, which the task lets it read. A place that a preset may not grant, such
 * as the home itself, is left out when the policy is resolved. */
static int add_cache(struct adding *adding)
{
	struct zs_policy *policy = adding->policy;
	ZS_AUTO_FREE char *file = place_of(adding->row, policy, adding->envp);
	ZS_AUTO_FREE char *text = NULL;
	ZS_AUTO_FREE char *named = NULL;
	ZS_AUTO_FREE char *path = NULL;
	size_t len, count = policy->grant_count;
	const char *value;
	int r;

	if (!file || is_the_workspaces(policy, file) || read_beginning(file, 0, &text) < 0 ||
		zs_registry_has_secret(text))
		return 0;
	len = zs_config_value(text, adding->row->key, &value);
	named = strndup(len ? value : "", len);
	if (!named || zs_path_normalize(named, policy->home, &path, &value) < 0)
		return 0;
	r = zs_policy_add_normal(policy, path, ZS_ACCESS_WRITE, ZS_ORIGIN_VARIABLE, adding->error);
	if (r == 0 && policy->grant_count > count) {
		policy->grants[count].tool = zs_task_name(adding->task);
		policy->grants[count].adds = adding->row->fact == ZS_FACT_LAYER_FILE;
	}
	return r;
}

static bool is_socket(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}

static int add_socket(struct adding *adding)
{
	ZS_AUTO_FREE char *path = place_of(adding->row, adding->policy, adding->envp);

	return is_socket(path) ? zs_policy_add_socket(adding->policy, path, adding->error) : 0;
}

/* Adds what the name of a row's folder stands for; it may be a pattern. */
static int add_device_name(int folder, const char *name, unsigned char type, void *arg)
{
	struct adding *adding = arg;
	const struct zs_task_row *row = adding->row;
	bool device = row->fact == ZS_FACT_DEVICE;
	ZS_AUTO_FREE char *path = zs_path_join(row->fallback, name);
	ZS_AUTO_FREE char *link = path && !device ? zs_path_join(path, row->key) : NULL;
	ZS_AUTO_FREE char *real = link ? realpath(link, NULL) : NULL;

	(void)folder, (void)type;
	if (!path)
		return zs_error_errno(adding->error, step, name, ENOMEM);
	if (!zs_pattern_matches(row->name, name) || (!device && (!real || !zs_path_lies_in(real, "/sys/devices"))))
		return 0;
	return zs_policy_add_path(
		adding->policy, device ? path : real, device ? ZS_ACCESS_WRITE : ZS_ACCESS_READ, adding->error);
}

/* Where the machine has no such device, nothing is granted. */
static int add_device(struct adding *adding)
{
	ZS_AUTO_FD int folder = zs_folder_open(adding->row->fallback);
	int cause;

	return folder < 0 ? 0 : zs_folder_each(folder, add_device_name, adding, &cause);
}

static int hide(struct adding *adding)
{
	ZS_AUTO_FREE char *path = place_of(adding->row, adding->policy, adding->envp);
	int r = path ? zs_policy_add_path(adding->policy, path, ZS_ACCESS_HIDE, adding->error) : 0;

	if (path && r == 0)
		zs_policy_make_firm(adding->policy, path, ZS_ACCESS_HIDE);
	return r;
}

static int allow_git(struct adding *adding)
{
	return zs_policy_set_git(adding->policy, ZS_GIT_ALLOW, adding->error);
}

int zs_policy_add_task(struct zs_policy *policy, enum zs_task task, char *const envp[], struct zs_error *error)
{
	static const struct {
		enum zs_fact one, other;
		int (*add)(struct adding *adding);
	} parts[] = {
		{ ZS_FACT_VARIABLE, ZS_FACT_REGISTRY_VARIABLE, add_variable },
		{ ZS_FACT_READ, ZS_FACT_REGISTRY_FILE, add_file },
		{ ZS_FACT_CACHE_FILE, ZS_FACT_LAYER_FILE, add_cache },
		{ ZS_FACT_SOCKET, ZS_FACT_SOCKET, add_socket },
		{ ZS_FACT_GIT, ZS_FACT_GIT, allow_git },
		{ ZS_FACT_DEVICE, ZS_FACT_DESCRIPTION, add_device },
		{ ZS_FACT_HIDDEN, ZS_FACT_HIDDEN, hide },
	};
	struct adding adding = { .policy = policy, .task = task, .envp = envp, .error = error };
	int r = policy->network == ZS_NETWORK_FULL ? 0 : add_hosts(&adding);

	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++)
		r = for_rows(&adding, parts[i].one, parts[i].other, parts[i].add);
	policy->tasks |= 1u << task;
	return r;
}

#define LIST_TASK(id, name, text) ", " name

int zs_policy_add_hosts(struct zs_policy *policy, const char *host, char *const envp[], struct zs_error *error)
{
	struct adding adding = { .policy = policy, .envp = envp, .error = error };
	const struct zs_task_row *row = zs_task_rows;

	if (host[0] != '@')
		return zs_policy_add_host(policy, host, error);
	if (zs_task_from_name(host + 1, &adding.task) < 0)
		return zs_error_say(error, step, host, EINVAL, "no such task; choose from %s", &ZS_TASKS(LIST_TASK)[2]);
	while (row->tasks && (!(row->tasks & 1u << adding.task) || row->fact != ZS_FACT_HOST))
		row++;
	return row->tasks ? add_hosts(&adding) : zs_error_say(error, step, host, EINVAL, "this task has no hosts");
}

const char *zs_task_of_host(const char *host)
{
	size_t len = strlen(host);
	enum zs_task task = 0;

	for (const struct zs_task_row *row = zs_task_rows; row->tasks; row++) {
		if (row->fact != ZS_FACT_HOST || strncmp(row->name, host, len) != 0 || row->name[len] != ':')
			continue;
		while (!(row->tasks & 1u << task))
			task++;
		return zs_task_name(task);
	}
	return NULL;
}

uint32_t zs_policy_find_tasks(const struct zs_policy *policy)
{
	uint32_t found = 0;
	struct stat st;

	for (const struct zs_task_row *row = zs_task_rows; policy->workspace && row->tasks; row++) {
		ZS_AUTO_FREE char *path = row->fact == ZS_FACT_MARK ? zs_path_join(policy->workspace, row->name) : NULL;

		if (path && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			found |= row->tasks;
	}
	return found & ((1u << ZS_REGISTRY_TASK_COUNT) - 1);
}

/* Telling of what is missing */

struct telling {
	const struct zs_policy *policy;
	char *const *envp;
	zs_each_error *each;
	void *arg;
	const char *file; /* being read */
	const char *task;
	struct zs_strings told; /* hosts */
};

static int tell_host(const char *host, bool exact, void *arg)
{
	struct telling *telling = arg;
	struct zs_host_entry entry;
	struct zs_error error;

	(void)exact;
	if (!host || zs_host_entry_parse(host, &entry, NULL) < 0 ||
		zs_hosts_allow(&telling->policy->hosts, &entry.host))
		return 0;
	for (size_t i = 0; i < telling->told.count; i++)
		if (strcmp(telling->told.items[i], host) == 0)
			return 0;
	if (telling->told.count == ZS_TASK_TOLD_MAX)
		return -E2BIG;
	telling->told.items[telling->told.count] = strdup(host);
	if (!telling->told.items[telling->told.count])
		return -ENOMEM;
	telling->told.count++;
	zs_error_say(&error, step, telling->task, EPERM,
		"%s names %s, which is not granted, since a command may have written that", telling->file, host);
	zs_error_hint(&error, 0, "if you trust this host, add --host %s", host);
	telling->each(&error, telling->arg);
	return 0;
}

static int tell_file(struct telling *telling, const struct zs_task_row *row)
{
	bool own = row->fact == ZS_FACT_WORKSPACE_REGISTRY;
	ZS_AUTO_FREE char *root = own && telling->policy->workspace ? realpath(telling->policy->workspace, NULL) : NULL;
	ZS_AUTO_FREE char *path =
		own ? root ? zs_path_join(root, row->name) : NULL : place_of(row, telling->policy, telling->envp);
	ZS_AUTO_FREE char *text = NULL;

	/* a link in the workspace may lead to a file that its author cannot read */
	if (!path || (own && !zs_path_is_real(path)))
		return 0;
	read_beginning(path, own ? O_NOFOLLOW : 0, &text);
	telling->file = own ? row->name : path;
	return text && (own || is_the_workspaces(telling->policy, path))
		       ? zs_registries(text, row->key, tell_host, telling)
		       : 0;
}

static void tell_socket(struct telling *telling, enum zs_task task)
{
	struct zs_error error;
	bool wanted = false;

	for (const struct zs_task_row *row = zs_task_rows; row->tasks; row++) {
		ZS_AUTO_FREE char *path = NULL;

		if (!(row->tasks & 1u << task) || row->fact != ZS_FACT_SOCKET)
			continue;
		wanted = true;
		path = place_of(row, telling->policy, telling->envp);
		if (is_socket(path))
			return;
	}
	if (!wanted)
		return;
	zs_error_say(&error, step, telling->task, ENOENT, "the agent's socket was not found");
	zs_error_hint(&error, 0, "start the agent before the run");
	telling->each(&error, telling->arg);
}

void zs_policy_each_missing(const struct zs_policy *policy, char *const envp[], zs_each_error *each, void *arg)
{
	char *items[ZS_TASK_TOLD_MAX];
	struct telling telling = {
		.policy = policy, .envp = envp, .each = each, .arg = arg, .told = { .items = items }
	};
	int r = policy->network == ZS_NETWORK_FULL ? -1 : 0;

	for (enum zs_task task = 0; task < ZS_TASK_COUNT; task++) {
		if (!(policy->tasks & 1u << task))
			continue;
		telling.task = zs_task_name(task);
		for (const struct zs_task_row *row = zs_task_rows; r == 0 && row->tasks; row++)
			if (row->tasks & 1u << task &&
				(row->fact == ZS_FACT_WORKSPACE_REGISTRY || row->fact == ZS_FACT_REGISTRY_FILE))
				r = tell_file(&telling, row);
		tell_socket(&telling, task);
	}
	for (size_t i = 0; i < telling.told.count; i++)
		free(items[i]);
}
