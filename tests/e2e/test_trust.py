"""zs trust: the question, the stored answer, and the effect of a damaged store."""

import hashlib
import json
import os
import re
import threading

from harness import expect, read, test
from processes import Terminal
from settings_files import entries, project_settings, trust

PROMPT = r"\[y/N\] $"
ASKS = {"allow_network": True, "write_paths": ["sub", "{outside}"], "linux": {"network_hosts": ["a.example"]}}


def asks(box, **more):
    settings = json.loads(json.dumps(dict(ASKS, **more)).replace("{outside}", box.outside))
    return project_settings(box, settings)


def store(box):
    return os.path.join(box.home, ".local/state/zs/trust")


def is_trusted(box, workspace=None, **options):
    """Checks the effect of trust, not the message of zs."""
    more = ["--workspace", workspace] if workspace else []
    return ("write", box.outside) in entries(box, *more, **options)


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def at_a_terminal(box, answer, *arguments):
    """Returns (exit code, output). answer: None if zs must not ask."""
    terminal = Terminal(box, [box.zs, "trust", *arguments])
    shown = ""
    if answer is not None:
        terminal.type("", PROMPT)
        shown = terminal.shown
        terminal.shown = ""
        os.write(terminal.fd, answer)
    code = terminal.end()
    return code, (shown + terminal.shown).replace("\r", "")


@test()
def it_shows_every_entry_and_asks(box):
    path = asks(box)
    digest = digest_of(path)
    for answer, code in ((b"n\n", 1), (b"\n", 1), (b"yess\n", 1), (b"\x04", 1), (b"Y\n", 1), (b"y\n", 0)):
        exit_code, shown = at_a_terminal(box, answer)
        for part in ("line 3 ", "sandbox.allow_network", "sandbox.write_paths", box.outside, box.work + "/sub",
                "(granted already)", "sandbox.network_hosts", '"a.example"', "SHA-256 " + digest, "[y/N]"):
            expect(part in shown, "no %r in %s" % (part, shown))
        expect(exit_code == code and is_trusted(box) is (code == 0), "%r: %d: %s" % (answer, exit_code, shown))
    exit_code, shown = at_a_terminal(box, None)
    expect(exit_code == 0 and "It is trusted.\n" in shown and "[y/N]" not in shown, shown)


@test()
def what_was_typed_before_is_no_yes(box):
    asks(box)
    script = 'read ready; sleep 1; exec "$@"'
    terminal = Terminal(box, ["/bin/sh", "-c", script, "sh", box.zs, "trust"])
    os.write(terminal.fd, b"go\ny\ny\n")
    terminal.type("", PROMPT)
    os.write(terminal.fd, b"\x04")
    code = terminal.end()
    expect(code == 1 and not is_trusted(box), "%d: %s" % (code, terminal.shown))


@test()
def what_is_shown_is_what_is_asked_for(box):
    """The question shows the target of a path, quotes a name that looks like zs's own text, and shows the amount."""
    os.symlink(box.home + "/.ssh", os.path.join(box.root, "docs"))
    paths = [box.root + "/docs", "~/x  (granted already)", "~/a\\n\t\u00a0b"]
    project_settings(box, {"additional_read_only_paths": paths})
    code, shown = at_a_terminal(box, b"\x04")
    for part in ('"%s/docs"\n' % box.root, 'which is "%s/.ssh"\n' % box.home, '"%s/x  (granted already)"\n' % box.home,
            '"%s/a\\\\n\\t\\u00a0b"' % box.home, "Trust all 3 entries, in this folder, until the file changes? "):
        expect(part in shown, "no %r in %r" % (part, shown))
    project_settings(box, {"allow_network": True})
    code, shown = at_a_terminal(box, b"\x04")
    expect("Trust this 1 entry, in this folder, " in shown, shown)
    # A line that is meant for a shell does only what it says there.
    other = box.folder("home/a'b; $(touch made)")
    project_settings(box, {"allow_network": True}, other)
    for words in (["trust", other], ["run", "--workspace", other, "--", "true"]):
        result = box.run_zs(*words)
        expect(" '%s/a'\\''b; $(touch made)'\n" % box.home in result.stderr, result)


