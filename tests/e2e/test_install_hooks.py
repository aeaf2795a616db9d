"""zs install and zs uninstall change our hook in agents' configurations, and nothing else."""

import contextlib
import fcntl
import json
import os
import random
import re
import resource
import shutil
import signal

from allocations import counted_zs, each_allocation_fails
from harness import REPOSITORY, TIMEOUT, Failure, expect, test
from hook_events import RECORDED, event_of, reason_in
from processes import Terminal, injected
from settings_files import HOOK_FILES as FILES

DATA = os.path.join(REPOSITORY, "testdata/install")
REWRITE = ("claude", "codex", "copilot", "gemini", "opencode", "cline")
TAKE_COMMENTS = ("gemini", "qwen")


def path_of(box, agent, project=False):
    return os.path.join(box.work if project else box.home, FILES[agent][project])


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(box, path, content, mode=0o644):
    box.folder(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
    return box.own(path)


def tree(folder):
    """All files below the folder, with contents, modes and owners."""
    found = {}
    for where, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(where, name)
            status = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else read(path) if name in files else None
            found[path] = (status.st_mode, status.st_uid, status.st_gid, content)
    return found


def golden_bytes(box, name, have):
    have = have.replace(box.zs.encode(), b"/opt/zs/bin/zs")
    path = os.path.join(DATA, name)
    if os.environ.get("ZS_UPDATE_GOLDEN"):
        with open(path, "wb") as file:
            file.write(have)
    elif have != read(path):
        raise Failure("testdata/install/%s is not %r" % (name, have.decode("latin-1")))


def install(box, *arguments, **options):
    """One wall, as most tests expect, unless they ask for both."""
    one = [] if "--confine" in arguments else ["--no-confine"]
    return box.run_zs("install", "--yes", *one, *arguments, **options)


def uninstall(box, *arguments, **options):
    return box.run_zs("uninstall", "--yes", *arguments, **options)


@test()
def a_file_that_is_made_goes_again(box):
    before = tree(box.root)
    for agent in FILES:
        install(box, agent).expect(stderr=re.compile("^zs: install: warning: [^\n]* is not found on this machine\n$"))
        golden_bytes(box, agent + ".made", read(path_of(box, agent)))
        uninstall(box, agent).expect(stderr="")
        if tree(box.root) != before:
            raise Failure("%s: %r" % (agent, set(tree(box.root)) ^ set(before)))


@test()
def what_is_there_stays(box):
    """Comments, order, indentation, line ends, a byte order mark and a missing last newline."""
    for agent in FILES:
        if not os.path.exists(os.path.join(DATA, agent + ".before")):
            continue
        old = read(os.path.join(DATA, agent + ".before"))
        path = write(box, path_of(box, agent), old, 0o640)
        before = tree(box.root)
        install(box, agent, "--profile", "verify").expect(stderr="")
        golden_bytes(box, agent + ".after", read(path))
        expect(os.stat(path).st_mode & 0o777 == 0o640, "%s: mode" % agent)
        # Other options, and back.
        install(box, agent).expect(stderr="")
        install(box, agent, "--profile", "verify").expect(stderr="")
        golden_bytes(box, agent + ".after", read(path))
        uninstall(box, agent).expect(stderr="")
        if tree(box.root) != before:
            raise Failure("%s: %r" % (agent, read(path)))


@test()
def install_says_that_secrets_are_hidden(box):
    line = re.compile("^The sandbox hides .env, private keys .*\"show_secrets\": true", re.M)
    box.run_zs("install", "claude", "--yes").expect(exit=0, stdout=line)
    for options in (("--no-confine",), ("--profile", "relaxed")):
        result = box.run_zs("install", "claude", "--yes", *options).expect(exit=0)
        expect("show_secrets" not in result.stdout, "%s: %s" % (options, result.stdout))


@test()
def layouts(box):
    """Whatever the layout, taking out is the reverse of putting in."""
    path = path_of(box, "gemini")
    for text in ("{}", "{ }", "{\n}", "{\n\n}\n", '{"a":1}', '{"a" : 1 }', '{"hooks":{}}', '{"hooks": {\n}}',
            '{"hooks":{"BeforeTool":[]}}', '{"hooks":{"BeforeTool":[\n]}}', '{"hooks":{"BeforeTool":[1, 2]}}',
            '{\n\t"hooks": {\n\t\t"BeforeTool": [\n\t\t\t{"a": []}\n\t\t]\n\t}\n}', "// c\n{/* d */}", "{// c\n}",
            '{"a": 1 // c\n}', '{"a": 1 // c\r\n}', '{\n  "a": 1 /* c */\n  // d\n}\n', '{"a": "// \\" /* "}',
            '{"a": [[], {"hooks": []}], "hooks": {"X": [{}]}}\n\n\n'):
        write(box, path, text.encode())
        install(box, "gemini").expect(stderr="")
        installed = read(path)
        expect(b" hook gemini " in installed, installed)
        install(box, "gemini", "--confine").expect(stderr="")
        install(box, "gemini").expect(stderr="")
        expect(read(path) == installed, "%r, and not %r" % (read(path), installed))
        uninstall(box, "gemini").expect(stderr="")
        expect(read(path) == text.encode(), "%r became %r" % (text, read(path)))


@test()
def a_second_time_changes_nothing(box):
    for agent in FILES:
        for scope in (0, 1):
            if FILES[agent][scope] is None:
                install(box, agent, "--project").expect(exit=65, stdout="", stderr=re.compile("no hooks of a project"))
                continue
            option = ["--project"] if scope else []
            path = path_of(box, agent, scope)
            result = install(box, agent, *option).expect(stdout=re.compile("^The hook of zs is in %s now" % path, re.M))
            expect(not scope or "people who work in this project need zs at %s: " % box.zs in result.stderr, result)
            before = os.stat(path)
            install(box, agent, *option).expect(stdout=re.compile("^Nothing to do: .* is in %s already" % path))
            after = os.stat(path)
            expect((after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns),
                "%s: written again" % agent)
            uninstall(box, agent, *option).expect()
            uninstall(box, agent, *option).expect(stdout=re.compile("^Nothing to do: the hook of zs is not in"))


@test()
def others_in_our_group_stay(box):
    """A user has put a handler beside ours, and a second call of our hook elsewhere."""
    install(box, "claude").expect()
    path = path_of(box, "claude")
    settings = json.loads(read(path))
    group = settings["hooks"]["PreToolUse"][0]
    mine = {"type": "command", "command": "mine"}
    group["hooks"].insert(0, mine)
    settings["hooks"]["PreToolUse"].append({"matcher": "Bash", "hooks": [
        {"type": "command", "command": "/old/zs hook claude --confine"}]})
    write(box, path, json.dumps(settings, indent=4).encode())
    install(box, "claude").expect(stderr="")
    groups = json.loads(read(path))["hooks"]["PreToolUse"]
    commands = [handler["command"] for each in groups for handler in each["hooks"]]
    expect(len(commands) == 2 and commands[0] == "mine" and commands[1].startswith(box.zs + " hook claude ||"),
        commands)
    uninstall(box, "claude").expect(stderr="")
    expect(json.loads(read(path)) == {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [mine]}]}}, read(path))


