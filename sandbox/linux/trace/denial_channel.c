#include "linux/trace/denial_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

enum { TEXTS = 3 };

/* The head of a message. Behind it are three texts, each with its NUL. */
struct head {
	size_t size; /* of this struct: the shim may be another program */
	enum zs_denial_message kind;
	unsigned lost;

	/* ATTEMPT: named, path, other */
	enum zs_attempt attempt;
	int error, family, type, protocol;
	pid_t number, pid, group, branch;
	bool foreign, datagram;
	char call[20], process[16];
	socklen_t address_size;
	_Alignas(struct sockaddr_storage) char address[sizeof(struct sockaddr_storage)];

	/* REPORT: a line */

	/* HOST: host, grant */
	bool resolve;
	unsigned times;

	/* LIMIT */
	enum zs_limit limit;

	/* ENFORCED */
	enum zs_tier tier;
	uint32_t held;

	/* END */
	int status;
	unsigned others;
};

struct message {
	struct head head;
	char texts[TEXTS * PATH_MAX];
};

static size_t put_text(struct message *message, size_t used, const char *text)
{
	size_t len = strnlen(text, PATH_MAX - 1);

	memcpy(message->texts + used, text, len);
	message->texts[used + len] = '\0';
	return used + len + 1;
}

static int send_message(int channel, struct message *message, const char *const texts[TEXTS], int flags)
{
	size_t used = 0;

	message->head.size = sizeof message->head;
	for (size_t i = 0; i < TEXTS; i++)
		used = put_text(message, used, texts[i]);
	while (send(channel, message, sizeof message->head + used, MSG_NOSIGNAL | flags) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int zs_denial_send_attempt(int channel, const struct zs_refusal *refusal, unsigned lost, bool late)
{
	const char *const texts[TEXTS] = { refusal->named, refusal->path, refusal->other };
	struct message message = { .head = { .kind = ZS_TOLD_ATTEMPT,
					   .lost = lost,
					   .attempt = refusal->attempt,
					   .error = refusal->error,
					   .family = refusal->family,
					   .type = refusal->type,
					   .protocol = refusal->protocol,
					   .number = refusal->number,
					   .pid = refusal->pid,
					   .group = refusal->group,
					   .branch = refusal->branch,
					   .foreign = refusal->foreign,
					   .datagram = refusal->datagram } };
	size_t call = strnlen(refusal->call, sizeof message.head.call - 1);

	memcpy(message.head.call, refusal->call, call);
	memcpy(message.head.process, refusal->process, sizeof message.head.process);
	if (refusal->address && refusal->address_size <= sizeof message.head.address) {
		message.head.address_size = refusal->address_size;
		memcpy(message.head.address, refusal->address, refusal->address_size);
	}
	return send_message(channel, &message, texts, late ? MSG_DONTWAIT : 0);
}

int zs_denial_send_host(int channel, const char *host, bool resolve, const char *grant, unsigned times)
{
	const char *const texts[TEXTS] = { host, grant ? grant : "", "" };
	struct message message = { .head = { .kind = ZS_TOLD_HOST, .resolve = resolve, .times = times } };

	return send_message(channel, &message, texts, 0);
}

static const char *const none[TEXTS] = { "", "", "" };

int zs_denial_send_limit(int channel, enum zs_limit limit)
{
	struct message message = { .head = { .kind = ZS_TOLD_LIMIT, .limit = limit } };

	return send_message(channel, &message, none, 0);
}

int zs_denial_send_enforced(int channel, enum zs_tier tier, uint32_t held)
{
	struct message message = { .head = { .kind = ZS_TOLD_ENFORCED, .tier = tier, .held = held } };

	return send_message(channel, &message, none, 0);
}

int zs_denial_send_blind(int channel)
{
	struct message message = { .head = { .kind = ZS_TOLD_BLIND } };

	return send_message(channel, &message, none, 0);
}

int zs_denial_send_report(int channel, const char *line, size_t len)
{
	char text[PATH_MAX];
	const char *const texts[TEXTS] = { text, "", "" };
	struct message message = { .head = { .kind = ZS_TOLD_REPORT } };

	if (len >= sizeof text)
		return -E2BIG;
	memcpy(text, line, len);
	text[len] = '\0';
	return send_message(channel, &message, texts, MSG_DONTWAIT);
}

void zs_denial_await(int channel)
{
	struct pollfd event = { channel, POLLIN, 0 };

	char byte;
	int r;

	/* A collector may ask whether the command's output has been printed: a byte there, and one back. */
	do {
		while ((r = poll(&event, 1, ZS_DENIAL_WAIT_MS)) < 0 && errno == EINTR) {
		}
	} while (r > 0 && recv(channel, &byte, 1, MSG_DONTWAIT) == 1 && send(channel, &byte, 1, MSG_NOSIGNAL) == 1);
	close(channel);
}

static int send_end(int channel, int status, unsigned others, int flags)
{
	struct message message = { .head = { .kind = ZS_TOLD_END, .status = status, .others = others } };

	return send_message(channel, &message, none, flags);
}

void zs_denial_send_end(int channel, int status, unsigned others)
{
	if (send_end(channel, status, others, 0) == 0)
		zs_denial_await(channel);
	else
		close(channel);
}

int zs_denials_channel(int ret_ends[2])
{
	const struct timeval most = { .tv_usec = ZS_DENIAL_SEND_MS * 1000 };
	int ends[2], r = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	if (setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) < 0)
		r = -errno;
	/* A caller may have closed the standard descriptors, which become the command's. */
	for (int i = 0; i < 2; i++) {
		ret_ends[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (ret_ends[i] < 0)
			r = -errno;
		close(ends[i]);
	}
	for (int i = 0; r < 0 && i < 2; i++)
		if (ret_ends[i] >= 0)
			close(ret_ends[i]);
	return r;
}

/* Finds the texts. False: this is no message of this zs. */
static bool find_texts(const struct message *message, size_t len, const char *ret_texts[TEXTS])
{
	const char *at = message->texts, *end = (const char *)message + len;

	if (len < sizeof message->head || message->head.size != sizeof message->head)
		return false;
	for (size_t i = 0; i < TEXTS; i++) {
		const char *nul = memchr(at, '\0', (size_t)(end - at));

		if (!nul)
			return false;
		ret_texts[i] = at;
		at = nul + 1;
	}
	return true;
}

/* The message that was taken last. */
static struct message taken;
static size_t taken_len;

int zs_denial_take(int channel, struct zs_denial_head *ret_head)
{
	const char *texts[TEXTS];
	ssize_t len;

	do
		len = recv(channel, &taken, sizeof taken, MSG_DONTWAIT);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return len < 0 ? -errno : -ESRCH;
	if (!find_texts(&taken, (size_t)len, texts))
		return -EPROTO;
	taken_len = (size_t)len;
	*ret_head = (struct zs_denial_head){ .kind = taken.head.kind,
		.branch = taken.head.branch,
		.group = taken.head.group,
		.lost = taken.head.lost,
		.limits = taken.head.held,
		.tier = taken.head.tier };
	if (taken.head.kind == ZS_TOLD_LIMIT && (unsigned)taken.head.limit < ZS_LIMIT_COUNT)
		ret_head->limits = 1u << taken.head.limit;
	return 0;
}

int zs_denial_hand_on(int channel, unsigned lost)
{
	taken.head.lost = lost;
	return send(channel, &taken, taken_len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int zs_denial_finish(int channel, int status, unsigned others)
{
	return send_end(channel, status, others, MSG_DONTWAIT);
}

static void take_attempt(struct zs_denials *denials, const struct head *head, const char *const texts[TEXTS])
{
	struct zs_refusal refusal = {
		.attempt = head->attempt,
		.error = head->error,
		.call = head->call,
		.named = texts[0],
		.path = texts[1],
		.other = texts[2],
		.address = head->address_size ? (const struct sockaddr *)(const void *)head->address : NULL,
		.address_size = head->address_size,
		.datagram = head->datagram,
		.family = head->family,
		.type = head->type,
		.protocol = head->protocol,
		.number = head->number,
		.foreign = head->foreign,
		.pid = head->pid,
		.group = head->group,
	};

	memcpy(refusal.process, head->process, sizeof refusal.process);
	if (head->error)
		zs_denials_note(denials, &refusal);
	else
		zs_denials_found(denials, refusal.group, ZS_DENIAL_EXEC, refusal.path);
}

/* Does the message need a list? Most runs refuse nothing, and to resolve the policy takes a while. */
static bool needs_list(const struct head *head)
{
	if (head->kind == ZS_TOLD_ENFORCED || head->kind == ZS_TOLD_BLIND)
		return false;
	return head->kind != ZS_TOLD_END || head->status || head->others;
}

static void take(struct zs_denials *denials, const struct head *head, const char *const texts[TEXTS], unsigned *lost)
{
	if (head->kind == ZS_TOLD_ATTEMPT) {
		zs_denials_miss(denials, head->lost - *lost);
		*lost = head->lost;
		take_attempt(denials, head, texts);
	} else if (head->kind == ZS_TOLD_HOST) {
		zs_denials_add_host(denials, texts[0], head->resolve, *texts[1] ? texts[1] : NULL, head->times);
	} else if (head->kind == ZS_TOLD_REPORT) {
		zs_denials_add_decisions(denials, texts[0], strlen(texts[0]));
	} else if (head->kind == ZS_TOLD_LIMIT && (unsigned)head->limit < ZS_LIMIT_COUNT) {
		zs_denials_add_limit(denials, head->limit);
	} else if (denials && head->kind == ZS_TOLD_END) {
		zs_denials_miss(denials, head->others);
		zs_denials_finish(denials, head->status);
	}
}

static int collect(const struct zs_policy *policy, int channel, bool model, struct zs_denials **ret_denials,
	int *ret_status, bool *ret_blind, struct zs_error *error)
{
	static struct message message;
	const char *texts[TEXTS];
	unsigned lost = 0;

	*ret_denials = NULL;
	*ret_blind = false;
	do {
		ssize_t len = recv(channel, &message, sizeof message, 0);
		int r = 0;

		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0 || !find_texts(&message, (size_t)len, texts))
			return zs_error_errno(error, "denials", "channel", len < 0 ? errno : len == 0 ? ESRCH : EPROTO);
		if (!*ret_denials && needs_list(&message.head))
			r = zs_denials_new(policy, ret_denials, error);
		if (r < 0)
			return r;
		if (model && *ret_denials)
			zs_denials_set_model(*ret_denials);
		*ret_blind = *ret_blind || message.head.kind == ZS_TOLD_BLIND;
		take(*ret_denials, &message.head, (const char *const *)texts, &lost);
	} while (message.head.kind != ZS_TOLD_END);
	*ret_status = message.head.status;
	return 0;
}

int zs_denials_collect(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials, int *ret_status,
	bool *ret_blind, struct zs_error *error)
{
	return collect(policy, channel, false, ret_denials, ret_status, ret_blind, error);
}

int zs_denials_collect_for_model(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials,
	int *ret_status, bool *ret_blind, struct zs_error *error)
{
	return collect(policy, channel, true, ret_denials, ret_status, ret_blind, error);
}
