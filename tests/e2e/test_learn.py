"""zs learn: the smallest settings with which a command passes, by the rules of cmd/learn/learn_rules.h; secrets are
told, and not proposed; nothing is written without a yes."""

import contextlib
import http.server
import json
import os
import pty
import shutil
import subprocess
import threading

from harness import Changed, expect, read, test
from learning import breaks_without_each, learn, script, settings_of, tree
from settings_files import user_settings

NEEDS = ["sandbox"]


def a_build(box):
    """A cache that is read, one that is written, a tool, a variable."""
    for name in ("one", "two"):
        box.file("home/.store/repository/%s/a.jar" % name, "jar\n")
    box.folder("home/odd/cache")
    shutil.copy("/bin/true", box.folder("home/.local/share/tool/bin") + "/tool")
    os.chmod(box.home + "/.local/share/tool/bin/tool", 0o755)
    box.own(box.home + "/.local/share/tool/bin/tool")
    return ("cat ~/.store/repository/one/a.jar ~/.store/repository/two/a.jar\n"
        "mkdir -p ~/odd/cache/new\necho y >~/odd/cache/new/y\ntest \"$MODE\" = fast\n~/.local/share/tool/bin/tool\n"
        "echo built >out\n")


MODE = {"add_env": {"MODE": "fast", "OTHER": "1"}}


@test(needs=NEEDS)
def the_smallest_settings_are_learned(box):
    text = a_build(box)
    entries, refused, end, result = learn(box, text, "--yes", **MODE)
    expect(entries == {("--ro", box.home + "/.store/repository"), ("--rw", box.home + "/odd/cache"),
        ("--exec", box.home + "/.local/share/tool/bin/tool"), ("--env", "MODE")}, entries, result)
    expect(not refused and end["passes"] and end["written"], result)
    expect(settings_of(box) == {"additional_read_only_paths": ["~/.store/repository"],
        "additional_read_write_paths": ["~/odd/cache"], "additional_executable_paths": ["~/.local/share/tool/bin/tool"],
        "additional_env_vars": ["MODE"]}, settings_of(box))
    # The changes to the workspace are gone.
    expect(not os.path.exists(box.work + "/out"), "the workspace has changed")
    expect(breaks_without_each(box, lambda: shutil.rmtree(box.home + "/odd/cache/new", True), **MODE) == 4, "entries")
    # All is granted now.
    entries, _, end, result = learn(box, text, **MODE)
    expect(not entries and end["runs"] == 1 and end["passes"] and not end["written"], result)


@test(needs=NEEDS)
def nothing_is_written_without_a_yes(box):
    text = a_build(box)
    script(box, text)
    before = tree(box.home)
    result = box.run_zs("learn", "--", "sh", "build.sh", **MODE).expect(exit=1, stderr=["no terminal to ask at"],
        stdout=["+++ %s/.config/zs/settings.json" % box.home, '+    "additional_read_write_paths": ["~/odd/cache"]'])
    expect("build.sh" not in result.stdout, result)
    after = tree(box.home)
    named = (box.home + "/odd/cache", box.home + "/.local/state", box.home + "/.cache")
    changed = [path for path in before.keys() | after.keys() if before.get(path, 0) != after.get(path, 0) and
        not path.startswith(named)]
    # The preset makes the caches of the tools that this machine has.
    changed = [path for path in changed if path in before or os.path.isfile(path)]
    made = (".cargo", ".npm", ".m2", "go")
    expect(not [path for path in changed if os.path.relpath(path, box.home).split("/")[0] not in made], changed)


def at_terminal(box, answer, *words, **more):
    """zs with a terminal of its own, at which somebody types."""
    pid, terminal = pty.fork()
    if pid == 0:
        if box.user.uid is not None:
            os.setgroups([])
            os.setgid(box.user.uid)
            os.setuid(box.user.uid)
        os.chdir(box.work)
        os.execve(box.zs, [box.zs, *words], {**box.env, **more})
    shown = b""
    asked = False
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 4096):
            shown += part
            if b"[y/N] " in shown and not asked:
                asked = True
                os.write(terminal, answer)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode("latin-1")


@test(needs=NEEDS)
def the_person_is_asked(box):
    script(box, a_build(box))
    words = ("learn", "--", "sh", "build.sh")
    exit, shown = at_terminal(box, b"n\n", *words, MODE="fast")
    expect(exit == 1 and "nothing was changed" in shown and "Make this change?" in shown, exit, shown)
    expect(not os.path.exists(box.home + "/.config/zs/settings.json"), shown)
    shutil.rmtree(box.home + "/odd/cache/new")
    exit, shown = at_terminal(box, b"y\n", *words, MODE="fast")
    expect(exit == 0 and "passes under these settings" in shown, exit, shown)
    expect(settings_of(box)["additional_read_write_paths"] == ["~/odd/cache"], shown)


