/* The files that an ELF file asks its loader for. */
#ifndef ZS_SANDBOX_ELF_H
#define ZS_SANDBOX_ELF_H

#include <stddef.h>

enum {
	ZS_ELF_NEEDED_MAX = 128,
	ZS_ELF_SEGMENTS_MAX = 128,
	ZS_ELF_DYNAMIC_BYTES_MAX = 64 * 1024,
	ZS_ELF_STRING_MAX = 4096,
};

struct zs_elf {
	unsigned char class; /* 1: 32 bits, 2: 64 bits */
	char *interpreter;   /* NULL when static, or a library */
	char *rpath;         /* DT_RPATH and DT_RUNPATH, lists separated by colons, as written; NULL when absent */
	char *runpath;
	char *needed[ZS_ELF_NEEDED_MAX];
	size_t needed_count;
};

/* Reads the file's headers. It checks all bounds, since the file may be anybody's. -ENOEXEC: no little-endian ELF file;
 * -EBADMSG: a broken one; -E2BIG: beyond the limits above. zs_elf_free() *ret_elf. */
int zs_elf_read(int fd, struct zs_elf *ret_elf);
void zs_elf_free(struct zs_elf *elf);

#endif
