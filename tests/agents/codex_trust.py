"""Codex runs a hook only once its user has trusted it (by its hash); in the terminal that is /hooks. This does the same
through codex app-server, whose JSON-RPC has a method for either half."""

import json
import subprocess


class Server:
    def __init__(self, codex, options):
        self.process = subprocess.Popen([codex, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, **options)
        self.calls = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def call(self, method, params):
        self.calls += 1
        self.send({"id": self.calls, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.calls:
                return answer["result"]
        raise EOFError("codex app-server ended before it answered " + method)

    def close(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def trust(codex, folder, options):
    server = Server(codex, options)
    server.call("initialize", {"clientInfo": {"name": "zs", "title": "zs", "version": "0"}})
    server.send({"method": "initialized"})
    listed = server.call("hooks/list", {"cwds": [folder]})["data"]
    hooks = [hook for entry in listed for hook in entry["hooks"]]
    if not hooks:
        raise LookupError("codex sees no hooks: %s" % listed)
    state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
    server.call("config/batchWrite", {"edits": [{"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}]})
    server.close()
