/* Saves answers: those for the session in its file, those for always in the user's settings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include "approval/approval.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "approval/session_place.h"
#include "settings/settings_places.h"
#include "settings/settings_value.h"

static const char step[] = "session";

/* A session's file and its open folder, which is locked while the file is changed. */
struct session {
	struct zs_session_place place;
	int folder;
	char *path; /* for messages */
	yyjson_mut_doc *doc;
	yyjson_mut_val *approvals;
	struct zs_error *error;
};

static void session_close(struct session *session)
{
	if (session->folder >= 0)
		close(session->folder);
	free(session->place.folder);
	free(session->path);
	yyjson_mut_doc_free(session->doc);
}

static int approval_session_refuse(const struct session *session, const char *what)
{
	return zs_session_refuse(session->path, what, session->error);
}

/* -ENOENT: there is no file. */
static int approval_session_read_file(const struct session *session, struct zs_file_text *ret_text)
{
	ZS_AUTO_FD int fd =
		openat(session->folder, session->place.file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int r;

	if (fd < 0 && errno == ENOENT)
		return -ENOENT;
	if (fd < 0 && errno == ELOOP)
		return approval_session_refuse(session, "is a symbolic link");
	if (fd < 0 || fstat(fd, &st) < 0)
		return zs_error_errno(session->error, step, session->path, errno);
	/* A file that has just been replaced has no name any more. */
	if (!S_ISREG(st.st_mode) || st.st_nlink > 1)
		return approval_session_refuse(session, "has other hard links, or is not a regular file");
	r = zs_session_check_owner(session->path, &st, session->error);
	if (r == 0)
		r = zs_read_text(step, session->path, fd, ZS_SESSION_FILE_MAX, ret_text, session->error);
	return r == -E2BIG ? approval_session_refuse(session, "is too large") : r;
}

/* Empties a file of an earlier start of the machine. */
static int approval_session_parse(struct session *session, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, YYJSON_READ_NOFLAG);
	yyjson_val *root = yyjson_doc_get_root(doc), *boot = yyjson_obj_get(root, "boot");
	bool sound =
		yyjson_obj_size(root) == 2 && yyjson_is_str(boot) && yyjson_is_arr(yyjson_obj_get(root, "approvals"));
	bool ours = sound && strcmp(yyjson_get_str(boot), session->place.boot) == 0;

	if (ours)
		session->approvals = yyjson_val_mut_copy(session->doc, yyjson_obj_get(root, "approvals"));
	yyjson_doc_free(doc);
	if (!sound)
		return approval_session_refuse(session, "is not a list of approvals");
	return ours && !session->approvals ? zs_error_errno(session->error, step, NULL, ENOMEM) : 0;
}

/* A reader takes no lock: the file is replaced as a whole, and a command that holds the lock must not stop a run. */
enum use { READ, CHANGE, MAKE /* also makes a missing folder */ };

/* -ENOENT: there is no folder, or the session has no name. */
static int session_open(
	struct session *session, char *const envp[], const char *workspace, enum use use, struct zs_error *error)
{
	struct zs_file_text text = { 0 };
	int r;

	*session = (struct session){ .folder = -1, .error = error };
	r = zs_session_place(envp, workspace, &session->place, error);
	if (r < 0)
		return r;
	if (!*session->place.file)
		return -ENOENT;
	r = zs_session_folder_open(session->place.folder, use == MAKE, &session->folder, error);
	if (r == 0 && use != READ)
		r = zs_lock_open_folder(step, session->place.folder, session->folder, error);
	if (r < 0)
		return r;
	zs_session_folder_clean(session->folder);
	session->path = zs_path_join(session->place.folder, session->place.file);
	session->doc = yyjson_mut_doc_new(NULL);
	if (!session->path || !session->doc)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = approval_session_read_file(session, &text);
	if (r == 0)
		r = approval_session_parse(session, text.text, text.len);
	free(text.text);
	if (r == -ENOENT)
		r = 0;
	if (r == 0 && !session->approvals)
		session->approvals = yyjson_mut_arr(session->doc);
	return r < 0 || session->approvals ? r : zs_error_errno(error, step, NULL, ENOMEM);
}

