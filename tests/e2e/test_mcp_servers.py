"""zs install --mcp: MCP servers that an agent has configured run in zs run, and uninstall restores every byte.

The reference servers come from npm and PyPI, as tests/servers says, into the folder that ZS_TEST_SERVERS names:

    npm ci --prefix FOLDER --ignore-scripts
    pip install --target FOLDER/site -r requirements.txt
"""

import http.server
import json
import os
import re
import shutil
import subprocess
import threading

from harness import Box, expect, test
from mcp_client import INITIALIZE, Server

NEEDS = ["sandbox", "mcp-servers", "node", "git"]

JSON = """{
  "numStartups": 3,
  "mcpServers": {
    "many": {
      "command": "/usr/bin/printf",
      "args": [
        "-y",
        "a \\"quoted\\" word",
        "\\u00e9"
      ],
      "env": {"A_KEY": "x", "B_KEY": "y"}
    },
    "bare": {"command": "/usr/bin/true"},
    "alone": {
      "command": "th\\u0069ng",
      "disabled": false
    },
    "none": {"args": [ ], "command": "/usr/bin/true"},
    "last": {"args": ["--x"],"command": "/usr/bin/true"},
    "web": {"type": "http", "url": "http://127.0.0.1:1/"},
    "zs": {"command": "zs", "args": ["mcp"]}
  }%s
}
"""
CLAUDE = JSON % ',\n  "projects": {"/a": {"mcpServers": {"own": {"command": "own", "args": ["1"]}}}, "/b": {}}'
GEMINI = ("// mine\n" + JSON % "").replace('"args": [ ]', '"args": [ /* none */ ]')
TOML = """model = "x" # mine
[mcp_servers.many]
command = '/usr/bin/printf' # how
args = [
  "-y", # yes
  'a "quoted" word',
  "\\u00e9",
]
[mcp_servers.many.env]
A_KEY = "x"
"B_KEY" = "y"
[mcp_servers."two words"]
command = "/usr/bin/true"
env = { C_KEY = "z", 'D_KEY' = "{" }
startup_timeout_sec = 9
[mcp_servers.none]
args = [] # none
command = "/usr/bin/true"
[mcp_servers.web]
url = "http://127.0.0.1:1/"
[other]
command = "left"
"""
FILES = {
    "claude": (".claude.json", ".mcp.json"),
    "codex": (".codex/config.toml", ".codex/config.toml"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json"),
    "qwen": (".qwen/settings.json", ".qwen/settings.json"),
}
TEXTS = {"claude": CLAUDE, "codex": TOML, "gemini": GEMINI, "qwen": GEMINI}
DEFAULT = ["--protect=.", "--net=none", "--no-default=write", "--rw=/dev/null", "--setenv=XDG_CACHE_HOME=/tmp/cache",
    "--setenv=npm_config_cache=/tmp/cache/npm"]


def path_of(box, agent, project=False):
    return os.path.join(box.work if project else box.home, FILES[agent][project])


def put(box, agent, text, project=False):
    return box.file(os.path.relpath(path_of(box, agent, project), box.root), text)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def servers_of(path):
    """The command line of each server, as another reader than zs finds it."""
    text = read_bytes(path).decode()
    if path.endswith(".toml"):
        import tomllib
        tables = [tomllib.loads(text)["mcp_servers"]]
    else:
        whole = json.loads(re.sub(r"^//.*|/\*.*?\*/", "", text, flags=re.M))
        tables = [whole["mcpServers"]] + [p.get("mcpServers", {}) for p in whole.get("projects", {}).values()]
    return {name: [server.get("command"), *server.get("args", [])] for table in tables
        for name, server in table.items()}


def has_tomllib():
    try:
        import tomllib  # noqa: F401, since Python 3.11
    except ImportError:
        return False
    return True


def expect_wrapped(box, before, after, names, options):
    for name, argv in before.items():
        want = [box.zs, "run", *options.get(name, DEFAULT), "--", *argv] if name in names else argv
        expect(after[name] == want, "%s: %r, not %r" % (name, after[name], want))


@test()
def every_server_is_wrapped_and_restored(box):
    """Other readers see the command that is meant; twice changes nothing; uninstall restores every byte."""
    env = {name: DEFAULT + ["--env=" + key for key in keys] for name, keys in
        {"many": ["A_KEY", "B_KEY"], "two words": ["C_KEY", "D_KEY"]}.items()}
    for agent, text in TEXTS.items():
        if agent == "codex" and not has_tomllib():
            print("  codex: NOT TESTED: this Python has no tomllib")
            continue
        for project in (False, True):
            for newline in ("\n", "\r\n"):
                where = ["--project"] if project else []
                path = put(box, agent, "", project)
                with open(path, "wb") as file:
                    file.write(text.replace("\n", newline).encode())
                before, command = read_bytes(path), servers_of(path)
                names = set(command) - {"web", "zs"} - ({"own"} if project and agent != "claude" else set())
                dry = box.run_zs("install", "--mcp", agent, "--dry-run", *where).expect(exit=0)
                expect(read_bytes(path) == before and "+++ " in dry.stdout, "the dry run is none: %s" % dry)
                no = box.run_zs("install", "--mcp", agent, *where).expect(exit=1)
                expect(read_bytes(path) == before, "it has not asked: %s" % no)
                done = box.run_zs("install", "--mcp", agent, "--yes", *where).expect(exit=0)
                expect("web: is left as it is: it is reached by a URL" in done.stdout, "says nothing of web: %s" % done)
                expect_wrapped(box, command, servers_of(path), names, env)
                once = read_bytes(path)
                again = box.run_zs("install", "--mcp", agent, "--yes", *where)
                again.expect(exit=0, stdout=re.compile("^Nothing to do"))
                expect(read_bytes(path) == once, "%s: twice is not once" % agent)
                box.run_zs("uninstall", "--mcp", agent, "--yes", *where).expect(exit=0)
                expect(read_bytes(path) == before, "%s: is not restored: %r" % (agent, read_bytes(path).decode()))
                box.run_zs("uninstall", "--mcp", agent, "--yes", *where).expect(exit=0)
                os.unlink(path)


@test()
def a_server_has_options_of_its_own(box):
    for agent in ("claude", "gemini"):
        path = put(box, agent, TEXTS[agent])
        before, command = read_bytes(path), servers_of(path)
        box.run_zs("install", "--mcp", agent, "bare", "--yes").expect(exit=0)
        expect_wrapped(box, command, servers_of(path), {"bare"}, {})
        box.run_zs("install", "--mcp", agent, "many", "--host=a.example", "--rw", "out", "--yes").expect(exit=0)
        many = ["--rw=out", "--host=a.example", DEFAULT[0], *DEFAULT[2:], "--env=A_KEY", "--env=B_KEY"]
        expect_wrapped(box, command, servers_of(path), {"bare", "many"}, {"many": many})
        # It keeps them when all are wrapped; new options replace them.
        box.run_zs("install", "--mcp", agent, "--yes").expect(exit=0)
        expect(servers_of(path)["many"][2:2 + len(many)] == many, "lost its options", servers_of(path)["many"])
        box.run_zs("install", "--mcp", agent, "bare", "--rw=.", "--yes").expect(exit=0)
        expect(servers_of(path)["bare"][2:6] == ["--rw=.", *DEFAULT[1:4]], servers_of(path)["bare"])
        box.run_zs("uninstall", "--mcp", agent, "bare", "--yes").expect(exit=0)
        expect_wrapped(box, command, servers_of(path), set(command) - {"bare", "web", "zs"}, {"many": many})
        box.run_zs("uninstall", "--mcp", agent, "--yes").expect(exit=0)
        expect(read_bytes(path) == before, "is not restored: %s" % read_bytes(path).decode())


@test()
def another_zs_takes_the_place(box):
    """Its path is changed, and the options stay."""
    path = put(box, "claude", CLAUDE)
    box.run_zs("install", "--mcp", "claude", "bare", "--rw=.", "--yes").expect(exit=0)
    other = os.path.join(box.folder("other"), "zs")
    shutil.copy(box.zs, other)
    os.chmod(other, 0o755)
    old = servers_of(path)["bare"]
    box.run([other, "install", "--mcp", "claude", "bare", "--yes"]).expect(exit=0)
    expect(servers_of(path)["bare"] == [other, *old[1:]], servers_of(path)["bare"])


# Files in a form that zs does not know, and a part of the message.
UNKNOWN = {
    "claude": [
        ("", "is empty"),
        ("[]", "is not an object"),
        ('{"mcpServers": []}', "another type"),
        ('{"mcpServers": {"a": []}}', "not an object"),
        ('{"mcpServers": {"a": {}}}', "neither a command nor a URL"),
        ('{"mcpServers": {"a": {"command": ["x"]}}}', "another type"),
        ('{"mcpServers": {"a": {"command": "x", "args": "y"}}}', "another type"),
        ('{"mcpServers": {"a": {"command": "x", "args": [1]}}}', "not a string"),
        ('{"mcpServers": {"a": {"command": "x", "command": "y"}}}', "twice"),
        ('{"mcpServers": {}, "mcpServers": {}}', "twice"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"A B": "1"}}}}', "not the name of a variable"),
        ('{"mcpServers": {"a": {"command": "x"}}} // no', ""),
    ],
    "codex": [
        ('mcp_servers = { a = { command = "x" } }\n', "not tables of their own"),
        ('mcp_servers.a.command = "x"\n', "not tables of their own"),
        ('[mcp_servers]\na = { command = "x" }\n', "not tables of their own"),
        ('[[mcp_servers]]\ncommand = "x"\n', "array of tables"),
        ('[mcp_servers.a]\nargs = []\n', "neither a command nor a URL"),
        ('[mcp_servers.a]\ncommand = ["x"]\n', "not a string"),
        ('[mcp_servers.a]\ncommand = "x"\nargs = [1]\n', "not a string"),
        ('[mcp_servers.a]\ncommand = "x"\ncommand = "y"\n', "twice"),
        ('[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a]\ncommand = "y"\n', "twice"),
        ('[mcp_servers.a]\n"comm\\u0061nd" = "x"\n', "cannot be read"),
        ('[mcp_servers.a]\ncommand = "x\n', "without an end"),
    ],
}


