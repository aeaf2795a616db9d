"""The cost of the proxy of --net hosts: one stream through it against the same stream on loopback, and its memory.

The server is on the machine's loopback, and listed by its address. Sender and receiver are the same programs in all
ways, which take turns: once with the machine's congestion control, and once with one that does not pace bytes, as the
proxy's own sockets have."""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading

BYTES = 2 << 30
ROUNDS = 7
HELD = 200
CHUNK = 1 << 20

# PORT of the server, and of the proxy or 0; then bytes, or connections to hold.
CLIENT = """
import socket, sys, time
port, proxy, size, held = map(int, sys.argv[1:])

def connect():
    s = socket.create_connection(("127.0.0.1", proxy or port))
    if proxy:
        s.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\\r\\n\\r\\n" % port)
        head = b""
        while not head.endswith(b"\\r\\n\\r\\n"):
            head += s.recv(1)
    return s

print("ready", flush=True)
sys.stdin.readline()
buffer = bytearray(1 << 20)
if size:
    s = connect()
    begin = time.perf_counter()
    s.sendall(b"%d\\n" % size)
    left = size
    while left:
        left -= s.recv_into(buffer)
    print(time.perf_counter() - begin, flush=True)
connections = [connect() for _ in range(held)]
for s in connections:
    s.sendall(b"1000\\n")
for s in connections:
    left = 1000
    while left:
        left -= s.recv_into(buffer)
print(len(connections), flush=True)
sys.stdin.readline()
"""


def serve(server):
    block = bytes(CHUNK)

    def answer(s):
        with s, s.makefile("rb") as lines:
            for line in lines:
                for left in range(int(line), 0, -CHUNK):
                    s.sendall(block[: min(left, CHUNK)])

    while True:
        threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()


class Client:
    def __init__(self, argv, size=0, held=0, port=0, proxy=0):
        self.process = subprocess.Popen([*argv, "/usr/bin/python3", "-c", CLIENT, *map(str, (port, proxy, size, held))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.next()

    def next(self):
        return self.process.stdout.readline().strip()

    def go(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def proxy(self):
        """The first child of the process that waits for the run."""
        pids = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE).stdout
        return min(map(int, pids.split()))

    def close(self):
        self.go()
        self.process.wait()


def status(pid, name):
    with open("/proc/%d/status" % pid) as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name + ":"))


def used(pid):
    """Seconds of a processor, how often it waited, and how often it was made to wait."""
    with open("/proc/%d/schedstat" % pid) as numbers:
        seconds = int(numbers.read().split()[0]) / 1e9
    return seconds, status(pid, "voluntary_ctxt_switches"), status(pid, "nonvoluntary_ctxt_switches")


def timed(client):
    client.go()
    return BYTES / float(client.next()) / 1e9


def direct(port):
    client = Client([], size=BYTES, port=port)
    speed = timed(client)
    client.next()
    client.close()
    return speed


def through_proxy(confined, port, costs):
    client = Client(confined, size=BYTES, port=port, proxy=808)
    before = used(client.proxy())
    speed = timed(client)
    client.next()
    costs.append([(b - a) / (BYTES / (1 << 30)) for a, b in zip(before, used(client.proxy()))])
    client.close()
    return speed


def row(what, baseline, value, base):
    print("%-34s %10.1f GB/s   %-28s %10.1f GB/s   ratio %.2f" % (what, value, baseline, base, value / base))


def streams(confined, port, where):
    costs = []
    ways = {
        "on loopback": lambda: direct(port),
        "through the proxy": lambda: through_proxy(confined, port, costs),
    }
    speeds = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            speeds[name].append(way())
    middle = {name: statistics.median(speed) for name, speed in speeds.items()}
    row("one stream, through the proxy", where, middle["through the proxy"], middle["on loopback"])
    print("%-34s %10.3f s of a processor, %d waits, %d times put aside; for a GiB" % (
        "the proxy's part of it", *map(statistics.median, zip(*costs))))


def memory(confined, port):
    client = Client(confined, held=HELD, size=256 << 20, port=port, proxy=808)
    proxy = client.proxy()
    before = status(proxy, "VmRSS")
    client.go()
    client.next()
    if int(client.next()) != HELD:
        sys.exit("proxy: not all connections were held")
    print("%-34s %10d KiB before, %d KiB with %d connections, after a stream of 256 MiB" % (
        "the proxy's memory", before, status(proxy, "VmRSS"), HELD))
    client.close()


def main(zs):
    confined = [zs, "run", "--host", "127.0.0.1", "--"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for where, control in (("on loopback", None), ("on loopback, not paced", b"reno")):
            with socket.create_server(("127.0.0.1", 0), backlog=HELD) as server:
                if control:
                    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control)
                threading.Thread(target=serve, args=(server,), daemon=True).start()
                port = server.getsockname()[1]
                streams(confined, port, where)
                if not control:
                    memory(confined, port)
