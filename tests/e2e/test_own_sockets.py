"""Unix sockets: a command reaches those that it has bound itself and those that are granted, and no others.

The attacks are Python programs that print "reached" if a server answers them that is not theirs.
"""

import contextlib
import json
import os
import re
import socket
import threading

from harness import TIMEOUT, expect, test
from processes import wait_until

# Programs read the paths that they need from their arguments.
OWN = """
import contextlib, errno, os, socket, sys, threading
def listen(path, kind=socket.SOCK_STREAM):
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(path), server.listen(8)
    def serve():
        while True:
            with server.accept()[0] as connection, contextlib.suppress(OSError):
                connection.send(b"own")
    threading.Thread(target=serve, daemon=True).start()
    return server
def ask(path, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as client:
        try:
            client.connect(path)
            return client.recv(9).decode()
        except OSError as error:
            return errno.errorcode[error.errno]
"""


def serve(server, count):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        count.append(1)
        with contextlib.suppress(OSError):
            connection.sendall(b"reached")
        connection.close()


@contextlib.contextmanager
def foreign(*paths):
    """Servers outside. Yields a list that grows with each connection."""
    count = []
    with contextlib.ExitStack() as stack:
        for path in paths:
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(path)
            os.chmod(path, 0o777)
            server.listen(64)
            stack.callback(server.shutdown, socket.SHUT_RDWR)
            threading.Thread(target=serve, args=(server, count), daemon=True).start()
        yield count


def settled(path, count):
    """The number of connections before this one, which the server counts last."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(TIMEOUT)
        client.connect(path)
        client.recv(9)
    return len(count) - 1


def python(box, program, *args, zs=("run",), exit=0, **options):
    words = ["python3", "-c", OWN + program, *args]
    return (box.run_zs(*zs, "--", *words, **options) if zs else box.run(words, **options)).expect(exit=exit, stderr="")


@test(needs=["sandbox", "socket-broker"])
def a_command_reaches_its_own_sockets(box):
    """In its own /tmp and in the workspace, by absolute and relative paths, links and other names."""
    program = """
for path in sys.argv[1:]:
    server = listen(path)
    assert ask(path) == "own", (path, ask(path))
    os.link(path, path + "2"), os.symlink(os.path.abspath(path + "2"), path + "3"), os.rename(path, path + "4")
    print([ask(path + end) for end in ("2", "3", "4")])
os.mkdir("sub"), os.chdir("sub")
print(ask("../b2"), ask("./../sub/../b3"))
os.rmdir("../sub")
print(ask("b2"), ask("/tmp/a2"), ask("/none"), ask("/tmp"), ask("/tmp/" + "x" * 100))
listen("/tmp/s", socket.SOCK_SEQPACKET), listen("\\0abstract")
print(ask("/tmp/s", socket.SOCK_SEQPACKET), ask("/tmp/s"), ask("\\0abstract"), ask("\\0other"))
"""
    for zs, work in ((("run",), box.work), (("run", "--diff"), box.work), (("run", "--net", "hosts"), box.work)):
        result = box.run_zs(*zs, "--", "python3", "-c", OWN + program, "/tmp/a", "b", work + "/c").expect()
        expect(result.stdout.startswith("['own', 'own', 'own']\n" * 3 + "own own\n"
            "ENOENT own ENOENT ECONNREFUSED ENOENT\nown EPROTOTYPE own ECONNREFUSED\n"), result)
        box.clear()


@test(needs=["sandbox", "socket-broker"])
def the_peer_is_the_same_user(box):
    """Servers such as postgres and tmux compare the user. The process is the init, which has connected."""
    python(box, """
import struct
server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/s"), server.listen(8)
client = socket.socket(socket.AF_UNIX)
client.connect("/tmp/s")
for end in (server.accept()[0], client):
    pid, uid, gid = struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    assert (uid, gid) == (os.getuid(), os.getgid()) and pid == (os.getpid() if end is client else 1), (pid, uid, gid)
""")


@test(needs=["sandbox", "socket-broker"])
def every_kind_of_process_connects(box):
    """A thread, one that cannot be traced, a child, one that does not block, and one whose executable is a script."""
    python(box, """
