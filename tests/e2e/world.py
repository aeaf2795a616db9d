"""Two networks of the tests' own. zs runs in the first, which has a resolver, public addresses of its own, and a
network of public addresses on a cable. The second lies behind a gateway, and has servers that count as public.

    world.py FOLDER [link]     in namespaces of its own: unshare --net --mount [--map-root-user]

With "link" /etc/resolv.conf is a link to a file in /run, as systemd-resolved has it.

It prints {"ready": true}, and then answers each line of JSON with a line, until its input ends:

    {"run": {"argv": …, "env": …, "cwd": …, "uid": …, "stdin": …, "timeout": …}}
        → {"exit": …, "stdout": …, "stderr": …}
    {"seen": true}
        → the requests to servers and resolver since the last time
"""

import contextlib
import ctypes
import http.server
import json
import os
import shutil
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import threading
import time

from own_servers import make_sshd

# Public addresses that no machine here has.
GOOD, OTHER, EVIL, SSH = "93.184.215.10", "93.184.215.11", "93.184.215.66", "93.184.215.22"
PRIVATE = "10.9.8.7"
GOOD6 = "2a00:1450:1::10"
# Addresses of the machine itself, on its loopback device and by a route, and those of both ends of the cable.
OWN, OWN6, ANYTHING, NEAR, FAR = "203.1.2.3", "2a00:1450::5", "203.1.3.77", "91.198.174.2", "91.198.174.3"
NEAR6, FAR6 = "2a00:1450:2::2", "2a00:1450:2::3"
# The address of the tunnel, which has no other end.
TUNNEL, TUNNEL_END, THROUGH_TUNNEL = "84.1.1.1", "84.1.1.2", "84.7.7.7"
BEHIND = {GOOD: "good", OTHER: "other", EVIL: "evil", SSH: "ssh", GOOD6: "good", FAR: "far", FAR6: "far"}
HERE = {PRIVATE: "private", "127.0.0.1": "host", OWN: "own", OWN6: "own", ANYTHING: "own", NEAR: "near", NEAR6: "near"}
LABELS = {**BEHIND, **HERE}
ZONE = {
    "good.test.example": [GOOD],
    "www.good.test.example": [GOOD],
    "other.test.example": [OTHER],
    "evil.test.example": [EVIL],
    "evilgood.test.example": [EVIL],
    "loopback.test.example": ["127.0.0.1"],
    "private.test.example": [PRIVATE],
    "linklocal.test.example": ["169.254.169.254"],
    "unspecified.test.example": ["0.0.0.0"],
    "mixed.test.example": [PRIVATE, GOOD],
    "ssh.test.example": [SSH],
    "dead.test.example": ["93.184.215.99"],
    "good6.test.example": [GOOD6],
    "own.test.example": [OWN],
    "own6.test.example": [OWN6],
    "anything.test.example": [ANYTHING],
    "ruled.test.example": ["203.1.4.4"],
    "near.test.example": [NEAR],
    "far.test.example": [FAR],
    "near6.test.example": [NEAR6],
    "far6.test.example": [FAR6],
    "broadcast.test.example": ["91.198.174.7"],
    "nobody.test.example": ["91.198.174.6"],
    "ownmapped.test.example": ["::ffff:" + OWN],
    "ownnat64.test.example": ["64:ff9b::cb01:203"],
    "own6to4.test.example": ["2002:cb01:203::1"],
    "ownfirst.test.example": [OWN, FAR, GOOD],
    "tunnel.test.example": [TUNNEL_END],
    "through.test.example": [THROUGH_TUNNEL],
    # Rebinding: the first answer is public, the later ones are private.
    "rebind.test.example": None,
    "xn--bcher-kva.test.example": [GOOD],
    # More addresses than fit into a datagram.
    "many.test.example": [GOOD] * 40,
}

seen, lock = [], threading.Lock()


def note(*what):
    with lock:
        seen.append(list(what))


# ------------------------------------------------------------------------------------------------- the resolver


