/* The messages by which the processes of a run that no command reaches tell what the run has refused.
 * zs_denials_collect() reads them. A channel is a socket whose other end zs_denials_channel() has made; it may be -1.
 * Nothing that zs allows or refuses depends on a message. */
#ifndef ZS_SANDBOX_LINUX_DENIAL_CHANNEL_H
#define ZS_SANDBOX_LINUX_DENIAL_CHANNEL_H

#include <stdint.h>

#include "denial/attempt.h"

/* A collector that does not read makes a refused call wait so long. Then this refusal and those that follow are only
 * counted, and no more wait until the collector reads again. */
enum { ZS_DENIAL_SEND_MS = 200 };

/* The supervisor waits so long for the collector, which may be stopped. */
enum { ZS_DENIAL_WAIT_MS = 2000 };

/* Sends a call that is refused, or an exec that is not (error 0): it ends a search for a program. lost: how many were
 * not sent before. late: the last one was not, so it does not wait. 0, -EAGAIN: it is lost; or another negative errno:
 * nobody collects any more. */
int zs_denial_send_attempt(int channel, const struct zs_refusal *refusal, unsigned lost, bool late);

/* Sends a host that the proxy or the resolver has refused; see zs_denials_add_host(). */
int zs_denial_send_host(int channel, const char *host, bool resolve, const char *grant, unsigned times);

/* Sends a limit that the run has reached. */
int zs_denial_send_limit(int channel, enum zs_limit limit);

/* Says, before the command begins, how the run is confined. held: the limits that a cgroup holds for the run as a
 * whole, bits 1 << ZS_LIMIT_…. zs_denials_collect() ignores it. */
int zs_denial_send_enforced(int channel, enum zs_tier tier, uint32_t held);

/* Says, before the command begins, that the run looks at no calls. */
int zs_denial_send_blind(int channel);

/* Sends the run's end, and waits until the collector has taken it. status: the run's exit code. others: refused hosts
 * for which there was no room. Closes the channel. */
void zs_denial_send_end(int channel, int status, unsigned others);

/* For a process that stands between one run and the collectors of several commands in it. */
enum zs_denial_message {
	ZS_TOLD_ATTEMPT,
	ZS_TOLD_HOST,
	ZS_TOLD_LIMIT,
	ZS_TOLD_ENFORCED,
	ZS_TOLD_BLIND,
	ZS_TOLD_REPORT,
	ZS_TOLD_END,
};

struct zs_denial_head {
	enum zs_denial_message kind;
	pid_t branch, group; /* of struct zs_refusal */
	unsigned lost;       /* so many were not sent before */
	uint32_t limits;     /* of LIMIT and ENFORCED: bits 1 << ZS_LIMIT_… */
	enum zs_tier tier;   /* of ENFORCED */
};

/* Takes the next message, if there is one. 0; -EAGAIN: there is none; or another negative errno: the channel has ended.
 */
int zs_denial_take(int channel, struct zs_denial_head *ret_head);

/* Hands on what zs_denial_take() has taken last. lost: how many this collector did not get before. Does not wait.
 * Returns as zs_denial_send_attempt(). */
int zs_denial_hand_on(int channel, unsigned lost);

/* Sends a line of the proxy's report, see zs_denials_add_decisions(). Does not wait. */
int zs_denial_send_report(int channel, const char *line, size_t len);

/* Sends the end as zs_denial_send_end() does, but waits for nothing and leaves the channel open. */
int zs_denial_finish(int channel, int status, unsigned others);

/* Waits until the collector has ended, for at most ZS_DENIAL_WAIT_MS, and closes the channel. */
void zs_denial_await(int channel);

#endif
