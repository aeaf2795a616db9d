/* "path_lists" of a policy's JSON. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "policy/preset.h"

/* In the order of struct zs_path_lists. */
enum { EXEC, READ, WRITE, MORE_EXEC, MORE_READ, MORE_WRITE, LISTS };

struct lists {
	const char **items[LISTS];
};

static int read_list(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, const char ***ret_items)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(value);
	yyjson_val *item;
	const char **list;
	int result = 0;

	if (yyjson_is_null(value))
		return 0;
	if (!yyjson_is_arr(value))
		return zs_json_fail(reader, place, EINVAL, "is neither an array nor null");
	list = calloc(yyjson_arr_size(value) + 1, sizeof *list);
	if (!list)
		return zs_json_fail(reader, place, ENOMEM, "out of memory");
	*ret_items = list;
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		struct zs_json_place at = zs_json_element(place, i, item);

		if (!zs_json_goes_on(reader, zs_json_string(reader, &at, item, &list[i]), &result))
			break;
	}
	return result;
}

#define READ_LIST(name, index)                                                                                         \
	static int read_##name(                                                                                        \
		struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)       \
	{                                                                                                              \
		return read_list(reader, place, value, &((struct lists *)into)->items[index]);                         \
	}
READ_LIST(exec, EXEC)
READ_LIST(read, READ)
READ_LIST(write, WRITE)
READ_LIST(more_exec, MORE_EXEC)
READ_LIST(more_read, MORE_READ)
READ_LIST(more_write, MORE_WRITE)

static const struct zs_json_field fields[] = {
	{ "exec", read_exec, false },
	{ "read", read_read, false },
	{ "write", read_write, false },
	{ "more_exec", read_more_exec, false },
	{ "more_read", read_more_read, false },
	{ "more_write", read_more_write, false },
};

int zs_json_path_lists(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value)
{
	struct lists lists = { { NULL } };
	struct zs_error inner;
	int r = zs_json_object(reader, place, value, fields, ZS_COUNT(fields), &lists);

	if (r == 0) {
		const struct zs_path_lists paths = {
			.exec = lists.items[EXEC],
			.read = lists.items[READ],
			.write = lists.items[WRITE],
			.more_exec = lists.items[MORE_EXEC],
			.more_read = lists.items[MORE_READ],
			.more_write = lists.items[MORE_WRITE],
		};

		if (zs_policy_use_lists(reader->policy, reader->envp, &paths, &inner) < 0)
			r = zs_json_refused(reader, place, &inner);
	}
	for (size_t i = 0; i < LISTS; i++)
		free(lists.items[i]);
	return r;
}
