/* Tools that make or change files without a word that announces it: `psnup IN OUT`, `moggsplit IN`. Groups: documents,
 * pictures, sounds, archives, programs, packages, data, sources. */
#include "rows/rows_table.h"

#define INFO "-h!h --help!h -help!h -V!h --version!h -version!h"
#define LOOKS "-n!r --dry-run!r --dryrun!r --check!r --diff!r -l!r --list!r --stdout!r "
#define WRITES (ZS_ROW_WRITES | ZS_ROW_LONG_DASH) /* long-dash: the n of a bundle such as -Vn is not -n */

// clang-format off
ZS_TABLE(converters) = {
	/* Documents: PostScript, TeX, DocBook, fonts */
	{ .names = "psnup|psbook|psselect|psresize|psjoin|epsffit|psmerge|fixps|ps2frag|t1asm|t1disasm|t1ascii|"
			"t1binary|t1mac|t1unmac|pfb2pfa|pfbtopfa|pf2afm|fig2dev|jpeg2ps|svgexport|"
			"vl2svg|vl2png|vg2png|vg2svg|htmlmin|pysassc|dvicopy|odvicopy",
		.options = "-d -q -s=d -w=d -h=d -L=d -o=w --output=w -t=d --style=d --help!h -V!h --version!h",
		.operands = "rw" },
	{ .names = "pstops", .options = "-q -w=d -h=d -p=d -d --help!h -V!h --version!h", .operands = "drw" },
	{ .names = "enscript|a2ps|mpage|u2ps|trueprint|paps",
		.options = "-p=w -o=w --output=w -b=d -f=d -F=d -E?N -M=d -L=d -C?N -T=d -t=d -B -R -r -G -j -q "
			"--list-media!h "
			"--list-options!h --help!h --version!h", .operands = "r*" },
	{ .names = "pdftops|ps2epsi|pdf2dsc|ps2pdfwr|pstopnm|pstoimg|dvipdf|dvipdft|dvipng|dvisvgm|xdvipdfmx|dvipdfm|"
			"dvipdfmx|dvi2fax|gftodvi|gftopk|pktogf|latex2html|latex2rtf|latex2man|texi2html|"
			"yodl2html|yodl2man|yodl2txt|yodl2latex|yodl2xml|yodl|tex4ht|"
			"t4ht|htlatex|htxelatex|htxetex|httex|htcontext|htmex|mk4ht|make4ht|tex4ebook|l3build|arara|"
			"mf|mf-nowin|mpost|pmpost|mptopdf|mft|tangle|weave|ctangle|cweave|ctie|otangle|"
			"tie|patgen|mendex|upmendex|bibtexu|pbibtex|upbibtex|pdfjadetex|jadetex|bundledoc|"
			"ctanify|makedtx|thumbpdf|ttf2afm|ttf2pk|ttf2tfm|afm2tfm|afm2pl|cfftot1|otftotfm|mkofm|"
			"mktexpk|"
			"mktextfm|mktexmf|mktexlsr|texhash|updmap|updmap-sys|updmap-user|fmtutil|fmtutil-sys|"
			"fmtutil-user|latex2nemeth|tikztosvg|epspdf|depythontex|pdfxup|rpdfcrop|ebb|extractbb|"
			"mkfontdir|mkfontscale|glyphhanger|ttfpatch|asciidoc|dblatex|fop|publican|jw|xmlto|"
			"docbook2html|docbook2pdf|docbook2ps|docbook2dvi|docbook2rtf|docbook2tex|docbook2txt|"
			"docbook2man|"
			"docbook2texi|docbook2x-man|docbook2x-texi|db2html|db2pdf|db2ps|db2dvi|db2rtf|db2x_manxml|"
			"db2x_texixml|txixml2texi|openjade|lyx2lyx|txt2pdf|text2pdf|pdf2htmlEX|pdf2djvu|"
			"djvudigital|djvm|djvmcvt|cjb2|c44|ddjvu|bmeps|tex2lyx|pdfmerge|stapler|"
			"pdfarranger|briss|k2pdfopt|ebook-polish|kindlegen|dzepub|pagedjs-cli|pageres|"
			"capture-website|pwa-asset-generator",
		.options = "-o=W --output=W --out-file=W -O=d -f=d -b=d -d=d -a=d -l=d " INFO, .operands = "d*",
		.traits = WRITES },
	{ .names = "help2man", .options = "-o=w --output=w -n=d --name=d -s=d --section=d -m=d --manual=d -S=d "
			"--source=d "
			"-L=d --locale=d -p=d --info-page=d -i=r --include=r -I=r --opt-include=r -N --no-info -l "
			"-h=d --help-option=d -v=d --version-option=d --help!h --version!h", .operands = "d*" },
	/* Pictures and models */
	{ .names = "tiff2bw|tiff2rgba|pal2rgb|ppm2tiff|cjxl|djxl|heif-convert|avifdec|jxrencapp|"
			"gdk-pixbuf-thumbnailer|"
			"cairo2pdf|qoiconv|dng2tiff|exr2aces|exrenvmap|exrmaketiled|exrmakepreview|svg2pdf|"
			"svg2png-cli|"
			"opj2_compress|vips2png|webpng",
		.options = "-o=w -q=d -c=d -r=d -s=d -size=d " INFO, .operands = "r*w", .traits = ZS_ROW_LONG_DASH },
	{ .names = "pamsplit|pnmsplit|ppmtoyuvsplit|tiffsplit|fax2tiff|mkbitmap|fig2ps2tex|ppmtompeg|pamdice|"
			"h52gif|termtosvg|gifsplit|gifski|"
			"heif-enc|avifenc|cavif|basisu|toktx|etcpack|astcenc|crunch|texconv|autotrace|"
			"svgtofont|icon-gen|spritesmith|glue-sprite|blender|openscad|"
			"musescore|mscore|lilypond|csound|abcm2ps|hugin_executor|nona|enblend|"
			"enfuse|align_image_stack|pto_gen|autopano|gphotofs|dcmj2pnm|dcm2pnm|dcm2niix|fslsplit|"
			"renderdoccmd|meshlabserver|assimp|obj2gltf|gltf-pipeline|gltfpack|draco_encoder|"
			"draco_decoder",
		.options = "-o=W --output=W -i=d " INFO, .operands = "d*", .traits = WRITES },
	/* Sounds and films */
	{ .names = "apngdis|apngopt|png2apng|abc2midi|yaps|moggsplit|vcut|sfconv|fluidsynth|shnsplit|shntool|"
			"cuetag|mp3cut|"
			"normalize-mp3|normalize-ogg|bs1770gain|r128gain|rsgain|mid3cp|vorbistagedit|kid3-cli|"
			"mkvpropedit|"
			"picard|beet-import|qt-faststart|mjpegtools|lav2wav|dvdauthor|spumux|growisofs|ttyrec|"
			"subliminal|ffsubsync|autosub|ffmpeg-normalize|audiowaveform|sonic-annotator|"
			"sndfile-resample|"
			"midicsv|csvmidi|text2wave|ts2mp4",
		.options = "-F=W -o=W --output=W -O=W -l!r -ver!h " INFO, .operands = "d*", .traits = WRITES },
	{ .names = "mpg123|mpg321|madplay|flite|pico2wave|espeak-ng|espeak|sidplayfp|ogg123",
		.options = "-w=w --wav=w --wave=w -o=w -f=d -s=d -v=d -p=d " INFO, .operands = "d*" },
	/* Archives, images of disks, copies */
	{ .names = "zpaq|bup|casync|desync|zbackup|attic|duplicacy|tarsnap",
		.options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_OPEN },
	{ .of = "zpaq|bup|casync|desync|zbackup|attic|duplicacy|tarsnap",
		.names = "l|list|ls|t|test|digest|diff|stat|status|info|help|check|verify|fsck|damage|margin|"
			"snapshots|cat|"
			"find|get-version|history|content|policy|version", .operands = "d*" },
	{ .of = "zpaq|bup|casync|desync|zbackup|attic|duplicacy|tarsnap",
		.names = "*", .options = "-h!h --help!h -n!r --dry-run!r", .operands = "d*", .traits = WRITES },
	{ .names = "dar|dar_cp|dar_split|dar_xform|dar_manager",
		.options = "-l!r --list!r -t!r --test!r -d!r --diff!r " INFO, .operands = "d*", .traits = WRITES },
	{ .names = "hformat|hmount|humount|hmkdir|hdel|hrename|hcopy|genromfs|zupdate|unp|dtrx|"
			"fastjar|arc|mzip|mxtar|tarcat|lrz|runzip|pristine-gz|pristine-bz2|pristine-xz|"
			"ptar|mkzftree|xorrisofs|"
			"xorrecord|"
			"mkfs.bfs|mkfs.cramfs|mkfs.minix|mkfs.msdos|mkfs.erofs|mkfs.jffs2|mkfs.ubifs|ubinize|"
			"sumtool|gensquashfs|"
			"tar2sqfs|sqfstar|mcopy|mmd|mdel|mdeltree|mmove|mren|mrd|mformat|mlabel|mattrib|mpartition|"
			"e2image|e2undo|dosfslabel|exfatlabel|fsck.ext2|fsck.msdos|ddrescue|dcfldd|dc3dd|"
			"dd_rescue|scalpel|foremost|photorec|extundelete|magicrescue|bulk_extractor|innoextract|"
			"unshield|"
			"msiextract|unzipsfx|genfio|fio|iozone|bonnie++|"
			"zsyncmake|zsync|xdelta|par2create|par2repair|uuenview|lzip-compressor|wimappend|"
			"wimapply|wimextract|wimcapture|wimoptimize|wimjoin|wimsplit|wimlib-imagex|ventoy|"
			"livemedia-creator|"
			"mkosi|debootstick|vmdebootstrap|virt-make-fs|guestfish|virt-customize|virt-sysprep|"
			"virt-sparsify|"
			"virt-resize|virt-copy-in|virt-copy-out|recursive-copy|symlink-dir|del-empty|move|"
			"sync-directory",
		.options = "--parse-only!r --showcmd!r --enghelp!h --cmdhelp!h --readonly!r -l!r --list!r -t!r " INFO,
		.operands = "d*", .traits = WRITES },
	{ .names = "par2", .options = INFO, .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "par2", .names = "v|verify|l|list", .operands = "d*" },
	{ .of = "par2", .names = "*", .operands = "d*", .traits = WRITES },
	{ .names = "multilog|s6-log|svlogd|randpkt|altermime|newsboat|podboat|newsbeuter|"
			"savelog|lockfile|dotlock|maildirmake|munpack|ripmime|mb2md|mbsync|offlineimap|getmail|"
			"fetchmail|"
			"fdm|movemail|imapfilter|mairix|gpgdir|gpgsplit|lwp-download|lwp-mirror|wcurl|lftpget|"
			"megadl|megaget|megacopy|megaput|gdown|you-get|gallery-dl|instaloader|spotdl|scdl|annie|"
			"webhttrack|monolith|single-file|website-scraper|getmapdl|safe-rm|sfill|sswap|jrnl|"
			"git-dumper|ia-download|update-*",
		.options = "-s!r --simulate!r -g!r --get-urls!r -j!r --dump-json!r " INFO, .operands = "d*",
		.traits = WRITES },
	/* Programs: the output of compilers, linkers and their helpers */
	{ .names = "peggy|pegjs|jison|pegen|lalrpop|canopy|shc|javascript-obfuscator|code2flow|pyreverse3|rubber|"
			"latexrun|arlatex|ocamlyacc|ocamllex|menhir|racc|yapp|eyapp|happy|re2go|re2rust|"
			"flex++|bison++|cffi-gen-src|"
			"h2ph|pl2pm|gdb-add-index|dwp|eu-elfcompress|eu-unstrip|eu-make-debug-archive|"
			"sepdebugcrcfix|"
			"gcore|geninfo|genpng|sstrip|pyi-makespec|pyi-set_version|mypyc|"
			"pybind11-stubgen|xjc|wsimport|wsdl2java|compiledb|intercept-build|bindgen|cbindgen|"
			"cxxbridge|"
			"cargo-generate|easyjson|gtags-cscope|cscope-indexer|hasktags|ripper-tags|ptags|"
			"makewhatis|gdk-pixbuf-query-loaders|"
			"mklost+found|lazbuild|apktool|jadx|aapt|aapt2|zipalign|apksigner|proguard|"
			"dts-bundle-generator|dtsgenerator|typechain|tsc-alias|resolve-tspaths|svelte-package|"
			"icedust|nextpnr-ice40|arachne-pnr|icepack|sdcc|avr-objcopy|mkimage|"
			"iasl|elf2uf2|picotool|bin2hex|hex2bin|srec_cat",
		.options = LOOKS "-o=W --output=W --out=W " INFO, .operands = "d*", .traits = WRITES },
	/* --list is no option of it, and with --version it goes on (perldoc Getopt::Std) */
	{ .names = "enc2xs", .options = "-o=W -h!h", .operands = "d*", .traits = WRITES },
	{ .names = "h2xs", .options = "-A -B -C -F=d -M=d -O -P -X -a -b=d -c -d -e?N -f -g -k -m -n=d -o=d -p=d "
			"-s=d "
			"-t=d -v=d -x -h!h -?!h --help!h", .operands = "d*", .traits = WRITES },
	{ .names = "bear", .options = "--output=W -o=W -a --append --verbose --help!h -h!h --version!h",
		.operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_NO_PERMUTE | ZS_ROW_WRITES },
	/* Packages of distributions */
	{ .names = "debclean|debcommit|debi|debrelease|debsign|dget|debcheckout|debsnap|deb-reversion|"
			"mk-build-deps|mk-origtargz|"
			"origtargz|wrap-and-sort|dscextract|dep3changelog|edit-patch|add-patch|uupdate|debrepro|"
			"debrebuild|"
			"chdist|dpkg-name|dpkg-split|dpkg-gensymbols|dpkg-shlibdeps|dpkg-distaddfile|"
			"debconf-updatepo|"
			"debconf-gettextize|podebconf-report-po|nfpm|rpm2archive|rpmsign|rpmdb|dput|dupload|"
			"lintian-brush|"
			"fix-lintian|deb-new-upstream|decopy|snapcraft|flatpak-builder|"
			"appimagetool|linuxdeploy|updpkgsums|repo-add|repo-remove|abuild|spectool|rpmdev-setuptree|"
			"rpmdev-newspec|umoci|docker-slim",
		.options = "--no-act!r --simulate!r " LOOKS INFO, .operands = "d*", .traits = WRITES },
	/* Data: databases of one file, maps, sequences, catalogues of texts */
	{ .names = "db_load|db_recover|db_upgrade|db_hotbackup|db_checkpoint|mdb_load|mdb_copy|tdbbackup|tdbrestore|"
			"cdbmake|gdbm_load|ldbadd|ldbmodify|ldbdel|ldbrename|ldbedit|redis-check-aof|pgloader|"
			"vacuumlo|"
			"pg_receivewal|mariadb-import|h5copy|h5repack|h5import|h5jam|h5unjam|h5mkgrp|h5repart|"
			"h5clear|gif2h5|"
			"gdal_create|gdal_pansharpen.py|gdalenhance|gdalattachpct.py|gdalmdimtranslate|"
			"gdalmove.py|ogr_layer_algebra.py|"
			"ogrlineref|osm2pgsql|osmosis|tippecanoe|mb-util|makeblastdb|bowtie2-build|bowtie-build|"
			"hisat2-build|"
			"fastqc|fastp|clustalw|iqtree|iqtree2|raxml|raxmlHPC|phyml|vcftools|trimmomatic|multiqc|"
			"spades.py|quast.py|prokka|busco|bismark|kraken2-build|salmon|kallisto|STAR|stellar|"
			"msghack|pomigrate2|poterminology|pocompendium|porestructure|posplit|lconvert|"
			"gettext-extract|i18next-scanner|wkhtmltox",
		.options = "-c=d " LOOKS INFO, .operands = "d*", .traits = WRITES },
	{ .names = "tdbtool|gdbmtool|gdalmanage|bwa|cdo", .options = INFO, .operands = "d*", .traits = ZS_ROW_OPEN },
	{ .names = "pofilter|poswap|posegment|poreencode|podebug|poclean|pretranslate|pomerge|pogrep|poconflicts|"
			"pocompile|pot2po",
		.options = "-i=r --input=r -o=w --output=w -t=r --template=r --search=d -I=d --progress=d -h!h "
			"--help!h --version!h",
		.operands = "rw" },
	/* Sources: formatters and fixers that always rewrite, writers of projects' files */
	{ .names = "sort-json|jsonsort|pretty-quick|pinst|pysubs2|svn2git|express|"
			"autotyping|retype|djade|end-of-file-fixer|trailing-whitespace-fixer|mixed-line-ending|"
			"requirements-txt-fixer|fix-byte-order-marker|file-contents-sorter|double-quote-string-fixer|"
			"fix-encoding-pragma|sort-simple-yaml|cercis|gh-pages|standard-changelog|"
			"css-html-js-minify|scalariform|"
			"crystal-format|"
			"dhall-format|vsg",
		.options = "-c!r --staged!r -o=W " LOOKS INFO, .operands = "w*", .traits = WRITES },
	{ .names = "mpack", .options = "-s=d -d=r -m=d -c=d -o=w -a -n=d", .operands = "d*" },
	{ .names = "ronn", .options = "--pipe!r -m!r --man!r -o=W --output-dir=W -S!r --server!r --manual=d "
			"--organization=d "
			"--date=d --style=d -W -r -5 -f --roff --html --fragment -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "basez", .options = "-o=w -d -b -x -l -u -h!h", .operands = "d*" },
	{ .names = "jshon", .options = "-I!w -F=r -e=d -s=d -i=d -d=d -n=d", .operands = "d*" },
	{ .names = "f2py|f2py3", .options = "-v!h --help-link!h -h=w -m=d -c", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "debmake", .options = "-h!h --help!h -v!h --version!h -c!r -k!r -p=d -u=d -r=d -z=d -b=d -e=d "
			"-f=d -x=d",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "stream|stream-im6|stream-im6.q16", .options = "-map=d -storage-type=d -depth=d -extract=d -size=d "
			"-version!h -help!h", .operands = "r*w", .traits = ZS_ROW_LONG_DASH },
	{ .names = "ffprobe", .options = "-o=w -v=d -loglevel=d -show_entries=d -of=d -print_format=d -output_format=d "
			"-select_streams=d -i=r -f=d -read_intervals=d -dump_attachment=w -version!h -h!h -help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "rhash", .options = "-u=w --update=w -o=w --output=w -l=w --log=w -c -r -h!h --help!h -V!h "
			"--version!h",
		.operands = "d*" },
	{ .names = "hashdeep|md5deep|sha1deep|sha256deep|tigerdeep|whirlpooldeep",
		.options = "-W=w -o=d -k=r -m=r -M=r -x=r -X=r -j=d -p=d -f=r -i=d -I=d -h!h -V!h -v",
		.operands = "d*" },
	{ .names = "zint", .options = "-o=W --output=W --direct!r --dump!r -t!r --types!r -e!r --ecinos!r -b=d "
			"-d=d --data=d -i=r "
			"-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "pngcheck", .options = "-x!w -c -f -p -q -s -t -v -7 -h!h", .operands = "d*" },
	{ .names = "id3|id3tool|mp3info", .options = "-l!r -x!r -p!r -G!r -F!r -R!r -q!r -h!h --help!h -v!h -V!h "
			"-t!w -a!w -A!w -g!w -y!w "
			"-T!w -c!w -d!w -i!i -r!w -n!w -1!w -2!w", .operands = "d*" },
	{ .names = "mboxgrep", .options = "-d!w --delete!w -o=w --output=w -e=d -m=d -f=d -h!h --help!h -V!h",
		.operands = "d*" },
	{ .names = "csvtotable|trang|stegsnow|jpegpixi|jpeghotp|ttftotype42|t1dotlessj|cssnano|pdfposter|qprint|"
			""
			"html2pdbtxt|txt2pdbdoc", .options = "-m=d -p=d -q -C -s=d "
			"-f=d -I=d -O=d -h!h --help!h -V!h -v!h --version!h", .operands = "rw*" },
	{ .names = "unimport", .options = "-r!w --remove!w -p!r --permission --check!r --diff!r -d!r --include=d "
			"--exclude=d "
			"--config=d -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "pretty-format-json", .options = "--autofix!i --no-sort-keys --indent=d --top-keys=d -h!h "
			"--help!h",
		.operands = "r*" },
	{ .names = "jsonrepair", .options = "-o=w --output=w --overwrite!i --buffer=d -h!h --help!h -v!h --version!h",
		.operands = "r*" },
	{ .names = "repomix|yek", .options = "--stdout!r -o=W --output=W --remote=d -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = WRITES },
	{ .names = "chezmoi|yadm|dotdrop|homeshick|rcup|rcdn|mkrc|gopass|keybase|lpass|rtx|nvm|fnm|volta|jenv|sdk",
		.options = INFO, .operands = "d*", .traits = ZS_ROW_OPEN },
};
// clang-format on
ZS_TABLE_COUNT(converters);
