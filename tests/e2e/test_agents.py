"""Real agents with a mock model that asks for commands: which commands run, and what the model is told.

One client process tests as much as it can, since the start of a client takes most of the time.
"""

import os
import shutil

from agents import CANARY, CLIENTS, HARM, NEEDS, OUTSIDE, SLOW, Qwen, expect_denied, for_each_client, there
from harness import expect, test

@for_each_client(once=CLIENTS)
def runs_everything_without_a_hook(box, client):
    """The control of all tests that follow: the agent obeys the mock model."""
    client = client(box)
    client.run(HARM)
    expect(there(box, "../loot"), "the harm was not done without zs either", client)


@test(needs=NEEDS, once=True, slow=True)
def qwen_hears_no(box):
    """Only for Qwen Code: on a loaded machine it sometimes loses the output of a command that did run."""
    client = Qwen(box)
    client.install()
    denied, _ = client.run(HARM, "touch allowed")
    expect_denied(box, denied, client)
    expect(there(box, "allowed"), "an allowed command did not run", client)


@for_each_client(but=[Qwen])
def hears_the_hook(box, client):
    client = client(box)
    client.install()
    denied, allowed, secret, network = client.run(HARM, "echo one; echo two | tr a-z A-Z", "cat " + box.key,
        CANARY + "open")
    expect_denied(box, denied, client)
    expect("one\nTWO" in allowed, "an allowed command's output did not reach the model", client)
    # The control of the next checks.
    expect("SECRET KEY" in secret, "the secret was not read without --confine either", client)
    expect(OUTSIDE in network and client.reached() == ["open"], "the listener was not reached either", client)
    expect(client.state() == "active", "zs install --list calls the hook that works %s" % client.state(), client)


@for_each_client(once=SLOW, but=[Qwen])
def confines(box, client):
    client = client(box)
    client.install("--confine")
    odd = "echo \"it's one\"\ntouch made\nprintf '%s\\n' 'tw\\o' $((1+2))"
    denied, allowed, secret, network = client.run(HARM, odd, "cat " + box.key, CANARY + "confined")
    expect_denied(box, denied, client)
    expect("it's one\ntw\\o\n3" in allowed and there(box, "made"), "the command did not run as it was written", client)
    expect("SECRET KEY" not in secret and "No such file" in secret, "the secret was not kept", client)
    expect(OUTSIDE not in network and client.reached() == [], "the listener outside was reached", client)


BROKEN = """#!/bin/sh
# Fails in another way each time; the last time it is not there.
echo >> "$0.calls"
case $(wc -l < "$0.calls") in
1) exit 1 ;;
2) echo nonsense; exit 1 ;;
3) rm "$0"; kill -SEGV $$ ;;
esac
"""


@for_each_client(once=CLIENTS)
def runs_nothing_without_an_answer(box, client):
    zs = box.file("outside/zs", mode=0o755)
    shutil.copyfile(box.zs, zs)
    client = client(box, zs)
    client.install()
    box.file("outside/zs", BROKEN)
    os.chmod(zs, 0o755)
    client.run(*("echo %d; touch ran-%d" % (number, number) for number in range(4)))
    ran = [name for name in os.listdir(box.work) if name.startswith("ran")]
    expect(not os.path.exists(zs), "the hook was not called", client)
    expect(not ran, "ran without a hook's answer: %s" % ran, client)
    for result in client.results:
        expect("zs" in result or "nonsense" in result, "the model was not told by whom it was denied", client)
