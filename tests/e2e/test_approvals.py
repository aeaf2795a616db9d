"""zs run --ask: who is asked, what is shown, what an answer grants, and what does not count as an answer."""

import json
import os
import re

from harness import Changed, Failure, expect, read, test
from network import EVIL, GOOD, NEEDS, World
from processes import Terminal
from settings_files import user_settings

PROMPT = r"\[a\]lways\? $"


def runtime(box):
    """The environment of a session of its own."""
    return {"XDG_RUNTIME_DIR": box.folder("runtime", 0o700), "ZS_SESSION": "one", "TERM": "dumb"}


def asking(box, *args, env=None, enter=None):
    terminal = Terminal(box, [box.zs, "run", "--ask", *args], env=env or runtime(box), enter=enter)
    terminal.type("", PROMPT)
    return terminal


def finish(terminal, answer, exit):
    os.write(terminal.fd, answer.encode())
    code = terminal.end()
    expect(code == exit, "exit %d, not %d, after %r: %r" % (code, exit, answer, terminal.shown))
    return terminal.shown


def write(box):
    """The words for a command that needs more than its grants, and the check for its harm."""
    target = os.path.join(box.outside, "made")
    return ["--want-write", box.outside, "--", "sh", "-c", "echo x >" + target], Changed(box, target)


def alone(box, *args, **options):
    """Without a terminal."""
    return box.run_zs("run", "--ask", *args, start_new_session=True, add_env=runtime(box), **options)


@test(needs=["sandbox"])
def once_is_once(box):
    args, harm = write(box)
    finish(asking(box, *args), "o\n", 0)
    expect(harm(), "approved, and not written")
    harm.reset()
    finish(asking(box, *args), "d\n", 2)
    expect(not harm(), "denied, and written")


@test(needs=["sandbox"])
def whatever_is_no_answer_denies(box):
    for answers in (["d\n"], ["deny\n"], ["\n"], ["\x04"], ["\x03"], ["y\n", "yes\n", "allow\n"],
            ["x" * 300 + "o\n"], ["oo\n", "on\n", "s ession\n"], ["o\0\n"] * 3, ["x\n", "\x04"]):
        args, harm = write(box)
        terminal = asking(box, *args)
        for answer in answers[:-1]:
            terminal.type(answer, PROMPT)
        shown = finish(terminal, answers[-1], 2)
        expect(not harm() and "zs: ask: write: %s: denied" % box.outside in shown, "%r: %r" % (answers, shown))
    terminal = asking(box, "--ask-for", "1s", *write(box)[0])
    shown = finish(terminal, "", 2)
    expect(not harm() and "denied" in shown, "silence: %r" % shown)
    for words in (["--ask-for", "0"], ["--ask-for", "x"]):
        box.run_zs("run", "--ask", *words, "--", "true").expect(exit=64, stderr=["--ask-for"])


@test(needs=["sandbox"], slow=True)
def what_was_typed_before_is_no_answer(box):
    args, harm = write(box)
    script = 'read ready; sleep 1; exec "$@"'
    terminal = Terminal(box, ["/bin/sh", "-c", script, "sh", box.zs, "run", "--ask", "--ask-for", "3s", *args],
        env=runtime(box))
    os.write(terminal.fd, b"go\na\na\na\n")
    shown = finish(terminal, "", 2)
    expect(not harm() and "ways?" in shown, shown)


@test(needs=["sandbox", "bash"])
def nobody_is_asked_in_the_background(box):
    args, harm = write(box)
    script = 'set -m; "$@" & wait $!; echo "exit $?"'
    terminal = Terminal(box, ["/bin/bash", "-c", script, "sh", box.zs, "run", "--ask", *args], env=runtime(box))
    shown = finish(terminal, "o\n", 0)
    expect(not harm() and "exit 2" in shown and "in the background" in shown, shown)


