"""Programs that people use, through the door of --net hosts: each works at a listed host, and at no other."""

import base64
import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
import zipfile

from harness import Failure, main, test
from network import EVIL, GOOD, NEEDS, OTHER, Run, World


def serve(name, content):
    """A file at /file/NAME of every server."""
    path = os.path.join(World.get().www, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def works_and_fails(box, script, hosts=(GOOD,), stdout=None, options=(), elsewhere=EVIL, **more):
    """With HOST, the host's name, in the script."""
    good = Run(box, list(hosts), script.replace("HOST", GOOD), options=options, timeout=120, **more)
    good.expect(exit=0, stdout=stdout)
    good.expect_line(event="connect", host=GOOD, allowed=True)
    bad = Run(box, list(hosts), script.replace("HOST", elsewhere), options=options, timeout=120, ok=False, **more)
    if bad.reached():
        raise Failure("reached %s: %s" % (bad.reached(), bad.result))
    bad.expect_line(host=elsewhere, allowed=False)


@test(needs=[*NEEDS, "wget"])
def wget(box):
    works_and_fails(box, "wget -q -t 1 -T 20 -O - http://HOST/", stdout="hello from good\n")
    works_and_fails(box, "wget -q -t 1 -T 20 --ca-certificate CA -O - https://HOST/", stdout="hello from good\n")
    works_and_fails(box, "wget -q -t 1 -T 20 --no-proxy --ca-certificate CA -O - https://HOST/",
        stdout="hello from good\n")


def repository():
    """A bare one, with a commit, in what the servers show."""
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
    """As far as there is a server to talk to: its banner is heard, and what ssh answers comes back."""
    script = ("ssh -v -F none -o BatchMode=yes -o ConnectTimeout=10 -o UserKnownHostsFile=/dev/null -o "
        "StrictHostKeyChecking=no user@HOST true 2>&1 | grep 'remote software version banner of good'")
    works_and_fails(box, script, hosts=[GOOD + ":22"])
    Run(box, [GOOD], script.replace("HOST", GOOD), ok=False)


@test(needs=[*NEEDS, "git", "ssh", "sshd"])
def git_over_ssh(box):
    world = World.get()
    with open(os.path.join(world.folder, "user.key")) as key:
        path = box.file("home/project/key", key.read())
    os.chmod(path, 0o600)
    if box.user.uid is not None:
        os.chown(path, box.user.uid, box.user.uid)
    with open(os.path.join(world.folder, "host.key.pub")) as key:
        known = box.file("home/project/known", "ssh.test.example " + key.read())
    script = ("d=$(mktemp -d) && GIT_SSH_COMMAND='ssh -F none -o BatchMode=yes -o ConnectTimeout=10 -i %s "
        "-o UserKnownHostsFile=%s' git clone -q ssh://root@HOST%s $d/c && git -C $d/c log --format=%%s" % (
        path, known, repository()))
    Run(box, ["ssh.test.example:22"], script.replace("HOST", "ssh.test.example"), timeout=120).expect(exit=0,
        stdout="first\n")
    for hosts, name in ((["ssh.test.example"], "ssh.test.example"), (["ssh.test.example:22"], EVIL)):
        denied = Run(box, hosts, script.replace("HOST", name), ok=False)
        if denied.reached() or any(entry[0] == "ssh" for entry in denied.seen):
            raise Failure("reached: %s" % denied.result)


@test(needs=[*NEEDS, "dig"])
def dig(box):
    """Listed names have an address of the run's own, whatever they have outside; no other name is asked for."""
    pool = re.compile(r"^198\.1[89]\.\d+\.\d+\n$")
    for how in ("", "+tcp "):
        Run(box, [GOOD], "dig +short %s%s" % (how, GOOD)).expect(exit=0, stdout=pool)
    Run(box, [GOOD], "dig +short %s AAAA" % GOOD).expect(exit=0, stdout="")
    for question in (EVIL, "-x " + "93.184.215.10", "secret.%s TXT" % EVIL, "@93.184.215.10 " + GOOD):
        run = Run(box, [GOOD], "dig +short +time=1 +tries=1 " + question)
        if run.asked_dns() or re.search(r"^\d+\.\d+", run.result.stdout):
            raise Failure("%s: %s %s" % (question, run.result, run.seen))


@test(needs=NEEDS)
def python(box):
    """By the environment's proxies; without any; and by sockets alone."""
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
    """Redirects are judged anew; many at once; a connection that is kept."""
    works_and_fails(box, "curl -sS --cacert CA https://HOST/a https://HOST/b https://HOST/c",
        stdout="hello from good\n" * 3)
    run = Run(box, [GOOD, OTHER], "curl -sS --parallel --cacert CA $(for i in 1 2 3 4 5 6 7 8 9 10; do "
        "echo https://%s/$i https://%s/$i; done)" % (GOOD, OTHER)).expect(exit=0)
    if sorted(run.result.stdout.splitlines()) != ["hello from good"] * 10 + ["hello from other"] * 10:
        raise Failure(str(run.result))
    run = Run(box, [GOOD], "curl -sSL http://%s/redirect/http://%s/" % (GOOD, EVIL))
    run.expect(exit=0, stdout=re.compile("^zs: %s:80: is not listed" % EVIL))


if __name__ == "__main__":
    main()
