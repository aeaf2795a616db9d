"""zs run --denials: records are made while the command runs for real. Each refused write, program, connection and host
has one, and its option makes the access work. Failures that zs has not caused have none, and a command can neither
forge nor suppress one."""

import errno
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from denial_cases import EXECS, WRITES, collected, collector_of, places, python, refused, run
from harness import TIMEOUT, expect, test
from no_namespaces import no_namespaces, without

LINES_MAX = 5


@test(needs=["sandbox"])
def each_refused_write_in_a_read_only_tree(box):
    """EROFS"""
    for script, path, value in WRITES:
        refused(box, script, "write", "granted only to read", "--rw", value, path, options=["--ro", "%(t)s"], errno=30)


@test(needs=["sandbox"])
def refused_writes_where_nothing_is_granted(box):
    """ENOENT of a folder that is hidden"""
    for script, path, value in WRITES:
        # These look at the file first, and zs run does not see reads.
        if script.split()[0] in ("truncate", "sed", "mv", "ln", "rm", "touch", "chmod"):
            continue
        refused(box, script, "write", "not granted", "--rw", value, path, errno=2)


@test(needs=["sandbox"])
def each_refused_program(box):
    """ENOENT and EACCES"""
    for script, path in EXECS:
        if script.startswith("PATH"): # the shell looks for it, which is a read
            continue
        refused(box, script, "exec", "not granted", "--exec", path, path, errno=2)
    refused(box, "%(t)s/program x", "exec", "granted only to read", "--exec", "%(t)s/program",
        options=["--ro", "%(t)s"], errno=13)
    refused(box, "%(t)s/interpreted", "exec", "not granted|granted only to read", "--exec", "%(t)s/interpreter",
        options=["--rw", "%(t)s/interpreted"])
    tree = places(box)
    rows, _, result = run(box, "PATH=%s:$PATH; env program || env true" % tree)
    expect(result.exit == 0 and [row["kind"] for row in rows] == ["exec"], rows, result)
    # Found elsewhere in PATH: the search is no refusal.
    shutil.copy("/bin/true", tree + "/true")
    os.chmod(tree + "/true", 0o755)
    rows, _, result = run(box, "PATH=%s:$PATH; env true; exit 1" % tree)
    expect(not rows, rows, result)


@test(needs=["sandbox"])
def the_commands_own_program(box):
    tree = places(box)
    path = os.path.join(box.outside, "denials")
    result = box.run_zs("run", "--denials=" + path, "--", tree + "/program").expect(exit=127)
    rows, end = collected(path)
    expect([(row["kind"], row["option"], row["value"]) for row in rows] ==
        [("exec", "--exec", tree + "/program")], rows)
    box.run_zs("run", "--exec", tree + "/program", "--", tree + "/program").expect(exit=0)


@test(needs=["sandbox", "git"])
def what_is_protected(box):
    """EBUSY and EXDEV"""
    box.run(["git", "init", "-q", "."], cwd=box.work).expect(exit=0)
    config = os.path.join(box.work, ".git/config")
    rows, _, result = run(box, "mv .git/config .git/other", "--git", "allow")
    expect(result.exit == 1 and [(row["path"], row["errno"], row["option"], row["value"]) for row in rows] ==
        [(config, 16, "--rw", config)], rows, result)
    refused(box, python("import os; os.rename('%(t)s/sub/file', '%(t)s/more/file')"), "write",
        "outside of the run's namespaces", "--rw", "%(t)s", options=["--rw", "%(t)s/sub", "--rw", "%(t)s/more"],
        errno=18)
    rows, _, result = run(box, "echo x >.git/config || exit 1")
    expect(result.exit == 1 and [row["path"] for row in rows] == [config], rows, result)


def own_address():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]


