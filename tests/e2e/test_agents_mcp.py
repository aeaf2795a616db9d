"""zs mcp under real clients: agents whose mock model calls its tool, the inspector, and the SDK."""

import json
import os
import random

from agents import (ALONE, CANARY, HARM, NEEDS, OUTSIDE, SLOW, TOLD, alone, environment, expect_denied,
    for_each_client, modules, there)
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
    expect(not there(box, "loot"), "the harm was done")


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
    expect(seen["denied"]["isError"] and TOLD in text["denied"] and not there(box, "loot"), seen)
    expect(seen["failed"]["structuredContent"]["exit"] == 2 and "nowhere" in text["failed"], seen)