static int session_write(struct session *session)
{
	yyjson_mut_val *root = yyjson_mut_obj(session->doc);
	ZS_AUTO_FREE char *text = NULL;
	size_t len;

	yyjson_mut_doc_set_root(session->doc, root);
	if (yyjson_mut_obj_add_str(session->doc, root, "boot", session->place.boot) &&
		yyjson_mut_obj_add_val(session->doc, root, "approvals", session->approvals))
		text = yyjson_mut_write(session->doc, YYJSON_WRITE_PRETTY, &len);
	if (!text)
		return zs_error_errno(session->error, step, NULL, ENOMEM);
	if (len > ZS_SESSION_FILE_MAX)
		return zs_error_say(session->error, step, session->path, E2BIG, "would have more than %d bytes",
			ZS_SESSION_FILE_MAX);
	return zs_replace_file(step, session->folder, session->place.file, 0600, text, len, session->error);
}

static const char *workspace_of(const struct zs_approvals *approvals)
{
	return approvals->base ? approvals->base->workspace : NULL;
}

/* Reads an entry. False: zs has not written it. */
static bool read_entry(yyjson_mut_val *entry, enum zs_need_kind *ret_kind, const char **ret_value)
{
	yyjson_mut_val *name = yyjson_mut_obj_get(entry, "kind"), *value = yyjson_mut_obj_get(entry, "value");
	enum zs_need_kind kind = 0;

	while (kind < ZS_NEED_COUNT && !yyjson_mut_equals_str(name, zs_need_name(kind)))
		kind++;
	if (kind == ZS_NEED_COUNT || yyjson_mut_obj_size(entry) != 1 + (size_t)!!value ||
		(value && (!yyjson_mut_is_str(value) ||
				  strlen(yyjson_mut_get_str(value)) != yyjson_mut_get_len(value))) ||
		(kind <= ZS_NEED_WRITE) != !!value)
		return false;
	*ret_kind = kind;
	*ret_value = value ? yyjson_mut_get_str(value) : NULL;
	return true;
}

int zs_approvals_load(struct zs_approvals *approvals, struct zs_error *error)
{
	struct session session;
	int r = session_open(&session, approvals->envp, workspace_of(approvals), READ, error);
	yyjson_mut_arr_iter entries = yyjson_mut_arr_iter_with(session.approvals);
	yyjson_mut_val *entry;

	while (r == 0 && (entry = yyjson_mut_arr_iter_next(&entries))) {
		enum zs_need_kind kind;
		const char *value;

		r = read_entry(entry, &kind, &value)
			    ? zs_approvals_add(approvals, kind, value, ZS_ANSWER_SESSION, error)
			    : approval_session_refuse(&session, "has an entry that is not an approval");
	}
	session_close(&session);
	return r == -ENOENT ? 0 : r;
}

static bool same(yyjson_mut_val *entry, enum zs_need_kind kind, const char *value)
{
	const char *its_value;
	enum zs_need_kind its_kind;

	return read_entry(entry, &its_kind, &its_value) && its_kind == kind &&
	       (!value || strcmp(its_value, value) == 0);
}

static bool has(const struct session *session, const struct zs_approved *item)
{
	yyjson_mut_arr_iter entries = yyjson_mut_arr_iter_with(session->approvals);
	yyjson_mut_val *entry;

	while ((entry = yyjson_mut_arr_iter_next(&entries)))
		if (same(entry, item->kind, item->value))
			return true;
	return false;
}

static bool add_entry(const struct session *session, const struct zs_approved *item)
{
	yyjson_mut_val *entry = yyjson_mut_arr_add_obj(session->doc, session->approvals);

	return yyjson_mut_obj_add_str(session->doc, entry, "kind", zs_need_name(item->kind)) &&
	       (!item->value || yyjson_mut_obj_add_str(session->doc, entry, "value", item->value));
}