@test()
def malformed(box):
    """Expects that no file is changed, and that the error says where."""
    for agent, text, message in (
            ("claude", "", "line 1, column 1: is empty"), ("claude", "[]", "line 1, column 1: is not an object"),
            ("claude", '{\n  "a": 1,\n}', "line 2, column 9: "), ("claude", "{ // c\n}", "line 1, column 3: "),
            ("claude", '{\n "hooks": []}', 'line 2, column 11: "hooks" is not an object'),
            ("claude", '{"hooks": null}', '"hooks" is not an object'),
            ("claude", '{"hooks": {"PreToolUse": {}}}', 'line 1, column 26: "PreToolUse" is not an array'),
            ("claude", '{"hooks": {},\n"hooks": {}}', 'line 1, column 2: "hooks" is there twice'),
            ("claude", '{"hooks": {"PreToolUse": [], "PreToolUse": []}}', '"PreToolUse" is there twice'),
            ("claude", '{"a": "\xff"}', "line 1, column 8: "), ("claude", "{}\x00", "line 1, column 3: "),
            ("claude", '{"\\u0068ooks": {"PreToolUse": []}}', "without escapes"),
            ("claude", "[" * 100000, "line 1, column 100001: "),
            ("gemini", '{\n"a": 1, // c\n}', "line 2, column 7: "),
            ("kimi", "hooks = []\n", "line 1, column 1: \"hooks\" is not an array of tables"),
            ("kimi", "[a]\n[hooks]\n", "line 2, column 1: \"hooks\" is not an array of tables"),
            ("kimi", "a = [\n", "line 1, column 1: a bracket that nothing closes"),
            ("kimi", "a = ]\n", "line 1, column 5: a bracket that nothing opens"),
            ("kimi", 'a = 1\nb = "x\n', "line 2, column 5: a string without an end"),
            ("cline", "#!/bin/sh\n", "exists already, and zs did not write it"),
            ("opencode", "export const X = 1\n", "exists already, and zs did not write it")):
        path = write(box, path_of(box, agent), text.encode("latin-1"))
        before = tree(box.root)
        result = install(box, agent).expect(exit=65, stdout="", stderr=re.compile(re.escape(message)))
        expect(path in result.stderr and result.stderr.count("\n") == 1, result)
        expect(tree(box.root) == before, "%s: %r: changed" % (agent, text[:80]))
        os.remove(path)
    write(box, path_of(box, "claude"), b'{"a": "' + b"x" * (1 << 20) + b'"}')
    install(box, "claude").expect(exit=65, stderr=re.compile("has more than 1048576 bytes"))


