/* Commands that make, change, move and delete files, and archives. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(files) = {
	{ .names = "shred", .options = "--help!h --version!h --size=d -s=d --iterations=d -n=d --random-source=r",
		.operands = "B*" }, /* it overwrites the file, and with -u deletes it */
	{ .names = "gzexe", .options = "--help!h --version!h", .operands = "B*" },
	{ .names = "rm|unlink|rmdir|srm|trash|trash-put|wipe|rimraf|del-cli",
		.options = "--help!h --version!h --size=d -s=d --iterations=d -n=d --random-source=r",
		.operands = "x*" },
	{ .names = "cp|gcp",
		.options = "-t=T --target-directory=T -S=d --suffix=d -a --archive --sparse=d --preserve?N "
			"--no-preserve=d --reflink?N --backup?N --context?N --help!h --version!h", .operands = "r*w" },
	{ .names = "mv|gmv", .options = "-t=T --target-directory=T -S=d --suffix=d --backup?N --help!h --version!h",
		.operands = "m*w" },
	{ .names = "ln", .options = "-t=T --target-directory=T -S=d --suffix=d --backup?N --help!h --version!h",
		.operands = "d*l" },
	{ .names = "link", .options = "--help!h --version!h", .operands = "dl" },
	{ .names = "install|ginstall",
		.options = "-d!i --directory!i -t=T --target-directory=T -m=d --mode=d -o=d --owner=d -g=d "
			"--group=d -S=d --suffix=d --strip-program=d --backup?N --help!h --version!h",
		.operands = "r*w" },
	{ .names = "touch", .options = "-d=d --date=d -r=r --reference=r -t=d --time=d --help!h --version!h",
		.operands = "n*" },
	{ .names = "mkdir", .options = "-m=d --mode=d --context?N -Z --help!h --version!h", .operands = "n*" },
	{ .names = "mkfifo", .options = "-m=d --mode=d --help!h --version!h", .operands = "n*" },
	{ .names = "mknod", .options = "-m=d --mode=d --help!h --version!h", .operands = "nd*" },
	{ .names = "mktemp", .options = "-u!h --dry-run!h -p=d --tmpdir?N --suffix=d --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "tempfile|unar|zoo|bzip2recover|znew|zforce|zipsplit|zipcloak|mkisofs|genisoimage|"
			"xorriso|mksquashfs|makeself|splitdiff|rsnapshot|rdiff-backup|unison|"
			"trash-empty|trash-restore",
		.options = "--help!h --version!h -V!h --dry-run!r", .traits = ZS_ROW_WRITES },
	{ .names = "hardlink", .options = "-n!r --dry-run!r -c -m -M -o -p -t -v -X -x=d -i=d -r=d -S=d -s=d -f "
			"-h!h --help!h "
			"-V!h --version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rar|unrar|unrar-free", .options = "-h!h --help!h -?!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "rar", .names = "l|lt|lta|lb|v|vt|vta|vb|t|p|P|lc" },
	{ .of = "rar", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "arj|lha|lhasa|jlha", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY,
		.options = "-h!h --help!h --version!h" },
	{ .of = "arj", .names = "l|v|t|p|lv|vv" },
	{ .of = "arj", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "cabextract", .options = "-l!r --list!r -t!r --test!r -p!r --pipe!r -v!h --version!h -h!h --help!h "
			"-d=w --directory=w -F=d --filter=d -e=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "unsquashfs",
		.options = "-l!r -ls!r -ll!r -lls!r -lc!r -llc!r -s!r -stat!r -cat!r -d=w -dest=w -v!h -version!h "
			"-h!h -help!h", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "isoinfo|mdir|mtype", .options = "--help!h --version!h", .operands = "d*" },
	{ .names = "truncate", .options = "-s=d --size=d -r=r --reference=r --help!h --version!h", .operands = "w*" },
	{ .names = "fallocate", .options = "-l=d --length=d -o=d --offset=d --help!h --version!h", .operands = "w" },
	{ .names = "tee", .options = "--output-error?N --help!h --version!h", .operands = "w*" },
	{ .names = "sponge", .options = "-a", .operands = "w" },
	{ .names = "dd", .options = "--help!h --version!h", .grammar = ZS_GRAMMAR_DD },
	{ .names = "split",
		.options = "-a=d --suffix-length=d --additional-suffix=d -b=d --bytes=d -C=d --line-bytes=d "
			"--filter=y -l=d --lines=d -n=d --number=d -t=d --separator=d --help!h --version!h",
		.operands = "rd", .traits = ZS_ROW_WRITES },
	{ .names = "csplit",
		.options = "-b=d --suffix-format=d -f=d --prefix=d -n=d --digits=d --help!h --version!h",
		.operands = "rd*", .traits = ZS_ROW_WRITES },
	{ .names = "chmod|chown|chgrp|gchmod|gchown",
		.options = "--reference=r --from=d -R --recursive -c --changes -f --silent --quiet -v --verbose "
			"-h --no-dereference -H -L -P --preserve-root --help!h --version!h", .operands = "dM*",
		.grammar = ZS_GRAMMAR_CHMOD },
	{ .names = "chcon",
		.options = "--reference=r -u=d --user=d -r=d --role=d -t=d --type=d -l=d --range=d --help!h "
			"--version!h", .operands = "M*" },
	{ .names = "chattr|setfattr|setcap|setfacl",
		.options = "-m=d -x=d -n=d -v=d -M=r -X=r --modify=d --remove=d --set=d --restore=d --test!r "
			"--help!h --version!h", .operands = "M*", .traits = ZS_ROW_WRITES },
	{ .names = "rename|prename|file-rename|mmv|qmv|vidir",
		.options = "-n!h --no-act!h --dry-run!h --help!h --version!h", .operands = "dm*",
		.traits = ZS_ROW_WRITES },
	{ .names = "patch",
		.options = "-p=d --strip=d -i=r --input=r -o=w --output=w -d=C --directory=C -r=w --reject-file=w "
			"-B=d -D=d -F=d -g=d -V=d -Y=d -z=d --dry-run!h -C!h --help!h --version!h", .operands = "wr",
		.traits = ZS_ROW_WRITES },
	{ .names = "dos2unix|unix2dos|mac2unix|unix2mac",
		.options = "-n --newfile -i?h --info?h -O!h --to-stdout!h -c=d --convmode=d -D=d --help!h "
			"--version!h -h!h -V!h", .operands = "w*" },
	{ .names = "tar|gtar|bsdtar", .options = "--help!h --version!h", .grammar = ZS_GRAMMAR_TAR },
	{ .names = "zip",
		.options = "-T -TT=c -sf!h -h!h -h2!h -L!h -v --version!h -b=d -t=d -tt=d -n=d -i=d -x=d -P=d "
			"-O=w --out=w --unzip-command=c", .operands = "wr*",
		.grammar = ZS_GRAMMAR_LOOKS },
	{ .names = "unzip", .options = "-l!h -t!h -v!h -Z!h -z!h -p!h -c!h -d=T -x=d -P=d", .operands = "rd*",
		.traits = ZS_ROW_WRITES },
	{ .names = "zipinfo|zipgrep|lsar|funzip|zcat|bzcat|xzcat|lzcat|lz4cat|zstdcat|gzcat|lzmadec|xzdec|bsdcat|zgrep|"
			"zegrep|zfgrep|bzgrep|bzegrep|bzfgrep|xzgrep|xzegrep|xzfgrep|lzgrep|lzegrep|lzfgrep|"
			"zstdgrep|zless|zmore|bzless|bzmore|xzless|xzmore|lzless|lzmore|zstdless|zdiff|zcmp|bzdiff|"
			"bzcmp|xzdiff|xzcmp|lzdiff|lzcmp" },
	{ .names = "zipnote", .options = "-w!w -h!h -v!h -L!h -q -b=d", .operands = "d*" },
	{ .names = "7z|7za|7zr|7zz|7zzs|p7zip", .options = "--help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "7z", .names = "l|t|i|h|b" },
	{ .of = "7z", .names = "*", .options = "-so!r", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "lrzip", .options = "-i!r --info!r -t!r --test!r -o=W --outfile=W -O=w -S=d -L=d -w=d -p=d "
			"-N=d -m=d "
			"-h!h --help!h -V!h --version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "gzip|pigz|bzip2|lbzip2|pbzip2|xz|pixz|lzma|lzip|plzip|zstd|pzstd|zstdmt|lz4|lz4c|brotli|"
			"compress|lzop|rzip|zopfli",
		.options = "-c!h --stdout!h --to-stdout!h -l!h --list!h -t!h --test!h -V!h -h!h --help!h "
			"--version!h -S=d --suffix=d -o=W --output=W --trace=w -T=d --threads=d -M=d --memlimit=d "
			"--memory=d -b=d -D=r --train!w --filelist=r --output-dir-flat=w --output-dir-mirror=w "
			"--files!w --files0!w --block-size=d --block-list=d --format=d -F=d -C=d --check=d "
			"--patch-from=r --maxdict=d --long?N", .operands = "B*", .traits = ZS_ROW_LISTS },
	{ .names = "gunzip|unpigz|bunzip2|unxz|unlzma|unzstd|unlz4|uncompress",
		.options = "-c!h --stdout!h --to-stdout!h -l!h --list!h -t!h --test!h -V!h -h!h --help!h "
			"--version!h -S=d --suffix=d -o=w", .operands = "B*" },
	{ .names = "cpio|bsdcpio|gcpio",
		.options = "-i -o!r --create!r -p --pass-through -t!r --list!r --to-stdout!r -O=w -F=w --file=w "
			"-I=r -H=d --format=d -E=r --pattern-file=r -R=d --owner=d -D=d --directory=d -C=d "
			"--io-size=d -M=d --message=d --rsh-command=c --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pax",
		.options = "-r!w -w!w -f=d -b=d -o=d -p=d -s=d -x=d -B=d -E=d -G=d -T=d -U=d", .operands = "d*",
		.grammar = ZS_GRAMMAR_LOOKS },
	{ .names = "ar|gar|llvm-ar|gcc-ar|eu-ar|x86_64-linux-gnu-ar|aarch64-linux-gnu-ar", .operands = "d*",
		.options = "--help!h --version!h -V!h -h!h --plugin=d --target=d --output=w --format=d --thin "
			"-X=d --record-libdeps=d -l=d -M!w", .grammar = ZS_GRAMMAR_AR },
	{ .names = "ranlib|strip|gcc-ranlib|llvm-ranlib|llvm-strip",
		.options = "-o=W -V!h --help!h --version!h --output-target=d -O=d -I=d --input-target=d -F=d "
			"--target=d -R=d --remove-section=d -K=d --keep-symbol=d -N=d --strip-symbol=d "
			"--keep-section=d --keep-symbols=d --plugin=d", .operands = "w*" },
	{ .names = "objcopy|llvm-objcopy",
		.options = "-V!h --help!h --version!h --output-target=d -O=d -I=d --input-target=d -F=d --target=d "
			"-B=d -j=d --only-section=d -R=d --remove-section=d -K=d --keep-symbol=d -N=d "
			"--strip-symbol=d -G=d -L=d -W=d -b=d -i=d --add-section=d --dump-section=w "
			"--update-section=d --rename-section=d --redefine-sym=d --set-section-flags=d "
			"--set-section-alignment=d --change-section-address=d --add-gnu-debuglink=d "
			"--gap-fill=d --pad-to=d --set-start=d --prefix-symbols=d --split-dwo=w", .operands = "r*w" },
	{ .names = "rsync",
		.options = "-n!h --dry-run!h -e=c --rsh=c --rsync-path=d --list-only!h --log-file=w "
			"--write-batch=w --only-write-batch=w -f=d --filter=d --exclude=d --exclude-from=r "
			"--include=d --include-from=r --files-from=r --chmod=d --chown=d --max-size=d "
			"--min-size=d --bwlimit=d --timeout=d --port=d -B=d --block-size=d --backup-dir=w "
			"--suffix=d --compare-dest=d --copy-dest=d --link-dest=d --partial-dir=w -T=w "
			"--temp-dir=w -M=d --out-format=d --info=d --debug=d --help!h --version!h",
		.operands = "r*w", .traits = ZS_ROW_NETWORK },
};
// clang-format on
ZS_TABLE_COUNT(files);
