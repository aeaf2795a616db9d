#include "base/folder_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool folder_names_add(struct zs_folder_names *names, size_t *size, const char *name)
{
	size_t name_size = strlen(name) + 1;

	if (names->len + name_size > *size) {
		size_t more = 2 * *size + name_size;
		char *text = realloc(names->names, more);

		if (!text)
			return false;
		names->names = text;
		*size = more;
	}
	memcpy(names->names + names->len, name, name_size);
	names->len += name_size;
	return true;
}

struct zs_folder_names zs_folder_names_read(const char *folder)
{
	struct zs_folder_names names = { 0 };
	DIR *dir = opendir(folder);
	size_t size = 1024, count = 0;
	struct dirent *entry;

	if (!dir)
		return names;
	names.names = malloc(size);
	names.known = names.names != NULL;
	while (names.known && (errno = 0, entry = readdir(dir)))
		names.known = ++count <= ZS_FOLDER_NAMES_MAX && folder_names_add(&names, &size, entry->d_name);
	names.known &= errno == 0;
	closedir(dir);
	return names;
}

void zs_folder_names_free(struct zs_folder_names *names)
{
	free(names->names);
	*names = (struct zs_folder_names){ 0 };
}

bool zs_folder_names_lack(const struct zs_folder_names *names, const char *path)
{
	size_t len = strcspn(path, "/"), name_len;

	for (const char *name = names->names; names->known && name < names->names + names->len; name += name_len + 1) {
		name_len = strlen(name);
		if (name_len == len && strncasecmp(name, path, len) == 0)
			return false;
	}
	return names->known && len > 0;
}