@test()
def an_unknown_form_is_refused_and_untouched(box):
    for agent, rows in UNKNOWN.items():
        for text, message in rows:
            path = put(box, agent, text)
            for command in ("install", "uninstall"):
                done = box.run_zs(command, "--mcp", agent, "--yes")
                done.expect(exit=65, stdout="", stderr=re.compile("line .*" + re.escape(message)))
                expect(read_bytes(path) == text.encode(), "was changed: %r" % text)


@test()
def a_variable_that_never_passes_is_refused(box):
    """The server would not start: zs run refuses it."""
    text = json.dumps({"mcpServers": {"a": {"command": "x", "env": {"PYTHONPATH": "/x"}}}})
    path = put(box, "claude", text)
    box.run_zs("install", "--mcp", "claude", "--yes").expect(exit=64, stderr=re.compile("PYTHONPATH: .* never passes"))
    expect(read_bytes(path) == text.encode(), "was changed")


@test()
def misuse_is_refused(box):
    path = put(box, "claude", CLAUDE)
    for argv, exit, message in (
        (["install", "--mcp"], 64, "write zs install --mcp AGENT"),
        (["install", "--mcp", "cursor"], 64, "does not know where Cursor keeps its servers"),
        (["install", "--mcp", "claude", "nobody"], 65, "nobody: no MCP server of this name"),
        (["install", "--mcp", "claude", "--confine"], 64, "write zs install --mcp"),
        (["install", "--mcp", "claude", "--print-policy"], 64, "write zs install --mcp"),
        (["install", "--mcp", "claude", "--setenv=A=\x1b[1m"], 64, "cannot contain this option"),
        (["install", "--mcp", "codex"], 65, "there is no such file"),
        (["install", "claude", "--rw=."], 64, "--rw: goes with --mcp"),
    ):
        box.run_zs(*argv, "--yes").expect(exit=exit, stderr=re.compile(re.escape(message)))
        expect(read_bytes(path) == CLAUDE.encode(), "was changed by %s" % argv)