@test(needs=["sandbox"])
def without_a_terminal(box):
    args, harm = write(box)
    result = alone(box, *args, stdin="o\na\n").expect(exit=2, stdout="", stderr=["no terminal to ask at",
        "--rw " + box.outside, '"write_paths"', box.home + "/.config/zs/settings.json"])
    expect(not harm(), result)
    alone(box, "--want-host", "a.example", "--want-git", "--want-all-hosts", "--want-all-writes", "--want-unsandboxed",
        "--", "true").expect(exit=2, stderr=["--host a.example", '"network_hosts"', "--git allow", "--net full",
        "--rw /", '"allow_unsandboxed"'])
    # zs does not ask for an item that is granted already.
    alone(box, "--want-write", box.work, "--", "sh", "-c", "echo x >new").expect()
    alone(box, "--rw", box.outside, *args).expect()
    alone(box, "--", "true").expect()
    box.run_zs("run", "--want-git", "--", "true").expect(exit=64, stderr=["add --ask"])
    alone(box, "--want-host", "a b", "--", "true").expect(exit=64, stderr=["a b"])
    alone(box, "--want-write", "", "--", "true").expect(exit=64, stderr=["path is empty"])


@test(needs=["sandbox"])
def what_is_shown_cannot_obey_or_lie(box):
    name = "a\n[d]eny\x1b[2K\u202e\"b\\\t\u00a0\u2800"
    escaped = "a\\n[d]eny\\x1b[2K\\u202e\\\"b\\\\\\t\\u00a0\\u2800"
    box.folder("outside/" + name)
    link = os.path.join(box.root, "link")
    os.symlink("outside/" + name, link)
    terminal = asking(box, "--want-write", link, "--", "true", "\x1b]0;x\x07", "\u202e")
    finish(terminal, "o\n", 0)
    terminal = asking(box, "--want-write", link, "--", "true", "\x1b]0;x\x07", "\u202e")
    shown = terminal.shown
    finish(terminal, "d\n", 2)
    for part in ("asked for  \"%s/link\"" % box.root,
            "this is    \"%s/outside/%s\"" % (box.root, escaped), "and all below it",
            "\"\\x1b]0;x\\x07\""):
        expect(part in shown, "%r is not in %r" % (part, shown))
    expect(not re.search("[\x00-\x08\x0b-\x0c\x0e-\x1f\u202e]", shown), "a control: %r" % shown)


def is_broad(box, option, value, text):
    """text: the expected message; None: no message."""
    terminal = asking(box, option, value, "--", "true")
    expect("BROAD: " + text in terminal.shown if text else "BROAD" not in terminal.shown,
        "%s: %r" % (value, terminal.shown))
    finish(terminal, "d\n", 2)


@test(needs=["sandbox"])
def what_is_broad_is_said(box):
    obeyed, keys = "a file that git, a shell or an agent obeys", "login keys"
    for path, text in (("/", "all files that you can write"), ("~", "your home folder"),
            (box.root, "your home folder"), ("/usr", "a whole system folder"),
            (box.file("home/.bashrc"), obeyed), (box.file("outside/.git/hooks/post-commit"), obeyed),
            (box.folder("outside/.claude"), obeyed), (box.home + "/.ssh", keys), (box.key, keys),
            (box.folder("outside/x.git"), None)):
        is_broad(box, "--want-write", path, text)
    # For a file that is to be made, zs shows and grants its folder.
    missing = os.path.join(box.outside, "new", "file")
    terminal = asking(box, "--want-write", missing, "--", "mkdir", "-p", missing)
    expect("is not there" in terminal.shown and "this is    \"%s\"" % box.outside in terminal.shown, terminal.shown)
    finish(terminal, "o\n", 0)
    expect(os.path.isdir(missing), "not made")
    alone(box, "--want-write", "/usr/../etc", "--", "true").expect(exit=64, stderr=["'..'"])


@test(needs=["sandbox"])
def broad_hosts_are_said(box):
    anybody, own = "everybody's names", "an address of this machine"
    for host, text in (("*.co.uk", anybody), ("*.github.io", anybody), ("*.s3.amazonaws.com", anybody),
            ("*.com.:443", "every name of a top-level domain"), ("127.0.0.1", own), ("[::1]:80", own),
            ("169.254.169.254", own), ("10.0.0.1", own), ("*.example.co.uk", None), ("*.me.github.io", None),
            ("github.io", None), ("*.example.uk", None), ("*.amazonaws.com.example", None), ("8.8.8.8", None)):
        is_broad(box, "--want-host", host, text)


