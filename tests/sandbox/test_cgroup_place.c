/* Finds the cgroups of a process in texts of machines of every kind, and on this machine. */
#include "check.h"
#include "linux/limits/cgroup_place.h"

#define ABSENT NULL

static const struct machine {
	const char *name, *mountinfo, *membership;
	const char *place[ZS_HIERARCHY_COUNT];
	bool top[ZS_HIERARCHY_COUNT];
} machines[] = {
	{ "version 2, a session of systemd's",
		"22 28 0:21 / /proc rw,nosuid - proc proc rw\n"
		"31 22 0:27 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 "
		"rw,nsdelegate,memory_recursiveprot\n",
		"0::/user.slice/user-1000.slice/session-2.scope\n",
		{ "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope", ABSENT, ABSENT, ABSENT }, { false } },
	{ "version 2, below the user's own systemd",
		"31 22 0:27 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-term-4711.scope\n",
		{ "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/app-term-4711.scope" },
		{ false } },
	{ "version 2, all in the topmost", "31 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/\n",
		{ "/sys/fs/cgroup" }, { true } },
	{ "hybrid",
		"31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
		"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
		"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
		"39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n"
		"40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
		"9:name=systemd:/user.slice\n8:pids:/\n4:memory:/process_api/2cb7\n2:cpu,cpuacct:/a b\n0::/\n",
		{ "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory/process_api/2cb7", "/sys/fs/cgroup/pids",
			"/sys/fs/cgroup/cpu,cpuacct/a b" },
		{ true, false, true, false } },
	{ "version 1 alone", "35 31 0:32 / /cgroup/memory rw - cgroup none rw,memory\n", "4:memory:/x\n1:pids:/\n",
		{ ABSENT, "/cgroup/memory/x", ABSENT, ABSENT }, { false } },
	{ "a container in a cgroup namespace", "31 22 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate\n",
		"0::/\n", { "/sys/fs/cgroup" }, { true } },
	{ "a container without one: its part is mounted",
		"31 22 0:27 /docker/4f1e /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw\n", "0::/docker/4f1e/init\n",
		{ "/sys/fs/cgroup/init" }, { false } },
	{ "the same, at the top of its part", "31 22 0:27 /docker/4f1e /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
		"0::/docker/4f1e\n", { "/sys/fs/cgroup" }, { true } },
	{ "a part that only begins like ours", "31 22 0:27 /docker/4f /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
		"0::/docker/4f1e\n", { ABSENT }, { false } },
	{ "outside of the namespace's root", "31 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
		"0::/../system.slice/sshd.service\n", { ABSENT }, { false } },
	{ "a mount whose root is outside of the namespace's", "31 22 0:27 /.. /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
		"0::/\n", { ABSENT }, { false } },
	{ "Docker's, which can only be read",
		"31 22 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw\n", "0::/\n",
		{ ABSENT }, { false } },
	{ "a file system that can only be read", "31 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup ro\n", "0::/\n",
		{ ABSENT }, { false } },
	{ "the second mount can be written",
		"31 22 0:27 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n32 22 0:27 / /mnt/cg rw - cgroup2 cgroup rw\n",
		"0::/a\n", { "/mnt/cg/a" }, { false } },
	{ "odd names", "31 22 0:27 / /mnt/c\\040g\\134\\011x rw master:1 shared:2 - cgroup2 cgroup rw\n",
		"0::/a:b 0::/c\n", { "/mnt/c g\\\tx/a:b 0::/c" }, { false } },
	{ "removed", "31 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/gone (deleted)\n", { ABSENT },
		{ false } },
	{ "none is mounted", "22 28 0:21 / /proc rw - proc proc rw\n", "0::/\n", { ABSENT }, { false } },
	{ "nothing", "", "", { ABSENT }, { false } },
	{ "no line of its kind",
		"x\n\n31\n31 22\n31 22 0:27 / /sys/fs/cgroup rw\n31 22 0:27 / /sys/fs/cgroup rw -\n"
		"31 22 0:27 / /sys/fs/cgroup rw - cgroup2\n31 22 0:27 here there rw - cgroup2 cgroup rw",
		"0\n0:\n::\n0:/\nmemory\n", { ABSENT }, { false } },
};

TEST(cgroup_places)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		const struct machine *machine = &machines[i];

		for (enum zs_hierarchy h = 0; h < ZS_HIERARCHY_COUNT; h++) {
			struct zs_cgroup_place place = { "", false };
			int r = zs_cgroup_find(machine->mountinfo, machine->membership, h, &place);

			if (!machine->place[h]) {
				CHECK(r == -ENOENT, "%s, %d: %d %s", machine->name, (int)h, r, place.path);
				continue;
			}
			CHECK(r == 0 && strcmp(place.path, machine->place[h]) == 0, "%s, %d: %d %s", machine->name,
				(int)h, r, place.path);
			CHECK(place.is_top == machine->top[h], "%s, %d: %d", machine->name, (int)h, place.is_top);
		}
	}
}

/* A path that does not fit is refused, and not cut. */
TEST(cgroup_place_is_never_cut)
{
	static char membership[3 * PATH_MAX], mountinfo[3 * PATH_MAX];
	struct zs_cgroup_place place;

	for (size_t len = PATH_MAX - 40; len < PATH_MAX + 40; len++) {
		snprintf(membership, sizeof membership, "0::/%0*d\n", (int)len, 0);
		if (zs_cgroup_find("1 2 0:3 / /cg rw - cgroup2 c rw\n", membership, ZS_HIERARCHY_V2, &place) == 0)
			CHECK(strlen(place.path) == len + 4, "%zu: %zu", len, strlen(place.path));
		else
			CHECK(len + 4 >= PATH_MAX, "%zu: none", len);
		snprintf(mountinfo, sizeof mountinfo, "1 2 0:3 / /%0*d rw - cgroup2 c rw\n", (int)len, 0);
		if (zs_cgroup_find(mountinfo, "0::/\n", ZS_HIERARCHY_V2, &place) == 0)
			CHECK(strlen(place.path) == len + 1, "%zu: %zu", len, strlen(place.path));
		else
			CHECK(len + 1 >= PATH_MAX, "%zu: none", len);
	}
}

TEST(words_of_a_list)
{
	CHECK(zs_has_word("cpuset cpu io memory pids\n", 26, ' ', "memory"), "in the middle");
	CHECK(zs_has_word("memory pids\n", 12, ' ', "pids"), "last");
	CHECK(!zs_has_word("memory_x xmemory\n", 17, ' ', "memory"), "parts of words");
	CHECK(!zs_has_word("", 0, ' ', "memory"), "nothing");
	CHECK(!zs_has_word("memory", 3, ' ', "memory"), "beyond its end");
}