@test(needs=NEEDS)
def settings_that_exist_keep_their_text(box):
    path = user_settings(box, '{\n  // mine\n  "sandbox": { "additional_read_only_paths": ["~/other"] }\n}\n'.replace(
        "  // mine\n", ""))
    box.folder("home/other")
    box.file("home/.store/repository/one/a.jar", "jar\n")
    learn(box, "cat ~/.store/repository/one/a.jar", "--yes")
    expect(json.loads(read(path))["sandbox"] == {"additional_read_only_paths":
        ["~/other", "~/.store/repository/one"]}, read(path))


@test(needs=NEEDS)
def out_writes_a_file_of_its_own(box):
    script(box, a_build(box))
    os.mkdir(box.work + "/.zs")
    box.own(box.work + "/.zs")
    box.run_zs("learn", "--out", ".zs/settings.json", "--", "sh", "build.sh", **MODE).expect(exit=0,
        stdout=["+++ .zs/settings.json"])
    expect(not os.path.exists(box.home + "/.config/zs/settings.json"), "the user's settings were written")
    box.run_zs("policy", "check", ".zs/settings.json").expect(exit=0)
    # As a project's settings it counts once it is trusted.
    box.run_zs("run", "sh", "build.sh", **MODE).expect(exit=1)
    digest = box.run_zs("trust", box.work).expect(exit=1).stdout.split("SHA-256 ")[1].strip()
    box.run_zs("trust", "--hash", digest, box.work).expect(exit=0)
    box.run_zs("run", "sh", "build.sh", **MODE).expect(exit=0)
    # A file that exists is not replaced.
    before = Changed(box, box.work + "/.zs/settings.json")
    box.run_zs("learn", "--out", ".zs/settings.json", "--", "sh", "build.sh").expect(exit=64, stderr=["exists"])
    expect(not before(), "the file was replaced")


# Secrets and places that are never proposed


@test(needs=NEEDS)
def a_secret_is_told_and_not_proposed(box):
    box.file("home/.store/repository/one/a.jar", "jar\n")
    box.file("home/.aws/credentials", "SECRET\n")
    entries, refused, end, result = learn(box, "cat ~/.store/repository/one/a.jar\ncat ~/.ssh/id_ed25519 || :\n"
        "cat ~/.aws/credentials || :\n", "--yes")
    expect(entries == {("--ro", box.home + "/.store/repository/one")} and end["passes"], result)
    expect(refused == {box.key: "keys", box.home + "/.aws/credentials": "cloud credentials"}, refused)
    expect("SECRET" not in result.stdout + result.stderr, result)
    text = box.run_zs("learn", "--", "sh", "build.sh").expect(exit=0).stdout
    expect("Refused, not proposed:\n" in text and "read %s: keys; --ro" % box.key in text, text)


@test(needs=NEEDS)
def a_build_that_needs_a_secret_gets_no_entry(box):
    box.file("home/.store/repository/one/a.jar", "jar\n")
    before = tree(box.home + "/.ssh")
    entries, refused, end, result = learn(box, "cat ~/.store/repository/one/a.jar\ncat ~/.ssh/id_ed25519\n", "--yes",
        exit=1)
    expect(not entries and not end["passes"] and not end["written"] and refused == {box.key: "keys"}, result)
    expect("still fails" in result.stderr and tree(box.home + "/.ssh") == before, result)
    expect(not os.path.exists(box.home + "/.config/zs/settings.json"), result)
    # The person who grants it learns the rest.
    entries, refused, end, result = learn(box, "cat ~/.store/repository/one/a.jar\ncat ~/.ssh/id_ed25519\n", "--ro",
        box.key, exit=1)
    expect(entries == {("--ro", box.home + "/.store/repository/one")} and end["passes"] and not refused, result)


def refuses(box, text, what, reason, prepare=None):
    entries, refused, end, result = learn(box, text, "--yes", exit=1)
    expect(not entries and not end["written"], text, result)
    expect(reason in refused.get(what, "nothing"), text, what, refused, result)


