"""zs run: a confined command cannot reach these things on the real kernel. Every attack succeeds without zs."""

import os
import re
import signal
import socket

from harness import Changed, connect, expect, listener, test
from no_namespaces import no_namespaces, without


# --------------------------------------------------------------------------------------------------------- files

# The path that is attacked (%s), relative to the box; shell texts that change it
WRITES = [
    ("outside/new", "echo x >%s"),
    ("outside/old", "echo x >%s", "echo x >>%s", "truncate -s 0 %s", "rm %s", "mv %s ./taken", "mv %s %s.moved"),
    ("outside", "mkdir %s/folder", "ln -s /etc/passwd %s/link", "mkfifo %s/fifo", "cp /etc/passwd %s/"),
    ("home/.bashrc", "echo evil >>%s"),
    ("home/.ssh/authorized_keys", "echo evil >%s"),
    ("home/.gitconfig", "echo evil >>%s"),
]

READS = ["home/.ssh/id_ed25519", "home/.aws/credentials", "home/.netrc", "home/notes.txt", "outside/old"]


@test(needs=["sandbox"])
def cannot_write_outside(box):
    box.file("outside/old", "old\n")
    box.file("home/.bashrc", "# mine\n")
    box.file("home/.gitconfig", "[user]\n")
    for name, *attacks in WRITES:
        path = os.path.join(box.root, name)
        box.denied(*(attack.replace("%s", path) for attack in attacks), harm=Changed(box, path))


@test(needs=["sandbox"])
def cannot_read_secrets(box):
    box.folder("home/.aws", 0o700)
    for name in READS:
        path = os.path.join(box.root, name)
        if not os.path.exists(path):
            box.file(name, "SECRET\n")
        denied = box.denied("cat %s" % path)
        expect("SECRET" not in denied.stdout, "read %s: %s" % (name, denied))


@test(needs=["sandbox"])
def cannot_list_home(box):
    box.file("home/notes")
    shown = box.run_zs("run", "--", "ls", "-A", box.home).expect(exit=0).stdout.split()
    caches = {".cache", ".cargo", ".local", ".m2", ".npm", "go"}
    expect(set(shown) - caches == {"project"}, "the home directory shows %s" % shown)
    box.denied("ls %s/.ssh" % box.home, "stat %s/.ssh" % box.home)


@test(needs=["sandbox"])
def cannot_leave_by_a_link_in_the_workspace(box):
    victim = box.file("outside/old", "old\n")
    os.symlink(victim, box.work + "/link")
    os.symlink(box.outside, box.work + "/folder")
    box.denied("echo x >link", harm=Changed(box, victim))
    box.denied("echo x >folder/new", harm=Changed(box, box.outside))
    box.denied("cat %s/link" % box.work)


@test(needs=["sandbox"])
def cannot_widen_the_next_run_by_a_link(box):
    ssh = os.path.dirname(box.key)
    names = {"VIRTUAL_ENV": "venv", "CARGO_TARGET_DIR": "target", "PATH": "bin"}
    add = {name: os.path.join(box.work, folder) for name, folder in names.items()}
    add["PATH"] += ":/usr/bin:/bin"
    for folder in (*names.values(), "spelled"):
        os.mkdir(os.path.join(box.work, folder))
    box.run_zs("run", "--", "sh", "-c", "for d in venv target bin spelled; do rmdir $d && ln -s %s $d; done" % ssh,
        add_env=add).expect()
    attack = "cat %s; echo evil >>%s/authorized_keys" % (box.key, ssh)
    before = os.listdir(ssh)
    for zs in (["run"], ["bash"]):
        argv = ["-c", attack] if zs == ["bash"] else ["--", "sh", "-c", attack]
        result = box.run_zs(*zs, *argv, add_env=add)
        expect(not result.stdout and os.listdir(ssh) == before, result)
    for path in ("spelled", "./spelled", os.path.join(box.work, "spelled"), "venv/../spelled"):
        for option in ("--ro", "--rw"):
            result = box.run_zs("run", option, path, "--", "sh", "-c", attack)
            expect(not result.stdout and os.listdir(ssh) == before and "zs: policy: " in result.stderr, result)
    box.run_zs("run", "--rw", "spelled", "true").expect(exit=125, stdout="",
        stderr="zs: policy: %s/spelled: leads to %s through a link that a confined command may have made; "
            "if that is meant, name %s itself\n" % (box.work, ssh, ssh))