@test()
def without_a_terminal_it_takes_the_hash(box):
    path = asks(box)
    digest = digest_of(path)
    box.run_zs("trust").expect(exit=1, stdout=re.compile("SHA-256 %s\n" % digest), stderr="zs: trust: there is "
        "no terminal to ask at; run: zs trust --hash %s %s\n" % (digest, box.work))
    for wrong in ("", "0" * 64, digest[:-1], digest.upper(), digest + " "):
        box.run_zs("trust", "--hash", wrong).expect(exit=1, stderr=re.compile("read the file again"))
    expect(not is_trusted(box) and not os.path.exists(store(box)), "trusted")
    box.run_zs("trust", "--hash", digest, "../project").expect(exit=0, stderr="")
    expect(is_trusted(box) and os.stat(store(box)).st_mode & 0o777 == 0o600, "not trusted")
    with open(store(box)) as file:
        expect(json.load(file) == {"version": 1, "trusted": {box.work: digest}}, "store")
    expect(os.stat(os.path.dirname(store(box))).st_mode & 0o777 == 0o700, "the folder is open")


@test()
def a_changed_file_asks_again(box):
    path = asks(box)
    trust(box)
    text = read(path)
    for change in (text + " ", text.replace("true", "true "), text.replace(box.outside, box.outside + "/x")):
        box.file(path, change)
        expect(not is_trusted(box), change)
        box.run_zs("run", "--print-policy").expect(exit=0, stderr=re.compile("left out 3 entries"))
    box.file(path, text)
    expect(is_trusted(box), "the same bytes again")
    # The same bytes in another place are not trusted.
    other = box.folder("home/other")
    project_settings(box, text, other)
    expect(not is_trusted(box, other), "elsewhere")
    os.rename(box.work, box.home + "/moved")
    os.rename(other, box.work)
    expect(is_trusted(box), "it is the place and the bytes that are trusted")
    os.rename(box.work, other)
    os.rename(box.home + "/moved", box.work)


@test()
def a_link_to_the_workspace_is_the_workspace(box):
    asks(box)
    link = box.home + "/link"
    os.symlink(box.work, link)
    trust(box, link)
    expect(is_trusted(box) and is_trusted(box, link), "not trusted")
    # A link that leads elsewhere now is no longer trusted.
    other = box.folder("home/other")
    project_settings(box, read(box.work + "/.zs/settings.json"), other)
    os.remove(link)
    os.symlink(other, link)
    expect(not is_trusted(box, link), "trusted by the link's name")


@test()
def list_and_revoke(box):
    box.run_zs("trust", "--list").expect(exit=0, stdout="", stderr="")
    path = asks(box)
    digest = digest_of(path)
    trust(box)
    for state in ("trusted", "changed", "gone"):
        box.run_zs("trust", "--list").expect(exit=0, stdout="%-10s  %s  %s\n" % (state, digest, box.work))
        listed = json.loads(box.run_zs("trust", "--list", "--json").expect(exit=0).stdout)
        expect(listed == {"workspace": box.work, "sha256": digest, "state": state}, listed)
        if state == "trusted":
            asks(box, hide=["x"])
        elif state == "changed":
            os.remove(path)
    asks(box)
    expect(is_trusted(box), "not trusted")
    box.run_zs("trust", "--revoke").expect(exit=0, stdout="", stderr="")
    expect(not is_trusted(box), "trusted")
    box.run_zs("trust", "--revoke", box.work).expect(exit=1, stderr="zs: trust: %s: was not trusted\n" % box.work)


@test()
def nothing_to_trust(box):
    box.run_zs("trust").expect(exit=0, stdout="There is no .zs/settings.json, so there is nothing to trust.\n")
    project_settings(box, {"hide": ["x"]})
    box.run_zs("trust").expect(exit=0, stdout=re.compile("asks for nothing beyond your own settings"))
    expect(not os.path.exists(store(box)), "a store was made")


