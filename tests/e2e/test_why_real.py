"""Real work that zs refuses at first, each solved by nothing but the lines that zs why prints."""

import contextlib
import http.server
import os
import shlex
import shutil
import socket
import socketserver
import subprocess
import threading

from harness import Failure, expect, read, test
from own_servers import make_sshd, server, serving, speak_docker, speak_postgres

ROUNDS = 6


def solved(box, *argv, **options):
    """Runs the printed command line until it succeeds. Returns the last one."""
    line = shlex.join(["zs", "run", "--", *argv])
    for _ in range(ROUNDS):
        words = shlex.split(line)
        tried = box.run([box.zs, *words[1:]], **options)
        if tried.exit == 0:
            return line
        shown = box.run([box.zs, "why", *words[2:]], **options).expect(exit=0).stdout
        line = next((line for line in shown.splitlines() if line.startswith("  zs run")), None)
        expect(line, "nothing to copy:", shown, tried)
    raise Failure("not solved in %d rounds: %s" % (ROUNDS, line))


@test(needs=["sandbox", "psql"])
def psql_over_a_socket_is_solved(box):
    folder = box.folder("run")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(folder + "/.s.PGSQL.5432")
        os.chmod(folder + "/.s.PGSQL.5432", 0o777)
        unix.listen(8)
        # The server refuses the start with an error that says hello; that is all psql needs to show that it got there.
        with serving(unix, speak_postgres):
            line = solved(box, "sh", "-c", "psql -h %s -c 'select 1' 2>&1 | grep -q hello" % folder)
    expect("--socket" in line, line)


@test(needs=["sandbox", "gpg"])
def gpg_signing_is_solved(box):
    home = box.folder("home/.gnupg", 0o700)
    try:
        box.run(["gpg", "--batch", "--passphrase", "", "--quick-gen-key", "a@b.example", "ed25519", "sign",
            "never"]).expect(exit=0)
        line = solved(box, "gpg", "--batch", "--clearsign", "--output", "signed", "/etc/hostname")
        expect("--for sign-gpg" in line and "private" not in line, line)
    finally:
        box.run(["gpgconf", "--homedir", home, "--kill", "gpg-agent"])


@test(needs=["sandbox", "npm"], slow=True)
def npm_publish_is_solved(box):
    asked = []

    class Registry(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            self.rfile.read(int(self.headers["content-length"]))
            asked.append(self.headers.get("authorization"))
            self.send_response(201)
            self.end_headers()
            self.wfile.write(b"{}")

        def do_GET(self):
            self.send_response(404)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry) as registry:
        threading.Thread(target=registry.serve_forever, daemon=True).start()
        place = "127.0.0.1:%d" % registry.server_address[1]
        box.file("home/.npmrc", "registry=http://%s/\n//%s/:_authToken=secret\n" % (place, place), 0o600)
        box.file("home/project/package.json", '{"name": "a", "version": "1.0.0"}')
        line = solved(box, "npm", "publish", "--fetch-retries", "0", "--no-update-notifier")
        registry.shutdown()
    expect("--ro %s/.npmrc" % box.home in line and "--host %s" % place in line, line)
    expect(asked and asked[-1] == "Bearer secret", asked)


@test(needs=["sandbox"])
def stand_ins_for_clients_with_profiles_are_solved(box):
    """As aws, gh and a language server look for their files; the programs themselves are not on every machine."""
    box.folder("home/.aws", 0o700)
    box.file("home/.aws/config", "[profile a]\nregion = x\n", 0o600)
    box.file("home/.aws/credentials", "[a]\naws_secret_access_key = y\n", 0o600)
    box.folder("home/.config/gh", 0o755)
    box.file("home/.config/gh/hosts.yml", "token\n", 0o600)
    box.folder("home/.local/share/server/bin")
    box.file("home/.local/share/server/bin/server", '#!/bin/sh\nexec cat "$(dirname "$0")/../data"\n', 0o755)
    box.file("home/.local/share/server/data", "ready\n")
    with server("127.0.0.1") as port:
        fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:%d/').read())" % port
        aws = ("import configparser as c, os; p = c.ConfigParser(); files = p.read([os.path.expanduser('~/.aws/' + n) "
            "for n in ('config', 'credentials')]); p['a']['aws_secret_access_key']; " + fetch)
        line = solved(box, "/usr/bin/python3", "-c", aws)
        expect(".aws" in line and "--host 127.0.0.1:%d" % port in line, line)
        gh = "import os; open(os.path.expanduser('~/.config/gh/hosts.yml')); " + fetch
        line = solved(box, "/usr/bin/python3", "-c", gh)
        expect(".config/gh/hosts.yml" in line, line)
    line = solved(box, box.home + "/.local/share/server/bin/server")
    expect("--exec" in line, line)


@contextlib.contextmanager
def ssh_server(folder):
    """Yields the port. The folder has the key of the user, and of the host."""
    argv = make_sshd(folder)

    class Login(socketserver.BaseRequestHandler):
        def handle(self):
            subprocess.run(argv, stdin=self.request, stdout=self.request, stderr=subprocess.DEVNULL, check=False)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Login) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield listener.server_address[1]
        listener.shutdown()