# -------------------------------------------------------------------------------------------- the reference servers


def link(source, target):
    return os.link(source, target, follow_symlinks=False)


def reference(box):
    """The servers, where a user installs programs."""
    source, place = os.environ["ZS_TEST_SERVERS"], os.path.join(Box.scratch, "servers")
    if not os.path.isdir(place):
        others = lambda folder, _: ["adapters", "harbor"] if folder == source else []
        shutil.copytree(source, place, symlinks=True, ignore=others)
        subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    mine = os.path.join(box.folder("home/.local/lib"), "servers")
    if not os.path.isdir(mine):
        shutil.copytree(place, mine, symlinks=True, copy_function=link)
    return mine


def commands(box):
    """The server's entry in the agent's file, by name."""
    place = reference(box)
    python = ["PYTHONPATH=%s/site" % place, "/usr/bin/python3", "-m"]
    return {
        "filesystem": {"command": "node", "args": [
            place + "/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", box.root]},
        "git": {"command": "env", "args": [*python, "mcp_server_git", "--repository", box.work]},
        # Where it finds npm, it fetches packages when it is used first.
        "fetch": {"command": "env", "args": ["PATH=/nonexistent", *python, "mcp_server_fetch", "--ignore-robots-txt",
            "--allow-private-ips"]},
    }


