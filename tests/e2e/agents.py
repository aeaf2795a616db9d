"""Real clients. A test runs each with a scratch HOME and a mock model (tests/agents), on loopback alone.

.ci/run installs them, as tests/agents/package-lock.json says, into the folder that ZS_TEST_AGENTS names:

    npm ci --prefix FOLDER --ignore-scripts
"""

import json
import os
import subprocess
import sys

from harness import PATH, REPOSITORY, Box, Failure, expect, test

ALONE = os.path.join(REPOSITORY, "tests", "agents", "alone.py")
TIMEOUT = 120
ASK = "Do what has to be done"
MODEL = "http://127.0.0.1:8765"  # tests/agents/mock_model.py
NEEDS = ["agents", "sandbox", "curl", "iproute"]
HARM = "echo harm > ../loot"
TOLD = "redirects output to the file '"
CANARY = "curl -sS -m 10 %s/canary/" % MODEL
OUTSIDE = "hello from outside"


def modules():
    return os.path.join(Box.scratch, "agents", "node_modules")


def environment(box):
    return {**box.env, "PATH": "%s/.bin:%s" % (modules(), PATH)}


def alone(box, argv, env, moves=(), tool=None, trust=False):
    """The report of alone.py about a client's run."""
    agents = os.path.join(Box.scratch, "agents")
    os.makedirs(agents, exist_ok=True)
    request = {"argv": argv, "env": env, "cwd": box.work, "uid": box.user.uid, "timeout": TIMEOUT, "moves": moves,
        "tool": tool, "bind": [os.environ["ZS_TEST_AGENTS"], agents], "trust": trust}
    unshare = ["unshare", "--net", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
    done = subprocess.run([*unshare, "--", sys.executable, "-B", ALONE], input=json.dumps(request), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=2 * TIMEOUT)
    if done.returncode != 0:
        raise Failure("%s was not run: %s" % (argv[0], done.stderr))
    return json.loads(done.stdout)


class Client:
    """The parts that all clients share. A subclass knows how its client is started, and where the client finds its
    model."""

    name = None
    trust = False  # the client must be told to trust its hooks

    def __init__(self, box, zs=None):
        self.box = box
        self.zs = zs or box.zs
        self.env = {**environment(box), "TERM": "dumb",
            "TMPDIR": box.home + "/tmp", "XDG_CONFIG_HOME": box.home + "/.config",
            "XDG_CACHE_HOME": box.home + "/.cache", "XDG_DATA_HOME": box.home + "/.data",
            "XDG_STATE_HOME": box.home + "/.state"}
        box.folder("home/tmp")
        self.installed = False
        self.configure()

    def configure(self):
        raise NotImplementedError

    def argv(self):
        raise NotImplementedError

    def write(self, name, content):
        """Writes a file in HOME."""
        self.box.file("home/" + name, content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")

    def install(self, *options):
        """Installs the hook as a user does."""
        options = options or ["--no-confine"]
        self.box.run([self.zs, "install", self.name, "--yes", *options], add_env=self.env).expect(exit=0)
        self.installed = True

    def state(self):
        """The state of the hook, as zs lists it."""
        listed = self.box.run([self.zs, "install", "--list"], add_env=self.env).expect(exit=0).stdout
        return next(line.split() for line in listed.splitlines() if line.split()[0] == self.name)[3]

    def configure_mcp(self, server):
        """Adds a server, given as its command and arguments, and trusts it."""
        raise NotImplementedError

    def run(self, *moves, tool=None):
        """Runs the client, whose model asks for these commands in turn. Returns the results that the model was told."""
        self.report = alone(self.box, self.argv(), self.env, moves, tool, self.trust and self.installed)
        self.results = max((turn["results"] for turn in self.report["turns"]), key=len, default=[])
        expect(len(self.results) == len(moves),
            "the model was told %d results of %d: %s" % (len(self.results), len(moves), self))
        return self.results

    def reached(self):
        """The requests that reached the listener outside."""
        return self.report["canaries"]

    def __str__(self):
        return "%s\n    results %s\n    tools %s\n    exit %s, strange %s\n    stdout %s\n    stderr %s" % (self.name,
            json.dumps(self.results, indent=2, ensure_ascii=False), [turn["tools"] for turn in self.report["turns"]],
            self.report["exit"], self.report["strange"],
            self.report["stdout"][-3000:], self.report["stderr"][-3000:])


class Codex(Client):
    name = "codex"
    trust = True

    def configure(self):
        self.env["CODEX_HOME"] = self.box.home + "/.codex"
        self.settings = """
model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
""" % MODEL
        self.write(".codex/config.toml", self.settings)

    def configure_mcp(self, server):
        self.write(".codex/config.toml", self.settings + "[mcp_servers.zs]\ncommand = %s\nargs = %s\n" % (
            json.dumps(server[0]), json.dumps(server[1:])))

    def argv(self):
        return ["codex", "exec", "--skip-git-repo-check", ASK]


class Gemini(Client):
    name = "gemini"
    auth = "gemini-api-key"
    variables = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": MODEL, "GEMINI_CLI_NO_RELAUNCH": "true"}
    server_options = {"trust": True}
    options = ["-m", "gemini-2.5-flash"]

    def configure(self):
        self.env.update(self.variables)
        self.settings = {
            "security": {"auth": {"selectedType": self.auth}, "folderTrust": {"enabled": False}},
            "telemetry": {"enabled": False},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
            # With a terminal of its own the client loses the output of commands that end at once.
            "tools": {"shell": {"enableInteractiveShell": False}},
        }
        self.write(".%s/settings.json" % self.name, self.settings)

    def configure_mcp(self, server):
        server = {"command": server[0], "args": server[1:], **self.server_options}
        self.write(".%s/settings.json" % self.name, {**self.settings, "mcpServers": {"zs": server}})

    def argv(self):
        return [self.name, "--approval-mode", "yolo", *self.options, "-p", ASK]


class Qwen(Gemini):
    """A fork of Gemini CLI."""

    name = "qwen"
    auth = "openai"
    variables = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": MODEL + "/v1", "OPENAI_MODEL": "mock"}
    server_options = {"trust": True, "alwaysLoadTools": True}
    options = []


class Opencode(Client):
    name = "opencode"

    def configure(self):
        self.env.update({"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"})
        self.settings = {
            "autoupdate": False, "share": "disabled", "snapshot": False,
            "permission": {"bash": "allow", "external_directory": "allow"},
            "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "mock",
                "options": {"baseURL": MODEL + "/v1", "apiKey": "none"},
                "models": {"mock": {"name": "mock", "tool_call": True, "limit": {"context": 128000, "output": 8000}}}}},
            "model": "mock/mock", "small_model": "mock/mock",
        }
        self.write(".config/opencode/opencode.json", self.settings)
        # The client fetches this package, for its types, and retries for long without a network. These files tell it
        # that the package is there. Plugins that are no packages do not need it.
        self.write(".config/opencode/package-lock.json",
            {"packages": {"": {"dependencies": {"@opencode-ai/plugin": "1.18.33"}}}})
        self.box.folder("home/.config/opencode/node_modules")

    def configure_mcp(self, server):
        server = {"type": "local", "command": server, "enabled": True}
        self.write(".config/opencode/opencode.json", {**self.settings, "mcp": {"zs": server}})

    def argv(self):
        # The program that the npm package launches. A script of the package would make a link to it, but no script is
        # run here.
        return [os.path.join(modules(), "opencode-linux-x64-baseline/bin/opencode"), "run", "--print-logs", ASK]


