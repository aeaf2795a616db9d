#include "read/refusal.h"

#include <stddef.h>

static const struct {
	const char *what, *hint;
} refusals[] = { [ZS_REFUSE_NOTHING] = { NULL, NULL },
#define X(id, what, hint) [ZS_REFUSE_##id] = { what, hint },
	ZS_REFUSALS(X)
#undef X
};

const char *zs_refusal_what(enum zs_refusal refusal)
{
	return refusals[refusal].what;
}

const char *zs_refusal_hint(enum zs_refusal refusal)
{
	return refusals[refusal].hint;
}