import ctypes, subprocess
server, said = listen("/tmp/s"), []
thread = threading.Thread(target=lambda: said.append(ask("/tmp/s")))
thread.start(), thread.join()
with socket.socket(socket.AF_UNIX) as client:
    client.setblocking(False)
    client.connect("/tmp/s")
    client.setblocking(True)
    said.append(client.recv(9).decode())
ctypes.CDLL(None).prctl(4, 0) # PR_SET_DUMPABLE
said.append(ask("/tmp/s"))
if os.fork() == 0:
    os._exit(0 if ask("/tmp/s") == "own" else 1)
assert os.wait()[1] == 0 and said == ["own"] * 3, said
""")


@test(needs=["sandbox", "socket-broker"])
def other_sockets_are_refused(box):
    """In the workspace, in folders that are granted, by every name that a command can give them."""
    names = [box.work + "/in", box.outside + "/shown"]
    program = """
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    print(ask(path), ask(os.path.basename(path)))
os.chdir(os.path.dirname(sys.argv[1]))
for change in (os.symlink, os.link, os.rename):
    change("in", "other")
    print(ask("other"))
    os.rename("other", "in") if change == os.rename else os.unlink("other")
listen("mine"), os.unlink("mine"), os.link("in", "mine")
print(ask("mine"))
os.unlink("mine"), os.unlink("in"), listen("in")
print(ask("in"))
"""
    ways = (None, ("run", "--ro", box.outside), ("run", "--rw", box.outside),
        ("run", "--rw", box.outside, "--net", "hosts"))
    for zs in ways:
        want = "EACCES" if zs else "reached"
        with foreign(*names) as count:
            box.own(box.work + "/in")
            result = python(box, program, *names, zs=zs)
            expect(result.stdout == ("%s %s\n" % (want, want)) * 2 + (want + "\n") * 4 + "own\n", result)
            expect((not count) is bool(zs), len(count), "connections")
        box.clear()
        os.unlink(names[1])


@test(needs=["sandbox", "socket-broker"])
def a_name_that_is_left_over_can_be_used_again(box):
    """A socket that nobody listens to refuses, as it does without zs."""
    program = """
print(ask("s"))
os.unlink("s"), listen("s")
print(ask("s"))
os._exit(0)
"""
    python(box, "listen('s')")
    for zs in (("run",), None, ("run",)):
        expect(python(box, "import os" + program, zs=zs).stdout in ("ECONNREFUSED\nown\n", ""), "another answer")
    expect(os.path.exists(box.work + "/s"), "control: no name is left over")


@test(needs=["sandbox", "socket-broker"])
def one_granted_socket_opens_no_other(box):
    granted, other, third = box.outside + "/granted", box.work + "/other", box.work + "/third"
    ask_all = """
