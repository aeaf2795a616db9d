"""A host: vets a command line of bash, and runs it confined to a workspace. The program zs is its shim.

    pip install bindings/python
    host.py /path/to/workspace 'make test 2>&1 | tail'
"""

import sys

from zs_sandbox import Blocked, Policy, Sandbox, ZsError


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: host.py WORKSPACE COMMAND-LINE")
    workspace, text = sys.argv[1:]
    try:
        done = Sandbox(Policy(workspace)).run(text, vet="strict")
    except Blocked as blocked:
        print(blocked, "hint: " + blocked.decision.hint, sep="\n", file=sys.stderr)
        return 2
    except ZsError as error:
        print(error, file=sys.stderr)
        return 125
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


if __name__ == "__main__":
    sys.exit(main())
