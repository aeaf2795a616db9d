"""network: hosts, with real clients, in a network of the tests' own (world.py). Programs reach listed hosts by name,
whether they know proxies or not. No attempt reaches any other host."""

import contextlib
import json
import os
import re

from harness import Failure, expect, read, test
from network import EVIL, GOOD, GOOD_ADDRESS, NEEDS, OTHER, PRIVATE_ADDRESS, Run, World


def denied(box, hosts, script, **fields):
    """Expects that the script fails inside and reaches no server, and that the report says why. The control: without zs
    it succeeds."""
    world = World.get()
    control = world.run(box, ["sh", "-c", re.sub(r"\bCA\b", world.ca, script)])
    expect(control.exit == 0, "control: fails without zs too: %s" % control)
    run = Run(box, hosts, "echo started; " + script, ok=False)
    expect(run.result.stdout.startswith("started"), "it was not run: %s" % run.result)
    expect(not run.reached(), "reached %s: %s %s" % (run.reached(), run.result, run.report))
    if fields:
        run.expect_line(allowed=False, **fields)
    return run


# --------------------------------------------------------------------------------------------- what is listed


@test(needs=NEEDS)
def a_listed_host_is_reached_by_each_way(box):
    hello = "hello from good\n"
    ways = {
        "http": "curl -sS http://%s/" % GOOD,
        "connect": "curl -sS --cacert CA https://%s/" % GOOD,
        "socks": "curl -sS --cacert CA --proxy $(echo $HTTP_PROXY | sed s/http:/socks5h:/) https://%s/" % GOOD,
        "tls": "curl -sS --noproxy '*' --cacert CA https://%s/" % GOOD,
        "plain": "curl -sS --noproxy '*' http://%s/" % GOOD,
    }
    for via, script in ways.items():
        run = Run(box, [GOOD], script).expect(exit=0, stdout=hello, stderr="")
        line = run.expect_line(event="connect", via=via, host=GOOD, allowed=True, address=GOOD_ADDRESS,
            port=80 if via in ("http", "plain") else 443)
        expect(line["received"] >= len(hello) and line["sent"] >= 20 and line["ms"] >= 0 and "reason" not in line,
            "line %s" % line)


@test(needs=NEEDS)
def a_listed_port_is_reached_and_no_other(box):
    Run(box, [GOOD + ":8080"], "curl -sS http://%s:8080/" % GOOD).expect(exit=0, stdout="hello from good\n")
    Run(box, [GOOD], "curl -sS -p http://%s:8080/" % GOOD).expect(exit=0, stdout="hello from good\n")
    denied(box, [GOOD + ":8080"], "curl -sSf http://%s/" % GOOD, host=GOOD, port=80, reason="is not listed")
    denied(box, [GOOD + ":443"], "curl -sSfp http://%s:8080/" % GOOD, host=GOOD, port=8080)


@test(needs=NEEDS)
def what_servers_say_first_is_heard(box):
    """Through CONNECT, and at port 22 by name if the policy lists it."""
    script = ("exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:}; printf 'CONNECT %s:7777 HTTP/1.1\\r\\n\\r\\n' >&3;"
        "head -n 3 <&3 | tr -d '\\r'; echo over to you >&3; head -n 1 <&3" % GOOD)
    Run(box, [GOOD], "bash -c '%s'" % script.replace("'", "'\\''")).expect(exit=0,
        stdout="HTTP/1.1 200 Connection established\n\nSSH-2.0-banner of good\nover to you\n")
    script = "bash -c 'exec 3<>/dev/tcp/%s/22; head -n 1 <&3; echo echo >&3; head -n 1 <&3'" % GOOD
    Run(box, [GOOD + ":22"], script).expect(exit=0, stdout="SSH-2.0-banner of good\r\necho\n").expect_line(via="ssh",
        host=GOOD, port=22, allowed=True)
    Run(box, [GOOD], script, ok=False)


@test(needs=NEEDS)
def wildcards_are_below_their_name(box):
    www = "www." + GOOD
    Run(box, ["*." + GOOD], "curl -sS http://%s/ && curl -sS --noproxy '*' http://%s/" % (www, www)).expect(exit=0,
        stdout="hello from good\n" * 2)
    denied(box, ["*." + GOOD], "curl -sSf http://%s/" % GOOD, host=GOOD, reason="is not listed")
    denied(box, ["*." + GOOD], "curl -sSf http://evil%s/" % GOOD, host="evil" + GOOD)


@test(needs=NEEDS)
def names_are_made_canonical(box):
    for name in ("GOOD.Test.EXAMPLE", GOOD + "."):
        Run(box, [GOOD], "curl -sS http://%s/ -o /dev/null -w '%%{http_code}'" % name).expect(exit=0, stdout="200")
        Run(box, [name], "curl -sS http://%s/ -o /dev/null -w '%%{http_code}'" % GOOD).expect(exit=0, stdout="200")
    Run(box, ["XN--bcher-kva.test.example"], "curl -sS http://xn--bcher-kva.test.example/").expect(exit=0,
        stdout="hello from good\n")
    box.run_zs("run", "--host", "bücher.test.example", "--", "true").expect(exit=64,
        stderr=re.compile(".*: has a character that is not ASCII; write the name's xn-- form"))


@test(needs=NEEDS)
def bodies_pass_whole_in_both_directions(box):
    world = World.get()
    with open(os.path.join(world.www, "big"), "wb") as file:
        file.write(os.urandom(1 << 20) * 24)
    for proxy in ("", "--noproxy '*'"):
        for url in ("http://%s/" % GOOD, "https://%s/" % GOOD):
            script = "curl -sS %s --cacert CA %sfile/big | sha256sum | cut -c 1-64; sha256sum <%s/big | cut -c 1-64"
            Run(box, [GOOD], script % (proxy, url, world.www), options=["--ro", world.www]).expect(exit=0,
                stdout=re.compile(r"^(\w{64})\n\1\n$"))
            script = "head -c 20000000 /dev/zero | curl -sS %s --cacert CA --data-binary @- %s" % (proxy, url)
            Run(box, [GOOD], script).expect(exit=0, stdout="got 20000000 bytes\n")
        script = "for i in 1 2 3 4; do head -c 9000000 /dev/zero | " \
            "curl -sS %s -H 'Transfer-Encoding: chunked' --data-binary @- http://%s/; done"
        Run(box, [GOOD], script % (proxy, GOOD)).expect(exit=0, stdout="got 9000000 bytes\n" * 4)