print([ask(path) for path in sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as own:
    own.bind("/tmp/s"), own.listen(1)
try:
    os.rename(sys.argv[2], sys.argv[3]), os.rename(sys.argv[3], sys.argv[1])
except OSError as error:
    print(errno.errorcode[error.errno])
print([ask(path) for path in sys.argv[1:]])
"""
    with foreign(granted, other, third) as count:
        box.own(other), box.own(third)
        result = python(box, ask_all, granted, other, third, zs=("run", "--socket", granted))
        expect(result.stdout.startswith("['reached', 'EACCES', 'EACCES']\n") and "'reached', 'ENOENT', 'EACCES'" in
            result.stdout and len(count) == 2, result, len(count))
    with foreign(box.work + "/a", box.work + "/b") as count:
        # Both are in the workspace, where a command may rename.
        box.own(box.work + "/a"), box.own(box.work + "/b")
        result = python(box, "print(ask('a'), ask('b'))\ntry:\n    os.unlink('a')\nexcept OSError:\n    pass\n"
            "try:\n    os.link('b', 'a')\nexcept OSError:\n    print('kept')\nprint(ask('a'), ask('b'))",
            zs=("run", "--socket", box.work + "/a"))
        expect(result.stdout == "reached EACCES\nkept\nreached EACCES\n" and len(count) == 2, result)


# Connects for a while to what another thread changes: the address in memory, the descriptor, or a name means now this,
# now that. On a busy machine the attempts take longer, and their number counts. Prints it.
RACE = r"""
import ctypes, struct, time
libc = ctypes.CDLL(None)
foreign, way = sys.argv[1:]
own, fd, tries, over = listen("own"), 100, 0, False
port = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: [port.accept() for _ in iter(int, 1)], daemon=True).start()
def address(path):
    return struct.pack("H", socket.AF_UNIX) + path.encode() + bytes(108 - len(path))
inet = struct.pack("!BBH4s8x", 2, 0, port.getsockname()[1], b"\x7f\0\0\1") + bytes(94)
memory = ctypes.create_string_buffer(address("at"), 110)
def change():
    i = 0
    while not over:
        i += 1
        to = (foreign, "own")[i % 2]
        if way == "memory":
            ctypes.memmove(memory, address(to), 110)
        elif way == "descriptor":
            with contextlib.suppress(OSError): # it was closed
                os.dup2(sockets[i % 2].fileno(), fd)
            ctypes.memmove(memory, (address(foreign), inet)[i % 2], 110)
        elif way == "name":
            os.link(to, "new"), os.rename("new", "at")
            os.path.exists("new") and os.unlink("new")
        else:
            os.symlink((to, os.path.dirname(to) or ".")[way == "folder"], "new"), os.rename("new", "at")
def fresh():
    global sockets
    sockets = [socket.socket(socket.AF_UNIX), socket.socket(socket.AF_INET)]
    os.dup2(sockets[0].fileno(), fd)
if way == "folder":
    listen(os.path.basename(foreign))
    ctypes.memmove(memory, address("at/" + os.path.basename(foreign)), 110)
fresh()
threading.Thread(target=change, daemon=True).start()
end = time.monotonic() + 0.4
while time.monotonic() < end or tries <= 200:
    tries += 1
    libc.connect(fd, memory, 16 if way == "descriptor" else 110)
    former = sockets
    fresh()
    [s.close() for s in former]
over = True
print(tries, flush=True)
os._exit(0)
"""


@test(needs=["sandbox", "socket-broker"])
def no_race_reaches_another_socket(box):
    """A thread changes what is connected and to which address, while the kernel and zs look at it."""
    for way, path, rights in (("memory", "f", []), ("descriptor", "f", []), ("link", "f", []), ("name", "f", []),
            ("folder", box.outside + "/f", ["--rw", box.outside])):
        server = os.path.join(box.work, path)
        with foreign(server) as count:
            box.own(server)

            def attack(zs):
                for name in set(os.listdir(box.work)) - {path}:
                    os.unlink(os.path.join(box.work, name))
                del count[:]
                result = python(box, RACE, path, way, zs=zs)
                return int(result.stdout), settled(server, count)

            wait_until(lambda: attack(None)[1] > 0, "control: %s: it reaches nothing without zs" % way)
            tries, reached = attack(("run", *rights))
            expect(tries > 200 and reached == 0, way, tries, reached)
        box.clear()


@test(needs=["sandbox", "socket-broker"])
def a_full_server_delays_no_other_connection(box):
    """Connections that wait. They end when the server accepts, when their time is over, and when they are killed."""
    python(box, """
import signal, struct, time
server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/full"), server.listen(0)
web = socket.create_server(("127.0.0.1", 0), backlog=0)
listen("/tmp/s")
clients = [socket.socket(socket.AF_UNIX)]
clients[0].connect("/tmp/full")
said = []
def wait():
    clients.append(socket.socket(socket.AF_UNIX))
    clients[-1].connect("/tmp/full")
    said.append(1)
threads = [threading.Thread(target=wait) for _ in range(9)]
[thread.start() for thread in threads]
many = [threading.Thread(target=lambda: said.append(socket.create_connection(web.getsockname()))) for _ in range(2)]
[thread.start() for thread in many]
began = time.monotonic()
assert all(ask("/tmp/s") == "own" for _ in range(50)) and time.monotonic() - began < 20, time.monotonic() - began
with socket.socket(socket.AF_UNIX) as late:
    late.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("2q", 0, 50000))
    began = time.monotonic()
    try:
        late.connect("/tmp/full")
        print("not late")
    except BlockingIOError:
        assert 0.04 < time.monotonic() - began < 20
