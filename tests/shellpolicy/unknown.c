/* Commands without a row, in verify: words that announce a write, and commands that write among their words. */
#include "vetting.h"

#include <stdio.h>

struct row {
	const char *command;
	const char *object; /* the word that the reason names; NULL: allowed */
};

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_VERIFY, rows[i].command);

		CHECK(report->verdict == (rows[i].object ? ZS_BLOCK : ZS_ALLOW), "%s: %s", rows[i].command,
			report->verdict == ZS_BLOCK ? report->reason : "allowed");
		CHECK(!rows[i].object || strstr(report->reason, rows[i].object), "%s: %s", rows[i].command,
			report->reason);
		CHECK(vet(ZS_PROFILE_STRICT, rows[i].command)->verdict == ZS_ALLOW, "%s: strict", rows[i].command);
	}
}

/* clang-format off */
TEST(unknown_options)
{
	static const struct row rows[] = {
		{ "frob -i a.txt", "'-i'" }, { "frob -ti .a a.toml", "'-ti'" }, { "frob -w a.js", "'-w'" },
		{ "frob -i.bak a.txt", "'-i.bak'" }, { "frob -i \"$f\"", "'-i'" }, { "frob a.txt -i", "'-i'" },
		{ "frob -i makefile", "'-i'" }, { "frob -w dockerfile", "'-w'" },
		{ "frob --in-place a", "'--in-place'" }, { "frob --write a", "'--write'" },
		{ "frob --fix", "'--fix'" }, { "frob --fix=true", "'--fix=true'" }, { "frob --save", "'--save'" },
		{ "frob --replace a", "'--replace'" }, { "frob --modify a", "'--modify'" },
		{ "frob -o x a", "'-o'" }, { "frob -ox.txt a", "'-ox.txt'" }, { "frob --output x", "'--output'" },
		{ "frob --output=x", "'--output=x'" }, { "frob -o \"$f\"", "'-o'" },
		{ "frob --output=$f", "--output=$f" }, { "frob -- -w a.js", "'-w'" },
		{ "/usr/bin/frob --fix", "'--fix'" }, { "node_modules/.bin/frob --fix", "'--fix'" },
		{ ".venv/bin/frob --fix", "'--fix'" }, { "vendor/bin/frob --fix", "'--fix'" },
		{ "node node_modules/frob/bin/x.js --fix", "frob: '--fix'" },
		{ "node_modules/@a/frob/cli.js --fix", "frob: '--fix'" },
		{ "npx frob --fix", "'--fix'" }, { "npm exec frob -- --fix", "'--fix'" },
		{ "python3 -m frob -o x", "'-o'" }, { "uv run frob --in-place a", "'--in-place'" },
		{ "frob", NULL }, { "frob a.txt", "'a.txt'" }, { "frob -i", NULL }, { "frob -i 5 a.txt", "'a.txt'" },
		{ "frob -i eth1 word", "'eth1'" }, { "frob -w 80 a.txt", "'a.txt'" }, { "frob -it sh", "'sh'" },
		{ "frob -dpi 3 a.png", "'a.png'" }, { "frob --fix=false", NULL }, { "frob -o json a", "'a'" },
		{ "frob -o yaml", NULL }, { "frob -o wide", NULL }, { "frob -o 'jsonpath={.a}'", NULL },
		{ "frob -o jsonpath=\"$p\"", NULL }, { "frob --output=table", NULL }, { "frob -o -", NULL },
		{ "frob -o /dev/null a", "'a'" }, { "frob --output /dev/stdout", NULL }, { "frob -o 12", NULL },
		{ "frob -o", NULL }, { "frob -o -v", NULL }, { "frob --fix --help", NULL },
		{ "frob --write --dry-run a", NULL }, { "./frob --fix", NULL }, { "tools/frob -o x", NULL },
		{ "frob() { ls; }; frob --fix", NULL },
		{ "frob --html-out x.html", "'--html-out'" }, { "frob --report-output=x", "'--report-output=x'" },
		{ "frob --no-output a.txt", "'a.txt'" }, { "frob --time-out 5s", "'5s'" }, { "frob --html-out", NULL },
		{ "frob --print-to-pdf a.html", "'--print-to-pdf'" }, { "frobinfo -i a.otf", NULL },
		{ "frob-stats -w a.txt", NULL }, { "frobinfo -o a.txt b", "'-o'" },
		{ "frobinfo --fix a.txt", "'--fix'" },
	};

	check(rows, sizeof rows / sizeof *rows);
}