@test(needs=NEEDS)
def nothing_passes_behind_a_body(box):
    """The server at port 7777 sends back all that it reads. A second request, which has not been judged, must not be in
    it. The body is larger than one read of the proxy, so the rest waits in its socket."""
    path = box.file("home/project/smuggle.py", """
import socket, sys
body, other = "x" * 40000, "GET http://%s/ HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n"
if sys.argv[1] == "chunked":
    field, body = "Transfer-Encoding: chunked", "9c40\\r\\n" + body + "\\r\\n0\\r\\n\\r\\n"
else:
    field = "Content-Length: 40000"
proxy = socket.create_connection(("127.0.0.1", 808), timeout=5)
head = "POST http://%s:7777/ HTTP/1.1\\r\\nHost: %s:7777\\r\\n" + field + "\\r\\n\\r\\n"
proxy.sendall((head + body + other).encode())
try:
    while data := proxy.recv(65536):
        sys.stdout.write(data.decode())
except OSError:
    pass
""" % (EVIL, EVIL, GOOD, GOOD))
    for how in ("counted", "chunked"):
        run = Run(box, [GOOD], "/usr/bin/python3 %s %s" % (path, how))
        expect(run.result.stdout.count("x") >= 40000 and EVIL not in run.result.stdout, "%s: %s" % (how, run.result))


# ----------------------------------------------------------------------------------------- what is not listed


@test(needs=NEEDS)
def what_was_denied_is_printed_last(box):
    urls = ("https://" + EVIL, "https://" + EVIL, "http://" + GOOD, "http://%s:8080" % EVIL, "http://private." + GOOD)
    script = "".join("curl -sS %s/; " % url for url in urls) + "exit 3"
    Run(box, [GOOD], script).expect(exit=3, stderr=re.compile(
        "zs: denied: connect %s:443 \\(2 times\\): --host %s\n"
        "zs: denied: connect %s:8080 \\(1 time\\): --host %s\n"
        "zs: denied: connect private.%s:80 \\(1 time\\): --host private.%s\n$" % (EVIL, EVIL, EVIL, EVIL, GOOD, GOOD)))


@test(needs=NEEDS)
def an_unlisted_host_is_not_reached(box):
    for script in ("curl -sSf http://%s/", "curl -sSf --cacert CA https://%s/", "curl -sSf --noproxy '*' http://%s/",
        "curl -sSf --noproxy '*' --cacert CA https://%s/", "NO_PROXY=%s no_proxy=%s curl -sSf http://%s/",
        "env -u HTTP_PROXY -u http_proxy -u ALL_PROXY -u all_proxy curl -sSf http://%s/"):
        run = denied(box, [GOOD], script.replace("%s", EVIL))
        run.expect_line(host=EVIL, allowed=False)
        # Not even a query for its name leaves the machine.
        expect(not run.asked_dns(), "asked for %s" % run.asked_dns())


@test(needs=NEEDS)
def an_empty_list_reaches_nothing(box):
    for script in ("curl -sSf http://%s/" % GOOD, "curl -sSf --noproxy '*' http://%s/" % GOOD,
        "curl -sSf --noproxy '*' http://%s/" % GOOD_ADDRESS, "curl -sSf http://%s/" % GOOD_ADDRESS):
        denied(box, [], script)


@test(needs=NEEDS)
def an_address_is_reached_only_when_it_is_listed(box):
    denied(box, [GOOD], "curl -sSf http://%s/" % GOOD_ADDRESS, host=GOOD_ADDRESS, reason="is not listed")
    denied(box, [GOOD, "*.example"], "curl -sSf --noproxy '*' http://%s/" % GOOD_ADDRESS)
    Run(box, [GOOD_ADDRESS], "curl -sS http://%s/" % GOOD_ADDRESS).expect(exit=0, stdout="hello from good\n")
    # Other spellings of an address are no names.
    for spelling in ("0x5d.0xb8.0xd7.0x0a", "1572394762", "93.184.55050", "0135.0270.0327.012"):
        Run(box, [GOOD_ADDRESS, GOOD], "curl -sSf --proxy $HTTP_PROXY http://%s/ --path-as-is" % spelling)


@test(needs=NEEDS)
def names_do_not_lead_to_private_addresses(box):
    for name, kind in (("loopback", "loopback"), ("private", "private")):
        host = name + ".test.example"
        for script in ("curl -sSf http://%s/", "curl -sSf --cacert CA https://%s/", "curl -sSf --cacert CA -x "
            "$(echo ${HTTP_PROXY-socks5h://127.0.0.1:0} | sed s/http:/socks5h:/) https://%s/"):
            script = script % host
            run = Run(box, [host], script, ok=False)
            run.expect_line(host=host, allowed=False, reason="its address is " + kind)
            expect(not run.reached(), "reached %s" % run.reached())
        Run(box, [host], "curl -sSf --noproxy '*' http://%s/" % host, ok=False).expect_line(host=host, allowed=False)
    for host in ("linklocal.test.example", "unspecified.test.example"):
        Run(box, [host], "curl -sSf http://%s/" % host, ok=False).expect_line(host=host, allowed=False)
    # It is allowed if the address is listed too, and zs says so.
    Run(box, ["private.test.example"], "curl -sSf http://private.test.example/", ok=False).expect(exit=22,
        stderr=re.compile("zs: denied: connect private.test.example:80 \\(1 time\\): its address is private: "
            "--host %s:80\n$" % PRIVATE_ADDRESS))
    Run(box, ["private.test.example", PRIVATE_ADDRESS], "curl -sS http://private.test.example/").expect(exit=0,
        stdout="hello from private\n")
    # If a name has several addresses, the proxy takes the public one.
    Run(box, ["mixed.test.example"], "curl -sS http://mixed.test.example/").expect(exit=0, stdout="hello from good\n")


