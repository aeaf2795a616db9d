"""Checks of zs in Harbor, for tests/e2e/test_harbor.py, in a Python that has both.

    harbor_checks.py interface ROOT         the operations of an environment, in a box
    harbor_checks.py refusals ROOT PORT     network policies, and what zs does not do
    harbor_checks.py solve ROOT             a job of Harbor, with its oracle, on the tasks
    harbor_checks.py wrong ROOT             the same with wrong solutions
    harbor_checks.py ended ROOT             a job in which boxes end before their trials

The last line on standard output is the answer, in JSON. Harbor logs above it. Jobs and tasks are in this directory.
"""

import asyncio
import collections
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from harbor.agents.base import BaseAgent
from harbor.job import Job
from harbor.models.job.config import JobConfig
from harbor.models.task.config import EnvironmentConfig, NetworkPolicy
from harbor.models.trial.paths import TrialPaths
from zs_sandbox import Box
from zs_sandbox.harbor_environment import ZsEnvironment

ZS = "zs_sandbox.harbor_environment:ZsEnvironment"
IMAGE = "example/debian:12"
NUMBERS = [31, 4, 15, 92, 6, 53, 58, 9]
LINES = "".join("%d\n" % number for number in NUMBERS)
# The instruction, the solution, and the answer. Each is to stand in answer.txt.
TASKS = (
    ("the sum of numbers.txt", "perl -ne '$s += $_; END { print \"$s\\n\" }' numbers.txt", str(sum(NUMBERS))),
    ("its lines", "wc -l <numbers.txt", str(len(NUMBERS))),
    ("its largest number", "sort -n numbers.txt | tail -n 1", str(max(NUMBERS))),
    ("its smallest number", "sort -n numbers.txt | head -n 1", str(min(NUMBERS))),
    ("its third number", "sed -n 3p numbers.txt", str(NUMBERS[2])),
    ("the count of numbers above 50", "grep -cE '^[5-9][0-9]$' numbers.txt", str(sum(n > 50 for n in NUMBERS))),
    ("its numbers in reverse, in one line", "tac numbers.txt | paste -sd ' '", " ".join(map(str, NUMBERS[::-1]))),
    ("who you are, after you have made a user of the number 4242",
        "echo you:x:4242:4242::/:/bin/sh >>/etc/passwd; echo $(id -u) $(id -un 4242)", "0 you"),
    ("the folder in which you are, and the task's variable GREETING", "echo $PWD $GREETING", "/app hello"),
    ("the number of folders that find finds below deep", "mkdir -p deep/a/b deep/c; find deep -type d | wc -l", "4"),
)
TASK_TOML = """
artifacts = ["/app/answer.txt"]
[environment]
docker_image = "%s"
network_mode = "no-network"
workdir = "/app"
env = { GREETING = "hello" }
[verifier]
environment_mode = "%s"
"""
SLEEPING = "grep -l sleep /proc/[0-9]*/comm"
TEST = "if [ \"$(cat /app/answer.txt)\" = '%s' ]; then echo 1; else echo 0; fi >/logs/verifier/reward.txt\n"


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def make_tasks(folder, tasks, wrong):
    """wrong: each solution writes an answer that is none, and the verifier shares the agent's box."""
    for number, (instruction, solution, answer) in enumerate(tasks):
        task = folder / ("task-%d" % number)
        write(task / "task.toml", TASK_TOML % (IMAGE, "shared" if wrong else "separate"))
        write(task / "instruction.md", "Write into answer.txt: %s.\n" % instruction)
        write(task / "environment/numbers.txt", LINES)
        write(task / "solution/solve.sh", "#!/bin/bash\n{ %s\n} >answer.txt\n" % ("echo wrong" if wrong else solution))
        write(task / "tests/test.sh", "#!/bin/bash\n" + TEST % answer)
    return sorted(folder.iterdir())


class Solver(BaseAgent):
    """It solves the task."""

    @staticmethod
    def name():
        return "solver"

    def version(self):
        return "1"

    async def setup(self, environment):
        pass

    async def run(self, instruction, environment, context):
        solution = next(task for task in TASKS if task[0] in instruction)[1]
        await environment.exec("{ %s\n} >answer.txt" % solution)


class Closer(Solver):
    """Then somebody else ends the box, which no command of the agent notices."""

    @staticmethod
    def name():
        return "closer"

    async def run(self, instruction, environment, context):
        await super().run(instruction, environment, context)
        Box.close(environment.box)


class Loser(Closer):
    """Then its next command fails."""

    @staticmethod
    def name():
        return "loser"

    async def run(self, instruction, environment, context):
        await super().run(instruction, environment, context)
        await environment.exec("true")


