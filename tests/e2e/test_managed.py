"""The machine's own settings, /etc/zs/settings.json: users, projects, options and policy files can only narrow them."""

import json
import os

from harness import expect, test
from managed import run_managed
from settings_files import project_settings, trust, user_settings

NEEDS = ["sandbox", "own-etc"]


def policy_file(box, **fields):
    return box.file("home/policy.json", json.dumps({"version": 1, "workspace": {"root": box.work, "access": "write"},
        "path_lists": {}, **fields}))


def shown(box, settings, *options, **more):
    out = run_managed(box, settings, "policy", "show", "--json", *options, **more).expect(exit=0).stdout
    return json.loads(out)


def entries(box, settings, *options, **more):
    return {(entry["field"], entry["value"]): entry["source"] + (":%d" % entry["line"] if entry["line"] else "")
        for entry in shown(box, settings, *options, **more)["entries"]}


@test(needs=NEEDS)
def a_hidden_path_stays_hidden(box):
    """Each way in which a user could open it again."""
    secret = box.file("shared/secrets/key", "SECRET\n")
    shared, secrets = os.path.dirname(os.path.dirname(secret)), os.path.dirname(secret)
    forced = {"hide": [secrets]}
    cat = ("--", "cat", secret)
    # The control: without the file the user's grant opens it.
    box.run_zs("run", "--ro", shared, *cat).expect(stdout="SECRET\n")
    user_settings(box, {"additional_read_only_paths": [shared]})
    for options in ((), ("--no-settings", "--ro", shared), ("--policy", policy_file(box,
            paths=[{"path": shared, "access": "read"}])), ("--without", "hide", "--rw", shared)):
        result = run_managed(box, forced, "run", *options, *cat)
        expect(result.exit == 1 and "SECRET" not in result.stdout and "Permission denied" in result.stderr, options,
            result)
    # A grant inside it would open a part of it. The error names both.
    for options in (("--ro", secret), ("--ro", secrets), ("--policy", policy_file(box,
            paths=[{"path": secret, "access": "read"}])), ("--socket", secrets + "/socket")):
        run_managed(box, forced, "run", *options, *cat).expect(exit=125, stdout="")
    run_managed(box, forced, "run", "--ro", secret, *cat).expect(exit=125, stderr=[
        "policy: %s: cannot be granted: this machine's settings hide %s" % (secret, secrets)])


@test(needs=NEEDS)
def a_link_opens_no_hidden_path(box):
    secret = box.file("shared/secrets/key", "SECRET\n")
    os.symlink(secret, box.root + "/way")
    run_managed(box, {"hide": [os.path.dirname(secret)]}, "run", "--ro", box.root + "/way", "--", "cat",
        box.root + "/way").expect(exit=125, stdout="", stderr=["cannot be granted"])


@test(needs=NEEDS)
def home_is_the_accounts(box):
    """HOME is the user's to set, so "~" in the machine's file does not mean it."""
    with open("/etc/passwd") as file:
        homes = {int(line.split(":")[2]): line.split(":")[5] for line in file}
    home = homes[box.user.uid or 0]
    forced = {"hide": ["~/.ssh"]}
    found = entries(box, forced)
    expect(home != box.home and ("hide", home + "/.ssh") in found, home, found)


@test(needs=NEEDS)
def a_protected_path_stays_protected(box):
    place = box.folder("shared/etc")
    shared = os.path.dirname(place)
    forced = {"protect": [place]}
    box.run_zs("run", "--rw", shared, "--", "touch", place + "/x").expect()
    for options in ((), ("--without", "protect"), ("--no-settings",)):
        run_managed(box, forced, "run", "--rw", shared, *options, "--", "touch", place + "/y").expect(exit=1)
        expect(not os.path.exists(place + "/y"), "written", options)
    run_managed(box, forced, "run", "--rw", place, "--", "touch", place + "/y").expect(exit=125,
        stderr=["cannot be granted: this machine's settings protect " + place])