@test(needs=NEEDS)
def no_folder_holds_a_secret(box):
    """The folder of a file becomes the grant, unless a secret lies in it: then the file stays alone."""
    box.file("home/.tool/alone", "x\n")
    box.file("home/.other/beside", "x\n")
    box.file("home/.other/credentials.toml", "SECRET\n")
    box.file("home/.env-like/data", "x\n")
    box.file("home/.env-like/sub/.env", "SECRET\n")
    box.file("home/.docker/config", "x\n")
    box.folder("home/.m2/repository")
    box.file("home/.m2/toolchains.xml", "x\n")
    entries, refused, _, result = learn(box, "cat ~/.tool/alone ~/.other/beside ~/.env-like/data ~/.m2/toolchains.xml\n"
        "cat ~/.docker/config || :\n", exit=1)
    expect(entries == {("--ro", box.home + name) for name in ("/.tool", "/.other/beside", "/.env-like/data",
        "/.m2/toolchains.xml")}, entries, result)
    expect(refused == {box.home + "/.docker/config": "registry tokens"}, refused)


@test(needs=NEEDS)
def a_link_to_a_secret_is_a_secret(box):
    os.symlink(box.key, box.folder("home/.tool") + "/way")
    box.file("home/.tool/data", "x\n")
    entries, refused, _, result = learn(box, "cat ~/.tool/data\ncat ~/.tool/way || :\n", exit=1)
    expect(entries == {("--ro", box.home + "/.tool")} and refused == {box.key: "keys"}, entries, refused, result)


@test(needs=NEEDS)
def places_that_are_never_written(box):
    box.file("home/.bashrc", "\n")
    box.file("home/.gitconfig", "\n")
    for name in (".config", ".local/state", "bin"):
        box.folder("home/" + name)
    refuses(box, "echo >>~/.bashrc", box.home + "/.bashrc", "obeys it")
    refuses(box, "echo >>~/.gitconfig", box.home + "/.gitconfig", "obeys it")
    refuses(box, "echo >~/.config/file", box.home + "/.config/file", "")
    refuses(box, "echo >~/.local/state/file", box.home + "/.local/state/file", "share this folder")
    refuses(box, "echo >~/bin/file", box.home + "/bin/file", "share this folder")
    refuses(box, "mkdir ~/.fresh", box.home + "/.fresh", "make this folder yourself")
    expect(not os.path.exists(box.home + "/.fresh"), "it was made")
    if box.user.is_root:
        refuses(box, "echo >/usr/zs-learn-test", "/usr/zs-learn-test", "system")


@test(needs=NEEDS)
def what_the_user_hides_stays_hidden(box):
    box.file("home/.store/repository/one/a.jar", "jar\n")
    user_settings(box, {"additional_read_only_paths": ["~/.store"], "hide": ["~/.store/repository/one"]})
    refuses(box, "cat ~/.store/repository/one/a.jar", box.home + "/.store/repository/one/a.jar", "on purpose")


@test(needs=NEEDS)
def two_folders_become_one_only_by_the_rules(box):
    for name in ("a/x", "b/x"):
        box.file("home/plain/" + name, "x\n")
        box.file("home/.one/" + name, "x\n")
        box.file("home/.config/" + name, "x\n")
    for kind, want in (("plain", {"/plain/a", "/plain/b"}), (".one", {"/.one"}), (".config", {"/.config/a",
            "/.config/b"})):
        entries, _, _, result = learn(box, "cat ~/%s/a/x ~/%s/b/x" % (kind, kind), exit=1)
        expect(entries == {("--ro", box.home + path) for path in want}, kind, entries, result)


@test(needs=[*NEEDS, "gcc"])
def the_libraries_of_a_program_come_with_it(box):
    """Compilers have theirs in $ORIGIN/../lib."""
    for name in ("bin", "lib"):
        box.folder("home/.tool/" + name)
    box.file("outside/l.c", "int f(void) { return 0; }\n")
    box.file("outside/p.c", "int f(void);\nint main(void) { return f(); }\n")
    for argv in (["-shared", "-fPIC", "-o", box.home + "/.tool/lib/libl.so", "l.c"], ["-o", box.home + "/.tool/bin/p",
            "p.c", "-L" + box.home + "/.tool/lib", "-ll", "-Wl,-rpath,$ORIGIN/../lib"]):
        subprocess.run(["gcc", *argv], cwd=box.outside, check=True)
        box.own(argv[argv.index("-o") + 1])
    entries, _, _, result = learn(box, "~/.tool/bin/p", exit=1)
    expect(entries == {("--exec", box.home + "/.tool/bin/p")}, entries, result)


# A command that no longer fails without a grant, once its cache is full


@test(needs=NEEDS)
def a_source_stays_beside_a_cache(box):
    """As go and npm: the command still asks for the package, is refused, and takes its cache."""
    box.folder("home/odd/cache")
    box.file("home/source/a.pkg", "x\n")
    text = ("echo >~/odd/cache/lock\ncat ~/source/a.pkg >~/odd/cache/new && mv ~/odd/cache/new ~/odd/cache/a.pkg || :\n"
        "cat ~/odd/cache/a.pkg\n")
    entries, _, _, result = learn(box, text, "--yes")
    expect(entries == {("--ro", box.home + "/source/a.pkg"), ("--rw", box.home + "/odd/cache")}, entries, result)

    def clean():
        for name in os.listdir(box.home + "/odd/cache"):
            os.remove(box.home + "/odd/cache/" + name)

    expect(breaks_without_each(box, clean) == 2, "entries")