def job(root, tasks, agents):
    """Runs a job in a folder of its own, and returns the results of its trials."""
    folder = Path(tempfile.mkdtemp(dir="."))
    config = JobConfig(jobs_dir=folder / "jobs", quiet=True, n_concurrent_trials=4, agents=agents,
        environment={"import_path": ZS, "kwargs": {"images": {IMAGE: root}}},
        tasks=[{"path": task} for task in make_tasks(folder.resolve() / "tasks", *tasks)])

    async def run():
        return await (await Job.create(config)).run()

    asyncio.run(run())
    return [json.loads(path.read_text()) for path in folder.glob("jobs/*/*/result.json")]


def summary(trials):
    rewards = [trial["verifier_result"] and trial["verifier_result"]["rewards"]["reward"] for trial in trials]
    failures = [trial["exception_info"] for trial in trials if trial["exception_info"]]
    said = sorted({"%(exception_type)s: %(exception_message)s" % each for each in failures})
    return {"trials": len(trials), "rewards": dict(collections.Counter(map(str, rewards))), "errors": len(failures),
        "modes": sorted({trial["verifier_environment_mode"] for trial in trials}), "said": said, "boxes": boxes()}


def solve(root):
    return summary(job(root, (TASKS, False), [{"name": "oracle"}]))


def wrong(root):
    return summary(job(root, (TASKS, True), [{"name": "oracle"}]))


def ended(root):
    names = ["solver", "closer", "loser"]
    trials = job(root, (TASKS[:2], False), [{"import_path": "harbor_checks:" + name.title()} for name in names])
    return {name: summary([trial for trial in trials if trial["agent_info"]["name"] == name]) for name in names}


def boxes():
    listed = subprocess.run([os.environ["ZS_PROGRAM"], "box", "list"], stdout=subprocess.PIPE, check=True)
    return listed.stdout.decode().count("\n")


def make(root, environment=None, network=None, phases=None, **kwargs):
    folder = Path(tempfile.mkdtemp(dir="."))
    (folder / "environment").mkdir()
    paths = TrialPaths(folder / "trial")
    paths.mkdir()
    config = EnvironmentConfig(**{"docker_image": IMAGE, **(environment or {})})
    return ZsEnvironment(folder / "environment", "checks", "checks__env", paths, config, None, root=root,
        network_policy=NetworkPolicy(**(network or {"network_mode": "no-network"})), phase_network_policies=phases,
        **kwargs)


async def error_of(call):
    try:
        return "none: %r" % (await call(),)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)


async def raised(call):
    return call()


async def made(**arguments):
    return make(**arguments)


async def started(environment):
    await environment.start(False)
    return environment


async def answer(environment, command, **arguments):
    done = await environment.exec(command, **arguments)
    return [done.return_code, done.stdout, done.stderr]


