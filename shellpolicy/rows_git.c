/* git, and other version control. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(git) = {
	{ .names = "git",
		.options = "-C=d -c=g --git-dir=d --work-tree=d --namespace=d --exec-path?N --super-prefix=d "
			"--config-env=k --attr-source=d --list-cmds=d -p --paginate -P --no-pager --bare "
			"--no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs "
			"--icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice -h!h -v!h --version!h "
			"--help!h --html-path!h --man-path!h --info-path!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_ALIASES, .language = "git" },
	{ .of = "git",
		.names = "blame|annotate|check-attr|check-ignore|check-mailmap|check-ref-format|cherry|column|"
			"count-objects|describe|diff-files|diff-index|diff-pairs|diff-tree|fmt-merge-msg|"
			"for-each-ref|get-tar-commit-id|help|last-modified|ls-files|ls-tree|merge-base|merge-tree|"
			"name-rev|patch-id|range-diff|rev-list|rev-parse|show-branch|show-index|show-ref|shortlog|"
			"status|stripspace|var|verify-commit|verify-pack|verify-tag|version|whatchanged|whereami|"
			"show-tree|request-pull", .options = "-h!h --help!h --output=w --ext-diff" },
	{ .of = "git", .names = "cat-file", .options = "-h!h --help!h --output=w --ext-diff --textconv --filters" },
	{ .of = "git", .names = "fsck", .options = "-h!h --help!h --output=w --ext-diff --lost-found!p" },
	{ .of = "git", .names = "grep",
		.options = "-h!h --help!h --output=w --ext-diff -O!w --open-files-in-pager!w" },
	{ .of = "git", .names = "diff|log|show", .options = "-h!h --help!h --output=w", .operands = "d*" },
	{ .of = "git", .names = "reflog", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LISTS },
	{ .of = "git reflog", .names = "show|list|exists" },
	{ .of = "git reflog", .names = "expire|delete|drop|write", .options = "-h!h --help!h", .traits = ZS_ROW_REPO },
	{ .of = "git",
		.names = "add|am|checkout|checkout-index|cherry-pick|clean|commit|commit-tree|fast-import|"
			"filter-branch|filter-repo|gc|init|init-db|maintenance|merge|merge-file|merge-index|"
			"merge-one-file|mktag|mktree|mv|p4|pack-objects|pack-redundant|pack-refs|prune|"
			"prune-packed|quiltimport|read-tree|rebase|receive-pack|reset|restore|revert|rm|send-pack|"
			"shell|sparse-checkout|stage|svn|switch|update-index|update-ref|update-server-info|"
			"upload-archive|upload-pack|write-tree|unpack-objects|unpack-file|index-pack|repack|"
			"replace|rerere|bugreport|instaweb|daemon|http-backend|credential|credential-cache|"
			"credential-store|fsmonitor--daemon|refs|multi-pack-index|replay|citool|gui|gitk|scalar|"
			"lfs|diagnose|backfill|repo", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "clone|fetch|pull|push|send-email|http-fetch|http-push|imap-send",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_NETWORK },
	{ .of = "git", .names = "apply",
		.options = "-h!h --help!h --stat!r --numstat!r --summary!r --check!r --apply!p --index!p "
			"--cached!p -3!p --3way!p -p=d --exclude=d --include=d --directory=d --whitespace=d "
			"--build-fake-ancestor=w", .operands = "r*", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "archive",
		.options = "-h!h --help!h -o=w --output=w -l!h --list!h --format=d --prefix=d --add-file=r "
			"--remote=d --exec=c", .operands = "d*" },
	{ .of = "git", .names = "bisect", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git bisect", .names = "log|view|visualize|terms|help" },
	{ .of = "git bisect", .names = "start|good|bad|new|old|skip|reset|replay|run|next", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "branch",
		.options = "-h!h --help!h -l!r --list!r -a!r --all!r -r!r --remotes!r -v -vv --verbose "
			"--show-current!r --contains!r --no-contains!r --merged!r --no-merged!r --points-at!r "
			"--format=d --sort=d --color?N --column?N --abbrev?N -d!p -D!p --delete!p -m!p -M!p "
			"--move!p -c!p -C!p --copy!p -u!p --set-upstream-to!p --unset-upstream!p "
			"--edit-description!p -f!p --force!p -t!p --track!p", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_LISTS },
	{ .of = "git", .names = "bundle|commit-graph|hook|worktree", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git bundle", .names = "verify|list-heads" },
	{ .of = "git bundle", .names = "create", .options = "-h!h --help!h --version=d", .operands = "wd*" },
	{ .of = "git bundle", .names = "unbundle", .traits = ZS_ROW_REPO },
	{ .of = "git commit-graph", .names = "verify" },
	{ .of = "git commit-graph", .names = "write", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "config",
		.options = "-h!h --help!h -l!r --list!r --get!r --get-all!r --get-regexp!r --get-urlmatch!r "
			"--get-color!r --get-colorbool!r --name-only --show-origin --show-scope -z --null --bool "
			"--int --path --bool-or-int --expiry-date --global --system --local --worktree -f=d "
			"--file=d --blob=d --type=d --default=d --includes --no-includes --add!p --unset!p "
			"--unset-all!p --replace-all!p --rename-section!p --remove-section!p -e!p --edit!p",
		.operands = "d*", .traits = ZS_ROW_REPO, .grammar = zs_grammar_git_config },
	{ .of = "git", .names = "difftool|mergetool",
		.options = "-h!h --help!h --tool-help!h -x=c --extcmd=c -t=d --tool=d", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "fast-export", .options = "-h!h --help!h --export-marks=w --import-marks=r" },
	{ .of = "git", .names = "for-each-repo", .options = "--config=d", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "format-patch",
		.options = "-h!h --help!h --stdout!r -o=w --output-directory=w --output=w -n --start-number=d "
			"--subject-prefix=d --cover-letter --base=d -v=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "git", .names = "hash-object",
		.options = "-h!h --help!h -w!p --stdin -t=d --path=d --stdin-paths --no-filters --literally",
		.operands = "d*" },
	{ .of = "git hook", .names = "run", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "interpret-trailers",
		.options = "-h!h --help!h --in-place!i --trailer=d --where=d --if-exists=d --if-missing=d --parse "
			"--only-trailers --only-input --unfold --no-divider --trim-empty", .operands = "r*" },
	{ .of = "git", .names = "ls-remote",
		.options = "-h!h --help!h --upload-pack=c --exec=c --sort=d -o=d --server-option=d",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "git", .names = "mailinfo", .options = "-h!h --help!h", .operands = "ww" },
	{ .of = "git", .names = "mailsplit", .options = "-h!h --help!h -o=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "git", .names = "notes", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LISTS },
	{ .of = "git notes", .names = "list|show|get-ref" },
	{ .of = "git notes", .names = "add|append|copy|edit|merge|remove|prune", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "remote", .options = "-h!h --help!h -v --verbose", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git remote", .names = "show|get-url", .options = "-h!h --help!h" },
	{ .of = "git remote", .names = "add|remove|rm|rename|set-url|set-head|set-branches|prune|update",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "stash",
		.options = "-h!h --help!h -q -u -a -k -p -S -m=d --message=d --include-untracked --keep-index "
			"--patch --all --staged", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_REPO },
	{ .of = "git stash", .names = "list|show", .options = "-h!h --help!h" },
	{ .of = "git stash", .names = "push|pop|apply|drop|clear|save|branch|create|store|export|import",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "submodule", .options = "-h!h --help!h -q --quiet --cached", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git submodule", .names = "status|summary" },
	{ .of = "git submodule", .names = "foreach", .options = "-q --quiet --recursive", .operands = "S" },
	{ .of = "git submodule", .names = "add|init|deinit|update|set-branch|set-url|sync|absorbgitdirs",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "symbolic-ref",
		.options = "-h!h --help!h -q --quiet --short --recurse --no-recurse -d!p --delete!p -m=d",
		.operands = "dM" },
	{ .of = "git", .names = "tag",
		.options = "-h!h --help!h -l!r --list!r -n?r --contains!r --no-contains!r --merged!r "
			"--no-merged!r --points-at!r -v!r --verify!r --sort=d --format=d --column?N --color?N "
			"-d!p --delete!p -a!p -s!p -f!p --force!p -m=d -F=r -u=d", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_LISTS },
	{ .of = "git worktree", .names = "list" },
	{ .of = "git worktree", .names = "add|lock|move|prune|remove|repair|unlock", .traits = ZS_ROW_REPO },
	{ .names = "hg|svn|bzr|fossil|jj|darcs|cvs|sl", .options = "--version!h --help!h -h!h -R=d --cwd=C -q -v",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_ALIASES },
	{ .of = "hg",
		.names = "log|diff|status|st|summary|annotate|blame|cat|branches|tags|heads|parents|identify|id|"
			"files|manifest" },
	{ .of = "svn", .names = "log|diff|status|st|info|list|ls|cat|blame|annotate" },
	{ .of = "jj", .names = "log|diff|status|st|show" },
	{ .of = "fossil", .names = "info|status|timeline|diff" },
	{ .of = "bzr", .names = "log|diff|status|info" },
	{ .of = "sl", .names = "log|diff|status" },
	{ .of = "hg",
		.names = "add|addremove|commit|ci|update|up|checkout|merge|pull|push|revert|remove|rm|rename|mv|"
			"clone|init|strip|rebase|import|graft|tag|branch|bookmark|shelve|unshelve",
		.traits = ZS_ROW_REPO },
	{ .of = "svn",
		.names = "add|commit|ci|update|up|checkout|co|switch|merge|revert|delete|rm|move|mv|copy|cp|mkdir|"
			"import|lock|propset|cleanup|export", .traits = ZS_ROW_REPO },
	{ .of = "jj", .names = "new|commit|describe|edit|abandon|squash|rebase|git|restore|split|undo|bookmark",
		.traits = ZS_ROW_REPO },
	{ .names = "gh|glab", .operands = "d*", .traits = ZS_ROW_NETWORK | ZS_ROW_SUBCOMMANDS },
	{ .of = "cvs|darcs", .names = "log|diff|status|annotate|whatsnew|show|changes" },
	{ .of = "gh|glab",
		.names = "pr|mr|issue|repo|release|gist|run|workflow|auth|secret|label|project|variable|cache|ci",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_NETWORK, .options = "-R=d --repo=d" },
	{ .of = "gh pr|gh mr|glab mr|gh issue|glab issue|gh repo|glab repo|gh release|glab release|gh gist|gh run|"
			"gh workflow|gh auth|gh secret|gh label|gh project|gh variable|gh cache|glab ci",
		.names = "view|list|ls|status|checks|diff|watch|token", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "gh pr|gh mr|glab mr|gh issue|glab issue|gh repo|glab repo|gh release|glab release|gh gist|gh run|"
			"gh workflow|gh auth|gh secret|gh label|gh project|gh variable|gh cache|glab ci",
		.names = "create|merge|checkout|co|close|reopen|comment|review|edit|ready|clone|fork|delete|sync|"
			"rename|archive|download|upload|rerun|cancel|enable|disable|run|login|logout|refresh|"
			"setup-git|set|remove|update|lock|unlock|pin|unpin|transfer|develop|approve|rebase|note",
		.operands = "d*", .traits = ZS_ROW_NETWORK | ZS_ROW_REPO },
	{ .of = "gh|glab", .names = "api",
		.options = "-X!p --method!p -f!p --field!p -F!p --raw-field!p --input!p -H=d --header=d -q=d "
			"--jq=d -t=d --template=d --paginate --cache=d", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "gh|glab", .names = "search|status|browse|version|help|completion", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
};
// clang-format on
ZS_TABLE_COUNT(git);