def answer_dns(query, asked, most):
    ident, flags = struct.unpack("!HH", query[:4])
    at, labels = 12, []
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode("latin-1"))
        at += 1 + query[at]
    kind = struct.unpack("!H", query[at + 1 : at + 3])[0]
    question = query[12 : at + 5]
    name = ".".join(labels).lower()
    note("dns", name, kind)
    if name.endswith(".lies.example"):
        return lie(labels[0].lower(), ident, question, kind)
    known = name in ZONE
    addresses = ZONE.get(name) or []
    if name == "rebind.test.example":
        asked[name] = asked.get(name, 0) + (kind == 1)
        addresses = [GOOD] if asked[name] <= 1 else ["127.0.0.1"]
    family = socket.AF_INET if kind == 1 else socket.AF_INET6
    records = [a for a in addresses if (":" in a) == (kind == 28)] if kind in (1, 28) else []
    cut = most < 60 + 28 * len(records)
    if cut:
        records = []
    head = struct.pack("!HHHHHH", ident, 0x8180 | (0 if known else 3) | (0x200 if cut else 0), 1, len(records), 0, 0)
    return [head + question + b"".join(
        b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 0, len(data)) + data
        for data in (socket.inet_pton(family, a) for a in records))]


def lie(name, ident, question, kind):
    """The datagrams of the answer: a wrong one, and for some names then the right one."""
    asked, other = b"\xc0\x0c", b"\4evil\4test\7example\0"

    def message(*records, ident=ident, question=question, flags=0x8180):
        return struct.pack("!HHHHHH", ident, flags, 1, len(records), 0, 0) + question + b"".join(records)

    def record(owner, kind, data):
        return owner + struct.pack("!HHIH", kind, 1, 0, len(data)) + data

    v4 = lambda owner, address: record(owner, 1, socket.inet_aton(address))  # noqa: E731
    v6 = [record(asked, 28, socket.inet_pton(socket.AF_INET6, address)) for address in ("::ffff:127.0.0.1", "::1", "::",
        "64:ff9b::7f00:1", "2002:7f00:1::1", "::127.0.0.1", "fe80::1", "fd00::1", "2001:0:7f00:1::", "::ffff:0:7f00:1")]
    good, evil = message(v4(asked, GOOD)) if kind == 1 else message(), v4(asked, EVIL)
    return {
        "another-question": [message(evil, question=other + question[-4:]), good],
        "another-id": [message(evil, ident=ident ^ 1), good],
        "another-owner": [message(v4(other, EVIL), v4(asked, GOOD))],
        "no-answer": [message(evil, flags=0x0100), b"", question, good],
        "alias-to-itself": [message(record(asked, 5, asked))],
        "compression-without-end": [message(record(asked, 5, b"\xc0" + bytes([12 + len(question) + 12])))],
        "alias-inwards": [message(record(asked, 5, other), v4(other, "127.0.0.1"))],
        "inwards-by-v6": [message(*v6) if kind == 28 else message()],
    }[name]


def serve_dns():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    asked = {}
    while True:
        query, peer = server.recvfrom(4096)
        with contextlib.suppress(Exception):
            for answer in answer_dns(query, asked, 512):
                server.sendto(answer, peer)


class DnsStream(socketserver.StreamRequestHandler):
    def handle(self):
        while length := self.rfile.read(2):
            answer = answer_dns(self.rfile.read(int.from_bytes(length, "big")), {}, 65535)[-1]
            note("dns by tcp")
            # Sends two pieces, as a network may deliver them.
            data = len(answer).to_bytes(2, "big") + answer
            self.wfile.write(data[:1])
            time.sleep(0.02)
            self.wfile.write(data[1:])


# --------------------------------------------------------------------------------------------------- web servers