TEST(unknown_verbs)
{
	static const struct row rows[] = {
		{ "frob format a.txt", "'format'" }, { "frob format --check a.txt", NULL },
		{ "frob fmt -d a.txt", "'fmt'" }, { "frob install -d a.txt", "'install'" },
		{ "frob -s format a.txt", "'format'" }, { "frob format", "'format'" },
		{ "frob split-pane a.txt", "'split-pane'" },
		{ "frob x format a.txt", "'x'" }, { "jp2a a.jpg", "'a.jpg'" }, { "run_init ./a.sh", "'./a.sh'" },
		{ "frob-index a.txt", "frob-index" }, { "list-index a.txt", "'a.txt'" },
		{ "frob-index word", "'word'" },
		{ "frobconvert a.txt b.csv", "frobconvert" }, { "wav2mp3 a.wav", "'a.wav'" },
		{ "a2txt a.wav", "'a.wav'" },
		{ "git-frob init", "'init'" }, { "create-frob x", "create-frob" }, { "a2frob a.x b.y", "'a.x'" },
		{ "a2frob a.x", "'a.x'" }, { "a2frob -x 12 a.x", "'a.x'" }, { "ts-update x", "'x'" },
		{ "sha2sum a.x b.y", NULL },
		{ "frob init", "'init'" }, { "frob new x", "'new'" }, { "frob create x", "'create'" },
		{ "frob set a 1", "'set'" }, { "frob add a", "'add'" }, { "frob insert db t", "'insert'" },
		{ "frob update", "'update'" }, { "frob annotate f", "'annotate'" }, { "frob remove f", "'remove'" },
		{ "frob drop-table db t", "'drop-table'" }, { "frob install x", "'install'" },
		{ "frob db:migrate", "'db:migrate'" }, { "frob config set a 1", "'set'" },
		{ "frob a.db insert x", "'insert'" }, { "frob -v init", "'init'" }, { "frob --db x add a", "'add'" },
		{ "npx frob init", "'init'" }, { "npm frobnicate add x", "'add'" },
		{ "frob list", NULL }, { "frob show x", NULL }, { "froblint src", NULL }, { "frob 5", NULL },
		{ "frob --diff a.txt", NULL }, { "frob -d a.txt", "'a.txt'" }, { "frob \"$x\"", "zs does not know" },
		{ "frob help init", NULL }, { "frob search install", NULL },
		{ "frob init --help", NULL }, { "frob init -h", NULL }, { "frob a b add", "'a'" },
		{ "frob update.json", "'update.json'" }, { "frob check-update", "'check-update'" },
		{ "frob src/add", "'src/add'" },
		{ "frob 'add a line'", "'add a line'" }, { "./frob add 1 2", NULL }, { "node app.js add", NULL },
		{ "python3 -m app add 1 2", NULL }, { "uv run app add 1 2", NULL }, { "bash tool.sh init", NULL },
		{ "yarn app add", NULL },
	};

	check(rows, sizeof rows / sizeof *rows);
}

/* A command's name or the kinds of two files can announce a write too, and so can flags that a tool's row does not
 * list. */
