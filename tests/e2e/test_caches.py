"""Caches of tools that a new home does not have yet."""

import json
import os
import stat

from harness import expect, test

# A tool, the path of its cache below the home, and the file that the first run writes there.
CACHES = [("npm", ".npm"), ("pip", ".cache/pip"), ("uv", ".cache/uv"), ("cargo", ".cargo/registry"), ("go", "go/pkg"),
    ("go", ".cache/go-build"), ("mvn", ".m2/repository"), ("gradle", ".gradle/caches"), ("ccache", ".cache/ccache"),
    ("bazel", ".cache/bazel"), ("deno", ".cache/deno"), ("bun", ".bun/install/cache"), ("composer", ".cache/composer"),
    ("bundle", ".bundle/cache"), ("dotnet", ".nuget/packages"), ("yarn", ".cache/yarn"),
    ("pnpm", ".local/share/pnpm/store"), ("pnpm", ".cache/pnpm")]


def path_of(box, tools):
    """A PATH with these tools, and no other than the system's own."""
    for tool in tools:
        box.file("tools/" + tool, "#!/bin/sh\n", 0o755)
    return {"PATH": box.folder("tools") + ":/usr/bin:/bin"}


def write(caches):
    return "cd && for cache in %s; do echo x >$cache/written || exit 1; done" % " ".join(caches)


def is_private(path):
    return stat.S_IMODE(os.stat(path).st_mode) == 0o700


@test(needs=["sandbox"])
def a_missing_cache_of_an_installed_tool_is_made(box):
    env = path_of(box, {tool for tool, _ in CACHES})
    caches = [cache for _, cache in CACHES]
    for cache in caches:
        expect(not os.path.exists(os.path.join(box.home, cache)), cache + " is there")
    box.run_zs("run", "--", "sh", "-c", write(caches), add_env=env).expect(exit=0, stderr="")
    for cache in caches:
        folder = os.path.join(box.home, cache)
        expect(os.path.exists(folder + "/written"), cache + " was not kept")
        expect(is_private(folder) and is_private(os.path.dirname(folder)) or os.path.dirname(folder) == box.home,
            cache + " is open to others")
        expect(os.stat(folder).st_uid == os.stat(box.home).st_uid, cache + " has another owner")
    box.run_zs("run", "--", "sh", "-c", "cd && cat %s/written" % "/written ".join(caches), add_env=env).expect(
        exit=0, stdout="x\n" * len(caches))


@test(needs=["sandbox"])
def a_cache_is_shared_unless_a_variable_names_another(box):
    """A limit that docs/security.md names, and the way around it. One project writes, another reads."""
    one, two = box.folder("home/one"), box.folder("home/two")
    for cache, variable in ((".npm/_cacache", "npm_config_cache"), (".cargo/registry", "CARGO_HOME")):
        box.folder("home/" + cache)
        path = os.path.join(box.home, cache, "poison")
        box.run_zs("run", "--workspace", one, "--", "sh", "-c", "echo x >" + path).expect(exit=0)
        look = ("run", "--workspace", two, "--", "cat", path)
        box.run_zs(*look).expect(exit=0, stdout="x\n")
        own = {variable: os.path.join(two, "cache")}
        result = box.run_zs(*look, add_env=own)
        expect(result.exit != 0 and result.stdout == "", "%s: %s" % (variable, result))
        box.run_zs("run", "--workspace", two, "--", "sh", "-c", "mkdir -p $%s && echo y >$%s/y" % (variable, variable),
            add_env=own).expect(exit=0)


@test(needs=["sandbox"])
def cargo_has_its_files(box):
    env = path_of(box, ["cargo"])
    files = " ".join(".cargo/" + name for name in (".package-cache", ".package-cache-mutate", ".global-cache"))
    script = "cd && for f in %s; do echo x >$f || exit 1; done" % files
    box.run_zs("run", "--", "sh", "-c", script, add_env=env).expect(exit=0)
    box.run_zs("run", "--", "sh", "-c", "echo x >~/.cargo/credentials.toml", add_env=env).expect(
        exit=2, stderr=["credentials.toml"])


@test(needs=["sandbox"])
def without_the_tool_nothing_is_made(box):
    env = {"PATH": box.folder("tools") + ":/usr/bin:/bin"}
    tools = [tool for tool, _ in CACHES if not any(os.path.exists(d + "/" + tool) for d in ("/usr/bin", "/bin"))]
    box.run_zs("run", "--", "true", add_env=env).expect(exit=0)
    for tool, cache in CACHES:
        if tool in tools:
            expect(not os.path.exists(os.path.join(box.home, cache)), cache + " was made")


@test(needs=["sandbox"])
def a_cache_is_made_where_its_variable_says(box):
    env = {**path_of(box, ["npm", "go"]), "npm_config_cache": box.home + "/a/b", "GOPATH": box.home + "/gopath",
        "XDG_CACHE_HOME": box.home + "/xdg"}
    caches = ["a/b", "gopath/pkg", "xdg/go-build"]
    box.run_zs("run", "--", "sh", "-c", write(caches), add_env=env).expect(exit=0)
    expect(not os.path.exists(box.home + "/.npm"), "the default was made too")


@test(needs=["sandbox"])
def showing_the_policy_makes_nothing(box):
    env = path_of(box, ["deno"])
    box.run_zs("policy", "show", add_env=env).expect(exit=0)
    expect(not os.path.exists(box.home + "/.cache/deno"), "it was made")


@test(needs=["sandbox"])
def no_cache_is_made_where_a_command_may_write(box):
    """A command may have put a link there. The control: in the user's own folder the same name is made."""
    env = path_of(box, ["npm"])
    os.symlink(box.folder("home/.ssh"), box.work + "/link")
    os.symlink(box.work, box.home + "/way")
    for folder, made in (("/project/link/cache", False), ("/way/link/cache", False), ("/way/cache", False),
            ("/project/below/cache", False), ("/own/cache", True)):
        box.run_zs("run", "--", "true", add_env={**env, "npm_config_cache": box.home + folder})
        expect(os.path.exists(box.home + folder) == made, folder)
    expect(not os.path.exists(box.home + "/.ssh/cache"), "it was made behind the link")


@test(needs=["sandbox", "root"])
def root_makes_nothing_in_the_home_of_another_user(box):
    env = path_of(box, ["npm"])
    os.chown(box.home, 65534, 65534)
    box.run_zs("run", "--", "true", add_env=env)
    expect(not os.path.exists(box.home + "/.npm"), "root owns a folder there")


@test(needs=["sandbox"])
def a_policy_file_makes_nothing(box):
    env = path_of(box, ["npm"])
    system = [path for path in ("/usr", "/bin", "/lib", "/lib64") if os.path.exists(path)]
    paths = [{"path": path, "access": "exec"} for path in system] + [{"path": box.home + "/.npm", "access": "write"}]
    policy = box.file("policy.json", json.dumps({"version": 1, "workspace": {"root": box.work, "access": "write"},
        "paths": paths, "env": {"pass": ["PATH"]}}))
    box.run_zs("run", "--policy", policy, "--", "true", add_env=env).expect(exit=0)
    expect(not os.path.exists(box.home + "/.npm"), "it was made")
