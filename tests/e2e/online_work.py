"""Everyday work that needs package registries, or takes long: ./zigw build test-real. See test_real_work.py.

Each row is done without zs, by default, and with its option on a cold home; then again on the warm home, where the
last command of a row must succeed without a network. A row whose control fails is left out, and named.
"""

import os
import time

from harness import TESTS, expect, test
from test_real_work import C, GIT, GO, NODE, RUST, SECONDS_TO_SAY_NO, Work

TESTS.clear()  # those of test_real_work.py
AUTHORITIES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
    "PIP_CERT", "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO")
# The system's Python: one in the caller's own home is out of reach from the row's home.
VENV = "/usr/bin/python3 -m venv v"
UV = VENV + " && v/bin/pip install -q uv"
DEPENDENCY = RUST + " && printf '[dependencies]\\nitoa = \"1\"\\n' >>Cargo.toml"
MODULE = ("printf 'module x\\ngo 1.20\\nrequire github.com/google/uuid v1.6.0\\n' >go.mod && "
    "printf 'package main\\nimport \"github.com/google/uuid\"\\nfunc main() { println(uuid.NewString()) }\\n' >m.go")
MAVEN = ("printf '<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId>"
    "<version>1</version><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
    "<version>4.13.2</version></dependency></dependencies></project>' >pom.xml")
# Java takes the home from the system's list of users, not from HOME.
OWN_HOME = 'M="-Duser.home=$HOME"; '
LOCKED = NODE + " && npm install --silent --package-lock-only is-number@7.0.0"
PAGE = "printf '<p>hello</p>' >p.html"
CHROMIUM = ("chromium --headless --no-sandbox --disable-gpu --disable-background-networking --user-data-dir=$PWD/c "
    "--dump-dom \"file://$PWD/p.html\" 2>/dev/null | grep -q hello")

# Name, preparation, command, option, and a command for the warm home without a network. An option that is a tuple: zs
# says this by default, within two seconds.
ROWS = [
    ("npm install", NODE, "npm install --no-audit --no-fund is-number@7.0.0", "--for npm",
        "npm install --no-audit --no-fund --offline is-number@7.0.0"),
    ("npm ci", LOCKED, "npm ci --no-audit --no-fund", "--for npm", "npm ci --no-audit --no-fund --offline"),
    ("npx", "true", "npx -y cowsay hello", "--for npm", "npx --offline -y cowsay hello"),
    ("pnpm add", NODE, "npx -y pnpm@9 add is-number@7.0.0", "--for npm,pnpm", None),
    ("yarn add", NODE, "npx -y yarn@1 add is-number@7.0.0", "--for npm,yarn", None),
    ("tsc by npx", "printf 'let a: number = 1\\n' >a.ts", "npx -y -p typescript@5 tsc a.ts", "--for npm",
        "npx --offline -y -p typescript@5 tsc a.ts"),
    ("vite build", NODE + " && printf '<p>x</p>' >index.html", "npm install --no-audit --no-fund vite@7 && npx vite "
        "build", "--for npm", None),
    ("eslint", NODE, "npm install --no-audit --no-fund eslint@8 && npx eslint --no-eslintrc t.js", "--for npm", None),
    ("pip install", VENV, "v/bin/pip install six==1.16.0", "--for pip", None),
    ("pip download and install without a network", VENV, "v/bin/pip download -q -d w six==1.16.0 && v/bin/pip install "
        "--no-index -f w six", "--for pip", None),
    ("pytest from pip", VENV + " && printf 'def test(): assert 1\\n' >test_a.py", "v/bin/pip install -q pytest && "
        "v/bin/pytest -q", "--for pip", None),
    ("numpy from pip", VENV, "v/bin/pip install -q numpy && v/bin/python -c 'import numpy; print(numpy.ones(3))'",
        "--for pip", None),
    ("uv pip install", UV, "v/bin/uv venv -q u && v/bin/uv pip install --python u/bin/python six==1.16.0", "--for uv",
        "v/bin/uv venv -q u && v/bin/uv pip install --offline --python u/bin/python six==1.16.0"),
    ("uv sync", UV + " && v/bin/uv init -q --vcs none --bare . && printf 'dependencies=[\"six\"]\\n' >/dev/null",
        "v/bin/uv add six==1.16.0 && v/bin/uv run python -c 'import six'", "--for uv", None),
    ("cargo build with a dependency", DEPENDENCY, "cargo build -q", "--for cargo",
        "cargo build -q --offline"),
    ("cargo add", RUST, "cargo add -q itoa", "--for cargo", None),
    ("go mod tidy", MODULE, "go mod tidy", "--for go", "go mod tidy"),
    ("go build with a dependency", MODULE, "go mod tidy && go build -o x . && ./x", "--for go",
        "go mod tidy && go build -o x . && ./x"),
    ("go test", GO, "go test ./...", None, None),
    ("maven", MAVEN, OWN_HOME + "mvn -q -B $M dependency:resolve", "--for maven",
        OWN_HOME + "mvn -q -B -o $M dependency:resolve"),
    ("auto", NODE, "npm install --no-audit --no-fund is-number@7.0.0", "--for auto", None),
    ("pre-commit", GIT + " && " + VENV + " && v/bin/pip install -q pre-commit", "v/bin/pre-commit --version", None,
        None),
    ("cmake and ctest", C + " && printf 'cmake_minimum_required(VERSION 3.10)\\nproject(m C)\\nadd_executable(m m.c)\\n"
        "enable_testing()\\nadd_test(t m)\\n' >CMakeLists.txt", "cmake -B b && cmake --build b && "
        "ctest --test-dir b", None, None),
    ("chromium without its own sandbox", PAGE, CHROMIUM, None, None),
    ("chromium as it is", PAGE, "chromium --headless --dump-dom about:blank | grep body", ("zs: inside zs: chromium", ),
        None),
    ("npm install without its option", NODE, "npm install is-number@7.0.0", ("--host ", ), None),
    ("pip install without its option", VENV, "v/bin/pip install six==1.16.0", ("--host ", ), None),
    ("cargo build without its option", DEPENDENCY, "cargo build -q", ("--host ", ), None),
    ("apt-get install", "true", "apt-get install -y --download-only hello", ("zs: inside zs: apt-get", ), None),
]


