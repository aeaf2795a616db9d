"""Servers of the user's own on this machine's loopback, for tests."""

import contextlib
import json
import os
import socket
import subprocess
import threading


def speak_http(client):
    client.recv(4096)
    client.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n")


def speak_postgres(client):
    """Refuses encryption, and answers the start with an error that says hello (PostgreSQL, "Message Formats")."""
    while client.recv(4096)[4:6] == b"\x04\xd2":
        client.sendall(b"N")
    fields = b"SFATAL\0C28000\0Mhello\0\0"
    client.sendall(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)


def speak_docker(client):
    """The version, and a list of one container (Docker Engine API, "Ping" and "List containers")."""
    asked = client.recv(65536).decode("latin-1")
    row = {"Id": "c0ffee" * 10, "Names": ["/hello"], "Image": "image", "ImageID": "", "Command": "cat",
        "Created": 0, "Ports": [], "Labels": {}, "State": "running", "Status": "Up",
        "NetworkSettings": {"Networks": {}}, "Mounts": []}
    body = json.dumps([row]) if "/containers/json" in asked else "OK"
    client.sendall(("HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nOstype: linux\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)).encode())
    if not asked.startswith("HEAD"):
        client.sendall(body.encode())


def make_sshd(folder):
    """Makes a host's key and a user's in the folder. Returns the command of an sshd that speaks at its standard input
    and output; the user's key logs in as root."""
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, name + ".key")],
            check=True, stdout=subprocess.DEVNULL)
    with contextlib.suppress(FileExistsError):
        os.mkdir("/run/sshd")  # sshd insists on it. It stays: another test file may have one that runs
    options = {"HostKey": folder + "/host.key", "AuthorizedKeysFile": folder + "/user.key.pub", "StrictModes": "no",
        "UsePAM": "no", "PermitRootLogin": "yes", "PasswordAuthentication": "no"}
    return ["/usr/sbin/sshd", "-i", "-f", "/dev/null"] + ["-o%s=%s" % option for option in options.items()]


@contextlib.contextmanager
def serving(listener, speak):
    """Answers each connection."""
    def serve():
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client, contextlib.suppress(OSError):
                    speak(client)

    threading.Thread(target=serve, daemon=True).start()
    yield
    listener.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def server(address, speak=speak_http):
    """Answers each connection, and yields the port."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as listener, serving(listener, speak):
        yield listener.getsockname()[1]
