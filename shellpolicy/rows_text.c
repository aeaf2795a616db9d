/* Readers and filters of text, and editors. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(text) = {
	{ .names = "sed|gsed",
		.options = "-e=k --expression=k -f=f --file=f -i?i --in-place?i -l=d --line-length=d -n --quiet "
			"--silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --posix "
			"--debug --follow-symlinks --sandbox --help!h --version!h", .operands = "kr*",
		.language = "sed" },
	{ .names = "awk|gawk|mawk|nawk|original-awk",
		.options = "-f=f --file=f -v=d --assign=d -F=d --field-separator=d -e=k --source=k -i=w "
			"--include=w -l=w --load=w -d?w --dump-variables?w -p?w --profile?w -o?w --pretty-print?w "
			"-D?N -E=f --exec=f -W=k -V!h --help!h --version!h", .operands = "kr*",
		.traits = ZS_ROW_NO_PERMUTE, .language = "awk" },
	{ .names = "sort|gsort",
		.options = "-o=w --output=w -T=d --temporary-directory=d -S=d --buffer-size=d -k=d --key=d -t=d "
			"--field-separator=d --compress-program=c --files0-from=r --parallel=d --batch-size=d "
			"--random-source=r --sort=d --help!h --version!h", .operands = "r*" },
	{ .names = "shuf",
		.options = "-o=w --output=w -i=d --input-range=d -n=d --head-count=d --random-source=r -e --echo "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "uniq",
		.options = "-f=d --skip-fields=d -s=d --skip-chars=d -w=d --check-chars=d --help!h --version!h",
		.operands = "rw" },
	{ .names = "iconv",
		.options = "-o=w --output=w -f=d --from-code=d -t=d --to-code=d -l!h --list!h --help!h --version!h",
		.operands = "r*" },
	{ .names = "xxd",
		.options = "-ps -p -r -a -i -u -e -b -c=d -cols=d -g=d -l=d -len=d -o=d -s=d -seek=d -R=d -n=d",
		.operands = "rw" },
	{ .names = "tr|cut|head|tail|cat|tac|nl|wc|fold|fmt|expand|unexpand|paste|join|comm|column|rev|od|hexdump|"
			"hd|strings|base64|base32|basenc|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|"
			"b2sum|cksum|sum|grep|egrep|fgrep|pcregrep|pcre2grep|diff|cmp|colordiff|look|tsort|pr|"
			"numfmt|seq|yes|factor|bc|expr|jq|gron|fx|xpath|html2text|tokei|wdiff|ts|lolcat|figlet|jo|"
			"csvcut|csvgrep|csvstat|csvlook|csvsort|csvjson|in2csv|datamash|tldr|cheat|dasel|crudini|"
			"ggrep|gdiff" },
	{ .names = "yq",
		.options = "-i!i --inplace!i --in-place!i -o=d --output-format=d -p=d --input-format=d -s=w "
			"--split-exp=w --from-file=r --help!h --version!h", .operands = "dr*" },
	{ .names = "mlr", .options = "-I!i -n", .operands = "dr*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "xmlstarlet|xml", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "xmlstarlet|xml", .names = "ed", .options = "-L!w --inplace!w", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "xmlstarlet", .names = "sel|val|fo|el" },
	{ .of = "xml", .names = "sel|val" },
	{ .names = "less|more|most", .options = "-o=w -O=w --log-file=w --LOG-FILE=w -V!h --version!h --help!h",
		.operands = "r*" },
	{ .names = "man",
		.options = "-P=c --pager=c -H!w --html!w -p=d -C=d -L=d -m=d -M=d -S=d -s=d -e=d -k!h -f!h -w!h "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "ed|ex|vi|vim|nvim|nano|pico|emacs|emacsclient|micro|joe|mcedit|red|view|rvim|vimdiff|code|"
			"subl|gedit|kak|hx", .options = "--version!h --help!h", .traits = ZS_ROW_WRITES,
		.hint = "Edit files with your editing tool; to look at them use cat, head or sed -n." },
	{ .names = "ctags|etags", .options = "-f=W -o=W --list-languages!h --version!h --help!h", .operands = "r*",
		.traits = ZS_ROW_WRITES },
	{ .names = "gpg|gpg2",
		.options = "--verify!r --list-keys!r -k!r --list-secret-keys!r -K!r --fingerprint!r "
			"--list-packets!r --version!h --help!h -o=w --output=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "sqlite3",
		.options = "--version!h -version!h -readonly -header -noheader -csv -json -column -line -list "
			"-box -table -markdown -batch -bail -cmd=k -init=f -separator=d -nullvalue=d -safe "
			"--help!h -help!h", .operands = "rk*", .traits = ZS_ROW_LONG_DASH,
		.grammar = zs_grammar_sqlite, .language = "sql" },
	{ .names = "pandoc", .options = "-o=w --output=w -f=d -t=d -v!h --help!h --version!h", .operands = "r*" },
	{ .names = "dot|neato|fdp", .options = "-o=w -V!h -O!w", .operands = "r*" },
	{ .names = "convert|magick|mogrify|ffmpeg|sox", .options = "-version!h --version!h", .traits = ZS_ROW_WRITES },
	{ .names = "sdiff|diff3", .options = "-o=w --output=w --diff-program=c -w -I=d -x=d -e -m -A -E" },
	{ .names = "ptx", .options = "-o=d -i=d -g=d -w=d -W=d -F=d -b=d -S=d", .operands = "rw" },
	{ .names = "rg|ag|ack|bat|batcat", .options = "--pre=c --hostname-bin=c --pager=c" },
	{ .names = "xmllint", .options = "-o=w --output=w --shell!s --noout --xpath=d --schema=r --dtdvalid=r" },
	{ .names = "cloc|scc|xsv|qsv|pv", .options = "-o=w --out=w --output=w --report-file=w --sql=w -v" },
};
// clang-format on
ZS_TABLE_COUNT(text);
