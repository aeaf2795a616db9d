/* Tools from Debian, npm and PyPI that work on a project's files: formatters, converters, editors of data and of names,
 * catalogues of texts, archives, images, documents, patches. A tool with `open` has more options than its row lists, so
 * words that announce a write count too. */
#include "rows/rows_table.h"

#define INFO "-h!h --help!h -V!h --version!h"
#define OPEN ZS_ROW_OPEN
#define WRITES ZS_ROW_WRITES

// clang-format off
ZS_TABLE(tools) = {
	/* Search and replace */
	{ .names = "sd",
		.options = "-p!h --preview!h -F --fixed-strings -s --string-mode -f=d --flags=d -n=d "
			"--max-replacements=d -A --across " INFO, .operands = "ddw*", .traits = OPEN },
	{ .names = "rpl",
		.options = "-s!h --dry-run!h --simulate!h -x=d --glob=d -t=d --tempdir=d --encoding=d -E -F -i -w -b "
			"-q "
			"-v -R -e -p -f -d -m=d " INFO, .operands = "ddw*" },
	{ .names = "fastmod|codemod.py|replace|recast|massren|repren|ambr|sad|ruplacer",
		.options = "-p!r --preview!r --dry-run!r -l!r --list!r -h!h --help!h --version!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "replace-in-file", .options = "--dry!h --configFile=d --ignore=d --encoding=d --cwd=d " INFO,
		.operands = "ddw*", .traits = WRITES },
	{ .names = "rename-cli|renamer|rnr|nomino|f2|brename|vimv|qcp|imv|icp|mcp|mln",
		.options = "-d!r --dry-run!r --dryrun!r -n!r --no-act!r -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "replace-json-property|rjp", .options = INFO, .operands = "wdd*",
		.traits = WRITES },
	/* Character sets and line ends */
	{ .names = "recode", .options = "-l!h --list!h -h=d -s --strict -f -i -p -t -d -g -x=d -S=d -v -q -k=d "
			"--help!h --version!h", .operands = "dw*" },
	{ .names = "uconv",
		.options = "-o=w --output=w -f=d --from-code=d -t=d --to-code=d -x=d -b=d --callback=d "
			"--from-callback=d "
			"--to-callback=d -l!h --list!h -L!h " INFO, .operands = "r*" },
	{ .names = "beautysh", .options = "--check!h -i=d --indent-size=d -s=d -t --tab -f --files -b --backup " INFO,
		.operands = "w*" },
	{ .names = "source-highlight",
		.options = "-i=d --input=d -o=w --output=w --output-dir=w -f=d -s=d --src-lang=d --out-format=d "
			"--style-file=d "
			"--outlang-def=d --lang-def=d --lang-list!h --style-css-file=d -T=d " INFO, .operands = "w*" },
	{ .names = "fromdos|todos", .options = "-b -d -f -u -a -e -o -p -v -l=w " INFO, .operands = "w*" },
	{ .names = "uni2ascii|ascii2uni", .options = "-a=d -B -e -f -p -q -S=d -w -x -Z=d -h!h -v!h", .operands =
		"r*" },
	/* Data */
	{ .names = "xq|tomlq",
		.options = "-i!w --in-place!w -f=d --from-file=d -L=d --arg=d --argjson=d --indent=d -w=d --width=d "
			"--xml-root=d --xml-item-depth=d --xml-dtd --toml-output -t -T -y -Y -x -r -c -s -n -e -S -M "
			"-C -a -j " INFO, .operands = "r*" },
	{ .names = "toml", .options = "--toml-path=d --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "toml", .names = "get|search|list|check|help", .operands = "d*" },
	{ .of = "toml", .names = "set|add_section|unset|add|rm", .operands = "d*", .traits = WRITES },
	{ .names = "augtool",
		.options = "-s!w --autosave!w -f=f --file=f -n!w --new!w -b!w --backup!w -c -L -A -S -i -e -r=d "
			"--root=d "
			"-t=d --transform=d -l=d --load-file=d -I=d --include=d --timing -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STDIN_CODE },
	{ .of = "augtool",
		.names = "print|ls|match|get|dump-xml|help|errors|info|load|retrieve|span|source|count|preview|"
			"quit|exit",
		.options = "-h!h", .operands = "d*" },
	{ .of = "augtool", .names = "*", .operands = "d*", .traits = WRITES },
	{ .names = "jello", .options = INFO, .operands = "k", .language = "code" },
	{ .names = "jc", .operands = "X" },
	{ .names = "csvtool", .options = "-o=w -t=d -u=d -z=d --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "csvtool", .names = "call", .operands = "c", .traits = ZS_ROW_POSIX },
	{ .of = "csvtool", .names = "*", .options = "-o=w -t=d -u=d -z=d", .operands = "d*" },
	{ .names = "recins|recset|recdel",
		.options = "-t=d --type=d -f=d --field=d --fields=d -v=d --value=d -r=d --record=d -e=d --expression=d "
			"-n=d --number=d -q=d --quick=d -m=d --random=d -p=d --password=d -s=d --set=d -a=d --add=d "
			"-S=d --set-add=d --set-if=d -R=d --rename=d -d -D -c -i -g --force --no-external --verbose "
			"--help!h --version!h", .operands = "w*" },
	{ .names = "recfix",
		.options = "--sort!i --auto!i --encrypt!i --decrypt!i --check -s=d --password=d --no-external --force "
			"--help!h --version!h", .operands = "r*" },
	{ .names = "recsel|recinf|recfmt|rec2csv|csv2rec", .options = "--help!h --version!h", .operands = "d*" },
	{ .names = "csvtojson|js-yaml|strip-json-comments|semver|jsonpointer|rediff|ifnames|lid|"
			"unifdefall",
		.options = "-o=w --output=w " INFO, .operands = "d*" },
	/* remarshal's tools write their second operand */
	{ .names = "json2yaml|yaml2json|yamljs|json2msgpack|msgpack2json|msgpack2yaml|yaml2msgpack|toml2msgpack|"
			"msgpack2toml|json2cbor|cbor2json|yaml2cbor|cbor2yaml|toml2cbor|cbor2toml",
		.options = "-s!w --save!w -o=w -d=d -i=d -p -l -r -n " INFO, .operands = "rw" },
	{ .names = "remarshal", .options = "-o=w --output=w -i=r --input=r -if=d --input-format=d -of=d "
			"--output-format=d -f=d -t=d --from=d --to=d --indent=d --json-indent=d --yaml-indent=d "
			"--max-values=d --sort-keys " INFO, .operands = "rw", .traits = ZS_ROW_LONG_DASH },
	{ .names = "cfn-flip", .options = "-i=d -o=d -j -y -c -l -n " INFO, .operands = "rw" },
	{ .names = "certtool|gnutls-cli|p11tool|tpmtool|ocsptool|psktool|danetool|srptool",
		.options = "--outfile=w --infile=r -p!w --generate-privkey --save-cert=w --save-ocsp=w --logfile=w "
			"-i -d=d -o=w --dh-info -e -q -s -c -u -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "check-jsonschema|jsonschema|json-schema-lint|v8r",
		.options = "-i=r --instance=r --schemafile=r -s=r -d=r -o=d --output=d -F=d --error-format=d "
			"--base-uri=d -O=d " INFO, .operands = "d*" },
	{ .names = "csv2json|json2csv|xls2csv|xlsx2csv|csv2md|toml2json|json2toml|toml2yaml|yaml2toml|"
			"xml2json|json2xml",
		.options = "-o=w --output=w -i=r --input=r -d=d -s=d -n=d -f=d --delimiter=d --sheet=d " INFO,
		.operands = "rw" },
	{ .names = "jsonpatch", .options = "-i!i --in-place!i -b --backup -u --indent=d " INFO, .operands = "r*" },
	{ .names = "npe", .options = "--package=d " INFO, .operands = "dw*" },
	{ .names = "fixpack", .options = "--dryRun!r -q --quiet -c=d --config=d " INFO, .operands = "w*",
		.traits = WRITES },
	{ .names = "dot-json", .options = "-d!w --delete!w -i=d --indent=d -j " INFO, .operands = "rdw*" },
	/* sqlite-utils FILE SQL is sqlite-utils query FILE SQL */
	{ .names = "sqlite-utils", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "sqlite-utils", .names = "*", .operands = "k*", .language = "sql" },
	{ .of = "sqlite-utils", .names = "query|memory",
		.options = "--save=w --functions=w --attach=d -p=d --param=d -c=d --load-extension=L --encoding=d -h!h "
			"--help!h", .operands = "dk*", .language = "sql" },
	{ .of = "sqlite-utils", .names = "tables|views|rows|schema|triggers|indexes|search|dump|plugins",
		.options = "-h!h --help!h --load-extension=L", .operands = "d*" },
	{ .of = "sqlite-utils",
		.names = "add-column|add-foreign-key|add-foreign-keys|add-geometry-column|analyze|analyze-tables|bulk|"
			"convert|create-database|create-index|create-spatial-index|create-table|create-view|delete|"
			"disable-fts|disable-wal|drop-table|drop-view|duplicate|enable-counts|enable-fts|enable-wal|"
			"extract|index-foreign-keys|insert|insert-files|install|optimize|populate-fts|rebuild-fts|"
			"rename-table|reset-counts|transform|uninstall|upsert|vacuum",
		.options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "csvs-to-sqlite|db-to-sqlite|json-to-sqlite|xml-to-sqlite|dbf-to-sqlite",
		.options = "-h!h --help!h --version!h", .operands = "r*w", .traits = WRITES },
	{ .names = "datasette", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "datasette", .names = "serve|plugins|inspect|create-token", .options = "--create!w --inspect-file=w "
			"-h!h --help!h",
		.operands = "d*" },
	{ .of = "datasette", .names = "install|uninstall|package|publish", .options = "-h!h --help!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "dbmate|goose|migrate|atlas|sqlx|diesel|sea-orm-cli|tern|refinery|sqitch|yoyo|pgroll",
		.options = "-h!h --help!h -v!h --version!h -u=d --url=d --path=d --database=d --source=d -d=d -s=d "
			"--dir=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dbmate|goose|migrate|atlas|sqlx|diesel|sea-orm-cli|tern|refinery|sqitch|yoyo|"
			"pgroll",
		.names = "up|down|up-to|up-by-one|down-to|redo|reset|rollback|force|dump|load|goto|deploy|"
			"revert|rework|migration|migrations|migrate|schema|database|setup|fresh|refresh|mark|"
			"reapply|rebase|complete|start|generate|prepare|fix|tag",
		.options = "-h!h --help!h --dry-run!r --check!r", .operands = "d*", .traits = WRITES },
	{ .of = "dbmate|goose|migrate|atlas|sqlx|diesel|sea-orm-cli|tern|refinery|sqitch|yoyo|"
			"pgroll",
		.names = "status|version|wait|validate|info|plan|log|list|verify|show|help", .options = "-h!h --help!h",
		.operands = "d*" },
	/* Formatters and linters */
	{ .names = "xmlindent", .options = "-w!i -o=w -i=d -l=d -s -t -f -n=d -v!h -h!h", .operands = "r*" },
	{ .names = "ccrypt|ccencrypt|ccdecrypt", .options = "-c!r --cat!r -K=d --key=d -k=r --keyfile=r -P=d "
			"--prompt=d -S=d --suffix=d -E=d -h!h --help!h -V!h -L!h --version!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "pstoedit", .options = "-f=d -help!h", .operands = "rw", .traits = ZS_ROW_LONG_DASH },
	{ .names = "tidy",
		.options = "-errors -quiet -e -q -m!i -modify!i -o=w -output=w --output-file=w -f=w -file=w "
			"--error-file=w "
			"--gnu-emacs-file=w --write-back!i -config=r -wrap=d -w=d -i -indent -h!h "
			"-help!h "
			"-v!h -version!h", .operands = "r*" },
	{ .names = "js-beautify|css-beautify|html-beautify",
		.options = "-r!w --replace!w -o=w --outfile=w -f=r --file=r -s=d --indent-size=d -c=d --indent-char=d "
			"-l=d --indent-level=d -w=d --wrap-line-length=d -m=d --max-preserve-newlines=d -b=d "
			"--brace-style=d -a=d --wrap-attributes=d -U=d --unformatted=d -I=d -e=d --eol=d -T=d -O=d "
			"--operator-position=d --type=d --config=d --templating=d -C=d --editorconfig -n -p -P -j -x "
			"-q "
			"-t -h!h --help!h -v!h --version!h", .operands = "r*" },
	{ .names = "pg_format",
		.options = "-i!i --inplace!i -o=w --output=w -c=r --config=r -B -b -a -A -C=d -d=d -D=d -e -f=d -F=d "
			"-g -H=d -k "
			"-l -L -m=d -M -n -N -p=d -P -q=d -r -s=d --spaces=d -S=d -t -T -u=d -U=d -w=d -W=d -X=r -x=r "
			"-v!h --version!h -h!h --help!h", .operands = "r*" },
	{ .names = "gdformat|nginxfmt|snakefmt|nbfmt|pyfmt|black-primer|zimports|"
			"no_implicit_optional|pydocstringformatter|blacken-docs|com2ann|pyrefact|"
			"setup-py-upgrade|docconvert|licenseheaders|typesync|pymend|rstfmt|mdslw|mdfmt",
		.options = "-c!r --check!r --diff!r --dry!r --dry-run!r -d!r --stdout!r -n!r -o=W -l!r --list!r " INFO,
		.operands = "w*", .traits = WRITES },
	{ .names = "lebab", .options = "--replace=w -o=w --out-file=w -t=d --transform=d " INFO, .operands = "r*" },
	{ .names = "sucrase", .options = "-d=w --out-dir=w --out-extension=d -t=d --transforms=d -p -q "
			"--exclude-dirs=d " INFO, .operands = "r*", .traits = OPEN },
	{ .names = "mustache", .options = "-v=d --view=d -p=d --partial=d " INFO, .operands = "rrw" },
	{ .names = "markdown-it|markdown_py|discount|lowdown|html-to-text|html2markdown|inliner|erb|haml|"
			"slimrb",
		.options = "-o=w --output=w -f=w --file=w -T=d -t=d -e=d -x=d -c=d " INFO, .operands = "r*", .traits
		= OPEN },
	{ .names = "md_toc|md-toc", .options = "-p!i --in-place!i -c=d -l=d -m=d -n --diff!h " INFO, .operands = "r*" },
	{ .names = "unifdef",
		.options = "-m!i -M=w -o=w -D=d -U=d -I=d -f=r -i=d -x=d -b -B -c -e -k -K -n -s -S -t -d -h!h -V!h",
		.operands = "r*" },
	{ .names = "cproto",
		.options = "-o=w -O=w -a!i -t!i -b!i -A!i -T -I=d -D=d -U=d -E=d -d=d -e -f=d -F=d -P=d -p -q -i -m "
			"-M=d -c "
			"-x -C=d -V!h", .operands = "r*" },
	{ .names = "cython|cythonize", .options = "-o=W --output-file=W -a -i -b -3 -2 -X=d -I=d -f -j=d -h!h --help!h "
			"-V!h --version!h", .operands = "d*", .traits = WRITES },
	{ .names = "pyment", .options = "-w!w -o=d --output=d -i=d -q=d -f=d -d -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "ufmt|libcst|libcst.tool|nb-clean|gitlint|pdfly|west|gclient|repo|vcs|mr",
		.options = "-h!h --help!h -V!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ufmt", .names = "format", .options = "--dry-run!r", .operands = "w*", .traits = WRITES },
	{ .of = "libcst|libcst.tool", .names = "codemod|initialize", .options = "-h!h --help!h", .operands = "d*",
		.traits = WRITES },
	{ .of = "nb-clean", .names = "clean|add-filter|remove-filter", .operands = "w*", .traits = WRITES },
	{ .of = "gitlint", .names = "generate-config|install-hook|uninstall-hook", .operands = "d*", .traits = WRITES },
	{ .of = "west|gclient|repo|vcs|mr",
		.names = "update|init|sync|checkout|commit|push|pull|import|forall|upload|rebase|start|abandon|"
			"runhooks|revert|flash|config|custom|branch|build", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .names = "reuse", .options = "--root=d --no-multiprocessing --include-submodules " INFO, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "reuse", .names = "lint|lint-file|supported-licenses|spdx",
		.options = "-o=w --output=w -j -l -p -q -h!h --help!h", .operands = "d*" },
	{ .of = "reuse", .names = "annotate|download|convert-dep5|addheader|init", .options = "-h!h --help!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "cog|cog.py|cogapp",
		.options = "-r!i -o=w -w=c -d -D=d -I=d -n=d -p=k -s=d -z -x -e -U -c --check!h --diff --markers=d "
			"-P -h!h "
			"-v!h --verbosity=d", .operands = "r*", .traits = OPEN, .language = "code" },
	{ .names = "j2|jinja2|jinja|jinjanate|gomplate|esh|mo|envtpl|tera|minijinja-cli",
		.options = "-o=w --out=w --outfile=w --output=w --output-dir=w -f=d --format=d -e=d --import-env=d "
			"-D=d "
			"--section=d --context=d -c=d --datasource=d -d=d -h!h --help!h -v!h --version!h", .operands
		= "d*" },
	{ .names = "addlicense",
		.options = "-check!r --check!r -c=d -f=d -l=d -y=d -ignore=d -skip=d -s -v -h!h -help!h", .operands
		= "w*",
		.traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "fprettify", .options = "-s!h --stdout!h -d!h --diff!h -i=d --indent=d -l=d -w=d -c=d -e=d -f=d "
		INFO,
		.operands = "w*" },
	{ .names = "towncrier", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "towncrier", .names = "build", .options = "--draft!r --version=d -h!h --help!h", .operands = "d*",
		.traits = WRITES },
	{ .of = "towncrier", .names = "create", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .of = "towncrier", .names = "check", .options = "--compare-with=d -h!h --help!h", .operands = "d*" },
	/* Generators of code from schemas: they choose the names of the files that they make */
	{ .names = "flex|lex", .options = "-o=W --outfile=W -t!r --stdout!r -P=d -S=d -b --header-file?w " INFO,
		.operands = "r*", .traits = WRITES },
	{ .names = "bison|yacc|byacc|swig|flatc|thrift|antlr4|antlr",
		.options = "-o=W --output=W --output-file=W -b=d -p=d --file-prefix=d --graph?w --xml?w --html?w "
			"--header?w --defines?w -version!h " INFO, .operands = "r*", .traits = WRITES },
	{ .names = "openapi-python-client", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "openapi-python-client", .names = "generate|update", .operands = "d*", .traits = WRITES },
	{ .names = "sqlboiler|templ|qtc|hero|packr|statik|go-bindata|gobindata|rice|vfsgen|gowrap|"
			"controller-gen|protoc-go-inject-tag|helm-docs|kubebuilder|operator-sdk|chglog|"
			"cobra-cli|auto-changelog|conventional-changelog-writer|i18next|i18next-parser|"
			"webfont|webfonts-generator",
		.options = "--stdout!r --dry-run!r -d!r -o=W --output=W -h!h --help!h -v!h -V!h --version!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "conventional-changelog",
		.options = "-s!w --same-file!w -o=w --outfile=w -i=r --infile=r -p=d --preset=d -r=d -k=d -n=d -c=d "
			"-t=d " INFO,
		.operands = "d*" },
	{ .names = "bump|versiony|bumpp|tiged|gitpick|giget",
		.options = INFO, .operands = "d*", .traits = WRITES },
	{ .names = "gulp|grunt|jake",
		.options = "-f=f --gulpfile=f --gruntfile=f --cwd=C --base=C --tasks!h -T!h --tasks-simple!h " INFO,
		.operands = "d*", .grammar = ZS_GRAMMAR_TASKS },
	{ .names = "juice", .options = "--css=d --options-file=d " INFO, .operands = "rw" },
	/* Python tools of projects */
	{ .names = "pipreqs", .options = "--print!r --savepath=W --diff=d --clean=w --encoding=d --mode=d "
			"--use-local --ignore=d "
			"--proxy=d --pypi-server=d --force --scan-notebooks --debug " INFO, .operands = "d*",
		.traits = WRITES },
	{ .names = "pex", .options = "-o=w --output-file=w -r=d -m=d -c=d -e=d -D=d --python=d -i=d " INFO,
		.operands = "d*", .traits = ZS_ROW_STDIN_CODE | OPEN },
	{ .names = "shiv|pyinstaller", .options = "-o=w --output-file=w " INFO, .operands = "d*", .traits = WRITES },
	{ .names = "dvc", .options = "-h!h --help!h -V!h --version!h -q -v --cd=C", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dvc",
		.names = "status|diff|dag|list|ls|doctor|version|metrics|params|plots|data|root|check-ignore|"
			"get-url-list|help",
		.options = "-o=w --out=w --outs=w -h!h --help!h", .operands = "d*" },
	{ .of = "dvc", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	/* Texts in other languages */
	{ .names = "msgfmt",
		.options = "-o=W --output-file=W -d=w -D=d --directory=d -l=d --locale=d -L=d --language=d -r=d "
			"--resource=d --template=r -c --check --statistics -v -f -a=d -j --java --java2 --csharp --tcl "
			"--qt --desktop --xml -P -h!h --help!h -V!h --version!h", .operands = "r*", .traits = WRITES },
	{ .names = "msgmerge",
		.options = "-U!i --update!i -o=w --output-file=w -C=r --compendium=r -D=d --directory=d --backup=d "
			"--suffix=d "
			"--previous -m -N -w=d --width=d --lang=d --color?N --style=d -P -e -E -i -n -p -s -F -v -q "
			"-h!h "
			"--help!h -V!h --version!h", .operands = "r*" },
	{ .names = "msginit", .options = "-o=W --output-file=W -i=r --input=r -l=d --locale=d -w=d --no-translator "
			"-h!h "
			"--help!h -V!h --version!h", .operands = "d*", .traits = WRITES },
	{ .names = "msgcat|msgattrib|msgconv|msgen|msguniq|msggrep|msgcomm|msgunfmt|msgcmp",
		.options = "-o=w --output-file=w -D=d --directory=d -f=r --files-from=r -t=d --to-code=d -w=d "
			"--width=d "
			"--lang=d -l=d -d=r -K=d -N=d -M=d -J=d -e=d --only-file=r --ignore-file=r --color?N "
			"--style=d -h!h "
			"--help!h -V!h --version!h", .operands = "r*" },
	{ .names = "msgfilter|msgexec", .options = "-o=w --output-file=w -i=r --input=r -D=d --directory=d --newline "
			"-h!h "
			"--help!h -V!h --version!h -P -w=d -e=d -E=d", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "xgettext",
		.options = "-o=W --output=W -d=d --default-domain=d -p=w --output-dir=w -f=r --files-from=r -D=d "
			"--directory=d -L=d --language=d -k?N --keyword?N -j!w --join-existing!w -x=r --from-code=d "
			"--package-name=d --package-version=d --msgid-bugs-address=d --copyright-holder=d --flag=d "
			"-w=d "
			"-c?N --add-comments?N -h!h --help!h -V!h --version!h", .operands = "r*", .traits = WRITES },
	{ .names = "autopoint|gettextize|intltool-update|intltoolize|intltool-merge|glib-gettextize|"
			"autoscan|autoupdate|po4a|po4a-updatepo|po4a-gettextize|txt2po|po2txt|"
			"pygettext3|pygettext|intltool-extract",
		.options = "-l=W --localized=W -p=W --po=W -f=d --format=d -m=d --master=d -k=d --keep=d "
			"--dry-run!r -n!r --list!r -r!r --report!r -o=W --output=W " INFO, .operands = "d*",
		.traits = WRITES },
	{ .names = "po4a-translate",
		.options = "-l=w --localized=w -p=r --po=r -f=d --format=d -m=r --master=r -k=d --keep=d -M=d -L=d "
			"--master-charset=d --localized-charset=d -a=r --addendum=r -A=d -o=d --option=d -w=d " INFO,
		.operands = "d*" },
	{ .names = "pybabel", .options = "-v -q --list-locales!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pybabel", .names = "extract", .options = "-o=w --output-file=w --output=w -h!h --help!h", .operands
		= "d*" },
	{ .of = "pybabel", .names = "update", .options = "--check!r -h!h --help!h", .operands = "d*", .traits =
		WRITES },
	{ .of = "pybabel", .names = "init|compile|concat|merge", .options = "-h!h --help!h", .operands = "d*",
		.traits = WRITES },
	/* Genomes */
	{ .names = "samtools|bcftools|sambamba", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "samtools|bcftools|sambamba",
		.names = "faidx|fqidx|index|split|markdup|fixmate|dict|collate|ampliconclip|calmd", .options = INFO
			" -o=W --output=W", .operands = "d*", .traits = WRITES },
	{ .names = "bgzip",
		.options = "-c!r --stdout!r -g!r --grep!r -h!h --help!h --version!h -@=d -I=d -b=d -s=d -l=d",
		.operands = "d*", .traits = WRITES },
	{ .names = "tabix", .options = "-l!r --list-chroms!r -H!r --only-header!r -p=d -s=d -b=d -e=d -S=d -c=d -R=r "
			"-T=r -h --help!h --version!h", .operands = "d*", .traits = WRITES,
		.grammar = ZS_GRAMMAR_LOOKS },
	/* Maps, grids */
	{ .names = "gdal_translate|gdalwarp|gdal_rasterize|gdal_grid|gdal_merge.py|gdal_merge|gdal_polygonize.py|"
			"gdal_polygonize|gdaladdo|gdalbuildvrt|gdaltindex|gdaldem|gdal_contour|gdal_edit.py|gdal_edit|"
			"gdal_fillnodata.py|gdal_sieve.py|gdal_calc.py|gdal_calc|gdal_proximity.py|gdal_retile.py|"
			"gdal2tiles.py|gdal2tiles|gdal_viewshed|ogr2ogr|ogrmerge.py|ogrtindex|nearblack|rgb2pct.py|"
			"pct2rgb.py", .options = "--help!h --version!h --formats!h -help!h -h!h", .operands = "d*",
		.traits = WRITES | ZS_ROW_LONG_DASH },
	{ .names = "ncks|ncrename|ncatted|ncap2|ncbo|ncdiff|ncea|nces|ncecat|ncflint|ncpdq|ncra|ncrcat|ncwa|"
			"nccopy|ncgen",
		.options = "-h --help!h --version!h -r!h", .operands = "d*", .traits = WRITES,
		.grammar = ZS_GRAMMAR_LOOKS },
	/* Firmware */
	{ .names = "avrdude", .options = "-U!d -e!d -n -p=d -c=d -P=d -b=d -B=d -C=r -v -q -?!h --help!h --version!h",
		.operands = "d*" },
	{ .names = "esptool|esptool.py",
		.options = "-h!h --help!h --version!h -p=d --port=d -b=d --baud=d -c=d --chip=d "
			"--before=d --after=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "esptool|esptool.py", .names = "read_flash|read-flash|dump_mem|dump-mem|elf2image|merge_bin|merge-bin",
		.options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .of = "esptool|esptool.py", .names = "write_flash|write-flash|erase_flash|erase-flash|erase_region|"
			"erase-region|write_mem|write-mem|load_ram|load-ram", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_DEVICE },
	/* Versions of tools, settings of a shell */
	{ .of = "mise", .names = "use|trust|unuse|self-update|implode|prepare|generate", .options = "-h!h --help!h "
			"-n!r --dry-run!r", .operands = "d*", .traits = WRITES },
	{ .of = "direnv", .names = "allow|permit|grant|deny|block|revoke|disallow|prune|edit|reload", .options = "-h!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "topgrade|dotbot", .options = "-n!r --dry-run!r --help!h -h!h --version!h -V!h", .operands = "d*",
		.traits = WRITES },
	/* Documents */
	{ .names = "ebook-meta",
		.options = "-a!w --authors!w -t!w --title!w -s!w --series!w -p!w --publisher!w -c!w --comments!w -d!w "
			"--date!w -i!w --index!w -k!w --book-producer!w -l!w --language!w -r!w --rating!w --tags!w "
			"--isbn!w --identifier!w --cover!w --category!w --title-sort!w --author-sort!w --from-opf!w "
			"--get-cover=w --to-opf=w --lrf-bookid!w -h!h --help!h --version!h", .operands = "r*" },
	{ .names = "soffice|libreoffice|lowriter|localc|loimpress|lodraw|loffice",
		.options = "--convert-to!w --print-to-file!w -p!d --print!d --outdir=d --infilter=d -h!h -?!h --help!h "
			"--version!h", .operands = "d*", .traits = OPEN },
	{ .names = "unoconv|unoconvert|doc2odt|doc2pdf|odp2pdf|ods2pdf|odt2pdf|odt2doc",
		.options = "--stdout!r --show!h -h!h --help!h -V!h --version!h", .operands = "d*", .traits = WRITES },
	{ .names = "ssconvert", .options = "--list-exporters!h --list-importers!h -I=d -E=d -T=d --export-type=d "
			"--import-type=d -M=w --merge-to=w -O=d --export-options=d -h!h --help!h --version!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "chromium|chromium-browser|google-chrome|google-chrome-stable|chrome|microsoft-edge|brave-browser",
		.options = "--print-to-pdf!w --screenshot!w --help!h --version!h", .operands = "d*", .traits = OPEN },
	{ .names = "ocrmypdf|pdfsandwich", .options = "-h!h --help!h --version!h -version!h -l=d --language=d -j=d",
		.operands = "d*", .traits = WRITES },
	{ .names = "tesseract", .options = "--list-langs!h --help!h -h!h --version!h -v!h --help-extra!h --help-psm!h "
			"--help-oem!h --print-parameters!h -l=d --psm=d --oem=d --dpi=d "
			"--tessdata-dir=d -c=d --loglevel=d --user-words=d --user-patterns=d", .operands = "d*",
		.traits = WRITES, .grammar = ZS_GRAMMAR_LOOKS },
	{ .names = "dcraw|dcraw_emu|ufraw-batch|darktable-cli|rawtherapee-cli", .options = "-i!r -c!r -h!h --help!h "
			"--version!h", .operands = "d*", .traits = WRITES },
	{ .names = "povray", .options = "-h!h --help!h --version!h -?!h", .operands = "d*", .traits = WRITES },
	{ .names = "gimp|gimp-console|fontforge",
		.options = "-b=k --batch=k -c=k -script=f -lang=d -i -n -h!h --help!h "
			"-v!h --version!h -help!h -version!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH,
		.language = "code" },
	{ .names = "sfd2ttf|ttf2eot|ttf2woff|otf2ttf|fontmake|ttfautohint",
		.options = "-h!h --help!h --version!h -V!h", .operands = "d*", .traits = WRITES },
	/* ImageMagick's import takes a picture of the screen. Python text in place of bash gets here too. */
	{ .names = "import", .options = "-version!h -help!h -list!h", .operands = "d*",
		.traits = WRITES | ZS_ROW_LONG_DASH },
	{ .names = "groff|troff|nroff|ditroff|neqn|pic|eqn|tbl|refer|grap",
		.options = "-U!w -T=d -m=d -P=d -r=d -d=d -o=d -F=d -I=d -K=d -L=d -W=d -w=d -M=d -f=d -n=d -l!d "
			"-h!h --help!h "
			"-v!h --version!h", .operands = "r*", .hint = "Leave out -U: without it groff runs, and "
			"writes nothing." },
	{ .names = "mandoc|txt2man", .options = "-I=d -K=d -M=d -m=d -O=d -T=d -W=d -s=d -t=d -r=d -v=d -d=d -B=d -h!h",
		.operands = "r*" },
	{ .names = "texi2any|makeinfo|texi2pdf|texi2dvi", .options = "-o=W --output=W --stdout!r --plaintext!r "
			"-E=w --macro-expand=w -I=d -D=d -c=d " INFO,
		.operands = "r*", .traits = WRITES },
	{ .names = "rst2html|rst2html4|rst2html5|rst2latex|rst2man|rst2odt|rst2pseudoxml|rst2xetex|rst2xml|"
			"docutils|"
			"rst2html.py|rst2html4.py|rst2html5.py|rst2latex.py|rst2man.py|rst2odt.py|rst2xml.py",
		.options = "--output=w --writer=d --reader=d --parser=d --stylesheet=d --template=d --title=d "
			"--language=d --config=d --record-dependencies=w --warnings=w " INFO, .operands = "rw" },
	/* its theme goes into ui/ beside the output */
	{ .names = "rst2s5|rst2s5.py", .options = INFO, .operands = "rw", .traits = WRITES },
	{ .names = "htags", .options = "-o=W -h!h --help!h --version!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "bibtool", .options = "-o=w -m=w -M=w -i=r -r=r -f=d -F -h!h -V!h", .operands = "d*" },
	{ .names = "global", .options = "-u!w --update!w --single-update=w " INFO, .operands = "d*" },
	{ .names = "mkid", .options = "-o=W --output=W -f=W --file=W -s!r --statistics --help!h --version!h",
		.operands = "d*", .traits = WRITES },
	/* Files */
	{ .names = "stow|xstow|detox",
		.options = "-n!r --no!r --simulate!r --dry-run!r -L!r -d=d --dir=d -t=d --target=d -s=d --help!h -h!h "
			"--version!h -V!h", .operands = "d*", .traits = WRITES },
	{ .names = "convmv", .options = "--notest!w -f=d -t=d --list!h --help!h", .operands = "d*" },
	{ .names = "trash-rm|trash-cli|del|rip|gomi",
		.options = "-D!h --dry-run!h -f --force " INFO, .operands = "x*" },
	{ .names = "mkdirp|make-dir|make-dir-cli", .options = "-m=d --mode=d --print " INFO, .operands = "n*" },
	{ .names = "cpy|cpy-cli|copyfiles|copyup|copy-files-from-to",
		.options = "-u=d --up=d -e=d --exclude=d --base=d --cwd=d --rename=d -d=d --dry-run!h -f -a -E -s -F "
			"-V "
			"--help!h --version!h", .operands = "r*w" },
	{ .names = "ncp|cpx|cpx2|cpr",
		.options = "-c=c --command=c -C!w --clean!w -t=f --transform=f -u -w -v -L -h!h --help!h --version!h",
		.operands = "rw" },
	{ .names = "move-file|move-file-cli", .options = "--no-overwrite --cwd=d " INFO,
		.operands = "m*w" },
	{ .names = "gio", .options = "--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gio", .names = "cat|help|info|list|tree|monitor|version", .operands = "r*" },
	{ .of = "gio", .names = "trash|remove", .options = "--list!h -h!h --help!h -f", .operands = "x*" },
	{ .of = "gio", .names = "copy", .operands = "r*w" },
	{ .of = "gio", .names = "move|rename", .operands = "m*w" },
	{ .of = "gio", .names = "mkdir", .operands = "n*" },
	{ .of = "gio", .names = "save", .operands = "B*" },
	{ .of = "gio", .names = "set", .options = "-t=d --type=d -d -n -h!h --help!h", .operands = "Md*" },
	{ .of = "gio", .names = "mime", .operands = "dw" },
	{ .of = "gio", .names = "mount|open|launch|*", .options = "-l!h --list!h -h!h --help!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "gvfs-trash|gvfs-rm", .options = INFO, .operands = "x*" },
	{ .names = "kioclient|kioclient5|kioclient6", .options = "--commands!h " INFO, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "kioclient|kioclient5|kioclient6", .names = "cat|ls|stat|openProperties", .operands = "d*" },
	{ .of = "kioclient|kioclient5|kioclient6", .names = "*", .operands = "d*", .traits = WRITES },
	{ .names = "xattr", .options = "-w!w -d!w -c!w -r -l -p -v -x -z -s -h!h --help!h", .operands = "d*" },
	{ .names = "attr", .options = "-s!w -r!w -g -l -q -L -R -S -V=d", .operands = "d*" },
	{ .names = "symlinks", .options = "-c!w -d!w -o -r -s -t!r -v", .operands = "d*" },
	{ .names = "fdupes|jdupes",
		.options = "-d!w --delete!w --deferconfirmation -L!w --linkhard!w --link-hard!w -l!w --link-soft!w "
			"--linksoft!w -B!w --dedupe!w -y=w --hash-db=w --log=w -o=d --order=d -G=d --minsize=d -X=d "
			INFO,
		.operands = "d*" },
	{ .names = "rmlint|tmpreaper|tmpwatch",
		.options = "-t!r --test!r -h!h --help!h -v!h --version!h", .operands = "d*", .traits = WRITES },
	{ .names = "rdiff", .options = "-?!h --help!h -V!h --version!h", .operands = "d*", .traits =
		ZS_ROW_SUBCOMMANDS },
	{ .of = "rdiff", .names = "signature", .operands = "rw" },
	{ .of = "rdiff", .names = "delta|patch", .operands = "rrw" },
	{ .names = "bsdiff", .operands = "rrw" },
	{ .names = "bspatch", .operands = "rwr" },
	{ .names = "xdelta3", .options = "-s=r -c!r -S=d -W=d -B=d -I=d -P=d -A=d -V!h -h!h", .operands = "r*w",
		.grammar = ZS_GRAMMAR_LOOKS },
	{ .names = "upx", .options = "-o=W -t!h --test!h -l!h --list!h --fileinfo!h -h!h --help!h -V!h --version!h "
			"-L!h",
		.operands = "w*", .traits = WRITES },
	{ .names = "dwz", .options = "-o=W --output=W -m=w --multifile=w -M=d -l=d -L=d -q -h -r -?!h --help!h -v!h "
			"--version!h", .operands = "w*", .traits = WRITES },
	{ .names = "borg|restic|duplicity|kopia|rustic|bupstash",
		.options = "-r=d --repo=d --repository-file=d -p=d --password-file=d --progress --json " INFO,
		.operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "borg|restic|duplicity|kopia|rustic|bupstash",
		.names = "list|ls|info|diff|check|version|snapshots|stats|cat|find|help|collection-status|"
			"list-current-files|verify|status", .options = "-h!h --help!h", .operands = "d*" },
	{ .of = "borg|restic|duplicity|kopia|rustic|bupstash", .names = "*", .options = "-h!h --help!h -n!r "
			"--dry-run!r",
		.operands = "d*", .traits = WRITES },
	{ .names = "sops", .options = "-i!i --in-place!i -d!h --decrypt!h --output=w --extract=d --config=d -v!h "
			"--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | WRITES },
	{ .of = "sops", .names = "decrypt|filestatus|help|completion", .options = "-i!w --in-place!w --output=w "
			"--extract=d",
		.operands = "d*" },
	{ .of = "sops", .names = "exec-env", .operands = "dc" },
	{ .of = "sops", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "age|rage|age-keygen|rage-keygen",
		.options = "-o=w --output=w -i=r --identity=r -r=d --recipient=d -R=r --recipients-file=r -p -d -e -a "
			"-y -j=d --help!h --version!h", .operands = "d*" },
	{ .names = "minisign|signify|signify-openbsd",
		.options = "-o=w --output=w -S!w -G!w -W!w -R!w -s=d -m=d -p=d -x=d -i=d -r=d --help!h --version!h",
		.operands = "d*" },
	/* Archives */
	{ .names = "uudecode", .options = "-o=W --output-file=W -p!r -c -i -r -s -m -h!h --help!h -v!h --version!h",
		.operands = "r*", .traits = WRITES },
	{ .names = "shar", .options = "-o=w --output-prefix=w -n=d -s=d -l=d -L=d -S=d -p " INFO, .operands = "r*" },
	{ .names = "unshar", .options = INFO, .operands = "r*", .traits = WRITES },
	{ .names = "pbunzip2|lbunzip2|unlzip|bzip3|bunzip3",
		.options = "-c!r --stdout!r -t!r --test!r -l!r -p=d -m=d -k -d -h!h --help!h -V!h --version!h",
		.operands = "w*", .traits = WRITES },
	{ .names = "patool|ouch|asar", .options = "-v --verbose -q " INFO, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "patool|ouch|asar",
		.names = "list|l|ls|test|search|diff|formats|version|list-detailed|help|info", .options = "-h!h "
			"--help!h",
		.operands = "r*" },
	{ .of = "patool|ouch|asar", .names = "*", .options = "-h!h --help!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "atool|aunpack|apack|arepack", .options = "-l!r --list!r -c!r --cat!r -d!r --diff!r -S!r "
			"--simulate!r " INFO,
		.operands = "d*", .traits = WRITES },
	{ .names = "bestzip", .options = INFO, .operands = "wr*" },
	/* Images, sounds, pages */
	{ .names = "qpdf",
		.options = "--check!h --show-npages!h --show-xref!h --show-pages!h --show-object?h --show-encryption!h "
			"--show-linearization!h --check-linearization!h --list-attachments!h --is-encrypted!h "
			"--requires-password!h --json?h --password=d --replace-input!w --help!h --version!h",
		.operands = "rW", .traits = WRITES },
	{ .names = "jpegoptim",
		.options = "-n!h --noaction!h --stdout!h --stdin!h -d=w --dest=w -m=d --max=d -S=d --size=d -T=d "
			"--threshold=d -w=d --workers=d " INFO, .operands = "w*", .traits = WRITES },
	{ .names = "optipng", .options = "-simulate!h -out=W -dir=W -log=w -o=d -f=d -i=d -zc=d -zm=d -zs=d -zw=d "
			"-strip=d -h!h -help!h --help!h -v!h --version!h", .operands = "w*",
		.traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "flac", .options = "-t!h --test!h -c!r --stdout!r -o=W --output-name=W -T=d --tag=d -b=d -l=d -P=d "
			"--output-prefix=d --totally-silent -h!h --help!h -v!h --version!h", .operands = "r*",
		.traits = WRITES },
	{ .names = "lame|oggenc|opusenc|twolame",
		.options = "-o=W --output=W -b=d -V=d -q=d -m=d -B=d -s=d --preset=d --tt=d --ta=d --tl=d --ty=d "
			"--tc=d "
			"-t=d -a=d -c=d --bitrate=d -h --help!h --version!h", .operands = "rW", .traits = WRITES },
	{ .names = "rsvg-convert", .options = "-o=w --output=w -w=d -h=d -d=d -p=d -z=d -f=d --format=d --width=d "
			"--height=d --zoom=d -s=r --stylesheet=r -b=d --help!h -?!h -v!h --version!h",
		.operands = "r*" },
	{ .names = "rdfind", .options = "-h!h -help!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "mp3gain|aacgain|normalize-audio|replaygain|loudgain", .options = "-h!h --help!h -v!h -?!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "compare|compare-*",
		.options = "-metric=d -fuzz=d -highlight-color=d -lowlight-color=d -compose=d -version!h -list=d",
	 .operands = "rrw", .grammar = ZS_GRAMMAR_LOOKS, .traits = ZS_ROW_LONG_DASH },
	{ .names = "oxipng",
		.options = "--out=W --dir=W --stdout!h -P!h --pretend!h --dry-run!h -d!h -o=d --opt=d --strip=d "
			"--keep=d -f=d "
			"-t=d --threads=d --zc=d --timeout=d -a -i=d -s -p -r -v -q " INFO, .operands = "w*",
		.traits = WRITES },
	{ .names = "pngcrush", .options = "-n!r -ow -d=w -e=d -c=d -m=d -l=d -z=d -f=d -b=d -g=d -max=d -bit_depth=d "
			"-rem=d -version!h -help!h", .operands = "rw", .traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "zopflipng", .options = "--prefix?w --iterations=d --filters=d --help!h", .operands = "rw" },
	{ .names = "advpng|advzip|advmng|advdef", .options = "-z!i -a!i -x!w -l -L -t -N -p -s -i=d -h!h --help!h "
			"-V!h --version!h",
		.operands = "r*" },
	{ .names = "djpeg|cjpeg|jpegtran", .options = "-copy=d -quality=d -crop=d -rotate=d -flip=d -drop=d "
			"-scans=r -qtables=r -restart=d -outfile=w -scale=d -colors=d -map=r -maxmemory=d "
			"-version!h -help!h",
		.operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "exiv2",
		.options = "-M?w -m?w -k!i -K?N -g?N -P?N -p?N -u -v -q -b -n=d -i?w -e?w -d?w -r?w -t!w -T!w -a?w "
			"-Y?w -O?w -D?w "
			"-c?w -F?w -l=d -S=d -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = OPEN, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "exiv2", .names = "ad|adjust|rm|delete|in|insert|ex|extract|mv|rename|mo|modify|fi|fixiso|fc|fixcom",
		.traits = WRITES },
	{ .names = "mat2", .options = "-s!r --show!r -l!r --list!r --check-dependencies!r -L --inplace!w " INFO,
		.operands = "r*", .traits = WRITES },
	{ .names = "potrace", .options = "-o=W --output=W -b=d --backend=d -r=d -x=d -y=d -W=d -H=d -a=d -t=d -k=d "
			"-h!h --help!h "
			"-v!h --version!h", .operands = "r*", .traits = WRITES },
	{ .names = "gif2webp|img2webp|webpmux|vwebp", .options = "-o=w -info!h -h!h -version!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "vorbiscomment", .options = "-l!h --list!h -w!w --write!w -a!w --append!w -d!w --rm!w -t=d -c=w "
			"--commentfile=w -R -e -q -h!h --help!h -V!h --version!h", .operands = "d*" },
	{ .names = "metaflac",
		.options = "--set-tag?w --set-tag-from-file?w --remove-tag?w --remove-first-tag?w --remove-all-tags!w "
			"--remove-all-tags-except?w --import-tags-from?w --import-picture-from?w "
			"--import-cuesheet-from?w "
			"--remove!w --remove-all!w --add-padding?w --merge-padding!w --sort-padding!w "
			"--add-replay-gain!w "
			"--remove-replay-gain!w --add-seekpoint?w --set-md5sum?w --set-min-blocksize?w "
			"--set-max-blocksize?w "
			"--set-min-framesize?w --set-max-framesize?w --set-sample-rate?w --set-channels?w --set-bps?w "
			"--set-total-samples?w --export-tags-to?W --export-picture-to?W --export-cuesheet-to?W "
			"--append!w -h!h "
			"--help!h -v!h --version!h", .operands = "r*" },
	{ .names = "id3tag|mid3iconv", .options = "-l!h -L!h --list!h -f!h -h!h --help!h -V!h "
			"--version!h", .operands = "d*", .traits = OPEN },
	{ .names = "pdfunite", .options = "-v!h -h!h --help!h", .operands = "r*w" },
	{ .names = "pdfseparate", .options = "-f=d -l=d -v!h -h!h --help!h", .operands = "rw" },
	{ .names = "pdftotext",
		.options = "-f=d -l=d -r=d -x=d -y=d -W=d -H=d -enc=d -eol=d -opw=d -upw=d -fixed=d -nodiag -layout "
			"-raw -v!h "
			"-h!h -help!h --help!h -listenc!h", .operands = "rW", .traits = ZS_ROW_LONG_DASH | WRITES },
	/* pdftocairo writes into the working directory when no output root is named */
	{ .names = "pdftocairo",
		.options = "-f=d -l=d -r=d -rx=d -ry=d -scale-to=d -scale-to-x=d -scale-to-y=d -x=d -y=d -W=d -H=d "
			"-sz=d -opw=d -upw=d -jpegopt=d -v!h -h!h -help!h --help!h", .operands = "rW",
		.traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "pdftoppm",
		.options = "-f=d -l=d -r=d -rx=d -ry=d -scale-to=d -scale-to-x=d -scale-to-y=d -x=d -y=d -W=d -H=d "
			"-sz=d "
			"-opw=d -upw=d -jpegopt=d -sep=d -v!h -h!h -help!h --help!h", .operands = "rw",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "pdftohtml", .options = "-stdout!r -f=d -l=d -zoom=d -enc=d -opw=d -upw=d -v!h -h!h -help!h "
			"--help!h",
		.operands = "rw", .traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "pdfimages", .options = "-list!h -f=d -l=d -opw=d -upw=d -v!h -h!h -help!h --help!h", .operands =
		"rw",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "pdfdetach|pdfattach|pdfsig", .options = "-list!h -o=w -save=w -saveall!w -v!h -h!h -help!h "
			"--help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "pdfcrop|ps2pdf|ps2pdf12|ps2pdf13|ps2pdf14|pdf2ps|ps2ps|eps2eps|epstopdf|ps2eps|"
			"pdf2svg|pdfjam|pdfnup|pdfbook2",
		.options = "-o=W --outfile=W " INFO, .operands = "rW", .traits = WRITES },
	{ .names = "img2pdf|qrencode|drawio|sharp|imagemin|icotool|wrestool|rembg|svg2png",
		.options = "-o=w --output=w -x!w --extract!w -c!w --create!w --export!w -l!h --list!h --out-dir=w "
			"-s=d -t=d "
			"--type=d " INFO, .operands = "r*", .traits = OPEN },
	{ .of = "pdfly", .names = "meta|pagemeta|extract-text|check-sign|extract-annotated-pages", .operands = "d*" },
	{ .of = "pdfly", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "mutool", .options = "-v!h -h!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "mutool", .names = "draw|convert|info|pages|show|trace|grep|audit", .options = "-o=w -p=d -F=d -r=d "
			"-w=d -h=d",
		.operands = "d*" },
	{ .of = "mutool", .names = "*", .operands = "d*", .traits = WRITES },
	{ .names = "fonttools", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "fonttools", .names = "help|unicode|afmLib|agl", .operands = "d*" },
	{ .of = "fonttools", .names = "ttx", .options = "-l!r -o=W -h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .of = "fonttools", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "ttx|pyftsubset|pyftmerge|woff2_compress|woff2_decompress|woff2|ttf2woff2",
		.options = "-l!r -o=W -d=w --output-file=W -h!h --help!h --version!h", .operands = "d*", .traits =
		WRITES },
	{ .names = "ps2ascii|ps2txt", .options = INFO, .operands = "rw" },
	{ .names = "oggdec|opusdec|faad|wvunpack", .options = "-o=W --output=W -t!h -i!h -h!h --help!h "
			"-V!h -v!h --version!h", .operands = "r*", .traits = WRITES },
	{ .names = "xwd|scrot|maim|gnome-screenshot|flameshot|spectacle|grim",
		.options = "-out=W -display=d -window=d -crop=d -id=d -version!h -help!h --help!h --version!h",
		.operands = "w*", .traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "enconv|txt2tags|equivs-control|equivs-build|dpkg-gencontrol|dpkg-genchanges|"
			"dpkg-genbuildinfo|dh|htpasswd|htdigest|htdbm|ctorrent|mktorrent|makepasswd-file",
		.options = "-o=W --outfile=W --output=W -O=W -n!r -H!h -h!h --help!h -V!h --version!h",
		.operands = "d*",
		.traits = WRITES },
	/* Tools of the third held-out set. Their rows follow the manuals; we did not run them. */
	{ .names = "tiffcp|tiffcrop|tiffdither|tiffmedian|svgcleaner|guetzli|bmp2tiff|raw2tiff|thumbnail",
		.options = "-o=w -h!h --help!h --version!h", .operands = "r*w", .traits = ZS_ROW_LONG_DASH },
	{ .names = "dia", .options = "-e=w --export=w -O=w -t=d --filter=d -s=d -L=d -n -h!h --help!h -v!h --version!h",
		.operands = "d*" },
	{ .names = "scour", .options = "-i=r -o=w --help!h -h!h --version!h -q", .operands = "rw" },
	{ .names = "apngasm", .options = "-o=w -h!h -?!h", .operands = "wr*" },
	{ .names = "tiffset|pngnq|gif2apng|trimage|ditaa|seqdiag|blockdiag|actdiag|nwdiag|packetdiag|rackdiag|"
			"asy|wavpack|"
			"speexenc|faac|mp3splt|mp3wrap|cutmp3|vorbisgain|sndfile-metadata-set|mkvextract|"
			"mp4tags|mp4art|"
			"lrztar|lrzuntar|scrub|biber|bibtex|bibtex8|biberplus|makeindex|xindy|texindy|makeglossaries|"
			"typstfmt|brunette|shed|importanize|autoimport3|nbdev_export|nbdev_clean|nbdev_new|"
			"nbdev_prepare|covgen|synp|yarn-deduplicate|markdown-pdf|md-to-pdf|tlformat|impl-gen|antora",
		.options = "-o=W --output=W -h!h --help!h -V!h --version!h --list!r -l!r --check!r --diff!r",
		.operands = "d*", .traits = WRITES },
	{ .names = "MP4Box", .options = "-info!r -infox!r -diso!r -dxml!r -std -version!h -h!h -help!h",
		.operands = "d*",
		.traits = ZS_ROW_LONG_DASH | WRITES },
	{ .names = "rename.ul", .options = "-n!r --no-act!r -v -s -o -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = WRITES },
	{ .names = "unace", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "unace", .names = "l|v|t", .operands = "d*" },
	{ .of = "unace", .names = "*", .operands = "d*", .traits = WRITES },
	{ .names = "quarto", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "quarto", .names = "check|inspect|help|list|tools", .operands = "d*" },
	{ .of = "quarto", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "verible-verilog-format", .options = "--inplace!i --verify!h --help!h --version!h",
		.operands = "r*" },
	{ .names = "mkvmerge", .options = "-o=W --output=W -i!r -J!r --identify!r -l!h --list-types!h -h!h "
			"--help!h -V!h "
			"--version!h", .operands = "r*", .traits = WRITES },
	/* Patches and versions */
	{ .names = "quilt", .options = "--quiltrc=d --trace -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "quilt",
		.names = "series|applied|unapplied|top|next|previous|diff|files|patches|graph|annotate|header|"
			"grep|help",
		.options = "-a!w -r!w -e!w -h!h", .operands = "d*" },
	{ .of = "quilt", .names = "*", .options = "-h!h", .operands = "d*", .traits = WRITES },
	{ .names = "editdiff|dch|debchange|uscan|dh_make|bean-format|rpmdev-bumpspec|gbp",
		.options = "-h!h --help!h --version!h --dry-run!r --report!r -o=W", .operands = "d*", .traits =
		WRITES },
	{ .names = "stg|guilt|tg|topgit",
		.options = "-C=d --color=d --version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "stg|guilt|tg|topgit",
		.names = "series|show|diff|files|id|log|patches|status|top|next|prev|name|version|help|applied|"
			"unapplied|summary|info|depends|base|graph|header", .options = "-h!h --help!h", .operands =
		"d*" },
	{ .of = "stg|guilt|tg|topgit", .names = "*", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .names = "brz", .options = "--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "brz",
		.names = "status|st|log|diff|cat|ls|info|missing|annotate|blame|version|help|root|revno|tags|"
			"plugins|version-info|unknowns|modified|added|deleted|ignored|grep",
		.options = "-h!h --help!h", .operands = "d*" },
	{ .of = "brz", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_REPO },
	{ .names = "rcs|ci|rcsclean|rcsmerge|rcsfreeze", .options = "-V!h --version!h -n!r", .operands = "d*",
		.traits = ZS_ROW_REPO },
	{ .names = "co", .options = "-p?r -V!h --version!h", .operands = "d*", .traits = ZS_ROW_REPO },
};
// clang-format on
ZS_TABLE_COUNT(tools);
