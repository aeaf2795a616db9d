"""Patterns of hide and protect: what they match in the workspace, and attacks on them."""

import json
import os
import re
import tempfile

from harness import expect, read, test
from managed import run_managed
from settings_files import entries, project_settings, user_settings

MATCHES = 10000  # ZS_POLICY_MATCHES_MAX
FOLDERS = 64 * 1024  # ZS_POLICY_FOLDERS_MAX


def secret(box, name, text="SECRET\n"):
    return box.file(os.path.join(box.work, name), text)


def reads(box, *names, options=()):
    """The names, of these, whose content a command can read."""
    result = box.run_zs("run", *options, "--", "sh", "-c", 'for f; do cat "$f" >/dev/null 2>&1 && echo "$f"; done; :',
        "sh", *names).expect(exit=0, stderr="")
    return result.stdout.split("\n")[:-1]


def link(box, target, name):
    os.symlink(target, os.path.join(box.work, name))
    return box.own(os.path.join(box.work, name))


@test(needs=["sandbox"])
def each_place_takes_a_pattern(box):
    names = [".env", "a/.env.local", "a/b/k.pem", "id_rsa", "a/id_x", "plain", "a/env", "x.pem.txt", "K.PEM"]
    for name in names:
        secret(box, name)
    hidden = ["**/.env*", "*.pem", "id_*"]
    left = ["plain", "a/env", "x.pem.txt"]
    expect(reads(box, *names) == names, "the control")
    options = [word for pattern in hidden for word in ("--hide", pattern)]
    expect(reads(box, *names, options=options) == left, reads(box, *names, options=options))
    file = box.file("home/policy.json", json.dumps({"version": 1, "path_lists": {},
        "workspace": {"root": box.work, "access": "write"},
        "paths": [{"pattern": pattern, "access": "hide"} for pattern in hidden]}))
    expect(reads(box, *names, options=["--policy", file]) == left, "policy")
    user_settings(box, {"hide": hidden})
    expect(reads(box, *names) == left, "the user's settings")
    expect(entries(box)[("hide", "*.pem")] == "user:5", entries(box))
    # The policy that zs prints holds the patterns, and can be read again.
    box.run_zs("run", "--print-policy").expect(stdout=['"pattern": "**/.env*"'])
    printed = box.file("home/printed.json", box.run_zs("run", "--print-policy").stdout)
    expect(reads(box, *names, options=["--policy", printed]) == left, "printed")
    user_settings(box, {})
    project_settings(box, {"hide": hidden})
    expect(reads(box, *names) == left, "the project's settings, without trust")
    expect(reads(box, "a/b/k.pem", "K.PEM", options=["--hide", box.work + "/a/**/*.pem", "--no-settings"]) ==
        ["K.PEM"], "absolute")
    expect(reads(box, "a/b/k.pem", "K.PEM", options=["--verify"]) == [], "in an overlay")


@test(needs=["sandbox"])
def what_is_protected_by_a_pattern_is_not_written(box):
    secret(box, "a/x.lock")
    secret(box, "a/plain")
    control = box.run(["sh", "-c", "echo x >a/x.lock; echo x >a/plain"])
    control.expect()
    secret(box, "a/x.lock")
    for attack in ("echo x >a/x.lock", "rm -f a/x.lock", "mv a/x.lock a/y", "echo y >a/y; mv a/y a/x.lock"):
        result = box.run_zs("run", "--protect", "*.lock", "--", "sh", "-c", attack)
        expect(result.exit != 0 and read(box.work + "/a/x.lock") == "SECRET\n", attack, result)
    box.granted("echo y >a/plain; cat a/x.lock", zs=("run", "--protect", "*.lock"), stdout="SECRET\n")


@test(needs=["sandbox"])
def a_folder_that_matches_is_hidden_whole(box):
    secret(box, "a/secrets.d/x/key")
    hide = ("run", "--hide", "**/secrets.*")
    box.denied("cat a/secrets.d/x/key", zs=hide)
    box.denied("cat a/secrets.d/x/key", zs=("run", "--hide", "a/secrets.d/**"))