with socket.socket(socket.AF_UNIX) as quick:
    quick.setblocking(False)
    try:
        quick.connect("/tmp/full")
        print("not full")
    except BlockingIOError:
        pass
pid = os.fork()
if pid == 0:
    wait()
time.sleep(0.05)
os.kill(pid, signal.SIGTERM)
assert os.waitpid(pid, 0)[1] == signal.SIGTERM
for _ in range(10):
    server.accept()
for _ in range(2):
    web.accept()
[thread.join() for thread in threads + many]
assert len(said) == 11, said
print("done")
""").expect(stdout="done\n")


# The limits of broker.c.
WAITING_MAX, KNOWN_MAX = 128, 512


@test(needs=["sandbox", "socket-broker"])
def the_limits_of_sockets_are_reached(box):
    python(box, """
import collections, resource, time
resource.setrlimit(resource.RLIMIT_NOFILE, (1000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
known, said = int(sys.argv[1]), collections.Counter()
def wait():
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect("/tmp/full")
            said["connected"] += 1
        except OSError as error:
            said[errno.errorcode[error.errno]] += 1
server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/full"), server.listen(0)
threads = [threading.Thread(target=wait, daemon=True) for _ in range(int(sys.argv[2]) + 6)]
[thread.start() for thread in threads]
for _ in range(400):
    time.sleep(0.05 if sum(said.values()) < 6 else 0)
assert said == {"connected": 1, "EAGAIN": 5}, said
server.settimeout(0.1) # the last thread may not have counted yet
while sum(said.values()) < len(threads):
    with contextlib.suppress(TimeoutError):
        server.accept()[0].close()
[thread.join() for thread in threads]
assert said["EAGAIN"] == 5, said
servers = []
def more():
    servers.append(socket.socket(socket.AF_UNIX))
    servers[-1].bind("/tmp/%d" % len(servers)), servers[-1].listen(8)
for _ in range(known - 1):
    more()
try:
    more()
    print("no limit")
except OSError as error:
    assert error.errno == errno.ENOBUFS, error
os.unlink("/tmp/5")
more()
socket.socket(socket.AF_UNIX).connect("/tmp/%d" % len(servers))
socket.socket(socket.AF_UNIX).connect("/tmp/6")
""", str(KNOWN_MAX), str(WAITING_MAX))


@test(needs=["sandbox", "socket-broker"])
def the_init_cannot_be_ended_from_inside(box):
    """The command knows its pid, 1."""
    python(box, """
import signal
listen("/tmp/s")
for number in range(1, 65):
    try:
        os.kill(1, number)
    except OSError:
        pass
assert ask("/tmp/s") == "own"
""")


@test(needs=["sandbox", "socket-broker"])
def no_other_way_leads_to_a_socket(box):
    """Datagrams name their receiver without connect(2). An inherited socket was made in another network."""
    with foreign(box.work + "/f") as count:
        python(box, """
for attempt in (lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), lambda: socket.socket(socket.AF_UNIX, 3),
        lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)):
    try:
        attempt()
        print("made")
    except OSError as error:
        assert error.errno == errno.EACCES, error
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
    netlink.bind((0, 0))
    try:
        netlink.connect((1, 0xff))
        print("connected")
    except PermissionError:
        pass
with socket.socket(socket.AF_UNIX) as stream, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as packets:
    for client in (stream, packets):
        try:
            client.sendto(b"x", "f")
            print("sent")
        except OSError:
            pass
""").expect(stdout="")
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_UNIX, kind) as inherited:
                box.run([box.zs, "run", "--socket", box.work + "/f", "--", "true"], stdin=None,
                    preexec_fn=lambda: os.dup2(inherited.fileno(), 0)).expect(exit=125,
                    stderr=["is a socket that the command could connect to other peers"])
        expect(not count, "reached")


@test(needs=["sandbox", "socket-broker"])
def without_a_broker_no_socket_is_made(box):
    """With the machine's network the run's sockets cannot be told from others. Only --without opens them."""
    program = "python3 -c '%s\nprint(ask(\"f\"))'" % OWN.replace("'", '"')
    with foreign(box.work + "/f") as count:
        box.run_zs("run", "--net", "full", "--", "sh", "-c", program).expect(exit=1, stderr=["Permission denied"])
        expect(not count, "reached")
        box.granted(program, zs=["run", "--without", "sockets"], stdout="reached\n")


# Installs a seccomp filter, whose listener the parent keeps, and runs the rest of the arguments in it. The program is
# (code, jt, jf, k) of each instruction.
FILTER = """
import ctypes, os, struct, sys
flags, program = int(sys.argv[1]), eval(sys.argv[2])
code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
code = ctypes.create_string_buffer(code, len(code))
program = ctypes.create_string_buffer(struct.pack("H6xP", len(program), ctypes.addressof(code)), 16)
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0) # PR_SET_NO_NEW_PRIVS
if libc.syscall({"x86_64": 317, "aarch64": 277}[os.uname().machine], 1, flags, program) < 0:
    sys.exit("no filter")