OWN_REASON, LINK_REASON = "its address is this machine's own", "its address is in a network of this machine"


@test(needs=NEEDS)
def names_do_not_lead_to_the_machines_own_public_addresses(box):
    """Addresses on the loopback device, in a routing table of their own, on a cable to a network, by v4 and v6, and
    embedded."""
    rows = {"own": OWN_REASON, "own6": OWN_REASON, "anything": OWN_REASON, "ruled": OWN_REASON,
        "tunnel": LINK_REASON, "near": OWN_REASON, "near6": OWN_REASON, "far": LINK_REASON, "far6": LINK_REASON,
        "broadcast": LINK_REASON, "nobody": LINK_REASON,
        "ownmapped": OWN_REASON, "ownnat64": OWN_REASON, "own6to4": OWN_REASON}
    for name, reason in rows.items():
        host = name + ".test.example"
        run = Run(box, [host], "curl -sSf http://%s/" % host, ok=False)
        run.expect_line(host=host, allowed=False, reason=reason)
        expect(not run.reached(), "%s: reached %s" % (name, run.reached()))
    # The controls: without the proxy these addresses answer, and with it a server behind a gateway does.
    world = World.get()
    for address, label in {"203.1.2.3": "own", "[2a00:1450::5]": "own", "203.1.3.77": "own", "91.198.174.2": "near",
            "91.198.174.3": "far", "[2a00:1450:2::3]": "far"}.items():
        world.run(box, ["curl", "-sS", "http://%s/" % address]).expect(stdout="hello from %s\n" % label)
    for host in ("good.test.example", "good6.test.example"):
        Run(box, [host], "curl -sS http://%s/" % host).expect(exit=0, stdout="hello from good\n")
    # An address behind a tunnel is no address of a network of this machine, though its route has no gateway.
    run = Run(box, ["through.test.example"], "curl -sS -m 1 http://through.test.example/", ok=False)
    expect("reason" not in run.expect_line(host="through.test.example", address="84.7.7.7"),
        "what is behind a tunnel is refused: %s" % run.report)
    # The proxy takes an address that is neither this machine's nor in its networks. A listed address is reached in any
    # case.
    Run(box, ["ownfirst.test.example"], "curl -sS http://ownfirst.test.example/").expect(exit=0,
        stdout="hello from good\n")
    Run(box, ["own.test.example", "203.1.2.3"], "curl -sS http://own.test.example/").expect(exit=0,
        stdout="hello from own\n")
    Run(box, ["far.test.example", "91.198.174.3:80"], "curl -sS http://far.test.example/").expect(exit=0,
        stdout="hello from far\n")


@test(needs=NEEDS)
def a_name_that_is_bound_anew_leads_nowhere_else(box):
    """The proxy connects to the very address that it judged, and judges the next answer again."""
    host = "rebind.test.example"
    first = Run(box, [host], "curl -sS http://%s/" % host)
    expect(not first.reached() - {"good"}, "reached %s" % first.reached())
    second = Run(box, [host], "curl -sSf http://%s/" % host, ok=False)
    second.expect_line(host=host, allowed=False, reason="its address is loopback")
    expect(not second.reached(), "reached %s" % second.reached())


@test(needs=NEEDS)
def answers_that_lie_lead_nowhere_else(box):
    rows = {"another-question": None, "another-id": None, "another-owner": None, "no-answer": None,
        "alias-to-itself": "cannot be resolved", "compression-without-end": "cannot be resolved",
        "alias-inwards": "its address is loopback", "inwards-by-v6": "its address is reserved"}
    for name, reason in rows.items():
        host = name + ".lies.example"
        run = Run(box, ["*.lies.example"], "curl -sSf http://%s/" % host, ok=reason is None)
        expect(not run.reached() - {"good"}, "%s: reached %s" % (name, run.reached()))
        line = run.expect_line(event="connect", host=host)
        expect(line.get("reason") == reason and (not line["allowed"] or reason in (None, "cannot be resolved")),
            "%s: %s" % (name, line))


SPELLINGS = """
127.0.0.1 127.1 127.0.0.1. 127.0.0.01 0x7f000001 0x7f.0.0.1 2130706433 017700000001 0 0.0.0.0 127%2e0%2e0%2e1
[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] [fe80::1%lo] [::1%1] [0:0:0:0:0:0:0:1]
localhost LOCALHOST. １２７.0.0.1 127。0。0。1 ⓛocalhost 198.18.0.2 93.184.215.66 1572394818
еvil.test.example evil.test.example%00.listed.example good.test.example@evil.test.example good.test.example:80
evil.test.example#.listed.example evil.test.example/.listed.example evil.test.example?.listed.example
\\evil.test.example evil.test.example;.listed.example listed.example .listed.example *.listed.example
"""

# Sends each spelling to the proxy, by CONNECT, in an absolute URL and over SOCKS, and prints those that succeed.
SPELL = r"""
import socket, struct
def say(data):
    s = socket.create_connection(("127.0.0.1", 808), 10)
    try:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        answer = b""
        while got := s.recv(65536):
            answer += got
        return answer
    except OSError:
        return b""
for spelling in %r:
    name = spelling.strip(b"[]")
    for port in (80, 8080):
        for data in (b"CONNECT %%s:%%d HTTP/1.1\r\n\r\n" %% (spelling, port),
            b"GET http://%%s:%%d/ HTTP/1.1\r\nHost: %%s:%%d\r\n\r\n" %% (spelling, port, spelling, port),
            b"GET http://%%s:%%d/ HTTP/1.0\r\n\r\n" %% (spelling, port),
            b"\5\1\0\5\1\0\3%%c" %% (len(name) & 255) + name + struct.pack("!H", port)):
            answer = say(data)
            if b" 200 " in answer or answer[2:4] == b"\5\0":
                print(data, answer)
for address in %r:
    packed = socket.inet_pton(socket.AF_INET6, address)
    if say(b"\5\1\0\5\1\0\4" + packed + b"\0\x50")[2:4] == b"\5\0":
        print(address)
print("done")
"""


