"""A network of a test's own, with a resolver and servers that count as public, in which zs is run.

    world.py FOLDER [link]     in namespaces of its own: unshare --net --mount [--map-root-user]

With "link" /etc/resolv.conf is a link to a file in /run, as systemd-resolved has it.

It says {"ready": true} and then answers a line of JSON with one, until its input ends:

    {"run": {"argv": …, "env": …, "cwd": …, "uid": …, "stdin": …, "timeout": …}}
        → {"exit": …, "stdout": …, "stderr": …}
    {"seen": true}
        → what servers and resolver were asked since the last time
"""

import atexit
import contextlib
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

# Nobody's here, and public all the same.
GOOD, OTHER, EVIL, SSH = "93.184.215.10", "93.184.215.11", "93.184.215.66", "93.184.215.22"
PRIVATE = "10.9.8.7"
LABELS = {GOOD: "good", OTHER: "other", EVIL: "evil", PRIVATE: "private", "127.0.0.1": "host"}
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
    # Rebinding: public when it is asked first, private from then on.
    "rebind.test.example": None,
    "xn--bcher-kva.test.example": [GOOD],
    # More than fit a datagram.
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
    records = addresses if kind == 1 else []
    cut = most < 60 + 16 * len(records)
    if cut:
        records = []
    head = struct.pack("!HHHHHH", ident, 0x8180 | (0 if known else 3) | (0x200 if cut else 0), 1, len(records), 0, 0)
    return [head + question + b"".join(
        b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 0, 4) + socket.inet_aton(a) for a in records)]


def lie(name, ident, question, kind):
    """Datagrams: what is wrong, and then, for some, what is right."""
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
            # In two pieces, as a network may.
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


def serve_web(address, port, label, folder, tls=None):
    def handler(*args):
        return Web(*args, directory=folder)

    server = Server((address, port), handler)
    server.label = label
    if tls:
        # The handshake in the connection's thread, not in the one that accepts.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def serve_banner(address, port, label):
    """Speaks first, as ssh does, and then echoes."""

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
    """sshd, one for each connection; it lets in who has the key that is made here, as root."""
    for name in ("host", "user"):
        sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, name + ".key"))
    os.chmod(os.path.join(folder, "user.key"), 0o644)
    with contextlib.suppress(FileExistsError):
        os.mkdir("/run/sshd")  # sshd insists on it
        atexit.register(os.rmdir, "/run/sshd")
    options = {"HostKey": folder + "/host.key", "AuthorizedKeysFile": folder + "/user.key.pub", "StrictModes": "no",
        "UsePAM": "no", "PermitRootLogin": "yes", "PasswordAuthentication": "no"}
    argv = ["/usr/sbin/sshd", "-i", "-f", "/dev/null"] + ["-o%s=%s" % option for option in options.items()]

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
    """An authority, and a certificate of it for every name."""
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


def set_up(folder, link):
    sh("mount", "--make-rprivate", "/")
    set_resolver(folder, link)
    sh("ip", "link", "set", "lo", "up")
    for address in (GOOD, OTHER, EVIL, SSH, PRIVATE):
        sh("ip", "address", "add", address + "/32", "dev", "lo")
    tls = make_certificates(folder)
    www = os.path.join(folder, "www")
    os.makedirs(www, exist_ok=True)
    for address, label in LABELS.items():
        serve_web(address, 80, label, www)
        serve_web(address, 443, label, www, tls)
        serve_web(address, 8080, label, www)
        serve_banner(address, 22, label)
        serve_banner(address, 7777, label)
    if os.access("/usr/sbin/sshd", os.X_OK):
        serve_ssh(SSH, folder)
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
