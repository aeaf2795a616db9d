#include "linux/store/image_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"

static const char step[] = "image";
static const char algorithm[] = "sha256:";

#if defined(__aarch64__)
static const char architecture[] = "arm64";
#else
static const char architecture[] = "amd64";
#endif

/* An image that is no image is the fault of its maker. */
static int refuse(struct zs_error *error, const char *object, const char *why)
{
	return zs_error_say(error, step, object, EINVAL, "%s", why);
}

/* Reads a descriptor's digest and size (image-spec, descriptor.md). */
static int read_blob(yyjson_val *descriptor, struct zs_image_blob *ret_blob, struct zs_error *error)
{
	const char *digest = yyjson_get_str(yyjson_obj_get(descriptor, "digest"));
	yyjson_val *size = yyjson_obj_get(descriptor, "size");
	const char *hex = digest ? digest + strlen(algorithm) : NULL;

	if (!digest || strncmp(digest, algorithm, strlen(algorithm)) != 0 || strlen(hex) != ZS_SHA256_HEX ||
		strspn(hex, "0123456789abcdef") != ZS_SHA256_HEX)
		return refuse(error, digest ? digest : "", "is not sha256: and 64 hexadecimal digits");
	if (!yyjson_is_uint(size))
		return refuse(error, digest, "has no size");
	*ret_blob = (struct zs_image_blob){ .size = yyjson_get_uint(size) };
	memcpy(ret_blob->hex, hex, sizeof ret_blob->hex);
	return 0;
}

int zs_image_blob_open(const struct zs_image_layout *layout, const struct zs_image_blob *blob, struct zs_error *error)
{
	char path[32 + ZS_SHA256_HEX];
	ZS_AUTO_FD int fd = -1;
	struct stat st;

	snprintf(path, sizeof path, "blobs/sha256/%s", blob->hex);
	fd = openat(layout->folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return zs_error_errno(error, step, path, errno);
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size != blob->size)
		return refuse(error, path, "is not a file of the size that the image names");
	return ZS_STEAL_FD(fd);
}

/* Reads a whole file of JSON. blob: what its bytes must be; NULL: anything. */
static int read_json(
	int fd, const char *name, const struct zs_image_blob *blob, yyjson_doc **ret_doc, struct zs_error *error)
{
	ZS_AUTO_FREE char *text = malloc(ZS_IMAGE_JSON_MAX + 2);
	char hex[ZS_SHA256_HEX + 1];
	size_t len;
	int r = text ? zs_read_up_to(fd, ZS_IMAGE_JSON_MAX + 1, text, &len) : -ENOMEM;

	if (r < 0)
		return zs_error_errno(error, step, name, -r);
	if (len > ZS_IMAGE_JSON_MAX)
		return refuse(error, name, "has more than 4 MiB");
	zs_sha256(text, len, hex);
	if (blob && strcmp(hex, blob->hex) != 0)
		return refuse(error, name, "does not have the bytes of its digest");
	*ret_doc = yyjson_read(text, len, YYJSON_READ_NOFLAG);
	return *ret_doc ? 0 : refuse(error, name, "is not JSON");
}

static int read_json_blob(const struct zs_image_layout *layout, const struct zs_image_blob *blob, yyjson_doc **ret_doc,
	struct zs_error *error)
{
	ZS_AUTO_FD int fd = zs_image_blob_open(layout, blob, error);

	return fd < 0 ? fd : read_json(fd, blob->hex, blob, ret_doc, error);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), size = strlen(end);

	return len >= size && strcmp(text + len - size, end) == 0;
}

/* ".tar", ".tar+gzip" (image-spec, layer.md) or ".tar.gzip" (Docker). */
static bool read_compression(const char *type, enum zs_image_compression *ret_compression)
{
	static const char *const names[] = {
#define X(id, program, option) program,
		ZS_IMAGE_COMPRESSIONS(X)
#undef X
	};

	for (size_t i = 1; i < ZS_COUNT(names); i++) {
		char ends[2][16];

		snprintf(ends[0], sizeof ends[0], ".tar+%s", names[i]);
		snprintf(ends[1], sizeof ends[1], ".tar.%s", names[i]);
		*ret_compression = (enum zs_image_compression)i;
		if (ends_with(type, ends[0]) || ends_with(type, ends[1]))
			return true;
	}
	*ret_compression = ZS_IMAGE_NONE;
	return ends_with(type, ".tar");
}

