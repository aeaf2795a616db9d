/* Reads an image layout: which blobs make the image for this machine. */
#ifndef ZS_SHIM_LINUX_IMAGE_LAYOUT_H
#define ZS_SHIM_LINUX_IMAGE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha256.h"
#include "zs_sandbox.h"

enum {
	ZS_IMAGE_JSON_MAX = 4 * 1024 * 1024, /* bytes of an index or a manifest */
	ZS_IMAGE_LAYERS_MAX = 256,
	ZS_IMAGE_DEPTH_MAX = 4, /* indexes in an index */
};

/* How a layer's tar file is compressed, and the program that decompresses it. */
#define ZS_IMAGE_COMPRESSIONS(X)                                                                                       \
	X(NONE, "", NULL)                                                                                              \
	X(GZIP, "gzip", "-dc")                                                                                         \
	X(ZSTD, "zstd", "-dcq")

enum zs_image_compression {
#define X(id, program, option) ZS_IMAGE_##id,
	ZS_IMAGE_COMPRESSIONS(X)
#undef X
};

struct zs_image_blob {
	char hex[ZS_SHA256_HEX + 1]; /* its digest */
	uint64_t size;
	enum zs_image_compression compression;
};

struct zs_image_layout {
	int folder;
	struct zs_image_blob manifest;
	struct zs_image_blob layers[ZS_IMAGE_LAYERS_MAX];
	size_t count;
};

/* Reads and checks index and manifest. The caller closes ret_layout->folder. */
int zs_image_layout_read(const char *path, struct zs_image_layout *ret_layout, struct zs_error *error);

/* Opens a blob that has the size. Its bytes are not checked. */
int zs_image_blob_open(const struct zs_image_layout *layout, const struct zs_image_blob *blob, struct zs_error *error);

#endif