if os.fork() == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
ALLOW = (0x06, 0, 0, 0x7fff0000)
LISTENER = ["python3", "-c", FILTER, "8", str([ALLOW])] # SECCOMP_FILTER_FLAG_NEW_LISTENER
# pidfd_open(2) (434) with PIDFD_THREAD (O_EXCL) fails with EINVAL, as before Linux 6.9.
NO_THREADS = ["python3", "-c", FILTER, "0", str([(0x20, 0, 0, 0), (0x15, 0, 3, 434), (0x20, 0, 0, 24),
    (0x15, 0, 1, 0o200), (0x06, 0, 0, 0x50000 + 22), ALLOW])]


@test(needs=["sandbox", "socket-broker"])
def a_filter_around_zs_with_a_listener_leaves_no_sockets(box):
    """The kernel allows one listener to a process."""
    server = "import socket; socket.socketpair(); socket.socket(socket.AF_UNIX)"
    box.run([*LISTENER, box.zs, "run", "--", "python3", "-c", server]).expect(exit=1, stderr=["PermissionError"])
    with foreign(box.work + "/f"):
        box.run([*LISTENER, box.zs, "run", "--socket", box.work + "/f", "--", "true"]).expect(exit=125,
            stderr=["zs: seccomp: resource busy"])


@test(needs=["sandbox", "socket-broker"])
def a_filter_around_zs_with_a_listener_hides_denials_and_opens_nothing(box):
    refused = """
import ctypes
c = ctypes.CDLL(None, use_errno=True)
calls = [(c.unshare, 0x10000000), (c.chroot, b"/"), (c.socket, 38, 5, 0), (c.socket, 1, 1, 0), (c.setpriority, 1, 0, 9)]
print(*[call(*words) < 0 and ctypes.get_errno() for call, *words in calls])
raise SystemExit(3)
"""
    path = os.path.join(box.outside, "denials")
    box.run([*LISTENER, box.zs, "run", "--denials=" + path, "--", "python3", "-c", refused]).expect(exit=3,
        stdout="1 1 97 13 1\n")
    with open(path) as file:
        expect(json.loads(file.read()) == {"event": "end", "status": 3, "others": 0, "blind": True}, "it saw calls")


@test(needs=["sandbox", "socket-broker"])
def threads_connect_on_older_kernels(box):
    program = """
listen("/tmp/s")
thread = threading.Thread(target=lambda: print(ask("/tmp/s")))
thread.start(), thread.join()
"""
    box.run([*NO_THREADS, box.zs, "run", "--", "python3", "-c", OWN + program]).expect(stdout="own\n")
    control = "import ctypes; print(ctypes.CDLL(None).syscall(434, 1, 0o200) < 0)"
    box.run([*NO_THREADS, "python3", "-c", control]).expect(stdout="True\n")


@test(needs=["sandbox", "socket-broker"])
def python_starts_processes_by_a_server(box):
    box.file("home/project/p.py", "import multiprocessing as m\nif __name__ == '__main__':\n"
        "    m.set_start_method('forkserver')\n    p = m.Process(target=print, args=(1,))\n    p.start(), p.join()\n"
        "    d = m.Manager().dict()\n    d[1] = 2\n    print(d)\n")
    # They end a moment after the program, and on a busy machine zs may still see them.
    box.run_zs("run", "--", "python3", "p.py").expect(stdout="1\n{1: 2}\n",
        stderr=re.compile(r"\A(zs: ended with the run: python3 [^\n]*\n)?\Z"))
