/* The addresses that a Seatbelt profile lets a command reach, for each network that a policy may have. */
#include "check.h"
#include "seatbelt_world.h"

enum { NONE, LOCALHOST, HOSTS, HOSTS_WITHOUT_PROXY, FULL, KINDS, PROXY_PORT = 4128 };

static const char *const kinds[KINDS] = { "none", "localhost", "hosts", "hosts without a proxy", "full" };

static const struct {
	struct sbpl_query query;
	bool allowed[KINDS];
} rows[] = {
	{ { .operation = "network-outbound", .remote = "127.0.0.1:4128" }, { 0, 1, 1, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "[::1]:4128" }, { 0, 1, 1, 0, 1 } },
	/* over UDP another program may have the proxy's port */
	{ { .operation = "network-outbound", .remote = "127.0.0.1:4128", .udp = true }, { 0, 1, 0, 0, 1 } },
	/* other services of the machine, which the proxy judges */
	{ { .operation = "network-outbound", .remote = "127.0.0.1:4129" }, { 0, 1, 0, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "127.0.0.1:41280" }, { 0, 1, 0, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "[::1]:80" }, { 0, 1, 0, 0, 1 } },
	/* a program that ignores the proxy, with the proxy's port elsewhere too */
	{ { .operation = "network-outbound", .remote = "93.184.216.34:443" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "93.184.216.34:4128" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "[2606:2800::1]:443" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .remote = "169.254.169.254:80" }, { 0, 0, 0, 0, 1 } },
	/* DNS: through the system's resolver, over UDP; not past the proxy */
	{ { .operation = "network-outbound", .remote = "192.168.0.1:53" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .path = "/private/var/run/mDNSResponder" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .path = "/var/run/mDNSResponder" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "mach-lookup", .name = "com.apple.SystemConfiguration.configd" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "mach-lookup", .name = "com.apple.SystemConfiguration.DNSConfiguration" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "mach-lookup", .name = "com.apple.dnssd.service" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "sysctl-read", .name = "net.routetable.0.0.3.0" }, { 0, 0, 0, 0, 1 } },
	/* is a certificate good? */
	{ { .operation = "mach-lookup", .name = "com.apple.trustd.agent" }, { 0, 0, 1, 0, 1 } },
	{ { .operation = "mach-lookup", .name = "com.apple.trustd" }, { 0, 0, 1, 0, 1 } },
	{ { .operation = "mach-lookup", .name = "com.apple.SecurityServer" }, { 0, 0, 0, 0, 0 } },
	/* servers */
	{ { .operation = "network-bind", .local = "127.0.0.1:8080" }, { 0, 1, 0, 0, 1 } },
	{ { .operation = "network-inbound", .local = "[::1]:8080" }, { 0, 1, 0, 0, 1 } },
	{ { .operation = "network-bind", .local = "0.0.0.0:8080" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-inbound", .local = "0.0.0.0:8080" }, { 0, 0, 0, 0, 1 } },
	/* a local address does not say what the other one is */
	{ { .operation = "network-outbound", .local = "127.0.0.1:5000", .remote = "93.184.216.34:443" },
		{ 0, 0, 0, 0, 1 } },
	/* Unix sockets: only the resolver's */
	{ { .operation = "network-outbound", .path = "/private/var/run/docker.sock" }, { 0, 0, 0, 0, 0 } },
	{ { .operation = "network-outbound", .path = "/private/tmp/com.apple.launchd.x/Listeners" },
		{ 0, 0, 0, 0, 0 } },
	{ { .operation = "network-bind", .path = "/private/tmp/x" }, { 0, 0, 0, 0, 0 } },
	{ { .operation = "system-socket", .domain = "AF_UNIX" }, { 0, 0, 0, 0, 1 } },
	{ { .operation = "system-socket", .domain = "AF_SYSTEM", .protocol = 2 }, { 0, 0, 0, 0, 1 } },
	/* utun, and other control sockets of the kernel */
	{ { .operation = "system-socket", .domain = "AF_SYSTEM", .protocol = 1 }, { 0, 0, 0, 0, 0 } },
	{ { .operation = "system-socket", .domain = "AF_ROUTE" }, { 0, 0, 0, 0, 0 } },
};

static void make(struct world *world, int kind)
{
	static const enum zs_network networks[KINDS] = { ZS_NETWORK_NONE, ZS_NETWORK_NONE, ZS_NETWORK_HOSTS,
		ZS_NETWORK_HOSTS, ZS_NETWORK_FULL };

	world_begin(world);
	zs_policy_set_network(world->policy, networks[kind], NULL);
	world->request.localhost = kind == LOCALHOST;
	world->request.proxy_port = kind == HOSTS ? PROXY_PORT : 0;
}

static size_t wrong_rows(const struct world *world, int kind, bool say)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sbpl_query *query = &rows[i].query;
		enum sbpl_answer answer = sbpl_ask(world->sbpl, query);
		bool right = answer == (rows[i].allowed[kind] ? SBPL_ALLOW : SBPL_DENY);

		wrong += !right;
		CHECK(right || !say, "%s: %zu: %s %s%s%s: %d", kinds[kind], i, query->operation,
			query->remote ? query->remote : "", query->path ? query->path : "",
			query->name ? query->name : "", answer);
	}
	return wrong;
}

TEST(seatbelt_networks)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct world world;

		make(&world, kind);
		if (world_make(&world))
			wrong_rows(&world, kind, true);
		world_end(&world);
	}
}

/* The rules that each network adds to those of "none". */
TEST(seatbelt_every_rule_of_a_network_is_needed)
{
	for (int kind = LOCALHOST; kind < KINDS; kind++) {
		struct world world, none;
		size_t len;

		make(&world, kind);
		make(&none, NONE);
		if (!world_make(&world) || !world_make(&none))
			return;
		for (size_t i = 0; i < sbpl_rules(world.sbpl); i++) {
			const char *text = sbpl_rule_text(world.sbpl, i, &len);
			char rule[512] = "";

			if (len < sizeof rule)
				memcpy(rule, text, len);
			if (!rule[0] || strstr(none.profile.text, rule))
				continue;
			sbpl_leave_out(world.sbpl, i, true);
			CHECK(wrong_rows(&world, kind, false) > 0, "%s: nothing needs %s", kinds[kind], rule);
			sbpl_leave_out(world.sbpl, i, false);
		}
		world_end(&world);
		world_end(&none);
	}
}

/* Hosts that are addresses of this machine are also reached through the proxy. */
TEST(seatbelt_hosts_have_no_rule_of_their_own)
{
	struct world world;

	make(&world, HOSTS);
	CHECK(zs_policy_add_host(world.policy, "127.0.0.1:5432", NULL) == 0, "a host");
	if (world_make(&world)) {
		const struct sbpl_query query = { .operation = "network-outbound", .remote = "127.0.0.1:5432" };

		CHECK(sbpl_ask(world.sbpl, &query) == SBPL_DENY, "%s", world.profile.text);
	}
	world_end(&world);
}
