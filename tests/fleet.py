"""The example of Ray with 2,000 boxes: ./zigw build test-fleet [-- TEST...]. Never part of CI: Ray is 80 MB to fetch,
and the boxes take minutes.

    tests/fleet.py ZS [TEST...]

Fetches what tests/adapters/ray.txt lists into ~/.cache/zs, once, and runs tests/e2e/ray_fleet.py. ZS_TEST_BOXES names
another number of boxes."""

import hashlib
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "adapters/ray.txt")
PYTHON = "/usr/bin/python3"  # as in tests/e2e/adapters.py


def fetched():
    with open(LIST, "rb") as file:
        version = hashlib.sha256(file.read()).hexdigest()[:16]
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "zs", "ray-" + version)
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        part = tempfile.mkdtemp(prefix=os.path.basename(folder) + ".", dir=os.path.dirname(folder))
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--no-deps", "--only-binary", ":all:",
            "--disable-pip-version-check", "--root-user-action=ignore", "--target", part + "/adapters", "-r", LIST],
            check=True)
        os.chmod(part, 0o755)
        os.rename(part, folder)
    return folder


def main(zs, *names):
    os.environ.setdefault("ZS_TEST_BOXES", "2000")
    os.environ["ZS_TEST_SERVERS"] = fetched()
    e2e = os.path.join(HERE, "e2e")
    return subprocess.run([sys.executable, "-B", os.path.join(e2e, "harness.py"), os.path.join(e2e, "ray_fleet.py"),
        "--zs=" + zs, *names]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
