/* The presets of macOS, whose paths this machine cannot resolve: checks the tables, and the profile with all of
 * them. */
#include "check.h"
#include "base/path.h"
#include "seatbelt/place.h"
#include "policy/preset.h"
#include "seatbelt_world.h"

/* In C an array leaves out the NUL of a string that just fits. */
#define ENDS(array) ((array)[sizeof(array) - 1] == '\0')

TEST(preset_macos_tables)
{
	static const char *const too_much[] = { "/System/Volumes/Data/Users", "/Users/me", "/private/var/folders/ab",
		"/Library/Keychains/System.keychain", "/private/var/db/dslocal/nodes", "/Volumes/Backup",
		"/private/var/root", "/dev/disk0", "/Applications/Mail.app", "/Library/LaunchDaemons/x" };

	for (const struct zs_preset_tree *row = zs_preset_trees_macos; row->path; row++) {
		CHECK(row->access == ZS_ACCESS_READ || row->access == ZS_ACCESS_EXEC || row->scratch, "%s", row->path);
		for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++)
			CHECK(!zs_path_lies_in(too_much[i], row->path), "%s holds %s", row->path, too_much[i]);
		for (const struct zs_preset_tree *other = zs_preset_trees_macos; other->path; other++)
			CHECK(other == row || other->access < row->access || !zs_path_lies_in(row->path, other->path),
				"%s is in %s anyway", row->path, other->path);
	}
	for (const struct zs_preset_home *row = zs_preset_homes_macos; *row->variable || *row->fallback; row++) {
		CHECK(ENDS(row->variable) && ENDS(row->fallback) && ENDS(row->name), "%s: too long", row->name);
		CHECK(!*row->variable && strncmp(row->fallback, "Library/", 8) == 0, "%s", row->name);
		for (const struct zs_preset_home *other = zs_preset_homes_macos; other < row; other++)
			CHECK(strcmp(other->fallback, row->fallback) != 0 || strcmp(other->name, row->name) != 0,
				"%s/%s twice", row->fallback, row->name);
	}
}

static const struct {
	enum world_call call;
	const char *path;
	bool allowed;
} rows[] = {
	{ CALL_EXEC, "/bin/sh", true },
	{ CALL_EXEC, "/usr/bin/git", true },
	{ CALL_EXEC, "/usr/local/bin/node", true },
	{ CALL_EXEC, "/opt/homebrew/bin/node", true },
	{ CALL_EXEC, "/Library/Developer/CommandLineTools/usr/bin/clang", true },
	{ CALL_EXEC, "/Applications/Xcode.app/Contents/Developer/usr/bin/xcodebuild", true },
	{ CALL_DLOPEN, "/System/Volumes/Preboot/Cryptexes/OS/System/Library/dyld/dyld_shared_cache_arm64e", true },
	{ CALL_DLOPEN, "/System/Library/Frameworks/Security.framework/Security", true },
	{ CALL_READ, "/private/var/db/timezone/tz/x", true },
	{ CALL_READ, "/private/var/select/sh", true },
	{ CALL_STAT, "/Applications", true },
	{ CALL_READ, "/Applications", false },
	{ CALL_CREATE, "/private/tmp/x", true },
	{ CALL_CREATE, "/Users/me/w/x", true },
	{ CALL_CREATE, "/Users/me/Library/Caches/go-build/x", true },
	{ CALL_READ, "/Users/me/Library/Caches/com.apple.Safari/x", false },
	{ CALL_CREATE, "/usr/local/bin/x", false },
	{ CALL_CREATE, "/opt/homebrew/bin/x", false },
	{ CALL_READ, "/Users/me/.ssh/id_ed25519", false },
	{ CALL_READ, "/Users/me/Library/Keychains/login.keychain-db", false },
	{ CALL_READ, "/Library/Keychains/System.keychain", false },
	{ CALL_READ, "/Users/me/Library/Messages/chat.db", false },
	{ CALL_CREATE, "/Users/me/Library/LaunchAgents/x.plist", false },
	{ CALL_CREATE, "/Library/LaunchDaemons/x.plist", false },
	{ CALL_CREATE, "/Users/me/.zshrc", false },
	{ CALL_READ, "/private/var/db/dslocal/nodes/Default/users/me.plist", false },
	{ CALL_READ, "/System/Volumes/Data/Users/me/.ssh/id_ed25519", false },
	{ CALL_RENAME, "/private/tmp", false },
	{ CALL_RENAME, "/Users/me/Library/Caches/go-build", false },
	{ CALL_CONNECT_UNIX, "/private/tmp/com.apple.launchd.abc/Listeners", false },
};

TEST(preset_macos_profile)
{
	struct world world;

	world_begin(&world);
	world_grant_preset(&world);
	if (world_make(&world))
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			enum sbpl_answer answer = world_call(world.sbpl, rows[i].call, rows[i].path, "/Users/me/w/y");

			CHECK(answer == (rows[i].allowed ? SBPL_ALLOW : SBPL_DENY), "%s %s: %d",
				world_call_name(rows[i].call), rows[i].path, answer);
		}
	world_end(&world);
}
