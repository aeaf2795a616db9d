"""zs vet --serve: the lines of --batch for other programs, over standard input and output or a socket."""

import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import threading
import time

from batch_lines import BAD_LINES, read_line
from harness import Failure, NOBODY, main, test

CLIENTS_MAX = 64
SECONDS = 60  # until something is a failure; nothing here takes one of them
# More memory than the first allocation holds, so that a text ends where another does not.
LARGE = "echo " + "a " * 20000


def request(id, cmd, **more):
    return (json.dumps(dict({"id": id, "cmd": cmd}, **more)) + "\n").encode()


class Server:
    """zs vet --serve as this box's user; with a path, at that socket."""

    def __init__(self, box, path=None, argv=(), options=(), **spawn):
        self.path = path
        self.process = subprocess.Popen([*argv, box.zs, "vet", "--serve", *options,
            *(["--socket", path] if path else [])], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=box.env, cwd=box.work, bufsize=0, **{**box.user.spawn_options(), **spawn})
        if path:
            # Once it is answered, or closed, its process has none of the server's descriptors any more.
            with self.connect() as client:
                try_to_talk(client, request(0, "ls"))

    def connect(self):
        """A socket's file is there a moment before somebody listens."""
        end = time.monotonic() + SECONDS
        while True:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(SECONDS)
            try:
                client.connect(self.path)
                return client
            except (FileNotFoundError, ConnectionRefusedError):
                client.close()
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Failure("nobody listens: %s" % self.process.stderr.read()) from None
                time.sleep(0.01)

    def ask(self, line):
        self.process.stdin.write(line)
        return self.answer()

    def answer(self):
        answer = read_line(self.process.stdout, SECONDS)
        if not answer:
            raise Failure("no answer; exit %s" % self.process.poll())
        return json.loads(answer)

    def end(self, signal_to_send=None):
        """Its exit status, and what it said."""
        if signal_to_send:
            self.process.send_signal(signal_to_send)
        _, said = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, said.decode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.communicate()


def talk(client, line):
    client.sendall(line)
    return hear(client)


def hear(client):
    """The next line; None at the end."""
    with client.makefile("rb") as lines:
        line = lines.readline()
    return json.loads(line) if line else None


def try_to_talk(client, line):
    """None also when the server has closed it before."""
    with contextlib.suppress(ConnectionError):
        return talk(client, line)


def expect(have, **want):
    if have is None or {key: have.get(key) for key in want} != want:
        raise Failure("%s is not %s" % (have, want))
    return have


@test()
def serves_a_pipe(box):
    with Server(box) as server:
        expect(server.ask(request(1, "ls")), id=1, verdict="allow")
        expect(server.ask(request("b", "cd x")), id="b", verdict="block", code="cd", span={"start": 0, "end": 4})
        expect(server.ask(request(3, "rm x", profile="verify")), id=3, verdict="block", code="write")
        # Half a line is no line.
        half = request(4, "ls")
        server.process.stdin.write(half[:9])
        expect(server.ask(half[9:]), id=4, verdict="allow")
        status = server.end()
    if status != (0, ""):
        raise Failure("%s %s" % status)


@test(once=True)
def a_bad_line_is_answered_and_served_on(box):
    with Server(box) as server:
        for i, (line, id, reason) in enumerate(BAD_LINES):
            data = line.encode("latin-1")
            # Its own end has to be read while it is written: a pipe holds less than the longest lines.
            writer = threading.Thread(target=server.process.stdin.write, args=(data,))
            writer.start()
            answer = expect(server.answer(), id=id, verdict="block", code="bad_input", risks=[])
            writer.join()
            if not answer["reason"].startswith("line %d: %s" % (2 * i + 1, reason)):
                raise Failure(answer)
            expect(server.ask(request("good", "ls")), id="good", verdict="allow")
        status = server.end()
    if status != (0, ""):
        raise Failure("%s %s" % status)


