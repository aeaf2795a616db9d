"""The proxy as on macOS (sandbox/proxy/plain: poll, memory, fcntl), tested on Linux: runs tests of test_hosts.py with a
zs that is built with these instead of epoll, splice and accept4."""

import os
import shutil

import harness
import test_hosts
from harness import expect, read
from network import GOOD, NEEDS, Run

CHOSEN = ("a_listed_host_is_reached_by_each_way", "what_servers_say_first_is_heard",
    "bodies_pass_whole_in_both_directions", "nothing_passes_behind_a_body", "an_unlisted_host_is_not_reached",
    "names_do_not_lead_to_private_addresses", "tls_names_the_host_that_was_asked_for",
    "malformed_requests_are_answered_and_reach_nothing", "socks_takes_addresses_and_names",
    "an_answer_that_is_too_long_for_a_datagram_is_asked_for_again", "a_proxy_that_was_killed_is_shut",
    "the_proxy_ends_with_the_run", "many_connections_are_held_and_no_more_than_the_limit",
    "transfers_that_nobody_reads_take_little_of_the_machine")


def put_program(box):
    path = os.path.join(harness.Box.scratch, "zs-plain-proxy")
    if not os.path.exists(path):
        shutil.copy(os.environ["ZS_TEST_PLAIN_PROXY"], path)
        os.chmod(path, 0o755)
    box.zs = path


def with_plain_proxy(function):
    def run(box):
        put_program(box)
        function(box)

    return run


def the_plain_proxy_has_nothing_of_the_other(box):
    """Shows that the tests above really use this proxy. The control: the same check of zs itself."""
    script = "curl -sS http://%s/" % GOOD
    calls = ("accept", "accept4", "epoll_wait", "epoll_pwait", "poll", "splice")

    def made():
        log = os.path.join(box.work, "calls")
        argv = ["strace", "-f", "-qq", "-o", log, "-e", "trace=" + ",".join(calls), "--", box.zs]
        path = os.path.join(box.work, "zs")
        with open(path, "w") as file:
            file.write("#!/bin/sh\nexec %s \"$@\"\n" % " ".join(argv))
        os.chmod(path, 0o755)
        box.zs, was = path, box.zs
        Run(box, [GOOD], script).expect(exit=0, stdout="hello from good\n")
        box.zs = was
        text = read(log)
        return {call for call in calls if " %s(" % call in text}

    want = made()
    put_program(box)
    have = made()
    expect({"accept4", "splice"} <= want and not {"accept4", "epoll_wait", "epoll_pwait", "splice"} & have and
        {"accept", "poll"} <= have, "zs: %s; with the plain proxy: %s" % (want, have))


known = {name: (function, needs) for name, function, needs, *_ in harness.TESTS if function.__module__ == "test_hosts"}
harness.TESTS[:] = [("plain_" + name, with_plain_proxy(known[name][0]), known[name][1] + ["plain-proxy"], True, False)
    for name in CHOSEN]
harness.TESTS.append(("the_plain_proxy_has_nothing_of_the_other", the_plain_proxy_has_nothing_of_the_other,
    [*NEEDS, "plain-proxy", "strace", "root"], True, False))