@test()
def a_changed_file_of_ours_is_not_ours(box):
    for agent in ("cline", "opencode"):
        install(box, agent).expect()
        path = path_of(box, agent)
        changed = read(path) + b"\n"
        write(box, path, changed, 0o755)
        for change in (install, uninstall):
            change(box, agent, "--profile" if change is install else "--user",
                *(["verify"] if change is install else [])).expect(exit=65, stderr=re.compile("has changed it since"))
        expect(read(path) == changed, agent)


@test()
def links(box):
    """A dotfile may be a link to the place where its owner keeps it. A link that leads nowhere, or out of a project, is
    refused."""
    kept = write(box, box.home + "/dotfiles/claude.json", b"{}", 0o600)
    link = path_of(box, "claude")
    box.folder(os.path.dirname(link))
    os.symlink(kept, link)
    install(box, "claude").expect(stdout=re.compile("^--- %s$" % kept, re.M))
    expect(os.path.islink(link) and b"zs hook claude" in read(kept) and os.stat(kept).st_mode & 0o777 == 0o600,
        "the link is gone")
    uninstall(box, "claude").expect()
    if not os.path.islink(link) or read(kept) != b"{}":
        raise Failure(read(kept))
    os.remove(kept)
    install(box, "claude").expect(exit=65, stderr=re.compile("a symbolic link in this path is broken"))
    # A repository can bring links.
    secret = write(box, box.outside + "/settings.json", b"{}")
    for folder, name, target in ((".claude", "settings.json", secret), (".codex", None, box.outside)):
        agent = folder[1:]
        if name:
            box.folder(os.path.join(box.work, folder))
        os.symlink(target, os.path.join(box.work, folder, name) if name else os.path.join(box.work, folder))
        before = tree(box.outside)
        install(box, agent, "--project").expect(exit=65, stderr=re.compile("leads out of the project"))
        expect(tree(box.outside) == before, "outside was written")


@test()
def odd_targets(box):
    path = path_of(box, "claude")
    box.folder(os.path.dirname(path))
    for make, remove in ((os.mkdir, os.rmdir), (os.mkfifo, os.remove)):
        make(path)
        box.own(path)
        install(box, "claude").expect(exit=65, stderr=re.compile("is not a regular file"))
        remove(path)
    write(box, path, b"{}", 0o400)
    before = tree(box.root)
    install(box, "claude").expect(exit=74, stderr=re.compile("is read-only"))
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
        os.chmod(path, 0o666)
        before = tree(box.root)
        install(box, "claude").expect(exit=65, stderr=re.compile("belongs to uid 12345"))
    expect(tree(box.root) == before, "changed")


@test()
def a_full_disk_changes_nothing(box):
    """RLIMIT_FSIZE stands for it: the write fails in the middle."""
    path = write(box, path_of(box, "claude"), b'{"a": "' + b"x" * 3000 + b'"}')
    before = tree(box.root)
    result = install(box, "claude", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    expect(result.exit != 0 and tree(box.root) == before, result)
    # Folders that were made for the file are removed as well.
    os.remove(path)
    os.rmdir(os.path.dirname(path))
    before = tree(box.root)
    result = install(box, "copilot", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)))
    if result.exit == 0 or tree(box.root) != before:
        raise Failure("%s: %r" % (result, set(tree(box.root)) ^ set(before)))
    install(box, "copilot").expect()


@test()
def a_folder_that_cannot_be_written(box):
    if box.user.is_root:
        return  # this user can
    path = write(box, path_of(box, "claude"), b"{}")
    os.chmod(os.path.dirname(path), 0o555)
    before = tree(box.root)
    install(box, "claude").expect(exit=74, stderr=re.compile("permission denied"))
    expect(tree(box.root) == before, "changed")
    os.chmod(os.path.dirname(path), 0o755)
    install(box, "claude").expect()


@test(needs=["linux"])
def what_changes_meanwhile_is_kept(box):
    """Another process writes the file after zs has read it, while zs waits for the folder's lock."""
    path = write(box, path_of(box, "claude"), b"{}")
    folder = os.path.dirname(path)
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    process = box.start([box.zs, "install", "claude", "--yes", "--no-confine"])
    fds = "/proc/%d/fd" % process.pid

    def has_come_to_the_lock():
        with contextlib.suppress(OSError):
            return any(os.readlink(os.path.join(fds, name)) == folder for name in os.listdir(fds))

    while not has_come_to_the_lock():
        if process.poll() is not None:
            raise Failure("it did not wait: %r" % (process.communicate(),))
    process.send_signal(signal.SIGSTOP)  # zs waits only for some seconds
    write(box, path, b'{"theirs": 1}')
    os.close(lock)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=TIMEOUT)
    expect(process.returncode == 74 and b"has changed it meanwhile" in errors and read(path) == b'{"theirs": 1}',
        "%d: %r" % (process.returncode, errors))
    expect(os.listdir(folder) == ["settings.json"], os.listdir(folder))


