"""zs box: commands of one box share a place until it ends, and no failure of zs looks like a command's status."""

import concurrent.futures
import hashlib
import json
import os
import re
import select
import signal
import socket
import subprocess

from boxes import FIELDS, IDLE, as_json, boxes, create, daemon_of, inside, own_place
from harness import REPOSITORY, TIMEOUT, expect, expect_fields, read, test
from no_namespaces import no_namespaces, without
from processes import alive, asleep, descendants, new_mark, wait_asleep, wait_until
from subordinate import UsersBox


@test(needs=["sandbox", "own-etc"])
def the_list_where_proc_hides_processes(box):
    """It gives no wrong count. Commands run as always."""
    box = UsersBox(box)
    hides = ["mount -t proc -o hidepid=%s none /proc" % how for how in ("2", "1", "ptraceable")]
    with own_place(box):
        mark = new_mark()
        name = create(box)
        inside(box, name, IDLE % mark + "true", change=hides[0]).expect(exit=0, stdout="", stderr="")
        wait_asleep(mark)
        for change in ("true", *hides):
            count = 1 if box.user.is_root or change == "true" else -1
            done = box.run_zs("box", "list", "--json", change=change).expect(exit=0, stderr="")
            expect(json.loads(done.stdout)["processes"] == count, change, done)
            done = box.run_zs("box", "list", change=change).expect(exit=0, stderr="")
            expect(done.stdout.endswith("\t1 process\n" if count > 0 else "\thidden processes\n"), change, done)


@test(needs=["sandbox"])
def commands_share_a_place(box):
    with own_place(box):
        mark = new_mark()
        name = create(box)
        expect(len(name) == 16, name)
        inside(box, name, IDLE % mark + "echo kept >/tmp/kept; echo made >made").expect(exit=0, stdout="", stderr="")
        wait_asleep(mark)
        inside(box, name, "cat /tmp/kept made; pwd").expect(exit=0, stdout="kept\nmade\n%s\n" % box.work)
        inside(box, name, "pkill -0 -x sleep && echo lives").expect(exit=0, stdout="lives\n")
        expect(os.path.exists(box.work + "/made") and not os.path.exists("/tmp/kept"), "the workspace alone is outside")
        shown, = boxes(box)
        expect_fields(shown, {"id": name, "workspace": box.work, "processes": 1})
        # Another box of the same workspace is another place.
        other = create(box)
        inside(box, other, "test -e /tmp/kept || pkill -0 -x sleep").expect(exit=1)
        box.run_zs("box", "close", name).expect(exit=0, stdout="", stderr="")
        expect(not asleep(mark), "a process is left")
        expect([each["id"] for each in boxes(box)] == [other], boxes(box))
        box.run_zs("box", "close", name).expect(exit=1, stderr=["there is no such box"])


@test(needs=["sandbox"])
def a_server_answers_the_next_command(box):
    serve = "python3 -m http.server --bind 127.0.0.1 8000 >/tmp/log 2>&1 & "
    fetch = ("i=0; while ! python3 -c \"import urllib.request as u; u.urlopen('http://127.0.0.1:8000/', timeout=9)\" "
        ">/tmp/up 2>&1; do sleep 0.05; i=$((i+1)); test $i -lt 100 || exit 9; done; echo up")
    with own_place(box):
        name = create(box)
        inside(box, name, serve).expect(exit=0)
        inside(box, name, fetch).expect(exit=0, stdout="up\n")


@test(needs=["sandbox"])
def the_command_is_as_asked_for(box):
    with own_place(box):
        sub = box.folder("home/project/sub")
        name = create(box, "--setenv", "KEPT=box", add_env={"SECRET": "x", "LANG": "C"})
        inside(box, name, "echo $KEPT$SECRET$LANG$NEW", "-e", "NEW=a=b", "-e", "LANG=y", add_env={"LANG": "z"}).expect(
            exit=0, stdout="boxya=b\n")
        for cwd in (sub, "sub"):
            inside(box, name, "pwd", "--cwd", cwd, cwd="/").expect(exit=0, stdout=sub + "\n")
        inside(box, name, "cat", stdin="in\n" * 50000).expect(exit=0, stdout="in\n" * 50000)
        # A word behind the ID belongs to the command.
        box.run_zs("box", "exec", name, "printf", "%s", "--json").expect(exit=0, stdout="--json")
        uid = 0 if box.user.uid is None else box.user.uid
        inside(box, name, "id -u", "--user", str(uid)).expect(exit=0, stdout="%d\n" % uid)
        for user in ("12345", "daemon", ""):
            inside(box, name, "echo ran", "--user", user).expect(exit=125, stdout="", stderr=["no user but its own"])