@test(needs=["sandbox"])
def sockets_hosts_and_signals(box):
    path = os.path.join(box.root, "socket")
    with socket.create_server(("127.0.0.1", 0)) as inet, socket.socket(socket.AF_UNIX) as unix:
        port = inet.getsockname()[1]
        unix.bind(path)
        unix.listen(8)
        os.chmod(path, 0o777)
        refused(box, python("import socket; socket.create_connection(('127.0.0.1', %d))" % port), "connect",
            "no such host is allowed", "--host", "127.0.0.1:%d" % port)
        # All addresses, and one of version 6 that stands for one of version 4, mean the same place.
        for family, other in ((2, "0.0.0.0"), (10, "::ffff:127.0.0.1")):
            refused(box, python("import socket; socket.socket(%d).connect(('%s', %d))" % (family, other, port)),
                "connect", "no such host is allowed", "--host", "127.0.0.1:%d" % port, errno=111)
        waiting = ("import select, socket; s = socket.socket(); s.setblocking(False)\ns.connect_ex(('127.0.0.1', %d))\n"
            "select.select([], [s], []); assert not s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)" % port)
        refused(box, python(waiting), "connect", "no such host is allowed", "--host", "127.0.0.1:%d" % port, errno=111)
        refused(box, python("import socket; socket.socket(socket.AF_UNIX).connect('%s')" % path), "connect",
            "not granted", "--socket", path)
    for family, other in ((2, "127.0.0.1"), (2, "0.0.0.0"), (10, "::1"), (10, "::"), (10, "::ffff:127.0.0.1")):
        script = "import socket; socket.socket(%d).connect(('%s', %d))" % (family, other, port)
        rows, _, result = run(box, python(script))
        expect(result.exit != 0 and not rows, "nobody listens:", other, rows)
    rows, _, result = run(box, "curl -sS http://nowhere.example/ || exit 1")
    expect([row for row in rows if row["kind"] == "resolve" and (row["option"], row["value"]) ==
        ("--host", "nowhere.example")], rows, result)
    address = own_address()
    if address:
        refused(box, python("import socket; socket.socket().bind(('%s', 0))" % address), "socket",
            "outside of the run's namespaces", "--net", "full", errno=99)
    rows, _, result = run(box, python("import socket; socket.socket().bind(('203.0.113.7', 0))"))
    expect(result.exit != 0 and not rows, "no address of this machine:", rows)
    sleeper = subprocess.Popen(["sleep", "1000"], **box.user.spawn_options())
    try:
        refused(box, "kill %d" % sleeper.pid, "signal", "outside of the run's namespaces", None)
    finally:
        sleeper.send_signal(signal.SIGKILL)
        sleeper.wait()
    rows, _, result = run(box, "kill 4000000; true & kill $! || exit 1; exit 1")
    expect(not rows, rows)


@test(needs=["sandbox", "userns"])
def an_address_without_a_way(box):
    """Inside there is a way to none. Where the machine has none either, zs refuses nothing."""
    connect = python("import socket; socket.socket().connect(('203.0.113.7', 80))")
    if own_address():
        rows, _, _ = run(box, connect)
        expect([(row["kind"], row["errno"], row["cause"], row["option"], row["value"]) for row in rows] ==
            [("connect", errno.ENETUNREACH, "no such host is allowed", "--host", "203.0.113.7:80")], rows)
    alone = ["unshare", "--net"] if box.user.is_root else ["unshare", "--user", "--map-root-user", "--net"]
    result = box.run([*alone, box.zs, "run", "--denials=fd:1", "--", "sh", "-c", connect])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    expect(result.exit != 0 and "unreachable" in result.stderr, result)
    expect([row["event"] for row in rows] == ["end"] and not rows[0]["blind"], rows, result)


@test(needs=["sandbox", "root"])
def root_has_no_rights_over_modes_inside(box):
    """EACCES and EPERM"""
    other = box.file("home/project/other", "x\n")
    os.chown(other, 65534, 65534)
    for script, errno in (("echo >>other", 13), ("chmod 600 other", 1)):
        rows, _, result = run(box, script)
        expect(result.exit != 0 and [(row["cause"], row["option"], row["errno"]) for row in rows] ==
            [("root has no rights over modes inside", None, errno)], script, rows, result)
    box.file("home/project/closed", "x\n", 0o444)
    rows, _, result = run(box, "chmod 644 closed; chmod 444 closed; mv closed moved; exit 1")
    expect(not rows, rows)


