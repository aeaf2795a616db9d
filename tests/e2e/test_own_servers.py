"""A server of the user's own on this machine's loopback, which --host names by address and port. Clients use no proxy
for such an address."""

import contextlib
import socket
import threading

from harness import connect, expect, test


@contextlib.contextmanager
def server(address):
    """Answers each connection with one HTTP answer, whatever it says, and yields the port."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    with client, contextlib.suppress(OSError):
                        client.recv(4096)
                        client.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n")

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


# Some of them ask for a name's v6 address first, and go on.
CLIENTS = {
    "curl": "curl -sS %s",
    "python": "/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen(\"%s\").read().decode(), end=\"\")'",
    "node": "node -e 'fetch(\"%s\").then(r => r.text()).then(t => process.stdout.write(t))'",
}


def reaches(box, host, place, client):
    box.granted(CLIENTS[client] % ("http://%s/" % place), zs=("run", "--host", host), stdout="hello\n")


def is_reached(box, client):
    with server("127.0.0.1") as v4, server("::1") as v6:
        reaches(box, "127.0.0.1:%d" % v4, "127.0.0.1:%d" % v4, client)
        reaches(box, "127.0.0.1:%d" % v4, "localhost:%d" % v4, client)
        reaches(box, "localhost:%d" % v4, "localhost:%d" % v4, client)
        reaches(box, "localhost:%d" % v4, "127.0.0.1:%d" % v4, client)
        reaches(box, "[::1]:%d" % v6, "[::1]:%d" % v6, client)
        # It listens at ::1 alone.
        reaches(box, "localhost:%d" % v6, "localhost:%d" % v6, client)


@test(needs=["sandbox", "curl"])
def curl_reaches_it(box):
    is_reached(box, "curl")


@test(needs=["sandbox"])
def python_reaches_it(box):
    is_reached(box, "python")


@test(needs=["sandbox", "node"])
def node_reaches_it(box):
    is_reached(box, "node")


@test(needs=["sandbox", "bash"])
def a_client_without_http_reaches_it(box):
    with server("127.0.0.1") as port:
        script = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d; echo >&3; tail -n 1 <&3'" % port
        box.granted(script, zs=("run", "--host", "127.0.0.1:%d" % port), stdout="hello\n")


@test(needs=["sandbox", "bash"])
def no_other_port_or_address_is_reached(box):
    """The controls are in denied(): without zs each attack reaches the server."""
    v6 = "bash -c 'exec 3<>/dev/tcp/::1/%d' && echo reached"
    with server("127.0.0.1") as port, server("127.0.0.1") as other, server("::1") as own, server("::1") as other_v6:
        for host in ("127.0.0.1:%d" % port, "localhost:%d" % port, "[::1]:%d" % own, "localhost", "127.0.0.1"):
            box.denied(connect(other), v6 % other_v6, zs=("run", "--host", host))
        box.denied(v6 % own, zs=("run", "--host", "127.0.0.1:%d" % own))
        box.denied(connect(port), zs=("run", "--host", "[::1]:%d" % port))


@test(needs=["sandbox", "curl"])
def a_server_of_the_runs_own_has_the_other_ports(box):
    script = "/usr/bin/python3 -m http.server --bind 127.0.0.1 %d >/dev/null 2>&1 & " \
        "for i in 1 2 3 4 5 6 7 8 9; do curl -sS http://127.0.0.1:%d/mine && break; sleep 0.5; done; kill $!"
    box.file("home/project/mine", "mine\n")
    with server("127.0.0.1") as port, server("127.0.0.1") as other:
        result = box.run_zs("run", "--host", "127.0.0.1:%d" % port, "--", "sh", "-c", script % (other, other))
        expect(result.stdout == "mine\n", result)
