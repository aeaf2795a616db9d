"""zs as an environment of mini-swe-agent, with the real project: what its tests ask of an environment, beside its local
one, and its agent with its deterministic model. Where zs cannot enforce a box, no run has a result.

Its wheel and sdist bring no tests of environments. It comes from PyPI as test_inspect.py says.
"""

import json
import os
import shutil

import adapters
from harness import REPOSITORY, Box, expect, test
from no_namespaces import install, program

NEEDS = ["sandbox", "mcp-servers", "system-pip"]
LANDLOCK = (444, 445, 446)
RUNS = 20
PATCH = "-    return a - b\n+    return a + b\n"


def checks(box, *words, **options):
    package = os.path.join(Box.scratch, "binding/zs_sandbox")
    if not os.path.isdir(package):
        shutil.copytree(os.path.join(REPOSITORY, "bindings/python/zs_sandbox"), package)
    site = [os.path.dirname(package), adapters.projects()]
    environment = {"PYTHONPATH": ":".join(site), "ZS_PROGRAM": box.zs, "SECRET_FILE": box.outside + "/secret",
        "PYTHONDONTWRITEBYTECODE": "1", "MSWEA_SILENT_STARTUP": "1", "MSWEA_GLOBAL_CONFIG_DIR": box.folder("home/mini")}
    result = box.run([adapters.PYTHON, adapters.checks("mini_swe_agent_checks.py"), *words],
        cwd=box.folder("home/runs"), add_env=environment, **options)
    expect(result.exit == 0 and result.stdout, result)
    return json.loads(result.stdout.splitlines()[-1])


@test(needs=NEEDS)
def it_answers_as_the_local_environment(box):
    done = checks(box, "interface")
    expect(done["checks"] > 0 and done["differ"] == {}, done)
    expect(done["forwarded"] == "passed [] given\n/usr\n" and done["cwd"] == "/etc\n" and not done["kept"], done)
    # The local environment's shell takes such a command for its own options.
    expect(done["option"] == 127, done)
    expect(done["large"] == [-1, "OSError"] and done["variables"] == ["given", 60, "Linux"], done)
    expect(done["described"] == ["zs_sandbox.mini_swe_agent.ZsEnvironment", {"TEST_VAR": "test value", "OTHER": "x"}],
        done)


@test(needs=NEEDS)
def its_agent_mends_a_bug(box):
    box.file("outside/secret", "key\n")
    repository = box.folder("home/sums")
    box.file("home/sums/sums.py", "def add(a, b):\n    return a - b\n")
    box.file("home/sums/check.py", "import sums\n\nassert sums.add(2, 3) == 5\n")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a"]):
        done = box.run(["git", *words], cwd=repository)
        expect(done.exit == 0, done)
    done = checks(box, "fix", repository)
    expect(done["exit"] == "Submitted" and done["patch"].endswith(PATCH), done)
    expect(done["statuses"] == [1, 0, 0, 1] and not done["secret"], done)
    after = box.run(["/usr/bin/python3", "-B", "check.py"], cwd=repository)
    expect(after.exit == 0, after)


@test(needs=NEEDS)
def the_walls_stand_and_an_ended_box_is_an_error(box):
    file = box.outside + "/written"
    done = checks(box, "walls", file, box.folder("home/empty"))
    expect(done["wrote"] == 1 and not os.path.exists(file) and done["kept"] == "y\n", done)
    errors = done["errors"]
    expect(errors["no folder"].startswith("ZsError: ") and "wal" in errors["no limit"], done)
    expect(errors["no field"].startswith("ValidationError: ") and "image" in errors["no field"], done)
    expect("zs" in errors["closed"] and errors["ended"].startswith(("BoxLost: ", "ZsError: ")), done)
    expect(errors["no shell"].startswith("ZsError: ") and "bash" in errors["no shell"], done)
    # The prompts, the model's first answer and the error, with no observation between them.
    expect(done["seen"] == 4 and done["last"] == ["exit", errors["ended"].split(":")[0], ""], done)


@test(needs=NEEDS)
def without_enforcement_no_run_has_a_result(box):
    done = checks(box, "many", str(RUNS))
    expect(done == {"submitted": RUNS, "errors": []}, done)
    done = checks(box, "many", str(RUNS), preexec_fn=lambda: install(program(LANDLOCK)))
    expect(done["submitted"] == 0 and len(done["errors"]) == 1 and done["errors"][0].startswith("ZsError: "), done)