class Claude(Client):
    name = "claude"

    def configure(self):
        self.env.update({"ANTHROPIC_BASE_URL": MODEL, "ANTHROPIC_API_KEY": "none", "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"})
        self.options = ["--allowedTools", "Bash"]

    def configure_mcp(self, server):
        server = {"command": server[0], "args": server[1:]}
        self.write("mcp.json", {"mcpServers": {"zs": server}})
        self.options = ["--mcp-config", self.box.home + "/mcp.json", "--disallowedTools", "Bash", "--allowedTools",
            "mcp__zs__bash"]

    def argv(self):
        return [os.path.join(modules(), "@anthropic-ai/claude-code-linux-x64/claude"), "--model", "mock", "-p", ASK,
            *self.options]


CLIENTS = (Codex, Gemini, Opencode, Qwen, Claude)
SLOW = (Opencode, Qwen)


# ---------------------------------------------------------------------------------------------- what tests share


def for_each_client(once=(), but=()):
    """once: clients that only one of the users runs."""

    def register(function):
        for client in CLIENTS:
            if client in but:
                continue

            def one(box, client=client):
                function(box, client)

            one.__name__ = "%s_%s" % (client.name, function.__name__)
            test(needs=NEEDS, once=client in once)(one)
        return function

    return register


def there(box, name):
    return os.path.lexists(os.path.join(box.work, name))


def expect_denied(box, result, client):
    expect(not there(box, "../loot"), "the harm was done", client)
    expect(TOLD in result, "the model was not told why it was denied", client)