@test(needs=["sandbox"])
def narrow_before_broad(box):
    terminal = asking(box, "--want-all-hosts", "--want-all-writes", "--want-host", "*.com", "--want-host", "A.Example.",
        "--want-write", box.outside, "--want-unsandboxed", "--", "true")
    order = []
    for _ in range(6):
        order.append(terminal.shown)
        terminal.type("o\n", PROMPT if len(order) < 6 else "")
    terminal.end()
    wanted = ['this is    "a.example"', 'this is    "%s"' % box.outside, 'this is    "*.com"', "connect to any host",
        "write all files", "run without any sandbox"]
    for have, want in zip(order, wanted):
        expect(want in have, "%r is not in %r" % (want, have))
    expect("BROAD: every name of a top-level domain" in order[2], order[2])


@test(needs=["sandbox"])
def a_session_remembers(box):
    args, harm = write(box)
    finish(asking(box, *args), "s\n", 0)
    harm.reset()
    path = os.path.join(box.root, "runtime", "zs", "session-one.json")
    for name, mode in ((path, 0o600), (os.path.dirname(path), 0o700)):
        expect(os.stat(name).st_mode & 0o7777 == mode, "%s: %o" % (name, os.stat(name).st_mode))
    # An approval counts with and without the request, but not without --ask, and not in another session.
    alone(box, *args).expect()
    alone(box, *args[2:]).expect()
    harm.reset()
    box.run_zs("run", *args[2:], add_env=runtime(box)).expect(exit=2)
    other = {**runtime(box), "ZS_SESSION": "two"}
    box.run_zs("run", "--ask", *args, add_env=other, start_new_session=True).expect(exit=2)
    box.run_zs("approvals", add_env=runtime(box)).expect(stdout="write %s\n" % box.outside)
    box.run_zs("approvals", "list", add_env=other).expect(stdout="")
    box.run_zs("approvals", "revoke", "write", box.outside, add_env=runtime(box)).expect()
    box.run_zs("approvals", "revoke", "write", box.outside, add_env=runtime(box)).expect(exit=1)
    box.run_zs("approvals", "revoke", "write", add_env=runtime(box)).expect(exit=64)
    box.run_zs("approvals", "revoke", "x", add_env=runtime(box)).expect(exit=64)
    alone(box, *args).expect(exit=2)
    # A path that has become a link is not the path that was approved.
    finish(asking(box, *args), "s\n", 0)
    os.rename(box.outside, box.outside + "-old")
    os.symlink(box.home, box.outside)
    alone(box, "--", "sh", "-c", "echo x >%s/made" % box.outside).expect(exit=2)
    expect(not os.path.exists(box.home + "/made"), "written through a link")


@test(needs=["sandbox", "bash"])
def a_terminals_session_is_its_leaders(box):
    args, harm = write(box)
    env = runtime(box)
    del env["ZS_SESSION"]
    script = '"$@"; ls "$XDG_RUNTIME_DIR/zs"; "$@" </dev/null && echo ag""ain; read done'
    terminal = Terminal(box, ["/bin/bash", "-c", script, "sh", box.zs, "run", "--ask", *args], env=env)
    terminal.type("", PROMPT)
    terminal.type("s\n", "again")
    expect(harm() and re.search(r"session-%d\.\d+\.json" % terminal.pid, terminal.shown), terminal.shown)
    terminal.type("\n", "")
    terminal.end()
    box.run_zs("approvals", add_env={k: v for k, v in env.items()}, start_new_session=True).expect(stdout="")
    expect(not os.listdir(box.root + "/runtime/zs"),
        "the leader has ended, and its file is there: %s" % os.listdir(box.root + "/runtime/zs"))