@test(needs=["sandbox"])
def moving_the_folder_around_shows_nothing(box):
    secret(box, "a/b/k.pem")
    for attack in ("mv a/b a/c; cat a/?/k.pem", "mv a c; cat c/b/k.pem", "cp -r a c; cat c/b/k.pem",
            "ln a/b/k.pem x; cat x", "ln -s a/b/k.pem x; cat x", "rm -f a/b/k.pem; cat a/b/k.pem"):
        result = box.run_zs("run", "--hide", "*.pem", "--", "sh", "-c", attack)
        expect("SECRET" not in result.stdout and result.exit != 0, attack, result)
        box.run(["sh", "-c", "rm -rf x c; [ -d a ] || mv c a; [ -d a/b ] || mv a/c a/b; cat a/b/k.pem"]).expect(
            stdout="SECRET\n")


@test(needs=["sandbox"])
def later_files_are_for_the_next_run(box):
    box.granted("echo mine >new.pem; cat new.pem", zs=("run", "--hide", "*.pem"), stdout="mine\n")
    box.denied("cat new.pem", zs=("run", "--hide", "*.pem"))


@test(needs=["sandbox"])
def links_lead_nowhere(box):
    """A link that a command leaves for the next run hides no more than files of the workspace, and opens nothing."""
    secret(box, "a/plain")
    secret(box, "a/dev.cfg")
    outside = box.file("outside/x", "OUTSIDE\n")
    link(box, "a/dev.cfg", "l.pem")
    link(box, outside, "o.pem")
    link(box, ".", "w.pem")
    link(box, "a", "d.pem")
    link(box, "missing", "m.pem")
    link(box, "r.pem", "r.pem")
    hide = ("--hide", "*.pem")
    expect(reads(box, "a/plain", "a/dev.cfg", "l.pem", "o.pem", options=hide) == ["a/plain"],
        reads(box, "a/plain", "a/dev.cfg", "l.pem", "o.pem", options=hide))
    # The walk follows no link, so a folder that is reached by one is searched only where it is.
    outside = box.file("outside/y.pem", "OUTSIDE\n")
    link(box, box.outside, "out")
    box.granted("cat out/y.pem a/plain", zs=("run", *hide, "--ro", box.outside), stdout="OUTSIDE\nSECRET\n")
    box.denied("echo x >a/dev.cfg", zs=("run", "--protect", "*.pem"))


@test(needs=["sandbox"])
def hard_links_are_a_known_limit(box):
    """docs/limits.md says so: a second name of a hidden file is another file for the kernel's mounts."""
    os.link(secret(box, "k.pem"), box.work + "/second")
    expect(reads(box, "k.pem", "second", options=["--hide", "*.pem"]) == ["second"], "the limit is gone: mend the docs")
    expect("hard link" in read(os.path.join(os.path.dirname(__file__), "../../docs/limits.md")), "docs/limits.md")


@test(needs=["sandbox"])
def odd_names_are_hidden_or_refused(box):
    names = ["a\nb.pem", "a\tb.pem", "\x1b[31m.pem", "*.pem", "a b.pem", "'.pem", "\u202e.pem", ".pem", "a\\b.pem"]
    for name in names:
        secret(box, "d/" + name)
    expect(reads(box, *["d/" + name for name in names]) != [], "the control")
    expect(reads(box, *["d/" + name for name in names], options=["--hide", "*.pem"]) == [], "read")
    path = os.path.join(box.work, "d").encode() + b"/\xff.pem"
    with open(path, "w"):
        pass
    box.run_zs("run", "--hide", "*.pem", "--", "true").expect(exit=125,
        stderr=["\\xff.pem", "UTF-8", "the pattern *.pem matches it; rename or remove the file"])


@test(needs=["sandbox"])
def a_closed_folder_is_hidden_whole(box):
    """A command could have closed it, and could open it again."""
    secret(box, "a/k.pem")
    secret(box, "a/plain")
    os.chmod(box.work + "/a", 0)
    result = box.run_zs("run", "--hide", "*.pem", "--", "sh", "-c", "chmod 755 a; cat a/k.pem")
    expect("SECRET" not in result.stdout and result.exit != 0, result)
    os.chmod(box.work + "/a", 0o755)


