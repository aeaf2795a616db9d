"""Tasks: --for npm and its like, host groups (@npm), "for" in settings, and --for auto. The user's own configuration
may name a registry; the workspace's, which a command or a repository has written, may not."""

import contextlib
import glob
import json
import os
import re
import socket
import stat
import subprocess
import tempfile

from harness import expect, read, test
from managed import run_managed
from mcp_client import Server
from network import EVIL, GOOD, NEEDS, OTHER, Run, World
from processes import wait_until
from settings_files import entries, project_settings, trust, user_settings

NPM, PYPI = ["registry.npmjs.org:443"], ["pypi.org:443", "files.pythonhosted.org:443"]
# Each task with its hosts; True: commits can be made.
TASKS = {
    "npm": (NPM, False),
    "pnpm": (NPM, False),
    "yarn": (NPM + ["registry.yarnpkg.com:443", "repo.yarnpkg.com:443"], False),
    "pip": (PYPI, False),
    "uv": (PYPI, False),
    "cargo": (["index.crates.io:443", "static.crates.io:443"], False),
    "go": (["proxy.golang.org:443", "sum.golang.org:443"], False),
    "maven": (["repo.maven.apache.org:443", "repo1.maven.org:443"], False),
    "git": (["github.com:443", "gitlab.com:443", "codeberg.org:443"], True),
    "git-ssh": (["github.com:22", "gitlab.com:22", "codeberg.org:22"], True),
    "sign-ssh": ([], True),
    "sign-gpg": ([], True),
    "gpu": ([], False),
    "docker-none": ([], False),
}
REGISTRIES = list(TASKS)[:8]
# The files by which "auto" finds each.
MARKS = {"npm": "package.json", "pnpm": "pnpm-lock.yaml", "yarn": "yarn.lock", "pip": "requirements.txt",
    "uv": "uv.lock", "cargo": "Cargo.toml", "go": "go.mod", "maven": "pom.xml"}
# The files that a task may let a command read, though they lie beside keys.
PUBLIC = re.compile(r"/\.(ssh/(known_hosts|config|allowed_signers|id_\w+\.pub)|"
    r"gnupg/(pubring\.kbx|trustdb\.gpg|gpg\.conf))$|^/sys/(class/drm|dev/char|devices/pci.*)$")
KIB_MAX, TOLD_MAX = 64, 4  # preset.h


def policy(box, *options, **more):
    return json.loads(box.run_zs("run", "--print-policy", *options, **more).expect(exit=0).stdout)


def hosts(box, *options, **more):
    network = policy(box, *options, **more)["network"]
    return network["hosts"] if isinstance(network, dict) else network


def lines(box, *options, **more):
    """The lines of zs about tasks."""
    result = box.run_zs("run", *options, "--", "true", **more).expect(exit=0)
    return [line[len("zs: for: "):] for line in result.stderr.splitlines() if line.startswith("zs: for: ")]


@test(needs=["sandbox"])
def each_task_grants_its_hosts_and_nothing_else(box):
    bare = policy(box)
    for task, (names, git) in TASKS.items():
        made = policy(box, "--for", task)
        expect(made["network"] == ({"hosts": names} if names else "none"), "%s: %s" % (task, made["network"]))
        expect(made["git"] == ("allow" if git else "protect"), task)
        more = [grant for grant in made["paths"] if grant not in bare["paths"]]
        hidden = [grant for grant in more if grant["access"] == "hide"]
        expect(bool(hidden) == (task == "docker-none"), "%s: %s" % (task, hidden))
        more = [grant for grant in more if grant["access"] != "hide"]
        # Their caches have a layer: test_task_caches.py.
        more = [grant for grant in more if {**grant, "access": grant["access"].replace("layer", "write")}
            not in bare["paths"]]
        if not glob.glob("/dev/dri") + glob.glob("/dev/kfd") + glob.glob("/dev/nvidia*"):
            expect(all(grant["access"] == "read" and PUBLIC.search(grant["path"]) for grant in more),
                "%s: %s" % (task, more))
        for key in set(bare) - {"paths", "network", "git"}:
            expect(made[key] == bare[key], "%s: %s: %s" % (task, key, made[key]))
    expect(hosts(box, "--for", "npm,cargo", "--for", "go") == NPM + TASKS["cargo"][0] + TASKS["go"][0], "a list")


CACHES = {"npm": ".npm", "pnpm": ".local/share/pnpm/store", "yarn": ".cache/yarn", "pip": ".cache/pip",
    "uv": ".cache/uv", "cargo": ".cargo/registry", "go": "go/pkg", "maven": ".m2/repository"}


