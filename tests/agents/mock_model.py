"""A model on loopback that follows a script: a shell tool is called once for each command in turn, then it ends.

Each wire protocol is a file of its own with three things: PATH, the pattern of its requests' paths; asked(body), which
reads a request; and answer(path, body, move), which writes what the model says. A move is a Call or a text.

Requests that offer no tools (a title for the session, a summary) get a text. Everything that was asked is recorded:
what the model was told is what the test looks at. A GET of /canary/NAME is recorded too: it is the listener outside.
In the network of alone.py every port is free, so it is always the same one.
"""

import collections
import http.server
import itertools
import json
import re
import socketserver
import threading

import mock_chat
import mock_gemini
import mock_messages
import mock_responses

PROTOCOLS = (mock_responses, mock_chat, mock_messages, mock_gemini)
PORT = 8765
# By which name a client offers its shell; a server's tool has the server's name in front.
SHELL = re.compile(r"^(exec_command|shell_command|bash|Bash|run_shell_command)$")
COMMAND_KEYS = ("command", "cmd")

Call = collections.namedtuple("Call", "id name space arguments")
Asked = collections.namedtuple("Asked", "tools results")  # tools: by name, each (space, schema); results: texts


def fill(schema, move):
    """Arguments that the tool's schema takes; move: the command, or arguments with the command among them."""
    properties = (schema or {}).get("properties") or {}
    given = dict(move) if isinstance(move, dict) else {"command": move}
    key = next((key for key in COMMAND_KEYS if key in properties), "command")
    command = given.pop("command")
    given[key] = ["bash", "-c", command] if properties.get(key, {}).get("type") == "array" else command
    # Codex hands over the output that there is after ten seconds; a loaded machine needs more.
    if "yield_time_ms" in properties:
        given.setdefault("yield_time_ms", 30000)
    blank = {"boolean": False, "number": 10, "integer": 10, "array": [], "object": {}}
    for name in (schema or {}).get("required") or []:
        kind = properties.get(name, {}).get("type", "string")
        given.setdefault(name, blank.get(kind, "as the script says"))
    return given


class Script:
    """The model's requests, and the answers that it got."""

    def __init__(self, moves, tool=None):
        self.moves = moves
        self.tool = re.compile(tool) if tool else SHELL
        self.turns, self.canaries, self.strange = [], [], []
        self.ids = itertools.count(1)

    def next_move(self, asked):
        if not asked.tools:
            return "A title"
        self.turns.append({"tools": sorted(asked.tools), "results": asked.results})
        if len(asked.results) >= len(self.moves):
            return "That is all."
        name = next((name for name, (space, _) in asked.tools.items() if self.tool.search((space or "") + name)), None)
        if name is None:
            return "There is no tool named like that."
        space, schema = asked.tools[name]
        return Call("call_%d" % next(self.ids), name, space, fill(schema, self.moves[len(asked.results)]))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, kind, body, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/canary/"):
            self.server.script.canaries.append(self.path[len("/canary/") :])
            return self.send("text/plain", b"hello from outside\n")
        self.server.script.strange.append("GET " + self.path)
        return self.send("application/json", b'{"object":"list","data":[],"models":[]}')

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        for protocol in PROTOCOLS:
            if not re.search(protocol.PATH, self.path):
                continue
            body = json.loads(text)
            with self.server.lock:
                tools, results = protocol.asked(body)
                move = self.server.script.next_move(Asked(tools, results))
            return self.send(*protocol.answer(self.path, body, move))
        self.server.script.strange.append("POST %s %s" % (self.path, text[:200]))
        return self.send("application/json", b"{}", 404)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def serve(script):
    server = Server(("127.0.0.1", PORT), Handler)
    server.script, server.lock = script, threading.Lock()
    threading.Thread(target=server.serve_forever, daemon=True).start()
