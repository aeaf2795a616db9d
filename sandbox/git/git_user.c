/* Reads the orders of the user's own configuration: of the files that git reads for every repository, and of
 * variables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "git/git_environment.h"

static const char step[] = "git";

static int add_in(struct zs_git_orders *orders, const char *folder, const char *name, struct zs_error *error)
{
	ZS_AUTO_FREE char *file = NULL;
	int r;

	if (!folder || folder[0] != '/')
		return 0;
	file = zs_path_join(folder, name);
	r = file ? zs_git_orders_add(orders, ZS_GIT_FILE, file, error) : zs_error_errno(error, step, folder, ENOMEM);
	return r == 0 ? zs_git_orders_add_file(orders, file, error) : r;
}

static int add_home(struct zs_git_orders *orders, const char *home, struct zs_error *error)
{
	int r = add_in(orders, home, ".gitconfig", error);

	return r == 0 ? add_in(orders, home, ".config/git/config", error) : r;
}

/* GIT_CONFIG_NOSYSTEM does not count here, and neither does that one file can replace another: the next git may run
 * with other variables. */
static int add_all(struct zs_git_orders *orders, struct zs_error *error)
{
	const struct zs_git_places *places = orders->places;
	int r = add_in(orders, "/etc", "gitconfig", error);

	for (size_t i = 1; r == 0 && i < ZS_GIT_PREFIXES; i++)
		r = add_in(orders, zs_git_prefixes[i], "etc/gitconfig", error);
	for (size_t i = 4; r == 0 && i < ZS_GIT_PREFIXES; i++)
		r = add_in(orders, zs_git_prefixes[i], "share/git-core/gitconfig", error);
	if (r == 0)
		r = add_in(orders, places->system, "", error);
	if (r == 0)
		r = add_in(orders, places->global, "", error);
	if (r == 0)
		r = add_in(orders, places->config_home, "git/config", error);
	if (r == 0)
		r = add_home(orders, places->home, error);
	if (r == 0 && places->account_home && (!places->home || strcmp(places->home, places->account_home) != 0))
		r = add_home(orders, places->account_home, error);
	return r;
}

int zs_git_orders_read(const struct zs_git_places *places, struct zs_git_orders **ret_orders, struct zs_error *error)
{
	struct zs_git_orders *orders = calloc(1, sizeof *orders);
	int r;

	if (!orders)
		return zs_error_errno(error, step, NULL, ENOMEM);
	orders->places = places;
	r = add_all(orders, error);
	if (r == 0)
		r = zs_git_orders_add_env(orders, error);
	if (r < 0) {
		zs_git_orders_free(orders);
		return r;
	}
	*ret_orders = orders;
	return 0;
}