@test()
def a_link_that_comes_meanwhile_is_not_followed(box):
    """Between the question and the answer a folder of the project becomes a link that leads out of it."""
    for swap_file in (False, True):
        target = write(box, box.outside + "/settings.json", b"{}")
        path = write(box, path_of(box, "claude", project=True), b"{}")
        folder = os.path.dirname(path)
        terminal = Terminal(box, [box.zs, "install", "claude", "--project", "--no-confine"])
        terminal.type("", r"\[y/N\] $")
        os.rename(path if swap_file else folder, box.root + "/away")
        os.symlink(target if swap_file else box.outside, path if swap_file else folder)
        os.write(terminal.fd, b"y\n")
        code = terminal.end()
        expect(code == 74 and read(target) == b"{}" and os.listdir(box.outside) == ["settings.json"],
            "%d: %s" % (code, terminal.shown))
        os.remove(path if swap_file else folder)
        os.rename(box.root + "/away", path if swap_file else folder)


@test(needs=["strace"])
def each_call_may_fail(box):
    """If the kernel refuses a call, the files are as before, or the change has been made and reported."""
    path = write(box, path_of(box, "copilot"), b'{"version": 1, "hooks": {}}')
    for call, errors in (("fsync", "EIO"), ("renameat,rename", "ENOSPC"), ("flock", "ENOLCK"), ("fchmod", "EPERM"),
            ("fstat,newfstatat,statx", "EIO"), ("mkdirat,mkdir", "ENOSPC")):
        for when in (1, 2, 3):
            for change, keep in ((install, True), (install, False), (uninstall, True)):
                if not keep:
                    os.remove(path)
                    os.rmdir(os.path.dirname(path))
                before = tree(box.home)
                result = box.run([*injected("%s:error=%s:when=%d" % (call, errors, when)), box.zs, change.__name__,
                    "copilot", "--yes"])
                if tree(box.home) != before and "The hook of zs is" not in result.stdout:
                    raise Failure("%s %s %d: %s: %r" % (change.__name__, call, when, result,
                        set(tree(box.home)) ^ set(before)))
                expect(result.exit != 0 or "The hook of zs is" in result.stdout or change is not install, result)
                uninstall(box, "copilot").expect()
                write(box, path, b'{"version": 1, "hooks": {}}')


@test(needs=["strace"])
def killed_in_the_middle(box):
    path = write(box, path_of(box, "claude"), b'{"a": 1}')
    result = box.run([*injected("fsync:signal=SIGKILL:when=1"), box.zs, "install", "claude", "--yes", "--no-confine"])
    if result.exit != -signal.SIGKILL or read(path) != b'{"a": 1}':
        raise Failure("%s: %r" % (result, read(path)))
    install(box, "claude").expect()
    # ^C takes effect only after the change is complete.
    uninstall(box, "claude").expect()
    result = box.run([*injected("fsync:signal=SIGINT:when=1"), box.zs, "install", "claude", "--yes", "--no-confine"])
    expect(b"zs hook claude" in read(path), result)


@test(needs=["sandbox"])
def a_confined_command_cannot_uninstall(box):
    for agent in FILES:
        for scope in (0, 1):
            if not FILES[agent][scope]:
                continue
            install(box, agent, *(["--project"] if scope else [])).expect()
            path = path_of(box, agent, scope)
            if scope and FILES[agent][1].startswith(".github/"):
                continue  # agents write workflows as part of their work
            before = read(path)
            attack = "echo x >%s; rm %s; mv %s y; %s uninstall %s --yes %s" % (
                path, path, os.path.dirname(path), box.zs, agent, "--project" if scope else "")
            box.run_zs("run", "--ro", os.path.dirname(box.zs), "--", "sh", "-c", attack)
            expect(os.path.exists(path) and read(path) == before, "%s %d" % (agent, scope))


@test()
def it_shows_and_asks(box):
    path = path_of(box, "claude")
    write(box, path, b'{\n "a": "\x1b[2J"\n}\n'.replace(b"\x1b", b"\xc2\x9b"))
    old = read(path)
    box.run_zs("install", "claude", "--no-confine").expect(exit=1, stdout=re.compile(r"^--- .*\n\+\+\+ .*\n@@ "),
        stderr=re.compile("no terminal to ask at"))
    result = box.run_zs("install", "claude", "--dry-run", "--no-confine")
    result.expect(stdout=re.compile(r"^\+ \"hooks\"", re.M), stderr="")
    for answer in (b"n\n", b"\n", b"yess\n", b"\x04", b"\x03", b"y\n"):
        terminal = Terminal(box, [box.zs, "install", "claude", "--no-confine"])
        terminal.type("", r"\[y/N\] $")
        expect("\\u009b" in terminal.shown and "\x9b" not in terminal.shown, "%r" % terminal.shown)
        os.write(terminal.fd, answer)
        yes = answer == b"y\n"
        expect(terminal.end() == (not yes) and (b"zs hook claude" if yes else old) in read(path), repr(answer))


