"""A server of the user's own on this machine's loopback, which --host names by address and port. Clients use no proxy
for such an address."""

from harness import connect, expect, test
from own_servers import server, speak_postgres


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


@test(needs=["sandbox", "psql"])
def psql_reaches_it(box):
    with server("127.0.0.1", speak_postgres) as port:
        psql = ["psql", "-w", "host=127.0.0.1 port=%d user=a dbname=a connect_timeout=10" % port]
        for zs in ([], [box.zs, "run", "--host", "127.0.0.1:%d" % port, "--"]):
            result = box.run([*zs, *psql]).expect(exit=2)
            expect("FATAL:  hello" in result.stderr, result)
        expect("hello" not in box.run_zs("run", "--", *psql).expect(exit=2).stderr, "it is reached without a grant")


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
        "for i in $(seq 60); do curl -sS http://127.0.0.1:%d/mine && break; sleep 0.5; done; kill $!"
    box.file("home/project/mine", "mine\n")
    with server("127.0.0.1") as port, server("127.0.0.1") as other:
        result = box.run_zs("run", "--host", "127.0.0.1:%d" % port, "--", "sh", "-c", script % (other, other))
        expect(result.stdout == "mine\n", result)