# These fail outside as well.
GENUINE = [
    "echo >%s/x/y", "mkdir %s/x/y", "rm %s", "rmdir %s", "mv %s moved", "chmod 600 %s", "ln %s linked",
    "ln -s a %s/x/y", "truncate -s 0 %s/x/y", "touch %s/x/y", "tee %s/x/y </dev/null", "env %s", "%s",
    "cp /etc/hostname %s/x/y", "mkfifo %s/x/y", "sed -i s/x/y/ %s", "sh %s",
]
GENUINE_ALONE = [
    "mkdir /usr", "mkdir .", "echo >/usr", "echo >/usr/lib", "ln -sT x /usr", "env /etc/passwd", "rm missing",
    "mkdir -p a/b; mkdir a", "rmdir a", "echo >a", "set -C; echo >made; echo >made", "kill -0 4000000",
    "ln missing x", "mv a/b/c d", "env ./made", "chmod 600 missing", "/usr", "./a",
    python("import os; os.open('/etc/hostname', os.O_CREAT | os.O_EXCL | os.O_WRONLY)"),
    python("import os; os.link('/usr/bin', 'x')"),
]


@test(needs=["sandbox"])
def genuine_failures_have_no_record(box):
    missing = ["missing", os.path.join(box.outside, "missing"), "/usr/lib/missing", "/missing", "/etc/missing/x",
        "/tmp/missing", "/proc/missing", "/dev/missing", os.path.join(box.home, "missing"), "/usr/missing",
        "/var/missing"]
    scripts = [script % path for path in missing for script in GENUINE] + GENUINE_ALONE
    expect(len(scripts) >= 200, len(scripts))
    for script in scripts:
        expect(box.run(["sh", "-c", script]).exit != 0, "it succeeds outside:", script)
    # One run for all: the records name their paths.
    box.clear()
    rows, _, result = run(box, "".join("( %s ) 2>/dev/null\n" % script for script in scripts) + "exit 1")
    expect(result.exit == 1 and not rows, rows, result)


@test(needs=["sandbox"])
def nothing_is_said_of_what_works(box):
    """A run that succeeds has no line, and work in the workspace and in /tmp makes no record."""
    tree = places(box)
    box.run_zs("run", "--denials", "--", "sh", "-c", "echo >%s/new; true" % tree).expect(exit=0,
        stderr=None, stdout="")
    result = box.run_zs("run", "--denials", "--", "sh", "-c", "(echo >%s/new) 2>/dev/null; true" % tree)
    result.expect(exit=0, stderr="")
    work = ("set -e; mkdir a; echo x >a/b; mv a/b a/c; ln a/c a/d; ln -s c a/e; chmod 700 a/c; touch a/c; cp a/c a/f;"
        "rm -r a; cd /tmp; mkdir t; echo 'echo ran' >t/s; chmod 755 t/s; mv t/s t/r; t/r; echo >/dev/null; mktemp;"
        "rm -r t; exit 3")
    rows, _, result = run(box, work)
    expect(result.exit == 3 and not rows, rows, result)


@test(needs=["sandbox"])
def five_lines_for_people(box):
    tree = places(box)
    result = box.run_zs("run", "--denials", "--ro", tree, "--", "sh", "-c", "(echo >%s/file) 2>&-; exit 4" % tree)
    result.expect(exit=4, stderr="zs: denied write %s/file: granted only to read; --rw %s/file\n" % (tree, tree))
    many = "for i in 1 2 3 4 5 6 7 8 9; do (mkdir %s/$i) 2>&-; done; exit 4" % tree
    result = box.run_zs("run", "--denials", "--ro", tree, "--", "sh", "-c", many).expect(exit=4)
    lines = result.stderr.splitlines()
    expect(len(lines) == LINES_MAX and "/9: " in lines[-2] and lines[-1] ==
        "zs: denied 5 more; --denials=FILE lists them", lines)
    result = box.run_zs("run", "--denials", "--", "curl", "-sS", "http://nowhere.example/")
    expect(re.search(r"\nzs: denied resolve nowhere.example( \(\d times\))?: no such host is allowed; "
        r"--host nowhere.example\n$", result.stderr), result)


