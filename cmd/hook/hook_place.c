#include "hook/hook_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/read_file.h"

enum { TRANSCRIPT_LINE_MAX = 512 * 1024 };

static const char *project_variable(const struct zs_agent *agent)
{
	const char *name = zs_agent_configs[agent->number].project, *value = name ? getenv(name) : NULL;

	return value && *value ? value : NULL;
}

/* Reads the folder from the first line of a Codex session: {"type":"session_meta","payload":{"cwd":"…"}}. */
static char *read_session(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	yyjson_doc *document = end ? yyjson_read(text, (size_t)(end - text), 0) : NULL;
	yyjson_val *cwd = yyjson_obj_get(yyjson_obj_get(yyjson_doc_get_root(document), "payload"), "cwd");
	char *folder = yyjson_get_str(cwd) ? strdup(yyjson_get_str(cwd)) : NULL;

	yyjson_doc_free(document);
	return folder;
}

/* Returns the directory that Codex was started for. The cwd of the event and of the hook's process is the one that the
 * model has named for this call, which must not become the workspace (CVE-2025-59532). *found: there is a session.
 */
static char *session_folder(const struct zs_hook_event *event, bool *found)
{
	ZS_AUTO_FD int fd = event->transcript ? open(event->transcript, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ZS_AUTO_FREE char *text = fd >= 0 ? malloc(TRANSCRIPT_LINE_MAX) : NULL;
	struct stat status;
	size_t len = 0;

	*found = fd >= 0 || (event->transcript && errno != ENOENT);
	if (!text || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return NULL;
	return zs_read_up_to(fd, TRANSCRIPT_LINE_MAX, text, &len) < 0 ? NULL : read_session(text, len);
}

/* Sets the reason. Its value is false. */
#define FAIL(place, ...) (snprintf((place)->why, sizeof(place)->why, __VA_ARGS__), false)

/* Resolves a folder that the call names, relative to cwd. */
static char *resolve(const char *cwd, const char *folder)
{
	char joined[2 * PATH_MAX];
	int len = *folder == '/' ? snprintf(joined, sizeof joined, "%s", folder)
				 : snprintf(joined, sizeof joined, "%s/%s", cwd, folder);

	if (len < 0 || (size_t)len >= sizeof joined) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return realpath(joined, NULL);
}

/* Returns the root that holds the real path `folder`; free() it. */
static char *find_root(const char *folder, const char *const *roots, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *root = realpath(roots[i], NULL);

		if (root && zs_path_lies_in(folder, root))
			return root;
		free(root);
	}
	return NULL;
}

static bool hook_place_look_at(
	struct zs_hook_place *place, const char *cwd, const char *folder, const char *const *roots, size_t count)
{
	/* Some agents expand "~", but a folder of that name may exist here. */
	if (*folder == '~')
		return FAIL(place, "write the path of the folder '%s' in full, without ~", folder);
	ZS_AUTO_FREE char *real = resolve(cwd, folder);

	if (!real)
		return FAIL(place, "zs cannot look at the command's folder '%s': %s", folder, strerror(errno));
	free(place->workspace);
	place->workspace = find_root(real, roots, count);
	if (!place->workspace) {
		place->outside = true;
		FAIL(place, "runs in '%s', which is outside of the workspace '%s'", real, roots[0]);
	}
	free(place->folder);
	place->folder = ZS_STEAL(real);
	return true;
}

bool zs_hook_find_place(const struct zs_agent *agent, const struct zs_hook_event *event, const char *workspace,
	struct zs_hook_place *place)
{
	const char *const *roots = event->roots;
	size_t root_count = event->root_count;
	char own[PATH_MAX];
	const char *cwd = event->cwd, *root = workspace ? workspace : project_variable(agent);
	bool has_session = false;
	ZS_AUTO_FREE char *session =
		agent->number == ZS_AGENT_CODEX && !workspace ? session_folder(event, &has_session) : NULL;

	*place = (struct zs_hook_place){ .certain = !has_session || session };
	if (!place->certain)
		FAIL(place, "zs cannot read %s's session file '%s'", agent->title, event->transcript);
	root = session ? session : root;
	if (!cwd)
		cwd = root_count > 0 ? event->roots[0] : getcwd(own, sizeof own);
	if (!cwd || *cwd != '/')
		return FAIL(place, "the command's directory '%s' is not an absolute path", cwd ? cwd : "");
	if (workspace || root_count == 0) {
		root = root ? root : cwd;
		roots = &root;
		root_count = 1;
	}
	/* The event names no place but a directory that does not exist: nothing lies outside of it. */
	if (root == cwd && event->folder_count == 0 && access(cwd, F_OK) < 0 && errno == ENOENT) {
		place->certain = false;
		place->workspace = strdup(cwd);
		return FAIL(place, "the directory '%s' does not exist", cwd) || place->workspace;
	}
	if (!hook_place_look_at(place, cwd, ".", roots, root_count))
		return false;
	for (size_t i = 0; i < event->folder_count && !place->outside; i++)
		if (!hook_place_look_at(place, cwd, event->folders[i], roots, root_count))
			return false;
	return true;
}

void zs_hook_place_free(struct zs_hook_place *place)
{
	free(place->workspace);
	free(place->folder);
}