@test(needs=["git"])
def the_diff_is_a_patch(box):
    path = write(box, path_of(box, "gemini"), read(os.path.join(DATA, "gemini.before")))
    diff = box.run_zs("install", "gemini", "--dry-run", "--no-confine").expect().stdout
    install(box, "gemini").expect()
    copy = write(box, box.work + "/copy", read(os.path.join(DATA, "gemini.before")))
    box.run(["git", "apply"], stdin=diff.replace(path, "x/copy")).expect()
    expect(read(copy) == read(path), diff)


@test()
def whose_home(box):
    """zs does not write another user's home folder: on some systems sudo keeps HOME."""
    if box.user.is_root:
        home = box.folder("theirs")
        os.chown(home, 12345, 12345)
        before = tree(box.root)
        install(box, "claude", add_env={"HOME": home}).expect(exit=65, stdout="", stderr=re.compile(
            "belongs to uid 12345, and this is uid 0; run it as that user"))
        install(box, "claude", "--project", cwd=home).expect(exit=65, stderr=re.compile("belongs to uid 12345"))
        expect(tree(box.root) == before, "written")
        # A link may lead to another user's folder, and that user could change our file there.
        os.symlink(home, box.home + "/.claude")
        install(box, "claude").expect(exit=74, stderr=re.compile("belongs to uid 12345"))
        expect(not os.listdir(home), "written")
        os.remove(box.home + "/.claude")
        install(box, "claude", add_env={"SUDO_USER": "ada"}).expect(stderr=re.compile("of root, not of ada"))
    for home in ("", "relative"):
        install(box, "claude", add_env={"HOME": home}).expect(exit=65, stderr=re.compile("HOME: is not set, or not "))
    install(box, "claude", add_env={"HOME": box.root + "/none"}).expect(exit=65, stderr=re.compile("no such file"))


@test()
def variables_move_the_folder(box):
    for agent, variable, name in (("claude", "CLAUDE_CONFIG_DIR", "settings.json"), ("codex", "CODEX_HOME",
            "hooks.json"), ("opencode", "XDG_CONFIG_HOME", "opencode/plugin/zs.js")):
        folder = box.folder("moved/" + agent)
        install(box, agent, add_env={variable: folder}).expect()
        expect(os.path.exists(os.path.join(folder, name)) and not os.path.exists(path_of(box, agent)), agent)
        uninstall(box, agent, add_env={variable: folder}).expect()
        expect(not os.listdir(folder), os.listdir(folder))


@test(once=True)
def the_documentation_names_the_files(box):
    rows = re.findall(r"^\| (\w+) \| `~/([^`]+)`.*? \|(?: `([^`]+)`)? \|$",
        read(os.path.join(REPOSITORY, "docs/install.md")).decode(), re.M)
    expect({agent: (user, project or None) for agent, user, project in rows} == FILES, rows)


@test(once=True)
def usage(box):
    for arguments, message in ((["install"], "write one of"), (["install", "claude", "codex"], "write one of"),
            (["install", "claude", "--user", "--project"], "write one of"), (["install", "claude", "--json"], "write"),
            (["install", "claud"], "did you mean 'claude'"), (["install", "x"], "'zs install --list' names them"),
            (["uninstall"], "write zs uninstall"), (["install", "qwen", "--confine"], "lets no hook change a command"),
            (["install", "claude", "--profile", "x"], "--profile")):
        box.run_zs(*arguments).expect(exit=64, stdout="", stderr=re.compile(re.escape(message)))
    for agent in FILES:
        install(box, agent, "--confine").expect(exit=0 if agent in REWRITE else 64)


def listed(box, **options):
    lines = box.run_zs("install", "--list", "--json", **options).expect(stderr="").stdout.splitlines()
    return {(row["agent"], row["scope"]): row for row in map(json.loads, lines)}


@test()
def the_list_is_true(box):
    rows = listed(box)
    expect(len(rows) == 2 * len(FILES) - 1 and not any(row["hook"] != "none" or row["found"] for row in rows.values()),
        rows)
    # An agent from npm, with its version in a file beside the program.
    package = box.folder("npm/lib/gemini")
    write(box, package + "/package.json", b'{"name": "g", "version": "0.61.0"}')
    write(box, package + "/dist/index.js", b"#!/bin/sh\n", 0o755)
    os.symlink(package + "/dist/index.js", os.path.join(box.folder("npm/bin"), "gemini"))
    row = listed(box, add_env={"PATH": box.env["PATH"] + ":" + box.root + "/npm/bin"})["gemini", "user"]
    expect(row["found"] and row["version"] == "0.61.0", row)
    for agent in FILES:
        install(box, agent, "--profile", "verify", *(["--confine"] if agent in REWRITE else [])).expect()
        row = listed(box)[agent, "user"]
        want = "broken" if agent == "codex" else "active"
        expect((row["hook"], row["profile"], row["confine"], row["zs"], row["file"], row["found"]) == (want, "verify",
            agent in REWRITE, box.zs, path_of(box, agent), True), row)
    table = box.run_zs("install", "--list").expect(stderr="").stdout.splitlines()
    expect(len(table) == 1 + len(FILES) and re.search(r"^claude +yes +- +active +user +yes", table[1]), table)
    install(box, "claude", "--project").expect()
    expect(listed(box)["claude", "project"]["hook"] == "active", listed(box))