def seconds_of(work, prefix, command=None):
    result, seconds = work.again(prefix, command)
    expect(result.exit == 0, "%s on a warm home: %s" % (work.name, result))
    return seconds


def judge(work, warm):
    """The cells of the row: by default, with its option on a cold home, on a warm one, and there without a network."""
    control, seconds = work.do([])
    if control.exit != 0:
        print("  left out, since it fails without zs too: %s: %s" % (work.name, control.stderr[-200:]))
        return "–", "–", "–", "–"
    cells = ["%.1f s" % seconds]
    plain, seconds = work.do(work.zs())
    if isinstance(work.option, tuple):
        expect(plain.exit != 0 and seconds < SECONDS_TO_SAY_NO, "%s took %.1f s: %s" % (work.name, seconds, plain))
        expect(work.option[0] in plain.stderr, "%s does not say %r: %s" % (work.name, work.option[0], plain))
        return *cells, "says no in %.1f s" % seconds, "", ""
    if work.option is None:
        expect(plain.exit == 0, "%s by default: %s" % (work.name, plain))
        return *cells, "works, %.1f s" % seconds, "", ""
    expect(plain.exit != 0, "%s needs no option" % work.name)
    said = "no, %.1f s" % seconds
    cold, seconds = work.do(work.zs(*work.option.split()))
    expect(cold.exit == 0, "%s with %s: %s" % (work.name, work.option, cold))
    cells += [said, "`%s` %.1f s" % (work.option, seconds)]
    again = "%.1f s" % seconds_of(work, work.zs(*work.option.split()))
    if warm:
        again += ", without a network %.1f s" % seconds_of(work, work.zs(), warm)
    return *cells, again


@test(needs=["sandbox", "git"])
def work_with_registries(box):
    table, wrong = [], []
    for number, row in enumerate(ROWS):
        began = time.monotonic()
        try:
            table.append((row[0], *judge(Work(box, row, number, AUTHORITIES), row[4])))
        except Exception as problem:
            wrong.append(str(problem))
        print("  %s: %.0f s" % (row[0], time.monotonic() - began), flush=True)
    lines = ["| %s | %s | %s | %s | %s | %s |\n" % (name, box.user.name, *cells) for name, *cells in table]
    print("".join(lines))
    if os.environ.get("ZS_REAL_WORK"):
        with open(os.environ["ZS_REAL_WORK"], "a") as file:
            file.writelines(lines)
    expect(not wrong, "%d rows:\n%s" % (len(wrong), "\n".join(wrong)))