@test(needs=["sandbox"])
def wrong_patterns_are_errors(box):
    for pattern, text in (("../*.pem", "'..'"), ("a/../*", "'..'"), (box.outside + "/*", "outside of the workspace"),
            ("/*.pem", "outside of the workspace"), ("/**", "outside of the workspace"),
            (box.work + "/*/../../*", "'..'")):
        result = box.run_zs("run", "--hide", pattern, "--", "true")
        result.expect(exit=64 if "'..'" in text else 125, stderr=[pattern, text])
        user_settings(box, {"hide": [pattern]})
        box.run_zs("run", "--", "true").expect(exit=65 if "'..'" in text else 125, stderr=[text])
        user_settings(box, {})
    user_settings(box, {"additional_read_only_paths": ["/srv/*"]})
    box.run_zs("run", "--", "true").expect(exit=65, stderr=["only protect and hide take patterns"])
    user_settings(box, {})
    for entry, text in (({"access": "hide"}, 'must have one of "path" and "pattern"'),
            ({"path": "/x", "pattern": "*", "access": "hide"}, 'must have one of "path" and "pattern"'),
            ({"pattern": "*", "access": "read"}, "only protect and hide take one"),
            ({"pattern": "*", "access": "hide", "public": True}, "public")):
        file = box.file("home/policy.json", json.dumps({"version": 1, "paths": [entry]}))
        box.run_zs("run", "--policy", file, "--", "true").expect(exit=65, stderr=[text])
    file = box.file("home/policy.json", json.dumps({"version": 1, "path_lists": {},
        "paths": [{"pattern": "*", "access": "hide"}]}))
    box.run_zs("run", "--policy", file, "--", "true").expect(exit=125, stderr=["this policy has none"])
    # The shim enforces what it gets, and would ignore a pattern.
    box.run_zs("shim", "--", "true", add_env={"ZS_SANDBOX_POLICY": read(file)}).expect(exit=125,
        stderr=["hold a pattern"])


@test(needs=["sandbox"])
def matches_are_counted(box):
    """A file that two patterns match counts once."""
    for i in range(MATCHES):
        secret(box, "many/%d.pem" % i, KEY)
    for options in (("--hide", "*.pem"), ("--hide", "*.pem", "--hide", "@secrets")):
        result = box.run_zs("run", *options, "--", "sh", "-c", "cat many/*.pem | wc -c").expect(exit=0, stdout="0\n")
        expect(result.stderr.count("Permission denied") == MATCHES, result.stderr[-500:])
    # A dry run that is shown passes the policy through the environment, which has less room.
    box.run_zs("run", "--diff", "--hide", "*.pem", "--", "echo", "ran").expect(exit=125, stdout="",
        stderr=["bytes of JSON", "a pattern matches %d files" % MATCHES])
    secret(box, "many/last.pem", KEY)
    box.run_zs("run", "--hide", "*.pem", "--", "echo", "ran").expect(exit=125, stdout="",
        stderr=["*.pem: matches more than %d files" % MATCHES, "name the folder"])
    box.run_zs("run", "--secrets", "hide", "--", "echo", "ran").expect(exit=125, stdout="",
        stderr=["@secrets: matches more than %d files" % MATCHES, "--secrets show"])
    box.denied("cat many/last.pem", zs=("run", "--hide", "many"))


@test(needs=["sandbox", "git"])
def matches_take_no_room_from_protection(box):
    """A command may make as many files as it likes. The repositories of the workspace stay protected beside them."""
    for i in range(1500):
        secret(box, "many/%d.pem" % i)
    box.run(["git", "init", "-q", "inner"]).expect()
    attack = "echo x >inner/.git/hooks/pre-commit; echo x >inner/.git/config"
    box.denied(attack, zs=("run", "--hide", "*.pem"))
    box.denied("cat many/7.pem", zs=("run", "--hide", "*.pem"))
    box.denied("mv many other", zs=("run", "--hide", "*.pem"))


