/* Root directories from images: a folder with oci-layout, index.json and blobs/ (OCI image-spec, image-layout.md). */
#ifndef ZS_SHIM_IMAGE_H
#define ZS_SHIM_IMAGE_H

#include <stdbool.h>

#include "zs_sandbox.h"

/* The word by which zs becomes the process that unpacks a layer; the next two are the folder and the pass. */
#define ZS_UNPACK "--unpack-layer"

/* Is the folder an image layout? */
bool zs_image_is(const char *path);

/* Sets the policy's root to the image's content. The first time the layers are unpacked into
 * $XDG_STATE_HOME/zs/images, which all later runs share and none can write. Each blob's bytes must have its digest.
 * -EOPNOTSUPP: the layout has no image for this machine, or several. */
int zs_image_use(
	struct zs_policy *policy, const char *layout, bool root_user, char *const envp[], struct zs_error *error);

/* Becomes the process that unpacks one layer, a tar file, from its standard input: words are the folder and the pass.
 * It runs confined, and can write that folder alone. Returns its exit code. */
int zs_image_unpack(char *const words[]);

#endif