@test(needs=["sandbox"])
def cannot_run_programs_of_its_own_from_outside(box):
    os.chmod(box.file("outside/tool", "#!/bin/sh\necho ran\n"), 0o755)
    box.denied("%s/tool" % box.outside)


@test(needs=["sandbox", "root"])
def cannot_make_device_nodes(box):
    box.denied("mknod ./null c 1 3", harm=Changed(box, box.work + "/null"))


@test(needs=["sandbox"])
def can_do_its_work(box):
    moves = "echo x >a && mkdir -p d/e && mv a d/e/ && ln d/e/a b && chmod 700 b && cat d/e/a && rm -r d b"
    box.granted(moves, stdout="x\n")
    box.granted("printf '#!/bin/sh\\necho built\\n' >tool && chmod +x tool && ./tool", stdout="built\n")
    box.granted("t=$(mktemp -d) && echo x >$t/x && rm -r $t")
    box.granted("echo x >/dev/null; head -c 3 /dev/zero | wc -c", stdout="3\n")


# ------------------------------------------------------------------------------------------------------- network


@test(needs=["sandbox", "bash"])
def cannot_reach_the_hosts_loopback(box):
    with listener() as port:
        denied = box.denied(connect(port))
        expect("reached" not in denied.stdout, denied)
        # The command has another network, not only a closed one: it has a loopback device on which no program listens.
        expect("refused" in denied.stderr, "its own loopback is not up: %s" % denied)


@test(needs=["sandbox", "perl"])
def own_loopback_works(box):
    script = (
        "use IO::Socket::INET;"
        'my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die "listen: $@";'
        'my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport) or die $@;'
        'my $peer = $server->accept; print $peer "hello\\n"; close $peer; print <$client>;'
    )
    box.run_zs("run", "perl", "-e", script).expect(stdout="hello\n", stderr="")


@test(needs=["sandbox", "perl"])
def cannot_reach_abstract_sockets(box):
    name = "zs-test-%d" % os.getpid()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + name)
        server.listen()
        script = 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("\\0%s")) or die "connect: $!"' % name
        box.denied("perl -MSocket -e '%s'" % script)


@test(needs=["sandbox"])
def sees_no_network_device_but_its_loopback(box):
    devices = box.granted("cat /proc/net/dev").stdout
    expect(re.findall(r"^ *(\S+):", devices, re.M) == ["lo"], devices)


# ------------------------------------------------------------------------------------------------------- process


@test(needs=["sandbox"])
def has_no_capabilities(box):
    before = box.run(["cat", "/proc/self/status"]).stdout
    expect(re.search(r"^CapBnd:\t0*[1-9a-f]", before, re.M), "control: nothing to drop: %s" % before)
    inside = box.granted("cat /proc/self/status").stdout
    for field in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        expect(re.search(r"^%s:\t0+$" % field, inside, re.M), "%s is not empty:\n%s" % (field, inside))
    expect(re.search(r"^NoNewPrivs:\t1$", inside, re.M), "no_new_privs is not set:\n" + inside)


@test(needs=["sandbox"])
def keeps_its_user(box):
    before = box.run(["id", "-u"]).stdout
    box.run_zs("run", "id", "-u").expect(stdout=before)


@test(needs=["sandbox"])
def cannot_kill_outside_processes(box):
    for signal_name in ("TERM", "KILL", "STOP"):
        victims = []

        def victim():
            victims.append(box.start(["sleep", "60"]))
            return victims[-1].pid

        try:
            box.run(["kill", "-s", signal_name, str(victim())]).expect()
            pid = victim()
            started = box.run_zs("run", "sh", "-c", "echo started; kill -s %s %d" % (signal_name, pid))
            expect(started.stdout == "started\n" and started.exit != 0 and victims[-1].poll() is None,
                "kill -s %s: %s" % (signal_name, started))
        finally:
            for process in victims:
                process.kill()
                process.communicate()


@test(needs=["sandbox"])
def cannot_read_outside_processes(box):
    with box.start(["/bin/sleep", "60"], env={"TOKEN": "SECRET"}) as victim:
        try:
            denied = box.denied("cat /proc/%d/environ" % victim.pid)
            expect("SECRET" not in denied.stdout, denied)
        finally:
            victim.kill()


@test(needs=["sandbox", "userns"])
def cannot_mount_in_a_nested_namespace(box):
    box.denied("unshare -Urm mount -t tmpfs none .")