@test()
def the_list_tells_what_is_broken(box):
    def note(agent, state="broken", scope="user"):
        row = listed(box)[agent, scope]
        expect(row["hook"] == state, row)
        return row["note"]

    def edit(agent, old, new):
        path = path_of(box, agent)
        write(box, path, read(path).replace(old.encode(), new.encode()), 0o644)

    for agent in ("claude", "kimi", "kiro", "gemini"):
        install(box, agent).expect()
    for agent, old, new, what in (
            ("claude", box.zs, "/gone/zs", "/gone/zs No such file"), ("claude", box.zs, "zs", "not an absolute path"),
            ("claude", box.zs, box.key + "/../zs", "Not a directory"),
            ("claude", '"Bash"', '"Edit|Write"', "does not match the shell's tool, Bash"),
            ("claude", '"hooks": {', '"disableAllHooks": true,\n  "hooks": {', "turns the hook off"),
            ("claude", '"Bash"', '"Bas"', "does not match"), ("claude", '"Bash"', '"Ba|ash"', "does not match"),
            ("claude", '"timeout": 60', '"timeout": 60, "async": true', "go on without the answer"),
            ("claude", '"timeout": 60', '"timeout": 60, "if": "Bash(git *)"', "go on without the answer"),
            ("claude", '"type": "command"', '"type": "prompt"', "go on without the answer"),
            ("kiro", '"name": "zs"', '"name": "zs", "enabled": false', "turns the hook off"),
            ("kiro", '"PreToolUse"', '"PostToolUse"', "names another event"),
            ("kimi", '"Bash"', '"Write"', "does not match"), ("kimi", '"PreToolUse"', '"Stop"', "names another event"),
            ("gemini", '"hooks": {\n    "B', '"hooksConfig": {"enabled": false},\n  "hooks": {\n    "B',
                "turns the hook off")):
        kept = read(path_of(box, agent))
        edit(agent, old, new)
        if read(path_of(box, agent)) == kept or what not in note(agent):
            raise Failure("%s, %s: %s" % (agent, new, note(agent)))
        write(box, path_of(box, agent), kept)
        expect(not note(agent, "active"), note(agent, "active"))
    for matcher in ("Edit|Bash", "Edit, Bash", "^Bash$", "*", "Ba.*"):
        kept = read(path_of(box, "claude"))
        edit("claude", '"Bash"', '"%s"' % matcher)
        expect("differs from the hook of zs install" in note("claude", "active"), matcher)
        write(box, path_of(box, "claude"), kept)
    # A setting in one file turns off the hooks of another file.
    write(box, box.work + "/.claude/settings.local.json", b'{"disableAllHooks": true}')
    expect("settings.local.json" in note("claude"), note("claude"))
    os.remove(box.work + "/.claude/settings.local.json")
    edit("claude", '"timeout": 60', '"timeout": 1')
    expect("differs from the hook of zs install" in note("claude", "active"), note("claude", "active"))
    edit("claude", "zs hook claude", "zs hook claude --profile verify --confine --net none")
    expect("differs from the hook of zs install" in note("claude", "active"), note("claude", "active"))
    for more in ("|| true ||", "; true ||", ">/dev/null ||", "| cat ||", "&& true ||", "# ||", "$(true) ||"):
        kept = read(path_of(box, "claude"))
        edit("claude", "||", more)
        expect("does more than call zs" in note("claude"), more)
        write(box, path_of(box, "claude"), kept)
    write(box, path_of(box, "claude"), b"{")
    expect("line 1, column 2" in note("claude", "unknown"), note("claude", "unknown"))
    install(box, "cline").expect()
    os.chmod(path_of(box, "cline"), 0o644)
    expect("not executable" in note("cline"), note("cline"))
    install(box, "cline").expect(stdout=re.compile("^The hook of zs is in", re.M))
    expect(not note("cline", "active") and os.stat(path_of(box, "cline")).st_mode & 0o777 == 0o755,
        note("cline", "active"))
    # Codex trusts the file as config.toml says.
    install(box, "codex").expect(stdout=re.compile("^Still to do: .*not trusted.*/hooks", re.M))
    expect("not trusted" in note("codex"), note("codex"))
    write(box, box.home + "/.codex/config.toml", ('[hooks.state."%s:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n' %
        path_of(box, "codex")).encode())
    expect("you trusted this version" in note("codex", "active"), note("codex", "active"))


