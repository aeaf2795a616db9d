#include "base/members.h"

static const struct zs_member *members_find(yyjson_val *key, const struct zs_member *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (yyjson_equals_str(key, members[i].key))
			return &members[i];
	return NULL;
}

const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL) {
		const struct zs_member *member = members_find(key, members, count);

		if (!member)
			continue;
		if (*member->value)
			return member->key;
		*member->value = yyjson_obj_iter_get_val(key);
	}
	return NULL;
}

yyjson_val *zs_members_stranger(yyjson_val *object, const struct zs_member *members, size_t count)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL)
		if (!members_find(key, members, count))
			return key;
	return NULL;
}