@test(needs=NEEDS)
def no_spelling_of_an_address_is_a_way_around_the_list(box):
    spellings = [spelling.encode() for spelling in SPELLINGS.split()] + [
        b"a." * 126 + b"listed.example", b"a" * 64 + b".listed.example",
        b"evil.test.example\0.listed.example", b"evil.test.example\r\nX:.listed.example"]
    v6 = ["::ffff:127.0.0.1", "::1", "::", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "::ffff:93.184.215.66",
        "2001:0:7f00:1::", "fe80::1"]
    path = box.file("home/project/spell.py", SPELL % (spellings, v6))
    control = box.file("home/project/listed.py", SPELL % ([GOOD.encode()], []))
    run = Run(box, [GOOD], "/usr/bin/python3 " + control).expect(exit=0)
    expect(run.result.stdout.count("HTTP/1.1 200") == 6, "control: %s" % run.result)
    run = Run(box, [GOOD + ":443", "*.listed.example"], "/usr/bin/python3 " + path, timeout=120)
    run.expect(exit=0, stdout="done\n", stderr=re.compile("^zs: denied: connect 127.0.0.1:80 "))
    expect(not run.reached() and not any(line["allowed"] for line in run.report),
        "reached %s: %s" % (run.reached(), run.report))


@test(needs=NEEDS)
def the_command_has_no_descriptor_of_the_proxies(box):
    """The command inherits no listener, no socket over which listeners were passed, and no descriptor of the report."""
    Run(box, [GOOD], "exec ls /proc/self/fd </dev/null").expect(exit=0, stdout="0\n1\n2\n3\n")


@test(needs=NEEDS)
def tls_names_the_host_that_was_asked_for(box):
    """CONNECT to one host, and then another's name in the ClientHello; the same at port 443 of the pool."""
    hello = "openssl s_client -connect %s:443 -proxy ${HTTP_PROXY#http://} -servername %s -brief </dev/null 2>&1"
    Run(box, [GOOD], hello % (GOOD, GOOD)).expect(exit=0, stdout=re.compile("CONNECTION ESTABLISHED"))
    run = Run(box, [GOOD], hello % (GOOD, EVIL), ok=False)
    run.expect_line(via="connect", host=GOOD, sni=EVIL, allowed=False, reason="its TLS handshake asks for another host")
    # No option changes that, so the line names none.
    run.expect(exit=1, stdout=None, stderr=re.compile(
        "zs: denied: connect %s:443 \\(1 time\\): its TLS handshake asks for another host\n$" % GOOD))
    blind = "openssl s_client -connect %s:443 -servername %s -brief </dev/null 2>&1"
    Run(box, [GOOD], blind % (GOOD, GOOD)).expect(exit=0, stdout=re.compile("CONNECTION ESTABLISHED"))
    run = Run(box, [GOOD], blind % (GOOD, EVIL), ok=False)
    run.expect_line(via="tls", host=GOOD, sni=EVIL, allowed=False, reason="its TLS handshake asks for another host")
    # This holds even if both hosts are listed, since the connection goes to one and asks for the other.
    Run(box, [GOOD, OTHER], hello % (GOOD, OTHER), ok=False)
    Run(box, [GOOD], "openssl s_client -connect %s:443 -noservername -brief </dev/null 2>&1" % GOOD, ok=True)


def record(kind, data, version=b"\3\1"):
    return bytes([kind]) + version + len(data).to_bytes(2, "big") + data


def hello(name, share=True, early=False):
    """A ClientHello of TLS 1.3. Without a key share the server asks for another ClientHello."""
    def extension(number, data):
        return number.to_bytes(2, "big") + len(data).to_bytes(2, "big") + data

    def sized(data):
        return len(data).to_bytes(2, "big") + data

    key = sized(b"\0\x1d" + sized(bytes(range(1, 33)))) if share else sized(b"")
    extensions = extension(0, sized(b"\0" + sized(name.encode()))) + extension(10, sized(b"\0\x1d")) \
        + extension(13, sized(b"\4\3\x08\4")) + extension(43, b"\2\3\4") + extension(51, key) \
        + (extension(42, b"") if early else b"")
    body = b"\3\3" + b"r" * 32 + b"\0" + sized(b"\x13\1\x13\2") + b"\1\0" + sized(extensions)
    return b"\1" + len(body).to_bytes(3, "big") + body


# Sends each piece after the other side has answered the piece before, and prints the answers.
TURNS = """
import socket, sys
s = socket.create_connection((%r, %d))
s.settimeout(15)
for piece in %r:
    try:
        s.sendall(piece)
        sys.stdout.buffer.write(s.recv(65536))
    except OSError as error:
        print(error)
"""


@test(needs=NEEDS)
def tls_names_no_other_host_by_a_trick(box):
    """Each row has a ClientHello that some server (OpenSSL, Go) would accept, but that is not the first bytes of the
    connection."""
    shake, early, change = 22, record(23, b"early data"), record(20, b"\1")
    evil, good = record(shake, hello(EVIL)), record(shake, hello(GOOD))
    first, warning = record(shake, hello(GOOD, share=False)), record(21, b"\1\x70")
    rows = {
        "an alert first": [warning + evil],
        "an alert of no version first": [record(21, b"\1\x70", b"\0\0") + evil],
        "a record of another version": [record(shake, hello(EVIL), b"\2\3")],
        "an empty record first": [record(shake, b"") + evil],
        "two in a record": [record(shake, hello(GOOD, share=False) + hello(EVIL))],
        "a second one": [first, evil],
        "a second one at once": [first + evil],
        "a second one behind a change of cipher": [first, change + evil],
        "a second one behind early data": [record(shake, hello(GOOD, share=False, early=True)) + early, change + evil],
        "a second one in pieces": [first, b"".join(record(shake, bytes([byte])) for byte in hello(EVIL))],
    }
    good_rows = {"one": [good], "a second one": [first, change + good], "one in pieces":
        [b"".join(record(shake, bytes([byte])) for byte in hello(GOOD))]}
    begin = b"CONNECT %s:443 HTTP/1.1\r\n\r\n" % GOOD.encode()
    for ways, wanted in ((rows, False), (good_rows, True)):
        for name, pieces in ways.items():
            for blind in (False, True):
                to = (GOOD, 443) if blind else ("127.0.0.1", 808)
                path = box.file("home/project/turns.py", TURNS % (*to, pieces if blind else [begin, *pieces]))
                run = Run(box, [GOOD], "/usr/bin/python3 " + path)
                named = {entry[2] for entry in run.seen if entry[0] == "tls"}
                expect(not named - {GOOD} and (not wanted or named),
                    "%s: the server was asked for %s: %s %s" % (name, named, run.result, run.report))
                run.expect_line(host=GOOD, allowed=wanted)
                # Here the client has read all that the server sends.
                expect(not wanted or len(run.result.stdout) >= 200, "%s: %s" % (name, run.result))