@test(needs=NEEDS)
def a_folder_on_the_way_is_not_granted(box):
    """As java and php, which look at each folder of a path: ~/odd is visible once a folder in it is granted."""
    box.folder("home/odd/cache")
    box.file("home/odd/dep/file", "x\n")
    text = "stat ~/odd >/dev/null && cat ~/odd/dep/file && echo >~/odd/cache/x\n"
    entries, _, _, result = learn(box, text, "--yes")
    expect(entries == {("--ro", box.home + "/odd/dep"), ("--rw", box.home + "/odd/cache")}, entries, result)


# The network


@contextlib.contextmanager
def server():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"package\n")

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield httpd.server_port
        httpd.shutdown()
        thread.join()


FETCH = ("/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:%d/p\").read())' "
    ">/dev/null\n")


@test(needs=NEEDS)
def a_host_stays_beside_a_cache(box):
    """The first run that passes fills the cache, and needs the host no more. From clean it needs it."""
    box.folder("home/odd/cache")
    with server() as port:
        text = "test -e ~/odd/cache/p || { " + FETCH.rstrip("\n") % port + "; echo >~/odd/cache/p; }\n"
        entries, refused, end, result = learn(box, text, "--yes")
        expect(entries == {("--host", "127.0.0.1:%d" % port), ("--rw", box.home + "/odd/cache")}, entries, result)
        expect(os.path.exists(box.home + "/odd/cache/p"), "the control: the run fills the cache")

        def clean():
            with contextlib.suppress(FileNotFoundError):
                os.remove(box.home + "/odd/cache/p")

        expect(breaks_without_each(box, clean) == 2, "entries")


@test(needs=NEEDS)
def a_host_that_is_not_needed_goes(box):
    with server() as port, server() as other:
        entries, _, end, result = learn(box, "(" + FETCH.strip() % other + ") || :\n" + FETCH % port, exit=1)
        expect(entries == {("--host", "127.0.0.1:%d" % port)} and result.exit == 1, entries, result)


# Ends


@test(needs=NEEDS)
def a_failure_of_its_own_proposes_nothing(box):
    for text, status in (("exit 3", 3), ("cat nothing-here", 1), ("cat /no/such/file", 1)):
        entries, refused, end, result = learn(box, text, "--yes", exit=1)
        expect(not entries and not refused and end["status"] == status and "of its own" in result.stderr, text, result)
    expect(not os.path.exists(box.home + "/.config/zs/settings.json"), "settings were written")


@test(needs=NEEDS)
def the_runs_have_a_bound(box):
    """One more than the bound is told, and as many as the bound leaves pass."""
    for name in range(40):
        box.file("home/.d%d/x" % name, "x\n")
    text = "".join("cat ~/.d%d/x\n" % name for name in range(40))
    entries, _, end, result = learn(box, text, "--yes", exit=1)
    expect(end["runs"] == 32 and not entries and not end["written"], end, result)
    expect("each of 32 runs was refused something new" in result.stderr, result)
    text = "".join("cat ~/.d%d/x\n" % name for name in range(31))
    entries, _, end, result = learn(box, text, exit=1)
    expect(len(entries) == 31 and "no terminal" in result.stderr, len(entries), result)


@test(needs=NEEDS)
def wrong_usage(box):
    for words in ([], ["--policy", "x", "--", "true"], ["--no-settings", "--", "true"], ["--out", "", "--", "true"],
            ["--print-policy", "--", "true"]):
        box.run_zs("learn", *words).expect(exit=64, stdout="")


@test(needs=NEEDS)
def a_command_may_not_learn(box):
    """An agent must not widen its own policy: its text is blocked, and inside zs the settings stay as they are."""
    for profile in ("strict", "relaxed", "verify"):
        box.run_zs("vet", "--profile", profile, "-c", "zs learn --yes -- sh build.sh").expect(exit=2)
    script(box, a_build(box))
    result = box.run_zs("run", "--rw", box.home + "/.config", "--", box.zs, "learn", "--yes", "--", "sh", "build.sh",
        **MODE)
    expect(result.exit != 0 and not os.path.exists(box.home + "/.config/zs/settings.json"), result)


@test(needs=NEEDS)
def the_input_of_the_caller_is_left(box):
    _, _, end, result = learn(box, "test -z \"$(cat)\"", stdin="for others\n")
    expect(end["passes"], result)