TEST(unknown_products)
{
	static const struct row rows[] = {
		{ "frob a.svg b.png", "'a.svg'" }, { "frob -q 3 a.wav b.mp3", "'a.wav'" },
		{ "frob a.md out/b.pdf", "'a.md'" },
		{ "frobfmt a.x", "frobfmt" }, { "frob-convert a.x", "frob-convert" }, { "frob-set a.x", "frob-set" },
		{ "frob a.png b.png", "'a.png'" }, { "frob a.png", "'a.png'" }, { "frob a.json b.yaml", "'a.json'" },
		{ "frob a.tar.gz", "'a.tar.gz'" }, { "frob --config a.yml b.png", "'a.yml'" },
		{ "frobfmt --check a.x", NULL },
		{ "frobfmt -l .", NULL }, { "frobfmt", NULL }, { "frobfmt -", NULL }, { "./frobfmt a.x", NULL },
		{ "./frob a.svg b.png", NULL }, { "frob -z a.pdf b.txt", "'a.pdf'" },
		{ "frob -f a.pdf b.txt", "'a.pdf'" },
		{ "frob --logo a.png b.txt", "'a.png'" }, { "frob a.txt b.mid", "'a.txt'" },
		{ "abc2mid a.abc", "'a.abc'" },
		{ "html-minify a.html", "html-minify" }, { "line-fixer a.c", "line-fixer" },
		{ "xpropedit a.x", "xpropedit" },
		{ "frob minify a.js", "'minify'" }, { "frob minify", "'minify'" }, { "frob rec a.cast", "'rec'" },
		{ "frob a=b c.d=e add x", "'add'" }, { "frob dir/a=b x add", "'dir/a=b'" },
		{ "frob fileio prepare", "'prepare'" },
		{ "img-compare a.png b.jpg", "'a.png'" }, { "frob a.md b.txt", "'a.md'" },
		{ "frob a.md b.md", "'a.md'" },
		{ "frob -q a.md b.txt", "'a.md'" }, { "frob --check a.md b.txt", NULL },
		{ "frob a.yaml b.txt", "'a.yaml'" },
		{ "frob-diff a.md b.txt", NULL }, { "csvtofrob a.csv b", "'a.csv'" }, { "frob --export-html a.html x",
		"--export-html" },
		{ "frob --export-format html x", "'html'" }, { "frob --write-config a.yml", "--write-config" },
		{ "frob -Oa.sdf b", "'-Oa.sdf'" }, { "frob cf a.x b", "'cf'" }, { "frob xf a.x", "'xf'" },
		{ "frob tf a.x", "'tf'" },
		{ "hlint --fix a.hs", "'--fix'" }, { "flake8 --in-place a.py", "'--in-place'" },
		{ "chktex --write a.tex", "'--write'" }, { "hlint --fix=false a.hs", NULL },
		{ "vulture --verbose a.py", NULL }, { "echo --fix --write", NULL }, { "grep -r --fix src", NULL },
		{ "python3 tool.py --fix", NULL }, { "make test ARGS=--fix", NULL },
	};

	check(rows, sizeof rows / sizeof *rows);
}

