/* A policy's limits. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/policy.h"

enum unit { SECONDS, BYTES, COUNT };

/* The rest fits a signed 64-bit number, so that none is RLIM_INFINITY. */
static const uint64_t most[] = { [SECONDS] = ZS_POLICY_SECONDS_MAX, [BYTES] = INT64_MAX, [COUNT] = INT64_MAX };

#define ROW(id, name, word, unit, text) [ZS_LIMIT_##id] = { offsetof(struct zs_limits, name), unit },

static const struct {
	size_t field;
	enum unit unit;
} rows[] = { ZS_LIMITS(ROW) };

int zs_policy_set_limit(struct zs_policy *policy, enum zs_limit limit, uint64_t value, struct zs_error *error)
{
	const char *name = zs_limit_name(limit);

	if (!name)
		return zs_error_say(error, "policy", "limits", EINVAL, "unknown limit %d", (int)limit);
	if (value == 0)
		return zs_error_say(error, "policy", name, EINVAL, "is 0; leave it out where there is no limit");
	if (value > most[rows[limit].unit])
		return zs_error_say(error, "policy", name, ERANGE, "is more than %" PRIu64, most[rows[limit].unit]);
	*(uint64_t *)((char *)&policy->limits + rows[limit].field) = value;
	return 0;
}

uint64_t zs_policy_limit(const struct zs_policy *policy, enum zs_limit limit)
{
	return *(const uint64_t *)((const char *)&policy->limits + rows[limit].field);
}

void zs_policy_limit_text(const struct zs_policy *policy, enum zs_limit limit, char *text, size_t size)
{
	static const struct {
		const char *letters[4];
		uint64_t factor;
	} units[] = {
		[SECONDS] = { { "s", "m", "h", NULL }, 60 },
		[BYTES] = { { "", "K", "M", "G" }, 1024 },
		[COUNT] = { { "", NULL }, 1 },
	};
	enum unit unit = rows[limit].unit;
	uint64_t value = zs_policy_limit(policy, limit);
	size_t i = 0;

	while (i < 3 && units[unit].letters[i + 1] && value % units[unit].factor == 0) {
		value /= units[unit].factor;
		i++;
	}
	snprintf(text, size, "%" PRIu64 "%s", value, units[unit].letters[i]);
}