class Wrapped(Server):
    """A server, started as an agent does by the entry in its file."""

    def __init__(self, box, path, name):
        with open(path) as file:
            entry = json.load(file)["mcpServers"][name]
        self.modern = False
        self.process = box.start([entry["command"], *entry.get("args", [])], env={**box.env, **entry.get("env", {})})
        self.buffer, self.messages, self.last = b"", [], 0
        self.ask("initialize", {**INITIALIZE, "protocolVersion": "2025-06-18"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def use(self, name, **arguments):
        """The result as text, and whether it is an error."""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return answer["error"]["message"], True
        result = answer["result"]
        return "".join(part.get("text", "") for part in result["content"]), bool(result.get("isError"))


def configure(box, name, *options, wrapped=True):
    path = put(box, "claude", json.dumps({"mcpServers": {name: commands(box)[name]}}, indent=2))
    if wrapped:
        box.run_zs("install", "--mcp", "claude", "--yes", *options).expect(exit=0)
    return path


@test(needs=NEEDS)
def the_filesystem_server_cannot_write_outside(box):
    """Its own check allows the box's root here, so that zs alone denies."""
    for wrapped in (False, True):
        path = configure(box, "filesystem", wrapped=wrapped)
        box.file("home/project/notes", "these are notes\n")
        with Wrapped(box, path, "filesystem") as server:
            text, error = server.use("read_text_file", path=box.work + "/notes")
            expect(not error and "these are notes" in text, "cannot read the workspace: %s" % text)
            for target in (box.home + "/loot", box.work + "/loot"):
                text, error = server.use("write_file", path=target, content="x")
                expect(error == wrapped and os.path.exists(target) != wrapped, "%s %s: %s" % (wrapped, target, text))
                if not wrapped:
                    os.unlink(target)
            text, error = server.use("read_text_file", path=box.key)
            expect(error == wrapped and ("SECRET" in text) != wrapped, "%s: the key: %s" % (wrapped, text))
    # With --rw . the workspace can be written, and nothing else.
    path = configure(box, "filesystem", "--rw=.")
    with Wrapped(box, path, "filesystem") as server:
        for target, wrong in ((box.work + "/loot", False), (box.home + "/loot", True)):
            text, error = server.use("write_file", path=target, content="x")
            expect(error == wrong and os.path.exists(target) != wrong, "%s: %s" % (target, text))


@test(needs=NEEDS)
def the_git_server_reads_the_repository(box):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@localhost.invalid"]
    box.file("home/project/notes", "these are notes\n")
    for argv in (["init", "-q"], ["add", "notes"], ["commit", "-qm", "the first change"]):
        box.run([*git, *argv]).expect(exit=0)
    head = os.path.join(box.work, ".git/HEAD")
    before = read_bytes(head)
    with Wrapped(box, configure(box, "git"), "git") as server:
        text, error = server.use("git_log", repo_path=box.work)
        expect(not error and "the first change" in text, text)
        text, error = server.use("git_create_branch", repo_path=box.work, branch_name="loot")
        expect(error, "the workspace is not read-only: %s" % text)
    expect(read_bytes(head) == before and "loot" not in box.run(["git", "branch"]).stdout, "the branch was made")
    with Wrapped(box, configure(box, "git", wrapped=False), "git") as server:
        text, error = server.use("git_create_branch", repo_path=box.work, branch_name="loot")
        expect(not error, "control: %s" % text)


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<html><body><p>hello from the page</p></body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@test(needs=NEEDS)
def the_fetch_server_reaches_its_host_alone(box):
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    port = web.server_address[1]
    url = "http://127.0.0.1:%d/" % port
    try:
        for options, wrapped, reaches in (([], False, True), ([], True, False),
                (["--host=127.0.0.1:%d" % port], True, True)):
            with Wrapped(box, configure(box, "fetch", *options, wrapped=wrapped), "fetch") as server:
                text, error = server.use("fetch", url=url)
                expect(error != reaches and ("hello from the page" in text) == reaches,
                    "%s %s: %s" % (wrapped, options, text))
    finally:
        web.shutdown()