@test()
def a_spoilt_store_trusts_nothing(box):
    path = asks(box)
    trust(box)
    digest = digest_of(path)
    good = '{"version": 1, "trusted": {"%s": "%s"}}' % (box.work, digest)
    for text, message in (("", "is empty"), ("{", "line 1: "), ("[]", "is not an object"), ("x" * (1 << 20) + "x",
            "more than 1048576 bytes"), ('{"version": 2, "trusted": {}}', "version: is not 1"),
            ('{"trusted": {}}', "version: is missing"), (good.replace('"trusted"', '"trust"'), "unknown key"),
            (good.replace(digest, digest[1:]), "is not a SHA-256"),
            (good.replace(digest, digest.upper()), "is not a SHA-256"),
            (good.replace("}}", ', "x": "%s"}}' % digest), "is not absolute"),
            (good.replace("}}", ', "%s": "%s"}}' % (box.work, digest)), "duplicate key")):
        box.file(store(box), text, 0o600)
        expect(not is_trusted(box), text[:200])
        box.run_zs("run", "--print-policy").expect(exit=0, stderr=re.compile(
            r"^zs: trust: .*%s.*\nzs: settings: .*left out 3 entries" % re.escape(message)))
        box.run_zs("trust", "--hash", digest).expect(exit=65, stderr=re.compile(re.escape(message)))
        box.run_zs("trust", "--list").expect(exit=65, stderr=re.compile(re.escape(message)))
        box.run_zs("trust", "--revoke").expect(exit=65, stderr=re.compile(re.escape(message)))
    box.file(store(box), good, 0o600)
    expect(is_trusted(box), "control: not trusted")
    for mode in (0o640, 0o604, 0o620, 0o666):
        os.chmod(store(box), mode)
        expect(not is_trusted(box), "%o" % mode)
        box.run_zs("run", "--print-policy").expect(exit=0,
            stderr=re.compile("is open to other users; it must have mode 0600"))
    os.chmod(store(box), 0o600)
    if os.geteuid() == 0:
        os.chown(store(box), 12345, 12345)
        expect(not is_trusted(box), "somebody else's")
    os.remove(store(box))
    os.symlink(box.file("good", good, 0o600), store(box))
    expect(not is_trusted(box), "a link")
    os.remove(store(box))
    os.mkfifo(store(box), 0o600)
    expect(not is_trusted(box), "a pipe")


@test(needs=["sandbox"])
def a_confined_command_cannot_trust(box):
    path = asks(box)
    attack = "%s trust --hash %s ." % (box.zs, digest_of(path))
    box.run_zs("run", "--ro", os.path.dirname(box.zs), "--", "sh", "-c", attack)
    expect(not is_trusted(box), "it trusted itself")
    box.run_zs("run", "--ro", os.path.dirname(box.zs), "--rw", box.home, "--", "sh", "-c", attack)
    expect(not is_trusted(box), "it trusted itself")
    box.folder(os.path.dirname(store(box)), 0o700)
    box.run_zs("run", "--ro", os.path.dirname(box.zs), "--rw", box.home, "--", "sh", "-c", attack)
    expect(not is_trusted(box), "it trusted itself")
    control = box.run(["sh", "-c", attack]).expect(exit=0)
    expect(is_trusted(box), "control: %s" % control)


@test(needs=["sandbox"])
def a_trusted_file_leaves_verify_as_it_is(box):
    project_settings(box, {"write_paths": ["sub", ".git", box.outside]})
    box.folder("home/project/sub")
    box.folder("home/project/.git")
    trust(box)
    result = box.run_zs("run", "--verify", "--", "sh", "-c", "touch sub/x .git/x; touch %s/x" % box.outside).expect()
    expect(not os.path.exists(box.work + "/sub/x") and not os.path.exists(box.work + "/.git/x"), result)
    expect(os.path.exists(box.outside + "/x"), "control: %s" % result)


@test()
def many_at_once(box):
    """Each process reads, changes and replaces the store under a lock."""
    folders = []
    for i in range(12):
        folder = box.folder("many/%d" % i)
        project_settings(box, {"allow_network": True}, folder)
        folders.append((folder, digest_of(folder + "/.zs/settings.json")))
    threads = [threading.Thread(target=lambda f=f, d=d: box.run_zs("trust", "--hash", d, f).expect())
        for f, d in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open(store(box)) as file:
        expect(json.load(file)["trusted"] == dict(folders), "some are lost")
    expect(os.listdir(os.path.dirname(store(box))) == ["trust"], os.listdir(os.path.dirname(store(box))))


@test(once=True)
def usage(box):
    for arguments in (["a", "b"], ["--list", "a"], ["--list", "--revoke"], ["--hash", "x", "--list"], ["--json"],
            ["--hash", "x", "--revoke", "a"]):
        box.run_zs("trust", *arguments).expect(exit=64, stdout="", stderr=re.compile("words do not go together"))