@test(needs=["sandbox"])
def always_is_in_the_settings(box):
    args, harm = write(box)
    settings = os.path.join(box.home, ".config/zs/settings.json")
    finish(asking(box, *args), "a\n", 0)
    if json.load(open(settings)) != {"sandbox": {"write_paths": [box.outside]}}:
        raise Failure(read(settings))
    expect(os.stat(settings).st_mode & 0o7777 == 0o600, "%o" % os.stat(settings).st_mode)
    box.run_zs("run", *args[2:]).expect()
    harm.reset()
    # The entry is added to those that are there; a link to the file stays a link.
    os.rename(settings, box.home + "/kept.json")
    os.symlink("../../kept.json", settings)
    terminal = asking(box, "--want-git", "--want-host", "a.example:443", "--", "true")
    terminal.type("a\n", PROMPT)
    finish(terminal, "a\n", 0)
    have = json.load(open(settings))
    expect(have == {"sandbox": {"write_paths": [box.outside], "network_hosts": ["a.example:443"],
        "allow_git_access": True}}, have)
    expect(os.path.islink(settings), "the link is gone")


HELLO = "hello from good"


def fetch(box, want, answer, exit, script):
    """At the terminal of the tests' network: was the requested host reached, as its answer shows?"""
    world = World.get()
    world.seen()
    terminal = asking(box, "--ro", world.ca, "--want-host", want, "--", "sh", "-c", script, enter=world.enter)
    shown = finish(terminal, answer, exit)
    reached = {entry[1] for entry in world.seen() if entry[0] == "web"}
    expect((HELLO in shown) == bool(reached) and not reached - {"good"},
        "%s, %r: reached %s: %r" % (script, answer, reached, shown))
    return bool(reached)


def fetch_unasked(box, script, *args):
    """The same at a terminal that belongs to no session."""
    world = World.get()
    world.seen()
    result = world.run(box, ["setsid", "--wait", box.zs, "run", *args, "--", "sh", "-c", script], add_env=runtime(box))
    reached = {entry[1] for entry in world.seen() if entry[0] == "web"}
    expect((HELLO in result.stdout) == ("good" in reached) and not reached - {"good"},
        "reached %s: %s" % (reached, result))
    return bool(reached)


@test(needs=NEEDS)
def an_approved_host_is_reached_and_a_denied_one_is_not(box):
    world = World.get()
    ways = ["curl -sSf http://%s/", "curl -sSf --noproxy '*' http://%s/",
        "curl -sSf --cacert " + world.ca + " https://%s/"]
    for way in ways:
        url = way % GOOD
        expect(world.run(box, ["sh", "-c", url]).stdout == HELLO + "\n", "control: " + url)
        for want, answer in ((GOOD, "o\n"), (GOOD.upper() + ".", "o\n"), ("*.test.example", "o\n")):
            expect(fetch(box, want, answer, 0, url), "%s, %r: approved, and not reached" % (url, want))
        for answer in ("d\n", "\x04"):
            expect(not fetch(box, GOOD, answer, 2, url), "%s, %r: denied, and reached" % (url, answer))
    # Only the item that was shown is approved.
    for want, url, exit in ((EVIL, ways[0] % GOOD, 22), (GOOD + ":443", ways[0] % GOOD, 22), (GOOD, ways[0] % EVIL, 22),
            (GOOD, ways[1] % EVIL, 6)):
        expect(not fetch(box, want, "o\n", exit, url), "%s: %s was approved" % (url, want))
    # An approval for one run leaves nothing behind.
    expect(not fetch_unasked(box, ways[0] % GOOD, "--ask") and not fetch_unasked(box, ways[0] % GOOD),
        "reached, and nobody was asked")


