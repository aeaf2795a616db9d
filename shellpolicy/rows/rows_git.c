/* git, and other version control. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(git) = {
	{ .names = "git",
		.options = "-C=d -c=g --git-dir=d --work-tree=d --namespace=d --exec-path=L --super-prefix=d "
			"--config-env=k --attr-source=d --list-cmds=d -p --paginate -P --no-pager --bare "
			"--no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs "
			"--icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice -h!h -v!h --version!h "
			"--help!h --html-path!h --man-path!h --info-path!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_ALIASES, .language = "git" },
	{ .of = "git",
		.names = "blame|annotate|pickaxe|check-attr|check-ignore|check-mailmap|check-ref-format|cherry|column|"
			"count-objects|describe|diff-files|diff-index|diff-pairs|diff-tree|fmt-merge-msg|"
			"for-each-ref|get-tar-commit-id|help|last-modified|ls-files|ls-tree|merge-base|merge-tree|"
			"name-rev|pack-redundant|patch-id|range-diff|rev-list|rev-parse|show-branch|show-index|"
			"show-ref|shortlog|status|stripspace|survey|var|verify-commit|verify-pack|verify-tag|"
			"version|whatchanged|whereami|show-tree|request-pull|upload-pack|upload-archive|"
			"sh-i18n--envsubst|merge-ours", .options = "-h!h --help!h --output=w --ext-diff",
		.traits = ZS_ROW_NO_INPUT },
	/* git-SUB, a program in git's own folder, is git SUB (man 1 git, --exec-path). */
	{ .names = "git-*", .grammar = ZS_GRAMMAR_GIT_PROGRAM },
	{ .of = "git", .names = "cat-file", .options = "-h!h --help!h --output=w --ext-diff --textconv --filters" },
	{ .of = "git", .names = "fsck|fsck-objects", .options = "-h!h --help!h --output=w --ext-diff --lost-found!p" },
	{ .of = "git", .names = "grep",
		.options = "--help!h -e=d -f=r -m=d --max-count=d --max-depth=d --threads=d -A=d -B=d -C=d "
			"-O!w --open-files-in-pager!w", .operands = "d*" },
	{ .of = "git", .names = "diff|log|show", .options = "-h!h --help!h --output=w", .operands = "d*",
		.traits = ZS_ROW_NO_INPUT },
	{ .of = "git", .names = "reflog", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LISTS },
	{ .of = "git reflog", .names = "show|list|exists" },
	{ .of = "git reflog", .names = "expire|delete|drop|write",
		.options = "-h!h --help!h -n!r --dry-run!r", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git",
		.names = "add|prune|stage", .options = "-h!h --help!h -n!r --dry-run!r -e=d --exclude=d",
		.operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git",
		.names = "clean|mv|rm", .options = "-h!h --help!h -n!r --dry-run!r -e=d --exclude=d",
		.operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "commit",
		.options = "-h!h --help!h -m=d --message=d -F=r --file=r "
			"-t=r --template=r -C=d -c=d --reuse-message=d --reedit-message=d --author=d --date=d "
			"--fixup=d --squash=d --trailer=d --cleanup=d --pathspec-from-file=r", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "merge-file", .options = "-h!h --help!h -p!r --stdout!r -L=d --marker-size=d",
		.operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "pack-objects", .options = "-h!h --help!h --stdout!r", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "unpack-objects", .options = "-h!h --help!h -n!r",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "replace",
		.options = "-h!h --help!h -l!r --list!r --format=d -d!p --delete!p -e!p --edit!p -f!p -g!p --graft!p",
		.operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT | ZS_ROW_LISTS },
	{ .of = "git", .names = "rerere|sparse-checkout|multi-pack-index|refs|repo|lfs|svn|subtree",
		.options = "-h!h --help!h --object-dir=d -P=d --prefix=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_REPO },
	{ .of = "git", .names = "annex", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_REPO },
	{ .of = "git annex", .names = "find|info|list|log|status|version|whereis", .options = "-h!h --help!h",
		.operands = "d*" },
	{ .of = "git annex", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git rerere", .names = "status|diff|remaining" },
	{ .of = "git sparse-checkout", .names = "list|check-rules" },
	{ .of = "git multi-pack-index|git refs", .names = "verify|list|exists" },
	{ .of = "git repo", .names = "info|structure" },
	{ .of = "git svn", .names = "info|log|blame|find-rev|show-ignore|show-externals|proplist|propget" },
	{ .of = "git lfs",
		.names = "ls-files|status|env|version|logs|locks|pointer|fsck|help|ext" },
	{ .of = "git rerere|git sparse-checkout|git multi-pack-index|git refs|git svn|git lfs|git subtree|git repo",
		.names = "*", .options = "-h!h --help!h --dry-run!r", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git",
		.names = "am|archimport|checkout|checkout--worker|checkout-index|cherry-pick|fast-import|"
			"filter-branch|filter-repo|init|init-db|merge|merge-index|merge-octopus|"
			"merge-one-file|merge-recursive|merge-resolve|merge-subtree|p4|"
			"quiltimport|read-tree|rebase|rebase--interactive|receive-pack|"
			"restore|revert|send-pack|shell|switch|"
			"unpack-file|index-pack|bugreport|instaweb|daemon|http-backend|"
			"credential|credential-cache|credential-cache--daemon|credential-store|cvsexportcommit|"
			"cvsimport|cvsserver|fsmonitor--daemon|replay|citool|gui|gui--askpass|gitk|scalar|"
			"diagnose|backfill|history|web--browse|remote-ext|remote-fd|submodule--helper|"
			"bisect--helper|difftool--helper|add--interactive|env--helper|mergetool--lib",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git",
		.names = "commit-tree|gc|maintenance|mktag|mktree|pack-refs|prune-packed|repack|update-index|"
			"update-ref|update-server-info|write-tree",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "reset", .options = "-h!h --help!h --hard!t --merge!t --keep!t", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "fetch|fetch-pack", .options = "-h!h --help!h --dry-run!r", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT | ZS_ROW_NETWORK },
	{ .of = "git", .names = "clone|pull|push|send-email|http-fetch|http-push|imap-send",
		.options = "-h!h --help!h --dry-run!r", .operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_NETWORK },
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
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT | ZS_ROW_LISTS },
	{ .of = "git", .names = "bundle|commit-graph|hook|worktree", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git bundle", .names = "verify|list-heads" },
	{ .of = "git bundle", .names = "create", .options = "-h!h --help!h --version=d", .operands = "wd*" },
	{ .of = "git bundle", .names = "unbundle", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git commit-graph", .names = "verify" },
	{ .of = "git commit-graph", .names = "write", .traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "config",
		.options = "-h!h --help!h -l!r --list!r --get!r --get-all!r --get-regexp!r --get-urlmatch!r "
			"--get-color!r --get-colorbool!r --comment=d --value=d --url=d --all --regexp --name-only "
			"--show-origin --show-scope -z --null --bool --int --path --bool-or-int --expiry-date "
			"--global --system --local --worktree -f=d --file=d --blob=d --type=d --default=d "
			"--includes --no-includes --add!p --unset!p --unset-all!p --replace-all!p "
			"--rename-section!p --remove-section!p -e!p --edit!p", .operands = "d*",
		.traits = ZS_ROW_REPO, .grammar = ZS_GRAMMAR_GIT_CONFIG },
	{ .of = "git", .names = "difftool|mergetool",
		.options = "-h!h --help!h --tool-help!h -x=c --extcmd=c -t=d --tool=d", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .of = "git", .names = "fast-export",
		.options = "-h!h --help!h --export-marks=w --import-marks=r --import-marks-if-exists=r "
			"--signed-tags=d --tag-of-filtered-object=d --refspec=d", .operands = "d*" },
	{ .of = "git", .names = "for-each-repo", .options = "--config=d", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "format-patch",
		.options = "-h!h --help!h --stdout!r -o=w --output-directory=w --output=w -n --start-number=d "
			"--subject-prefix=d --cover-letter --base=d -v=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "git", .names = "hash-object",
		.options = "-h!h --help!h -w!p --stdin -t=d --path=d --stdin-paths --no-filters --literally",
		.operands = "d*", .traits = ZS_ROW_DOT_GIT },
	{ .of = "git hook", .names = "run", .traits = ZS_ROW_REPO },
	{ .of = "git", .names = "interpret-trailers",
		.options = "-h!h --help!h --in-place!i --trailer=d --where=d --if-exists=d --if-missing=d --parse "
			"--only-trailers --only-input --unfold --no-divider --trim-empty", .operands = "r*" },
	{ .of = "git", .names = "ls-remote",
		.options = "--help!h --upload-pack=c --exec=c --sort=d -o=d --server-option=d",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "git", .names = "mailinfo", .options = "-h!h --help!h", .operands = "ww" },
	{ .of = "git", .names = "mailsplit", .options = "-h!h --help!h -o=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "git", .names = "notes", .options = "-h!h --help!h --ref=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LISTS },
	{ .of = "git notes", .names = "list|show|get-ref" },
	{ .of = "git notes", .names = "add|append|copy|edit|merge|remove|prune", .options = "-n!r --dry-run!r",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "remote", .options = "-h!h --help!h -v --verbose", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "git remote", .names = "show|get-url", .options = "-h!h --help!h" },
	{ .of = "git remote", .names = "add|remove|rm|rename|set-url|set-head|set-branches|prune|update",
		.options = "-n!r --dry-run!r",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
	{ .of = "git", .names = "stash",
		.options = "-h!h --help!h -q -u -a -k -p -S -m=d --message=d --include-untracked --keep-index "
			"--patch --all --staged", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_REPO },
	{ .of = "git stash", .names = "list|show", .options = "-h!h --help!h --output=w", .operands = "d*" },
	{ .of = "git stash", .names = "push|pop|apply|save|branch", .traits = ZS_ROW_REPO },
	{ .of = "git stash", .names = "drop|clear|create|store|export|import",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT },
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
			"-d!p --delete!p -a!p --annotate!p -s!p --sign!p -f!p --force!p -e!p -m=d --message=d -F=r "
			"--file=r -u=d --local-user=d --cleanup=d --trailer=d", .operands = "d*",
		.traits = ZS_ROW_REPO | ZS_ROW_DOT_GIT | ZS_ROW_LISTS },
	{ .of = "git worktree", .names = "list" },
	{ .of = "git worktree", .names = "add|lock|move|prune|remove|repair|unlock", .options = "-n!r --dry-run!r",
		.traits = ZS_ROW_REPO },
	/* The configuration files of hg and svn name hooks, aliases and programs. */
	{ .names = "hg|svn|bzr|fossil|jj|darcs|cvs|sl|p4|svnadmin|svnlook|pijul",
		.options = "--version!h --help!h -h!h -R=d --repository=d --cwd=C --config=L --config-option=L "
			"--config-dir=L --config-file=L -q -v -d=d -p=d -c=d -u=d -P=d --username=d --password=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_ALIASES },
	{ .of = "hg|sl",
		.names = "log|history|diff|status|st|summary|sum|annotate|blame|cat|branches|tags|heads|parents|"
			"identify|id|files|manifest|locate|grep|help|version|paths|root|tip|verify|showconfig|in|"
			"incoming|out|outgoing|export|smartlog|sl|show|debugancestor|glog",
		.options = "-o=w --output=w --config=L -h!h --help!h -r=d --rev=d -T=d --template=d",
		.operands = "d*" },
	{ .of = "hg|sl|svn|svnadmin|jj|fossil|bzr|cvs|darcs|p4|pijul", .names = "shelve|unshelve",
		.options = "-l!r --list!r -p!r --patch!r --stat!r -n=d --name=d -m=d --message=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_REPO },
	{ .of = "hg|sl", .names = "config",
		.options = "-e!p --edit!p -l!p --local!p -g!p --global!p --user!p --delete!p", .operands = "d*" },
	{ .of = "hg|sl", .names = "branch|bookmark|bookmarks|phase",
		.options = "-l!r --list!r -h!h --help!h -d!p --delete!p -C!p -f!p -m!p -r=d --rev=d -p!p -s!p",
		.operands = "d*", .traits = ZS_ROW_REPO | ZS_ROW_LISTS },
	{ .of = "svn",
		.names = "log|diff|di|status|stat|st|info|list|ls|cat|blame|annotate|praise|ann|propget|pget|pg|"
			"proplist|plist|pl|help|auth|youngest",
		.options = "--diff-cmd=c -x=d --extensions=d -r=d --revision=d -c=d --config-option=L --help!h",
		.operands = "d*" },
	{ .of = "svnlook", .names = "author|cat|changed|date|diff|dirs-changed|filesize|history|info|lock|log|propget|"
			"proplist|tree|uuid|youngest|help" },
	{ .of = "svnadmin", .names = "dump|verify|info|lslocks|lstxns|help", .options = "-F=w --file=w" },
	{ .of = "jj", .names = "log|diff|status|st|show|obslog|evolog|interdiff|help|version|root|cat|files" },
	{ .of = "jj", .names = "file|op|operation|config|workspace|tag", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "jj file|jj op|jj operation|jj config|jj workspace|jj tag",
		.names = "list|show|log|diff|get|path|root|annotate|search" },
	{ .of = "jj file|jj op|jj operation|jj config|jj workspace|jj tag", .names = "*", .traits = ZS_ROW_REPO },
	{ .of = "hg|sl|cvs|darcs|p4|bzr|fossil", .names = "tag", .traits = ZS_ROW_REPO },
	{ .of = "jj", .names = "describe|bookmark", .traits = ZS_ROW_REPO },
	{ .of = "svn|bzr|fossil|jj", .names = "export", .traits = ZS_ROW_REPO },
	{ .of = "fossil|bzr|p4", .names = "branch", .traits = ZS_ROW_REPO },
	{ .of = "fossil",
		.names = "info|status|timeline|diff|finfo|ls|cat|changes|extras|leaves|descendants|help|version|"
			"annotate|blame|praise|whatis" },
	{ .of = "bzr",
		.names = "log|diff|status|st|info|annotate|blame|cat|ls|missing|revno|root|tags|help|version|"
			"inventory" },
	{ .of = "cvs|darcs|pijul",
		.names = "log|diff|status|stat|annotate|ann|whatsnew|show|changes|history|rlog|rdiff|ls|rls|"
			"version|help|list|credit" },
	{ .of = "p4",
		.names = "info|files|changes|describe|diff|diff2|filelog|annotate|print|opened|status|have|where|fstat|"
			"clients|branches|labels|users|depots|dirs|sizes|help|interchanges|jobs|grep",
		.options = "-o=w", .operands = "d*" },
	{ .of = "hg|sl|svn|svnadmin|jj|fossil|bzr|cvs|darcs|p4|pijul",
		.names = "add|addremove|amend|commit|ci|update|up|checkout|co|merge|pull|push|fetch|revert|resolve|"
			"resolved|remove|rm|delete|del|forget|rename|mv|move|copy|cp|clone|init|strip|rebase|"
			"import|graft|backout|histedit|fold|split|uncommit|unamend|purge|recover|"
			"rollback|archive|bundle|unbundle|convert|bisect|absorb|evolve|prune|metaedit|switch|"
			"mkdir|lock|unlock|propset|pset|ps|propdel|pd|propedit|pe|cleanup|relocate|upgrade|patch|"
			"changelist|cl|new|desc|edit|abandon|squash|git|restore|undo|duplicate|parallelize|sparse|"
			"untrack|record|unrecord|apply|send|get|put|obliterate|create|load|setlog|hotcopy|pack|"
			"sync|submit|reconcile|integrate|reopen|stash|open|close|sign|track|optimize|rebuild|goto|"
			"hide|unhide|release",
		.options = "-n!r --dry-run!r", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .names = "gh|glab", .options = "-R=d --repo=d --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_NETWORK | ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "gh",
		.names = "pr|mr|issue|repo|release|gist|run|workflow|auth|secret|label|project|variable|cache|ci|"
			"extension|alias|config|codespace|ruleset|org|ssh-key|gpg-key|attestation|pipeline|snippet|"
			"schedule|job|incident|preview|agent-task", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK,
		.options = "-R=d --repo=d -h!h --help!h" },
	{ .of = "gh pr",
		.names = "view|list|ls|status|checks|diff|watch|token|get|check|verify|search|item-list|field-list|"
			"list-*|view-*|logs|trace|lint|ports", .options = "-w --web -L=d --limit=d -R=d --json=d",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "gh pr",
		.names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_NETWORK | ZS_ROW_REPO },
	{ .of = "gh", .names = "api",
		.options = "-X!p --method!p -f!p --field!p -F!p --raw-field!p --input!p -H=d --header=d -q=d "
			"--jq=d -t=d --template=d --paginate --cache=d --hostname=d -p=d --preview=d", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .of = "gh", .names = "search|status|browse|version|help|completion", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .names = "hub", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_NETWORK,
		.options = "--version!h --help!h" },
	{ .of = "hub", .names = "ci-status|version|help" },
	{ .of = "hub",
		.names = "create|fork|merge|pull-request|push|pr|release|sync|checkout|cherry-pick|clone|am|apply|"
			"delete|fetch|init|issue|gist|api", .traits = ZS_ROW_NETWORK | ZS_ROW_REPO },
};
// clang-format on
ZS_TABLE_COUNT(git);
