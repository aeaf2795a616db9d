"""zs mcp under real clients: agents whose mock model calls its tool, the inspector, and the SDK."""

import json
import os
import random

from agents import (ALONE, CANARY, HARM, NEEDS, OUTSIDE, SLOW, TOLD, alone, environment, expect, expect_denied,
    for_each_client, modules, there)
from harness import Failure, main, test


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
    """Clients of either era of the protocol, and of both."""
    for era in ("modern", "auto", "legacy"):
        for command, code, is_error, text in (("echo it is here", 0, False, "it is here"), (HARM, 5, True, TOLD)):
            report = alone(box, ["mcp-inspector", "--cli", "--protocol-era", era, box.zs, "mcp", "--method",
                "tools/call", "--tool-name", "bash", "--tool-arg", "command=" + command], environment(box))
            if report["exit"] != code:
                raise Failure("%s %s: exit %s: %s" % (era, command, report["exit"], report))
            result = json.loads(report["stdout"])
            if result["isError"] != is_error or text not in result["content"][0]["text"]:
                raise Failure("%s %s: %s" % (era, command, result))
    if there(box, "loot"):
        raise Failure("the harm was done")


@test(needs=NEEDS, slow=True)
def the_sdk_calls_it_and_cancels(box):
    with open(os.path.join(os.path.dirname(ALONE), "mcp_sdk.mjs")) as file:
        script = box.file("outside/mcp_sdk.mjs", file.read())
    number = str(random.randrange(10**8, 10**9))
    report = alone(box, ["node", script, modules(), number, box.zs], environment(box))
    if report["exit"] != 0:
        raise Failure(report["stderr"])
    seen = json.loads(report["stdout"])
    text = {name: seen[name]["content"][0]["text"] for name in ("allowed", "denied", "failed", "after")}
    if seen["tools"] != ["bash"] or not seen["cancelled"]:
        raise Failure(seen)
    if seen["allowed"].get("isError") or "one" not in text["allowed"] or "two" not in text["after"]:
        raise Failure(seen)
    if not seen["denied"]["isError"] or TOLD not in text["denied"] or there(box, "loot"):
        raise Failure(seen)
    if seen["failed"]["structuredContent"]["exit"] != 2 or "nowhere" not in text["failed"]:
        raise Failure(seen)


if __name__ == "__main__":
    main()