@test(needs=["sandbox"])
def how_it_ended(box):
    with own_place(box):
        name = create(box)
        for script, want, exit in (
                ("echo out; echo err >&2; exit 7", {"status": 7, "stdout": "out\n", "stderr": "err\n"}, 7),
                ("kill -9 $$", {"status": 137, "signal": 9, "ended": "signal"}, 137),
                # A command's own status is a status, whatever zs uses it for.
                ("exit 125", {"status": 125}, 125), ("exit 122", {"status": 122}, 122),
                ("exit 124", {"status": 124}, 124), ("exit 137", {"status": 137}, 137),
                ("printf '\\377'", {"status": 0, "stdout": "\ufffd".encode().decode("latin-1")}, 0)):
            expect_fields(as_json(box, name, script, exit=exit), {**FIELDS, **want})
        done = box.run_zs("box", "exec", name, "--json", "--", "no-such-program").expect(exit=127)
        expect_fields(json.loads(done.stdout), {"status": 127, "failure": None})
        line = as_json(box, name, "echo ran", "--cwd", "/no/such", exit=125)
        expect_fields(line, {"status": None, "failure": "not-run", "stdout": "", "ended": None,
            "enforced": None})
        inside(box, name, "echo ran", "--cwd", "/no/such").expect(exit=125, stdout="")
        absent = "0" * 16
        expect_fields(as_json(box, absent, "true", exit=125), {"status": None, "failure": "not-run"})
        for wrong in ("", "x", "../" + name, name[:-1], name.upper() + "/"):
            inside(box, wrong, "echo ran").expect(exit=125, stdout="")
        inside(box, absent, "true").expect(exit=125, stdout="", stderr=["there is no such box"])


@test(needs=["sandbox"])
def output_is_kept_up_to_a_size(box):
    with own_place(box):
        name = create(box)
        line = as_json(box, name, "printf 12345; printf 1234 >&2", "--max-output", "4")
        expect_fields(line, {"status": 0, "stdout": "1234", "stdout_truncated": True, "stderr": "1234",
            "stderr_truncated": False})
        line = as_json(box, name, "head -c 11000000 /dev/zero | tr '\\0' x")
        expect(len(line["stdout"]) == 10 * 1024 * 1024 and line["stdout_truncated"], len(line["stdout"]))


@test(needs=["sandbox"])
def a_time_limit_ends_the_command_alone(box):
    with own_place(box):
        mark, kept = new_mark(), new_mark()
        name = create(box)
        inside(box, name, IDLE % kept + "true").expect(exit=0)
        wait_asleep(kept)
        line = as_json(box, name, "echo begun; sleep %s & sleep %s" % (mark, mark), "--timeout", "3s", exit=124)
        expect_fields(line, {**FIELDS, "timed_out": True, "ended": "timeout", "stdout": "begun\n"})
        wait_until(lambda: not asleep(mark), "the command's processes have ended")
        expect(len(asleep(kept)) == 1, "no others have ended")
        inside(box, name, "sleep 9", "--timeout", "1").expect(exit=124, stderr=["--timeout 1 is over"])
        inside(box, name, "echo goes on").expect(exit=0, stdout="goes on\n")


@test(needs=["sandbox"])
def results_have_the_digest_of_the_policy(box):
    with own_place(box):
        names = [create(box, *options) for options in ([], [], ["--limit", "wall=1h"], ["--host", "example.org"])]
        digests = [as_json(box, name, "true")["policy"] for name in names]
        expect(all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests), digests)
        expect(digests[0] == digests[1] and len(set(digests)) == 3, digests)
        # A box that is narrowed has another policy, that of a box without hosts.
        box.run_zs("box", "policy", names[3], "--net", "none").expect(exit=0)
        expect(as_json(box, names[3], "true")["policy"] == digests[0], "narrowed")
        expect(as_json(box, "0123456789abcdef", "true", exit=125)["policy"] is None, "nothing ran")


