"""zs as a sandbox of Inspect (inspect_ai), with the real project: its own checks of a sandbox, and evals with a mock
model. Where zs cannot enforce a box, no sample has a score.

inspect_ai comes from PyPI, as tests/adapters says, into the folder that ZS_TEST_SERVERS names:

    pip install --target FOLDER/adapters -r requirements.txt
"""

import json
import os
import subprocess

import adapters
from harness import REPOSITORY, expect, test
from no_namespaces import install, program
from roots import debian_root
from subordinate import UsersBox

NEEDS = ["sandbox", "mcp-servers", "system-pip"]
CHECKS = 44
# Only a box in another root has a second user.
UNSUPPORTED = {"test_exec_as_user"}
OF_MODES = {"test_read_file_not_allowed", "test_write_text_file_without_permissions",
    "test_write_binary_file_without_permissions"}
LANDLOCK = (444, 445, 446)
SAMPLES = 100


def site_of(box):
    """zs_sandbox as pip installs it, which has the entry point, beside inspect_ai."""
    site = os.path.join(box.root, "site-packages") # by this name Inspect knows a package
    if not os.path.isdir(site):
        subprocess.run([adapters.PYTHON, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-cache-dir",
            "--disable-pip-version-check", "--root-user-action=ignore", "--target", site,
            os.path.join(REPOSITORY, "bindings/python")], check=True)
    return site + ":" + adapters.projects()


def checks(box, *words, **options):
    environment = {"PYTHONPATH": site_of(box), "ZS_PROGRAM": box.zs, "SECRET_FILE": box.outside + "/secret",
        "PYTHONDONTWRITEBYTECODE": "1"}
    result = box.run([adapters.PYTHON, adapters.checks("inspect_checks.py"), *words],
        cwd=box.folder("home/evals"), add_env=environment, **options)
    expect(result.exit == 0 and result.stdout, result)
    return json.loads(result.stdout.splitlines()[-1])


@test(needs=NEEDS, once=True, slow=True)
def its_own_checks_pass(box):
    done = checks(box, "self", "{}")
    expect(done["checks"] == CHECKS and set(done["failed"]) == UNSUPPORTED, done)


@test(needs=[*NEEDS, "debian", "subordinate-ids"], slow=True)
def its_own_checks_pass_with_users(box):
    """All of them, in a Debian root with several users. Nothing of the samples is left."""
    box = UsersBox(box)
    box.env["TMPDIR"] = box.folder("tmp")
    config = {"root": debian_root(box), "users": True, "setenv": {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}}
    done = checks(box, "self", json.dumps({**config, "user": "nobody"}))
    expect(done["checks"] == CHECKS and not done["failed"], done)
    # Root is not stopped by a file's mode, as in a container.
    done = checks(box, "self", json.dumps(config), *UNSUPPORTED, *OF_MODES)
    expect(set(done["failed"]) == OF_MODES, done)
    done = checks(box, "self", json.dumps({**config, "users": False, "root_user": True}), *UNSUPPORTED, *OF_MODES)
    expect(set(done["failed"]) == UNSUPPORTED, "control", done)
    left = [name for name in os.listdir(box.env["TMPDIR"]) if name.startswith("zs-inspect-")]
    expect(not left, left)


@test(needs=NEEDS)
def an_eval_is_scored(box):
    box.file("outside/secret", "key\n")
    done = checks(box, "eval", "3")
    expect(done == {"samples": 3, "scored": 3, "right": 3, "errors": []}, done)


@test(needs=NEEDS, slow=True)
def without_enforcement_nothing_is_scored(box):
    done = checks(box, "eval", str(SAMPLES), preexec_fn=lambda: install(program(LANDLOCK)))
    expect(done["samples"] in (0, SAMPLES) and done["scored"] == 0, done)
    expect(done["samples"] == 0 or "zs" in " ".join(done["errors"]), done)


@test(needs=NEEDS, once=True)
def the_approver_rejects_what_guard_blocks(box):
    policy = box.file("home/approvers.yaml",
        'approvers:\n  - name: zs_sandbox/zs\n    tools: "bash"\n    profile: guard\n')
    done = checks(box, "approve", policy)
    passed, rejected = done["answers"]
    expect(passed.endswith("passed\n") and "outside of the workspace" in rejected, done)


@test(needs=NEEDS, once=True)
def a_compose_file_is_obeyed_or_refused(box):
    head = "services:\n  default:\n    "
    good = head + "environment: {GREETING: hello}\n    mem_limit: 512m\n    network_mode: none\n" \
        "    x-zs: {limits: {wall: 5m}}\n"
    bad = {"image": "image: debian", "privileged": "privileged: true", "reed": "x-zs: {reed: [/x]}",
        "network_mode": "network_mode: host"}
    files = [box.file("home/%d/compose.yaml" % number, text)
        for number, text in enumerate([good, *(head + line + "\n" for line in bad.values())])]
    done = checks(box, "compose", *files)
    expect(done[0]["stdout"] == "hello\n" and not done[0]["error"], done[0])
    for name, answer in zip(bad, done[1:]):
        expect(answer["stdout"] is None and name in (answer["error"] or ""), name, answer)
