"""Real clients, each as a test runs it: with a scratch HOME, beside a mock model (tests/agents), on loopback alone.

.ci/run installs them by tests/agents/package-lock.json into the folder that ZS_TEST_AGENTS then names:

    npm ci --prefix FOLDER --ignore-scripts
"""

import json
import os
import subprocess
import sys

from harness import PATH, REPOSITORY, Box, Failure

ALONE = os.path.join(REPOSITORY, "tests", "agents", "alone.py")
TIMEOUT = 120
ASK = "Do what has to be done"
MODEL = "http://127.0.0.1:8765"  # tests/agents/mock_model.py


class Client:
    """What is the same for all. A subclass says how its client is started, and where it looks for the model."""

    name = None
    trust = False  # has to be told to trust its hooks

    def __init__(self, box, zs=None):
        self.box = box
        self.zs = zs or box.zs
        self.agents = os.path.join(Box.scratch, "agents")
        self.modules = os.path.join(self.agents, "node_modules")
        self.env = {**box.env, "PATH": "%s/.bin:%s" % (self.modules, PATH), "TERM": "dumb",
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
        """A file in HOME."""
        folder = ""
        for part in name.split("/")[:-1]:
            folder = os.path.join(folder, part)
            if not os.path.isdir(os.path.join(self.box.home, folder)):
                self.box.folder("home/" + folder)
        self.box.file("home/" + name, content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")

    def install(self, *options):
        """Its hook, as a user has it written."""
        self.box.run([self.zs, "install", self.name, "--yes", *options], add_env=self.env).expect(exit=0)
        self.installed = True

    def run(self, *moves, tool=None):
        """The client, whose model asks for these commands in turn. Each result, as the model was told it."""
        os.makedirs(self.agents, exist_ok=True)
        request = {"argv": self.argv(), "env": self.env, "cwd": self.box.work, "uid": self.box.user.uid,
            "timeout": TIMEOUT, "moves": moves, "tool": tool, "bind": [os.environ["ZS_TEST_AGENTS"], self.agents],
            "trust": self.trust and self.installed}
        unshare = ["unshare", "--net", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        done = subprocess.run([*unshare, "--", sys.executable, "-B", ALONE], input=json.dumps(request), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=2 * TIMEOUT)
        if done.returncode != 0:
            raise Failure("%s was not run: %s" % (self.name, done.stderr))
        self.report = json.loads(done.stdout)
        self.results = max((turn["results"] for turn in self.report["turns"]), key=len, default=[])
        if len(self.results) != len(moves):
            raise Failure("the model was told %d results of %d: %s" % (len(self.results), len(moves), self))
        return self.results

    def reached(self):
        """What was asked of the listener outside."""
        return self.report["canaries"]

    def __str__(self):
        return "%s\n    results %s\n    exit %s, strange %s\n    stdout %s\n    stderr %s" % (self.name,
            json.dumps(self.results, indent=2, ensure_ascii=False), self.report["exit"], self.report["strange"],
            self.report["stdout"][-3000:], self.report["stderr"][-3000:])


class Codex(Client):
    name = "codex"
    trust = True

    def configure(self):
        self.env["CODEX_HOME"] = self.box.home + "/.codex"
        self.write(".codex/config.toml", """
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
""" % MODEL)

    def argv(self):
        return ["codex", "exec", "--skip-git-repo-check", ASK]


class Gemini(Client):
    name = "gemini"

    def configure(self):
        self.env.update({"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": MODEL, "GEMINI_CLI_NO_RELAUNCH": "true"})
        self.write(".gemini/settings.json", {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "telemetry": {"enabled": False},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        })

    def argv(self):
        return ["gemini", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p", ASK]


class Opencode(Client):
    name = "opencode"

    def configure(self):
        self.env.update({"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"})
        self.write(".config/opencode/opencode.json", {
            "autoupdate": False, "share": "disabled", "snapshot": False,
            "permission": {"bash": "allow", "external_directory": "allow"},
            "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "mock",
                "options": {"baseURL": MODEL + "/v1", "apiKey": "none"},
                "models": {"mock": {"name": "mock", "tool_call": True, "limit": {"context": 128000, "output": 8000}}}}},
            "model": "mock/mock", "small_model": "mock/mock",
        })

    def argv(self):
        # What its npm package launches, by a link that a script of the package makes; no script is run here.
        return [os.path.join(self.modules, "opencode-linux-x64-baseline/bin/opencode"), "run", "--print-logs", ASK]


CLIENTS = (Codex, Gemini, Opencode)
