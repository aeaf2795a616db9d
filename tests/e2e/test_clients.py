"""Programs that people use, through the proxy of --net hosts: each reaches a listed host, and no other."""

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile

from harness import PATH, expect, read, test
from network import EVIL, EVIL_ADDRESS, GOOD, GOOD_ADDRESS, NEEDS, OTHER, Run, World


def serve(name, content):
    """A file at /file/NAME of every server."""
    path = os.path.join(World.get().www, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def works_and_fails(box, script, hosts=(GOOD,), stdout=None, options=(), elsewhere=EVIL, told_by=None, **more):
    """HOST in the script stands for the host's name. told_by: the event that reports the denial; None: any."""
    good = Run(box, list(hosts), script.replace("HOST", GOOD), options=options, timeout=120, **more)
    good.expect(exit=0, stdout=stdout)
    good.expect_line(event="connect", host=GOOD, allowed=True)
    bad = Run(box, list(hosts), script.replace("HOST", elsewhere), options=options, timeout=120, ok=False, **more)
    expect(not bad.reached(), "reached %s: %s" % (bad.reached(), bad.result))
    bad.expect_line(host=elsewhere, allowed=False, **({"event": told_by} if told_by else {}))


@test(needs=[*NEEDS, "wget"])
def wget(box):
    works_and_fails(box, "wget -q -t 1 -T 20 -O - http://HOST/", stdout="hello from good\n")
    works_and_fails(box, "wget -q -t 1 -T 20 --ca-certificate CA -O - https://HOST/", stdout="hello from good\n")
    works_and_fails(box, "wget -q -t 1 -T 20 --no-proxy --ca-certificate CA -O - https://HOST/",
        stdout="hello from good\n")


def repository():
    """A bare repository with a commit, among the files that the servers show."""
    world = World.get()
    work, bare = os.path.join(world.folder, "repository"), os.path.join(world.www, "repository.git")
    me = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    if not os.path.exists(bare):
        for command in (["init", "-q", "-b", "main", work], ["-C", work, *me, "commit", "-q", "--allow-empty", "-m",
            "first"], ["clone", "-q", "--bare", work, bare], ["-C", bare, "update-server-info"]):
            subprocess.run(["git", *command], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"})
    return bare


@test(needs=[*NEEDS, "git"])
def git_over_https(box):
    repository()
    works_and_fails(box, "d=$(mktemp -d) && git -c http.sslCAInfo=CA clone -q https://HOST/file/repository.git $d/c && "
        "git -C $d/c log --format=%s", stdout="first\n")


@test(needs=[*NEEDS, "ssh"])
def ssh_by_name(box):
    """As far as the server goes: ssh gets its banner, and the server gets ssh's answer."""
    script = ("ssh -v -F none -o BatchMode=yes -o ConnectTimeout=10 -o UserKnownHostsFile=/dev/null -o "
        "StrictHostKeyChecking=no user@HOST true 2>&1 | grep 'remote software version banner of good'")
    works_and_fails(box, script, hosts=[GOOD + ":22"])
    Run(box, [GOOD], script.replace("HOST", GOOD), ok=False)


@test(needs=[*NEEDS, "git", "ssh", "sshd"])
def git_over_ssh(box):
    world = World.get()
    path = box.file("home/project/key", read(os.path.join(world.folder, "user.key")))
    os.chmod(path, 0o600)
    if box.user.uid is not None:
        os.chown(path, box.user.uid, box.user.uid)
    known = box.file("home/project/known", "ssh.test.example " + read(os.path.join(world.folder, "host.key.pub")))
    script = ("d=$(mktemp -d) && GIT_SSH_COMMAND='ssh -F none -o BatchMode=yes -o ConnectTimeout=10 -i %s "
        "-o UserKnownHostsFile=%s' git clone -q ssh://root@HOST%s $d/c && git -C $d/c log --format=%%s" % (
        path, known, repository()))
    Run(box, ["ssh.test.example:22"], script.replace("HOST", "ssh.test.example"), timeout=120).expect(exit=0,
        stdout="first\n")
    for hosts, name in ((["ssh.test.example"], "ssh.test.example"), (["ssh.test.example:22"], EVIL)):
        denied = Run(box, hosts, script.replace("HOST", name), ok=False)
        expect(not denied.reached() and not any(entry[0] == "ssh" for entry in denied.seen),
            "reached: %s" % denied.result)


@test(needs=[*NEEDS, "dig"])
def dig(box):
    """Listed names have an address of the run's own, whatever their address outside. No other name is looked up."""
    pool = re.compile(r"^198\.1[89]\.\d+\.\d+\n$")
    for how in ("", "+tcp "):
        Run(box, [GOOD], "dig +short %s%s" % (how, GOOD)).expect(exit=0, stdout=pool)
    Run(box, [GOOD], "dig +short %s AAAA" % GOOD).expect(exit=0, stdout="")
    for question in (EVIL, "-x " + "93.184.215.10", "secret.%s TXT" % EVIL, "@93.184.215.10 " + GOOD):
        run = Run(box, [GOOD], "dig +short +time=1 +tries=1 " + question)
        expect(not run.asked_dns() and not re.search(r"^\d+\.\d+", run.result.stdout),
            "%s: %s %s" % (question, run.result, run.seen))


@test(needs=NEEDS)
def python(box):
    """By the proxies in the environment, without them, and by plain sockets."""
    path = box.file("home/project/get.py", """
import ssl, sys, urllib.request
tls = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=sys.argv[2]))
none = [urllib.request.ProxyHandler({})] if "blind" in sys.argv else []
print(urllib.request.build_opener(tls, *none).open(sys.argv[1], timeout=20).read().decode(), end="")
""")
    for how in ("", "blind"):
        for url in ("http://HOST/", "https://HOST/"):
            works_and_fails(box, "/usr/bin/python3 %s %s CA %s" % (path, url, how), stdout="hello from good\n")


@test(needs=[*NEEDS, "node"])
def node_without_a_proxy(box):
    script = "node -e 'fetch(\"https://HOST/\").then(r => r.text()).then(t => process.stdout.write(t))'"
    works_and_fails(box, "NODE_EXTRA_CA_CERTS=CA " + script, stdout="hello from good\n")


def put_program(box, path):
    """A copy in the workspace, where a command may run it."""
    program = shutil.copy(path, os.path.join(box.work, os.path.basename(path)))
    os.chmod(program, 0o755)
    return box.own(program)


@test(needs=[*NEEDS, "blind-client"])
def a_static_program_without_a_proxy_or_a_resolver(box):
    """tests/e2e/blind.c. The control: outside it reaches either host."""
    program = put_program(box, os.environ["ZS_TEST_BLIND"])
    world = World.get()
    ways = {"443 tls": "handshake\n", "80 http": "hello from LABEL\n", "22 hear": "SSH-2.0-banner of LABEL\r\n"}
    for way, answer in ways.items():
        script = "%s HOST %s" % (program, way)
        # Inside, the resolver of zs answers for each name; outside, the resolver of the test network. Both are at
        # 127.0.0.1.
        for name, label in ((GOOD, "good"), (EVIL, "evil")):
            control = world.run(box, ["sh", "-c", script.replace("HOST", name)])
            control.expect(exit=0, stdout=answer.replace("LABEL", label))
        hosts = [GOOD, GOOD + ":22"]
        works_and_fails(box, script, hosts=hosts, stdout=answer.replace("LABEL", "good"), told_by="resolve")
    run = Run(box, [GOOD], "%s %s 443 tls" % (program, GOOD)).expect(exit=0)
    run.expect_line(via="tls", host=GOOD, port=443, address=GOOD_ADDRESS)
    expect([entry for entry in run.seen if entry[0] == "tls"] == [["tls", "good", GOOD]], "seen %s" % run.seen)
    # The address of an unlisted host does not help, and neither does an address of the pool.
    for address in (EVIL_ADDRESS, "198.18.0.77"):
        path = box.file("home/project/straight.py", """
import socket
s = socket.create_connection((%r, 443), 20)
s.settimeout(20)
s.sendall(b"\\x16\\x03\\x01")
raise SystemExit(0 if s.recv(1) else 1)
""" % address)
        straight = Run(box, [GOOD], "/usr/bin/python3 " + path, ok=False)
        expect(not straight.reached(), "%s: reached %s" % (address, straight.reached()))


@test(needs=[*NEEDS, "blind-client"])
def ports_that_hosts_name_are_reached_without_a_proxy(box):
    program = put_program(box, os.environ["ZS_TEST_BLIND"])

    def blind(name, port, how):
        return "%s %s %d %s" % (program, name, port, how)

    banner, hello = "SSH-2.0-banner of good\r\n", "hello from good\n"
    run = Run(box, [GOOD + ":7777"], blind(GOOD, 7777, "hear")).expect(exit=0, stdout=banner)
    run.expect_line(event="connect", via="port", host=GOOD, port=7777, allowed=True, address=GOOD_ADDRESS)
    # Two names have a server each at the same port, and one name has two servers.
    hosts = [GOOD + ":8080", OTHER + ":8080", GOOD + ":7777"]
    for name, port, how, answer in ((GOOD, 8080, "http", hello), (OTHER, 8080, "http", "hello from other\n"),
            (GOOD, 7777, "hear", banner)):
        Run(box, hosts, blind(name, port, how)).expect(exit=0, stdout=answer)
    # The control: outside, each server is reached. Inside, the first three rows have no listener for the name and port,
    # the fourth name does not exist, and the listener of the last row refuses this name.
    for hosts, name, port, how, line in (
            ([GOOD + ":8080"], GOOD, 7777, "hear", None),
            ([GOOD + ":8080", OTHER + ":7777"], GOOD, 7777, "hear", None),
            ([GOOD, OTHER + ":8080"], GOOD, 8080, "http", None),
            ([GOOD + ":8080"], EVIL, 8080, "http", {"event": "resolve", "host": EVIL}),
            ([GOOD + ":443", OTHER + ":22"], GOOD, 22, "hear", {"via": "ssh", "host": GOOD, "port": 22})):
        World.get().run(box, ["sh", "-c", blind(name, port, how)]).expect(exit=0)
        run = Run(box, hosts, blind(name, port, how), ok=False)
        expect(not run.reached(), "%s: reached %s at %d" % (hosts, run.reached(), port))
        if line:
            run.expect_line(allowed=False, **line)
    # The proxy checks the name of a ClientHello here too.
    run = Run(box, [GOOD + ":7777"], "openssl s_client -connect %s:7777 -servername %s -brief </dev/null 2>&1" % (
        GOOD, EVIL), ok=False)
    run.expect_line(via="port", host=GOOD, allowed=False, reason="its TLS handshake asks for another host")
    # The command's own servers use the same ports at 127.0.0.1.
    Run(box, [GOOD + ":8080"], "/usr/bin/python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 8080))' && " +
        blind(GOOD, 8080, "http")).expect(exit=0, stdout=hello)


GO = """
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) > 2 {
		http.DefaultTransport.(*http.Transport).Proxy = nil
	}
	answer, err := http.Get(os.Args[1])
	if err != nil || answer.StatusCode != 200 {
		fmt.Fprintln(os.Stderr, answer, err)
		os.Exit(1)
	}
	io.Copy(os.Stdout, answer.Body)
}
"""


def go_program():
    """Static, with Go's own resolver and TLS; built once."""
    folder = os.path.join(World.get().folder, "go")
    program = os.path.join(folder, "get")
    if not os.path.exists(program):
        os.makedirs(folder)
        with open(os.path.join(folder, "get.go"), "w") as file:
            file.write(GO)
        go = shutil.which("go", path=PATH + ":/usr/local/go/bin")
        subprocess.run([go, "build", "-o", program, "get.go"], cwd=folder, check=True, env={**os.environ,
            "CGO_ENABLED": "0", "GO111MODULE": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local",
            "GOCACHE": os.environ.get("GOCACHE", os.path.join(folder, "cache")), "GOPATH": folder})
    return program


@test(needs=[*NEEDS, "go"], slow=True)
def go(box):
    program = put_program(box, go_program())
    for blind, via in (("", {"http": "http", "https": "connect"}), ("blind", {"http": "plain", "https": "tls"})):
        for scheme in ("http", "https"):
            script = "SSL_CERT_FILE=CA %s %s://HOST/ %s" % (program, scheme, blind)
            works_and_fails(box, script, stdout="hello from good\n", told_by="resolve" if blind else "connect")
            run = Run(box, [GOOD], script.replace("HOST", GOOD)).expect(exit=0)
            run.expect_line(event="connect", via=via[scheme], host=GOOD)


@test(needs=NEEDS)
def the_way_of_the_jvm(box):
    """No JVM is installed here, so a script does what its documentation says ("Networking Properties" of java.net). It
    reads no proxy variables (java.net.useSystemProxies is false), asks the system's resolver, prefers IPv4 addresses,
    and connects to them by an IPv6 socket where there is IPv6. The variables of Java itself make it load code, and
    print a line at each start."""
    path = box.file("home/project/jvm.py", """
import os, socket, ssl, sys
name, port = sys.argv[1], int(sys.argv[2])
found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
address = [entry[4][0] for entry in found if entry[0] == socket.AF_INET][0]
try:
    s = socket.socket(socket.AF_INET6)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    s.connect(("::ffff:" + address, port))
except OSError:
    if os.path.exists("/proc/net/if_inet6"):
        raise
    s = socket.create_connection((address, port))
s.settimeout(20)
if port == 443:
    s = ssl.create_default_context(cafile=sys.argv[3]).wrap_socket(s, server_hostname=name)
s.sendall(b"GET / HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n" % name.encode())
answer = b""
while data := s.recv(65536):
    answer += data
print(answer.split(b"\\r\\n\\r\\n")[1].decode(), end="")
""")
    for port in (80, 443):
        works_and_fails(box, "/usr/bin/python3 %s HOST %d CA" % (path, port), stdout="hello from good\n",
            told_by="resolve")
    theirs = {name: "-Dhttp.proxyHost=evil" for name in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")}
    Run(box, [GOOD], "env | grep -a JAVA_", add_env=theirs, options=["--env", "J*", "--env", "_J*"]).expect(exit=1,
        stdout="")
    # If the command sets Java's properties, they lead to the proxy.
    Run(box, [GOOD], "curl -sS --proxy http://127.0.0.1:808 http://%s:8080/" % GOOD).expect(exit=0,
        stdout="hello from good\n")


def wheel():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("zstiny.py", "answer = 42\n")
        file.writestr("zstiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: zstiny\nVersion: 1.0\n")
        file.writestr("zstiny-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("zstiny-1.0.dist-info/RECORD", "")
    return data.getvalue()


@test(needs=[*NEEDS, "system-pip"])
def pip(box):
    serve("simple/zstiny/index.html", b'<a href="../../zstiny-1.0-py3-none-any.whl">zstiny-1.0-py3-none-any.whl</a>')
    serve("zstiny-1.0-py3-none-any.whl", wheel())
    works_and_fails(box, "rm -rf got && /usr/bin/python3 -m pip --isolated --no-cache-dir --disable-pip-version-check "
        "--retries 0 --cert CA download -q --no-deps -d got -i https://HOST/file/simple/ zstiny && ls got",
        stdout="zstiny-1.0-py3-none-any.whl\n")


def package(name):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as file:
        for path, content in (("package/package.json", json.dumps({"name": name, "version": "1.0.0"})),
            ("package/index.js", "module.exports = 42\n")):
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(content), 0o644
            file.addfile(info, io.BytesIO(content.encode()))
    return data.getvalue()


@test(needs=[*NEEDS, "npm"])
def npm(box):
    archive = package("zstiny")
    serve("npm/zstiny-1.0.0.tgz", archive)
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
    serve("npm/zstiny", json.dumps({"name": "zstiny", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {
        "name": "zstiny", "version": "1.0.0", "dist": {"integrity": integrity,
        "tarball": "https://%s/file/npm/zstiny-1.0.0.tgz" % GOOD}}}}).encode())
    works_and_fails(box, "rm -rf node_modules package*.json; npm install --cafile CA --no-audit --no-fund "
        "--no-update-notifier --fetch-retries 0 --cache ./cache --registry https://HOST/file/npm/ zstiny >npm.log 2>&1 "
        "&& cat node_modules/zstiny/index.js", stdout="module.exports = 42\n")


@test(needs=NEEDS)
def curl_as_people_use_it(box):
    """Redirects are judged anew. Many requests run at once, and one connection is kept."""
    works_and_fails(box, "curl -sS --cacert CA https://HOST/a https://HOST/b https://HOST/c",
        stdout="hello from good\n" * 3)
    run = Run(box, [GOOD, OTHER], "curl -sS --parallel --cacert CA $(for i in 1 2 3 4 5 6 7 8 9 10; do "
        "echo https://%s/$i https://%s/$i; done)" % (GOOD, OTHER)).expect(exit=0)
    expect(sorted(run.result.stdout.splitlines()) == ["hello from good"] * 10 + ["hello from other"] * 10, run.result)
    run = Run(box, [GOOD], "curl -sSL http://%s/redirect/http://%s/" % (GOOD, EVIL))
    run.expect(exit=0, stdout=re.compile("^zs: %s:80: is not listed" % EVIL))