TEST(unknown_wrappers)
{
	static const struct row rows[] = {
		{ "frob rm x", "'rm'" }, { "frob u rm x", "'rm'" }, { "frob a b c rm x", "'x'" },
		{ "frob a b c git commit -m x", "git commit" }, { "frob a b c chmod +x f", "'f'" },
		{ "frob -c \"rm x\"", "'x'" }, { "frob --command='rm x'", "'x'" },
		{ "frob 'cat > f'", "f: zs does not know" },
		{ "frob 'cat f' 'tee g'", "'g'" }, { "frob a sh -c 'rm x'", "'x'" },
		{ "frob -- bash -c 'echo x > y'", "y: zs does not know" }, { "frob a frob b c rm x", "'x'" },
		{ "frob a /bin/rm x", "'x'" }, { "frob a b perl -e 'unlink \"x\"'", "'x'" },
		{ "frob -c '(rm x)'", "'x'" }, { "frob 'sh -c \"rm x\"'", "'x'" }, { "frob -- reboot", "reboot" },
		{ "gosu u rm x", "rm: 'x'" }, { "pee 'cat f' 'rm x'", "rm: 'x'" }, { "mispipe 'ls' 'rm x'", "rm: 'x'" },
		{ "rr record rm x", "rr record" }, { "chronic rm x", "rm: 'x'" }, { "zrun rm x", "rm: 'x'" },
		{ "lckdo f ls", "'f'" }, { "logsave f ls", "'f'" },
		{ "frob a b cat f", "'a'" }, { "frob cat", NULL }, { "frob a b rm", "'a'" },
		{ "frob a rm --help", NULL }, { "frob user list", NULL }, { "frob fs group ls x", NULL },
		{ "frob health", NULL }, { "frob osd tree", NULL }, { "frob a b c list", "'a'" },
		{ "frob a.png list", "'a.png'" }, { "frob data/x list", "'data/x'" },
		{ "frob \"$x\" list", "'\"$x\"'" }, { "frob pool delete list", "delete" },
		{ "frob --port port x", "'port'" }, { "frob a /dev/lp0", "'a'" }, { "frob a sh -c 'ls'", "'a'" },
		{ "frob 'import os; print(1)'", "'import os; print(1)'" },
		{ "frob 'count > 3'", "'count > 3'" }, { "frob -c 'if x'", "'if x'" }, { "frob -c 'a b'", "'a b'" },
		{ "gosu u ls", NULL }, { "pee 'cat f' wc", NULL }, { "zrun cat x.gz", NULL },
		{ "./frob rm x", NULL },
	};

	check(rows, sizeof rows / sizeof *rows);
}
/* clang-format on */

/* If more words may be commands than are judged, the rest may hide one. */
TEST(unknown_guesses)
{
	char text[200] = "frob x";

	for (int i = 0; i < 16; i++) /* ZS_MAX_GUESSES */
		strcat(text, " cat");
	CHECK(vet(ZS_PROFILE_VERIFY, text)->code == ZS_RISK_UNKNOWN_COMMAND, "%s", text);
	strcat(text, " ls");
	CHECK(vet(ZS_PROFILE_VERIFY, text)->code == ZS_RISK_WRITE, "%s", text);
}

/* A guess that finds no write leaves nothing in the report. */
TEST(unknown_leaves_no_trace)
{
	const struct zs_report *report = vet(ZS_PROFILE_STRICT, "frob a b sudo ls 'cat $(ls); ls' sh -c 'ls | wc'");

	CHECK(report->verdict == ZS_ALLOW, "%s", report->reason);
	CHECK(report->ir.command_count == 1, "%u commands", report->ir.command_count);
	CHECK(report->risks == 1u << ZS_RISK_UNKNOWN_COMMAND, "%x", report->risks);
}