@test(needs=["sandbox"])
def inherits_no_descriptor(box):
    with open(box.key) as key:
        fd = key.fileno()
        box.denied("cat <&%d" % fd, pass_fds=[fd])
    folder = os.open(box.outside, os.O_RDONLY)
    try:
        box.denied("echo x >/proc/self/fd/%d/new" % folder, pass_fds=[folder], harm=Changed(box, box.outside))
    finally:
        os.close(folder)
    # Only the standard descriptors and that of ls are left.
    inside = box.run_zs("run", "ls", "/proc/self/fd").expect().stdout.split()
    expect(inside == ["0", "1", "2", "3"], "descriptors: %s" % inside)


# --------------------------------------------------------------------------------------------------- environment

SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "SECRET",
    "GITHUB_TOKEN": "SECRET",
    "OPENAI_API_KEY": "SECRET",
    "SSH_AUTH_SOCK": "SECRET",
    "DATABASE_URL": "SECRET",
}
LOADERS = {
    "LD_PRELOAD": "/nowhere.so",
    "LD_LIBRARY_PATH": "/nowhere",
    "LD_AUDIT": "/nowhere.so",
    "BASH_ENV": "/nowhere",
    "ENV": "/nowhere",
    "PYTHONPATH": "/nowhere",
    "PYTHONSTARTUP": "/nowhere",
    "PERL5OPT": "-w",
    "NODE_OPTIONS": "--no-warnings",
    "RUBYOPT": "-w",
    "GIT_SSH_COMMAND": "/nowhere",
    "BASH_FUNC_ls%%": "() { echo evil; }",
    "PROMPT_COMMAND": "evil",
}


def variables(text):
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


@test(needs=["sandbox"])
def environment_is_filtered(box):
    # zs neither uses nor passes on the policy variable of an outer sandbox or of an attacker.
    outer = dict(SECRETS, **LOADERS, ZS_SANDBOX_POLICY='{"version":1}')
    inside = variables(box.run_zs("run", "env", add_env=outer).expect().stdout)
    for name in outer:
        expect(name not in inside, "%s passed: %s" % (name, inside))
    for name in ("PATH", "HOME", "LANG"):
        expect(inside.get(name) == box.env[name], "%s did not pass: %s" % (name, inside))


# ---------------------------------------------------------------------------------------- being the command itself


@test(needs=["sandbox"])
def exit_codes_are_the_commands(box):
    for code in (0, 1, 2, 7, 125, 255):
        box.run_zs("run", "--", "sh", "-c", "exit %d" % code).expect(exit=code, stdout="", stderr="")
    box.run_zs("run", "--", "sh", "-c", "kill -TERM $$").expect(exit=128 + signal.SIGTERM)


@test(needs=["sandbox"])
def exit_codes_of_what_cannot_run(box):
    box.file("home/project/text", "text")
    for command, exit, stderr in (
        ("no-such-program", 127, "zs: exec: no-such-program: no such file or directory"),
        ("./no-such", 127, "zs: exec: ./no-such: no such file or directory"),
        ("", 127, "zs: exec: "),
        ("./text", 126, "zs: exec: ./text: permission denied; "),
        ("/", 126, "zs: exec: /: permission denied; "),
    ):
        box.run_zs("run", "--", command).expect(exit=exit, stdout="", stderr=[stderr])


@test(needs=["sandbox"])
def stdin_and_arguments_are_the_commands(box):
    box.run_zs("run", "cat", stdin="a\0b\xff").expect(stdout="a\0b\xff")
    box.run_zs("run", "printf", "[%s]", "", "a b", "*", "--", "$x").expect(stdout="[][a b][*][--][$x]")
    # Pid 1 is a process of zs, since pid 1 ignores the signals that end other processes.
    box.run_zs("run", "sh", "-c", "echo $$").expect(stdout="2\n")


@test(needs=["sandbox", "bash"])
def started_by_who_ignores_signals(box):
    """SIGCHLD too: the kernel does not report the children of a process that ignores it, but zs learns of them all the
    same."""
    def ignore():
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)

    def ignore_in_docker():
        ignore()
        no_namespaces()

    for options in ([], ["--verify"], ["--apply"], ["--limit", "wall=50s"]):
        box.run_zs("run", *options, "--", "sh", "-c", "(exit 4); echo $?; exit 3", preexec_fn=ignore).expect(exit=3,
            stdout="4\n", stderr="")
    box.run_zs("bash", "-c", "exit 3", preexec_fn=ignore).expect(exit=3, stderr="")
    box.run_zs("run", *without(box), "--", "sh", "-c", "(exit 4); echo $?; exit 3",
        preexec_fn=ignore_in_docker).expect(exit=3, stdout="4\n", stderr="")
