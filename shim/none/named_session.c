/* No named sessions on this system. */
#include "named_session.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "zs_shim.h"

static const char why[] = "named sessions are not available on this system";

int zs_named_check(const char *name, struct zs_error *error)
{
	return zs_error_say(error, "session", name, EOPNOTSUPP, "%s", why);
}

int zs_named_check_file(const struct zs_policy *policy, const char *file, struct zs_error *error)
{
	(void)policy;
	return zs_error_say(error, "session", file, EOPNOTSUPP, "%s", why);
}

int zs_named_run(struct zs_policy *policy, const char *name, uint64_t idle_seconds, char *const argv[], int denials,
	int *ret_status, struct zs_error *error)
{
	if (denials > 0)
		close(denials);
	(void)policy;
	(void)idle_seconds;
	(void)argv;
	(void)ret_status;
	return zs_error_say(error, "session", name, EOPNOTSUPP, "%s", why);
}

int zs_named_end(const char *workspace, const char *name, struct zs_error *error)
{
	(void)workspace;
	return zs_error_say(error, "session", name, EOPNOTSUPP, "%s", why);
}

int zs_named_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error)
{
	(void)each;
	(void)arg;
	(void)error;
	return 0;
}

_Noreturn void zs_named_serve(zs_become *become)
{
	(void)become;
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}
