"""zs mcp under real clients: agents whose mock model calls its tool, the inspector, and the SDK."""

import json
import os
import random

from agents import (ALONE, CANARY, HARM, NEEDS, OUTSIDE, SLOW, TOLD, Claude, Opencode, alone, environment,
    expect_denied, for_each_client, modules, there)
from harness import Failure, expect, read, test


@for_each_client(once=SLOW)
def has_a_confined_tool(box, client):
    client = client(box)
    client.configure_mcp([box.zs, "mcp"])
    denied, allowed, secret, network = client.run(HARM, "echo one; echo two | tr a-z A-Z", "cat " + box.key,
        CANARY + "confined", tool=r"zs.*bash$")
    expect_denied(box, denied, client)
    expect("one" in allowed and "TWO" in allowed, "its output did not reach the model", client)
    expect("SECRET KEY" not in secret and "No such file" in secret, "the secret was not kept", client)
    expect(OUTSIDE not in network and client.reached() == [], "the listener outside was reached", client)


# A server that runs what it is told, as one that was taken over would.
SERVER = """
import json, subprocess, sys
TOOL = {"name": "bash", "description": "runs a command", "inputSchema": {"type": "object", "required": ["command"],
    "properties": {"command": {"type": "string"}}}}
for line in sys.stdin:
    asked = json.loads(line)
    method, params = asked.get("method"), asked.get("params") or {}
    if "id" not in asked or "result" in asked:
        continue
    result = {}
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "probe", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [TOOL]}
    elif method == "tools/call":
        done = subprocess.run(["sh", "-c", params["arguments"]["command"]], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        result = {"content": [{"type": "text", "text": done.stdout + "exit %d" % done.returncode}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@for_each_client(once=SLOW, but=(Opencode, ))
def starts_its_server_confined(box, client):
    """zs install --mcp wraps it; uninstall gives it back all that it could reach."""
    client = client(box)
    server = ["/usr/bin/python3", box.file("home/.local/lib/probe.py", SERVER)]
    client.configure_mcp(server)
    if isinstance(client, Claude):
        client.write(".claude.json", {"mcpServers": {"zs": {"command": server[0], "args": server[1:]}}})
        # The server is awaited, and its tool is offered at once.
        client.env.update({"MCP_CONNECTION_NONBLOCKING": "0", "ENABLE_TOOL_SEARCH": "0"})
        client.options = ["--disallowedTools", "Bash", "--allowedTools", "mcp__zs__bash"]
    for wrapped in (True, False):
        command = "install" if wrapped else "uninstall"
        box.run([box.zs, command, "--mcp", client.name, "--yes"], add_env=client.env).expect(exit=0)
        seen, secret, written, _ = client.run("echo seen", "cat " + box.key, "echo loot > loot", CANARY + "server",
            tool=r"zs.*bash$")
        expect("seen" in seen, "the server was not started", client)
        expect(("SECRET KEY" in secret) != wrapped, "%s: the secret" % command, client)
        expect(there(box, "loot") != wrapped, "%s: the workspace: %s" % (command, written), client)
        expect((client.reached() == []) == wrapped, "%s: the listener outside" % command, client)


@test(needs=NEEDS, once=True, slow=True)
def the_inspector_calls_it(box):
    """Clients that speak the old protocol, the new one, or both."""
    for era in ("modern", "auto", "legacy"):
        for command, code, is_error, text in (("echo it is here", 0, False, "it is here"), (HARM, 5, True, TOLD)):
            report = alone(box, ["mcp-inspector", "--cli", "--protocol-era", era, box.zs, "mcp", "--method",
                "tools/call", "--tool-name", "bash", "--tool-arg", "command=" + command], environment(box))
            expect(report["exit"] == code, "%s %s: exit %s: %s" % (era, command, report["exit"], report))
            result = json.loads(report["stdout"])
            expect(result["isError"] == is_error and text in result["content"][0]["text"],
                "%s %s: %s" % (era, command, result))
    expect(not there(box, "../loot"), "the harm was done")


@test(needs=NEEDS, slow=True)
def the_sdk_calls_it_and_cancels(box):
    script = box.file("outside/mcp_sdk.mjs", read(os.path.join(os.path.dirname(ALONE), "mcp_sdk.mjs")))
    number = str(random.randrange(10**8, 10**9))
    report = alone(box, ["node", script, modules(), number, box.zs], environment(box))
    if report["exit"] != 0:
        raise Failure(report["stderr"])
    seen = json.loads(report["stdout"])
    text = {name: seen[name]["content"][0]["text"] for name in ("allowed", "denied", "failed", "after")}
    expect(seen["tools"] == ["bash"] and seen["cancelled"], seen)
    expect(not seen["allowed"].get("isError") and "one" in text["allowed"] and "two" in text["after"], seen)
    expect(seen["denied"]["isError"] and TOLD in text["denied"] and not there(box, "../loot"), seen)
    expect(seen["failed"]["structuredContent"]["exit"] == 2 and "nowhere" in text["failed"], seen)
