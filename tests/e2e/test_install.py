"""The files that ./zigw build installs: a C or C++ host finds the library by pkg-config, links it, and is its own
shim."""

import os
import re
import shutil
import subprocess

from harness import REPOSITORY, Box, expect, test

# A host with threads before main never calls zs_exec_shim(): a linked object does it earlier. Without the object the
# host, started again, would print a line.
CONSTRUCTED = r"""
#include <stdio.h>
#include <string.h>
#include <zs_shim.h>

extern char **environ;

int main(int argc, char **argv)
{
	char line[512];
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;

	if (strcmp(argv[0], ZS_SHIM_ARGV0) == 0)
		return printf("not a shim: %s\n", argv[1]), 1;
	if (argc == 1)
		return 64;
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


# A plugin in another program: its constructor runs only after that program's main has begun.
PLUGIN = r"""
#include <stdio.h>
#include <string.h>
#include <zs_shim.h>

extern char **environ;
int confine(char **argv);

int confine(char **argv)
{
	char line[512];
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	struct zs_spawn_options options = { .executable = argv[3] };
	struct zs_wrapped wrapped;

	if (zs_policy_default(argv[2], environ, &policy, &error) == 0 &&
		zs_sandbox_new(policy, &sandbox, &error) == 0 &&
		zs_wrap_with(sandbox, (char *[]){ "echo", "inside", NULL }, environ, &options, &wrapped, &error) == 0) {
		extern int execve(const char *, char *const[], char *const[]);
		return execve(wrapped.path, wrapped.argv, wrapped.envp);
	}
	zs_error_format(&error, line, sizeof line);
	puts(line);
	return 1;
}
"""

PLUGGED = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *plugin;

	if (strcmp(argv[0], "zs-sandbox-shim") == 0)
		return printf("not a shim: %s\n", argv[1]), 1;
	plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!plugin)
		return puts(dlerror()), 64;
	return ((int (*)(char **))dlsym(plugin, "confine"))(argv);
}
"""

ARCHIVES = ["zs_shim_constructor.o", "libzs_sandbox.a", "libzs_shellpolicy.a"]


def installed(*names):
    return os.path.join(os.environ["ZS_TEST_PREFIX"], *names)


def compile_one(box, argv, env=None):
    cache = os.path.join(Box.scratch, "zig-cache")
    env = dict(os.environ, ZIG_LOCAL_CACHE_DIR=cache, **(env or {}))
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    expect(done.returncode == 0, "%s\n%s" % (" ".join(argv), done.stdout))
    return done.stdout


def build(box, source, name, *inputs):
    """Compiles with Zig's compiler, which is there wherever zs is built."""
    program = os.path.join(box.root, name)
    compile_one(box, [os.environ["ZS_TEST_ZIG"], "cc", "-std=c11", "-Wall", "-Wextra", "-Werror",
        "-I" + installed("include"), source, *inputs, "-o", program])
    os.chmod(program, 0o755)
    return program


def declared(header):
    """The functions of a public header, as the compiler sees them."""
    text = subprocess.run(["gcc", "-E", "-P", "-xc", header], stdout=subprocess.PIPE, check=True, text=True).stdout
    text = re.sub(r"typedef[^;]*;|\{[^{}]*\}", "", text)
    return set(re.findall(r"\b(zs_\w+)\(", text))


def move_prefix(box):
    """A copy in a place where every user can read it."""
    prefix = os.path.join(box.root, "moved")
    for name in ("include", "lib"):
        shutil.copytree(installed(name), os.path.join(prefix, name), symlinks=True)
    for path, folders, files in os.walk(prefix):
        for name in folders + files:
            os.chmod(os.path.join(path, name), 0o755)
    os.chmod(prefix, 0o755)
    return prefix


def flags_of(box, prefix, *words):
    env = {"PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")}
    return compile_one(box, ["pkg-config", "--cflags", "--libs", *words], env).split()


def check_host(box, host):
    box.run([host, box.work, "cat %s" % box.key]).expect(exit=1, stdout="", stderr=re.compile("No such file"))
    box.run([host, box.work, "touch file; ls file"]).expect(exit=0, stdout="file\n")
    box.run([host, box.work, "cd .."]).expect(exit=2, stdout="", stderr=re.compile(r"^blocked \(cd\)"))


@test(needs=["installed", "sandbox"])
def host_links_the_archives(box):
    host = build(box, os.path.join(REPOSITORY, "examples/c/host.c"), "host",
        *[installed("lib", name) for name in ARCHIVES[1:]])
    box.run(["cat", box.key]).expect(exit=0, stdout="SECRET KEY\n")
    check_host(box, host)
    box.run([host, box.work, "exec no-such-program"]).expect(exit=127, stderr=re.compile("no-such-program"))


