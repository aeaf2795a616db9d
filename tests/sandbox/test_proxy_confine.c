/* The proxy's own confinement: what a confined process can still do. */
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "harness.h"
#include "linux/network/proxy.h"

static int try_open(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static int try_write(void)
{
	return open("/tmp/zs-test-proxy", O_WRONLY | O_CREAT, 0600);
}

static int try_fork(void)
{
	return fork();
}

static int try_exec(void)
{
	return execl("/bin/true", "true", NULL);
}

static int try_kill(void)
{
	return kill(getppid(), 0);
}

static int try_local_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int try_raw_socket(void)
{
	return socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
}

static int try_packet_socket(void)
{
	return socket(AF_PACKET, SOCK_DGRAM, 0);
}

static int try_listen(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : listen(fd, 1);
}

static int try_running_memory(void)
{
	/* Uses the system call, since musl turns EPERM into ENOMEM. */
	return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) < 0 ? -1 : 0;
}

static int try_limits(void)
{
	const struct rlimit limit = { 64, 64 };

	return setrlimit(RLIMIT_NOFILE, &limit);
}

static const struct {
	const char *name;
	int (*attempt)(void);
} attempts[] = { { "open", try_open }, { "write", try_write }, { "fork", try_fork }, { "exec", try_exec },
	{ "kill", try_kill }, { "local socket", try_local_socket }, { "raw socket", try_raw_socket },
	{ "packet socket", try_packet_socket }, { "listen", try_listen }, { "memory", try_running_memory },
	{ "limits", try_limits } };

static int attempt_all(void *arg)
{
	const char *object;
	size_t done = 0;
	int r = *(bool *)arg ? zs_proxy_confine(&object) : 0;
	int udp = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (r < 0 || udp < 0 || !malloc(1 << 20)) {
		dprintf(STDERR_FILENO, "%s: %d\n", r < 0 ? object : "what it needs", -r);
		return HARNESS_FAILED;
	}
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
		if (!*(bool *)arg && (attempts[i].attempt == try_exec || attempts[i].attempt == try_fork))
			continue;
		errno = 0;
		if (attempts[i].attempt() >= 0)
			dprintf(STDERR_FILENO, "%s. ", attempts[i].name), done++;
		else if (*(bool *)arg && errno != EPERM && errno != EACCES)
			dprintf(STDERR_FILENO, "%s: %s. ", attempts[i].name, strerror(errno));
	}
	/* Uses _exit(2), since exit(3) under ASan needs further calls. */
	_exit((int)done);
}

TEST(proxy_can_do_nothing_but_talk)
{
	AS_EACH_USER (scratch) {
		bool confined = true;
		struct result result;

		run_child(scratch.owner, attempt_all, &confined, &result);
		CHECK(result.status == 0 && !*result.err, "%d %s", result.status, result.err);
		confined = false;
		run_child(scratch.owner, attempt_all, &confined, &result);
		unlink("/tmp/zs-test-proxy");
		CHECK(result.status >= (scratch.owner == 0 ? 9 : 5) && result.status != HARNESS_FAILED,
			"free it can do as little: %d %s", result.status, result.err);
	}
}