def proxy(box, hosts, data, connect=None):
    """Sends these bytes to the proxy, and returns the run with the answer."""
    script = box.file("home/project/talk-%d.py" % len(os.listdir(box.work)), """
import os, socket, sys
s = socket.create_connection((%s))
s.settimeout(10)
try:
    s.sendall(%r)
    while data := s.recv(65536):
        sys.stdout.buffer.write(data)
except OSError as error:
    print(error)
""" % (connect or '"127.0.0.1", int(os.environ["HTTP_PROXY"].rsplit(":")[-1])', data))
    return Run(box, hosts, "/usr/bin/python3 " + script)


@test(needs=NEEDS)
def a_host_field_agrees_with_the_address(box):
    for lines, via in ((b"GET http://%s/ HTTP/1.1\r\nHost: %s\r\n\r\n", None),
        (b"GET / HTTP/1.1\r\nHost: %.0s%s\r\n\r\n", '"%s", 80' % GOOD)):
        good = proxy(box, [GOOD, EVIL], lines % (GOOD.encode(), GOOD.encode()), via)
        good.expect(exit=0, stdout=re.compile("^HTTP/1.[01] 200 OK"))
        bad = proxy(box, [GOOD, EVIL], lines % (GOOD.encode(), EVIL.encode()), via)
        bad.expect(exit=0, stdout=re.compile("^HTTP/1.1 40[03] "))
        expect(not bad.reached(), "reached %s" % bad.reached())


@test(needs=NEEDS)
def a_second_request_has_no_connection_of_the_first(box):
    """No bytes pass after the end of the first request, since they might name any host."""
    first = b"GET http://%s/one HTTP/1.1\r\nHost: %s\r\n\r\n" % (GOOD.encode(), GOOD.encode())
    second = b"GET http://%s/two HTTP/1.1\r\nHost: %s\r\n\r\n" % (EVIL.encode(), EVIL.encode())
    run = proxy(box, [GOOD], first + second).expect(exit=0)
    paths = [entry[3] for entry in run.seen if entry[0] == "web"]
    expect(paths == ["/one"], "servers saw %s" % paths)


@test(needs=NEEDS)
def malformed_requests_are_answered_and_reach_nothing(box):
    good = GOOD.encode()
    rows = (b"CONNECT user@%s:443 HTTP/1.1\r\n\r\n" % good, b"CONNECT %s\0.evil:443 HTTP/1.1\r\n\r\n" % good,
        b"GET http://user:pw@%s/ HTTP/1.1\r\nHost: %s\r\n\r\n" % (good, good),
        b"GET http://%s%%2eevil/ HTTP/1.1\r\n\r\n" % good, b"GET / HTTP/1.1\r\nHost: %s\r\n\r\n" % good,
        b"GET http://%s/ HTTP/1.1\r\nHost: %s\r\nHost: evil\r\n\r\n" % (good, good),
        b"CONNECT %s HTTP/1.1\r\n\r\n" % good,
        b"GET http://%s/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % good,
        b"\x16\x03\x01\x02\x00", b"GET http://%s/ HTTP/1.1\r\nX: " % good + b"a" * 70000 + b"\r\n\r\n")
    for row in rows:
        run = proxy(box, [GOOD], row)
        expect(not run.reached() and " 200 " not in run.result.stdout,
            "%r: %s, reached %s" % (row[:60], run.result, run.reached()))
    for request in (b"\x05\x01\x00" + b"\x05\x01\x00\x03" + bytes([len(good) + 5]) + good + b"\0evil" + b"\x01\xbb",
        b"\x05\x01\x00" + b"\x05\x02\x00\x03" + bytes([len(good)]) + good + b"\x01\xbb", b"\x05\x01\x02",
        b"\x04\x01\x00\x50" + bytes([93, 184, 215, 10, 0])):
        run = proxy(box, [GOOD], request)
        expect(not run.reached(), "%r reached %s" % (request, run.reached()))


@test(needs=NEEDS)
def socks_takes_addresses_and_names(box):
    def request(kind, body, port=80):
        return b"\x05\x01\x00\x05\x01\x00" + kind + body + port.to_bytes(2, "big") + b"GET / HTTP/1.0\r\n\r\n"

    name = request(b"\x03", bytes([len(GOOD)]) + GOOD.encode())
    address = request(b"\x01", bytes([93, 184, 215, 10]))
    mapped = request(b"\x04", bytes(10) + b"\xff\xff" + bytes([93, 184, 215, 10]))
    proxy(box, [GOOD], name).expect(exit=0, stdout=re.compile("hello from good"))
    for form in (address, mapped):
        proxy(box, [GOOD_ADDRESS], form).expect(exit=0, stdout=re.compile("hello from good"))
        run = proxy(box, [GOOD], form).expect(exit=0)
        run.expect_line(via="socks", host=GOOD_ADDRESS, allowed=False)
        expect(not run.reached(), "reached %s" % run.reached())
    # 127.0.0.1 never means the caller's loopback.
    proxy(box, [GOOD], request(b"\x01", bytes([127, 0, 0, 1]))).expect_line(host="127.0.0.1", allowed=False)