/* Rows of rows_tools.c, as their tools behaved when they ran in a scratch folder. */
/* clang-format off */
TEST(unknown_families)
{
	static const struct row rows[] = {
		{ "sd a b f.txt", "'f.txt'" }, { "sd -p a b f.txt", NULL }, { "fastmod a b", "fastmod" },
		{ "rpl foo bar a.txt", "'a.txt'" }, { "rpl -s foo bar a.txt", NULL },
		{ "recode latin1..utf8 a.txt", "'a.txt'" }, { "recode -l", NULL },
		{ "tidy -im a.html", "'a.html'" }, { "tidy -modify a.html", "'a.html'" }, { "tidy -i -q a.html", NULL },
		{ "js-beautify -r a.js", "js-beautify" }, { "js-beautify a.js", NULL },
		{ "js-beautify -f a.js -r", "js-beautify" }, { "tomlq -ti .a a.toml", "tomlq" },
		{ "tomlq -t . a.toml", NULL }, { "pg_format -i a.sql", "'a.sql'" }, { "pg_format -s 2 a.sql", NULL },
		{ "msgfmt -o a.mo a.po", "'a.mo'" }, { "msgfmt a.po", "msgfmt" },
		{ "msgfmt -c -o /dev/null a.po", NULL }, { "xgettext -o - a.py", NULL },
		{ "xgettext a.py", "xgettext" }, { "msgmerge -U a.po b.pot", "'a.po'" },
		{ "msgmerge a.po b.pot", NULL }, { "sqlite-utils drop-table a.db t", "drop-table" },
		{ "sqlite-utils tables a.db", NULL }, { "sqlite-utils query a.db 'select 1'", NULL },
		{ "reuse annotate -c me a.py", "annotate" }, { "reuse lint", NULL }, { "stg init", "stg init" },
		{ "stg series", NULL }, { "quilt push", "quilt push" }, { "quilt series", NULL },
		{ "gio trash f", "'f'" }, { "gio info f", NULL }, { "xattr -w a b f", "xattr" }, { "xattr -l f", NULL },
		{ "uudecode -o f g", "'f'" }, { "uudecode g", "uudecode" }, { "uudecode -o /dev/stdout g", NULL },
		{ "mkdirp a", "'a'" }, { "cpy a b", "'b'" }, { "replace-in-file a b c", "replace-in-file" },
		{ "replace-in-file a b c --dry", NULL }, { "groff -U f", "groff" }, { "groff -man -Tascii a.1", NULL },
		{ "pdftotext a.pdf", "pdftotext" }, { "pdftotext a.pdf -", NULL }, { "qpdf --check a.pdf", NULL },
		{ "qpdf a.pdf b.pdf", "'b.pdf'" }, { "recins -f N -v z a.rec", "'a.rec'" }, { "recsel a.rec", NULL },
		{ "perltidy a.pl", "perltidy" }, { "perltidy -st a.pl", NULL }, { "augtool print /files", NULL },
		{ "augtool set /files/a b", "augtool set" }, { "npx -- cpy a b", "'b'" },
		{ "cscope -d -L0 main", NULL }, { "cscope -L0 main", "cscope" },
		{ "csvclean a.csv -a", NULL }, { "csvclean a.csv", "csvclean" },
		{ "gs -q -dNODISPLAY -dBATCH -c quit", NULL }, { "gs -dNODISPLAY -c '(x) deletefile'", "gs" },
		{ "iverilog -t null a.v", NULL }, { "iverilog -t vvp a.v", "iverilog" }, { "iverilog a.v", "iverilog" },
		{ "iverilog -t null -o x a.v", "'x'" }, { "git annex info", NULL }, { "git annex add f", "git annex" },
		{ "git annex get f", "git annex" },
		{ "po4a-translate -f text -m a.txt -p a.po -l /dev/stdout", NULL },
		{ "po4a-translate -f text -m a.txt -p a.po -l x", "'x'" },
		{ "bibtool a.bib", NULL }, { "bibtool a.bib -o x", "'x'" },
		{ "dc -e '2k 1 3 / p'", NULL }, { "dc -e '!touch x'", "'!touch x'" },
		{ "dc -e '[1 p] x'", "'[1 p] x'" },
		{ "Rscript -e '1+1'", NULL }, { "Rscript -e 'unlink(1)'", "'unlink(1)'" },
		{ "openapi-generator validate -i a.yaml", NULL },
		{ "npx openapi-generator-cli generate -i a.yaml", "openapi-generator-cli generate" },
		{ "certbot certificates", NULL }, { "certbot renew", "certbot renew" },
		{ "cfssl certinfo -cert a.pem", NULL }, { "guix package -l", NULL },
		{ "guix package -i x", "guix package" }, { "guix pull", "guix pull" },
		{ "samtools index a.bam", "samtools index" }, { "samtools view a.bam", NULL },
		{ "tabix a.vcf.gz", "tabix" }, { "tabix a.vcf.gz chr1", NULL }, { "tabix -p vcf a.vcf.gz", "tabix" },
		{ "gdal_translate a.tif b.tif", "gdal_translate" }, { "gdalinfo a.tif", NULL },
		{ "tesseract a.png out", "tesseract" }, { "tesseract a.png stdout -l eng", NULL },
		{ "tesseract a.png - pdf", NULL }, { "soffice --convert-to pdf a.docx", "soffice" },
		{ "soffice --version", NULL }, { "ebook-meta a.epub", NULL },
		{ "ebook-meta a.epub -t x", "ebook-meta" },
		{ "import -window root s.png", "import" }, { "mise use node@20", "mise use" }, { "mise ls", NULL },
		{ "direnv allow", "direnv allow" }, { "direnv status", NULL },
		{ "python3 -m json a.json b.json", "'b.json'" }, { "python3 -m json a.json", NULL },
		{ "json a.b c.d", NULL },
		{ "uv run toml set --toml-path a b 1", "toml set" }, { "dvc status", NULL }, { "dvc add f", "dvc add" },
		{ "vim.tiny -es +wq a.txt", "vim.tiny" }, { "vd -b a.csv -o b.json", "'b.json'" },
		{ "rubocop --cache false a.rb", NULL }, { "nbstripout --install", "nbstripout" },
		{ "luac5.4 a.lua", "luac" }, { "luac5.4 -p a.lua", NULL }, { "m4 -F a.m4 /dev/null", "'a.m4'" },
		{ "doxygen -g", "doxygen" }, { "doxygen Doxyfile", NULL }, { "help2man -N -o a.1 ls", "'a.1'" },
		{ "help2man -N ls", NULL }, { "license-checker --files d", "'d'" },
		{ "license-checker --summary", NULL },
		{ "task add milk", "task" }, { "task rc.confirmation=no add x", "task" }, { "task build", NULL },
	};

	check(rows, sizeof rows / sizeof *rows);
	/* their rows block them, not the judgement of unknown commands */
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(!rows[i].object ||
				!(vet(ZS_PROFILE_STRICT, rows[i].command)->risks & 1u << ZS_RISK_UNKNOWN_COMMAND),
			"%s: no row", rows[i].command);
}

