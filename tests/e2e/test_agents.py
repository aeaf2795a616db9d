"""Real agents, each with a mock model that asks for commands: what runs, and what the model is told."""

import os

from agents import CLIENTS, MODEL
from harness import Failure, main, test

NEEDS = ["agents", "sandbox", "curl", "iproute"]
HARM = "echo harm > loot"
CANARY = "curl -sS -m 10 %s/canary/" % MODEL
OUTSIDE = "hello from outside"


def for_each_client(once=False):
    def register(function):
        for client in CLIENTS:
            def one(box, client=client):
                function(box, client)

            one.__name__ = "%s_%s" % (client.name, function.__name__)
            test(needs=NEEDS, once=once)(one)
        return function

    return register


def there(box, name):
    return os.path.lexists(os.path.join(box.work, name))


def expect(condition, what, client):
    if not condition:
        raise Failure("%s: %s" % (what, client))


@for_each_client(once=True)
def runs_everything_without_a_hook(box, client):
    """The control of all that follows: the mock model is obeyed."""
    client = client(box)
    client.run(HARM)
    expect(there(box, "loot"), "the harm was not done without zs either", client)


if __name__ == "__main__":
    main()