@test(needs=NEEDS)
def other_ways_out_are_shut(box):
    attacks = {
        "udp": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1)\n"
            "s.sendto(QUERY, (%r, 53)); s.recv(99)",
        "icmp": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1); s.connect((%r, 0)); s.send(b'x' * 16)",
        "tcp": "socket.create_connection((%r, 8080), 2)",
        "raw": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 255).sendto(b'x', (%r, 0))",
    }
    for name, attack in attacks.items():
        for to in ("127.0.0.53" if name == "udp" else GOOD_ADDRESS, GOOD_ADDRESS):
            path = box.file("home/project/%s-%s.py" % (name, to), "import socket\nQUERY = b'\\0' * 12\n" + attack % to)
            run = Run(box, [GOOD], "/usr/bin/python3 " + path, ok=False)
            expect(not run.reached() and re.search("Error|timed out", run.result.stderr), "%s: %s" % (name, run.result))


@test(needs=NEEDS)
def the_resolver_answers_what_is_listed(box):
    path = box.file("home/project/ask.py", """
import socket, sys
for name in sys.argv[1:]:
    try:
        print(sorted({entry[4][0] for entry in socket.getaddrinfo(name, 80, proto=6)}))
    except socket.gaierror as error:
        print("none")
""")
    run = Run(box, [GOOD, "*.wild.example"],
        "/usr/bin/python3 %s %s %s %s a.wild.example wild.example %s" % (path, GOOD, EVIL, GOOD, GOOD_ADDRESS))
    run.expect(exit=0, stdout=re.compile(
        r"^\['(198\.18\.\d+\.\d+)'\]\nnone\n\['\1'\]\n\['198\.18\.\d+\.\d+'\]\nnone\n\['93\.184\.215\.10'\]\n$"))
    run.expect_line(event="resolve", host=EVIL, allowed=False, reason="is not listed")
    expect(not run.asked_dns(), "asked for %s" % run.asked_dns())


@test(needs=NEEDS)
def a_resolv_conf_that_is_a_link_is_ours_as_well(box):
    world = World("link")
    script = "cat /etc/resolv.conf && curl -sS --noproxy '*' http://%s/ && curl -sS http://%s/" % (GOOD, GOOD)
    Run(box, [GOOD], script, world=world).expect(exit=0, stderr="",
        stdout="nameserver 127.0.0.1\noptions timeout:1 attempts:1\n" + 2 * "hello from good\n")
    control = world.run(box, ["sh", "-c", "readlink /etc/resolv.conf; cat /etc/resolv.conf"])
    control.expect(exit=0, stdout="../run/resolver/stub.conf\nnameserver 127.0.0.1\n")
    world.close()


@test(needs=NEEDS)
def an_answer_that_is_too_long_for_a_datagram_is_asked_for_again(box):
    host = "many.test.example"
    run = Run(box, [host], "curl -sS http://%s/" % host).expect(exit=0, stdout="hello from good\n")
    expect("dns by tcp" in {entry[0] for entry in run.seen}, "seen %s" % run.seen)


@test(needs=NEEDS)
def a_refusal_says_what_to_do(box):
    run = Run(box, [GOOD], "curl -sS http://%s/" % EVIL)
    run.expect(exit=0, stdout=re.compile(re.escape(EVIL) + ".*is not listed.*--host " + re.escape(EVIL)))
    run = Run(box, [GOOD, "dead.test.example", "none.test.example"],
        "curl -sS http://dead.test.example/; echo; curl -sS http://none.test.example/", timeout=60)
    run.expect(exit=0, stdout=["zs: dead.test.example:80: cannot be connected to",
        "zs: none.test.example:80: cannot be resolved"])


# ------------------------------------------------------------------------------------------------- its lifetime


def in_parallel(box, hosts, inside, outside, **more):
    """Runs `inside` confined, and beside it `outside`, which has $run and $proxy. `inside` can `await go`."""
    world = World.get()
    for name in ("started", "go"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(box.work, name))
    options = " ".join("--host " + host for host in hosts)
    script = box.file("home/project/inside.sh", "await() { while [ ! -e $1 ]; do sleep 0.02; done; }\n" + inside)
    text = """
await() { i=0; while [ ! -e $1 ] && [ $i -lt 1500 ]; do sleep 0.02; i=$((i + 1)); done; }
there() { kill -0 $1 2>/dev/null; }
ended() { i=0; while there $1 && [ $i -lt 1500 ]; do sleep 0.02; i=$((i + 1)); done; ! there $1; }
%s run --net hosts %s --report report.jsonl --ro %s -- sh %s >out 2>err &
run=$!
await started
# The first child: its number is the next one behind that of the run, where numbers may have begun again.
proxy=$(ps -o pid= --ppid $run | awk -v run=$run -v most=$(cat /proc/sys/kernel/pid_max) '
	{ next_to = ($1 - run + most); if (next_to >= most) next_to -= most }
	least == "" || next_to < least { least = next_to; first = $1 }
	END { print first }')
%s
""" % (box.zs, options, world.ca, script, outside)
    world.seen()
    return world.run(box, ["sh", "-c", text], **more)


@test(needs=NEEDS)
def a_proxy_that_was_killed_is_shut(box):
    tries = "".join("; curl -sS -m 5 %s http://%s/ || echo failed" % (how, GOOD) for how in ("", "--noproxy '*'"))
    done = in_parallel(box, [GOOD], "curl -sS http://%s/; touch started; await go %s" % (GOOD, tries),
        "kill -KILL $proxy; ended $proxy && touch go; wait $run; echo exit $?; cat out err")
    done.expect(exit=0, stdout=re.compile("^exit 0\nhello from good\nfailed\nfailed\n"))
    done.expect(stdout=["zs: proxy: it has ended; no host is reached any more\n"])


@test(needs=NEEDS)
def the_proxy_ends_with_the_run(box):
    for end in ("touch go; wait $run", "kill -KILL $run; wait $run", "kill -TERM $run; wait $run"):
        done = in_parallel(box, [GOOD], "curl -sS http://%s/; touch started; await go" % GOOD,
            end + "; ended $proxy && echo gone; cat out")
        done.expect(exit=0, stdout=re.compile("^gone\nhello from good\n$"))