@test(needs=NEEDS)
def an_approved_host_lasts_as_long_as_it_was_approved_for(box):
    url, other = "curl -sSf http://%s/" % GOOD, "curl -sSf http://%s/" % EVIL
    expect(fetch(box, GOOD, "s\n", 0, url), "approved, and not reached")
    expect(fetch_unasked(box, url, "--ask") and fetch_unasked(box, url, "--ask", "--want-host", GOOD), "not remembered")
    # The approval covers no other host, no run without --ask, and no run of another session.
    for args in (["--ask", "--want-host", EVIL], ["--ask"]):
        expect(not fetch_unasked(box, other, *args), "%s: another host is reached" % args)
    expect(not fetch_unasked(box, url), "without --ask")
    box.run_zs("approvals", "revoke", "host", GOOD, add_env=runtime(box)).expect()
    expect(not fetch_unasked(box, url, "--ask"), "revoked, and reached")
    expect(fetch(box, GOOD, "a\n", 0, url) and fetch_unasked(box, url) and not fetch_unasked(box, other),
        "always, and not reached")


@test(needs=["sandbox"])
def always_is_offered_where_settings_count(box):
    """A policy file replaces the settings, so an answer that is kept in settings would be asked for at every run."""
    args, harm = write(box)
    policy = box.file("policy.json", box.run_zs("run", "--print-policy").expect(exit=0).stdout)
    for options in (["--policy", policy], ["--no-settings"]):
        terminal = Terminal(box, [box.zs, "run", "--ask", *options, *args], env=runtime(box))
        terminal.type("", r"\? $")
        expect("[d]eny, [o]nce, for this [s]ession? " in terminal.shown, terminal.shown)
        for _ in range(2):
            terminal.type("a\n", r"ession\? $")
        shown = finish(terminal, "always\n", 2)
        expect(not harm() and not os.path.exists(box.home + "/.config") and
            "to grant it: --rw %s\r\n" % box.outside in shown, shown)


@test(needs=["sandbox"])
def always_is_listed_with_its_place(box):
    path = user_settings(box, {"network_hosts": ["a.example"], "allow_git_access": True, "hide": ["~/x"],
        "allow_network": False, "allow_all_hosts": False, "linux": {"write_paths": [box.outside]}})
    args = ["approvals", "list"]
    finish(asking(box, "--want-write", box.root, "--", "true"), "s\n", 0)
    shown = box.run_zs(*args, add_env=runtime(box)).expect(exit=0, stderr="").stdout
    if shown != ("write %s\n\nAlways, by %s:\n  line 4     host a.example\n  line 6     git\n"
            "  line 14    write %s\n" % (box.root, path, box.outside)):
        raise Failure(shown)
    for words, line in ((["git"], 6), (["write", box.outside], 14)):
        box.run_zs("approvals", "revoke", *words, add_env=runtime(box)).expect(exit=1, stderr=[" ".join(words),
            "is granted always, by %s, line %d; remove that line" % (path, line)])
    box.run_zs("approvals", "revoke", "host", "b.example", add_env=runtime(box)).expect(exit=1, stderr=["neither"])
    box.file(path, "{")
    box.run_zs(*args, add_env=runtime(box)).expect(exit=65, stdout="write %s\n" % box.root, stderr=["settings.json"])


@test(needs=["sandbox"])
def settings_that_are_read_only_stay_as_they_are(box):
    args, harm = write(box)
    path = user_settings(box, {}, 0o444)
    shown = finish(asking(box, *args), "a\n", 65)
    expect(not harm() and json.load(open(path)) == {"sandbox": {}} and "is read-only" in shown, shown)


@test(needs=["sandbox"])
def settings_that_are_broken_stay_as_they_are(box):
    args, harm = write(box)
    settings = os.path.join(box.home, ".config/zs/settings.json")
    terminal = asking(box, *args)
    for text in ('{ "sandbox": { "write_paths": [ "/a", }', '{ "sandbox": { "write_pathz": [] } }', "x" * 70000):
        box.file("home/.config/zs/settings.json", text, 0o644)
        shown = finish(terminal, "a\n", 65) if terminal else ""
        terminal = None
        alone(box, *args).expect(exit=65)
        expect(not harm() and read(settings) == text and (not shown or "settings.json" in shown),
            "%r: %r" % (text[:40], shown))