@test(needs=NEEDS)
def the_network_has_an_upper_bound(box):
    hosts = {"network_hosts": ["*.example.org", "one.example.com:443"]}

    def network(settings, *options, **more):
        found = entries(box, settings, *options, **more)
        return ([value for field, value in found if field == "network"],
            sorted(value for field, value in found if field == "host"))

    # It grants nothing.
    expect(network(hosts) == (["none"], []), "granted", network(hosts))
    expect(network(hosts, "--net", "full") == (["hosts"], ["*.example.org", "one.example.com:443"]), "full")
    some = ("--host", "a.example.org", "--host", "one.example.com", "--host", "other.example")
    expect(network(hosts, *some) == (["hosts"], ["a.example.org", "one.example.com:443"]), network(hosts, *some))
    expect(network(hosts, "--no-settings", *some) == network(hosts, *some), "--no-settings")
    file = policy_file(box, network={"hosts": ["b.example.org", "other.example"]})
    expect(network(hosts, "--policy", file) == (["hosts"], ["b.example.org"]), network(hosts, "--policy", file))
    for none in ({"allow_network": False}, {"network_hosts": []}, {"allow_all_hosts": False}):
        expect(network(none, *some)[1] == [] and network(none, "--net", "full")[1] == [], none, network(none, *some))
        expect("full" not in network(none, "--net", "full")[0], none)
    expect(network({"allow_network": True}, "--net", "full") == (["full"], []), "true bounds nothing")
    user_settings(box, {"allow_network": True})
    expect(network(hosts)[0] == ["hosts"] and network({"allow_network": False})[0] == ["none"], "the user's own")
    run_managed(box, {"allow_network": False}, "run", "--", "true").expect(stderr=["zs: managed settings: "
        "/etc/zs/settings.json: left out 1 entry that this machine does not allow: network full"])


@test(needs=NEEDS)
def other_bounds_hold(box):
    """Paths, variables, git and limits: the value in force, whatever asks for more."""
    out, allowed = box.folder("shared/out"), box.folder("shared/allowed/sub")
    paths = {"additional_read_write_paths": [os.path.dirname(allowed)]}
    found = entries(box, paths, "--rw", out, "--rw", allowed, "--ro", out)
    expect(("write", out) not in found and ("write", allowed) in found and ("read", out) in found, found)
    run_managed(box, paths, "run", "--rw", out, "--", "touch", out + "/x").expect(exit=1,
        stderr=["left out 1 entry that this machine does not allow: write " + out])
    found = entries(box, {"additional_read_only_paths": []}, "--ro", out, "--rw", allowed, "--exec", "/bin/sh")
    expect(("read", out) not in found and ("write", allowed) not in found, "writing includes reading", found)
    expect(("exec", "/usr/bin") in found or ("exec", "/usr") in found, "the preset's own went", found)
    box.run_zs("run", "--env", "A_TOKEN", "--", "sh", "-c", "echo $A_TOKEN", add_env={"A_TOKEN": "t"}).expect(
        stdout="t\n")
    variables = {"additional_env_vars": ["B_*"]}
    for options in (("--env", "A_TOKEN"), ("--setenv", "A_TOKEN=t")):
        run_managed(box, variables, "run", *options, "--env", "B_X", "--", "sh", "-c", "echo $A_TOKEN$B_X$LANG",
            add_env={"A_TOKEN": "t", "B_X": "b"}).expect(stdout="bC.UTF-8\n", stderr=["left out 1 entry"])
    limits = {"limits": {"open_files": 64}}
    for options in ((), ("--limit", "files=128"), ("--policy", policy_file(box))):
        found = entries(box, limits, *options)
        expect(found.get(("limits.open_files", "64"), "").startswith("managed:"), options, found)
    expect(("limits.open_files", "32") in entries(box, limits, "--limit", "files=32"), "a lower one")


@test(needs=NEEDS + ["git"])
def git_stays_protected(box):
    box.run(["git", "init", "-q", "."]).expect()
    hook = box.work + "/.git/hooks/pre-commit"
    forced = {"allow_git_access": False}
    touch = ("--", "touch", hook)
    box.run_zs("run", "--rw", box.work + "/.git/hooks", *touch).expect()
    os.remove(hook)
    for options in (("--git", "allow"), ("--rw", ".git"), ("--rw", ".git/hooks"), ("--for", "git")):
        result = run_managed(box, forced, "run", *options, *touch)
        expect(result.exit != 0 and not os.path.exists(hook), options, result)


@test(needs=NEEDS)
def a_faulty_file_stops_every_run(box):
    """It is refused, and not left out."""
    good = {"hide": ["/srv/x"]}
    run_managed(box, good, "run", "--", "true").expect(stderr="")
    file = "/etc/zs/settings.json"
    for change, text in (
            ("chown 1:1 " + file, "belongs to another user than root"),
            ("chmod g+w " + file, "can be written by others than root"),
            ("chmod o+w " + file, "can be written by others than root"),
            ("chown 1 /etc/zs", "/etc/zs: belongs to another user than root"),
            ("chmod o+w /etc/zs", "/etc/zs: can be written by others than root"),
            ("chmod o+w /etc/zs; rm " + file, "/etc/zs: can be written by others than root"),
            ("mv %s /etc/zs/x; ln -s x %s" % (file, file), "regular file"),
            ("mv /etc/zs /etc/x; ln -s x /etc/zs", "/etc/zs"),
            ("rm %s; mkfifo %s" % (file, file), "is not a regular file"),
            ("echo '{' >" + file, "/etc/zs/settings.json"),
            ("echo '{\"sandbox\":{\"hied\":[]}}' >" + file, "did you mean \"hide\"?"),
            ("echo '{\"sandbox\":{\"for\":[\"npm\"]}}' >" + file, "name the hosts in network_hosts"),
            ("echo '{\"sandbox\":{\"network_hosts\":[\"@npm\"]}}' >" + file, "name the hosts in network_hosts")):
        for options in ((), ("--no-settings",), ("--policy", policy_file(box))):
            result = run_managed(box, good, "run", *options, "--", "echo", "ran", change=change)
            result.expect(exit=65, stdout="", stderr=["managed settings" if "hied" not in change and "'{' " not in
                change else "settings", text])
    if not box.user.is_root:
        run_managed(box, good, "run", "--", "true", change="chmod 600 " + file).expect(exit=65,
            stderr=["everybody can read"])
    run_managed(box, None, "run", "--", "true").expect(stderr="")


