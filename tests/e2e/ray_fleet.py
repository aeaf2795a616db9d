"""examples/fleet/ray_boxes.py and zs as a SandboxRuntime of Ray, with the real project, on a cluster of three nodes on
loopback. CI has no Ray: ./zigw build test-fleet fetches it (tests/fleet.py), and runs this file with 2,000 boxes.
"""

import json
import os
import shutil
import subprocess
import time

import adapters
from boxes import boxes, own_place
from harness import HERE, REPOSITORY, Box, expect, test

NEEDS = ["sandbox", "ray"]
BOXES = int(os.environ.get("ZS_TEST_BOXES", "40"))
SECONDS = 60 + BOXES   # for a run on a machine that has other work
FEW = 12
EXAMPLE = os.path.join(REPOSITORY, "examples/fleet/ray_boxes.py")


def tasks(box, count):
    """Every tenth gives a wrong answer, or fails: it has a right score, too, which is 0."""
    lines = []
    for i in range(count):
        end = {9: "; exit 3", 5: "; echo more"}.get(i % 10, "")
        lines.append({"id": "t%d" % i, "command": "sleep 0.3; sort -n </tmp/input | tail -n 1" + end,
            "input": "1\n%d\n2\n" % (i + 5), "answer": "%d\n" % (i + 5)})
    return box.file("home/tasks.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def judge(lines, count):
    """{} if each task has one line and its right score; else the tasks by what is wrong with them."""
    found = {}
    ids = [line["id"] for line in lines]
    for i in range(count):
        want = 0 if i % 10 in (5, 9) else 1
        have = [line["score"] for line in lines if line["id"] == "t%d" % i]
        if have != [want]:
            name = "no line" if len(have) != 1 else "no score" if have[0] is None else "wrong score"
            found.setdefault(name, []).append(i)
    return found if len(ids) == count else {**found, "lines": ids}


def environment(box):
    package = os.path.join(Box.scratch, "binding/zs_sandbox")
    if not os.path.isdir(package):
        shutil.copytree(os.path.join(REPOSITORY, "bindings/python/zs_sandbox"), package)
    return {"PYTHONPATH": "%s:%s" % (os.path.dirname(package), adapters.projects()), "ZS_PROGRAM": box.zs,
        "PYTHONDONTWRITEBYTECODE": "1", "RAY_TMPDIR": box.folder("r"), "TMPDIR": box.folder("tmp")}


def example(box):
    return shutil.copy(EXAMPLE, box.folder("fleet"))


def reasons(lines):
    return sorted({reason.split(":")[0].split("(")[-1].rstrip(")") for line in lines for reason in line["lost"]})


def checks(box, *words):
    argv = [adapters.PYTHON, adapters.checks("ray_checks.py"), *words]
    with box.start(argv, env={**box.env, **environment(box)}, stdin=subprocess.DEVNULL) as process:
        stdout, stderr = process.communicate(timeout=SECONDS)
    expect(process.returncode == 0, stderr.decode()[-4000:])
    return json.loads(stdout.splitlines()[-1])


@test(needs=NEEDS)
def a_lost_node_or_box_is_a_retry(box):
    path, results = tasks(box, BOXES), os.path.join(box.root, "results")
    argv = [adapters.PYTHON, example(box), path, "--nodes", "3", "--kill", str(BOXES // 3)]
    began, closed = time.monotonic(), set()
    with own_place(box), open(results, "wb") as output:
        with box.start(argv, env={**box.env, **environment(box)}, stdin=subprocess.DEVNULL, stdout=output) as process:
            while process.poll() is None and len(closed) < 3:
                for line in boxes(box)[:1]:
                    box.run_zs("box", "close", line["id"])
                    closed.add(line["id"])
            said = process.communicate(timeout=SECONDS)[1]
        seconds = time.monotonic() - began
        left = boxes(box)
    with open(results) as file:
        lines = [json.loads(line) for line in file]
    expect(process.returncode == 0, process.returncode, said.decode()[-4000:])
    expect(judge(lines, BOXES) == {}, judge(lines, BOXES), lines)
    expect(left == [], "a lost node left boxes", left)
    why = reasons(lines)
    expect("NodeDiedError" in why and any("BoxLost" in one or "ZsError" in one for one in why), why)
    print("ray: %d boxes, %.0f s: %d had a score at once, %d after a retry: %s" % (BOXES, seconds,
        sum(not line["lost"] for line in lines), sum(bool(line["lost"]) for line in lines), ", ".join(why)))


@test(needs=NEEDS, once=True)
def no_failure_is_a_score(box):
    fleet = box.folder("fleet")
    blind = os.path.join(fleet, "blind-zs")
    with open(blind, "w") as file:
        file.write("#!/usr/bin/python3 -B\nimport os, sys\nsys.path.insert(0, %r)\nimport no_namespaces as n\n"
            "n.install(n.program((444, 445, 446)))\nos.execv(%r, [%r, *sys.argv[1:]])\n" % (HERE, box.zs, box.zs))
    os.chmod(blind, 0o755)
    with own_place(box):
        done = checks(box, "runner", example(box), tasks(box, 2 * FEW), blind)
    expect(judge(done["retried"], FEW) == {} and reasons(done["retried"]), done["retried"])
    # Controls: without the retry the same failures leave tasks without a score, and a runner that takes a failure for
    # a score is found out.
    expect(list(judge(done["not retried"], FEW)) == ["no score"], done["not retried"])
    expect(list(judge(done["scored"], FEW)) == ["wrong score"], done["scored"])
    expect(list(judge(done["node"], 2 * FEW)) == ["no score"], done["node"])
    expect("NodeDiedError" in reasons(done["node"]), done["node"])
    # Where nothing can be enforced.
    expect([line["score"] for line in done["blind"]] == [None] * FEW, done["blind"])
    expect(all(len(line["lost"]) == 2 for line in done["blind"]) and "ZsError" in " ".join(reasons(done["blind"])),
        done["blind"])


@test(needs=NEEDS)
def it_is_a_runtime_of_ray(box):
    outside = box.outside + "/written"
    with own_place(box):
        done = checks(box, "interface", outside, box.folder("home/empty"))
    errors = done.pop("errors")
    expect(done == {"is one": True, "status": "RUNNING", "read": "text", "done": [3, "hello there\n", "err\n", True],
        "words": "/etc\n", "wrote": [1, False], "root": ["ff", [], 127], "ended": "TERMINATED",
        "expired": "TERMINATED"}, done)
    kinds = {"timeout": "SandboxTimeoutError", "user": "SandboxExecError", "no file": "SandboxError",
        "append": "SandboxError", "no folder": "ZsError", "grant": "TypeError", "root": "TypeError", "ended": "ZsError",
        "deleted": "SandboxNotFoundError", "no shell": "SandboxExecError"}
    for name, error in errors.items():
        expect(error.startswith(kinds.get(name, "SandboxCreationError") + ": "), name, error)
    for name in ("cpu", "network", "capabilities", "readonly", "workdir", "image"):
        expect(name in errors[name], name, errors)
