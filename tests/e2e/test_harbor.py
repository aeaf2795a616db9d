"""zs as an environment of Harbor, the framework of Terminal-Bench, with the real project: its jobs with its oracle on
tasks of our own, each verified in a second box. Where zs cannot enforce a box, or it has ended, no trial has a reward.

Harbor comes from PyPI, as tests/harbor says, into the folder that ZS_TEST_SERVERS names. It needs a newer Python than
the other adapters, and finds its pure packages beside theirs:

    PYTHON -m pip install --no-deps --only-binary :all: --target FOLDER/harbor -r requirements.txt
    ln -s PYTHON FOLDER/harbor/python
"""

import json
import os
import shutil
import types

import adapters
from boxes import own_place
from harness import REPOSITORY, Box, connect, expect, listener, test
from images import layer, make_image
from no_namespaces import install, program
from roots import debian_root, state

NEEDS = ["sandbox", "mcp-servers", "system-pip", "harbor", "debian"]
LANDLOCK = (444, 445, 446)
TASKS = 10


def checks(box, *words, **options):
    package = os.path.join(Box.scratch, "binding/zs_sandbox")
    if not os.path.isdir(package):
        shutil.copytree(os.path.join(REPOSITORY, "bindings/python/zs_sandbox"), package)
    python, libraries = adapters.newer_python()
    site = [os.path.dirname(package), adapters.projects("harbor"), adapters.projects()]
    environment = {"PYTHONPATH": ":".join(site), "LD_LIBRARY_PATH": libraries, "ZS_PROGRAM": box.zs,
        "PYTHONDONTWRITEBYTECODE": "1", "HARBOR_TELEMETRY": "off"}
    with own_place(box):
        result = box.run([python, adapters.checks("harbor_checks.py"), *words], cwd=box.folder("home/jobs"),
            add_env=environment, **options)
    expect(result.exit == 0 and result.stdout, result)
    return json.loads(result.stdout.splitlines()[-1])


def root_of(box):
    """Each user has one for all tests."""
    place = types.SimpleNamespace(root=os.path.join(Box.scratch, "root-" + box.user.name), user=box.user)
    if not os.path.isdir(place.root):
        os.mkdir(place.root)
        debian_root(place, wanted=())
    return place.root + "/debian"


def expect_none(done, trials, error):
    """No trial has a reward, and each ends as an error."""
    expect(done["rewards"] == {"None": trials} and done["errors"] == trials and not done["boxes"], done)
    expect(all(said.startswith("ZsError: ") and error in said for said in done["said"]), done)


@test(needs=NEEDS)
def its_oracle_solves_the_tasks(box):
    root = root_of(box)
    before = state(root)
    done = checks(box, "solve", root)
    expect(done == {"trials": TASKS, "rewards": {"1.0": TASKS}, "errors": 0, "modes": ["separate"], "said": [],
        "boxes": 0}, done)
    expect(state(root) == before, "the root has changed")
    # Enforcement taken away, the same job has no reward.
    done = checks(box, "solve", root, preexec_fn=lambda: install(program(LANDLOCK)))
    expect_none(done, TASKS, "zs: sandbox: ")


@test(needs=NEEDS, once=True, slow=True)
def a_wrong_solution_gets_no_reward(box):
    layout = box.root + "/layout"
    make_image(layout, layer(tree=root_of(box)))
    done = checks(box, "wrong", layout)
    expect(done["rewards"] == {"0.0": TASKS} and done["errors"] == 0 and done["modes"] == ["shared"], done)


@test(needs=NEEDS, once=True, slow=True)
def a_box_that_ends_is_no_reward(box):
    # The task is solved, but the box ends before the answer is out of it: a verifier in another box would find none.
    done = checks(box, "ended", root_of(box))
    for name in ("closer", "loser"):
        expect_none(done[name], 2, "no such box")
    expect(done["solver"]["rewards"] == {"1.0": 2} and not done["solver"]["errors"], "control", done)


@test(needs=NEEDS)
def its_operations(box):
    done = checks(box, "interface", root_of(box))
    same = {name: done[name] for name in ("both", "where", "cwd", "no folder", "quotes", "option", "users", "kept",
        "lives", "default user", "file", "cancelled", "same", "is_dir", "left")}
    expect(same == {"both": [42, "out\n", "err\n"], "where": [0, "/app\n0\ntask trial exec /root\n", ""],
        "cwd": [0, "/usr\n", ""], "no folder": 1, "quotes": [0, "it's $HOME \\\n", ""], "option": 127,
        "users": ["0\n", "0\n"], "kept": [0, "y\n", ""], "lives": 0, "default user": "root\n",
        "file": [0, "ran\n", ""], "cancelled": True, "same": True, "is_dir": [True, False, False],
        "left": [False, 0]}, done)
    # One sleep was to stay; the one that ran into its limit and the one that was cancelled have ended.
    expect(done["slow"] == "RuntimeError: Command timed out after 1 seconds" and done["sleeping"] == "1\n", done)
    expect(done["uploaded"] == [0, "ran\n. ./data ./empty ./link ./sub ./sub/run.sh ", ""], done)
    # Neither a FIFO nor a link that leads out.
    expect(done["downloaded"] == ["data", "empty", "link", "sub", "sub/run.sh"], done)
    expect(done["got"] == "#!/bin/sh\necho ran\n" and ".zs-" not in done["archives"], done)
    errors = done["errors"]
    expect(errors["NUL"].startswith("ValueError: ") and errors["long"].startswith("OSError: [Errno 7]"), done)
    expect(errors["no file"].startswith("FileNotFoundError: ") and "/no/such" in errors["no directory"], done)
    expect(errors["stopped"].startswith("ZsError: ") and "one user" in errors["other user"], done)
    expect(errors["the next command"].startswith("ZsError: ") and "before" in errors["the next command"], done)


@test(needs=NEEDS, once=True, slow=True)
def it_enforces_or_refuses(box):
    with listener() as port:
        box.run(["bash", "-c", connect(port)]).expect(stdout="reached\n")
        done = checks(box, "refusals", root_of(box), str(port))
    expect(done["networks"] == {"none": ["", "none"], "decided none": ["", "none"], "full": ["reached\n", "full"],
        "hosts": ["", {"hosts": ["example.org", "*.example.net", "192.0.2.7"]}]}, done)
    expect(done["limits"] == {"wall_seconds": 600, "memory_bytes": 700 << 20, "tmp_bytes": 300 << 20}, done)
    expect(not done["boxes"], done)
    for name, said in {"public": "network_mode = 'no-network'", "range": "CIDR", "phases": "cannot change",
            "image": "images: {IMAGE: FOLDER}", "dockerfile": "OCI image layout", "option": "'imagges'", "gpu": "GPU",
            "mounts": "read and write", "cpus": "CPU", "compose": "one service", "no root": "no such file",
            "no limit": "wal", "build": "builds no image"}.items():
        expect(said in done["errors"][name] and not done["errors"][name].startswith("none"), name, done)