@test()
def a_zs_that_an_agent_can_replace(box):
    """A hook can only be trusted if no one else can change the program that it names."""
    for folder, prepare, what in (("home/project/bin", None, "it lies in this folder"),
            ("home/other/zig-out/bin", "home/other/.git", "it lies in the workspace %s/home/other" % box.root),
            ("open/bin", "open", "everyone can write in %s/open" % box.root)):
        zs = own_zs(box, folder)
        if prepare == "open":
            os.chmod(box.root + "/open", 0o1777)
        elif prepare:
            box.folder(prepare)
        result = box.run([zs, "install", "claude", "--yes", "--no-confine"]).expect(stderr=re.compile(
            "^zs: install: warning: %s: %s" % (re.escape(zs), re.escape(what)), re.M))
        row = listed(box)["claude", "user"]
        expect(row["hook"] == "active" and what in row["note"] and row["zs"] == zs, "%s: %s" % (result, row))
        doctor = box.run_zs("doctor").stdout
        expect("warning  Claude Code, user: active, but " + what in doctor, doctor)
    uninstall(box, "claude").expect()
    expect("Claude Code" not in box.run_zs("doctor").stdout, "a warning of nothing")


def is_no(agent, result):
    """A denial: exit code 2 with a text, even after other output of a broken zs; else the agent's own format."""
    return agent != "cline" and result.exit == 2 and result.stderr.strip() or reason_in(agent, result)


def command_lines(value):
    """All strings in the file that call zs hook."""
    if isinstance(value, str):
        return [value] if " hook " in value else []
    return [line for inner in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else [])
        for line in command_lines(inner)]


def as_the_agent_runs_it(box, agent, command):
    path = path_of(box, agent)
    if agent == "cline":
        argv = [path]
    elif agent == "kimi":
        line = re.search(r'^command = (".*")$', read(path).decode(), re.M).group(1)
        argv = ["sh", "-c", json.loads(line)]
    else:
        argv = ["sh", "-c", *command_lines(json.loads(read(path)))]
    return box.run(argv, stdin=event_of(box, RECORDED[agent], command).encode("utf-8").decode("latin-1"))


def own_zs(box, folder="own dir's"):
    """A copy of zs that a test can break, in a folder whose name needs quotes."""
    return box.own(shutil.copy(box.zs, box.folder(folder)))


def breakages(zs):
    """Makes zs fail to answer in each possible way."""
    for script in (None, "exit 1", "kill -9 $$", "kill -SEGV $$", "echo garbage; exit 3", "exit 127"):
        os.remove(zs)
        if script is not None:
            with open(zs, "w") as file:
                file.write("#!/bin/sh\n%s\n" % script)
            os.chmod(zs, 0o755)
        yield script
        if script is None:
            open(zs, "w").close()


@test()
def what_was_written_is_heard(box):
    zs = own_zs(box)
    for agent in FILES:
        if agent == "opencode":
            continue
        box.run([zs, "install", agent, "--yes", "--no-confine", "--profile", "verify"]).expect()
        allowed = as_the_agent_runs_it(box, agent, "ls").expect(exit=0, stderr="")
        expect(not is_no(agent, allowed), "%s: %s" % (agent, allowed))
        denied = as_the_agent_runs_it(box, agent, "rm -rf x")
        expect(is_no(agent, denied) and "write" in denied.stdout + denied.stderr, "%s: %s" % (agent, denied))
    # Without zs, or with one that fails.
    for script in breakages(zs):
        for agent in FILES:
            if agent != "opencode" and not is_no(agent, as_the_agent_runs_it(box, agent, "ls")):
                raise Failure("%s, %r: %s" % (agent, script, as_the_agent_runs_it(box, agent, "ls")))


def call_plugin(box, args, tool="bash"):
    module = os.path.join(box.work, "zs.mjs")  # Bun needs no such name
    shutil.copyfile(path_of(box, "opencode"), module)
    return box.run(["node", "--input-type=module", "-e", """
        const { ZsHook, ...others } = await import(process.argv[1]);
        if (Object.keys(others).length) throw new Error("opencode calls every export");
        const hooks = await ZsHook({ directory: process.cwd() });
        const output = { args: JSON.parse(process.argv[3]) }, args = output.args;
        try {
            await hooks["tool.execute.before"]({ tool: process.argv[2] }, output);
            console.log("runs", args === output.args, JSON.stringify(args));
        } catch (error) {
            console.log("thrown", error.message);
        }""", module, tool, json.dumps(args)])


@test(needs=["node"])
def the_plugin_of_opencode(box):
    zs = own_zs(box)
    box.run([zs, "install", "opencode", "--yes", "--no-confine", "--profile", "verify"]).expect()
    call_plugin(box, {"command": "ls", "description": "x"}).expect(
        stdout='runs true {"command":"ls","description":"x"}\n', stderr="")
    call_plugin(box, {"filePath": "x"}, "read").expect(stdout='runs true {"filePath":"x"}\n')
    call_plugin(box, {"command": "rm -rf x"}).expect(stdout=re.compile(r"^thrown zs: blocked \(write\)"))
    call_plugin(box, {"command": "ls", "workdir": "/"}).expect(stdout=re.compile(r"^thrown zs: blocked \(cd\)"))
    box.run([zs, "install", "opencode", "--yes", "--confine"]).expect()
    call_plugin(box, {"command": "ls", "description": "x"}).expect(
        stdout=re.compile(r"^runs true \{\"command\":\".* 'run' .* 'bash' .* 'ls'\",\"description\":\"x\"\}\n$"))
    for script in breakages(zs):
        call_plugin(box, {"command": "ls"}).expect(stdout=re.compile("^thrown zs: no answer from %s" % re.escape(zs)))