static int read_layers(yyjson_val *manifest, struct zs_image_layout *layout, struct zs_error *error)
{
	yyjson_val *layers = yyjson_obj_get(manifest, "layers"), *layer;
	size_t i, most;

	if (!yyjson_is_arr(layers) || yyjson_arr_size(layers) == 0)
		return refuse(error, layout->manifest.hex, "is a manifest without layers");
	if (yyjson_arr_size(layers) > ZS_IMAGE_LAYERS_MAX)
		return zs_error_say(
			error, step, layout->manifest.hex, E2BIG, "has more than %d layers", ZS_IMAGE_LAYERS_MAX);
	yyjson_arr_foreach(layers, i, most, layer)
	{
		const char *type = yyjson_get_str(yyjson_obj_get(layer, "mediaType"));
		struct zs_image_blob *blob = &layout->layers[layout->count];
		int r = read_blob(layer, blob, error);

		if (r < 0)
			return r;
		if (!type || !read_compression(type, &blob->compression))
			return zs_error_say(error, step, type ? type : blob->hex, EOPNOTSUPP,
				"is a kind of layer that zs does not unpack; it unpacks tar, tar+gzip and tar+zstd");
		layout->count++;
	}
	return 0;
}

static bool is_for_this_machine(yyjson_val *descriptor)
{
	yyjson_val *platform = yyjson_obj_get(descriptor, "platform");

	return !platform || (yyjson_equals_str(yyjson_obj_get(platform, "os"), "linux") &&
				    yyjson_equals_str(yyjson_obj_get(platform, "architecture"), architecture));
}

/* Finds the one entry of an index that is for this machine. */
static int find_image(yyjson_val *index, const char *name, struct zs_image_blob *ret_blob, struct zs_error *error)
{
	yyjson_val *manifests = yyjson_obj_get(index, "manifests"), *each, *found = NULL;
	size_t i, most, count = 0;

	yyjson_arr_foreach(manifests, i, most, each)
	{
		if (!is_for_this_machine(each))
			continue;
		found = each;
		count++;
	}
	if (count == 1)
		return read_blob(found, ret_blob, error);
	return zs_error_say(
		error, step, name, EOPNOTSUPP, "names %zu images for %s; keep one in it", count, architecture);
}

static int zs_image_layout_follow(struct zs_image_layout *layout, yyjson_doc *index, struct zs_error *error)
{
	yyjson_doc *doc = index;
	const char *name = "index.json";
	int r = 0;

	for (int depth = 0; r == 0 && yyjson_obj_get(yyjson_doc_get_root(doc), "manifests"); depth++) {
		r = depth == ZS_IMAGE_DEPTH_MAX ? refuse(error, name, "has more than 4 indexes in one another")
						: find_image(yyjson_doc_get_root(doc), name, &layout->manifest, error);
		yyjson_doc_free(doc);
		doc = NULL;
		name = layout->manifest.hex;
		if (r == 0)
			r = read_json_blob(layout, &layout->manifest, &doc, error);
	}
	if (r == 0 && !layout->manifest.hex[0])
		r = refuse(error, name, "names no images");
	if (r == 0)
		r = read_layers(yyjson_doc_get_root(doc), layout, error);
	yyjson_doc_free(doc);
	return r;
}

int zs_image_layout_read(const char *path, struct zs_image_layout *ret_layout, struct zs_error *error)
{
	ZS_AUTO_FD int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ZS_AUTO_FD int index = -1;
	yyjson_doc *doc;
	int r;

	if (folder < 0)
		return zs_error_errno(error, step, path, errno);
	index = openat(folder, "index.json", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (index < 0)
		return zs_error_errno(error, step, "index.json", errno);
	*ret_layout = (struct zs_image_layout){ .folder = folder };
	r = read_json(index, "index.json", NULL, &doc, error);
	if (r == 0)
		r = zs_image_layout_follow(ret_layout, doc, error);
	if (r == 0)
		ZS_STEAL_FD(folder);
	return r;
}