@test(needs=["sandbox"])
def the_cache_of_a_task_is_made(box):
    """The tool itself is in no folder of PATH: it may come with the workspace."""
    env = {"PATH": box.folder("empty")}
    for task, cache in CACHES.items():
        write = ["/bin/sh", "-c", "echo x >%s/%s/written" % (box.home, cache)]
        box.run_zs("run", "--for", task, "--", *write, add_env=env).expect(exit=0)
        # A cache with a layer stays empty outside: test_task_caches.py.
        shared = task in ("go", "uv", "yarn")
        expect(os.listdir(os.path.join(box.home, cache)) == (["written"] if shared else []), task)
        box.run_zs("run", "--for", task, "--", "/bin/cat", "%s/%s/written" % (box.home, cache), add_env=env).expect(
            exit=0, stdout="x\n")


@test(needs=["sandbox"])
def a_group_grants_hosts_alone(box):
    user = box.file("home/.npmrc", "registry=https://npm.corp.example/\n")
    made = policy(box, "--host", "@npm", "--host", "a.example", "--host", "@go")
    expect(made["network"] == {"hosts": ["npm.corp.example:443", "a.example", *TASKS["go"][0]]}, made["network"])
    expect(not any(grant["path"] == user for grant in made["paths"]), "the file is granted too")
    os.remove(user)
    for name, why in (("@nmp", "no such task; choose from npm, pnpm"), ("@sign-ssh", "this task has no hosts"),
            ("@", "no such task"), ("@auto", "no such task")):
        box.run_zs("run", "--host", name, "--", "true").expect(exit=64, stderr=["zs: for: %s: %s" % (name, why)])
    for network in (["@npm", "a.example"], ["a.example", "@npm"]):
        file = box.file("policy.json", json.dumps({"version": 1, "network": {"hosts": network}}))
        expect(sorted(hosts(box, "--policy", file)) == ["a.example", *NPM], "in a policy")
    file = box.file("policy.json", json.dumps({"version": 1, "network": {"hosts": ["@nmp"]}}))
    box.run_zs("policy", "check", file).expect(exit=65, stderr=["no such task", "hosts[0]"])
    user_settings(box, {"network_hosts": ["@npm"]})
    expect(hosts(box) == NPM, "in settings")


@test(needs=["sandbox"])
def an_unknown_task_is_named(box):
    box.run_zs("run", "--for", "npm,nmp", "--", "true").expect(exit=64, stderr="zs: --for: nmp: no such task; did you "
        "mean npm; choose from %s, auto\n" % ", ".join(TASKS))
    for name in ("", "NPM", "npm,", "@npm", "npm " * 20):
        box.run_zs("run", "--for", name, "--", "true").expect(exit=64, stderr=["no such task", *TASKS])
    box.run_zs("run", "--for", "npm", "--net", "none", "--", "true").expect(exit=64, stderr=["--net none"])
    expect(hosts(box, "--for", "npm", "--net", "full") == "full", "full stays full")
    expect(policy(box, "--for", "git", "--git", "protect")["git"] == "protect", "--git decides")
    expect(hosts(box, "--for", "sign-ssh", "--net", "none") == "none", "a task without hosts")


# ------------------------------------------------------------------------------------- the user's configuration

# Each row has a task, files of the home, variables, and the hosts that are granted.
CONFIGURED = [
    ("npm", {".npmrc": "registry=https://npm.corp.example/path\n"}, {}, ["npm.corp.example:443"]),
    ("npm", {".npmrc": "; x\n# registry=https://no.example\nregistry = http://npm.corp.example\n"}, {},
        ["npm.corp.example:80"]),
    ("npm", {".npmrc": "@corp:registry=https://npm.corp.example:8443/\n//x.example/:_authToken=${T}\n"}, {},
        ["npm.corp.example:8443", *NPM]),
    ("npm", {}, {"NPM_CONFIG_REGISTRY": "https://npm.corp.example"}, ["npm.corp.example:443"]),
    ("pnpm", {}, {"npm_config_registry": "http://127.0.0.1:4873/"}, ["127.0.0.1:4873"]),
    ("npm", {"own": "registry=https://npm.corp.example"}, {"NPM_CONFIG_USERCONFIG": "HOME/own"},
        ["npm.corp.example:443"]),
    ("npm", {".npmrc": "registryx=https://a.example\nx-registry=https://a.example\nregistry=file:///x\n"}, {}, "none"),
    ("pip", {".config/pip/pip.conf": "[global]\nindex-url = https://u:p@pip.corp.example/simple\n"}, {},
        ["pip.corp.example:443"]),
    ("pip", {".pip/pip.conf": "[global]\nextra_index_url =\n    https://a.example/simple\n    ;https://no.example\n"
        "    https://b.example\n"}, {}, ["a.example:443", "b.example:443", *PYPI]),
    ("pip", {}, {"PIP_INDEX_URL": "https://pip.corp.example/", "PIP_EXTRA_INDEX_URL": "https://a.example b.example"},
        ["pip.corp.example:443", "a.example:443"]),
    ("uv", {".config/uv/uv.toml": "[[index]]\nurl = \"https://a.example/\" # https://no.example\n"}, {},
        ["a.example:443", *PYPI]),
    ("cargo", {".cargo/config.toml": "[source.crates-io]\nreplace-with = \"m\"\n[source.m]\n"
        "registry = \"sparse+https://cargo.corp.example/index/\"\n"}, {}, ["cargo.corp.example:443",
        *TASKS["cargo"][0]]),
    ("cargo", {"c/config.toml": "[registries.m]\nindex = 'https://cargo.corp.example/'\n"}, {"CARGO_HOME": "HOME/c"},
        ["cargo.corp.example:443", *TASKS["cargo"][0]]),
    ("go", {}, {"GOPROXY": "https://a.example,https://b.example|direct"}, ["a.example:443", "b.example:443",
        "sum.golang.org:443"]),
    ("go", {}, {"GOPROXY": "off"}, ["sum.golang.org:443"]),
    ("go", {".config/go/env": "GOPROXY=https://a.example\n"}, {}, ["a.example:443", "sum.golang.org:443"]),
]