/* Rows of rows_converters.c: tools that do not announce that they write. */
TEST(unknown_converters)
{
	static const struct row rows[] = {
		{ "psnup -q -2 a.ps b.ps", "'b.ps'" }, { "psnup -2 a.ps", NULL }, { "enscript -p a.ps f", "'a.ps'" },
		{ "pdftops a.pdf", "pdftops" }, { "pdftops --help", NULL }, { "asciidoc a.txt", "asciidoc" },
		{ "asciidoc -o - a.txt", NULL }, { "xmlto pdf a.xml", "xmlto" }, { "dvipng a.dvi", "dvipng" },
		{ "fig2dev -L svg a.fig b.svg", "'b.svg'" }, { "tiff2bw a.tif b.tif", "'b.tif'" },
		{ "tiffsplit a.tif", "tiffsplit" }, { "gifski a.png", "gifski" }, { "abc2midi a.abc", "abc2midi" },
		{ "moggsplit a.ogg", "moggsplit" }, { "mkvpropedit a.mkv -e info -s title=x", "mkvpropedit" },
		{ "espeak-ng -w a.wav hi", "'a.wav'" }, { "espeak-ng --help", NULL }, { "ogg123 a.ogg", NULL },
		{ "zpaq a x.zpaq f", "zpaq" }, { "zpaq l x.zpaq", NULL }, { "casync make a d", "casync make" },
		{ "casync list a", NULL }, { "bup init", "bup init" }, { "bup ls", NULL }, { "dar -c a -g d", "dar" },
		{ "dar -l a", NULL }, { "mcopy -i a.img f ::", "mcopy" }, { "mcopy --help", NULL },
		{ "fio --name=x --size=4k", "fio" }, { "fio --parse-only a.fio", NULL }, { "zsyncmake f", "zsyncmake" },
		{ "par2 create a.par2 f", "par2 create" }, { "par2 verify a.par2", NULL },
		{ "savelog a.log", "savelog" }, { "munpack a.mbox", "munpack" }, { "mpack -s x -o b a", "'b'" },
		{ "gdown http://h/f", "gdown" }, { "gallery-dl -s http://h/f", NULL }, { "move a b", "move" },
		{ "ttyrec a", "ttyrec" }, { "h2xs -AXn Foo", "h2xs" }, { "bear -- make", "bear" },
		{ "pyi-makespec a.py", "pyi-makespec" }, { "ocamllex a.mll", "ocamllex" }, { "mypyc a.py", "mypyc" },
		{ "mk-build-deps", "mk-build-deps" }, { "wrap-and-sort", "wrap-and-sort" },
		{ "wrap-and-sort --dry-run", NULL }, { "dget http://h/a.dsc", "dget" }, { "db_load a.db", "db_load" },
		{ "h5repack a.h5 b.h5", "h5repack" }, { "makeblastdb -in a", "makeblastdb" },
		{ "vcftools --vcf a.vcf", "vcftools" }, { "vcftools --help", NULL }, { "pofilter a.po b.po", "'b.po'" },
		{ "pofilter --help", NULL }, { "end-of-file-fixer a.c", "'a.c'" }, { "unimport -r a.py", "unimport" },
		{ "unimport a.py", NULL }, { "repomix", "repomix" }, { "repomix --stdout", NULL },
		{ "htmlmin a.html b.html", "'b.html'" }, { "htmlmin a.html", NULL }, { "jsonrepair a.json", NULL },
		{ "jsonrepair --overwrite a.json", "'a.json'" }, { "gdalmanage delete a.tif", "'delete'" },
		{ "po2frob a.po b", "'a.po'" }, { "debmake -n", "debmake" }, { "f2py -h a.pyf a.f", "'a.pyf'" },
		{ "ffprobe -o a.txt b.mp4", "'a.txt'" }, { "ffprobe -v error -show_format a.mp4", NULL },
		{ "rhash -u a b", "'a'" }, { "rhash --sha1 a", NULL }, { "hashdeep -W a b", "'a'" }, { "md5deep "
			"-r a", NULL },
		{ "stream -map rgb a.png b.dat", "'b.dat'" }, { "pamsplit a.ppm", "pamsplit" },
		{ "makeinfo --html a.texi", "makeinfo" }, { "makeinfo --plaintext a.texi", NULL },
		{ "texi2pdf a.texi", "texi2pdf" }, { "pslatex a.tex", "pslatex" }, { "pslatex --version", NULL },
		{ "multilog t ./d", "multilog" }, { "tnftp http://h/f", "tnftp" },
		{ "ronn a.md", "ronn" }, { "ronn --pipe a.md", NULL }, { "basez -d a -o b", "'b'" }, { "basez a",
		NULL },
		{ "jshon -I -F a.json -d a", "jshon" }, { "jshon -F a.json -e a", NULL }, { "pngcheck a.png", NULL },
		{ "pngcheck -x a.png", "pngcheck" }, { "id3 -t x a.mp3", "id3" }, { "id3 -l a.mp3", NULL },
		{ "mboxgrep -d x a.mbox", "mboxgrep" }, { "mboxgrep x a.mbox", NULL }, { "trang a.rng b.rnc",
		"'b.rnc'" },
		{ "stegsnow -C a", NULL }, { "zint -d x", "zint" }, { "zint --types", NULL },
		{ "csvtool col 1 a -o b", "'b'" }, { "csvtool col 1 a", NULL }, { "hg shelve -n x", "hg shelve" },
		{ "hg shelve --list", NULL }, { "exiftool '-FileName<Artist' a.jpg", "FileName" },
		{ "jasmine init", "'init'" }, { "jasmine spec/a.js", NULL }, { "peggy a.peg", "peggy" },
		{ "sort-json a.json", "'a.json'" }, { "genromfs -f a -d b", "genromfs" }, { "unp a.zip", "unp" },
		{ "texi2html a.texi", "texi2html" }, { "express a", "'a'" }, { "express --help", NULL },
		{ "chezmoi apply", "'apply'" }, { "chezmoi status", NULL }, { "update-grub", "update-grub" },
	};

	check(rows, sizeof rows / sizeof *rows);
}
/* clang-format on */