@test(needs=["installed", "sandbox", "gcc", "g++", "pkg-config"])
def host_is_compiled_by_pkg_config(box):
    """Links both shared and static, after the prefix has been moved."""
    prefix = move_prefix(box)
    shared = [*flags_of(box, prefix, "zs"), "-Wl,-rpath," + os.path.join(prefix, "lib")]
    ways = {"shared": shared, "static": ["-static", *flags_of(box, prefix, "--static", "zs")]}
    for language, standard in (("c", "-std=c11"), ("cpp", "-std=c++17")):
        compiler = {"c": "gcc", "cpp": "g++"}[language]
        source = os.path.join(REPOSITORY, "examples", language, "host." + language)
        for way, flags in ways.items():
            host = os.path.join(box.root, "%s-%s" % (language, way))
            compile_one(box, [compiler, standard, source, *flags, "-o", host])
            loaded = subprocess.run(["ldd", host], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
            for name in ("libzs_sandbox.so.0", "libzs_shellpolicy.so.0"):
                expect((name in loaded) == (way == "shared"), "%s %s loads:\n%s" % (language, way, loaded))
            check_host(box, host)


@test(needs=["installed", "sandbox", "gcc", "pkg-config"])
def host_that_needs_a_loader_variable_runs_nothing(box):
    """No loader variable passes to the shim, so a host that finds its libraries by one cannot be its own shim."""
    prefix = move_prefix(box)
    host = os.path.join(box.root, "host")
    compile_one(box, ["gcc", os.path.join(REPOSITORY, "examples/c/host.c"), *flags_of(box, prefix, "zs"), "-o", host])
    path = {"LD_LIBRARY_PATH": os.path.join(prefix, "lib")}
    box.run([host, box.work, "cd .."], add_env=path).expect(exit=2, stderr=re.compile("^blocked"))
    done = box.run([host, box.work, "touch made"], add_env=path).expect(exit=127, stderr=re.compile("libzs_sandbox"))
    expect(not os.path.exists(os.path.join(box.work, "made")), "it ran: %s" % done)


@test(needs=["installed", "gcc"], once=True)
def only_public_functions_are_exported(box):
    public_headers = {"sandbox": "sandbox overlay approval settings denials shim tracker box",
        "shellpolicy": "shellpolicy"}
    for library, names in public_headers.items():
        public = set().union(*[declared(installed("include/zs_%s.h" % name)) for name in names.split()])
        symbols = compile_one(box, ["nm", "-D", "--defined-only", installed("lib/libzs_%s.so" % library)])
        seen = {line.split()[-1].split("@")[0] for line in symbols.splitlines()} - {"ZS_0"}
        expect(seen == public and len(seen) >= 10,
            "libzs_%s.so lacks %s, and shows %s" % (library, public - seen, seen - public))


@test(needs=["installed", "gcc", "g++"], once=True)
def headers_stand_alone(box):
    for name in sorted(os.listdir(installed("include"))):
        is_cpp = name.endswith(".hpp")
        source = box.file("header.c", "#include <%s>\n" % name)
        compilers = [["gcc", "-xc", "-std=c11"], ["g++", "-xc++", "-std=c++11"], ["g++", "-xc++", "-std=c++20"]]
        for compiler in compilers[1:] if is_cpp else compilers:
            compile_one(box, [*compiler, "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                "-I" + installed("include"), source])


@test(needs=["installed", "sandbox"])
def constructor_object_is_the_shim(box):
    source = box.file("constructed.c", CONSTRUCTED)
    archives = [installed("lib", name) for name in ARCHIVES]
    host = build(box, source, "constructed", *archives)
    box.run([host, box.work, "echo", "inside"]).expect(exit=0, stdout="inside\n")
    box.run([host, box.work, "cat", box.key]).expect(exit=1, stdout="")
    # Without the object main would get the marker, and take the command's words for its own.
    plain = build(box, source, "plain", *archives[1:])
    box.run(["zs-sandbox-shim", "echo"], executable=plain).expect(exit=1, stdout="not a shim: echo\n")
    refusal = re.compile(r"^zs: wrap: .*has not called zs_exec_shim\(\); call it first in main")
    box.run([plain, box.work, "echo", "inside"]).expect(exit=1, stdout=refusal)


@test(needs=["installed", "sandbox", "gcc"])
def constructor_in_every_kind_of_program(box):
    source = box.file("constructed.c", CONSTRUCTED)
    archives = [installed("lib", name) for name in ARCHIVES]
    for way in ("-pie", "-no-pie", "-static", "-static-pie"):
        host = os.path.join(box.root, "host" + way)
        compile_one(box, ["gcc", way, "-I" + installed("include"), source, *archives, "-o", host])
        box.run([host, box.work, "echo", "inside"]).expect(exit=0, stdout="inside\n")


@test(needs=["installed", "sandbox", "gcc"])
def constructor_in_a_library_is_none(box):
    """The program of a plugin cannot be started again as a shim; the plugin names a program that is one."""
    plugin, host = os.path.join(box.root, "plugin.so"), os.path.join(box.root, "plugged")
    archives = [installed("lib", name) for name in ARCHIVES]
    compile_one(box, ["gcc", "-shared", "-fPIC", "-I" + installed("include"), box.file("plugin.c", PLUGIN), *archives,
        "-o", plugin])
    compile_one(box, ["gcc", box.file("plugged.c", PLUGGED), "-ldl", "-o", host])
    refusal = re.compile(r"has not called zs_exec_shim\(\)")
    box.run([host, plugin, box.work]).expect(exit=1, stdout=refusal)
    box.run([host, plugin, box.work, box.zs]).expect(exit=0, stdout="inside\n")


@test(needs=["installed"], once=True)
def vetter_links_alone(box):
    source = box.file("vetter.c", VETTER)
    program = build(box, source, "vetter", installed("lib/libzs_shellpolicy.a"))
    box.run([program, "ls -la"]).expect(exit=0, stdout="allow\n")
    box.run([program, "rm -rf x"]).expect(exit=0, stdout="write\n")
