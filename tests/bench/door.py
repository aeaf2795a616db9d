"""What the door of --net hosts costs: one stream through it against the same stream on loopback, and its memory.

The server is on the machine's loopback, and listed by its address. Who sends and who receives are the same programs in
both ways, which take turns."""

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

    def door_kib(self):
        """The first child of the process that waits for the run."""
        pids = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE).stdout
        with open("/proc/%d/status" % min(map(int, pids.split()))) as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def close(self):
        self.go()
        self.process.wait()


def stream(argv, **more):
    client = Client(argv, size=BYTES, **more)
    client.go()
    seconds = float(client.next())
    client.next()
    client.close()
    return BYTES / seconds / 1e9


def main(zs, row):
    with socket.create_server(("127.0.0.1", 0), backlog=HELD) as server, tempfile.TemporaryDirectory() as folder:
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        port = server.getsockname()[1]
        os.chdir(folder)
        confined = [zs, "run", "--host", "127.0.0.1", "--"]
        direct, through = [], []
        for _ in range(ROUNDS):
            direct.append(stream([], port=port))
            through.append(stream(confined, port=port, proxy=808))
        row("one stream through the door", "on loopback", statistics.median(through), statistics.median(direct), "GB/s")
        client = Client(confined, held=HELD, size=256 << 20, port=port, proxy=808)
        before = client.door_kib()
        client.go()
        client.next()
        if int(client.next()) != HELD:
            sys.exit("door: not all connections were held")
        print("%-34s %10d KiB before, %d KiB with %d connections, after a stream of 256 MiB" % (
            "the door's memory", before, client.door_kib(), HELD))
        client.close()