@test(needs=["sandbox", "git", "ssh", "sshd"])
def git_push_over_ssh_is_solved(box):
    """With a key without a passphrase, which the box's user has. ssh takes the account's home, and not HOME."""
    secrets = os.path.join(box.root, "sshd")
    os.mkdir(secrets, 0o700)
    bare = os.path.join(secrets, "bare.git")
    subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
    with ssh_server(secrets) as port:
        box.file("home/.ssh/id_push", read(secrets + "/user.key"), 0o600)
        box.file("home/.ssh/known_hosts", "[127.0.0.1]:%d %s" % (port, read(secrets + "/host.key.pub")), 0o600)
        for argv in (["init", "-q", "-b", "main"], ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q",
                "--allow-empty", "-m", "first"],
                ["remote", "add", "origin", "ssh://root@127.0.0.1:%d%s" % (port, bare)]):
            box.run(["git", *argv]).expect(exit=0)
        line = solved(box, "sh", "-c", "GIT_SSH_COMMAND='ssh -F none -o BatchMode=yes -i %s/.ssh/id_push "
            "-o UserKnownHostsFile=%s/.ssh/known_hosts' git push -q origin main" % (box.home, box.home))
    expect("--host 127.0.0.1:%d" % port in line and "/.ssh/id_push" in line and "/.ssh/known_hosts" in line and
        "id_ed25519" not in line, line)
    refs = subprocess.run(["git", "-C", bare, "for-each-ref", "--format=%(refname)"], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    expect(refs == "refs/heads/main\n", refs)


def docker_is_solved(box, *argv):
    path = os.path.join(box.folder("run"), "docker.sock")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(path)
        os.chmod(path, 0o777)
        unix.listen(8)
        with serving(unix, speak_docker):
            client = shlex.join([word.replace("PATH", path) for word in argv])
            line = solved(box, "sh", "-c", client + " 2>&1 | grep c0ffee")
    expect("--socket " + path in line, line)


@test(needs=["sandbox", "docker-client"])
def docker_ps_is_solved(box):
    docker_is_solved(box, "docker", "-H", "unix://PATH", "ps", "-q")


@test(needs=["sandbox", "curl"])
def docker_ps_by_curl_is_solved(box):
    docker_is_solved(box, "curl", "-sS", "--unix-socket", "PATH", "http://docker/v1.41/containers/json")


@test(needs=["sandbox"])
def a_build_that_needs_m2_is_solved(box):
    """The settings name the place of the repository, as maven reads them."""
    box.file("home/.m2/settings.xml", "<localRepository>%s/.m2/own</localRepository>" % box.home, 0o600)
    box.file("home/.m2/own/dep.pom", "dep\n")
    build = ("import os, re; text = open(os.path.expanduser('~/.m2/settings.xml')).read(); "
        "open(re.search('>(.*)<', text)[1] + '/dep.pom')")
    line = solved(box, "/usr/bin/python3", "-c", build)
    expect("--ro %s/.m2/settings.xml" % box.home in line and "--ro %s/.m2/own" % box.home in line, line)


@test(needs=["sandbox", "mvn"], slow=True)
def maven_is_solved(box):
    """Java takes the account's home, and not HOME."""
    parent = ("<project><modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>parent</artifactId>"
        "<version>1</version><packaging>pom</packaging></project>\n")
    box.file("home/.m2/settings.xml", "<settings><localRepository>%s/.m2/own</localRepository></settings>\n" %
        box.home, 0o600)
    box.file("home/.m2/own/example/parent/1/parent-1.pom", parent)
    box.file("home/project/pom.xml", "<project><modelVersion>4.0.0</modelVersion><parent><groupId>example</groupId>"
        "<artifactId>parent</artifactId><version>1</version><relativePath/></parent><artifactId>x</artifactId>"
        "<packaging>pom</packaging></project>\n")
    build = "MAVEN_OPTS=-Duser.home=%s mvn -o -q validate" % box.home
    box.run(["sh", "-c", build]).expect(exit=0)
    shutil.rmtree(box.home + "/.m2/own/example/parent/.cache", ignore_errors=True)
    line = solved(box, "sh", "-c", build)
    expect("--ro %s/.m2/settings.xml" % box.home in line and "%s/.m2/own" % box.home in line, line)


@test(needs=["sandbox"])
def a_server_at_every_address_needs_nothing(box):
    """The run has a loopback of its own."""
    box.file("home/project/serve.py", """
import http.server, threading, urllib.request
server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
answer = urllib.request.urlopen("http://127.0.0.1:%d/serve.py" % server.server_address[1])
exit(b"0.0.0.0" not in answer.read())
""")
    line = solved(box, "/usr/bin/python3", "serve.py")
    expect(line == "zs run -- /usr/bin/python3 serve.py", line)
    shown = box.run_zs("why", "--", "/usr/bin/python3", "serve.py").expect(exit=0).stdout
    expect(shown.startswith("The command succeeded"), shown)
