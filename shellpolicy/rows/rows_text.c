/* Readers and filters of text, and editors. */
#include "rows/rows_table.h"

#define EDITOR_HINT "Edit files with your editing tool; to look at them, use cat, head or sed -n."

// clang-format off
ZS_TABLE(text) = {
	{ .names = "base64", .options = "-w=d --wrap=d -b=d --break=d -i=r --input=r -o=w --output=w -d -D --decode "
			"--ignore-garbage -h!h --help!h --version!h", .operands = "r*" },
	{ .names = "sed|gsed",
		.options = "-e=k --expression=k -f=f --file=f -i?i --in-place?i -l=d --line-length=d -n --quiet "
			"--silent -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data --posix "
			"--debug --follow-symlinks --sandbox --help!h --version!h", .operands = "kr*",
		.traits = ZS_ROW_WHOLE_INPUT | ZS_ROW_NO_INPUT, .language = "sed" },
	{ .names = "awk|gawk|mawk|nawk|original-awk",
		.options = "-f=f --file=f -v=d --assign=d -F=d --field-separator=d -e=k --source=k -i=u "
			"--include=u -l=L --load=L -d?w --dump-variables?w -p?w --profile?w -o?w --pretty-print?w "
			"-D?s --debug?s -L?N --lint?N -E=f --exec=f -W=k -V!h --help!h --version!h", .operands = "kr*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_WHOLE_INPUT, .grammar = ZS_GRAMMAR_AWK,
		.language = "awk" },
	{ .names = "sort|gsort",
		.options = "-o=w --output=w -T=d --temporary-directory=d -S=d --buffer-size=d -k=d --key=d -t=d "
			"--field-separator=d --compress-program=y --files0-from=r --parallel=d --batch-size=d "
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
	{ .names = "cat|tac|wc|head|tail",
		.options = "-n=d --lines=d -c=d --bytes=d -s=d -b=d --sleep-interval=d --pid=d --max-unchanged-stats=d "
			"--separator=d --total=d --files0-from=r", .operands = "r*", .traits = ZS_ROW_NO_INPUT },
	{ .names = "grep|egrep|fgrep",
		.options = "-e=d --regexp=d -f=r --file=r -m=d --max-count=d -A=d -B=d -C=d --context=d --label=d -d=d "
			"-D=d", .operands = "dr*", .traits = ZS_ROW_NO_INPUT },
	{ .names = "tr|cut|nl|fold|fmt|expand|unexpand|paste|join|comm|column|rev|od|hexdump|"
			"hd|strings|base32|basenc|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|"
			"b2sum|cksum|sum|pcregrep|pcre2grep|diff|cmp|colordiff|look|tsort|pr|"
			"numfmt|seq|yes|factor|bc|expr|jq|gron|fx|xpath|tokei|wdiff|lolcat|figlet|jo|"
			"csvcut|csvgrep|csvstat|csvlook|csvsort|csvjson|csvjoin|csvstack|csvformat|datamash|tldr|cheat|"
			"ggrep|gegrep|gfgrep|gdiff|ghead|gtail|gcat|gcut|gtr|gwc|gjq|gojq|zq|jless|jtc|"
			"jsonpp|json_pp|xml2|html2|csv2|pup|htmlq|hxselect|diffstat|filterdiff|"
			"interdiff|combinediff|lsdiff|grepdiff|dwdiff|difft|difftastic|agrep|tre-agrep|"
			"pdfgrep|catdoc|antiword|isutf8|ifdata|"
			"errno|spell|units|ddiff|dadd|"
			"primes|rs|lam|vis|unvis|jot|banner|toilet|cowsay|fortune|uuencode|crc32|"
			"xxhsum|xxh64sum|xxh128sum|b3sum|md5|sha1|sha256|hexyl|"
			"identify|identify-im6|identify-im6.q16|soxi|mediainfo|pdfinfo|pdffonts|tiffinfo|"
			"gifinfo|webpinfo|chardet|chardetect|enca|uchardet" },
	{ .names = "w3m|lynx|elinks", .options = "-o=d -T=d -I=d -O=d -l=d -t=d -cols=d -width=d -version!h -help!h "
			"--help!h --version!h -session!w -cookie_save_file=w -trace!w -source -cmd_log=w "
			"-download-dir=w",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	/* moreutils' ts puts a time in front of each line; task-spooler's ts runs a command */
	{ .names = "ts", .options = "-i -s -m -r -n -f -d -D=d -L=d -S=d -l!h -C!w -K!w -h!h -V!h",
		.operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "html2text",
		.options = "-o=w --output=w -dump -cols=d -width=d -style=d -rcfile=d -T=d -I=d -O=d --version!h "
			"--help!h -help!h -version!h", .operands = "r*" },
	{ .names = "yq|jaq",
		.options = "-i!i --inplace!i --in-place!i -o=d --output-format=d -p=d --input-format=d -s=w "
			"--split-exp=w --split-exp-file=w -f=d --front-matter=d -I=d --indent=d --arg=d "
			"--from-file=r --help!h -V!h --version!h", .operands = "dr*" },
	{ .names = "mlr|miller",
		.options = "-I!w --from=r --mfrom=r --ofmt=d --fs=d --ifs=d --ofs=d --rs=d --ps=d --ips=d --ops=d "
			"--prepipe=y --prepipex=c --load=f --mload=f -s=f --nr-progress-mod=d "
			"--records-per-batch=d --tz=d --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_NO_PERMUTE, .grammar = ZS_GRAMMAR_MLR },
	{ .names = "crudini",
		.options = "--set!i --del!i --merge!i --get --output=w --format=d --existing?N --list --inplace "
			"--list-sep=d --verbose --help!h --version!h", .operands = "rd*" },
	{ .names = "dasel",
		.options = "-f=r --file=r -s=d --selector=d -r=d --read=d -p=d --parser=d -w=d --write=d -i=d -o=w "
			"--out=w --version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dasel", .names = "put|delete",
		.options = "-o=W --out=W -f=r --file=r -s=d --selector=d -r=d --read=d -p=d -w=d --write=d -t=d "
			"--type=d -v=d --value=d -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dasel", .names = "*", .options = "-o=w --out=w -f=r --file=r", .operands = "d*" },
	{ .names = "csvsql",
		.options = "--insert!w --overwrite!w --query=k --before-insert=k --after-insert=k --db=d -i=d "
			"--dialect=d --tables=d --db-schema=d --prefix=d -d=d --delimiter=d -q=d -e=d --encoding=d "
			"-K=d -y=d --snifflimit=d -V!h --version!h -h!h --help!h", .operands = "r*",
		.language = "sql" },
	{ .names = "sql2csv", .options = "--query=k --db=d -e=d -H -V!h --version!h -h!h --help!h",
		.operands = "r", .language = "sql" },
	{ .names = "in2csv",
		.options = "--write-sheets!w -f=d --format=d -s=d --schema=d -k=d --key=d --sheet=d -n --names "
			"-e=d -d=d -q=d -K=d -V!h --version!h -h!h --help!h", .operands = "r" },
	/* csvclean of csvkit 1 writes beside its input. With a flag that only csvkit 2 has, it prints. */
	{ .names = "csvclean", .options = "-n!r --dry-run!r -a!r --enable-all-checks!r --length-mismatch!r "
			"--empty-columns!r --header-normalize-space!r --join-short-rows!r --fill-short-rows!r "
			"--omit-error-rows!r -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "csvpy", .traits = ZS_ROW_STDIN_CODE },
	{ .names = "xmlstarlet|xml", .options = "-q --quiet --doc-namespace --no-doc-namespace --version!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "xmlstarlet|xml", .names = "ed|edit", .options = "-L!w --inplace!w", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "xmlstarlet|xml",
		.names = "sel|select|tr|transform|val|validate|fo|format|el|elements|c14n|canonic|ls|list|esc|escape|"
			"unesc|unescape|pyx|xmln|p2x|depyx" },
	{ .names = "less|more|most|pg",
		.options = "-o=w -O=w --log-file=w --LOG-FILE=w -k=L --lesskey-file=L --lesskey-src=L -p=d --pattern=d "
			"-b=d -h=d -j=d -P=d --prompt=d -t=d --tag=d -T=d -x=d -y=d -z=d -D=d -V!h --version!h "
			"--help!h -?!h", .operands = "r*", .grammar = ZS_GRAMMAR_LESS },
	{ .names = "man",
		.options = "-P=c --pager=c -H!w --html!w -p=d -C=d -L=d -m=d -M=d -S=d -s=d -e=d -k!h -f!h -w!h "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "ex|vi|vim|vim.tiny|vim.basic|vim.nox|vim.gtk3|nvim|view|rvim|rview|vimdiff|nvimdiff|gvimdiff|gvim|"
			"mvim",
		.options = "-c=k --cmd=k --version!h --help!h", .traits = ZS_ROW_WRITES, .language = "vim",
		.hint = EDITOR_HINT },
	{ .names = "emacs|emacsclient", .options = "--eval=k -eval=k --execute=k -execute=k -e=k --version!h --help!h",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH, .language = "lisp", .hint = EDITOR_HINT },
	{ .names = "ed|nano|pico|micro|joe|jmacs|jstar|mcedit|red|code|codium|cursor|subl|sublime_text|gedit|kate|"
			"kwrite|pluma|mousepad|kak|hx|helix|mg|jed|zile|ne|nvi|elvis|vile|sensible-editor|editor|"
			"select-editor|sudoedit|vipe|xed|zed|atom|mate|idea|acme|tilde|dte|e3|vimtutor",
		.options = "--version!h --help!h --list-extensions!h --status!h", .traits = ZS_ROW_WRITES,
		.hint = EDITOR_HINT },
	{ .names = "ctags|ctags-universal|ctags-exuberant|etags|exctags|uctags|gtags",
		.options = "-f=W -o=W --output=W -x!r --list-languages!h --list-kinds?h --list-kinds-full?h "
			"--list-fields?h --list-extras?h --list-maps?h --list-aliases?h --list-features!h "
			"--print-language!r -L=r -I=d -h=d -d!N --version!h --help!h", .operands = "r*",
		.traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_LOOKS },
	/* with -d cscope does not update its index */
	{ .names = "cscope", .options = "-d!r -f=W -F=d -i=r -I=d -P=d -p=d -s=d -0=d -1=d -2=d -3=d -4=d -5=d -6=d "
			"-7=d -8=d -9=d -h!h --help!h -V!h --version!h", .operands = "r*", .traits = ZS_ROW_WRITES },
	{ .names = "gpg|gpg2|gpgv",
		.options = "--verify!r --verify-files!r --list-keys!r --list-public-keys!r -k!r --list-secret-keys!r "
			"-K!r --list-sigs!r --check-sigs!r --list-signatures!r --check-signatures!r --show-keys!r "
			"--fingerprint!r --list-packets!r --list-config!r --list-gcrypt-config!r --print-md!r "
			"--print-mds!r --export!r --export-secret-keys!r --export-ssh-key!r --armor -a --decrypt!r "
			"-d!r --gen-random!r --enarmor!N --dearmor!N --with-colons --keyid-format=d --homedir=d "
			"--keyring=d --no-default-keyring --status-fd=d --batch -u=d --local-user=d -r=d "
			"--recipient=d --passphrase-file=r --import!w --recv-keys!w --delete-keys!w --edit-key!w "
			"--gen-key!w --search-keys!w --send-keys!w --delete-secret-keys!w --refresh-keys!w "
			"--version!h --help!h -h!h -o=w --output=w --log-file=w --logger-file=w --attribute-file=w",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "pandoc",
		.options = "-o=w --output=w -f=d --from=d --read=d -t=d --to=d --write=d -F=d --filter=d -L=f "
			"--lua-filter=f --extract-media=w --log=w -V=d --variable=d -M=d --metadata=d -H=r -B=r -A=r "
			"--template=r -c=d --css=d --bibliography=r --csl=r --reference-doc=r --resource-path=d "
			"-D=d --print-default-data-file=d -d=r --defaults=r --data-dir=d --wrap=d --columns=d "
			"--toc-depth=d --pdf-engine=d -v!h --version!h -h!h --help!h", .operands = "r*" },
	{ .names = "xsltproc|saxon",
		.options = "-o=w --output=w --writesubtree=w --param=d --stringparam=d --path=d --encoding=d "
			"--maxdepth=d --maxvars=d -V!h --version!h --help!h", .operands = "r*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "dot|neato|fdp|sfdp|circo|twopi|osage|patchwork",
		.options = "-o=w -O!w -T=d -K=d -G=d -N=d -E=d -l=d -s?N -q?N -n?N -y -x -v -V!h -?!h -c!w",
		.operands = "r*" },
	/* Debian also installs ImageMagick's programs under names such as convert-im6.q16. */
	{ .names = "convert|convert-*|magick|mogrify|mogrify-*|montage|montage-*|composite|composite-*|ffmpeg|"
			"avconv|sox|cwebp|dwebp|pngquant|gs|pdftk|inkscape|gm|gifsicle|exiftran|jhead|HandBrakeCLI|"
			"asciinema|vhs",
		.options = "-version!h --version!h -formats!h -codecs!h -encoders!h -decoders!h -filters!h "
			"-protocols!h -pix_fmts!h -hwaccels!h -buildconf!h -devices!h -bsfs!h -list!h --help!h "
			"-h!h",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_LOOKS },
	{ .names = "sdiff|diff3", .options = "-o=w --output=w --diff-program=c -w -I=d -x=d -e -m -A -E" },
	{ .names = "ptx",
		.options = "-A -G -T -O -M=d -R -S=d -b=d -f -g=d -i=d -o=d -r -t -w=d -W=d -F=d --break-file=d "
			"--ignore-file=d --only-file=d --width=d --gap-size=d --sentence-regexp=d --word-regexp=d "
			"--macro-name=d --flag-truncation=d --format=d --help!h --version!h", .operands = "rw" },
	{ .names = "rg|ag|ack|ack-grep|bat|batcat|ugrep|ug|rga|sift|pt|delta",
		.options = "--pre=c --hostname-bin=c --pager=c --filter=c --save-config?w", .operands = "d*" },
	{ .names = "xmllint",
		.options = "-o=w -output=w -shell!s -noout -xpath=d -schema=r -dtdvalid=r -dtdvalidfpi=d "
			"-relaxng=r -schematron=r -encode=d -path=d -pattern=d -pretty=d -maxmem=d -version!h",
		.operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "cloc|scc|xsv|qsv|pv|xan|tv",
		.options = "-o=w --out=w --output=w --report-file=w --sql=w --diff-list-file=d -v -P=d --pidfile=w "
			"--format-multi=d --help!h --version!h", .operands = "d*" },
	{ .names = "exiftool|exif|eyeD3|id3v2|mid3v2", .options = "-ver!h --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_TAGS },
	{ .names = "fzf|sk",
		.options = "--preview=c --bind=k --listen?w --history=w --history-size=d -q=d --query=d -f=d "
			"--filter=d -d=d --delimiter=d -n=d --nth=d --with-nth=d --prompt=d --header=d --height=d "
			"--version!h --help!h", .operands = "d*", .language = "fzf" },
	{ .names = "vd|visidata", .options = "-o=w --output=w -b --batch -f=d --filetype=d -p=f --play=f -c=d "
			"--config=d "
			"-d=d --delimiter=d -v!h --version!h -h!h --help!h", .operands = "d*" },
	{ .names = "lessfile", .operands = "x*" }, /* it deletes its second word, whatever the first one is */
	{ .names = "gum|dialog|whiptail", .options = "--version!h --help!h -h!h", .operands = "d*" },
	/* These print their input, unless an option or a verb announces a write. */
	{ .names = "pkg-config|pkgconf|cmark|cmark-gfm|commonmark|ledger|hledger|yj|trdsql|glow|mdcat|mdless|xml-js|"
			"sloccount|onefetch|screenfetch|dust|dua|ncdu|duf|gdu|procs|btm|peco|choose|hck|licensecheck|"
			"rats|qalc|numbat|ddate|pwgen|apg|diceware|xkcdpass|finger|uuid|ossp-uuid|jpeginfo|lesspipe|"
			"lesspipe.sh|pygmentize|icdiff|diffoscope|dyff|meld|diffuse|kompare|tkdiff|xxdiff|"
			"kdiff3|bcompare|p4merge|opendiff",
		.options = "-o=w --output=w --out=w -f=d --file=d --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_OPEN },
	{ .names = "aspell", .options = "--lang=d -l=d --mode=d -d=d --master=d -p=d -c!w -a --version!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "aspell",
		.names = "list|pipe|dump|config|soundslike|conv|norm|expand|clean|munch|filter|dicts|modes|filters|"
			"help|usage", .operands = "d*" },
	{ .of = "aspell", .names = "*", .operands = "d*", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(text);