@test(once=True)
def a_last_line_needs_no_newline(box):
    with Server(box) as server:
        out, said = server.process.communicate(request(1, "ls") + request(2, "cd x")[:-1], timeout=SECONDS)
        if [json.loads(line)["verdict"] for line in out.splitlines()] != ["allow", "block"] or said:
            raise Failure("%r %r" % (out, said))


@test(needs=["strace"])
def a_text_that_ends_its_reader_is_denied(box):
    """strace(1) ends the process, as a crash would, in the midst of a text: at what only a large one does."""
    crash = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=mmap", "-e", "inject=mmap:signal=SIGSEGV:when=9+"]
    lines = b"".join([request(1, "ls"), request("large", LARGE), request(3, "cd x"), request(4, LARGE),
        request(5, "ls")])
    want = [(1, None), ("large", "crash"), (3, "cd"), (4, "crash"), (5, None)]
    with Server(box) as control:
        out, _ = control.process.communicate(lines, timeout=SECONDS)
        if any(json.loads(line)["code"] == "crash" for line in out.splitlines()):
            raise Failure("control: it is denied without a crash too: %r" % out)
    with Server(box, argv=crash) as server:
        out, said = server.process.communicate(lines, timeout=SECONDS)
    answers = [json.loads(line) for line in out.splitlines()]
    if [(answer["id"], answer["code"]) for answer in answers] != want or server.process.returncode != 0:
        raise Failure("%s %r" % (answers, said))
    for answer in answers:
        expect(answer, verdict="block" if answer["code"] else "allow")


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


@test(needs=["linux"])
def a_reader_that_is_killed_elsewhere_says_nothing_more(box):
    """It is not known what it has read: the client sees the end, no answer that belongs to another line."""
    with Server(box) as server:
        expect(server.ask(request(1, "ls")), id=1)
        (child,) = children(server.process.pid)
        os.kill(child, signal.SIGKILL)
        status, said = server.end()
        if status != 125 or "signal 9" not in said:
            raise Failure("%s %s" % (status, said))


@test(needs=["linux"])
def a_server_that_is_killed_has_no_one_go_on(box):
    with Server(box) as server:
        expect(server.ask(request(1, "ls")), id=1)
        server.process.kill()
        server.process.wait()
        # Its standard input stays open: the end is that of its own processes.
        if server.process.stdout.read():
            raise Failure("an answer to nothing")


def socket_path(box):
    return os.path.join(box.folder("run", 0o700), "vet")


@test()
def serves_a_socket(box):
    path = socket_path(box)
    with Server(box, path) as server:
        mode = os.lstat(path)
        if not stat.S_ISSOCK(mode.st_mode) or stat.S_IMODE(mode.st_mode) != 0o600:
            raise Failure(oct(mode.st_mode))
        if box.user.uid is None:
            with server.connect() as one, server.connect() as idle, server.connect() as half, \
                    server.connect() as deaf:
                half.sendall(request(1, "ls")[:5])
                # One that asks and never hears.
                deaf.settimeout(0)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        deaf.send(request(1, "cd x") * 100)
                expect(talk(one, request(1, "ls")), id=1, verdict="allow")
                expect(talk(idle, request(2, "cd x")), id=2, code="cd")
                expect(talk(half, request(1, "ls")[5:]), id=1, verdict="allow")
                # The end of what a client says is not the end of what it hears.
                one.sendall(request(3, "ls"))
                one.shutdown(socket.SHUT_WR)
                expect(hear(one), id=3, verdict="allow")
                assert hear(one) is None
        status = server.end(signal.SIGTERM)
        if status != (0, "") or os.path.lexists(path):
            raise Failure("%s %s: %s" % (*status, os.path.lexists(path)))