@test(needs=["sandbox"])
def files_go_in_and_out(box):
    with own_place(box):
        name = create(box)
        text = "".join(map(chr, range(256))) * 2000
        box.run_zs("box", "put", name, "-", "/tmp/a/b/c", stdin=text).expect(exit=0, stdout="", stderr="")
        box.run_zs("box", "get", name, "/tmp/a/b/c", "-").expect(exit=0, stdout=text, stderr="")
        box.file("outside/tool", "#!/bin/sh\necho tool\n", 0o755)
        box.run_zs("box", "put", name, box.outside + "/tool", "/tmp/tool").expect(exit=0)
        inside(box, name, "/tmp/tool; stat -c %a /tmp/tool /tmp/a/b/c").expect(exit=0, stdout="tool\n755\n644\n")
        box.run_zs("box", "put", name, "--mode", "600", "-", "own", stdin="short").expect(exit=0)
        inside(box, name, "stat -c %a own; cat own").expect(exit=0, stdout="600\nshort")
        # No program of the box takes part.
        inside(box, name, "mkdir /tmp/bin; ln -s /bin/false /tmp/bin/cat; ln -s /nowhere /tmp/link").expect(exit=0)
        got = box.outside + "/got"
        box.run_zs("box", "get", name, "/tmp/tool", got).expect(exit=0)
        expect(open(got).read() == "#!/bin/sh\necho tool\n", "the file")
        # The caller's umask counts, and only a regular file is replaced: root's /dev/null is none.
        private = ["sh", "-c", "umask 077; exec \"$@\"", "sh", box.zs]
        box.run([*private, "box", "get", name, "/tmp/tool", got]).expect(exit=0)
        expect(os.stat(got).st_mode & 0o777 == 0o600, oct(os.stat(got).st_mode))
        for make in (os.mkfifo, lambda path: os.symlink(got, path)):
            other = os.path.join(box.root, "other")
            make(other)
            before = os.lstat(other)
            box.run_zs("box", "get", name, "/tmp/tool", other).expect(exit=74, stderr=["is no regular file"])
            expect(os.lstat(other).st_ino == before.st_ino, "it was replaced")
            os.remove(other)
        # The box's own files do not allow it: 1. Nothing appears outside.
        for path in ("/tmp/none", "/tmp", "/dev/null", "/tmp/link", "%s/.ssh/id_ed25519" % box.home):
            box.run_zs("box", "get", name, path, got + "2").expect(exit=1, stdout="", stderr=["zs: get: %s: " % path])
        expect(sorted(os.listdir(box.outside)) == ["got", "tool"], os.listdir(box.outside))
        for path in ("/tmp", "/proc/none", "/usr/bin/new", box.outside + "/new", "/tmp/tool/x"):
            box.run_zs("box", "put", name, "-", path).expect(exit=1, stderr=re_put(path))
        inside(box, name, "mkfifo /tmp/fifo").expect(exit=0)
        box.run_zs("box", "put", name, "-", "/tmp/fifo").expect(exit=1)
        box.run_zs("box", "get", name, "/tmp/fifo", "-").expect(exit=1)
        # A file of the box does not fill the caller's disk. The second one has no size until it is read.
        inside(box, name, "truncate -s 1025M huge; truncate -s 9 nine; truncate -s 8 eight").expect(exit=0)
        larger = "is larger than %d bytes"
        box.run_zs("box", "get", name, "huge", got + "3").expect(exit=1, stderr=[larger % (1 << 30)])
        for path in ("nine", "/proc/self/status"):
            for to in (got + "3", "-"):
                done = box.run_zs("box", "get", "--max-output", "8", name, path, to)
                done.expect(exit=1, stdout="", stderr=[larger % 8])
        box.run_zs("box", "get", "--max-output", "8", name, "eight", "-").expect(exit=0, stdout="\0" * 8)
        much = box.run_zs("box", "get", "--max-output", "much", name, "eight", "-")
        much.expect(exit=64, stderr=["much: is no size"])
        expect(sorted(os.listdir(box.outside)) == ["got", "tool"], os.listdir(box.outside))
        # zs: 125, never 1.
        for words in (("put", "0" * 16, "-", "/tmp/x"), ("get", "0" * 16, "/tmp/x", "-")):
            box.run_zs("box", *words).expect(exit=125, stdout="")
        box.run_zs("box", "put", name, box.outside + "/none", "/tmp/x").expect(exit=65)


def re_put(path):
    return ["zs: put: %s: " % path]


@test(needs=["sandbox"])
def a_signal_to_a_copy_ends_it_inside(box):
    with own_place(box):
        name = create(box)
        with box.start([box.zs, "box", "put", name, "-", "/tmp/part"], text=True, stdin=subprocess.PIPE,
                stderr=subprocess.PIPE) as run:
            wait_until(lambda: inside(box, name, "test -e /tmp/part").exit == 0, "it copies")
            run.send_signal(signal.SIGINT)
            expect("not copied as a whole" in run.stderr.read() and run.wait(TIMEOUT) == 125, run.returncode)


@test(needs=["sandbox"])
def copies_have_digests(box):
    data = bytes(range(256)) * 1000
    digest = hashlib.sha256(data).hexdigest()
    with own_place(box):
        name = create(box)
        policy = box.run_zs("box", "policy", name).expect(exit=0, stderr="").stdout
        kept = {"policy": hashlib.sha256(policy.rstrip("\n").encode()).hexdigest(), "image": None}
        whole = {"status": 0, "failure": None, "message": None, "sha256": digest, "bytes": len(data), **kept}
        with open(box.file("outside/in", ""), "wb") as file:
            file.write(data)

        def copied(*words, exit=0):
            return json.loads(box.run_zs("box", words[0], "--json", *words[1:]).expect(exit=exit).stdout)

        expect(copied("put", name, box.outside + "/in", "/tmp/a") == whole, "a file")
        expect(as_json(box, name, "sha256sum </tmp/a")["stdout"] == digest + "  -\n", "it is there")
        expect(copied("get", name, "/tmp/a", box.outside + "/out") == whole, "back")
        with open(box.outside + "/out", "rb") as file:
            expect(file.read() == data, "as it was")
        empty = hashlib.sha256(b"").hexdigest()
        expect(copied("put", name, "/dev/null", "/tmp/b") == {**whole, "sha256": empty, "bytes": 0}, "nothing")
        nothing = {**whole, "status": 1, "sha256": None, "bytes": None}
        expect(copied("get", name, "/tmp/none", box.outside + "/none", exit=1) == nothing, "no such file")
        expect(copied("put", name, box.outside + "/in", "/usr/x", exit=1) == nothing, "a file of the machine's")
        box.run_zs("box", "get", "--json", name, "/tmp/a", "-").expect(exit=64, stdout="")
        box.run_zs("box", "get", "--json", name, "/tmp/a", box.outside).expect(exit=74, stdout="")
        box.run_zs("box", "close", name).expect(exit=0)
        gone = copied("put", name, box.outside + "/in", "/tmp/a", exit=125)
        expect(gone["status"] is None and gone["failure"] == "not-run" and "no such box" in gone["message"] and
            gone["sha256"] is None and gone["policy"] is None, gone)


