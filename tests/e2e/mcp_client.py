"""A client of zs mcp that speaks the protocol line by line."""

import contextlib
import json
import os
import select

from harness import TIMEOUT, Failure, expect

MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}}
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
FIELDS = {"verdict", "code", "reason", "hint", "output", "exit", "signal", "timed_out", "denials", "truncated",
    "duration_ms"}


class Server:
    """A server that the test speaks with line by line. Every line that it prints must be a message of the protocol."""

    def __init__(self, box, *options, modern=False, open=True, **popen):
        self.modern = modern
        self.process = box.start([box.zs, "mcp", *options], **popen)
        self.buffer, self.messages, self.last = b"", [], 0
        if open and not modern:
            self.ask("initialize", INITIALIZE)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def request(self, method, params=None, id=None, meta=None):
        """Sends a request. Returns its id."""
        self.last += 1
        id = self.last if id is None else id
        params = dict(params or {})
        meta = {**(META if self.modern else {}), **(meta or {})}
        if meta:
            params["_meta"] = meta
        self.send({"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params else {})})
        return id

    def call(self, command, meta=None, id=None, **arguments):
        return self.request("tools/call", {"name": "bash", "arguments": {"command": command, **arguments}}, id, meta)

    def cancel(self, id):
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})

    def read(self):
        """Returns the next message."""
        while b"\n" not in self.buffer:
            expect(select.select([self.process.stdout], [], [], TIMEOUT)[0],
                "the server says nothing; so far: %s" % self.messages[-3:])
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise Failure("the server has ended: %r" % self.process.stderr.read())
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\n", 1)
        message = json.loads(line.decode())
        # It is one line even to clients that end a line at Unicode's line ends, as Node's readline does.
        expect(message.get("jsonrpc") == "2.0" and len(line.decode().splitlines()) == 1, "no message: %r" % line)
        self.messages.append(message)
        return message

    def until(self, condition):
        while True:
            message = self.read()
            if condition(message):
                return message

    def answer(self, id):
        for message in self.messages:
            if "method" not in message and message["id"] == id:
                return message
        return self.until(lambda message: "method" not in message and message["id"] == id)

    def ask(self, *arguments, **options):
        return self.answer(self.request(*arguments, **options))

    def run(self, command, **options):
        """Checks the shape of the answer. Returns result and structured content."""
        result = self.answer(self.call(command, **options))["result"]
        structured = result["structuredContent"]
        expect(set(structured) == FIELDS and [part["type"] for part in result["content"]] == ["text"],
            "shape: %s" % result)
        expect(not structured["output"] or result["content"][0]["text"].startswith(structured["output"]),
            "two outputs: %s" % result)
        return result, structured

    def alive(self):
        self.answer(self.request("tools/list"))

    def end(self):
        """Ends the server's input. Returns exit status and stderr."""
        self.process.stdin.close()
        status = self.process.wait(TIMEOUT)
        return status, self.process.stderr.read().decode()