@test(needs=["root"])
def a_socket_is_for_its_own_user(box):
    """Not for others, whom its mode stops, nor for root, whom no mode stops."""
    path = socket_path(box)
    os.chmod(os.path.dirname(path), 0o755)
    talk_to = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
        "s.sendall(b'{\"id\":1,\"cmd\":\"ls\"}\\n'); print(len(s.recv(9)) > 0)")
    nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    with Server(box, path):
        box.run(["python3", "-c", talk_to, path]).expect(stdout="True\n")
        done = subprocess.run(["/usr/bin/python3", "-c", talk_to, path], capture_output=True, text=True, **nobody)
        if "PermissionError" not in done.stderr:
            raise Failure(done)
    os.chown(os.path.dirname(path), NOBODY, NOBODY)
    with Server(box, path + "2", **nobody) as server:
        with server.connect() as client:
            if try_to_talk(client, request(1, "ls")):
                raise Failure("root is answered by another user's server")


def refused(box, path, said):
    result = box.run_zs("vet", "--serve", "--socket", path)
    result.expect(exit=125, stdout="", stderr="zs: vet: --socket: %s\n" % said)


@test()
def a_socket_takes_no_ones_place(box):
    path = socket_path(box)
    folder = os.path.dirname(path)
    others = box.folder("others", 0o777)
    os.chmod(others, 0o1777)
    shared = others + "/: others can write this folder; use one of your own, such as $XDG_RUNTIME_DIR"
    refused(box, others + "/vet", shared)
    refused(box, folder + "/", folder + "/: names no file; write the path of a socket")
    refused(box, folder + "/" + "x" * 100,
        folder + "/" + "x" * 100 + ": is too long for a socket's path (man 7 unix); use a shorter one")
    refused(box, folder + "/no/vet", folder + "/no/: no such file or directory")
    # A file, and a link to one.
    file = box.file("run/file", "mine\n")
    os.symlink(file, path)
    for name in (file, path):
        refused(box, name, name + ": is there, and is no socket; name another path")
    with open(file) as stream:
        assert stream.read() == "mine\n"
    os.unlink(path)
    if box.user.uid is not None:
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(path)
        refused(box, path, path + ": is another user's; name another path")
        os.unlink(path)
    # Somebody's server, of zs or not; and one that hears nobody, since its backlog is full.
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(path)
        box.own(path)
        other.listen(0)
        taken = path + ": somebody listens there already; stop that, or name another path"
        refused(box, path, taken)
        waiting = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                one.connect(path)
        refused(box, path, taken)
        for one in waiting:
            one.close()
    # It is stale now: as when a server was killed.
    with Server(box, path) as server:
        inode = os.lstat(path).st_ino
        refused(box, path, path + ": somebody listens there already; stop that, or name another path")
        server.end(signal.SIGKILL)
        assert os.lstat(path).st_ino == inode
    # What has taken its place by then is not the server's to remove.
    with Server(box, path) as server:
        os.rename(path, path + ".old")
        box.file("run/vet", "another\n")
        status = server.end(signal.SIGINT)
        assert status == (0, ""), status
        assert os.path.exists(path)


@test(needs=["root"])
def a_folder_of_another_user_is_refused(box):
    if box.user.uid is None:
        path = os.path.join(box.folder("run", 0o755), "vet")
        os.chown(os.path.dirname(path), NOBODY, NOBODY)
        refused(box, path, os.path.dirname(path)
            + "/: others can write this folder; use one of your own, such as $XDG_RUNTIME_DIR")


@test(once=True)
def one_client_too_many_is_told(box):
    path = socket_path(box)
    with Server(box, path) as server, contextlib.ExitStack() as stack:
        # The first connection of all has ended, and its place is free once the server has seen that.
        clients = []
        while len(clients) < CLIENTS_MAX:
            client = stack.enter_context(server.connect())
            answer = try_to_talk(client, request(1, "ls"))
            if answer and answer["verdict"] == "allow":
                clients.append(client)
        more = stack.enter_context(server.connect())
        expect(hear(more), id=None, verdict="block", code="busy")
        assert hear(more) is None
        clients.pop().close()
        end = time.monotonic() + SECONDS
        while True:
            with server.connect() as client:
                answer = try_to_talk(client, request(2, "ls"))
                if answer and answer["verdict"] == "allow":
                    break
            if time.monotonic() > end:
                raise Failure("its place stays taken")
        assert server.end(signal.SIGTERM) == (0, "")


if __name__ == "__main__":
    main()