@test(needs=["sandbox"])
def a_full_place_is_told(box):
    with own_place(box):
        name = create(box, "--limit", "tmp=1M")
        done = box.run_zs("box", "put", name, "-", "/tmp/big", stdin="x" * 3000000)
        done.expect(exit=1, stderr=["zs: put: /tmp/big: no space left on device"])


@test(needs=["sandbox"])
def words_that_do_not_go_together_are_refused(box):
    with own_place(box):
        name = create(box)
        for words in ((), ("make",), ("create", "x"), ("exec", name), ("put", name, "-"), ("get", name), ("close",),
                ("list", name), ("close", "--json", name), ("list", "--cwd", "/"), ("exec", name, "--rw", "/", "true"),
                ("create", "--timeout", "1s"), ("create", "--owner", "x"), ("exec", name, "--max-output", "1", "true"),
                ("exec", name, "--timeout", "soon", "true"), ("exec", name, "-e", "x", "true"),
                ("exec", name, "-e", "=x", "true"), ("put", "--mode", "9", name, "-", "/tmp/x")):
            box.run_zs("box", *words).expect(exit=64, stdout="")
        expect(len(boxes(box)) == 1, boxes(box))


@test(needs=["sandbox"])
def a_box_that_cannot_be_enforced_is_not_made(box):
    with own_place(box) as runtime:
        done = box.run_zs("box", "create", "--limit", "tmp=1000000G").expect(exit=125, stdout="")
        expect("zs: disk: /var/tmp" in done.stderr, done)
        box.run_zs("box", "create", "--owner", "4194304").expect(exit=125, stdout="", stderr=["--owner"])
        expect(not boxes(box) and not os.listdir(runtime + "/zs"), "something is left")
        # Where there are no namespaces it takes the waivers, as zs run does.
        box.run_zs("box", "create", preexec_fn=no_namespaces).expect(exit=125, stdout="")
        name = create(box, *without(box), preexec_fn=no_namespaces)
        inside(box, name, "echo x >$TMPDIR/kept", preexec_fn=no_namespaces).expect(exit=0)
        inside(box, name, "cat $TMPDIR/kept", preexec_fn=no_namespaces).expect(exit=0, stdout="x\n")
        box.run_zs("box", "close", name, preexec_fn=no_namespaces).expect(exit=0)


# ------------------------------------------------------------------------------------------------------ the network

TALK = ("import socket, sys, time; s = socket.create_connection(('127.0.0.1', %d)); s.settimeout(30); "
    "s.sendall(b'x'); print(s.recv(9), flush=True); rest = b''\n"
    "try: rest = s.recv(9)\n"
    "except OSError as error: rest = error.errno\n"
    "print(rest, flush=True)")


@test(needs=["sandbox"])
def a_live_box_is_narrowed_at_once(box):
    with own_place(box), socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(TIMEOUT)
        port = server.getsockname()[1]
        talk = ["python3", "-c", TALK % port]
        name = create(box, "--host", "127.0.0.1:%d" % port)
        run = box.start([box.zs, "box", "exec", name, "--", *talk])
        client, _ = server.accept()
        client.settimeout(TIMEOUT)
        expect(client.recv(9) == b"x", "it sends")
        client.sendall(b"y")
        expect(run.stdout.readline() == b"b'y'\n", "it hears")
        # Control: the connection is open, and only the change ends it.
        expect(not select.select([client, run.stdout], [], [], 0.3)[0], "it has ended by itself")
        box.run_zs("box", "policy", name, "--net", "none").expect(exit=0, stdout="", stderr="")
        expect(select.select([client], [], [], 5)[0] and client.recv(9) == b"", "the connection is open")
        expect(run.communicate(timeout=TIMEOUT)[0] == b"b''\n" and run.returncode == 0, "it hears no more")
        # No new one, no way back, and the box goes on.
        server.settimeout(0.3)
        for _ in range(2):
            box.run_zs("box", "exec", name, "--", *talk).expect(exit=1, stdout="", stderr=["ConnectionRefused"])
            box.run_zs("box", "policy", name, "--net", "none").expect(exit=0)
        for wider in ("hosts", "full"):
            box.run_zs("box", "policy", name, "--net", wider).expect(exit=64)
        box.run_zs("box", "policy", name, "--net", "hosts", stdin="0" * 32 + "\n").expect(
            exit=125, stderr=["no such token"])
        try:
            server.accept()
            expect(False, "a connection was made")
        except TimeoutError:
            pass
        inside(box, name, "echo goes on").expect(exit=0, stdout="goes on\n")
        client.close()


