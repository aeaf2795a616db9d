/* The result of a command in a box, as zs box exec --json prints it. */
#ifndef ZS_CMD_BOX_RESULT_H
#define ZS_CMD_BOX_RESULT_H

#include <stdbool.h>

#include "zs_box.h"

struct zs_box_shown_result {
	const struct zs_box_result *result;
	const struct zs_box_capture *captures; /* ZS_BOX_OUTPUTS of them */
	bool ran;
	const char *failure, *message; /* NULL: the command has ended, in whatever way */
	const char *policy;            /* its digest; NULL: it is not known */
	const char *denials;           /* members of JSON */
};

void zs_box_print_result(const struct zs_box_shown_result *shown);

#endif
