/* Lists the ioctl(2) requests that the filter looks at. Every other request passes. Pure.
 *
 * The kernel reads a request as 32 bits. Bits 8 to 15 are its type, which belongs to one file system or driver
 * (Documentation/userspace-api/ioctl/ioctl-number.rst). x86_64 and aarch64 have the same numbers. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_IOCTLS_H
#define ZS_SANDBOX_LINUX_SECCOMP_IOCTLS_H

/* Types of file systems: type, file system. All requests of such a type are refused, except those of
 * ZS_SECCOMP_IOCTLS_NEEDED: file systems add requests with every release, and ordinary programs use none. */
#define ZS_SECCOMP_IOCTL_TYPES(X)                                                                                      \
	/* A snapshot of a granted subvolume shows what is hidden in it. A subvolume can be made read-only, deleted or \
	 * sent, and names below hidden folders can be asked for. Its unprivileged requests take any descriptor. */    \
	X(0x94, "btrfs")                                                                                               \
	X(0xbc, "bcachefs")                                                                                            \
	/* File handles, swapped extents, project ids, freeze and trim; other file systems have adopted these. */      \
	X(0x58, "XFS and common")                                                                                      \
	/* Flags (immutable, append-only) that outlast the run, encryption keys of the user's other files, verity,     \
	 * extents that change places, resize. An owner may set most of them by a descriptor that only reads. */       \
	X(0x66, "ext4 and common")                                                                                     \
	X(0xf5, "F2FS")                                                                                                \
	X(0xcf, "SMB") /* queries the server about a file in its own protocol, and copies from any descriptor */

/* Requests of these types that pass: name, request. They read, or copy between open files: the source must be open for
 * reading and the target for writing (man 2 ioctl_ficlonerange). */
#define ZS_SECCOMP_IOCTLS_NEEDED(X)                                                                                    \
	X(FICLONE, 0x40049409)      /* cp --reflink */                                                                 \
	X(FICLONERANGE, 0x4020940d) /* clones a part of a file */                                                      \
	X(FIDEDUPERANGE, 0xc0189436)                                                                                   \
	X(FS_IOC_FSGETXATTR, 0x801c581f)                                                                               \
	X(FS_IOC_GETFLAGS, 0x80086601) /* lsattr */                                                                    \
	X(FS_IOC_FIEMAP, 0xc020660b)   /* maps a file's holes */                                                       \
	X(FS_IOC_MEASURE_VERITY, 0xc0046686)

/* Single requests that are refused: name, request. */
#define ZS_SECCOMP_IOCTLS_REFUSED(X)                                                                                   \
	/* Types into the terminal as its user would, at once (STI, paste by LINUX) or when a key is pressed (KD…).  \
	 * Takes the terminal's output (CONS), the whole terminal (EXCL: no other process can open it any more) or its \
	 * line discipline, which is a driver. */                                                                      \
	X(KDSKBENT, 0x4b47)                                                                                            \
	X(KDSKBSENT, 0x4b49)                                                                                           \
	X(TIOCEXCL, 0x540c)                                                                                            \
	X(TIOCSTI, 0x5412)                                                                                             \
	X(TIOCLINUX, 0x541c)                                                                                           \
	X(TIOCCONS, 0x541d)                                                                                            \
	X(TIOCSETD, 0x5423)                                                                                            \
	/* Copies between two paths, which Landlock does not see. */                                                   \
	X(OCFS2_IOC_REFLINK, 0x40186f04)                                                                               \
	/* Changes a file's properties by a read-only descriptor. */                                                   \
	X(FAT_IOCTL_SET_ATTRIBUTES, 0x40047211)                                                                        \
	X(FS_IOC_SETVERSION, 0x40087602)

#endif