@test(needs=["sandbox"], once=True)
def folders_are_counted(box):
    """In memory: on a disk it takes minutes to make and remove them."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as root:
        for i in range(FOLDERS // 256):
            os.mkdir("%s/%d" % (root, i))
            for j in range(255):
                os.mkdir("%s/%d/%d" % (root, i, j))
        # The workspace itself is the one that is too many.
        box.run_zs("run", "--workspace", root, "--hide", "*.pem", "--", "echo", "ran").expect(exit=125, stdout="",
            stderr=["*.pem: the workspace has more than %d folders to search" % FOLDERS])
        box.run_zs("run", "--workspace", root, "--secrets", "hide", "--", "echo", "ran").expect(exit=125, stdout="",
            stderr=["@secrets: the workspace has more than %d folders to search" % FOLDERS, "--secrets show"])
        os.rmdir(root + "/0/0")
        box.run_zs("run", "--workspace", root, "--hide", "*.pem", "--", "echo", "ran").expect(stdout="ran\n")
        # @secrets alone does not search node_modules, which holds most of a workspace's folders.
        os.mkdir(root + "/node_modules")
        for i in range(FOLDERS // 256):
            os.rename("%s/%d" % (root, i), "%s/node_modules/%d" % (root, i))
        os.mkdir(root + "/node_modules/0/0")
        box.run_zs("run", "--workspace", root, "--secrets", "hide", "--", "echo", "ran").expect(stdout="ran\n")
        box.run_zs("run", "--workspace", root, "--hide", "*.pem", "--", "echo", "ran").expect(exit=125, stdout="")


@test(needs=["sandbox", "own-etc"])
def a_managed_pattern_is_firm(box):
    path = secret(box, "a/k.pem")
    secret(box, "a/s.d/x")
    for options in (("--ro", path), ("--rw", box.work + "/a/s.d/x")):
        run_managed(box, {"hide": ["./*.pem", "*.d"]}, "run", *options, "--", "cat", path, "a/s.d/x").expect(exit=125,
            stdout="", stderr=["this machine's settings hide"])
    run_managed(box, {"hide": ["*.pem"]}, "run", "--no-settings", "--", "cat", path).expect(exit=1, stdout="")


KEY = "-----BEGIN PRIVATE KEY-----\n"


def secrets(box):
    """Files that usually hold secrets, and neighbours that do not."""
    hidden = {".env": "A=1\n", "a/.env.local": "A=1\n", "a/x.pem": KEY, "x.KEY": KEY, ".npmrc": "//x/:_authToken=1\n",
        "credentials.json": "{}", "a/credentials-prod.json": "{}"}
    shown = {".env.example": "A=\n", ".env.sample": "", ".env.local.template": "", "ca.pem": "-----BEGIN CERTIFICATE",
        "public.key": "-----BEGIN PUBLIC", "a/.npmrc": "save-exact=true\n", "node_modules/p/test.pem": KEY,
        "env": "", "v/lib/site-packages/certifi/x.pem": KEY, "credentials.py": ""}
    for name, text in {**hidden, **shown}.items():
        secret(box, name, text)
    box.folder("home/project/b/.env")  # a virtual environment
    secret(box, "b/.env/bin", "x")
    return sorted(hidden), sorted(shown) + ["b/.env/bin"]


@test(needs=["sandbox"])
def verify_hides_the_usual_secrets(box):
    hidden, shown = secrets(box)
    names = hidden + shown
    expect(reads(box, *names) == names, "plain runs see them")
    for options in (("--verify",), ("--hide", "@secrets")):
        expect(reads(box, *names, options=options) == shown, options, reads(box, *names, options=options))
    # A dry run whose changes are shown or applied works as without it.
    result = box.run_zs("run", "--diff", "--", "cat", ".env").expect(exit=0)
    expect("A=1" in result.stdout, result)
    # A grant of the file, or of a folder around it, shows it. One of the workspace does not.
    expect(reads(box, *hidden, options=("--verify", "--ro", ".env", "--ro", "a")) ==
        [".env"] + [name for name in hidden if name.startswith("a/")], "lifted")
    expect(reads(box, *hidden, options=("--verify", "--ro", ".")) == [], "the workspace")
    user_settings(box, {"additional_read_only_paths": [box.work + "/.env"]})
    expect(reads(box, ".env", ".npmrc", options=("--verify",)) == [".env"], "the user's settings")
    user_settings(box, {})
    project_settings(box, {"additional_read_only_paths": [".env"]})
    expect(reads(box, ".env", options=("--verify",)) == [], "a project lifts it, without trust")
    expect(entries(box, "--hide", "@secrets")[("hide", "@secrets")] == "option", "show")
    box.run_zs("bash", "--profile", "verify", "-c", "cat .env").expect(exit=1, stdout="")


def hooked(box, *options):
    """The command that the hook of claude makes of `cat .env`."""
    event = {"hook_event_name": "PreToolUse", "cwd": box.work, "tool_name": "Bash",
        "tool_input": {"command": "cat .env"}}
    said = box.run_zs("hook", "claude", "--confine", *options, stdin=json.dumps(event)).expect(exit=0, stderr="").stdout
    return ["sh", "-c", json.loads(said)["hookSpecificOutput"]["updatedInput"]["command"]]


@test(needs=["sandbox", "bash"])
def profiles_and_the_hook_hide_the_usual_secrets(box):
    secret(box, ".env", "A=1\n")
    run = lambda *words: lambda *options: box.run_zs(*words, *options, *tail(words))
    tail = lambda words: ("-c", "cat .env") if words[0] == "bash" else ("--", "cat", ".env")
    cases = {name: run("bash", "--profile", name) for name in ("strict", "guard", "verify")}
    cases["run"] = run("run", "--secrets", "hide")
    for name in ("strict", "guard", "verify"):
        cases["hook " + name] = lambda *options, name=name: box.run(hooked(box, "--profile", name, *options))
    for name, cat in cases.items():
        cat().expect(exit=1, stdout="", stderr=["zs: secrets: .env: ", "--secrets show"])
        cat("--ro", ".env").expect(exit=0, stdout="A=1\n", stderr="")
        if name != "run":
            cat("--secrets", "show").expect(exit=0, stdout="A=1\n", stderr="")
    for shown in (run("bash", "--profile", "relaxed"), run("run"),
            lambda: box.run(hooked(box, "--profile", "relaxed"))):
        shown().expect(exit=0, stdout="A=1\n", stderr="")
    # The user's settings lift it, and no project's. --hide names it for good.
    user_settings(box, {"show_secrets": True})
    for name, cat in cases.items():
        cat().expect(exit=0, stdout="A=1\n", stderr="")
    box.run_zs("run", "--hide", "@secrets", "--", "cat", ".env").expect(exit=1, stdout="")
    project_settings(box, {"show_secrets": False})
    cases["strict"]().expect(exit=1, stdout="")
    user_settings(box, {})
    project_settings(box, {"show_secrets": True})
    cases["strict"]().expect(exit=65, stdout="", stderr=["show_secrets", "cannot be true in a project's file"])
    project_settings(box, {})
    file = box.file("home/policy.json", json.dumps({"version": 1}))
    box.run_zs("run", "--policy", file, "--secrets", "hide", "--", "true").expect(exit=64,
        stderr=["--secrets", "@secrets"])
    expect(entries(box, "--secrets", "hide")[("hide", "@secrets")] == "preset", "show")


@test(needs=["sandbox", "own-etc"])
def the_machine_may_forbid_to_show_secrets(box):
    secret(box, ".env", "A=1\n")
    user_settings(box, {"show_secrets": True})
    for managed, exit in (({}, 0), ({"show_secrets": False}, 1)):
        run_managed(box, managed, "run", "--secrets", "hide", "--", "cat", ".env").expect(exit=exit)


@test(needs=["sandbox"])
def a_command_that_failed_is_told(box):
    """Quiet where nothing is hidden, and where the command succeeds."""
    line = re.compile(r"^cat: .env: Permission denied\nzs: secrets: .env: the command failed, and did not see this "
        r"file; if it needs one, add --ro FILE or --secrets show; in your settings: additional_read_only_paths, "
        r"show_secrets\n$")
    box.run_zs("run", "--verify", "--", "false").expect(exit=1, stderr="")
    secret(box, ".env", "A=1\n")
    box.run_zs("run", "--verify", "--", "true").expect(exit=0, stderr="")
    box.run_zs("run", "--verify", "--", "cat", ".env").expect(exit=1, stderr=line)
    box.run_zs("run", "--verify", "--ro", ".env", "--", "cat", ".env").expect(exit=0, stdout="A=1\n")
    box.run_zs("run", "--hide", "@secret", "--", "true").expect(exit=64,
        stderr=["no set of patterns; there is @secrets"])
    box.run_zs("run", "--protect", "@secrets", "--", "true").expect(exit=64, stderr=["is for hide alone"])
    for number in range(100):
        secret(box, "%d/.env" % number, "A=1\n")
    told = box.run_zs("run", "--verify", "--", "false").expect(exit=1, stderr=["these files"]).stderr
    expect(len(told) < 700, told)


@test(needs=["sandbox", "git"])
def what_git_tracks_is_no_secret(box):
    """Else git fails in every workspace with a committed .env.test."""
    secret(box, ".env.test", "A=1\n")
    secret(box, "a/.env", "A=1\n")
    secret(box, "f", "x\n")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e"]
    for words in (["init", "-q", "."], ["add", ".env.test", "f"], ["commit", "-qm", "x"]):
        box.run(git + words).expect()
    expect(reads(box, ".env.test", "a/.env", options=("--verify",)) == [".env.test"], "tracked")
    box.granted("echo y >>f; git diff --stat; git status --short", zs=("run", "--verify"))
    with open(box.work + "/.git/index", "w") as index:
        index.write("no index")
    expect(reads(box, ".env.test", options=("--verify",)) == [], "an index that cannot be read tracks nothing")
