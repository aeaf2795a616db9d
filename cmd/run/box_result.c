#include "run/box_result.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

static void put_output(struct zs_json *json, const struct zs_box_capture *capture)
{
	zs_json_bytes(json, capture->bytes ? capture->bytes : "", capture->len);
}

/* A number that is only known of a command that has ended by itself or by a signal. */
static void put_number(struct zs_json *json, bool known, int number)
{
	char text[16] = "null";

	if (known)
		snprintf(text, sizeof text, "%d", number);
	zs_json_raw(json, text);
}

#define WORD(id, name, word, unit, text) [ZS_LIMIT_##id] = word,
static const char *const limits[] = { ZS_LIMITS(WORD) };

static void put_limits(struct zs_json *json, uint32_t bits)
{
	char list[256] = "";

	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		if (bits >> limit & 1)
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "|" : "",
				limits[limit]);
	zs_json_split(json, list);
}

/* How it ended, in one word. */
static const char *end_name(const struct zs_box_result *result)
{
	static const char *const causes[] = { [ZS_BOX_KILLED] = "killed",
		[ZS_BOX_CLOSED] = "closed",
		[ZS_BOX_OWNER] = "owner",
		[ZS_BOX_LIMIT] = "limit" };

	if (result->end == ZS_BOX_LOST)
		return causes[result->cause];
	return result->end == ZS_BOX_TIMED_OUT ? "timeout" : result->signal ? "signal" : "exit";
}

void zs_box_print_result(const struct zs_box_shown_result *shown)
{
	const struct zs_box_result *result = shown->result;
	bool ended = !shown->failure && result->end == ZS_BOX_ENDED;
	struct zs_json json = { stdout, false };

	zs_json_print(&json, "{'status':");
	put_number(&json, ended, result->status);
	zs_json_print(&json, ",'signal':");
	put_number(&json, ended && result->signal, result->signal);
	zs_json_print(&json, ",'timed_out':%i,'ended':%s,'failure':%s,'message':%s,'limits':",
		!shown->failure && result->end == ZS_BOX_TIMED_OUT, shown->ran ? end_name(result) : NULL,
		shown->failure, shown->message);
	put_limits(&json, result->limits);
	zs_json_print(
		&json, ",'policy':%s,'image':%s,'enforced':", shown->policy, result->image[0] ? result->image : NULL);
	if (shown->ran) {
		zs_json_print(&json, "{'tier':%s,'each_process':", zs_tier_name(result->tier));
		put_limits(&json, result->each_process);
		zs_json_print(&json, "}");
	} else {
		zs_json_raw(&json, "null");
	}
	zs_json_print(&json, ",'stdout':");
	put_output(&json, &shown->captures[0]);
	zs_json_print(&json, ",'stdout_truncated':%i,'stderr':", shown->captures[0].cut);
	put_output(&json, &shown->captures[1]);
	zs_json_print(&json, ",'stderr_truncated':%i", shown->captures[1].cut);
	printf(",%s}\n", shown->denials);
}
