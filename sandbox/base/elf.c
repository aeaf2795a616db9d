/* Reads which files an ELF file asks its loader for: man 5 elf. */
#include "base/elf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Names of the format, defined here since <elf.h> does not exist on macOS. */
enum { PT_LOAD = 1, PT_DYNAMIC = 2, PT_INTERP = 3 };
enum { DT_NULL = 0, DT_NEEDED = 1, DT_STRTAB = 5, DT_RPATH = 15, DT_RUNPATH = 29 };

/* Offsets of the fields in the file and in its tables, for each class. */
static const struct layout {
	unsigned char word; /* bytes of an address */
	unsigned char header, phoff, phentsize, phnum;
	unsigned char segment, p_offset, p_vaddr, p_filesz;
} layouts[] = {
	[1] = { 4, 52, 28, 42, 44, 32, 4, 8, 16 },
	[2] = { 8, 64, 32, 54, 56, 56, 8, 16, 32 },
};

struct file {
	int fd;
	const struct layout *layout;
	unsigned char *segments;
	unsigned segment_count;
};

static uint64_t number(const unsigned char *at, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = bytes; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

static int read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
	ssize_t got;

	if (offset > INT64_MAX)
		return -EBADMSG;
	got = pread(fd, buffer, size, (off_t)offset);
	if (got < 0)
		return -errno;
	return (size_t)got == size ? 0 : -EBADMSG;
}

/* Reads a string of the file, and fails if its terminator does not come soon enough. */
static int elf_read_string(int fd, uint64_t offset, char **ret_text)
{
	char text[ZS_ELF_STRING_MAX];
	ssize_t got = offset > INT64_MAX ? 0 : pread(fd, text, sizeof text, (off_t)offset);
	char *copy;

	if (got < 0)
		return -errno;
	if (!memchr(text, '\0', (size_t)got))
		return -EBADMSG;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(*ret_text);
	*ret_text = copy;
	return 0;
}

static int read_headers(struct file *file, unsigned char *ret_class)
{
	unsigned char header[64];
	uint64_t phoff;
	size_t size;

	if (read_at(file->fd, header, 52, 0) < 0 || memcmp(header, "\177ELF", 4) != 0)
		return -ENOEXEC;
	/* EI_CLASS, EI_DATA: zs is built for little-endian machines only. */
	if (header[4] < 1 || header[4] > 2 || header[5] != 1)
		return -ENOEXEC;
	file->layout = &layouts[header[4]];
	if (read_at(file->fd, header, file->layout->header, 0) < 0)
		return -EBADMSG;
	phoff = number(header + file->layout->phoff, file->layout->word);
	file->segment_count = (unsigned)number(header + file->layout->phnum, 2);
	if (number(header + file->layout->phentsize, 2) != file->layout->segment)
		return -EBADMSG;
	if (file->segment_count > ZS_ELF_SEGMENTS_MAX)
		return -E2BIG;
	size = (size_t)file->segment_count * file->layout->segment;
	file->segments = malloc(size + 1);
	if (!file->segments)
		return -ENOMEM;
	*ret_class = header[4];
	return read_at(file->fd, file->segments, size, phoff);
}

static const unsigned char *segment_at(const struct file *file, unsigned i)
{
	return file->segments + (size_t)i * file->layout->segment;
}

static uint64_t segment_field(const struct file *file, const unsigned char *segment, unsigned char field)
{
	return number(segment + field, file->layout->word);
}

static const unsigned char *find_segment(const struct file *file, uint64_t type)
{
	for (unsigned i = 0; i < file->segment_count; i++)
		if (number(segment_at(file, i), 4) == type)
			return segment_at(file, i);
	return NULL;
}

/* Finds the offset in the file from which an address of the loaded image comes. */
static int offset_of(const struct file *file, uint64_t address, uint64_t *ret_offset)
{
	for (unsigned i = 0; i < file->segment_count; i++) {
		const unsigned char *segment = segment_at(file, i);
		uint64_t start = segment_field(file, segment, file->layout->p_vaddr);

		if (number(segment, 4) != PT_LOAD || address < start ||
			address - start >= segment_field(file, segment, file->layout->p_filesz))
			continue;
		*ret_offset = segment_field(file, segment, file->layout->p_offset) + (address - start);
		return 0;
	}
	return -EBADMSG;
}

static int take_entry(struct file *file, struct zs_elf *elf, uint64_t tag, uint64_t offset)
{
	switch (tag) {
	case DT_NEEDED:
		if (elf->needed_count == ZS_ELF_NEEDED_MAX)
			return -E2BIG;
		return elf_read_string(file->fd, offset, &elf->needed[elf->needed_count++]);
	case DT_RPATH:
		return elf_read_string(file->fd, offset, &elf->rpath);
	case DT_RUNPATH:
		return elf_read_string(file->fd, offset, &elf->runpath);
	default:
		return 0;
	}
}

static int read_dynamic(struct file *file, struct zs_elf *elf)
{
	const unsigned char *segment = find_segment(file, PT_DYNAMIC);
	unsigned word = file->layout->word;
	ZS_AUTO_FREE unsigned char *table = NULL;
	uint64_t size, strings = 0;
	bool has_strings = false;
	size_t count;
	int r;

	if (!segment)
		return 0;
	size = segment_field(file, segment, file->layout->p_filesz);
	if (size > ZS_ELF_DYNAMIC_BYTES_MAX)
		return -E2BIG;
	table = malloc((size_t)size + 1);
	if (!table)
		return -ENOMEM;
	r = read_at(file->fd, table, (size_t)size, segment_field(file, segment, file->layout->p_offset));
	if (r < 0)
		return r;
	for (count = 0; (count + 1) * 2 * word <= size; count++) {
		const unsigned char *entry = table + count * 2 * word;
		uint64_t tag = number(entry, word);

		if (tag == DT_NULL)
			break;
		if (tag == DT_STRTAB)
			has_strings = offset_of(file, number(entry + word, word), &strings) == 0;
	}
	if (!has_strings)
		return count ? -EBADMSG : 0;
	for (size_t i = 0; r == 0 && i < count; i++) {
		const unsigned char *entry = table + i * 2 * word;

		r = take_entry(file, elf, number(entry, word), strings + number(entry + word, word));
	}
	return r;
}

static int read_interpreter(struct file *file, struct zs_elf *elf)
{
	const unsigned char *segment = find_segment(file, PT_INTERP);

	if (!segment)
		return 0;
	return elf_read_string(file->fd, segment_field(file, segment, file->layout->p_offset), &elf->interpreter);
}

int zs_elf_read(int fd, struct zs_elf *ret_elf)
{
	struct file file = { .fd = fd };
	struct zs_elf elf = { 0 };
	int r = read_headers(&file, &elf.class);

	if (r == 0)
		r = read_interpreter(&file, &elf);
	if (r == 0)
		r = read_dynamic(&file, &elf);
	free(file.segments);
	if (r < 0) {
		zs_elf_free(&elf);
		return r;
	}
	*ret_elf = elf;
	return 0;
}

void zs_elf_free(struct zs_elf *elf)
{
	free(elf->interpreter);
	free(elf->rpath);
	free(elf->runpath);
	for (size_t i = 0; i < elf->needed_count; i++)
		free(elf->needed[i]);
	*elf = (struct zs_elf){ 0 };
}
