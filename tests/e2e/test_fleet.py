"""examples/fleet: one task, a Slurm array, and a pod as the container runtime makes it."""

import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import time

from boxes import boxes, own_place
from harness import REPOSITORY, connect, expect, listener, read, test
from no_namespaces import no_namespaces

FLEET = os.path.join(REPOSITORY, "examples", "fleet")
HERE = os.path.dirname(os.path.abspath(__file__))
BLIND = os.path.join(HERE, "no_namespaces.py")


def install(box):
    """Files that an ordinary user can read, wherever the repository is."""
    folder = box.folder("fleet")
    for path in (os.path.join(FLEET, "job.py"), os.path.join(FLEET, "array.sbatch"), BLIND):
        shutil.copy(path, folder)
    return folder


def tasks(box, *commands, timeout=60):
    lines = [{"id": "t%d" % i, "command": text, "workspace": box.work, "timeout": timeout}
        for i, text in enumerate(commands)]
    return box.file("tasks.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def job(box, path, index, *options, exit=0, **more):
    said = box.run(["/usr/bin/env", "python3", "-B", os.path.join(box.root, "fleet", "job.py"), path, str(index),
        *options], add_env={"ZS": box.zs}, **more).expect(exit=exit)
    expect(said.stdout.count("\n") == 1, "not one line: %s" % said)
    return json.loads(said.stdout)


def expect_line(line, **want):
    expect({name: line.get(name) for name in want} == want, "%r is not %r" % (line, want))


@test(needs=["sandbox", "bash"])
def one_line_for_each_run(box):
    install(box)
    with own_place(box), listener() as port:
        path = tasks(box, "echo hello", "cat %s" % box.key, "cd / && make", "bash reach.sh", "exit 7")
        box.file("home/project/reach.sh", connect(port) + "\n")
        box.run(["bash", "-c", connect(port)]).expect(stdout="reached\n")
        box.run(["cat", box.key]).expect()
        expect_line(job(box, path, 0), id="t0", verdict="allow", code=None, status=0, signal=None, timed_out=False,
            failure=None, denials=[])
        expect_line(job(box, path, 1), verdict="allow", status=1, failure=None)
        blocked = job(box, path, 2)
        expect_line(blocked, verdict="block", code="cd", status=None, failure=None)
        expect("policy" not in blocked, "it ran: %r" % blocked)
        expect(job(box, path, 3)["status"] not in (0, None), "the host's loopback was reached")
        expect_line(job(box, path, 4), status=7)
        late = job(box, tasks(box, "sleep 60", timeout=1), 0)
        expect_line(late, status=None, timed_out=True, failure=None)
        expect(1 <= late["seconds"] < 30, late)
        expect(boxes(box) == [], "a task left its box")


@test(needs=["sandbox", "bash"])
def a_lost_box_is_no_result(box):
    install(box)
    line = job(box, tasks(box, "sleep 60"), 0, "--limit", "wall=1s", exit=122)
    expect_line(line, verdict="allow", status=None, timed_out=False, failure="lost")
    expect([(denial["kind"], denial["named"]) for denial in line["denials"]] == [("limit", "wall")], line)
    # The box ends with the job, as when Slurm cancels it.
    argv = ["/usr/bin/env", "python3", "-B", os.path.join(box.root, "fleet", "job.py"), tasks(box, "sleep 60"), "0"]
    with own_place(box):
        with box.start(argv, env={**box.env, "ZS": box.zs}) as process:
            until("a box", 30, lambda: boxes(box))
            process.kill()
        until("its end", 30, lambda: not boxes(box))


@test(needs=["sandbox", "bash", "curl"])
def a_line_names_the_denied_host(box):
    install(box)
    path = tasks(box, "curl -fsS http://example.com/")
    line = job(box, path, 0, "--host", "example.org")
    expect(line["status"] != 0 and [d["named"] for d in line["denials"]] == ["example.com:80"], line)


@test(needs=["sandbox", "bash"])
def nothing_runs_unconfined(box):
    install(box)
    mark = os.path.join(box.work, "ran")
    path = tasks(box, "touch ran")
    expect_line(job(box, path, 0, preexec_fn=no_namespaces, exit=125), verdict="allow", status=None, failure="not-run")
    expect(not os.path.exists(mark), "the command ran where nothing was enforced")
    expect_line(job(box, path, 0), status=0, failure=None)
    expect(os.path.exists(mark), "control: it does not run where it can")
    for index in ("1", "x"):
        box.run(["python3", "-B", os.path.join(box.root, "fleet", "job.py"), path, index],
            add_env={"ZS": box.zs}).expect(exit=65, stdout="")


# -------------------------------------------------------------------------------------------------------- Slurm

SLURM = """ClusterName=t
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={root}/munge.sock
CredType=cred/munge
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/ctld.pid
SlurmdPidFile={root}/d.pid
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=p Nodes={host} Default=YES MaxTime=5 State=UP
"""


def free_ports():
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        return one.getsockname()[1], two.getsockname()[1]


def until(what, seconds, check):
    end = time.monotonic() + seconds
    while not check():
        expect(not time.monotonic() > end, "waited %d s for %s" % (seconds, what))
        time.sleep(0.1)


@contextlib.contextmanager
def cluster(box):
    """Runs a cluster of one node on loopback. Yields its environment."""
    root = box.folder("slurm")
    for name in ("state", "spool"):
        os.mkdir(os.path.join(root, name))
    key = os.path.join(root, "key")
    with open(key, "wb") as file:
        os.fchmod(file.fileno(), 0o400)
        file.write(os.urandom(1024))
    conf = os.path.join(root, "slurm.conf")
    with open(conf, "w") as file:
        file.write(SLURM.format(host=socket.gethostname().split(".")[0], root=root, ports=free_ports()))
    env = dict(box.env, SLURM_CONF=conf)
    started = []

    def start(*argv):
        with open(os.path.join(root, argv[0] + ".log"), "wb") as log:
            started.append(subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env))

    def idle():
        return "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], env=env, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL).stdout.decode()

    try:
        start("munged", "--foreground", "--force", "--key-file=" + key, "--socket=%s/munge.sock" % root,
            "--pid-file=%s/m.pid" % root, "--log-file=%s/m.log" % root, "--seed-file=%s/seed" % root)
        until("munged", 60, lambda: os.path.exists(os.path.join(root, "munge.sock")))
        start("slurmctld", "-D", "-f", conf, "-c")
        start("slurmd", "-D", "-f", conf)
        until("an idle node", 150, idle)
        yield env
    finally:
        for process in reversed(started):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def submit(box, env, folder, zs, path, count):
    """--wait: sbatch ends after all tasks of the array, with the worst of their statuses."""
    fleet = os.path.join(box.root, "fleet")
    env = dict(env, ZS=zs, JOB=os.path.join(fleet, "job.py"))
    return subprocess.run(["sbatch", "--wait", "--array=0-%d" % (count - 1), "--output=%s/%%a.err" % folder,
        "--export=ALL", os.path.join(fleet, "array.sbatch"), folder, path], env=env, cwd=box.work, timeout=240,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@test(needs=["slurm", "root", "sandbox", "bash"])
def an_array_of_slurm(box):
    fleet = install(box)
    mark = os.path.join(box.work, "ran")
    path = tasks(box, "touch ran", "cat %s" % box.key, "cd /")
    blind = os.path.join(fleet, "blind-zs")
    with open(blind, "w") as file:
        file.write("#!/bin/sh\nexec python3 -B %s %s \"$@\"\n" % (shlex.quote(os.path.join(fleet, "no_namespaces.py")),
            shlex.quote(box.zs)))
    os.chmod(blind, 0o755)
    with cluster(box) as env:
        closed = box.folder("closed")
        done = submit(box, env, closed, blind, path, 3)
        found = [name for name in os.listdir(closed) if name.endswith(".jsonl")]
        expect(done.returncode == 125 and not found and not os.path.exists(mark),
            "a node without namespaces: %r, %r" % (done, found))
        expect("mount-tier: is required, and this machine lacks it" in read(os.path.join(closed, "0.err")),
            "the task does not say why")
        results = box.folder("results")
        done = submit(box, env, results, box.zs, path, 3)
        expect(done.returncode == 0, done)
        lines = []
        for index in range(3):
            lines.append(json.loads(read(os.path.join(results, "%d.jsonl" % index))))
    expect_line(lines[0], id="t0", verdict="allow", status=0, failure=None)
    expect_line(lines[1], id="t1", verdict="allow", status=1, failure=None)
    expect_line(lines[2], id="t2", verdict="block", code="cd")
    expect(os.path.exists(mark), "control: the first task did nothing")


# --------------------------------------------------------------------------------------------------- Kubernetes

# The paths that the kubelet tells a runtime to cover if procMount is Default.
MASKED = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/scsi"]
# Parts of containerd's RuntimeDefault, for a container without CAP_SYS_ADMIN.
REFUSED = ["unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount", "mount_setattr", "fsopen",
    "fsconfig", "fsmount", "bpf"]


def manifest():
    import yaml

    with open(os.path.join(FLEET, "job.yaml")) as file:
        return yaml.safe_load(file)


def bundle(box, pod, container, argv):
    """The configuration that a container runtime gets for this container of this pod."""
    root = box.folder("pod")
    rootfs = os.path.join(root, "rootfs")
    for name in ("usr", "etc", "proc", "dev", "sys", "tmp", "work", "zs"):
        os.makedirs(os.path.join(rootfs, name))
    for name in ("bin", "lib", "lib64", "sbin"):
        if os.path.islink("/" + name):
            os.symlink("usr/" + name, os.path.join(rootfs, name))
    own, all_of = container["securityContext"], pod["securityContext"]
    linux = {"namespaces": [{"type": name} for name in ("pid", "mount", "network", "ipc", "uts")]}
    if pod.get("hostUsers") is False:
        linux["namespaces"].append({"type": "user"})
        linux["uidMappings"] = linux["gidMappings"] = [{"containerID": 0, "hostID": 200000, "size": 65536}]
    if own.get("procMount") != "Unmasked":
        linux.update(maskedPaths=MASKED, readonlyPaths=["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"])
    if all_of["seccompProfile"]["type"] != "Unconfined":
        linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW",
            "syscalls": [{"names": REFUSED, "action": "SCMP_ACT_ERRNO"}]}
    held = [] if own["capabilities"]["drop"] == ["ALL"] else ["CAP_CHOWN"]
    mounts = [("/proc", "proc", "proc", []), ("/dev", "tmpfs", "tmpfs", ["nosuid", "mode=755"]),
        ("/dev/pts", "devpts", "devpts", ["newinstance", "ptmxmode=0666"]),
        ("/dev/shm", "tmpfs", "shm", ["nosuid", "nodev", "mode=1777"]), ("/sys", "none", "/sys", ["rbind", "ro"]),
        ("/usr", "none", "/usr", ["rbind", "ro"]), ("/etc", "none", "/etc", ["rbind", "ro"]),
        ("/zs", "none", os.path.dirname(box.zs), ["rbind", "ro"]), ("/tmp", "tmpfs", "tmp", ["mode=1777"]),
        ("/work", "tmpfs", "work", ["mode=1777"])]
    config = {"ociVersion": "1.0.2", "hostname": "pod",
        "root": {"path": rootfs, "readonly": own["readOnlyRootFilesystem"]},
        "process": {"args": argv, "cwd": "/work", "env": ["PATH=/usr/bin:/bin", "HOME=/nonexistent"],
            "user": {"uid": all_of["runAsUser"], "gid": all_of["runAsGroup"]},
            "noNewPrivileges": not own["allowPrivilegeEscalation"],
            "capabilities": {kind: held for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")}},
        "mounts": [{"destination": to, "type": kind, "source": source, "options": options}
            for to, kind, source, options in mounts], "linux": linux}
    with open(os.path.join(root, "config.json"), "w") as file:
        json.dump(config, file)
    return root


def run_pod(box, change, argv):
    whole = manifest()["spec"]["template"]["spec"]
    container = whole["initContainers"][0]
    change(whole, container)
    root = bundle(box, whole, container, argv)
    # crun 1.8 refuses a machine with both versions of cgroups, so it is shown only one.
    script = ("mountpoint -q /sys/fs/cgroup/unified && umount /sys/fs/cgroup/unified; exec crun --root %s/state"
        " --cgroup-manager=disabled run -b %s zs-%d") % (root, root, os.getpid())
    try:
        return box.run(["unshare", "-m", "sh", "-c", script])
    finally:
        shutil.rmtree(root, ignore_errors=True)


@test(needs=["crun", "yaml", "root", "sandbox"])
def a_pod_as_its_runtime_makes_it(box):
    """The part that the runtime does: there is no kubelet and no AppArmor."""
    install(box)
    gate = ["/zs/zs", *manifest()["spec"]["template"]["spec"]["initContainers"][0]["command"][1:]]

    def nothing(pod, container):
        pass

    def covered(pod, container):
        del container["securityContext"]["procMount"]

    def filtered(pod, container):
        pod["securityContext"]["seccompProfile"]["type"] = "RuntimeDefault"

    run_pod(box, nothing, gate).expect(exit=0, stdout=["present  mount-tier\n"])
    # /dev/ptmx is a link there, and a command can open a terminal by it.
    terminal = "import os; a, b = os.openpty(); print(os.ttyname(b)); print(os.path.realpath('/dev/ptmx'))"
    run_pod(box, nothing, ["/zs/zs", "run", "--", "python3", "-c", terminal]).expect(
        stdout="/dev/pts/0\n/dev/pts/ptmx\n")
    mapped = os.path.join("/zs", os.path.basename(box.root))
    own = {"id": "t0", "command": "id -u; cat %s/own.jsonl" % mapped, "workspace": "/work", "timeout": 60}
    box.file("own.jsonl", json.dumps(own) + "\n")
    done = run_pod(box, nothing, ["env", "ZS=/zs/zs", "python3", "-B", mapped + "/fleet/job.py",
        mapped + "/own.jsonl", "0"]).expect(exit=0)
    expect_line(json.loads(done.stdout), id="t0", status=1, failure=None)
    expect(done.stderr.startswith("65534\n") and "own.jsonl: No such file" in done.stderr, done)
    attack = "id -u; echo x >/work/x; echo x >/usr/x; cat /proc/1/environ | wc -c; ls /zs/zs /work"
    inside = run_pod(box, nothing, ["/zs/zs", "run", "--", "sh", "-c", attack])
    expect(inside.stdout.startswith("65534\n") and "/usr/x: " in inside.stderr and
        "'/zs/zs': No such file" in inside.stderr, inside)
    # Each setting is needed: without it the gate refuses the pod, and zs refuses to run.
    for change in (covered, filtered):
        run_pod(box, change, gate).expect(exit=125, stderr=["mount-tier: is required, and this machine lacks it"])
        run_pod(box, change, ["/zs/zs", "run", "--", "true"]).expect(exit=125)


@test(needs=["yaml"], once=True)
def the_manifest_is_what_the_page_says(box):
    pod = manifest()["spec"]["template"]["spec"]
    for container in pod["initContainers"] + pod["containers"]:
        own = container["securityContext"]
        expect(own["capabilities"] == {"drop": ["ALL"]} and not own["allowPrivilegeEscalation"] and
            "privileged" not in own, container)
    expect(not pod["hostUsers"] and pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"],
        pod)
    page = read(os.path.join(REPOSITORY, "docs", "fleet.md"))
    for setting in ("hostUsers: false", "procMount: Unmasked", "seccompProfile", "appArmorProfile"):
        expect(setting in page, "docs/fleet.md has no word of %s" % setting)
