/* Granting one program: the files that its loader needs are granted, too, and a malicious file does no harm. */
#include <sys/stat.h>

#include "base/elf.h"
#include "harness.h"
#include "policy/policy.h"

static void build_one(struct zs_policy *policy, const void *arg)
{
	struct zs_error error = { 0 };
	int r = zs_policy_add_exec(policy, arg, &error);

	if (r < 0) {
		char line[1024];

		zs_error_format(&error, line, sizeof line);
		fprintf(stderr, "%s\n", line);
	}
}

TEST(one_program_runs_with_what_it_loads)
{
	static const struct {
		const char *binary, *argv[4];
		int status;
	} rows[] = {
		{ "/bin/sh", { "/bin/sh", "-c", "exit 5" }, 5 },
		{ "/bin/sh", { "/bin/sh", "-c", "/bin/ls /" }, 127 },
		{ "/bin/ls", { "/bin/ls", "/etc/passwd" }, 2 }, /* it runs, and there is nothing to list */
		{ "/bin/ls", { "/bin/sh", "-c", "exit 5" }, 127 },
		{ "/usr/bin/env", { "/usr/bin/env" }, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct result result;

		run_confined(geteuid(), build_one, rows[i].binary, (char *const *)(const void *)rows[i].argv,
			(char *[]){ NULL }, &result);
		CHECK(result.status == rows[i].status, "%s: %s: %d %s", rows[i].binary, rows[i].argv[0], result.status,
			result.err);
	}
}

TEST(script_runs_with_its_interpreter)
{
	static const struct {
		const char *text;
		int status;
	} rows[] = {
		{ "#!/bin/sh\nexit 4\n", 4 },
		{ "#! /bin/sh -e\nfalse\nexit 4\n", 1 },
		{ "#!/usr/bin/env sh\nexit 4\n", 4 },
		{ "#!/usr/bin/env -S sh -e\nexit 4\n", 4 },
	};
	OWN_SCRATCH(scratch);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *path = scratch_path(&scratch, "out/script");
		struct result result;

		write_text(path, rows[i].text);
		chmod(path, 0755);
		run_confined(geteuid(), build_one, path, (char *[]){ (char *)path, NULL },
			(char *[]){ (char *)"PATH=/usr/bin:/bin", NULL }, &result);
		CHECK(result.status == rows[i].status, "%s: %d %s", rows[i].text, result.status, result.err);
	}
}

static int add(const char *path, struct zs_error *error)
{
	struct zs_policy *policy;
	int r;

	zs_policy_new(NULL, &policy);
	r = zs_policy_add_exec(policy, path, error);
	zs_policy_free(policy);
	return r;
}

TEST(what_is_no_program)
{
	static const struct {
		const char *text; /* NULL: the file does not exist */
		int cause;
	} rows[] = {
		{ NULL, ENOENT },
		{ "", ENOEXEC },
		{ "text", ENOEXEC },
		{ "#!", ENOEXEC },
		{ "#!sh\n", ENOEXEC },
		{ "#!/no/such/interpreter\n", ENOENT },
		{ "#!/usr/bin/env no-such-interpreter\n", ENOENT },
		{ "\177ELF", ENOEXEC },
	};
	OWN_SCRATCH(scratch);
	struct zs_error error;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *path = scratch_path(&scratch, "out/x");

		unlink(path);
		if (rows[i].text)
			write_text(path, rows[i].text);
		CHECK(add(path, &error) == -rows[i].cause, "%s: %s", rows[i].text ? rows[i].text : "none", error.what);
	}
	CHECK(add("bin/sh", NULL) == -EINVAL, "relative");
	CHECK(add("/bin", &error) == -EACCES, "a folder: %s", error.what);
}

/* A script that is its own interpreter, and a chain of scripts longer than the limit. */
TEST(scripts_without_end)
{
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };
	char name[32], text[256];

	snprintf(text, sizeof text, "#!%s\n", scratch_path(&scratch, "out/self"));
	write_text(scratch_path(&scratch, "out/self"), text);
	check_ok(add(scratch_path(&scratch, "out/self"), &error), &error, "ends");
	for (int i = 0; i <= ZS_EXEC_FILES_MAX; i++) {
		snprintf(name, sizeof name, "out/s%d", i + 1);
		snprintf(text, sizeof text, "#!%s\n", scratch_path(&scratch, name));
		snprintf(name, sizeof name, "out/s%d", i);
		write_text(scratch_path(&scratch, name), text);
	}
	CHECK(add(scratch_path(&scratch, "out/s0"), &error) == -E2BIG, "%s", error.what);
}

/* Changes each byte of the headers of a real program, one at a time, and cuts the file at every size. Any result but a
 * crash is right (the sanitizers watch). */
TEST(broken_elf_files)
{
	static unsigned char image[4096];
	int from = open("/bin/ls", O_RDONLY | O_CLOEXEC);
	ssize_t size = pread(from, image, sizeof image, 0);
	OWN_SCRATCH(scratch);
	unsigned answers = 0;
	int fd;

	close(from);
	fd = open(scratch_path(&scratch, "out/elf"), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	for (ssize_t cut = 0; cut <= 1024; cut++) {
		struct zs_elf elf;

		CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, image, (size_t)cut, 0) == cut, "write");
		if (zs_elf_read(fd, &elf) == 0) {
			zs_elf_free(&elf);
			answers++;
		}
	}
	CHECK(pwrite(fd, image, (size_t)size, 0) == size, "write");
	for (off_t at = 0; at < 1024; at++) {
		static const unsigned char values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

		for (size_t v = 0; v < sizeof values; v++) {
			struct zs_elf elf;

			CHECK(pwrite(fd, &values[v], 1, at) == 1, "write");
			if (zs_elf_read(fd, &elf) == 0) {
				zs_elf_free(&elf);
				answers++;
			}
		}
		CHECK(pwrite(fd, &image[at], 1, at) == 1, "write");
	}
	CHECK(answers < 1025 + 1024 * 5, "not everything is accepted");
	close(fd);
}

TEST(program_that_cannot_be_granted_grants_nothing)
{
	OWN_SCRATCH(scratch);
	AUTO_POLICY *policy = policy_own();

	write_text(scratch_path(&scratch, "out/x"), "#!/usr/bin/env no-such-interpreter\n");
	zs_policy_add_path(policy, "/etc", ZS_ACCESS_READ, NULL);
	CHECK(zs_policy_add_exec(policy, scratch_path(&scratch, "out/x"), NULL) == -ENOENT, "refused");
	CHECK(policy->grant_count == 1, "%zu grants", policy->grant_count);
}
