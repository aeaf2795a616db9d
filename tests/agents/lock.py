#!/usr/bin/env python3
"""Writes package-lock.json anew for the versions that package.json names: tests/agents/lock.py.

npm does it. Taken out are the registry's addresses (each package has its hash), whom to pay, and optional packages for
other systems that the registry of the moment does not have: npm ci would miss them in the lock file.
"""

import json
import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(HERE, "package.json"), folder)
        subprocess.run(["npm", "install", "--package-lock-only", "--ignore-scripts"], cwd=folder, check=True)
        with open(os.path.join(folder, "package-lock.json")) as file:
            lock = json.load(file)
    packages = lock["packages"]
    there = {path.rpartition("node_modules/")[2] for path in packages}
    for path, package in packages.items():
        if path and "integrity" not in package:
            raise SystemExit("%s has no hash" % path)
        package.pop("resolved", None)
        package.pop("funding", None)
        optional = package.get("optionalDependencies", {})
        for name in set(optional) - there:
            del optional[name]
    with open(os.path.join(HERE, "package-lock.json"), "w") as file:
        json.dump(lock, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
