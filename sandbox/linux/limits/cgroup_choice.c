#include "linux/limits/cgroup_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux/limits/cgroup.h"
#include "base/cleanup.h"
#include "base/read_file.h"

/* The hierarchies that can hold a limit, best first. */
static const struct holder {
	enum zs_limit limit;
	enum zs_hierarchy hierarchy;
	const char *controller; /* of version 2 that the parent must have enabled; NULL: none is needed */
	const char *how;        /* for zs doctor */
} holders[] = {
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory", "memory.max (cgroup 2)" },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, NULL, "memory.limit_in_bytes (cgroup 1)" },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_V2, "pids", "pids.max (cgroup 2)" },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_PIDS, NULL, "pids.max (cgroup 1)" },
	{ ZS_LIMIT_CPU, ZS_HIERARCHY_V2, NULL, "cpu.stat (cgroup 2)" },
	{ ZS_LIMIT_CPU, ZS_HIERARCHY_CPUACCT, NULL, "cpuacct.usage (cgroup 1)" },
};

const uint32_t zs_cgroup_limits =
	ZS_LIMIT_BIT(ZS_LIMIT_MEMORY) | ZS_LIMIT_BIT(ZS_LIMIT_PROCESSES) | ZS_LIMIT_BIT(ZS_LIMIT_CPU);

int zs_cgroup_self_read(struct zs_cgroup_self *ret_self, const char **ret_object)
{
	struct zs_cgroup_self self = { NULL, NULL };
	int r = zs_read_file(*ret_object = "/proc/self/mountinfo", &self.mountinfo);

	if (r == 0)
		r = zs_read_file(*ret_object = "/proc/self/cgroup", &self.membership);
	if (r < 0)
		zs_cgroup_self_free(&self);
	else
		*ret_self = self;
	return r;
}

void zs_cgroup_self_free(struct zs_cgroup_self *self)
{
	free(self->mountinfo);
	free(self->membership);
}

static int can_hold(const struct holder *holder, int parent)
{
	if (holder->hierarchy != ZS_HIERARCHY_V2 || !holder->controller)
		return 1;
	return zs_cgroup_lists(parent, "cgroup.subtree_control", holder->controller);
}

/* Does zs_cgroup_choose()'s work for one folder. */
static int choose(const char *path, enum zs_hierarchy hierarchy, uint32_t wanted, struct zs_cgroup_choice *ret_choice)
{
	struct zs_cgroup_choice choice = { zs_cgroup_open_parent(path, hierarchy == ZS_HIERARCHY_V2), 0 };
	int r = choice.parent < 0 ? choice.parent : 0;

	for (size_t i = 0; r >= 0 && i < ZS_COUNT(holders); i++) {
		if (holders[i].hierarchy != hierarchy || !(wanted & ZS_LIMIT_BIT(holders[i].limit)))
			continue;
		r = can_hold(&holders[i], choice.parent);
		if (r > 0)
			choice.held |= ZS_LIMIT_BIT(holders[i].limit);
	}
	if (r >= 0 && (choice.held || !wanted)) {
		*ret_choice = choice;
		return 0;
	}
	if (choice.parent >= 0)
		close(choice.parent);
	return r < 0 ? r : -ENOENT;
}

static bool holds_more(const struct zs_cgroup_choice *a, const struct zs_cgroup_choice *b)
{
	return __builtin_popcount(a->held) > __builtin_popcount(b->held);
}

/* Chooses this process's own cgroup, or its parent if that can hold more. A cgroup with processes in it cannot enable
 * controllers for its children (man 7 cgroups, "no internal processes"), so in a systemd slice the controllers are
 * available beside us, not below. */
int zs_cgroup_choose(const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy, uint32_t wanted,
	struct zs_cgroup_choice *ret_choice)
{
	struct zs_cgroup_choice own = { -1, 0 }, above = { -1, 0 }, left;
	struct zs_cgroup_place place;
	int r = zs_cgroup_find(self->mountinfo, self->membership, hierarchy, &place);

	if (r < 0)
		return r;
	r = choose(place.path, hierarchy, wanted, &own);
	if (r == 0 && own.held == wanted) {
		*ret_choice = own;
		return 0;
	}
	if (hierarchy == ZS_HIERARCHY_V2 && (r == 0 || r == -ENOENT) && !place.is_top) {
		*strrchr(place.path, '/') = '\0';
		r = choose(place.path, hierarchy, wanted, &above);
	}
	if (r == 0 || (r == -ENOENT && own.parent >= 0)) {
		*ret_choice = holds_more(&above, &own) || own.parent < 0 ? above : own;
		left = ret_choice->parent == own.parent ? above : own;
		r = 0;
	} else {
		left = own;
	}
	if (left.parent >= 0)
		close(left.parent);
	return r;
}

int zs_cgroup_limits_probe(uint32_t wanted, const char *ret_how[ZS_LIMIT_COUNT])
{
	const char *object;
	struct zs_cgroup_self self;
	int r = zs_cgroup_self_read(&self, &object);

	for (int i = 0; i < ZS_LIMIT_COUNT; i++)
		ret_how[i] = NULL;
	if (r < 0)
		return r;
	for (enum zs_hierarchy h = 0;
		(r == 0 || r == -ENOENT) && (wanted &= zs_cgroup_limits) && h < ZS_HIERARCHY_COUNT; h++) {
		struct zs_cgroup_choice choice;

		r = zs_cgroup_choose(&self, h, wanted, &choice);
		if (r < 0)
			continue;
		close(choice.parent);
		wanted &= ~choice.held;
		for (size_t i = 0; i < ZS_COUNT(holders); i++)
			if (holders[i].hierarchy == h && (choice.held & ZS_LIMIT_BIT(holders[i].limit)))
				ret_how[holders[i].limit] = holders[i].how;
	}
	zs_cgroup_self_free(&self);
	return r == -ENOENT ? 0 : r;
}