@test(needs=NEEDS)
def signals_of_the_terminal_are_not_the_proxies(box):
    done = in_parallel(box, [GOOD], "touch started; await go; curl -sS http://%s/" % GOOD,
        "kill -INT $proxy; kill -HUP $proxy; kill -TERM $proxy; kill -PIPE $proxy; touch go; wait $run; cat out err")
    done.expect(exit=0, stdout="hello from good\n")


@test(needs=NEEDS)
def the_proxy_is_confined(box):
    wanted = "^(CapInh|CapPrm|CapEff|CapAmb|NoNewPrivs|Seccomp):"
    done = in_parallel(box, [GOOD], "touch started; await go",
        "grep -E '%s' /proc/$proxy/status; readlink /proc/$proxy/fd/* >fds; touch go; wait $run" % wanted)
    state = dict(line.split(":") for line in done.stdout.split("\n") if line)
    expect({name: int(value, 16) for name, value in state.items()} == {"CapInh": 0, "CapPrm": 0, "CapEff": 0,
        "CapAmb": 0, "NoNewPrivs": 1, "Seccomp": 2}, done)
    # Only root sees them, and the process cannot be traced either.
    links = {re.sub(r":\[\d+\]", "", line) for line in read(os.path.join(box.work, "fds")).splitlines()}
    expect(links == ({"/dev/null", "socket", "anon_inode:[eventpoll]", os.path.join(box.work,
        "report.jsonl")} if box.user.uid in (None, 0) else set()), links)


HOLD = r"""
import os, socket, sys
count, host = int(sys.argv[1]), sys.argv[2]
port = int(os.environ["HTTP_PROXY"].rsplit(":")[-1])
held, refused = [], 0
for _ in range(count):
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(20)
    try:
        s.sendall(b"CONNECT %s:7777 HTTP/1.1\r\n\r\n" % host.encode())
        data = b""
        while b"of good\r\n" not in data:
            got = s.recv(1000)
            if not got:
                raise OSError("ended")
            data += got
        held.append(s)
    except OSError:
        refused += 1
open("started", "w").close()
while not os.path.exists("go"):
    pass
for i, s in enumerate(held):
    s.sendall(b"%d." % i * 1000)
for i, s in enumerate(held):
    want, got = b"%d." % i * 1000, b""
    while len(got) < len(want):
        got += s.recv(10000)
    if got != want:
        sys.exit("another's bytes")
print(len(held), refused)
for s in held:
    s.shutdown(socket.SHUT_WR)
for s in held:
    while s.recv(10000): # until the proxy has closed it, and no longer counts it
        pass
"""


TALK = r"""
import os, socket, sys, time
held = []
for wanted in sys.argv[1:]:
    s = socket.create_connection(("127.0.0.1", int(os.environ["HTTP_PROXY"].rsplit(":")[-1])))
    s.sendall(b"CONNECT %s HTTP/1.1\r\n\r\n" % wanted.encode())
    if not s.recv(1000).startswith(b"HTTP/1.1 200"):
        sys.exit(wanted)
    held.append(s)
open("started", "w").close()
while not os.path.exists("go"):
    time.sleep(0.02)
"""


@test(needs=NEEDS)
def only_what_stays_on_a_loopback_device_is_not_paced(box):
    """The connections from the proxy to servers; tests/sandbox/test_proxy.c tests those from commands to the proxy. The
    machine's setting does not change."""
    setting = "cat /proc/sys/net/ipv4/tcp_congestion_control"
    hosts = ["127.0.0.1:53", GOOD_ADDRESS + ":7777"]
    before = World.get().run(box, ["sh", "-c", setting]).stdout
    talk = box.file("home/project/talk.py", TALK)
    shown = "".join("ss -tinH state established dst %s; echo --; " % to for to in hosts)
    done = in_parallel(box, hosts, "/usr/bin/python3 %s %s %s" % (talk, *hosts),
        "%s%s; echo --; touch go; wait $run; cat out err" % (shown, setting))
    near, far, after, said = done.stdout.split("--\n")
    expect(after == before and not said and " reno " in near and " %s " % before.strip() in far, done)


@test(needs=NEEDS)
def many_connections_are_held_and_no_more_than_the_limit(box):
    hold = box.file("home/project/hold.py", HOLD)
    memory = "$(sed -n 's/^VmRSS:[^0-9]*//p' /proc/$proxy/status | cut -d ' ' -f 1)"
    for count, want in ((200, "200 0"), (300, "256 44")):
        done = in_parallel(box, [GOOD], "/usr/bin/python3 %s %d %s && curl -sS http://%s/" % (hold, count, GOOD, GOOD),
            "echo %s; touch go; wait $run; cat out err" % memory)
        done.expect(exit=0, stdout=re.compile("^[0-9]+\n%s\nhello from good\n$" % want))
        expect(int(done.stdout.split()[0]) <= 8 * 1024, "the proxy has %s KiB" % done.stdout.split()[0])
    report = map(json.loads, read(os.path.join(box.work, "report.jsonl")).splitlines())
    refused = [line for line in report if line.get("reason") == "too many connections"]
    expect(len(refused) == 44, "%d lines of refusals" % len(refused))


# Requests a large file many times, and reads none of it.
STALL = r"""
import os, socket, time
held = []
for i in range(250):
    s = socket.create_connection(("127.0.0.1", 808))
    s.sendall(b"GET http://%s/file/big HTTP/1.1\r\nHost: %s\r\n\r\n")
    held.append(s)
for s in held:
    s.recv(1)
time.sleep(1)
open("started", "w").close()
while not os.path.exists("go"):
    time.sleep(0.02)
"""