@test(needs=NEEDS)
def no_run_writes_the_file(box):
    """Not even root's, whatever it grants."""
    for options in (("--rw", "/etc"), ("--rw", "/etc/zs"), ("--rw", "/etc/zs/settings.json"), ("--rw", "/")):
        result = run_managed(box, {"protect": ["/srv/x"]}, "run", *options, "--", "sh", "-c",
            "rm -f /etc/zs/settings.json; echo x >/etc/zs/settings.json; cat /etc/zs/settings.json")
        expect("x\n" != result.stdout and (result.exit == 125 or "protect" in result.stdout), options, result)
    result = run_managed(box, None, "run", "--rw", "/etc", "--", "sh", "-c", "echo x >/etc/zs/settings.json")
    expect(result.exit != 0, "the file that is missing was made", result)


@test(needs=NEEDS)
def it_is_named(box):
    forced = {"hide": ["/srv/x", "/srv/y"], "limits": {"wall_seconds": 60}}
    out = run_managed(box, forced, "policy", "show").expect(exit=0)
    expect("managed: /etc/zs/settings.json" in out.stdout and "managed:" in out.stdout, out)
    expect(shown(box, forced)["managed"] == "/etc/zs/settings.json", "JSON")
    expect(entries(box, forced)[("limits.wall_seconds", "60")].startswith("managed:"), entries(box, forced))
    run_managed(box, forced, "install", "--list").expect(exit=0, stdout=[
        "This machine's /etc/zs/settings.json forces: sandbox.hide (2), sandbox.limits.wall_seconds"])
    lines = run_managed(box, forced, "install", "--list", "--json").expect(exit=0).stdout.splitlines()
    expect(json.loads(lines[-1]) == {"managed": "/etc/zs/settings.json",
        "forces": "sandbox.hide (2), sandbox.limits.wall_seconds"}, lines[-1])


@test(needs=NEEDS)
def an_answer_lifts_no_bound(box):
    """An approval for the session is in a file, one for always in the user's settings."""
    out = box.folder("shared/out")
    box.folder("runtime/zs", 0o700)
    os.chmod(box.folder("runtime"), 0o700)
    with open("/proc/sys/kernel/random/boot_id") as file:
        boot = file.read().strip()
    box.file("runtime/zs/session-one.json",
        json.dumps({"boot": boot, "approvals": [{"kind": "write", "value": out}]}), 0o600)
    session = {"XDG_RUNTIME_DIR": box.root + "/runtime", "ZS_SESSION": "one"}
    touch = ("run", "--ask", "--", "touch", out + "/x")
    run_managed(box, {}, *touch, add_env=session).expect(exit=0)
    os.remove(out + "/x")
    run_managed(box, {"additional_read_write_paths": []}, *touch, add_env=session).expect(exit=1,
        stderr=["left out 1 entry that this machine does not allow: write " + out])
    user_settings(box, {"write_paths": [out], "allow_unsandboxed": True})
    run_managed(box, {"additional_read_write_paths": []}, *touch).expect(exit=1)
    expect(not os.path.exists(out + "/x"), "written")
    forced = {"allow_unsandboxed": False}
    want = ("run", "--ask", "--want-unsandboxed", "--", "echo", "ran")
    run_managed(box, {}, *want).expect(exit=0, stdout="ran\n")
    # Nobody is there to ask.
    run_managed(box, forced, *want).expect(exit=2, stdout="")
    expect(shown(box, forced)["allow_unsandboxed"] is False, "allow_unsandboxed")


@test(needs=NEEDS)
def a_project_lifts_nothing_by_trust(box):
    project_settings(box, {"network_hosts": ["a.example"], "allow_git_access": True})
    trust(box)
    expect(("host", "a.example") in entries(box, {}), "the control")
    found = entries(box, {"network_hosts": ["b.example"], "allow_git_access": False})
    expect(("host", "a.example") not in found and ("git", "protect") in found, found)
