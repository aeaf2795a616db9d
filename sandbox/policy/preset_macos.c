/* The needs of a coding agent's commands on a Mac, in addition to their needs on every system. */
#include "policy/preset.h"

#include <stddef.h>

const struct zs_preset_tree zs_preset_trees_macos[] = {
	/* programs, libraries and frameworks. /System is left out, since it holds the second names of all users' files
	 * (seatbelt/place.h). Cryptexes: dyld's cache lies there since macOS 13. */
	{ "/usr", ZS_ACCESS_EXEC, false, true },
	{ "/bin", ZS_ACCESS_EXEC, false, true },
	{ "/sbin", ZS_ACCESS_EXEC, false, true },
	{ "/System/Library", ZS_ACCESS_EXEC, false, true },
	{ "/System/Cryptexes", ZS_ACCESS_EXEC, false, true },
	{ "/System/Volumes/Preboot/Cryptexes", ZS_ACCESS_EXEC, false, true },
	/* Rosetta, and the programs that it has translated */
	{ "/Library/Apple", ZS_ACCESS_EXEC, false, false },
	{ "/private/var/db/oah", ZS_ACCESS_EXEC, false, false },
	/* Apple's tools: Command Line Tools and Xcode, and the choice between them */
	{ "/Library/Developer", ZS_ACCESS_EXEC, false, false },
	{ "/Applications/Xcode.app", ZS_ACCESS_EXEC, false, false },
	{ "/private/var/db/xcode_select_link", ZS_ACCESS_READ, false, false },
	{ "/Library/Preferences/com.apple.dt.Xcode.plist", ZS_ACCESS_READ, false, false },
	{ "/Library/Preferences/.GlobalPreferences.plist", ZS_ACCESS_READ, false, false },
	/* Homebrew (/opt/homebrew; in /usr/local on Intel), MacPorts, nix, the installers of Python and Java */
	{ "/opt", ZS_ACCESS_EXEC, false, false },
	{ "/nix", ZS_ACCESS_EXEC, false, false },
	{ "/Library/Frameworks", ZS_ACCESS_EXEC, false, false },
	{ "/Library/Java", ZS_ACCESS_EXEC, false, false },
	/* which shell sh is, the time zone, name servers */
	{ "/private/var/select", ZS_ACCESS_READ, false, false },
	{ "/private/var/db/timezone", ZS_ACCESS_READ, false, false },
	{ "/etc/resolv.conf", ZS_ACCESS_READ, false, false },
	/* temporary files; TMPDIR names the user's own folder in /var/folders */
	{ "/tmp", ZS_ACCESS_WRITE, true, false },
	{ "/var/tmp", ZS_ACCESS_WRITE, true, false },
	{ NULL, ZS_ACCESS_HIDE, false, false },
};

const struct zs_preset_home zs_preset_homes_macos[] = {
	{ "", "Library/Caches", "ccache", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Preferences", "ccache", ZS_ACCESS_READ, "" },
	{ "", "Library/Caches", "go-build", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Application Support", "go", ZS_ACCESS_READ, "" },
	{ "", "Library/Caches", "golangci-lint", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "staticcheck", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "Yarn", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "pnpm", ZS_ACCESS_WRITE, "" },
	{ "", "Library/pnpm", "store", ZS_ACCESS_WRITE, "" },
	{ "", "Library/pnpm", "", ZS_ACCESS_EXEC, "" },
	{ "", "Library/Caches", "node-gyp", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "deno", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "ms-playwright", ZS_ACCESS_EXEC, "" },
	{ "", "Library/Caches", "pip", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Caches", "pypoetry", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Python", "", ZS_ACCESS_EXEC, "" },
	{ "", "Library/Caches", "org.swift.swiftpm", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Developer/Xcode", "DerivedData", ZS_ACCESS_WRITE, "" },
	{ "", "Library/Java", "", ZS_ACCESS_EXEC, "" },
	{ "", "", "", ZS_ACCESS_HIDE, "" },
};