def with_token(box, *options):
    name, token = create(box, "--token", *options).split("\n")
    expect(re.fullmatch("[0-9a-f]{32}", token), token)
    return name, token


def answers(box, name, server, talk):
    """Does a command of the box reach the server?"""
    run = box.start([box.zs, "box", "exec", name, "--", *talk])
    try:
        client, _ = server.accept()
    except TimeoutError:
        expect(run.wait(TIMEOUT) != 0, "it has reached somebody")
        return False
    with client:
        client.settimeout(TIMEOUT)
        client.recv(9)
        client.sendall(b"y")
    expect(run.communicate(timeout=TIMEOUT)[0].startswith(b"b'y'"), "it hears")
    return True


NAMED = "named.example"


@test(needs=["sandbox"])
def only_the_owners_token_gives_hosts_back(box):
    with own_place(box), socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0.5)
        port = server.getsockname()[1]
        talk = ["python3", "-c", TALK % port]
        name, token = with_token(box, "--host", "127.0.0.1:%d" % port, "--host", NAMED, "--exec", box.zs)
        _, other = with_token(box)
        whole = as_json(box, name, "true")["policy"]
        run = box.start([box.zs, "box", "exec", name, "--", *talk])
        server.settimeout(TIMEOUT)
        client, _ = server.accept()
        with client:
            client.settimeout(TIMEOUT)
            client.recv(9)
            client.sendall(b"y")
            run.stdout.readline()
            box.run_zs("box", "policy", name, "--net", "none").expect(exit=0, stdout="", stderr="")
            expect(select.select([client], [], [], 5)[0] and client.recv(9) == b"", "the connection is open")
        run.wait(TIMEOUT)
        server.settimeout(0.5)
        expect(not answers(box, name, server, talk), "it is narrowed")
        expect(as_json(box, name, "true")["policy"] not in (None, whole), "it has another policy")
        # No option of the box's maker would help: the host is granted.
        tries = "curl -sS http://%s/; python3 -c '%s' 2>&1; true" % (NAMED, talk[2].replace("'", '"'))
        line = as_json(box, name, tries)
        expect("the network is paused; the box's owner resumes it" in line["stdout"], line)
        expect(len(line["denials"]) == 2 and not any(denial["option"] for denial in line["denials"]), line)
        for wrong in (other, token[:-1], token + "0", "0" * 32, "x" * 200):
            box.run_zs("box", "policy", name, "--net", "hosts", stdin=wrong + "\n").expect(
                exit=125, stderr=["no such token"])
        box.run_zs("box", "policy", name, "--net", "hosts", stdin="").expect(exit=64)
        # No process inside can do it, even with the token.
        inside(box, name, "echo %s | %s box policy %s --net hosts" % (token, box.zs, name)).expect(exit=125)
        expect(not answers(box, name, server, talk), "a wrong token has widened it")
        for _ in range(2):
            server.settimeout(TIMEOUT)
            box.run_zs("box", "policy", name, "--net", "hosts", stdin=token + "\n").expect(exit=0, stdout="", stderr="")
            expect(answers(box, name, server, talk), "it is not given back")
            expect(as_json(box, name, "true")["policy"] == whole, "the policy is another one")
            server.settimeout(0.5)
            box.run_zs("box", "policy", name, "--net", "none").expect(exit=0)
            expect(not answers(box, name, server, talk), "it is not narrowed again")


GIVES_BACK = {"python": """from zs_sandbox import Box, Policy, ZsError
with Box(Policy(hosts=["example.org"]), token=True) as one, Box(Policy(hosts=["example.org"])) as other:
    one.cut(); print(one.policy()["network"]); one.give_back(); print(*one.policy()["network"]["hosts"])
    other.cut()
    try: other.give_back()
    except ZsError as error: print("refused")
""", "node": """const { Box, ZsError } = await import(process.argv[2]);
const [one, other] = [await Box.create({ hosts: ["example.org"] }, { token: true }),
	await Box.create({ hosts: ["example.org"] })];
await one.cut(); console.log((await one.policy()).network);
await one.giveBack(); console.log(...(await one.policy()).network.hosts);
await other.cut();
await other.giveBack().catch((error) => console.log(error instanceof ZsError && "refused"));
"""}


