"""zs why: each refused access has a record with its path, its cause and the smallest option, and this very option makes
the access work. A failure that zs has not caused has no record."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess

from denial_cases import EXECS, READS, WRITES, places, python
from harness import expect, test
from no_namespaces import no_namespaces, without
from processes import asleep, new_mark, wait_asleep, wait_until


def records(box, script, *options, **more):
    result = box.run_zs("why", "--json", *options, "--", "sh", "-c", script, **more).expect(exit=0)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    expect(lines and lines[-1]["event"] == "end", result)
    return lines[:-1], lines[-1]["status"], result


def refused(box, script, kind, cause, option, value=None, path=None, options=(), run=True, clean=places, exists=True,
        dry=False):
    """The script fails, the record says why, and succeeds by the option."""
    tree = clean(box)
    script, path = script % {"t": tree}, path and path % {"t": tree}
    value, options = value and value % {"t": tree}, [word % {"t": tree} for word in options]
    box.run(["sh", "-c", script], cwd=box.work).expect(exit=0)
    clean(box)
    found, status, result = records(box, script, *options)
    expect(status != 0 or dry, "it does not fail:", script, result)
    same = [row for row in found if row["kind"] == kind and path in (None, row["path"], row["named"])]
    expect(same, "no record of", kind, path, "for", script, result)
    row = same[-1]
    expect(row["decisive"] and row["cause"] in cause.split("|") and row["option"] == option and
        (value is None or row["value"] == value) and row["exists"] in (exists, True), script, row, result)
    if not run or not option:
        return
    words = []
    if option == "--limit":
        options = []
    for other in [row] if len(same) == 1 else [row for row in found if row["decisive"] and row["option"]]:
        pair = [other["option"], other["value"]]
        words += [] if pair == words[:2] else pair
    clean(box)
    box.run_zs("run", *options, *words, "--", "sh", "-c", script).expect(exit=0)


@test(needs=["sandbox"])
def each_refused_read(box):
    for script, path in READS:
        refused(box, script, "read", "not granted", "--ro", path=path)


@test(needs=["sandbox"])
def a_hidden_file_is_named(box):
    box.file("home/project/secret", "x\n")
    refused(box, "cat secret", "read", "hidden", None, path=os.path.join(box.work, "secret"),
        options=["--hide", "secret"])
    # No option takes --hide back. A file in a folder that is hidden can be granted.
    box.file("home/project/folder/file", "x\n")
    refused(box, "cat folder/file", "read", "hidden", "--ro", path=box.work + "/folder/file",
        options=["--hide", "folder"])
    box.run_zs("run", "--hide", "secret", "--ro", box.work + "/secret", "--", "cat", "secret").expect(exit=1)


@test(needs=["sandbox"])
def each_refused_write_in_a_read_only_tree(box):
    for script, path, value in WRITES:
        refused(box, script, "write", "granted only to read", "--rw", value, path, options=["--ro", "%(t)s"],
            exists=False)


@test(needs=["sandbox"])
def refused_writes_where_nothing_is_granted(box):
    for script, path, value in WRITES:
        # These look at the file first, which is a record of its own.
        if script.split()[0] in ("chmod", "truncate", "sed", "mv", "ln", "rm", "touch"):
            continue
        refused(box, script, "write", "not granted", "--rw", value, path, exists=False)


@test(needs=["sandbox"])
def a_rename_between_two_grants(box):
    refused(box, python("import os; os.rename('%(t)s/sub/file', '%(t)s/more/file')"), "write",
        "outside of the run's namespaces", "--rw", "%(t)s", options=["--rw", "%(t)s/sub", "--rw", "%(t)s/more"])


@test(needs=["sandbox", "git"])
def git_and_what_is_protected(box):
    def repository(box):
        shutil.rmtree(os.path.join(box.work, ".git"), ignore_errors=True)
        box.run(["git", "init", "-q", "."], cwd=box.work).expect(exit=0)
        box.file("home/project/kept", "x\n")
        return places(box)

    commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"
    refused(box, commit, "write", "protected|granted only to read", "--git", "allow", clean=repository, exists=False,
        dry=True)
    refused(box, "echo >>kept", "write", "protected", "--rw", clean=repository, options=["--protect", "kept"],
        run=False)
    # A file that is missing cannot be granted: make it first.
    def missing(box):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(box.work, ".mcp.json"))
        return repository(box)

    refused(box, "echo >.mcp.json", "write", "protected", None, clean=missing, exists=False, dry=True)
    box.file("home/project/.mcp.json")
    refused(box, "echo >.mcp.json", "write", "protected", "--rw", clean=repository, dry=True)


@test(needs=["sandbox"])
def each_refused_program(box):
    for script, path in EXECS:
        refused(box, script, "exec", "not granted", "--exec", path, path)
    refused(box, "%(t)s/program x", "exec", "granted only to read", "--exec", "%(t)s/program",
        options=["--ro", "%(t)s"])
    refused(box, "/usr/bin/test -x %(t)s/program", "exec", "granted only to read", "--exec", "%(t)s/program",
        options=["--ro", "%(t)s"])
    refused(box, "%(t)s/interpreted", "exec", "not granted|granted only to read", "--exec", "%(t)s/interpreter",
        options=["--rw", "%(t)s/interpreted"])


@test(needs=["sandbox"])
def sockets_and_servers(box):
    path = os.path.join(box.root, "socket")
    with socket.create_server(("127.0.0.1", 0)) as inet, socket.socket(socket.AF_UNIX) as unix:
        port = inet.getsockname()[1]
        unix.bind(path)
        unix.listen(8)
        os.chmod(path, 0o777)
        connect = "import socket; socket.create_connection(('127.0.0.1', %d))" % port
        refused(box, python(connect), "connect", "no such host is allowed", "--host", "127.0.0.1:%d" % port)
        connect = "import socket; socket.socket(socket.AF_UNIX).connect('%s')" % path
        refused(box, python(connect), "connect", "not granted", "--socket", path)
    closed = "import socket; socket.create_connection(('127.0.0.1', %d))" % port
    found, status, result = records(box, python(closed))
    expect(status != 0 and not found, result)
    refused(box, python("import socket; s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)"), "socket",
        "refused by seccomp", "--without", "sockets")
    found, _, result = records(box, python("import socket; socket.create_connection(('192.0.2.1', 80))"))
    expect([row for row in found if row["option"] == "--host" and row["value"] == "192.0.2.1:80"], result)
    found, _, result = records(box, "curl -sS http://nowhere.example/ || exit 1")
    expect([row for row in found if row["kind"] == "resolve" and row["value"] == "nowhere.example"], result)


@test(needs=["sandbox"])
def the_judge_outside_connects_to_nothing(box):
    """A connection could start a service: a confined command must not make zs open one in its place."""
    path, name = os.path.join(box.root, "socket"), "\0zs-test-%s" % os.path.basename(box.root)
    with socket.create_server(("127.0.0.1", 0)) as inet, socket.socket(socket.AF_UNIX) as unix, \
            socket.socket(socket.AF_UNIX) as abstract:
        unix.bind(path)
        os.chmod(path, 0o777)
        abstract.bind(name)
        for listener in (inet, unix, abstract):
            listener.listen(8)
            listener.setblocking(False)
        text = ("import socket\nfor family, address in ((1, %r), (1, %r), (2, %r)):\n"
            " try: socket.socket(family).connect(address)\n except OSError: pass" % (path, name, inet.getsockname()))
        found, _, result = records(box, python(text))
        expect(len([row for row in found if row["kind"] == "connect"]) == 3, result)
        for listener in (inet, unix, abstract):
            with contextlib.suppress(BlockingIOError):
                listener.accept()
                expect(False, "zs has connected to", listener.getsockname())
    # Nobody listens any more, and the name of the socket is left.
    found, _, result = records(box, python(text))
    expect(not found, result)


@test(needs=["sandbox"])
def signals_and_calls(box):
    sleeper = subprocess.Popen(["sleep", "1000"], **box.user.spawn_options())
    try:
        found, status, result = records(box, "kill %d" % sleeper.pid)
        expect(status != 0 and [row for row in found if row["kind"] == "signal" and not row["option"] and
            row["cause"] == "outside of the run's namespaces"], result)
        expect(sleeper.poll() is None, "it was killed")
    finally:
        sleeper.send_signal(signal.SIGKILL)
        sleeper.wait()
    found, status, result = records(box, "kill 2000000")
    expect(status != 0 and not found, result)
    found, status, result = records(box, "unshare -U true")
    expect(status != 0 and [row for row in found if row["kind"] == "system call" and row["named"] == "unshare" and
        not row["option"]], result)
    found, status, result = records(box, "mount -t tmpfs none .")
    expect(status != 0 and bool([row for row in found if row["named"] == "mount"]) == box.user.is_root, result)


@test(needs=["sandbox"])
def limits(box):
    files = python("import os; [os.open('.', 0) for _ in range(50)]")
    refused(box, files, "limit", "a limit of the run", "--limit", "files=64", options=["--limit", "files=32"])
    refused(box, "head -c 100000 /dev/zero >big; test $(stat -c %%s big) -eq 100000", "limit", "a limit of the run",
        "--limit", "file-size=128K", options=["--limit", "file-size=64K"])
    big = "/tmp/zs-test-big-%d-%d" % (os.getpid(), os.geteuid() if box.user.uid is None else box.user.uid)
    refused(box, "head -c 3000000 /dev/zero >%s" % big, "limit", "a limit of the run", "--limit", "tmp=4M",
        options=["--limit", "tmp=2M"])
    os.unlink(big)


# No record: these fail outside as well.
MISSING = [
    "cat %s", "ls %s", "stat %s", "cp %s copy", "mv %s moved", "rm %s", "rmdir %s", "grep x %s", "head %s",
    "tail %s", "wc %s", "sort %s", "cut -c1 %s", "sed p %s", "awk 1 %s", "diff %s /dev/null", "cmp %s /dev/null",
    "tar cf a.tar %s", "gzip %s", "od %s", "sha256sum %s", "chmod 600 %s", "touch -c %s/x/y && false",
    "ln %s linked", "cd %s", ". %s", "test -e %s", "readlink %s", "find %s", "sh %s", "make -f %s", "dd if=%s",
    "env %s", "mkdir %s/x/y", "tee %s/x/y", "python3 %s", "truncate -s 0 %s/x/y", "du %s", "file -E %s",
    "git -C %s status", "nl %s"
]


@test(needs=["sandbox"])
def genuine_failures_have_no_record(box):
    count = 0
    missing = ["missing", os.path.join(box.outside, "missing"), "/usr/lib/missing", "/missing", "/etc/missing/x"]
    for path in missing:
        for script in MISSING:
            # These open the folder itself, which is refused.
            if script.split()[0] in ("gzip", "make", "python3") and path.startswith(box.outside):
                continue
            found, status, result = records(box, "(%s) || exit 1" % (script % path))
            expect(status != 0, "it does not fail", result)
            expect(not [row for row in found if row["decisive"]], "a record of a genuine failure:", result)
            count += 1
    expect(count >= 200, count)


@test(needs=["sandbox"])
def wrong_modes_stop_a_user_anywhere_and_root_only_inside(box):
    box.file("home/project/shut", "x\n", 0o000)
    box.folder("home/project/closed", 0o555)
    for script in ("cat shut", "cp shut copy", "echo >>shut", "touch closed/x", "mkdir closed/x"):
        found, status, result = records(box, script)
        expected = {("root has no rights over modes inside", None)} if box.user.is_root else set()
        expect(status != 0 and {(row["cause"], row["option"]) for row in found} == expected, script, result)
    for script in () if box.user.is_root else ("./shut", "ls /root", "cat /etc/shadow", "touch /usr/x", "mkdir /opt/x",
            "rm /etc/passwd", "chmod 777 /etc", "echo >/etc/x"):
        found, status, result = records(box, script)
        expect(status != 0 and not found, result)


@test(needs=["sandbox"])
def text_for_people(box):
    result = box.run_zs("why", "--", "cat", box.key).expect(exit=0)
    result.expect_text("stdout", result.stdout, [
        "* read ~/.ssh/id_ed25519: not granted; --ro ~/.ssh/id_ed25519  (keys)\n",
        "  zs run --ro %s -- cat %s\n" % (box.key, box.key),
        "  \"sandbox.additional_read_only_paths\": [\"%s\"]\n" % box.key])
    # The command line is the shell's to run.
    line = next(line for line in result.stdout.splitlines() if line.startswith("  zs run"))
    box.run(["sh", "-c", line.replace("  zs ", box.zs + " ", 1)], cwd=box.work).expect(exit=0, stdout="SECRET KEY\n")
    box.run_zs("why", "--", "true").expect(exit=0, stdout="The command succeeded; zs refused nothing.\n", stderr="")
    box.run_zs("why", "--", "false").expect(exit=0, stdout="The command failed with status 1; zs refused nothing.\n")
    box.run_zs("why").expect(exit=64, stderr="zs: why: zs has refused nothing in this workspace yet, to a command with "
        "denials; write the command: zs why [OPTIONS] -- CMD\n")
    # It is a dry run.
    box.run_zs("why", "--", "touch", "made").expect(exit=0)
    expect(not os.path.exists(os.path.join(box.work, "made")), "the workspace has changed")


@test(needs=["sandbox"])
def a_search_that_succeeds_has_no_record(box):
    tree = places(box)
    shutil.copy("/bin/true", tree + "/true")
    found, status, result = records(box, "PATH=%s:/usr/bin:/bin; true; env true; %s" % (tree,
        python("import sys; sys.path.insert(0, '%s'); import json" % tree)))
    expect(status == 0 and not [row for row in found if row["decisive"]], result)
    # The search went on elsewhere at once, and the process failed for another reason.
    box.file("tree/hostname", "x\n")
    search = "try: open('%s/hostname')\nexcept OSError: open('/etc/hostname')\nexit(1)"
    found, status, result = records(box, python(search % tree))
    expect(status == 1 and not [row for row in found if row["path"] == tree + "/hostname"], result)
    # A file of the same name that is read much later is no part of the search.
    box.file("home/project/file", "x\n")
    # A folder of that name is no find: the file that is wanted is not in it.
    box.file("tree/lib/std", "x\n")
    search = ("import os\nfor folder in ('%s', '/'):\n try: os.open(folder + '/lib', os.O_PATH)\n"
        " except OSError: pass\nexit(1)")
    found, status, result = records(box, python(search % tree))
    expect(status == 1 and [row["option"] for row in found if row["path"] == tree + "/lib"] == ["--ro"], result)
    later = ("try: open('%s/file')\nexcept OSError: pass\nfor _ in range(99): open('/etc/hostname')\n"
        "open('file')\nexit(1)")
    found, status, result = records(box, python(later % tree))
    expect(status == 1 and [row["option"] for row in found if row["path"] == tree + "/file"] == ["--ro"], result)
    found, status, result = records(box, "cat %s/file || true" % tree)
    expect(status == 0 and len([row for row in found if row["path"] == tree + "/file"]) == 1, result)


@test(needs=["sandbox"])
def hostile_names_are_shown_and_records_are_bounded(box):
    tree = places(box)
    name = tree + "/a\x1b[31m\nzs: denied nothing"
    with open(name, "w"):
        pass
    result = box.run_zs("why", "--", "cat", name).expect(exit=0)
    expect("\x1b" not in result.stdout and "\nzs: denied" not in result.stdout, result)
    expect("\\x1B[31m\\x0A" in result.stdout, result)
    for index in range(600):
        box.file("tree/more/f%d" % index)
    found, status, result = records(box, "for i in $(seq 0 599); do test -e %s/more/f$i; done; exit 1" % tree)
    expect(len(found) == 512 and json.loads(result.stdout.splitlines()[-1])["others"] == 88, len(found),
        result.stdout.splitlines()[-1])
    found, status, result = records(box, "for i in $(seq 3000); do test -e %s/file; done; exit 1" % tree)
    expect([row["times"] for row in found if row["path"] == tree + "/file"] == [3000], result)


@test(needs=["sandbox"])
def a_flood_hides_no_refusal(box):
    """A command that asks for more than there is room for still has a record of what it failed from."""
    tree = places(box)
    flood = "for i in range(%d):\n try: os.stat('%s/more/f%%d' %% i)\n except OSError: pass\n"
    for index in range(600):
        box.file("tree/more/f%d" % index)
    text = "import os\n" + flood % (600, tree) + "open('%s/file')" % tree
    found, status, result = records(box, python(text))
    last = [row for row in found if row["path"] == tree + "/file"]
    expect(status == 1 and len(found) == 512 and last and last[0]["decisive"] and last[0]["option"] == "--ro",
        status, len(found), last)
    # Before the flood, in a process that has failed; the flood fails from nothing.
    found, status, result = records(box, "%s; %s" % (python("open('%s/file')" % tree),
        python("import os\n" + flood % (600, tree))))
    expect([row["option"] for row in found if row["path"] == tree + "/file" and row["decisive"]] == ["--ro"], status)


@test(needs=["sandbox"], slow=True)
def a_flood_takes_no_memory(box):
    """Each name is another one. The caller has the records of 512."""
    used = []
    for count in (1000, 20000):
        text = ("import os, sys\nfor i in range(%d):\n try: os.mkdir('%s/%%d%s' %% i)\n except OSError: pass\n"
            "print('done', file=sys.stderr, flush=True)\ninput()") % (count, places(box), "x" * 200)
        process = box.start([box.zs, "why", "--json", "--", "/usr/bin/python3", "-c", text])
        expect(process.stderr.readline() == b"done\n", "it did not begin")
        with open("/proc/%d/status" % process.pid) as file:
            used.append(int(next(line.split()[1] for line in file if line.startswith("VmHWM:"))))
        out = process.communicate(b"\n")[0].decode().splitlines()
        expect(len(out) == 513 and json.loads(out[-1])["others"] >= count - 512, count, len(out), out[-1])
    expect(used[1] < used[0] + 1024, "KiB", used)


@test(needs=["sandbox"])
def a_link_that_moves_after_the_look_gives_nothing(box):
    """The command makes a link in a folder that it may write, is refused what the link leads to, and turns the link
    to a secret. The option names the place itself, so the link leads nowhere with it."""
    box.folder("home/odd")
    box.file("home/store/id_ed25519", "harmless\n")
    way = box.home + "/odd/way"
    script = ("ln -sfn %s/store %s; cat %s/id_ed25519; s=$?; ln -sfn %s/.ssh %s; exit $s" % (box.home, way, way,
        box.home, way))
    found, status, result = records(box, script, "--rw", box.home + "/odd")
    expect(status == 1 and os.readlink(way) == box.home + "/.ssh", result)
    options = [word for row in found if row["decisive"] for word in (row["option"], row["value"])]
    expect(options == ["--ro", box.home + "/store/id_ed25519"], options, result)
    read = box.run_zs("run", "--rw", box.home + "/odd", *options, "--", "cat", way + "/id_ed25519")
    expect(read.exit == 1 and "SECRET" not in read.stdout, read)
    box.run_zs("run", "--rw", box.home + "/odd", *options, "--", "sh", "-c", script).expect(exit=0,
        stdout="harmless\n")


@test(needs=["sandbox"])
def the_wall_stands_while_it_is_followed(box):
    tree = places(box)
    attack = "cat %s; echo >%s/planted; kill -9 %d" % (box.key, tree, os.getpid())
    box.run_zs("why", "--", "sh", "-c", attack).expect(exit=0)
    expect(not os.path.exists(tree + "/planted"), "it wrote outside")
    result = box.run_zs("why", "--", "sh", "-c", "cat %s; ls %s" % (box.key, tree)).expect(exit=0)
    expect("SECRET" not in result.stderr and "script" not in result.stderr, result)


@test(needs=["sandbox"])
def status_signals_threads_and_jobs(box):
    threads = "import threading as t; [t.Thread(target=lambda: open('/etc/hostname').read()).start() for _ in range(8)]"
    for script, status in (("exit 7", 7), ("kill -TERM $$", 143), ("sleep 0.1 & wait", 0),
            (python(threads), 0),
            ("sh -c 'kill -STOP $$; echo >on' & until test -e on; do sleep 0.05; kill -CONT $!; done; wait $!", 0)):
        _, have, result = records(box, script)
        expect(have == status, result)


@test(needs=["sandbox"])
def killing_zs_why_ends_the_command(box):
    mark = new_mark()
    process = box.start([box.zs, "why", "--", "sleep", mark])
    wait_asleep(mark)
    process.kill()
    process.communicate()
    wait_until(lambda: not asleep(mark), "the command goes on")


def landlock(box, script, *more):
    options = without(box, "overlay")
    return records(box, script, *options, *more, preexec_fn=no_namespaces)


@test(needs=["sandbox"])
def in_the_landlock_tier(box):
    tree = places(box)
    for script, kind, option, value in [
            ("cat %s/file" % tree, "read", "--ro", tree + "/file"),
            ("ls %s/sub" % tree, "read", "--ro", tree + "/sub"),
            ("echo >%s/new" % tree, "write", "--rw", tree),
            ("mkdir %s/made" % tree, "write", "--rw", tree),
            ("rm %s/file" % tree, "write", "--rw", tree),
            ("%s/program x" % tree, "exec", "--exec", tree + "/program")]:
        places(box)
        found, status, result = landlock(box, script)
        same = [row for row in found if row["kind"] == kind and row["option"] == option and row["value"] == value]
        expect(status != 0 and same and same[0]["decisive"], script, result)
        places(box)
        box.run_zs("run", *without(box), option, value, "--", "sh", "-c", script,
            preexec_fn=no_namespaces).expect(exit=0)
    found, status, result = landlock(box, "cat %s/missing" % tree)
    expect(status != 0 and not found, result)