def random_text(random):
    """JSON with comments, in any layout, perhaps with a part of the path to our array."""
    crlf = random.choice(("\n", "\r\n"))

    def gap():
        return "".join(random.choice(("", " ", "\t", crlf, crlf + "  ", "/* { */", "// ] \"%s" % crlf))
            for _ in range(random.randrange(3)))

    def value(depth):
        kind = random.randrange(7 if depth < 3 else 4)
        if kind < 4:
            return random.choice(("1", "-2.5e3", "true", "null", '""', '"a\\"b // {"', '"\\\\"', "false"))
        if kind == 4:
            return array([value(depth + 1) for _ in range(random.randrange(4))])
        return members([(random.choice("abcd") + str(i), value(depth + 1)) for i in range(random.randrange(4))])

    def array(items):
        return "[" + gap() + ",".join(gap() + item + gap() for item in items) + "]"

    def members(pairs):
        return "{" + gap() + ",".join(gap() + '"%s"' % name + gap() + ":" + gap() + item + gap()
            for name, item in pairs) + "}"

    pairs = [("k%d" % i, value(1)) for i in range(random.randrange(3))]
    if random.randrange(3):
        inner = [("Stop", value(2))] if random.randrange(2) else []
        if random.randrange(2):
            inner.insert(random.randrange(len(inner) + 1), ("BeforeTool", array([value(2)
                for _ in range(random.randrange(3))])))
        pairs.insert(random.randrange(len(pairs) + 1), ("hooks", members(inner)))
    return random.choice(("", "\ufeff")) + gap() + members(pairs) + gap()


def without_comments(text):
    return re.sub(r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda match: match.group(1) or " ", text, flags=re.S)


@test()
def any_text_comes_back(box):
    """After the install the file has the same meaning as before, plus our hook."""
    path = path_of(box, "gemini")
    for seed in range(int(os.environ.get("ZS_TEST_TEXTS", "25"))):
        text = random_text(random.Random(seed))
        write(box, path, text.encode())
        before = json.loads(without_comments(text.lstrip("\ufeff")))
        install(box, "gemini").expect(stderr="")
        after = json.loads(without_comments(read(path).decode().lstrip("\ufeff")))
        ours = after["hooks"]["BeforeTool"].pop()
        if not command_lines(ours) or after != merge(before, {"hooks": {"BeforeTool": []}}):
            raise Failure("%d: %r became %r" % (seed, text, read(path)))
        uninstall(box, "gemini").expect(stderr="")
        expect(read(path) == text.encode(), "%d: %r came back as %r" % (seed, text, read(path)))


def merge(old, more):
    """old, with all that more has in addition."""
    if not isinstance(old, dict):
        return old
    return {name: merge(old[name], more.get(name, {})) if name in old else more[name]
        for name in list(old) + [name for name in more if name not in old]}


@test(needs=["counted-zs"])
def no_memory_is_no_half_of_a_file(box):
    """Each allocation fails once. The file is as before, or as it should be."""
    counted = counted_zs(box)
    for agent, old in (("claude", b'{\n  "a": [1, 2],\n  "hooks": {}\n}\n'),
            ("gemini", b'{\n\t// one\n\t"a": 1 // two\n}\n'), ("kimi", b'a = 1 # one\n')):
        path = write(box, path_of(box, agent), old)

        def run(environment):
            write(box, path, old)
            result = box.run([counted, "install", agent, "--yes", "--no-confine"], add_env=environment)
            return result.exit, read(path), result

        results = each_allocation_fails(box, run)
        code, new, result = next(results)
        expect(code == 0 and new != old, result)
        failures = 0
        for code, text, result in results:
            expect(text == (new if code == 0 else old), "%s: %s" % (text, result))
            failures += code != 0
        expect(failures != 0, "none of the failures was noticed")


@test()
def both_walls_are_the_default(box):
    """--confine is written where the agent lets a hook change a command. Elsewhere a line says what confines it."""
    for agent in FILES:
        result = box.run_zs("install", "--yes", agent).expect(exit=0)
        row, = [row for row in listed(box).values() if row["agent"] == agent and row["hook"] != "none"]
        expect(row["confine"] == (agent in REWRITE), "%s: %s" % (agent, row))
        expect(("so for both walls use zs mcp" in result.stdout) == (agent not in REWRITE), result)
        result = box.run_zs("install", "--yes", "--no-confine", agent).expect(exit=0)
        row, = [row for row in listed(box).values() if row["agent"] == agent and row["hook"] != "none"]
        expect(not row["confine"] and "an allowed command runs with all your rights" in result.stdout, result)
        box.run_zs("uninstall", "--yes", agent).expect(exit=0)
    box.run_zs("install", "--yes", "--confine", "--no-confine", "claude").expect(exit=64,
        stderr="zs: install: write one of --confine and --no-confine\n")