@test(needs=["sandbox"])
def the_users_registry_takes_the_place_of_the_default(box):
    for task, files, variables, wanted in CONFIGURED:
        made = [box.file("home/" + name, text) for name, text in files.items()]
        env = {name: value.replace("HOME", box.home) for name, value in variables.items()}
        have = hosts(box, "--for", task, add_env=env)
        have = have if isinstance(have, list) or wanted == "none" else []
        if wanted == "none":
            expect(have == "none" or have == [], "%s %s: %s" % (task, files, have))
        else:
            expect(have == wanted, "%s %s %s: %s, not %s" % (task, files, variables, have, wanted))
        for path in made:
            os.remove(path)


@test(needs=["sandbox"])
def configuration_is_read_inside_unless_it_holds_a_token(box):
    clean = "registry=https://npm.corp.example/\nfund=false\n"
    for text, seen in ((clean, True), (clean + "//npm.corp.example/:_authToken=npm_x\n", False),
            (clean + "_auth=eDp5\n", False), ("registry=https://me:word@npm.corp.example/\n", False),
            (clean + "//npm.corp.example/:_PASSWORD=x\n", False)):
        path = box.file("home/.npmrc", text, 0o600)
        expect(hosts(box, "--for", "npm") == ["npm.corp.example:443"], text)
        result = box.run_zs("run", "--for", "npm", "--", "cat", path)
        expect((result.exit == 0) == seen, "%r: %s" % (text, result))
        box.run_zs("run", "--", "cat", path).expect(exit=1)
    for value, passes in (("https://a.example", True), ("https://me:word@a.example", False)):
        result = box.run_zs("run", "--for", "pip", "--", "printenv", "PIP_INDEX_URL", add_env={"PIP_INDEX_URL": value})
        expect((result.exit == 0) == passes, "%s: %s" % (value, result))


@test(needs=["sandbox"])
def a_file_of_configuration_has_a_limit(box):
    entry = "registry=https://npm.corp.example/\n"
    full = "#" * (KIB_MAX * 1024 - len(entry) - 1) + "\n" + entry
    box.file("home/.npmrc", full)
    expect(hosts(box, "--for", "npm") == ["npm.corp.example:443"], "the longest")
    box.file("home/.npmrc", "#" + full)
    box.run_zs("run", "--for", "npm", "--", "true").expect(exit=64,
        stderr=["/.npmrc: is longer than %d KiB" % KIB_MAX])


@test(needs=["sandbox"])
def the_users_settings_name_tasks(box):
    box.file("home/.npmrc", "registry=https://npm.corp.example/\n")
    user_settings(box, {"for": ["npm", "git"]})
    expect(hosts(box) == ["npm.corp.example:443", *TASKS["git"][0]] and policy(box)["git"] == "allow", policy(box))
    user_settings(box, {"for": ["npm", "git"], "allow_git_access": False, "allow_network": False})
    expect(hosts(box) == "none" and policy(box)["git"] == "protect", "a switch decides")
    expect(hosts(box, "--host", "a.example") == ["a.example"], "an option brings no other hosts back")
    user_settings(box, {"for": ["npm"], "allow_network": True})
    expect(hosts(box) == "full", "a switch decides")
    for name in ("nmp", "auto", ""):
        user_settings(box, {"for": [name]})
        box.run_zs("run", "--", "true").expect(exit=65, stderr=["line 4: sandbox.for[0]", "no such task", *TASKS])


@test(needs=["sandbox"])
def a_project_names_tasks_that_the_user_trusts(box):
    for key, value in (("for", "npm"), ("network_hosts", "@npm")):
        project_settings(box, {key: [value]})
        expect(hosts(box) == "none", "without trust")
        box.run_zs("run", "--", "true").expect(exit=0, stderr=re.compile("left out 1 entry that asks for more"))
        user_settings(box, {key: [value]})
        expect(hosts(box) == NPM, "the user's")
        box.run_zs("run", "--", "true").expect(exit=0, stderr="")
        os.remove(os.path.join(box.home, ".config/zs/settings.json"))
        trust(box)
        expect(hosts(box) == NPM, "with trust")