@test(needs=["sandbox", "node"])
def the_bindings_give_hosts_back(box):
    with own_place(box):
        place = {"PYTHONPATH": os.path.join(REPOSITORY, "bindings/python"), "ZS_PROGRAM": box.zs,
            "PYTHONDONTWRITEBYTECODE": "1"}
        for program, name in (("python3", "python"), ("node", "node")):
            script = box.file("home/back." + ("py" if name == "python" else "mjs"), GIVES_BACK[name])
            done = box.run([program, script, os.path.join(REPOSITORY, "bindings/node/index.js")], add_env=place)
            done.expect(exit=0, stdout="none\nexample.org\nrefused\n")


@test(needs=["sandbox"])
def a_box_whose_proxy_does_not_pause_ends(box):
    with own_place(box):
        mark = "MARK=" + new_mark()
        name, _ = with_token(box, "--host", "example.org", "--setenv", mark)
        _, below = daemon_of(mark)
        # The proxy alone has a filter, and this network.
        own = os.readlink("/proc/self/ns/net")
        proxy, = [pid for pid in below if "Seccomp:\t2" in read("/proc/%d/status" % pid) and
            os.readlink("/proc/%d/ns/net" % pid) == own]
        os.kill(proxy, signal.SIGSTOP)
        box.run_zs("box", "policy", name, "--net", "none").expect(exit=125, stderr=["could not be ended"])
        wait_until(lambda: not boxes(box), "it has ended")
        wait_until(lambda: not [pid for pid in below if alive(pid)], "its processes have ended")


@test(needs=["sandbox"])
def a_box_that_cannot_be_narrowed_says_so(box):
    with own_place(box):
        name = create(box, "--net", "full")
        box.run_zs("box", "policy", name, "--net", "none").expect(exit=125, stderr=["shares the machine's network"])
        # One without a network is narrow already.
        box.run_zs("box", "policy", create(box), "--net", "none").expect(exit=0, stdout="", stderr="")
        for words in (("policy", name, "--rw", "/"), ("policy", "--net", "none"), ("policy",)):
            box.run_zs("box", *words).expect(exit=64)
        box.run_zs("box", "policy", "0" * 16, "--net", "none").expect(exit=125)


# --------------------------------------------------------------------------------------------------------- the end


def holder(box, *options):
    """A process that has made a box, and its ID. The box ends with it."""
    text = ("import subprocess, sys; print(subprocess.check_output(sys.argv[1:], text=True), end='', flush=True); "
        "sys.stdin.read()")
    process = box.start(["python3", "-c", text, box.zs, "box", "create", *options])
    return process, process.stdout.readline().decode().rstrip("\n")


@test(needs=["sandbox"])
def it_ends_with_its_owner(box):
    with own_place(box):
        mark = new_mark()
        owner, name = holder(box)
        inside(box, name, IDLE % mark + "true").expect(exit=0)
        run = box.start([box.zs, "box", "exec", name, "--json", "--", "sleep", mark])
        wait_until(lambda: len(asleep(mark)) == 2, "both live")
        owner.kill()
        owner.communicate()
        line = json.loads(run.communicate(timeout=TIMEOUT)[0])
        expect_fields(line, {"status": None, "signal": None, "failure": "lost"})
        expect(run.returncode == 122, run.returncode)
        wait_until(lambda: not asleep(mark) and not boxes(box), "all have ended")
        # One that is named.
        owner = box.start(["sleep", mark])
        name = create(box, "--owner", str(owner.pid))
        inside(box, name, "true").expect(exit=0)
        owner.kill()
        owner.communicate()
        wait_until(lambda: not boxes(box), "it has ended")
        inside(box, name, "echo ran").expect(exit=125, stdout="")


@test(needs=["sandbox"])
def it_ends_with_each_process_that_holds_it(box):
    with own_place(box) as runtime:
        for which in (0, 1):
            mark, lost = new_mark(), new_mark()
            name = create(box, "--setenv", "MARK=" + mark)
            inside(box, name, IDLE % mark + "true").expect(exit=0)
            run = box.start([box.zs, "box", "exec", name, "--", "sleep", lost])
            wait_until(lambda: asleep(lost), "it runs")
            daemon, below = daemon_of("MARK=" + mark)
            supervisor, = [pid for pid in below if set(descendants(pid)) >= set(below) - {pid}]
            own = [daemon, *descendants(daemon)]
            os.kill((daemon, supervisor)[which], signal.SIGKILL)
            out, err = run.communicate(timeout=TIMEOUT)
            # The daemon is gone, so the client knows no more than that.
            expect(run.returncode == 122 and out == b"" and b"zs: box: " in err, which, run.returncode, out, err)
            wait_until(lambda: not any(map(alive, own)), "no process is left")
            expect(not asleep(mark) and not asleep(lost), "a process is left")
            inside(box, name, "echo ran").expect(exit=125, stdout="")
            expect(not boxes(box) and not os.listdir(runtime + "/zs"), "something is left")


