#include "base/vet_place.h"

#include <stdlib.h>

void zs_vet_place(const char *workspace, struct zs_vet_options *options)
{
	options->folder = realpath(".", NULL); /* freed with the process */
	options->workspace = workspace ? realpath(workspace, NULL) : options->folder;
	options->home = getenv("HOME");
}