static int save_session(struct zs_approvals *approvals, struct zs_error *error)
{
	struct session session;
	bool any = false;
	int r;

	for (size_t i = 0; i < approvals->count; i++)
		any |= approvals->items[i].fresh && approvals->items[i].answer == ZS_ANSWER_SESSION;
	if (!any)
		return 0;
	r = session_open(&session, approvals->envp, workspace_of(approvals), MAKE, error);
	if (r == -ENOENT && !*session.place.file)
		zs_error_say(error, step, NULL, ENOENT,
			"the session has ended, or has no leader or no folder outside of the workspace; name it by "
			"ZS_SESSION, and its folder by XDG_RUNTIME_DIR");
	for (size_t i = 0; r == 0 && i < approvals->count; i++) {
		const struct zs_approved *item = &approvals->items[i];

		if (item->fresh && item->answer == ZS_ANSWER_SESSION && !has(&session, item) &&
			!add_entry(&session, item))
			r = zs_error_errno(error, step, NULL, ENOMEM);
	}
	if (r == 0)
		r = session_write(&session);
	session_close(&session);
	return r;
}

int zs_approvals_revoke(
	char *const envp[], enum zs_need_kind kind, const char *value, bool *ret_known, struct zs_error *error)
{
	struct session session;
	bool known = false;
	int r = session_open(&session, envp, NULL, CHANGE, error);
	yyjson_mut_arr_iter entries = yyjson_mut_arr_iter_with(session.approvals);
	yyjson_mut_val *entry;

	while (r == 0 && (entry = yyjson_mut_arr_iter_next(&entries)))
		if (same(entry, kind, value))
			known |= yyjson_mut_arr_iter_remove(&entries) != NULL;
	if (r == 0 && known)
		r = session_write(&session);
	session_close(&session);
	if (r == -ENOENT)
		r = 0;
	if (r == 0)
		*ret_known = known;
	return r;
}

static bool has_session(char *const envp[], const char *workspace)
{
	struct zs_session_place place;
	bool has_one = zs_session_place(envp, workspace, &place, NULL) == 0;

	if (has_one)
		free(place.folder);
	return has_one && *place.file;
}

bool zs_approvals_has_session(char *const envp[])
{
	return has_session(envp, NULL);
}

bool zs_approvals_can_remember(const struct zs_approvals *approvals)
{
	return has_session(approvals->envp, workspace_of(approvals));
}

/* Answers for always, in the user's settings */

static int save_always(const struct zs_approvals *approvals, const struct zs_approved *item, struct zs_error *error)
{
	char key[64];

	snprintf(key, sizeof key, "sandbox.%s", zs_need_setting(item->kind));
	return zs_settings_append(approvals->envp, key, item->value, error);
}

int zs_approvals_save(struct zs_approvals *approvals, struct zs_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < approvals->count; i++)
		if (approvals->items[i].fresh && approvals->items[i].answer == ZS_ANSWER_ALWAYS)
			r = save_always(approvals, &approvals->items[i], error);
	if (r == 0)
		r = save_session(approvals, error);
	for (size_t i = 0; r == 0 && i < approvals->count; i++)
		approvals->items[i].fresh = false;
	return r;
}

static bool is_key_of(const struct zs_setting *item, enum zs_need_kind kind)
{
	static const char group[] = "sandbox.";
	size_t len = sizeof group - 1;

	return strncmp(item->key->name, group, len) == 0 && strcmp(item->key->name + len, zs_need_setting(kind)) == 0;
}

void zs_approvals_each_always(const struct zs_settings *settings, zs_each_always *each, void *arg)
{
	for (size_t i = 0; i < settings->user.count; i++) {
		const struct zs_setting *item = &settings->user.items[i];

		if (item->form != ZS_FORM_VALUE || (!item->text && !item->number))
			continue;
		for (enum zs_need_kind kind = 0; kind < ZS_NEED_COUNT; kind++)
			if (is_key_of(item, kind))
				each(kind, item->text, item->line, arg);
	}
}