@test(needs=["sandbox"])
def a_command_reaches_no_store(box):
    env = runtime(box)
    args, _ = write(box)
    finish(asking(box, *args), "s\n", 0)
    folder = os.path.join(env["XDG_RUNTIME_DIR"], "zs")
    harm = Changed(box, os.path.join(folder, "session-one.json"))
    for option in (["--rw", env["XDG_RUNTIME_DIR"]], ["--rw", folder], ["--rw", "/"]):
        script = "echo started; echo x >{0}/session-one.json || mv {0} {0}-old || ln -s x {0}/new".format(folder)
        result = box.run_zs("run", *option, "--", "sh", "-c", script, add_env=env)
        left = os.listdir(folder)
        expect(result.exit != 0 and result.stdout.startswith("started") and not harm() and left == ["session-one.json"],
            "%s: %s" % (option, result))
    # The folder for approvals without XDG_RUNTIME_DIR, where the command sees the machine's temporary folder too.
    uid = os.geteuid() if box.user.uid is None else box.user.uid
    for tmp in ([], ["--tmp", "shared"]):
        box.run_zs("run", *tmp, "--", "sh", "-c", "echo x >/tmp/zs-%d/session-planted.json" % uid).expect(exit=2)
    expect("session-planted.json" not in os.listdir("/tmp/zs-%d" % uid), "planted")
    # Not even the person who is asked can grant it.
    box.folder("home/.config/zs")
    for path in (folder, folder + "/session-one.json", folder + "/new", box.home + "/.config/zs/settings.json"):
        alone(box, "--want-write", path, "--", "true").expect(exit=2, stderr=["holds the approvals"])
    # An approved tree does not include it, even if it does not exist yet.
    terminal = asking(box, "--want-write", "~", "--", "sh", "-c", "echo x >~/made; echo x >~/.config/zs/settings.json")
    expect("BROAD" in terminal.shown, terminal.shown)
    finish(terminal, "o\n", 2)
    expect(os.path.exists(box.home + "/made") and not os.path.exists(box.home + "/.config/zs/settings.json"),
        "home %s, settings %s" % (os.listdir(box.home), os.listdir(box.home + "/.config/zs")))


@test(needs=["sandbox", "bash"])
def bash_asks_what_it_has_vetted(box):
    target = os.path.join(box.outside, "made")
    words = [box.zs, "bash", "--ask", "--want-write", box.outside, "-c"]
    terminal = Terminal(box, [*words, "touch %s" % target], env=runtime(box))
    terminal.type("", PROMPT)
    expect('"touch %s"' % target in terminal.shown, terminal.shown)
    finish(terminal, "o\n", 0)
    expect(os.path.exists(target), "approved, and not written")
    # A blocked item is not asked for.
    terminal = Terminal(box, [*words, "cd / && touch x"], env=runtime(box))
    shown = finish(terminal, "", 2)
    expect("blocked (cd)" in shown and "ways?" not in shown, shown)


@test(needs=["sandbox"])
def unsandboxed_is_asked_for_or_not_done(box):
    read = ["--", "cat", box.key]
    shown = finish(asking(box, "--want-unsandboxed", *read), "s\n", 0)
    expect("SECRET" in shown, shown)
    # An approval for the session still counts only for a run that asks.
    alone(box, *read).expect(exit=1, stdout="")
    alone(box, "--want-unsandboxed", *read).expect(stdout="SECRET KEY\n")
    alone(box, "--want-unsandboxed", "--", "no-such-program").expect(exit=127)
    alone(box, "--want-unsandboxed", "--verify", *read).expect(exit=64)
    # An entry of the user's settings is no request of a command.
    box.run_zs("approvals", "revoke", "unsandboxed", add_env=runtime(box)).expect()
    alone(box, "--want-unsandboxed", *read).expect(exit=2)
    user_settings(box, {"allow_unsandboxed": True})
    alone(box, "--want-unsandboxed", *read).expect(stdout="SECRET KEY\n")
    alone(box, *read).expect(exit=1, stdout="")
    # A policy that cannot be enforced is refused, and nobody is asked.
    alone(box, "--want-write", box.work, "--rw", box.root + "/none", "--socket", box.key, "--without", "sockets",
        *read).expect(exit=125, stderr=["it is not a socket"])