@test(needs=["sandbox"])
def a_descriptor_gets_the_records(box):
    tree = places(box)
    with open(os.path.join(box.root, "records"), "w+") as file:
        box.run_zs("run", "--denials=fd:%d" % file.fileno(), "--ro", tree, "--", "sh", "-c",
            "mkdir %s/x; echo >&%d; exit 1" % (tree, file.fileno()), pass_fds=[file.fileno()]).expect(exit=1)
        file.seek(0)
        lines = [json.loads(line) for line in file]
    expect([line["event"] for line in lines] == ["denied", "end"], lines)
    for wrong in ("fd:x", "fd:99", "/missing/x"):
        box.run_zs("run", "--denials=" + wrong, "--", "true").expect(exit=64)


@test(needs=["sandbox"])
def the_command_cannot_write_the_file(box):
    inside = os.path.join(box.work, "denials")
    result = box.run_zs("run", "--denials=denials", "--", "sh", "-c", "echo forged >>denials; rm denials; exit 1")
    result.expect(exit=1)
    rows, end = collected(inside)
    expect({row["path"] for row in rows} == {inside}, rows)


# ------------------------------------------------------------------------------------------------------ attacks


@test(needs=["sandbox"])
def a_planted_link_is_not_followed(box):
    victim = box.file("home/victim", "kept\n")
    for option, status in (("--denials=link", 64), ("--report=link", 125)):
        os.symlink(victim, box.work + "/link")
        box.run_zs("run", option, "--", "touch", "ran").expect(exit=status, stdout="",
            stderr=["link: is a symbolic link"])
        expect(not os.path.exists(box.work + "/ran"), "the command ran")
        expect(open(victim).read() == "kept\n", "it was written to")
        os.remove(box.work + "/link")
    if box.user.is_root:  # the pipe is root's
        box.run_zs("run", "--denials=/dev/stderr", "--", "true").expect(exit=0, stderr=['"event":"end"'])


@test(needs=["sandbox"])
def names_are_escaped(box):
    tree = places(box)
    name = "a\\nzs: denied write x: --rw x\\033[2Jx\\377"
    script = "n=$(printf '%s'); (mkdir \"%s/$n\") 2>&-; exit 1" % (name, tree)
    result = box.run_zs("run", "--denials", "--ro", tree, "--", "sh", "-c", script).expect(exit=1)
    lines = result.stderr.splitlines()
    expect(len(lines) == 1 and lines[0].startswith("zs: denied write %s/a\\x0Azs" % tree) and
        "\033" not in result.stderr, result)
    rows, _, _ = run(box, script, "--ro", tree)
    expect(len(rows) == 1 and rows[0]["option"] == "--rw" and rows[0]["value"] == tree, rows)


FLOOD = """import os
for i in range(%d):
    try: os.mkdir(%r %% i)
    except OSError: pass
try: os.mkdir(%r)
except OSError: os._exit(1)"""


@test(needs=["sandbox"], slow=True)
def a_flood_is_counted(box):
    tree = places(box)
    rows, end, _ = run(box, python(FLOOD % (5000, tree + "/same%.0s", tree + "/last")), "--ro", tree)
    expect([row["path"] for row in rows] == [tree + "/same", tree + "/last"] and
        rows[0]["times"] + end["others"] == 5000, rows, end)
    rows, end, _ = run(box, python(FLOOD % (5000, tree + "/x%d", tree + "/last")), "--ro", tree)
    expect(len(rows) == 512 and end["others"] == 5001 - 512, len(rows), end)
    # Genuine failures take no room.
    rows, end, _ = run(box, python(FLOOD % (5000, "/usr/missing/x%d", tree + "/last")), "--ro", tree)
    expect([row["path"] for row in rows] == [tree + "/last"] and end["others"] == 0, rows, end)