@test(needs=["sandbox"])
def a_client_that_is_killed_takes_its_command_along(box):
    with own_place(box):
        kept, lost = new_mark(), new_mark()
        name = create(box)
        inside(box, name, IDLE % kept + "true").expect(exit=0)
        wait_asleep(kept)
        run = box.start([box.zs, "box", "exec", name, "--", "sh", "-c", "sleep %s; true" % lost])
        wait_until(lambda: asleep(lost), "it runs")
        run.kill()
        run.communicate()
        wait_until(lambda: not asleep(lost), "it has ended")
        expect(len(asleep(kept)) == 1, "the other goes on")
        inside(box, name, "echo goes on").expect(exit=0, stdout="goes on\n")


@test(needs=["sandbox"])
def a_wall_limit_is_no_status(box):
    with own_place(box):
        # The time begins with the box.
        name = create(box, "--limit", "wall=5s")
        done = inside(box, name, "sleep 100", "--json")
        line = json.loads(done.stdout)
        expect_fields(line, {"status": None, "signal": None, "failure": "lost", "ended": "limit", "limits": ["wall"]})
        expect(done.exit == 122 and "zs: wall limit 5s reached\n" in done.stderr, done)
        wait_until(lambda: not boxes(box), "it has ended")


def lost(box, name, end):
    """Runs a command that the end of the box meets. Returns its line."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        mark = new_mark()
        running = pool.submit(inside, box, name, "sleep %s" % mark, "--json")
        wait_asleep(mark)
        end()
        return json.loads(running.result().expect(exit=122).stdout)


@test(needs=["sandbox"])
def a_lost_command_says_who_has_ended_it(box):
    with own_place(box), subprocess.Popen(["sleep", "60"]) as owner:
        name = create(box)
        line = lost(box, name, lambda: box.run_zs("box", "close", name).expect(exit=0))
        expect_fields(line, {"status": None, "failure": "lost", "ended": "closed", "limits": []})
        name = create(box, "--owner", str(owner.pid))
        line = lost(box, name, owner.kill)
        expect_fields(line, {"status": None, "failure": "lost", "ended": "owner", "limits": []})


FILL = """
import os, time
end = time.monotonic() + 4
while time.monotonic() < end:
    try:
        if os.fork() == 0:
            time.sleep(max(0, end - time.monotonic()))
            os._exit(0)
    except OSError:
        open("full", "w").close()
        time.sleep(0.01)
"""


@test(needs=["sandbox"])
def a_box_full_of_processes_goes_on(box):
    with own_place(box):
        name = create(box, "--limit", "processes=30")
        box.file("home/project/fill.py", FILL)
        inside(box, name, "python3 fill.py >/dev/null 2>&1 &").expect(exit=0)
        wait_until(lambda: os.path.exists(box.work + "/full"), "the limit")
        refused = [inside(box, name, "/bin/true").exit for _ in range(5)]
        # A process that ends makes room for one.
        expect(any(refused), "control: the box was never full")
        wait_until(lambda: inside(box, name, "echo ran").stdout == "ran\n", "a command")


KILL = """
import os, signal, time
beside = set()
while not beside:
    beside = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, 2, os.getpid(), os.getppid()}
    time.sleep(0.01)
for pid in beside:
    os.kill(pid, signal.%s)
