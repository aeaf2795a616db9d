"""What ./zigw build installs: a C host finds it by pkg-config, links it, and is its own shim."""

import os
import platform
import re
import subprocess

from harness import Failure, REPOSITORY, main, test

# A host with threads before main never calls zs_exec_shim(): the object does it, earlier.
CONSTRUCTED = r"""
#include <stdio.h>
#include <zs_shim.h>

extern char **environ;

int main(int argc, char **argv)
{
	char line[512];
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;

	(void)argc;
	if (zs_policy_default(argv[1], environ, &policy, &error) < 0 || zs_sandbox_new(policy, &sandbox, &error) < 0 ||
		zs_wrap(sandbox, argv + 2, environ, &wrapped, &error) < 0) {
		zs_error_format(&error, line, sizeof line);
		puts(line);
		return 1;
	}
	extern int execve(const char *, char *const[], char *const[]);
	return execve(wrapped.path, wrapped.argv, wrapped.envp);
}
"""

VETTER = r"""
#include <stdio.h>
#include <string.h>
#include <zs_shellpolicy.h>

int main(int argc, char **argv)
{
	struct zs_vetter *vetter = zs_vetter_new();
	const struct zs_report *report = zs_vet(vetter, argv[argc - 1], strlen(argv[argc - 1]),
		&(struct zs_vet_options){ .profile = ZS_PROFILE_VERIFY });

	puts(report->verdict == ZS_ALLOW ? "allow" : zs_risk_name(report->code));
	zs_vetter_free(vetter);
	return 0;
}
"""


def pkg_config():
    """The flags of zs.pc, read as pkg-config reads them; it need not be installed here."""
    folder = os.path.join(os.environ["ZS_TEST_PREFIX"], "lib/pkgconfig")
    values = {"pcfiledir": folder}
    flags = []
    with open(os.path.join(folder, "zs.pc")) as lines:
        for line in lines:
            line = re.sub(r"\$\{(\w+)\}", lambda name: values[name.group(1)], line.strip())
            if re.match(r"\w+=", line):
                name, value = line.split("=", 1)
                values[name] = value
            elif line.startswith(("Cflags:", "Libs:")):
                flags += line.split(":", 1)[1].split()
    return flags


def build(box, source, name, extra=(), flags=None):
    program = os.path.join(box.root, name)
    target = "%s-linux-musl" % platform.machine()
    cache = os.path.join(box.root, "zig-cache")
    argv = [os.environ["ZS_TEST_ZIG"], "cc", "-target", target, "-std=c11", "-Wall", "-Wextra", "-Werror", source,
        *extra, *(pkg_config() if flags is None else flags), "-o", program]
    done = subprocess.run(argv, capture_output=True, text=True, env=dict(os.environ, ZIG_LOCAL_CACHE_DIR=cache))
    if done.returncode != 0:
        raise Failure("%s\n%s" % (" ".join(argv), done.stderr))
    os.chmod(program, 0o755)
    return program


@test(needs=["installed", "sandbox"])
def host_links_the_archive(box):
    host = build(box, os.path.join(REPOSITORY, "examples/host.c"), "host")
    box.run([host, box.work, "sh", "-c", "echo ok >file; cat file"]).expect(exit=0, stdout="ok\n")
    box.run(["cat", box.key]).expect(exit=0, stdout="SECRET KEY\n")
    box.run([host, box.work, "cat", box.key]).expect(exit=1, stdout="", stderr=re.compile("No such file"))
    box.run([host, box.work, "no-such-program"]).expect(exit=127, stderr=re.compile("^zs: exec: no-such-program: "))


@test(needs=["installed", "sandbox"])
def constructor_object_is_the_shim(box):
    source = box.file("constructed.c", CONSTRUCTED)
    shim = os.path.join(os.environ["ZS_TEST_PREFIX"], "lib/zs_shim_constructor.o")
    host = build(box, source, "constructed", [shim])
    box.run([host, box.work, "echo", "inside"]).expect(exit=0, stdout="inside\n")
    box.run([host, box.work, "cat", box.key]).expect(exit=1, stdout="")
    # Without the object the marker reaches main, which takes the command for its workspace: nothing runs.
    plain = build(box, source, "plain")
    if box.run([plain, box.work, "echo", "inside"]).stdout == "inside\n":
        raise Failure("the control runs the command: the object is not what made it the shim")


@test(needs=["installed"], once=True)
def vetter_links_alone(box):
    source = box.file("vetter.c", VETTER)
    flags = [flag for flag in pkg_config() if flag != "-lzs_sandbox"]
    program = build(box, source, "vetter", flags=flags)
    box.run([program, "ls -la"]).expect(exit=0, stdout="allow\n")
    box.run([program, "rm -rf x"]).expect(exit=0, stdout="write\n")


if __name__ == "__main__":
    main()