async def interface_in(root):
    box = await started(make(root, {"workdir": "/app", "env": {"TASK": "task"}}, persistent_env={"TRIAL": "trial"}))
    done = {
        "both": await answer(box, "echo out; echo err >&2; exit 42"),
        "where": await answer(box, "pwd; id -u; echo $TASK $TRIAL $EXEC $HOME", env={"EXEC": "exec"}),
        "cwd": await answer(box, "pwd", cwd="/usr"), "no folder": (await answer(box, "true", cwd="/no/such"))[0],
        "quotes": await answer(box, "echo \"it's\" '$HOME' \\\\; cat"), "option": (await answer(box, "-x"))[0],
        "users": [(await answer(box, "id -u", user=user))[1] for user in ("root", 0)],
        "kept": await answer(box, "echo $$ >/tmp/kept; sleep 60 >/dev/null & echo y"),
        "lives": (await answer(box, "test -s /tmp/kept && " + SLEEPING))[0],
        "slow": await error_of(lambda: box.exec("sleep 60", timeout_sec=1))}
    errors = {"NUL": await error_of(lambda: box.exec("echo a\0b")),
        "long": await error_of(lambda: box.exec(":" + " " * (1 << 18)))}
    with box.with_default_user("root"):
        done["default user"] = (await answer(box, "id -un 0"))[1]
    # A cancelled command ends at once, as Harbor's own time limits need.
    began = time.monotonic()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(box.exec("sleep 60"), 1)
    done["cancelled"] = time.monotonic() - began < 20
    # zs ends it after its client.
    count = "n=$(%s | wc -l)" % SLEEPING
    done["sleeping"] = (await answer(box, "for i in {1..100}; do %s; [ $n = 1 ] && break; sleep 0.1; done; echo $n" %
        count))[1]
    folder = Path("copied")
    write(folder / "sub/run.sh", "#!/bin/sh\necho ran\n", 0o755)
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("sub/run.sh")
    (folder / "data").write_bytes(bytes(range(256)))
    await box.upload_dir(folder, "/srv/some where")
    done["uploaded"] = await answer(box, "cd '/srv/some where' && ./link && find . | sort | tr '\\n' ' '")
    await box.exec("mkfifo '/srv/some where/fifo'; ln -s /etc/passwd '/srv/some where/out'")
    await box.download_dir("/srv/some where", "back")
    done["downloaded"] = sorted(os.path.relpath(path, "back") for path in Path("back").rglob("*"))
    done["same"] = Path("back/data").read_bytes() == bytes(range(256)) and os.access("back/link", os.X_OK)
    await box.upload_file(folder / "sub/run.sh", "/new/folder/run.sh")
    done["file"] = await answer(box, "/new/folder/run.sh")
    await box.download_file("/new/folder/run.sh", "got/run.sh")
    done["got"] = Path("got/run.sh").read_text()
    done["is_dir"] = [await box.is_dir("/new/folder"), await box.is_file("/new/folder"), await box.is_dir("/no")]
    errors["no file"] = await error_of(lambda: box.download_file("/no/such", "got/none"))
    errors["no directory"] = await error_of(lambda: box.download_dir("/no/such", "got/none"))
    done["archives"] = (await answer(box, "ls -A /tmp"))[1]
    kept = box._directory.name
    await box.stop(True)
    await box.stop(True)
    done["left"] = [os.path.exists(kept), boxes()]
    box.context_id = uuid.uuid4()
    errors["stopped"] = await error_of(lambda: box.exec("true"))
    other = make(root)
    other.context_id = box.context_id  # a call after the end of the first box is no failure of the trial
    await other.start(False)
    errors["other user"] = await error_of(lambda: other.exec("true", user="agent"))
    errors["the next command"] = await error_of(lambda: other.exec("true"))
    await other.stop(True)
    return {**done, "errors": errors}


def policy_of(box):
    printed = subprocess.run([box.zs, "box", "policy", box.id], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(printed)


async def refusals_in(root, port):
    reach = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/%s' 2>/dev/null && echo reached" % port
    public = {"network_mode": "public"}
    hosts = {"network_mode": "allowlist", "allowed_hosts": ["example.org", "*.example.net", "192.0.2.7"]}
    done, networks = {}, {}
    for name, arguments in {"none": {}, "decided none": {"network": public, "public": "none"},
            "full": {"network": public, "public": "full"}, "hosts": {"network": hosts}}.items():
        box = await started(make(root, **arguments))
        networks[name] = [(await box.exec(reach)).stdout, policy_of(box.box)["network"]]
        await box.stop(True)
    box = await started(make(root, {"memory_mb": 700, "storage_mb": 300}, limits={"wall": "10m"}))
    done["limits"] = policy_of(box.box)["limits"]
    await box.stop(True)
    phases = [NetworkPolicy(network_mode="no-network"), NetworkPolicy(network_mode="no-network")]
    wide = {"network_mode": "allowlist", "allowed_hosts": ["example.org", "10.0.0.0/8"]}
    errors = {}
    for name, arguments in {"public": {"network": public},
            "range": {"network": wide}, "phases": {"network": hosts, "phases": phases},
            "image": {"root": None, "images": {"other": root}}, "dockerfile": {"environment": {"docker_image": None}},
            "option": {"network": None, "imagges": {}}, "gpu": {"environment": {"gpus": 1}},
            "mounts": {"mounts": [{"type": "bind", "source": "/etc", "target": "/host"}]},
            "cpus": {"cpu_enforcement_policy": "limit", "environment": {"cpus": 1}}}.items():
        errors[name] = await error_of(lambda: made(**{"root": root, **arguments}))
    errors["no root"] = await error_of(lambda: started(make(root + "/no/such")))
    errors["no limit"] = await error_of(lambda: started(make(root, limits={"wal": "1s"})))
    with_file = make(root)
    write(with_file.environment_dir / "Dockerfile", "FROM debian\n")
    errors["build"] = await error_of(lambda: with_file.start(True))
    write(with_file.environment_dir / "docker-compose.yaml", "services: {}\n")
    errors["compose"] = await error_of(lambda: raised(with_file._validate_definition))
    return {**done, "networks": networks, "errors": errors, "boxes": boxes()}


def interface(root):
    return asyncio.run(interface_in(root))


def refusals(root, port):
    return asyncio.run(refusals_in(root, port))


if __name__ == "__main__":
    calls = {"interface": interface, "refusals": refusals, "solve": solve, "wrong": wrong, "ended": ended}
    print(json.dumps(calls[sys.argv[1]](*sys.argv[2:])))
