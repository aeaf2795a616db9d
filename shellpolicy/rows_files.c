/* Commands that make, change, move and delete files, and archives. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(files) = {
	{ .names = "rm|unlink|rmdir|shred|srm|trash|trash-put|wipe|rimraf|del-cli",
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
		.operands = "n*", .traits = ZS_ROW_WRITES },
	{ .names = "tempfile|rar|unrar|unar|arj|lha|zoo", .traits = ZS_ROW_WRITES },
	{ .names = "truncate", .options = "-s=d --size=d -r=r --reference=r --help!h --version!h", .operands = "w*" },
	{ .names = "fallocate", .options = "-l=d --length=d -o=d --offset=d --help!h --version!h", .operands = "w" },
	{ .names = "tee", .options = "--output-error?N --help!h --version!h", .operands = "w*" },
	{ .names = "sponge", .options = "-a", .operands = "w" },
	{ .names = "dd", .options = "--help!h --version!h", .grammar = zs_grammar_dd },
	{ .names = "split",
		.options = "-a=d --suffix-length=d --additional-suffix=d -b=d --bytes=d -C=d --line-bytes=d "
			"--filter=c -l=d --lines=d -n=d --number=d -t=d --separator=d --help!h --version!h",
		.operands = "rd", .traits = ZS_ROW_WRITES },
	{ .names = "csplit",
		.options = "-b=d --suffix-format=d -f=d --prefix=d -n=d --digits=d --help!h --version!h",
		.operands = "rd*", .traits = ZS_ROW_WRITES },
	{ .names = "chmod|chown|chgrp|chcon", .options = "--reference=r --from=d --help!h --version!h",
		.operands = "dM*" },
	{ .names = "chattr|setfattr|setfacl|setcap",
		.options = "-m=d -x=d -n=d -v=d -M=r -X=r --modify=d --remove=d --set=d --restore=d",
		.operands = "M*", .traits = ZS_ROW_WRITES },
	{ .names = "rename|prename|file-rename|mmv|qmv|vidir",
		.options = "-n!h --no-act!h --dry-run!h --help!h --version!h", .operands = "dm*",
		.traits = ZS_ROW_WRITES },
	{ .names = "patch",
		.options = "-p=d --strip=d -i=r --input=r -o=w --output=w -d=C --directory=C -r=w --reject-file=w "
			"-B=d -D=d -F=d -g=d -V=d -Y=d -z=d --dry-run!h -C!h --help!h --version!h", .operands = "wr",
		.traits = ZS_ROW_WRITES },
	{ .names = "dos2unix|unix2dos|mac2unix|unix2mac",
		.options = "-n --newfile -i?h --info?h -c=d --help!h --version!h -h!h -V!h", .operands = "w*" },
	{ .names = "tar|gtar|bsdtar", .options = "--help!h --version!h", .grammar = zs_grammar_tar },
	{ .names = "zip",
		.options = "-T -TT=c -sf!h -h!h -h2!h -L!h -v --version!h -b=d -t=d -tt=d -n=d -i=d -x=d -P=d "
			"-O=w --out=w --unzip-command=c", .operands = "wr*" },
	{ .names = "unzip", .options = "-l!h -t!h -v!h -Z!h -z!h -p!h -c!h -d=T -x=d -P=d", .operands = "rd*",
		.traits = ZS_ROW_WRITES },
	{ .names = "zipinfo|zipgrep|zipnote|lsar|zcat|bzcat|xzcat|lzcat|zstdcat|zgrep|bzgrep|xzgrep|zless|zmore|"
			"zdiff|zcmp|lz4cat|gzcat" },
	{ .names = "7z|7za|7zr", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "7z", .names = "l|t|i|h" },
	{ .of = "7za|7zr", .names = "l|t" },
	{ .of = "7z", .names = "a|x|e|d|u|rn", .traits = ZS_ROW_WRITES },
	{ .of = "7za", .names = "a|x|e|d|u", .traits = ZS_ROW_WRITES },
	{ .of = "7zr", .names = "a|x|e", .traits = ZS_ROW_WRITES },
	{ .names = "gzip|pigz|bzip2|lbzip2|xz|lzma|zstd|lz4|brotli|compress|lzop",
		.options = "-c!h --stdout!h --to-stdout!h -l!h --list!h -t!h --test!h -V!h -h!h --help!h "
			"--version!h -S=d --suffix=d -o=W --output=W --trace=w -T=d --threads=d -M=d --memlimit=d "
			"-b=d", .operands = "w*", .traits = ZS_ROW_LISTS },
	{ .names = "gunzip|unpigz|bunzip2|unxz|unlzma|unzstd|unlz4|uncompress",
		.options = "-c!h --stdout!h --to-stdout!h -l!h --list!h -t!h --test!h -V!h -h!h --help!h "
			"--version!h -S=d --suffix=d -o=w", .operands = "w*" },
	{ .names = "cpio",
		.options = "-i!w --extract!w -o -p!w --pass-through!w -t!r --list!r -O=w -F=d --file=d "
			"--to-stdout!r --help!h --version!h", .operands = "d*" },
	{ .names = "ar", .options = "--help!h --version!h -V!h", .operands = "dw*" },
	{ .names = "ranlib|strip|objcopy",
		.options = "-o=w -V!h --help!h --version!h --output-target=d -O=d -I=d --input-target=d",
		.operands = "w*" },
	{ .names = "rsync",
		.options = "-n!h --dry-run!h -e=c --rsh=c --rsync-path=d --list-only!h --log-file=w "
			"--write-batch=w --only-write-batch=w -f=d --filter=d --exclude=d --exclude-from=r "
			"--include=d --include-from=r --files-from=r --chmod=d --chown=d --max-size=d "
			"--min-size=d --bwlimit=d --timeout=d --port=d -B=d --block-size=d --backup-dir=w "
			"--suffix=d --compare-dest=d --copy-dest=d --link-dest=d --partial-dir=w -T=w "
			"--temp-dir=w -M=d --out-format=d --info=d --debug=d --help!h --version!h",
		.operands = "r*w", .traits = ZS_ROW_NETWORK },
	{ .names = "mkfs|mkswap|mke2fs|fdisk|sfdisk|cfdisk|parted|wipefs|losetup|mount|umount|swapon|swapoff|"
			"sgdisk|gdisk|mkdosfs|mkntfs|dmsetup|lvcreate|lvremove|vgcreate|pvcreate|cryptsetup|"
			"blkdiscard|hdparm|fsck|e2fsck|resize2fs|tune2fs|pivot_root|eject",
		.options = "-l!h --list!h -V!h --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_DEVICE | ZS_ROW_LISTS },
	{ .names = "mkfs.ext4|mkfs.ext3|mkfs.ext2|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat", .traits = ZS_ROW_DEVICE },
};
// clang-format on
ZS_TABLE_COUNT(files);