@test(needs=["sandbox", "bash"])
def agents_and_bash_take_tasks(box):
    """The user's configuration can be read only with the task."""
    path = box.file("home/.npmrc", "registry=https://npm.corp.example/\n")
    box.run_zs("bash", "--for", "npm", "-c", "cat " + path).expect(exit=0, stdout=read(path))
    for options, error in ((["--for", "npm"], False), ([], True)):
        with Server(box, *options) as server:
            result, _ = server.run("cat " + path)
            expect(result["isError"] == error, "mcp %s: %s" % (options, result))
    event = {"hook_event_name": "PreToolUse", "cwd": box.work, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    said = box.run_zs("hook", "claude", "--confine", "--for", "npm,auto", stdin=json.dumps(event)).expect(exit=0).stdout
    expect("'run' '--denials-to-model' '--for=npm,auto'" in
        json.loads(said)["hookSpecificOutput"]["updatedInput"]["command"], said)


@test(needs=["sandbox"])
def show_names_the_task(box):
    user_settings(box, {"for": ["go"]})
    shown = json.loads(box.run_zs("policy", "show", "--json", "--for", "npm").expect(exit=0).stdout)["entries"]
    rows = {entry["value"]: (entry["source"], entry["for"]) for entry in shown if entry["field"] == "host"}
    expect(rows == {**{name: ("user", "go") for name in TASKS["go"][0]}, NPM[0]: ("option", "npm")}, rows)
    expect(all(entry["for"] is None for entry in shown if entry["field"] not in ("host", "network", "layer")),
        "others")
    layers = {entry["value"]: entry["for"] for entry in shown if entry["field"] == "layer"}
    expect(layers == {box.home + "/.npm": "npm", box.home + "/.cache/go-build": "go"}, layers)
    text = box.run_zs("policy", "show", "--for", "npm").expect(exit=0).stdout
    expect(re.search(r"^host +registry.npmjs.org:443 +option, for npm$", text, re.M), text)
    expect(re.search(r"^host +sum.golang.org:443 +user:4, for go$", text, re.M), text)


# ---------------------------------------------------------------------------------- the workspace's configuration

PLANTED = {
    ".npmrc": ("npm", "registry=https://evil.example/\n@a:registry=https://evil.example/\n"),
    ".yarnrc.yml": ("yarn", "npmRegistryServer: \"https://evil.example\"\n"),
    ".yarnrc": ("yarn", "registry \"https://evil.example\"\n"),
    "requirements.txt": ("pip", "--extra-index-url https://evil.example/simple\nleft\n"),
    "pip.conf": ("pip", "[global]\nindex-url=https://evil.example/\n"),
    "uv.toml": ("uv", "index-url = \"https://evil.example\"\n"),
    "pyproject.toml": ("uv", "[tool.uv]\nextra-index-url = [\"https://evil.example\"]\n"),
    ".cargo/config.toml": ("cargo", "[source.crates-io]\nregistry = \"sparse+https://evil.example/\"\n"),
    ".git/config": ("git", "[remote \"origin\"]\n\turl = https://evil.example/x.git\n"),
}


@test(needs=["sandbox"])
def a_registry_of_the_workspace_is_told_and_not_granted(box):
    for name, (task, text) in PLANTED.items():
        box.file("home/project/" + name, text)
        expect(hosts(box, "--for", task) == TASKS[task][0], "%s: %s" % (name, hosts(box, "--for", task)))
        told = lines(box, "--for", task)
        expect(told == ["%s: %s names evil.example:443, which is not granted, since a command may have written that; "
            "if you trust this host, add --host evil.example:443" % (task, name)], "%s: %s" % (name, told))
        expect(lines(box, "--for", task, "--host", "evil.example") == [], "%s: it is granted" % name)
        expect(lines(box, "--for", task, "--net", "full") == [], "%s: all hosts are granted" % name)
        expect(not box.run_zs("run", "--", "true").stderr, "%s: without the task" % name)
        box.clear()
    # as git writes it for ssh
    box.file("home/project/.git/config", "[remote \"o\"]\n\turl = git@evil.example:x/y.git\n")
    expect("git-ssh: .git/config names evil.example:22, " in lines(box, "--for", "git-ssh")[0], "ssh")


@test(needs=["sandbox"])
def what_the_workspace_says_is_bounded(box):
    box.file("home/project/.npmrc", "".join("registry=https://h%d.example\n" % i for i in range(99)))
    expect(len(lines(box, "--for", "npm")) == TOLD_MAX, "one line for each")
    # no text of the file's own reaches the terminal
    box.file("home/project/.npmrc", "registry=https://\x1b[2J.example\nregistry=https://"
        "$(id).example\nregistry=//x\nregistry=https://\nregistry=\n" + "registry=https://" + "a" * 300 + "\n")
    expect(lines(box, "--for", "npm") == [], lines(box, "--for", "npm"))
    # neither a link's target nor a pipe is read
    secret = box.file("outside/secret", "registry=https://secret.example\n")
    for make in (lambda path: os.symlink(secret, path), os.mkfifo, os.mkdir):
        box.clear()
        make(os.path.join(box.work, ".npmrc"))
        expect(lines(box, "--for", "npm") == [] and hosts(box, "--for", "npm") == NPM, "a link or pipe")
    box.clear()
    os.symlink(box.outside, box.work + "/.cargo")
    box.file("outside/config.toml", "registry = \"https://secret.example\"\n")
    expect(lines(box, "--for", "cargo") == [], "a link on the way")


@test(needs=["sandbox"])
def configuration_that_a_command_can_write_is_not_the_users(box):
    evil = "registry=https://evil.example/\n"
    places = {
        "a folder of the workspace": ({"NPM_CONFIG_USERCONFIG": box.file("home/project/own", evil)}, []),
        "a link into the workspace": ({"NPM_CONFIG_USERCONFIG": box.home + "/link"}, []),
        "a link in the workspace": ({"NPM_CONFIG_USERCONFIG": box.work + "/link"}, []),
        "a file that is granted": ({"NPM_CONFIG_USERCONFIG": box.file("home/own", evil)}, ["--rw", box.home + "/own"]),
    }
    os.symlink(box.work + "/own", box.home + "/link")
    os.symlink(box.home + "/own", box.work + "/link")
    for name, (env, options) in places.items():
        expect(hosts(box, "--for", "npm", *options, add_env=env) == NPM, name)
        expect(hosts(box, "--host", "@npm", *options, add_env=env) == NPM, name + ", as a group")
        expect(lines(box, "--for", "npm", *options, add_env=env), name + ": no line")
        expect(hosts(box, "--for", "npm", "--verify", *options, add_env=env) == NPM or options, name + ", for verify")
    # the control: the same file, which no command can write
    expect(hosts(box, "--for", "npm", add_env=places["a file that is granted"][0]) == ["evil.example:443"], "control")
    # a policy names its network before its paths
    file = box.file("policy.json", json.dumps({"version": 1, "network": {"hosts": ["@npm"]},
        "workspace": {"root": box.work, "access": "write"}}))
    env = places["a folder of the workspace"][0]
    expect(hosts(box, "--policy", file, add_env=env) == NPM, "in a policy")
    user_settings(box, {"for": ["npm"]})
    expect(hosts(box, add_env=env) == NPM, "in settings")


# ------------------------------------------------------------------------------------------------------------ auto


@test(needs=["sandbox"])
def auto_chooses_by_the_files_of_the_workspace(box):
    none = "auto: no file of the workspace asks for a task; name it, as in --for npm,pip"
    expect(lines(box, "--for", "auto") == [none], "an empty workspace")
    for task, mark in MARKS.items():
        box.file("home/project/" + mark)
        expect(hosts(box, "--for", "auto") == TASKS[task][0], task)
        expect(lines(box, "--for", "auto") == ["auto: the files of the workspace ask for --for " + task], task)
        expect(hosts(box) == "none", "without the option")
        box.clear()


@test(needs=["sandbox"])
def auto_grants_only_registries(box):
    """The workspace has all that an agent could put there."""
    for name in ("home/.ssh/known_hosts", "home/.ssh/config", "home/.ssh/id_ed25519.pub", "home/.gnupg/pubring.kbx"):
        box.file(name, "x")
    with listening(box.home + "/.gnupg/S.gpg-agent"), listening(box.home + "/agent") as agent:
        for name, (_, text) in PLANTED.items():
            box.file("home/project/" + name, text)
        for name in (*MARKS.values(), ".gitmodules", "auto", "sign-ssh", "git-ssh", ".gitignore", "x.gpg"):
            box.file("home/project/" + name, '{"for": ["git-ssh"], "registry": "https://evil.example"}')
        env = {"SSH_AUTH_SOCK": agent}
        bare, made = policy(box, add_env=env), policy(box, "--for", "auto", add_env=env)
        wanted = list(dict.fromkeys(host for task in REGISTRIES for host in TASKS[task][0]))
        expect(sorted(made.pop("network")["hosts"]) == sorted(wanted), made)
        bare.pop("network")
        for grant in made["paths"]:  # a layer gives less than the shared cache
            grant["access"] = grant["access"].replace("layer", "write")
        expect(made == bare, "more than hosts: %s" % made)
        # the control: the tasks themselves grant more
        expect(policy(box, "--for", "sign-ssh,sign-gpg", add_env=env)["unix_sockets"], "control")
        box.clear()
    os.symlink(box.key, box.work + "/package.json")
    os.mkdir(box.work + "/Cargo.toml")
    expect(hosts(box, "--for", "auto") == "none", "a link and a folder are no marks")


# --------------------------------------------------------------------------------------------- on a real network


@test(needs=NEEDS)
def the_users_registry_is_reached_and_no_other(box):
    box.file("home/.npmrc", "registry=https://%s/\n@a:registry=http://%s\n" % (GOOD, OTHER))
    box.file("home/project/.npmrc", "registry=http://%s/\n" % EVIL)
    options = ["--for", "npm"]
    Run(box, [], "curl -sS --cacert CA https://%s/" % GOOD, options=options).expect(exit=0, stdout="hello from good\n")
    Run(box, [], "curl -sS http://%s/" % OTHER, options=options).expect(exit=0)
    control = World.get().run(box, ["curl", "-sSf", "http://%s/" % EVIL])
    expect(control.exit == 0, "control: %s" % control)
    for script in ("curl -sSf http://%s/" % EVIL, "curl -sSf http://%s/" % GOOD, "curl -sSfp http://%s:8080/" % OTHER):
        run = Run(box, [], script, ok=False, options=options)
        expect(not run.reached(), "reached %s" % run.reached())


@test(needs=["sandbox", "curl"])
def a_denied_default_host_names_its_task(box):
    for host, task in (("registry.npmjs.org", "npm"), ("files.pythonhosted.org", "pip"), ("github.com", "git")):
        box.run_zs("run", "--", "curl", "-sS", "https://" + host).expect(exit=6, stderr=re.compile(
            r"\nzs: denied: resolve %s \(\d times?\): --host %s, or --for %s\n$" % (host, host, task)))
    for host in ("npmjs.org", "registry.npmjs.org.example", "xgithub.com", "git"):
        result = box.run_zs("run", "--", "curl", "-sS", "https://" + host).expect(exit=6)
        expect("--for" not in result.stderr, result)


# ---------------------------------------------------------------------------------------------------- agents' keys


@contextlib.contextmanager
def listening(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        yield path
    os.remove(path)


@contextlib.contextmanager
def ssh_agent(box, key=None):
    """An agent of the box's user, which has a key; yields its socket."""
    path = os.path.join(box.folder("agent", 0o700), "socket")
    agent = box.start(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)
    try:
        # 2: it cannot be reached.
        wait_until(lambda: box.run(["ssh-add", "-l"], add_env={"SSH_AUTH_SOCK": path}).exit != 2,
            "the agent does not listen")
        box.run(["ssh-add", "-q", key or box.key], add_env={"SSH_AUTH_SOCK": path}).expect(exit=0)
        yield path
    finally:
        agent.terminate()
        agent.wait()
        agent.stderr.close()
        agent.stdin.close()


def repository_with(box, **config):
    box.run(["git", "init", "-q", "."]).expect(exit=0)
    for name, value in {"user.name": "a", "user.email": "a@b.example", **config}.items():
        box.run(["git", "config", "--global", name.replace("__", "."), value]).expect(exit=0)


COMMIT = ["git", "commit", "-q", "--allow-empty", "-S", "-m", "signed"]


def commits(box):
    return int(box.run(["git", "rev-list", "--all", "--count"]).expect(exit=0).stdout)


@test(needs=["sandbox", "git", "ssh"])
def the_ssh_agent_signs_commits(box):
    os.remove(box.key)
    box.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", box.key]).expect(exit=0)
    public = read(box.key + ".pub")
    box.file("home/.ssh/allowed_signers", "a@b.example " + public)
    repository_with(box, gpg__format="ssh", user__signingkey=box.key + ".pub",
        gpg__ssh__allowedSignersFile=box.home + "/.ssh/allowed_signers")
    with ssh_agent(box) as path:
        env = {"SSH_AUTH_SOCK": path}
        box.run_zs("run", "--for", "sign-ssh", "--", *COMMIT, add_env=env).expect(exit=0, stderr="")
        box.run(["git", "verify-commit", "HEAD"]).expect(exit=0, stderr=re.compile("Good \"git\" signature for a@b"))
        box.run_zs("run", "--for", "sign-ssh", "--", "git", "verify-commit", "HEAD", add_env=env).expect(
            exit=0, stderr=re.compile("Good \"git\" signature"))
        # the key itself stays outside
        box.denied("cat " + box.key, zs=("run", "--for", "sign-ssh"), add_env=env)
        # only the task gives the socket, whatever its path
        ask = "SSH_AUTH_SOCK=%s ssh-add -l" % path
        for zs in (("run",), ("run", "--for", "npm,git"), ("run", "--for", "auto")):
            box.denied(ask, zs=zs, add_env=env)
        box.granted(ask, zs=("run", "--for", "sign-ssh"), add_env=env)
        box.granted(ask, zs=("run", "--for", "git-ssh"), add_env=env)
        before = commits(box)
        result = box.run_zs("run", "--for", "git", "--", *COMMIT, add_env=env)
        expect(result.exit not in (0, 125) and commits(box) == before, "signed without the task: %s" % result)
    for env in ({}, {"SSH_AUTH_SOCK": path}, {"SSH_AUTH_SOCK": box.work}):
        expect(lines(box, "--for", "sign-ssh", add_env=env) == ["sign-ssh: the agent's socket was not found; start the "
            "agent before the run"], "%s: %s" % (env, lines(box, "--for", "sign-ssh", add_env=env)))


@test(needs=["sandbox", "git", "gpg"])
def gpgs_agent_signs_commits(box):
    home = box.folder("home/gpg", 0o700)
    run = lambda *argv: box.run(list(argv), add_env={"GNUPGHOME": home}).expect(exit=0)  # noqa: E731
    env = {"GNUPGHOME": home}
    try:
        run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "a@b.example", "ed25519", "sign", "never")
        repository_with(box, user__signingkey="a@b.example")
        box.run_zs("run", "--for", "sign-gpg", "--", *COMMIT, add_env=env).expect(exit=0)
        run("git", "verify-commit", "HEAD")
        box.denied("cat %s/private-keys-v1.d/*" % home, zs=("run", "--for", "sign-gpg"), add_env=env)
        before = commits(box)
        for task in ("git", "sign-ssh"):
            result = box.run_zs("run", "--for", task, "--", *COMMIT, add_env=env)
            expect(result.exit not in (0, 125) and commits(box) == before, "signed without the task: %s" % result)
    finally:
        box.run(["gpgconf", "--kill", "gpg-agent"], add_env=env)


@test(needs=[*NEEDS, "git", "ssh", "sshd"])
def git_pushes_over_ssh_with_the_agents_key(box):
    world = World.get()
    key = box.file("outside/key", read(os.path.join(world.folder, "user.key")), 0o600)
    box.file("home/.ssh/known_hosts", "ssh.test.example " + read(os.path.join(world.folder, "host.key.pub")))
    repository_with(box)
    bare = tempfile.mkdtemp(dir=world.folder)
    remote = "ssh://root@ssh.test.example" + bare
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    for argv in (["commit", "-q", "--allow-empty", "-m", "first"], ["remote", "add", "origin", remote]):
        box.run(["git", *argv]).expect(exit=0)
    # ssh takes the home of the account, not HOME
    push = "GIT_SSH_COMMAND='ssh -F none -o BatchMode=yes -o UserKnownHostsFile=%s/.ssh/known_hosts' " \
        "git push -q origin HEAD:refs/heads/%%s" % box.home
    with ssh_agent(box, key) as path:
        env = {"SSH_AUTH_SOCK": path}
        host = ["--host", "ssh.test.example:22"]
        Run(box, [], push % "main", options=["--for", "git-ssh", *host], add_env=env).expect(exit=0)
        # the controls: without the agent, and without the host
        Run(box, [], push % "b", options=["--for", "git", *host], add_env=env, ok=False).expect(exit=128,
            stderr=re.compile("Permission denied \\(publickey|Host key verification failed"))
        Run(box, [], push % "b", options=["--for", "git-ssh"], add_env=env, ok=False).expect(exit=128,
            stderr=["zs: for: git-ssh: .git/config names ssh.test.example:22, ", "--host ssh.test.example:22"])
    refs = subprocess.run(["git", "-C", bare, "for-each-ref", "--format=%(refname)"], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    expect(refs == "refs/heads/main\n", refs)


@test(needs=["sandbox"])
def a_cache_is_where_the_users_configuration_says(box):
    """It is made, and a command can write there. The workspace's configuration, and a place that no preset grants,
    name none."""
    for task, file, text, name in (("npm", ".npmrc", "cache=~/far/npm\n", "far/npm"),
            ("pnpm", ".npmrc", "store-dir = ~/far/pnpm\n", "far/pnpm"),
            ("pip", ".config/pip/pip.conf", "[global]\ncache-dir = %s/far/pip\n" % box.home, "far/pip"),
            ("uv", ".config/uv/uv.toml", 'cache-dir = "%s/far/uv"\n' % box.home, "far/uv"),
            ("go", ".config/go/env", "GOMODCACHE=%s/far/go\n" % box.home, "far/go")):
        place = os.path.join(box.home, name)
        write = "echo x >%s/new" % place
        path = box.file("home/" + file, text, 0o600)
        box.run_zs("run", "--", "sh", "-c", write).expect(exit=2)
        result = box.run_zs("run", "--for", task, "--", "sh", "-c", write)
        expect(result.exit == 0 and stat.S_IMODE(os.stat(place).st_mode) == 0o700, "%s: %s" % (task, result))
        os.remove(path)
        box.run_zs("run", "--for", task, "--", "sh", "-c", write).expect(exit=2)
    box.file("home/project/.npmrc", "cache=~/far/npm\n")
    box.run_zs("run", "--for", "npm", "--", "sh", "-c", "echo x >~/far/npm/new").expect(exit=2)
    os.remove(box.work + "/.npmrc")
    for place in ("~", "~/.ssh", "/", "..", "relative"):
        box.folder("home/.ssh")
        box.file("home/.npmrc", "cache=%s\n" % place, 0o600)
        script = "echo x >~/.ssh/new || echo x >~/new || exit 7"
        box.run_zs("run", "--for", "npm", "--", "sh", "-c", script).expect(exit=7)


# ---------------------------------------------------------------------------------------------- gpu, docker-none

# A machine with graphics cards. The nodes are /dev/zero's; sda stands for any other device. /sys/devices/virtual/mem is
# the card's description, and /sys/devices/virtual/tty that of another device.
CARDS = """
mount -t tmpfs -o mode=755 tmpfs /dev
mkdir /dev/dri /dev/pts /dev/shm /dev/nvidia-caps
mount -t devpts devpts /dev/pts
mknod -m 666 /dev/null c 1 3
for node in zero full random urandom tty dri/renderD128 kfd nvidia0 nvidiactl nvidia-caps/nvidia-cap1 sda
do mknod -m 666 /dev/$node c 1 5
done
mount -t tmpfs -o mode=755 tmpfs /sys/class
mkdir -p /sys/class/drm/card0 /sys/class/drm/card1
ln -s /sys/devices/virtual/mem /sys/class/drm/card0/device
ln -s /etc /sys/class/drm/card1/device
"""
LOOK = "for f; do head -c 1 $f >/dev/null 2>&1 && echo $f; done; echo x >/dev/nvidia0 && echo written; :"
NODES = ["/dev/dri/renderD128", "/dev/kfd", "/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-caps/nvidia-cap1"]


@test(needs=["sandbox", "own-etc"])
def gpu_opens_the_cards_and_no_other_device(box):
    description = "/sys/class/drm/card0/device/null/uevent"
    files = NODES + ["/dev/sda", description, "/sys/devices/virtual/tty/tty/uevent"]
    look = lambda *zs: run_managed(box, None, *zs, "sh", "-c", LOOK, "sh", *files, change=CARDS).stdout.split()
    outside = run_managed(box, None, argv=["sh", "-c", LOOK, "sh", *files], change=CARDS).stdout.split()
    expect(outside == files + ["written"], "the control: %s" % outside)
    expect(look("run", "--") == [], "without the task")
    expect(look("run", "--for", "gpu", "--") == NODES + [description, "written"], look("run", "--for", "gpu", "--"))
    shown = run_managed(box, None, "policy", "show", "--for", "gpu", change=CARDS).expect(exit=0).stdout
    for row in ("write +/dev/dri", "write +/dev/nvidia0", "read +/sys/devices/virtual/mem"):
        expect(re.search("^%s +option, for gpu$" % row, shown, re.M), shown)
    expect(" /etc " not in "".join(line for line in shown.splitlines() if "gpu" in line), shown)


@test(needs=["sandbox"])
def a_machine_without_cards_gets_no_device(box):
    expect(all(not grant["path"].startswith("/dev/") for grant in policy(box, "--for", "gpu")["paths"]
        if grant not in policy(box)["paths"]) or glob.glob("/dev/dri") + glob.glob("/dev/nvidia*"), "devices")
    project_settings(box, {"for": ["gpu"]})
    expect(policy(box) == policy(box, "--no-settings"), "a project's file grants devices without trust")


@test(needs=["sandbox"])
def docker_none_hides_the_sockets_for_good(box):
    """They are no part of any grant by default. The task keeps an option or a setting from granting them."""
    runtime = box.folder("runtime")
    env = {"XDG_RUNTIME_DIR": runtime}
    docker_none = ("--for", "docker-none")
    with listening(runtime + "/docker.sock") as sock, listening(runtime + "/other.sock") as other:
        names = lambda *zs: box.run_zs("run", *zs, "--", "ls", runtime, add_env=env).stdout.split()
        expect(names("--socket", sock) == ["docker.sock"], "the control")
        expect(names(*docker_none, "--socket", other) == ["other.sock"], "another socket")
        for grant in (("--socket", sock), ("--ro", sock)):
            box.run_zs("run", *grant, *docker_none, "--", "true", add_env=env).expect(exit=125, stdout="",
                stderr=["docker.sock", "cannot be granted", "docker-none"])
        # A grant of the folder around it shows it, but not with the task.
        look = ["stat", "-c", "%F", sock]
        box.run_zs("run", "--ro", runtime, "--", *look, add_env=env).expect(exit=0, stdout="socket\n")
        result = box.run_zs("run", "--ro", runtime, *docker_none, "--", *look, add_env=env)
        expect("socket" not in result.stdout, result)
    shown = box.run_zs("policy", "show", *docker_none, add_env=env).expect(exit=0).stdout
    for path in ("/run/docker.sock", "/run/podman", runtime + "/docker.sock", "~/.docker/run"):
        path = path.replace("~", box.home)
        row = "^hide +%s +option, for docker-none(, missing)?$" % re.escape(path)
        expect(re.search(row, shown, re.M), (path, shown))
