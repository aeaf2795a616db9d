"""Checks of zs in Ray, for tests/e2e/ray_fleet.py, in a Python that has both.

    ray_checks.py interface OUTSIDE ROOT          Ray's SandboxRuntime, by zs
    ray_checks.py runner EXAMPLE TASKS BLIND        the example's runner on a cluster, with its controls

The last line on standard output is the answer, in JSON.
"""

import json
import os
import subprocess
import sys
import threading
import time

from ray.experimental.sandbox import SandboxRuntime
from zs_sandbox import find_zs
from zs_sandbox.ray_runtime import ZsRuntime


def error_of(call, *words, **fields):
    try:
        return "none: %r" % (call(*words, **fields),)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)


def zs_box(*words):
    return subprocess.run([find_zs(), "box", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def interface(outside, root):
    runtime = ZsRuntime(limits={"wall": "10m"})
    made = runtime.create("/", env={"GREETING": "hello"}, memory="512Mi")
    answer = {"is one": isinstance(runtime, SandboxRuntime), "status": runtime.get_status(made).value}
    runtime.write_file(made, "/tmp/a/b", "text")
    answer["read"] = runtime.read_file(made, "/tmp/a/b").decode()
    done = runtime.exec(made, "echo $GREETING $WORD; echo err >&2; exit 3", env={"WORD": "there"})
    answer["done"] = [done.exit_code, done.stdout, done.stderr, 0 <= done.duration_seconds < 60]
    answer["words"] = runtime.exec(made, ["pwd"], cwd="/etc").stdout
    answer["wrote"] = [runtime.exec(made, "echo x >%s" % outside).exit_code, os.path.exists(outside)]
    errors = {"timeout": error_of(runtime.exec, made, "sleep 60", timeout=0.5),
        "user": error_of(runtime.exec, made, "true", user="root"),
        "no file": error_of(runtime.read_file, made, "/tmp/none"),
        "append": error_of(runtime.write_file, made, "/tmp/a/b", "x", append=True),
        "no folder": error_of(runtime.exec, made, "true", cwd="/no/such"),
        "grant": error_of(ZsRuntime, hostss=["x"]), "root": error_of(ZsRuntime, root="/srv")}
    for field, value in {"cpu": 2, "network": "host", "capabilities": ["CAP_NET_RAW"],
            "readonly": False, "workdir": "/work", "_oci_spec_transform_fn": dict, "_ignore_cgroups": True}.items():
        errors[field] = error_of(runtime.create, "/", **{field: value})
    errors["image"] = error_of(runtime.create, "python:3.10-slim")
    errors["readonly root"] = error_of(runtime.create, "/srv")
    other = runtime.create(root, readonly=False)
    runtime.write_file(other, "/a/b", b"\xff")
    answer["root"] = [runtime.read_file(other, "/a/b").hex(), os.listdir(root), runtime.exec(other, ["true"]).exit_code]
    errors["no shell"] = error_of(runtime.exec, other, "true")
    runtime.delete(other)
    zs_box("close", made)
    answer["ended"] = runtime.get_status(made).value
    errors["ended"] = error_of(runtime.exec, made, "true")
    runtime.delete(made)
    runtime.delete(made)
    errors["deleted"] = error_of(runtime.exec, made, "true")
    short = runtime.create("/", ttl_seconds=1)
    end = time.monotonic() + 30
    while runtime.get_status(short).value == "RUNNING" and time.monotonic() < end:
        time.sleep(0.1)
    return {**answer, "expired": runtime.get_status(short).value, "errors": errors}


# ----------------------------------------------------------------------------------------- the example's runner


def module_of(source):
    """The example as a module. Ray takes its functions to the workers by value."""
    space = {"__name__": "__main__"}
    exec(compile(source.rsplit("if __name__", 1)[0], "ray_boxes", "exec"), space)
    return space


def closing(count):
    """A thread that ends so many boxes as they come, as a person or a limit would."""
    def work():
        closed, end = set(), time.monotonic() + 60
        while len(closed) < count and time.monotonic() < end:
            for line in zs_box("list", "--json").stdout.splitlines():
                name = json.loads(line)["id"]
                if name not in closed and len(closed) < count and zs_box("close", name).returncode == 0:
                    closed.add(name)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def runner(example, tasks, blind):
    with open(example, encoding="utf-8") as file:
        source = file.read()
    with open(tasks, encoding="utf-8") as file:
        tasks = [json.loads(line) for line in file]
    few = tasks[:len(tasks) // 2]
    good = module_of(source)
    # A runner with the mistake that this is about: a failure of zs, or a lost box, is a score.
    bad = module_of(source.replace("except SandboxTimeoutError:", "except Exception:"))
    answer = {}
    with good["cluster_of"](3) as kill:
        for name, space, tries in (("retried", good, 5), ("not retried", good, 1), ("scored", bad, 5)):
            thread = closing(3)
            answer[name] = list(space["run"](few, tries))
            thread.join()
        answer["node"], killed = [], False
        for line in good["run"](tasks, 1):
            answer["node"].append(line)
            killed = killed or kill(line["node"])
        good["attempt"] = good["attempt"].options(runtime_env={"env_vars": {"ZS_PROGRAM": blind}})
        answer["blind"] = list(good["run"](few, 2))
    return answer


print(json.dumps({"interface": interface, "runner": runner}[sys.argv[1]](*sys.argv[2:])))
