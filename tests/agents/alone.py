"""One run of a client beside a mock model, in a network that has nothing but loopback.

    unshare --net --mount [--user --map-root-user] -- alone.py < REQUEST > REPORT

The request, JSON: {"argv": …, "env": …, "cwd": …, "uid": …, "timeout": …, "moves": …, "tool": …, "bind": [from, to],
"trust": …}. `moves` and `tool` are of mock_model.Script; `bind` makes the clients visible where every user can reach
them; `trust` makes Codex trust its hooks first. The report: {"exit": …, "stdout": …, "stderr": …, "turns": …,
"canaries": …, "strange": …}.
"""

import json
import os
import shutil
import signal
import subprocess
import sys

import codex_trust
import mock_model


def sh(*argv):
    subprocess.run(argv, check=True, stdout=sys.stderr)


def run(argv, timeout, options):
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, errors="replace", start_new_session=True, **options)
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        stderr += "\nthe test's time is up"
    return {"exit": process.returncode, "stdout": stdout, "stderr": stderr}


def main():
    request = json.load(sys.stdin)
    sh("ip", "link", "set", "lo", "up")
    sh("mount", "--make-rprivate", "/")
    sh("mount", "--bind", "-o", "ro", *request["bind"])
    script = mock_model.Script(request["moves"], request["tool"])
    mock_model.serve(script)
    options = {"env": request["env"], "cwd": request["cwd"]}
    if request["uid"] is not None:
        options.update(user=request["uid"], group=request["uid"], extra_groups=[])
    program = shutil.which(request["argv"][0], path=request["env"]["PATH"])
    if request["trust"]:
        codex_trust.trust(program, request["cwd"], options)
    report = run([program, *request["argv"][1:]], request["timeout"], options)
    json.dump(dict(report, turns=script.turns, canaries=script.canaries, strange=script.strange), sys.stdout)


if __name__ == "__main__":
    main()