@test(needs=["sandbox"])
def a_killed_collector_changes_nothing(box):
    tree = places(box)
    for number in (signal.SIGKILL, signal.SIGSTOP):
        process = box.start([box.zs, "run", "--denials", "--ro", tree, "--", "sh", "-c",
            "echo begun; read x; for i in 1 2 3; do mkdir %s/$i; done; echo >made; exit 7" % tree])
        expect(process.stdout.readline() == b"begun\n", "it did not begin")
        beside = collector_of(process.pid)
        expect(len(beside) == 1, "processes beside the run:", beside)
        os.kill(beside[0], number)
        began = time.monotonic()
        process.stdin.write(b"\n")
        process.stdin.close()
        process.wait()
        took = time.monotonic() - began
        # It holds standard error open.
        if number == signal.SIGSTOP:
            os.kill(beside[0], signal.SIGKILL)
        errors = process.stderr.read()
        expect(process.returncode == 7 and took < TIMEOUT / 2 and b"denied" not in errors, process.returncode, took,
            errors)
        expect(not os.path.exists(tree + "/1") and os.path.exists(os.path.join(box.work, "made")), "the wall")


# Another process changes the path in memory that both share, which needs no turns as Python's threads do.
RACE = """import ctypes, mmap, os, signal, time
end, libc, bad = time.monotonic() + %d, ctypes.CDLL(None), %r
good, memory = b'/tmp/'.ljust(len(bad), b'g'), mmap.mmap(-1, 4096)
path = (ctypes.c_char * 4096).from_buffer(memory)
pid = os.fork()
while pid == 0:
    memory[:len(bad)] = bad
    memory[:len(bad)] = good
while time.monotonic() < end and not os.path.exists(bad):
    fd = libc.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    if fd >= 0: os.close(fd)
os.kill(pid, signal.SIGKILL)
if os.path.exists(good): os.unlink(good)
os._exit(1)"""


@test(needs=["sandbox"])
def a_path_that_changes_meanwhile_opens_nothing(box):
    tree = places(box)
    path = tree + "/race"
    run(box, python(RACE % (2, os.fsencode(path))), "--ro", tree)
    expect(not os.path.exists(path), "it was written")
    # Without zs it is: the attack works.
    result = box.run(["sh", "-c", python(RACE % (TIMEOUT - 10, os.fsencode(path)))])
    expect(os.path.exists(path), "the attack does nothing:", result)


@test(needs=["sandbox"])
def the_command_cannot_reach_the_channel(box):
    result = box.run_zs("run", "--denials", "--", "sh", "-c", "for f in /proc/1/fd/*; do readlink $f; done; true")
    result.expect(exit=0, stdout="")
    result = box.run_zs("run", "--denials", "--", "sh", "-c", "for f in /proc/self/fd/*; do readlink $f; done; env")
    expect("socket:" not in result.stdout and "DENIALS" not in result.stdout, result)


# ------------------------------------------------------------------------------------------------- other places


@test(needs=["sandbox"])
def with_the_machines_network_and_in_a_dry_run(box):
    tree = places(box)
    for options in (["--net", "full"], ["--verify"], ["--diff"], ["--tmp", "shared"], ["--host", "example.com"]):
        rows, end, result = run(box, "mkdir %s/x" % tree, "--ro", tree, *options)
        expect([row["value"] for row in rows] == [tree] and not end["blind"], options, rows, result)
    box.run_zs("bash", "--denials", "--ro", tree, "-c", "touch %s/new" % tree).expect(exit=1,
        stderr=re.compile("\nzs: denied write %s/new: granted only to read; --rw %s\n$" % (tree, tree)))
    box.run_zs("run", "--denials", "--print-sandbox").expect(exit=64)


@test(needs=["sandbox"])
def without_namespaces_it_says_that_it_cannot(box):
    tree = places(box)
    options = without(box)
    path = os.path.join(box.outside, "denials")
    box.run_zs("run", "--denials=" + path, *options, "--", "sh", "-c", "mkdir %s/x" % tree,
        preexec_fn=no_namespaces).expect(exit=1)
    rows, end = collected(path)
    expect(not rows and end["blind"], rows, end)
    result = box.run_zs("run", "--denials", *options, "--", "sh", "-c", "mkdir %s/x" % tree, preexec_fn=no_namespaces)
    expect("zs: denials: without namespaces" in result.stderr, result)
    box.run_zs("run", "--denials", *options, "--", "true", preexec_fn=no_namespaces).expect(exit=0, stderr="")
