"""network: none. Clients fail at once, and zs says which hosts they asked for."""

import json
import os
import re
import time

from harness import expect, read, test

SECONDS = 8
# Each retries by default for longer than this. A package manager needs some seconds for itself on a busy machine.
NPM_SECONDS, PIP_SECONDS = 40, 14
TIMED_OUT = 124  # man 1 timeout


def ends_at_once(box, script, variable, seconds):
    """Expects that the client fails before the time is over. The control: it does not with a number of tries."""
    text = "timeout %d %s"
    control = box.run_zs("run", "--setenv", variable + "=9", "--", "sh", "-c", text % (SECONDS, script))
    expect(control.exit == TIMED_OUT, "control: it does not try again: %s" % control)
    run = box.run_zs("run", "--", "sh", "-c", text % (seconds, script))
    expect(run.exit not in (0, TIMED_OUT), run)


@test(needs=["sandbox", "npm"])
def npm_fails_at_once(box):
    box.file("home/project/package.json", '{"dependencies": {"left-pad": "1.3.0"}}')
    ends_at_once(box, "npm install", "npm_config_fetch_retries", NPM_SECONDS)


@test(needs=["sandbox", "pip"])
def pip_fails_at_once(box):
    ends_at_once(box, "python3 -m pip download --no-cache-dir left", "PIP_RETRIES", PIP_SECONDS)


def denied_lines(result):
    return [line for line in result.stderr.splitlines() if line.startswith("zs: denied:")]


@test(needs=["sandbox", "curl"])
def names_fail_at_once_and_are_printed_last(box):
    began = time.monotonic()
    script = "curl -sS https://Registry.test.example/; curl -sS http://b.example/; exit 5"
    run = box.run_zs("run", "--", "sh", "-c", script)
    expect(time.monotonic() - began < SECONDS, "it took long: %s" % run)
    run.expect(exit=5, stdout="", stderr=re.compile(
        r"Could not resolve host: b.example\n"
        r"zs: denied: resolve registry.test.example \(\d+ times?\): --host registry.test.example\n"
        r"zs: denied: resolve b.example \(\d+ times?\): --host b.example\n$"))
    box.run_zs("run", "--", "true").expect(exit=0, stdout="", stderr="")


@test(needs=["sandbox", "curl"])
def names_of_the_runs_own_servers_have_their_addresses(box):
    script = "python3 -m http.server --bind 127.0.0.1 8000 2>/dev/null & " \
        "for i in $(seq 60); do curl -sS http://localhost:8000/ >got && break; sleep 0.5; done; " \
        "kill $!; cat got"
    result = box.run_zs("run", "--", "sh", "-c", script)
    result.expect(exit=0, stdout=re.compile("Directory listing"), stderr=None)
    expect(not denied_lines(result), result)


@test(needs=["sandbox"])
def a_name_does_not_exist_for_programs_that_ask_the_resolver(box):
    """The bytes before the question are no DNS. Python's answer without a resolver is -3, for now."""
    script = box.file("home/project/ask.py", """
import socket
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for junk in (b"", b"x", b"\\0" * 12, b"\\xff" * 512, b"\\0\\1\\1\\0\\0\\1" + b"\\xc0" * 40):
    sock.sendto(junk, ("127.0.0.1", 53))
try:
    socket.getaddrinfo("a.example", 80)
except socket.gaierror as error:
    print(error.errno == socket.EAI_NONAME)
""")
    box.run_zs("run", "--", "/usr/bin/python3", script).expect(exit=0, stdout="True\n",
        stderr=re.compile(r"^zs: denied: resolve a.example \(\d times\): --host a.example\n$"))


MOST = 8  # ZS_PROXY_DENIALS_MAX


@test(needs=["sandbox"])
def only_the_first_hosts_have_a_line(box):
    script = "for i in $(seq %d); do getent hosts h$i.example; done"
    for count in (MOST, MOST + 2):
        lines = denied_lines(box.run_zs("run", "--", "sh", "-c", script % count))
        expect(len(lines) == (MOST if count == MOST else MOST + 1), lines)
        expect(lines[7].startswith("zs: denied: resolve h8.example ("), lines)
    expect(re.search(r"^zs: denied: other hosts \(\d+ times\)$", lines[-1]), lines)


@test(needs=["sandbox"])
def the_resolver_ends_with_its_run(box):
    """However the run ends, zs has counted the question, and returns."""
    ask = "getent hosts a.example"
    for script in (ask, ask + "; kill -9 $$", ask + " & wait"):
        result = box.run_zs("run", "--", "sh", "-c", script)
        expect(len(denied_lines(result)) == 1, result)


@test(needs=["sandbox"])
def a_report_has_the_names_that_were_asked_for(box):
    report = os.path.join(box.home, "report")
    box.run_zs("run", "--report", report, "--", "sh", "-c", "getent hosts a.example; exit 4").expect(exit=4)
    lines = [json.loads(line) for line in read(report).splitlines()]
    expect(lines and {(line["event"], line["host"], line["allowed"]) for line in lines} == {
        ("resolve", "a.example", False)}, lines)
    # A patch stays a patch.
    box.run_zs("run", "--patch", "--report", report, "--", "sh", "-c", "getent hosts a.example; echo x >new").expect()
    expect("a.example" not in read(report) and read(report).startswith("diff "), read(report))
    # The same on standard error.
    for zs in (("run", "--json", "--"), ("run", "--json", "--host", "b.example", "--")):
        result = box.run_zs(*zs, "sh", "-c", "getent hosts a.example; exit 4").expect(exit=4)
        lines = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
        expect(("resolve", "a.example", False) in {(line["event"], line["host"], line["allowed"]) for line in lines},
            result)
        expect(denied_lines(result), result)
    result = box.run_zs("run", "--json", "--", "sh", "-c", "ls /proc/self/fd").expect(stdout="0\n1\n2\n3\n", stderr="")