class Web(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        note("web", self.server.label, self.headers.get("Host"), self.path)
        if self.path.startswith("/file/"):
            self.path = self.path[len("/file") :]
            return super().do_GET()
        if self.path.startswith("/redirect/"):
            self.send_response(302)
            self.send_header("Location", self.path[len("/redirect/") :])
            self.send_header("Content-Length", "0")
            return self.end_headers()
        return self.answer(b"hello from %s\n" % self.server.label.encode())

    def do_POST(self):
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        note("web", self.server.label, self.headers.get("Host"), self.path)
        self.answer(b"got %d bytes\n" % len(body))


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True

    def handle_error(self, *_):
        pass


class Server6(Server):
    address_family = socket.AF_INET6


def serve_web(address, port, label, folder, tls=None):
    def handler(*args):
        return Web(*args, directory=folder)

    server = (Server6 if ":" in address else Server)((address, port), handler)
    server.label = label
    if tls:
        # The handshake runs in the connection's thread, not in the one that accepts.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def serve_banner(address, port, label):
    """A server that sends first, as ssh does, and then echoes."""

    class Banner(socketserver.BaseRequestHandler):
        def handle(self):
            note("banner", label, port)
            self.request.sendall(b"SSH-2.0-banner of %s\r\n" % label.encode())
            while data := self.request.recv(65536):
                self.request.sendall(data)

    class Threads(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True
        request_queue_size = 512

    server = Threads((address, port), Banner)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def serve_ssh(address, folder):
    """Starts one sshd for each connection. The key that is made here logs in as root."""
    argv = make_sshd(folder)
    os.chmod(os.path.join(folder, "user.key"), 0o644)

    class Login(socketserver.BaseRequestHandler):
        def handle(self):
            note("ssh", "ssh", 22)
            subprocess.run(argv, stdin=self.request, stdout=self.request, stderr=subprocess.DEVNULL, check=False)

    server = socketserver.ThreadingTCPServer((address, 22), Login)
    threading.Thread(target=server.serve_forever, daemon=True).start()


# ------------------------------------------------------------------------------------------------------ set-up


def sh(*argv):
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def note_tls(connection, name, _):
    note("tls", LABELS.get(connection.getsockname()[0]), name)


def make_certificates(folder):
    """Makes an authority, and its certificate for every name."""
    path = lambda name: os.path.join(folder, name)  # noqa: E731
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    sh("openssl", "req", "-x509", *key, "-days", "2", "-subj", "/CN=authority of a test", "-keyout", path("ca.key"),
        "-out", path("ca.pem"))
    sh("openssl", "req", *key, "-subj", "/CN=test.example", "-keyout", path("server.key"), "-out", path("server.csr"))
    with open(path("names"), "w") as file:
        file.write("subjectAltName=" + ",".join("DNS:" + name for name in ZONE) + ",IP:" + GOOD + "\n")
    sh("openssl", "x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-days",
        "2", "-extfile", path("names"), "-out", path("server.pem"))
    os.chmod(path("ca.pem"), 0o644)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(path("server.pem"), path("server.key"))
    tls.sni_callback = note_tls
    return tls


def set_resolver(folder, link):
    resolv = os.path.join(folder, "resolv.conf")
    with open(resolv, "w") as file:
        file.write("nameserver 127.0.0.1\n")
    os.chmod(resolv, 0o644)
    if not link:
        sh("mount", "--bind", resolv, os.path.realpath("/etc/resolv.conf"))
        return
    sh("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    os.makedirs("/run/upper/etc")
    os.makedirs("/run/upper/work")
    os.makedirs("/run/resolver")
    shutil.copy(resolv, "/run/resolver/stub.conf")
    os.symlink("../run/resolver/stub.conf", "/run/upper/etc/resolv.conf")
    layers = "lowerdir=/etc,upperdir=/run/upper/etc,workdir=/run/upper/work"
    sh("mount", "-t", "overlay", "-o", layers, "overlay", "/etc")


def ip(*words):
    sh("ip", *" ".join(words).split())


def add_addresses(device, *addresses):
    for address in addresses:
        bits = "" if "/" in address else "/128" if ":" in address else "/32"
        ip("address add", address + bits, "dev", device, "nodad" if ":" in address else "")


@contextlib.contextmanager
def behind_the_gateway():
    """Moves this thread and its children into the second network for a while; their sockets stay there. man 2
    unshare."""
    libc = ctypes.CDLL(None, use_errno=True)
    first = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    if libc.unshare(0x40000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    yield "/proc/%d/fd/%d" % (os.getpid(), first)
    if libc.setns(first, 0) < 0:
        raise OSError(ctypes.get_errno(), "setns")
    os.close(first)


def connect_networks(first):
    """Two cables from the second network: one carries the default routes, the other is a network of public
    addresses."""
    ip("link set lo up")
    for name in ("gate", "cable"):
        ip("link add", name, "type veth peer name far" + name)
        ip("link set far%s netns" % name, first)
        ip("link set", name, "up")
    add_addresses("gate", "172.31.255.1/30", "fd00:31::1/64")
    add_addresses("cable", FAR + "/29", FAR6 + "/64")
    add_addresses("lo", GOOD, OTHER, EVIL, SSH, GOOD6)


def make_routes():
    ip("link set lo up")
    for name in ("fargate", "farcable"):
        ip("link set", name, "up")
    add_addresses("fargate", "172.31.255.2/30", "fd00:31::2/64")
    add_addresses("farcable", NEAR + "/29", NEAR6 + "/64")
    add_addresses("lo", OWN, OWN6, PRIVATE)
    ip("route add default via 172.31.255.1")
    ip("-6 route add default via fd00:31::1")
    ip("route add unreachable 93.184.215.99")
    ip("route add local 203.1.3.0/24 dev lo")
    ip("route add local 203.1.4.0/24 dev lo table 77")
    ip("rule add to 203.1.4.0/24 lookup 77 priority 50")
    # The module may be missing, or the right to open /dev/net/tun.
    try:
        ip("tuntap add tunnel mode tun")
    except subprocess.CalledProcessError:
        ip("link add tunnel type wireguard")
    ip("address add", TUNNEL, "peer", TUNNEL_END, "dev tunnel")
    ip("link set tunnel up")
    ip("route add 84.7.0.0/16 dev tunnel")


def serve(addresses, folder, tls):
    for address, label in addresses.items():
        serve_web(address, 80, label, folder)
        if ":" in address:
            continue
        serve_web(address, 443, label, folder, tls)
        serve_web(address, 8080, label, folder)
        serve_banner(address, 7777, label)
        if address != SSH:
            serve_banner(address, 22, label)


def set_up(folder, link):
    sh("mount", "--make-rprivate", "/")
    set_resolver(folder, link)
    tls = make_certificates(folder)
    www = os.path.join(folder, "www")
    os.makedirs(www, exist_ok=True)
    with behind_the_gateway() as first:
        connect_networks(first)
        serve(BEHIND, www, tls)
        if os.access("/usr/sbin/sshd", os.X_OK):
            serve_ssh(SSH, folder)
    make_routes()
    serve(HERE, www, tls)
    threading.Thread(target=serve_dns, daemon=True).start()
    by_tcp = socketserver.ThreadingTCPServer(("127.0.0.1", 53), DnsStream)
    threading.Thread(target=by_tcp.serve_forever, daemon=True).start()


# ---------------------------------------------------------------------------------------------------- requests


def run(request):
    user = {} if request.get("uid") is None else {"user": request["uid"], "group": request["uid"], "extra_groups": []}
    try:
        done = subprocess.run(request["argv"], env=request["env"], cwd=request["cwd"],
            input=request.get("stdin", "").encode("latin-1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=request.get("timeout", 60), **user)
    except subprocess.TimeoutExpired as error:
        return {"exit": -1, "stdout": (error.stdout or b"").decode("latin-1"), "stderr": "the test's time is up"}
    return {"exit": done.returncode, "stdout": done.stdout.decode("latin-1"), "stderr": done.stderr.decode("latin-1")}


def take_seen():
    with lock:
        taken = list(seen)
        seen.clear()
    return taken


def main():
    set_up(sys.argv[1], "link" in sys.argv[2:])
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(run(request["run"]) if "run" in request else take_seen()), flush=True)


if __name__ == "__main__":
    main()