print(len(beside))
"""


@test(needs=["sandbox"])
def a_service_that_was_killed_is_made_again(box):
    """The server (pid 2) makes the process for the next command beforehand."""
    with own_place(box):
        name = create(box)
        for _ in range(3):
            box.run_zs("box", "exec", name, "python3", "-c", KILL % "SIGKILL").expect(exit=0, stdout="1\n")
        inside(box, name, "echo ran").expect(exit=0, stdout="ran\n")


@test(needs=["sandbox"])
def a_service_that_was_stopped_keeps_nobody_waiting(box):
    with own_place(box):
        name = create(box)
        box.run_zs("box", "exec", name, "python3", "-c", KILL % "SIGSTOP").expect(exit=0, stdout="1\n")
        inside(box, name, "echo ran", "--timeout", "1s").expect(exit=122, stdout="", stderr=["close the box"])
        box.run_zs("box", "close", name).expect(exit=0)
        expect(not boxes(box), "the box goes on")


@test(needs=["sandbox"])
def a_full_tmp_is_a_limit_that_was_met(box):
    with own_place(box):
        name = create(box, "--limit", "tmp=1M")
        fill = "head -c 2000000 /dev/zero >/tmp/x"
        expect_fields(as_json(box, name, fill, exit=1), {"ended": "exit", "limits": ["tmp"]})
        # A command that ends well has met none, and so has one that fails where there is room.
        expect_fields(as_json(box, name, fill + "; true"), {"limits": []})
        expect_fields(as_json(box, name, "rm /tmp/x; exit 3", exit=3), {"limits": []})
        shared = create(box, "--tmp", "shared")
        expect_fields(as_json(box, shared, "exit 3", exit=3), {"limits": []})


@test(needs=["sandbox"])
def a_result_says_what_a_cgroup_holds(box):
    with own_place(box):
        limits = ["--limit", "memory=200M", "--limit", "cpu=1h"]
        held = as_json(box, create(box, *limits), "cat /proc/self/cgroup; ulimit -v")
        each = held["enforced"]["each_process"]
        # Without a cgroup the kernel counts address space.
        expect(("memory" in each) == ("unlimited" not in held["stdout"]), held)
        expect_fields(as_json(box, create(box), "true"), {"enforced": {"tier": "mounts", "each_process": []}})


@test(needs=["sandbox"])
def a_command_that_kills_its_server_has_no_status(box):
    # The server of a command is its parent.
    with own_place(box):
        name = create(box)
        line = as_json(box, name, "echo fake; kill -9 $PPID; exit 0", exit=122)
        expect_fields(line, {"status": None, "failure": "lost", "ended": "killed", "limits": []})
        inside(box, name, "echo goes on").expect(exit=0, stdout="goes on\n")
        # One that is stopped does not keep a client with a time limit.
        line = as_json(box, name, "kill -STOP $PPID; sleep 100", "--timeout", "3s", exit=122)
        expect_fields(line, {"status": None, "failure": "lost"})
        # The server of all is the end of the box.
        script = ("for p in /proc/[0-9]*; do grep -qzx -- --named-session-server $p/cmdline 2>/dev/null && "
            "kill -9 ${p#/proc/}; done; sleep 100")
        done = inside(box, name, script, "--json").expect(exit=122)
        expect_fields(json.loads(done.stdout), {"status": None, "failure": "lost"})
        wait_until(lambda: not boxes(box), "it has ended")


@test(needs=["sandbox"])
def the_walls_stand_in_each_command(box):
    with own_place(box):
        name = create(box)
        for script in ("cat %s" % box.key, "ls %s" % box.outside, "echo x >%s/x" % box.outside,
                "echo x >/usr/bin/x", "echo x >/proc/sys/kernel/x", "unshare -Ur true", "ls %s/runtime" % box.root):
            # Control: the user can do it outside, where it can be done at all.
            done = inside(box, name, script)
            expect(done.exit not in (0, 125, 122), script, done)
        expect(subprocess.run(["cat", box.key], stdout=subprocess.DEVNULL, **box.user.spawn_options()).returncode == 0,
            "control")
        # No run reaches a box, and no box another one.
        other = create(box)
        for words in (("run", "--rw", box.env["XDG_RUNTIME_DIR"], "--"), ("box", "exec", other)):
            done = box.run_zs(*words, box.zs, "box", "exec", name, "--", "echo", "reached")
            expect(done.exit != 0 and "reached" not in done.stdout, words, done)


@test(needs=["sandbox"])
def the_python_binding_has_boxes(box):
    script = box.file("host.py", '''
import os, signal, subprocess, sys
from zs_sandbox import Box, BoxLost, Policy, ZsError

def raises(kind, call, *words, **options):
    try:
        call(*words, **options)
    except ZsError as error:
        return type(error) is kind or sys.exit(repr(error))
    except OSError as error:
        return kind is OSError or sys.exit(repr(error))
    sys.exit("no %s" % kind)

with Box(Policy(sys.argv[1], setenv={"A": "b"})) as box:
    box.put("/tmp/x/y", b"\\xff\\0text")
    assert box.get("/tmp/x/y") == b"\\xff\\0text"
    raises(OSError, box.get, "/tmp/none")
    raises(OSError, box.put, "/usr/none", b"")
    result = box.exec(["sh", "-c", "pwd; echo $A$C; cat >&2; exit 125"], env={"C": "d"}, input=b"in")
    assert (result.status, result.stdout, result.stderr) == (125, sys.argv[1] + "\\nbd\\n", "in"), result
    result = box.exec(["sleep", "9"], timeout=1)
    assert result.timed_out and result.status is None, result
    assert box.exec(["sh", "-c", "kill -9 $$"]).signal == 9
    assert box.exec(["sh", "-c", "echo 12345"], max_output=3).stdout_truncated
    raises(BoxLost, box.exec, ["sh", "-c", "kill -9 $PPID; sleep 9"])
    raises(ZsError, box.exec, ["true"], cwd="/no/such")
    assert [each["id"] for each in Box.list()] == [box.id] and box.policy()["workspace"]["root"] == sys.argv[1]
    box.cut()
box.close()
raises(ZsError, box.exec, ["true"])
raises(ZsError, box.get, "/tmp/x/y")
raises(ZsError, Box, Policy(sys.argv[1], verify=True))
left = Box(Policy(json=subprocess.check_output([box.zs, "run", "--print-policy"], text=True)))
assert left.exec(["true"]).status == 0
print(left.id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
''')
    with own_place(box):
        binding = os.path.join(REPOSITORY, "bindings", "python")
        done = box.run(["python3", "-B", script, box.work], add_env={"PYTHONPATH": binding, "ZS_PROGRAM": box.zs})
        expect(done.exit == -9 and len(done.stdout) == 17, done)
        wait_until(lambda: not boxes(box), "the box has ended with its program")
