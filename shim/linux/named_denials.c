#include "linux/named_denials.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "linux/run/observer.h"
#include "linux/trace/denial_channel.h"
#include "proxy/proxy_loop.h"

enum {
	TAKEN_MAX = 256, /* messages at a time: the daemon has other work */
	END_MS = 1000,   /* the longest wait for the mark, which may be lost; the client waits ZS_DENIAL_WAIT_MS */
	RETRY_MS = 2,    /* the time between attempts to send the end to a collector that is behind */
};

static bool collects(const struct zs_named_told *told)
{
	return told->channel >= 0 && !told->marked;
}

static void stop(struct zs_named_told *told)
{
	close(told->channel);
	told->channel = -1;
}

/* A collector that does not keep up loses records of its own command alone, which it learns. */
static void settle(struct zs_named_told *told, int r)
{
	if (r == -EAGAIN || r == -E2BIG)
		told->others++;
	else if (r < 0)
		stop(told);
}

static void hand_on(struct zs_named_told *told)
{
	int r = zs_denial_hand_on(told->channel, told->others);

	if (r == 0)
		told->known = told->others;
	settle(told, r);
}

static void count_for_all(struct zs_named_told *const *told, size_t count, unsigned others)
{
	for (size_t i = 0; i < count; i++)
		if (collects(told[i]))
			told[i]->others += others;
}

static void take_attempt(const struct zs_denial_head *head, struct zs_named_told *const *told, size_t count)
{
	if (head->branch == ZS_BRANCH_UNKNOWN)
		count_for_all(told, count, 1);
	for (size_t i = 0; head->branch > 0 && i < count; i++) {
		if (told[i]->server != head->branch)
			continue;
		if (head->group == head->branch)
			told[i]->marked = true;
		else if (collects(told[i]))
			hand_on(told[i]);
	}
}

static void take(struct zs_named_denials *denials, const struct zs_denial_head *head, struct zs_named_told *const *told,
	size_t count)
{
	switch (head->kind) {
	case ZS_TOLD_ATTEMPT:
		count_for_all(told, count, head->lost - denials->lost);
		denials->lost = head->lost;
		take_attempt(head, told, count);
		break;
	case ZS_TOLD_ENFORCED:
		denials->held = head->limits;
		denials->tier = head->tier;
		break;
	case ZS_TOLD_LIMIT:
		denials->met |= head->limits;
		for (size_t i = 0; i < count; i++)
			if (collects(told[i]))
				hand_on(told[i]);
		break;
	case ZS_TOLD_BLIND:
		denials->blind = true;
		break;
	case ZS_TOLD_HOST: /* the report has told of them */
	case ZS_TOLD_REPORT:
		break;
	case ZS_TOLD_END:
		close(denials->channel); /* the supervisor waits for it */
		denials->channel = -1;
		break;
	}
}

void zs_named_denials_take(struct zs_named_denials *denials, struct zs_named_told *const *told, size_t count)
{
	struct zs_denial_head head;

	for (int i = 0; i < TAKEN_MAX && denials->channel >= 0; i++) {
		int r = zs_denial_take(denials->channel, &head);

		if (r == -EAGAIN)
			return;
		if (r == 0) {
			take(denials, &head, told, count);
		} else if (r != -EPROTO) {
			close(denials->channel);
			denials->channel = -1;
		}
	}
}

static bool has(const struct zs_named_denials *denials, const char *text)
{
	return memmem(denials->line, denials->len, text, strlen(text));
}

static void take_line(struct zs_named_denials *denials, struct zs_named_told *const *told, size_t count)
{
	size_t running = 0;

	/* A name in a line has its quotes escaped. */
	if (has(denials, "\"event\":\"paused\""))
		denials->turned = ZS_PROXY_PAUSE;
	if (has(denials, "\"event\":\"resumed\""))
		denials->turned = ZS_PROXY_RESUME;
	if (!has(denials, "\"allowed\":false"))
		return;
	for (size_t i = 0; i < count; i++)
		running += !told[i]->over;
	for (size_t i = 0; i < count; i++)
		if (!told[i]->over && told[i]->channel >= 0)
			settle(told[i], running > 1
						? -EAGAIN
						: zs_denial_send_report(told[i]->channel, denials->line, denials->len));
}

/* A line that is too long is left out. */
void zs_named_denials_report(struct zs_named_denials *denials, const char *bytes, size_t len,
	struct zs_named_told *const *told, size_t count)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] != '\n') {
			denials->line[denials->len] = bytes[i];
			denials->len += denials->len < sizeof denials->line - 1;
		} else {
			take_line(denials, told, count);
			denials->len = 0;
		}
}

void zs_named_told_end(struct zs_named_told *told, int status)
{
	told->ended = true;
	told->status = status;
	told->deadline = zs_now_ms() + END_MS;
}

int zs_named_told_finish(struct zs_named_told *told, const struct zs_named_denials *denials)
{
	int64_t left = told->deadline - zs_now_ms();
	bool complete = told->marked || denials->blind || denials->channel < 0;

	told->over = told->over || (told->ended && (complete || left <= 0 || told->channel < 0));
	if (told->channel < 0 || !told->ended)
		return -1;
	if (!told->over)
		return (int)left;
	/* Nobody knows how many were lost with the mark. */
	told->others += !complete;
	if (zs_denial_finish(told->channel, told->status, told->others - told->known) == -EAGAIN && left > 0)
		return RETRY_MS;
	stop(told);
	return -1;
}

void zs_named_told_leave(struct zs_named_told *told, int status)
{
	struct pollfd event = { told->channel, POLLOUT, 0 };

	if (told->channel < 0)
		return;
	if (zs_denial_finish(told->channel, told->ended ? told->status : status, told->others - told->known) ==
			-EAGAIN &&
		poll(&event, 1, ZS_DENIAL_SEND_MS) > 0)
		zs_denial_finish(told->channel, status, told->others - told->known);
	stop(told);
}

void zs_named_mark(void)
{
	syscall(SYS_keyctl, -1, 0, 0, 0, 0);
}