@test(needs=NEEDS, slow=True)
def transfers_that_nobody_reads_take_little_of_the_machine(box):
    """Pages of pipes count against the user, and all programs of the user need some. Buffers of sockets take memory
    from everybody."""
    world = World.get()
    with open(os.path.join(world.www, "big"), "wb") as file:
        file.truncate(64 << 20)
    path = box.file("home/project/stall.py", STALL % (GOOD, GOOD))
    done = in_parallel(box, [GOOD], "/usr/bin/python3 %s" % path,
        "await started; python3 -c 'import fcntl, os; print(fcntl.fcntl(os.pipe()[0], 1032))';"
        "ss -tmnH state established dst %s; touch go; wait $run; cat err" % GOOD_ADDRESS)
    done.expect(exit=0, stdout=re.compile("^65536\n"))
    received = [int(size) for size in re.findall(r"skmem:\(r\d+,rb(\d+)", done.stdout)]
    expect(len(received) >= 250 and sum(size > 2 * 128 * 1024 for size in received) <= 16,
        "%d sockets: %s" % (len(received), sorted(received)[-20:]))


# Sends a SOCKS greeting, a request, and a ClientHello to a port of the pool, byte by byte.
SLOW = r"""
import os, socket, time
port = int(os.environ["HTTP_PROXY"].rsplit(":")[-1])
hello = b"\x16\x03\x01\x10\x00\x01\x00\x0f\xfc\x03"
slow = {b"\x05": ("127.0.0.1", port), b"GET http://a": ("127.0.0.1", port), hello: ("%s", 443)}
began, ends, sockets = time.monotonic(), {}, {}
for first, to in slow.items():
    sockets[first] = socket.create_connection(to)
    sockets[first].sendall(first)
    sockets[first].settimeout(0.2)
while len(ends) < 3 and time.monotonic() - began < 40:
    for first, s in sockets.items():
        try:
            if first != b"\x05":
                s.sendall(first[-1:])
            while first not in ends:
                if not s.recv(1000):
                    ends[first] = time.monotonic() - began
        except TimeoutError:
            pass
        except OSError:
            ends.setdefault(first, time.monotonic() - began)
print([10 < end < 35 for end in ends.values()])
"""


@test(needs=NEEDS, once=True, slow=True)
def who_says_little_slowly_is_not_waited_for(box):
    path = box.file("home/project/slow.py", SLOW % GOOD)
    Run(box, [GOOD], "/usr/bin/python3 %s" % path).expect(exit=0, stdout="[True, True, True]\n")


@test(needs=NEEDS)
def it_goes_with_an_overlay_and_with_limits(box):
    run = Run(box, [GOOD], "curl -sS -o fetched http://%s/ && cat fetched" % GOOD, options=["--verify", "--limit",
        "wall=30s", "--limit", "memory=512M", "--limit", "files=64"])
    run.expect(exit=0, stdout="hello from good\n")
    expect(not os.path.exists(os.path.join(box.work, "fetched")), "it was written")
    run = Run(box, [GOOD], "curl -sS -o fetched http://%s/" % GOOD, options=["--diff", "--json"], ok=True)
    run.expect_line(event="connect", host=GOOD, allowed=True)
    run.expect_line(change="created", path="fetched")


# ------------------------------------------------------------------------------------------------ the caller's


@test(needs=NEEDS)
def the_callers_proxy_does_not_pass(box):
    theirs = {"HTTP_PROXY": "http://evil:1", "ftp_proxy": "http://evil:2", "RSYNC_PROXY": "evil:3", "NO_PROXY": "*"}
    run = Run(box, [GOOD], "env | grep -i _proxy | sort", add_env=theirs, options=["--env", "RSYNC_*",
        "--env", "HTTP_PROXY", "--env", "ftp_proxy", "--env", "NO_PROXY"])
    expect("evil" not in run.result.stdout and "NO_PROXY=localhost,127.0.0.1,::1\n" in run.result.stdout, run.result)
    run.expect(exit=0, stdout=re.compile("^HTTPS_PROXY=http://127.0.0.1:[0-9]+$", re.M))


@test(needs=NEEDS)
def the_options_say_what_is_wrong(box):
    for options, text in ((["--host", GOOD, "--net", "full"], "--host: does not go with --net full"),
        (["--host", "a b"], "a b"), (["--host", "example.org:0"], "example.org:0"), (["--host", ""], "empty")):
        box.run([box.zs, "run", *options, "--", "true"]).expect(exit=64, stdout="", stderr=[text])


@test(needs=["sandbox"])
def the_report_is_not_the_commands(box):
    """A file that zs opens may get the number of a descriptor that its caller has closed."""
    path = os.path.join(box.outside, "report.jsonl")
    for number, direction in (0, "<"), (1, ">"), (2, ">"):
        script = '"$0" run --net hosts --host %s --report %s -- sh -c "echo forged >&%d; exit 3" %d%s&-' % (
            GOOD, path, number, number, direction)
        box.run(["sh", "-c", script, box.zs]).expect(exit=3)
        if read(path) != "":
            raise Failure("the command wrote it by its descriptor %d" % number)


@test(needs=NEEDS)
def a_report_in_the_workspace_is_not_the_commands_either(box):
    for how in ("echo '{\"forged\": 1}' >>report.jsonl", ": >report.jsonl", "rm -f report.jsonl", "mv report.jsonl x",
        "echo >x && mv x report.jsonl", "chmod 0 report.jsonl && exit 1", "ln report.jsonl x && echo '{}' >>x"):
        run = Run(box, [GOOD], "curl -sS http://%s/ >/dev/null; (%s) && exit 3; exit 0" % (GOOD, how)).expect(exit=0)
        expect(len(run.report) == 1 and run.report[0]["host"] == GOOD, "%s: %s" % (how, run.report))


@test(needs=NEEDS)
def what_cannot_be_reported_is_not_done(box):
    """A command may fill the disk on which its report lies."""
    world = World.get()
    fetch = "curl -sS -m 10 http://%s/ || echo failed" % GOOD
    done = world.run(box, [box.zs, "run", "--net", "hosts", "--host", GOOD, "--report", "/dev/full", "--", "sh", "-c",
        "%s; %s" % (fetch, fetch)])
    done.expect(exit=0, stdout="hello from good\nfailed\n",
        stderr=["zs: proxy: it has ended; no host is reached any more"])
