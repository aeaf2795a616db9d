"""settings.json: the effects of the user's file and of a project's file, and the limits of both."""

import json
import os
import re
import threading

from harness import Changed, Failure, connect, expect, listener, read, test
from settings_files import entries, project_settings, text_of, trust, user_settings

LEFT_OUT = re.compile(r"^zs: settings: \S+/\.zs/settings\.json: left out \d+ entr(y that asks|ies that ask) for "
    r"more than your own settings grant, since the file is not trusted; see: zs trust /\S+\n$")


# ------------------------------------------------------------------------------------------------- the user's


@test(needs=["sandbox"])
def the_users_paths(box):
    secret = box.file("outside/secret", "s\n")
    box.denied("cat " + secret)
    for key in ("additional_read_only_paths", "additional_read_write_paths", "write_paths",
            "additional_executable_paths"):
        user_settings(box, {key: [box.outside]})
        box.granted("cat " + secret, stdout="s\n")
        writes = key in ("additional_read_write_paths", "write_paths")
        (box.granted if writes else box.denied)("touch %s/new && rm %s/new" % (box.outside, box.outside))
    user_settings(box, {"additional_executable_paths": [box.file("outside/tool", "#!/bin/sh\necho ran\n", 0o755)]})
    box.granted(box.outside + "/tool", stdout="ran\n")
    box.denied("cat " + secret)
    user_settings(box, {"additional_read_only_paths": ["~/.ssh"]})
    box.granted("cat " + box.key, stdout="SECRET KEY\n")
    # All ways to run without the settings.
    box.denied("cat " + box.key, zs=("run", "--no-settings"))
    box.denied("cat " + box.key, add_env={"XDG_CONFIG_HOME": box.outside})
    policy = box.file("policy.json", json.dumps({"version": 1, "workspace": {"root": box.work, "access": "write"},
        "path_lists": {}, "env": {"pass": ["PATH", "HOME"]}}))
    box.denied("cat " + box.key, zs=("run", "--policy", policy))


@test(needs=["sandbox", "bash"])
def bash_obeys_them(box):
    user_settings(box, {"additional_read_only_paths": ["~/.ssh"]})
    command = ["bash", "-c", "cat ~/.ssh/id_ed25519"]
    box.run_zs(*command).expect(stdout="SECRET KEY\n")
    box.run_zs("bash", "--no-settings", *command[1:]).expect(exit=1, stdout="")


@test(needs=["sandbox"])
def the_users_other_keys(box):
    box.file("home/.bashrc", "x=1\n")
    box.granted("cat ~/.bashrc", stdout="x=1\n")
    box.file("home/project/kept", "k\n")
    user_settings(box, {"hide": ["~/.bashrc"], "protect": [box.work + "/kept"], "allowed_env_vars": ["PATH", "HOME",
        "SE*"], "additional_env_vars": ["MORE"], "limits": {"open_files": 64}})
    box.denied("cat ~/.bashrc")
    box.denied("echo x >kept", harm=Changed(box, box.work + "/kept"))
    result = box.run_zs("run", "env", add_env={"SEEN": "1", "MORE": "2", "UNSEEN": "3"}).expect()
    names = {line.split("=")[0] for line in result.stdout.splitlines()}
    expect({"SEEN", "MORE", "PATH", "HOME"} <= names and not names & {"UNSEEN", "LANG"}, names)
    box.granted("ulimit -n", stdout="64\n")
    # The lower limit counts, and an option overrides both.
    box.granted("ulimit -n", zs=("run", "--limit", "files=32"), stdout="32\n")
    user_settings(box, {"allowed_env_vars": []})
    result = box.run_zs("run", "/usr/bin/env", add_env={"SEEN": "1"}).expect()
    names = {line.split("=")[0] for line in result.stdout.splitlines()}
    retries = {"npm_config_fetch_retries", "PIP_RETRIES", "CARGO_NET_RETRY", "UV_HTTP_RETRIES"}
    confined = {"ZS_SANDBOX", "ZS_SANDBOX_NETWORK"}
    expect(names <= {"TMPDIR", "TMP", "TEMP", "PWD", "SHLVL", "_"} | retries | confined, result)


@test(needs=["sandbox"])
def system_paths(box):
    machine = entries(box, "--no-settings")
    for key, field in (("executable", "exec"), ("read_only", "read"), ("read_write", "write")):
        own = {entry for entry in machine if entry[0] == field or entry[0] == "public." + field}
        for value in (None, []):
            user_settings(box, {"system_paths": {key: value}})
            shown = {entry for entry in entries(box) if entry in own}
            if shown != (own if value is None else set()):
                raise Failure("%s %s: %s" % (key, value, shown ^ own))
        user_settings(box, {"system_paths": {key: [box.outside]}})
        shown = {entry: source for entry, source in entries(box).items() if entry[0] == field}
        expect(shown == {(field, box.outside): "user:5"}, shown)
    user_settings(box, {"system_paths": {"executable": []}})
    box.run_zs("run", "/bin/true").expect(exit=127)


@test(needs=["sandbox", "bash"])
def network(box):
    with listener() as port:
        box.denied(connect(port))
        for settings, reached in (({"allow_network": True}, True), ({"allow_all_hosts": True}, True),
                ({"allow_network": False, "allow_all_hosts": True}, False),
                ({"linux": {"allow_network": True}}, True), ({"macos": {"allow_network": True}}, False),
                ({"allow_network": True, "linux": {"allow_network": None}}, False)):
            user_settings(box, settings)
            result = box.run_zs("run", "--", "sh", "-c", connect(port))
            expect((result.stdout == "reached\n") is reached, "%s: %s" % (settings, result))
    user_settings(box, {"network_hosts": ["example.org", "*.example.net"]})
    shown = entries(box)
    for wanted in (("network", "hosts"), ("host", "example.org"), ("host", "*.example.net")):
        expect(shown.get(wanted, "").startswith("user:"), shown)


@test(needs=["sandbox", "bash", "git"])
def git_access(box):
    box.run(["git", "init", "-q"]).expect()
    box.run(["git", "config", "user.email", "e@x"]).expect()
    box.run(["git", "config", "user.name", "n"]).expect()
    commit = "git -c safe.directory='*' commit -q --allow-empty -m x"
    box.denied(commit)
    user_settings(box, {"allow_git_access": True})
    box.granted(commit)
    box.denied("echo x >>.git/config")
    project_settings(box, {"allow_git_access": False})
    box.denied(commit)


@test(needs=["sandbox"])
def everything_can_be_written_but_what_says_so(box):
    path = user_settings(box, {"allow_fs_write_all": True})
    box.granted("echo x >%s/new && cat ~/.ssh/id_ed25519" % box.outside, stdout="SECRET KEY\n")
    for attack in ("echo {} >" + path, "rm " + path, "mv ~/.config ~/x", "mv ~/.config/zs ~/x",
            "echo x >~/.config/zs/other", "ln -sf /dev/null " + path):
        result = box.run_zs("run", "--", "sh", "-c", attack)
        expect(result.exit != 0 and read(path) == text_of({"allow_fs_write_all": True}), result)
    # The workspace of verify stays an overlay.
    box.granted("touch made", zs=("run", "--verify"))
    expect(not os.path.exists(box.work + "/made"), "made")


@test(needs=["sandbox"])
def no_grant_opens_settings_or_trust(box):
    path = user_settings(box, {})
    state = os.path.join(box.home, ".local/state/zs")
    box.folder(state, 0o700)
    box.file(state + "/trust", '{"version": 1, "trusted": {}}', 0o600)
    project = project_settings(box, {})
    for target, options in ((path, ["--rw", box.home + "/.config"]), (path, ["--rw", os.path.dirname(path)]),
            (path, ["--rw", path]), (state + "/trust", ["--rw", state]),
            (state + "/trust", ["--rw", box.home + "/.local"]),
            (state + "/new", ["--rw", state]), (project, []), (box.work + "/.zs/new", [])):
        attacks = [attack.format(target) for attack in ("echo '{{}}' >{0}", "rm -f {0}; echo '{{}}' >{0}",
            "echo '{{}}' >x; mv x {0}")]
        for zs in (("run", "--no-settings", *options), ("run", *options)):
            box.denied(*attacks, harm=Changed(box, target), zs=zs)
    # The settings are a link into the workspace, as in a repository with the user's configuration.
    os.remove(path)
    target = box.file("home/project/dotfiles.json", "{}")
    os.symlink(target, path)
    box.denied("echo '{\"sandbox\":{}}' >dotfiles.json",
        "rm -f dotfiles.json; echo '{\"sandbox\":{}}' >dotfiles.json", harm=Changed(box, target))


@test(needs=["sandbox", "bash"])
def missing_ones_cannot_be_made(box):
    """In the workspace, and in a granted folder around the user's settings."""
    for attack in ("mkdir .zs; echo '{}' >.zs/settings.json", "mkdir x; echo '{}' >x/settings.json; mv x .zs",
            "ln -s /tmp .zs"):
        result = box.run_zs("run", "--", "bash", "-c", attack + "; sleep 0.3")
        expect(not os.path.lexists(box.work + "/.zs"), result)
        result.expect_text("stderr", result.stderr, ["/.zs: appeared while a command ran"])
        box.run(["sh", "-c", "rm -rf .zs.set-aside-*"]).expect()
    config = box.folder("home/.config")
    box.run_zs("run", "--rw", config, "--", "bash", "-c", "mkdir -p ~/.config/zs; "
        "echo '{}' >~/.config/zs/settings.json; sleep 0.3")
    expect(not os.path.lexists(config + "/zs"), "made")


# ------------------------------------------------------------------------------------------------- a project's


@test(needs=["sandbox", "bash"])
def what_narrows_counts_at_once(box):
    box.file("home/project/kept", "k\n")
    box.file("home/project/hidden", "h\n")
    user_settings(box, {"allow_network": True, "additional_read_only_paths": [box.outside], "limits":
        {"open_files": 100}, "additional_env_vars": ["MORE"], "system_paths": {"read_only": [box.outside]}})
    project_settings(box, {"protect": ["kept"], "hide": ["./hidden"], "allow_network": False, "limits":
        {"open_files": 50}, "allowed_env_vars": ["PATH", "HOME"], "system_paths": {"read_write": []}})
    box.denied("echo x >kept", harm=Changed(box, box.work + "/kept"))
    box.denied("cat hidden")
    box.granted("ulimit -n", stdout="50\n")
    with listener() as port:
        box.denied(connect(port))
    names = {line.split("=")[0] for line in box.run_zs("run", "env").expect(stderr="").stdout.splitlines()}
    expect("LANG" not in names and "PATH" in names, names)
    shown = entries(box)
    expect(not any(field == "write" for field, _ in shown), shown)
    project_settings(box, {"limits": {"open_files": 500}})
    box.granted("ulimit -n", stdout="100\n")
    # A shorter list keeps those of the user's entries that it names, and adds none.
    project_settings(box, {"system_paths": {"read_only": [box.outside + "/sub", box.home]}})
    box.folder("outside/sub")
    shown = entries(box)
    expect(("read", box.outside + "/sub") in shown and ("read", box.home) not in shown, shown)


WIDENINGS = [
    ("allow_network", True), ("allow_all_hosts", True), ("network_hosts", ["example.org"]),
    ("allow_git_access", True), ("allow_fs_write_all", True), ("write_paths", ["{outside}"]),
    ("additional_read_only_paths", ["~/.ssh"]), ("additional_read_write_paths", [".git"]),
    ("additional_executable_paths", ["{outside}"]), ("system_paths", {"read_only": ["{outside}"]}),
    ("system_paths", {"read_write": [".git"]}), ("system_paths", {"executable": ["~/.ssh"]}),
    ("allowed_env_vars", ["TOKEN_X"]), ("additional_env_vars", ["LC_*"]), ("linux", {"allow_network": True}),
    ("linux", {"write_paths": [".zs"]}),
]


@test(needs=["sandbox"])
def what_widens_waits_for_trust(box):
    box.folder("home/project/.git")
    for key, value in WIDENINGS:
        settings = json.loads(json.dumps({key: value}).replace("{outside}", box.outside))
        project_settings(box, settings)
        before = set(entries(box, "--no-settings"))
        untrusted = set(entries(box))
        expect(not untrusted - before, "%s: gained %s" % (settings, untrusted - before))
        box.run_zs("run", "--print-policy").expect(exit=0, stderr=LEFT_OUT)
        trust(box)
        expect(set(entries(box)) - before, "%s: trusted, and gains nothing" % settings)
        box.run_zs("run", "--print-policy").expect(exit=0, stderr="")
        box.run_zs("trust", "--revoke", box.work).expect()


@test(needs=["sandbox"])
def what_is_granted_already_is_no_widening(box):
    box.folder("home/project/sub")
    user_settings(box, {"write_paths": [box.outside], "network_hosts": ["*.example.org"]})
    box.folder("outside/deep")
    project_settings(box, {"write_paths": ["sub", box.outside + "/deep"], "additional_read_only_paths":
        [".", "/usr/lib"], "additional_env_vars": ["LANG"], "network_hosts": ["a.example.org"],
        "system_paths": {"executable": ["/usr"]}})
    box.run_zs("run", "--print-policy").expect(exit=0, stderr="")
    box.run_zs("trust").expect(exit=0, stdout=re.compile("asks for nothing beyond your own settings"))
    # Such an entry gives no more than the grant around it: .git in the workspace stays protected.
    shown = entries(box)
    expect(("write", box.work + "/sub") not in shown and ("write", box.outside + "/deep") not in shown, shown)
    # If the user removes the grant, the entry needs trust.
    user_settings(box, {"network_hosts": ["*.example.org"]})
    box.run_zs("run", "--print-policy").expect(exit=0, stderr=LEFT_OUT)
    # A grant of a folder does not include a path in it that the user has hidden.
    user_settings(box, {"additional_read_only_paths": [box.outside]})
    project_settings(box, {"additional_read_only_paths": [box.outside + "/deep/er"]})
    box.run_zs("run", "--print-policy").expect(exit=0, stderr="")
    user_settings(box, {"additional_read_only_paths": [box.outside], "hide": [box.outside + "/deep"]})
    box.run_zs("run", "--print-policy").expect(exit=0, stderr=LEFT_OUT)


@test(needs=["sandbox"])
def hosts_that_are_granted_already(box):
    for mine, theirs, granted in ((["example.org"], "example.org", True), (["example.org"], "EXAMPLE.org.", True),
            (["example.org"], "example.org:443", True), (["example.org:443"], "example.org", False),
            (["example.org:443"], "example.org:80", False), (["*.example.org"], "a.b.example.org", True),
            (["*.example.org"], "*.b.example.org", True), (["*.example.org"], "*.example.org:22", True),
            (["*.example.org:443"], "*.example.org", False), (["*.example.org"], "example.org", False),
            (["example.org"], "*.example.org", False), (["*.example.org"], "badexample.org", False),
            (["*.org"], "192.0.2.1", False), (["192.0.2.1"], "192.0.2.1", True), ([], "example.org", False)):
        user_settings(box, {"network_hosts": mine})
        project_settings(box, {"network_hosts": [theirs]})
        stderr = box.run_zs("run", "--print-policy").expect(exit=0).stderr
        expect((stderr == "") is granted, "%s %s: %s" % (mine, theirs, stderr))


@test(needs=["sandbox", "linux"])
def a_program_in_a_cache_grants_no_libraries(box):
    """A project's list may name granted paths. A program there that names the key as its interpreter does not get
    it."""
    cache = box.folder("home/.npm")
    tool = box.file("home/.npm/tool", "#!%s\n" % box.key, 0o755)
    project_settings(box, {"system_paths": {"executable": [cache, tool]}})
    shown = entries(box)
    expect(not any(box.key == value for _, value in shown), shown)


@test(needs=["sandbox"])
def never_from_a_project(box):
    for settings in ({"enabled": False}, {"allow_unsandboxed": True}, {"linux": {"enabled": False}},
            {"macos": {"allow_unsandboxed": True}}):
        project_settings(box, settings)
        box.run_zs("run", "true").expect(exit=65, stdout="", stderr=re.compile(
            r"^zs: settings: \S+/settings\.json: line \d+: sandbox\.\S+: cannot be (true|false) in a project's file"))
        box.run_zs("trust").expect(exit=65)
        box.run_zs("run", "--no-settings", "true").expect(exit=0)
    # The user's settings for host programs do not free a command that zs run confines.
    project_settings(box, {})
    user_settings(box, {"enabled": False, "allow_unsandboxed": True, "apply_to": "neither"})
    box.denied("cat " + box.key)


@test(needs=["sandbox"])
def a_projects_paths_stay_in_it(box):
    for key in ("protect", "hide"):
        for path in (box.outside, "~/.bashrc", "/"):
            project_settings(box, {key: [path]})
            box.run_zs("run", "true").expect(exit=65, stderr=re.compile("lies outside of the workspace"))
    for key in ("protect", "hide", "write_paths", "additional_read_only_paths"):
        for path in ("..", "../outside", "a/../../outside", box.work + "/../x"):
            project_settings(box, {key: [path]})
            box.run_zs("run", "true").expect(exit=65, stderr=re.compile("has a '..' component"))
    project_settings(box, {"protect": ["!.zs"]})
    box.run_zs("run", "true").expect(exit=65, stderr=re.compile("a list cannot take entries away"))
    # A link in the repository that leads out of it grants nothing, or is refused.
    os.symlink(box.home + "/.ssh", box.work + "/link")
    for settings in ({"protect": ["link"]}, {"hide": ["link"]}):
        project_settings(box, settings)
        box.run_zs("run", "cat", box.key).expect(exit=125, stdout="")
    for settings in ({"additional_read_only_paths": ["link"]}, {"system_paths": {"read_only": ["link"]}}):
        project_settings(box, settings)
        box.run_zs("run", "cat", "link/id_ed25519").expect(exit=1, stdout="")


# ------------------------------------------------------------------------------------------------- odd files


@test(needs=["sandbox"])
def a_project_file_that_is_none(box):
    path = project_settings(box, {})
    good = box.file("good.json", text_of({}))

    def replaced(by, message, exit=65):
        box.run(["rm", "-rf", path]).expect()
        by()
        box.run_zs("run", "true").expect(exit=exit, stdout="", stderr=re.compile(message))
        box.run_zs("trust").expect(exit=exit)

    replaced(lambda: os.symlink(good, path), "settings.json: is a symbolic link")
    replaced(lambda: os.mkfifo(path), "settings.json: is not a regular file")
    replaced(lambda: os.mkdir(path), "settings.json: is not a regular file")
    replaced(lambda: os.symlink("/nowhere", path), "settings.json: is a symbolic link")
    replaced(lambda: box.file(path, " " * 70000), "settings.json: more than 65536 bytes")
    replaced(lambda: box.file(path, "[" * 60000), "settings.json: line 1: ")
    replaced(lambda: box.file(path, '{"sandbox":' * 5000), "settings.json: line 1: ")
    replaced(lambda: box.file(path, ""), "settings.json: is empty")
    replaced(lambda: box.file(path, '{"sandbox": {"hide": ["\x1b]0;x\x07"], "x\x1b[2J": 1}}'),
        "settings.json: line 1: ")
    replaced(lambda: box.file(path, '{"sandbox": {"\\u001b[2J": 1}}'), r"sandbox\.\\x1b\[2J: unknown key")
    replaced(lambda: None, "^$", exit=0)
    os.rmdir(box.work + "/.zs")
    folder = box.folder("elsewhere")
    box.file("elsewhere/settings.json", text_of({"allow_network": True}))
    os.symlink(folder, box.work + "/.zs")
    box.run_zs("run", "true").expect(exit=65, stderr=re.compile(r"/\.zs: is a symbolic link"))
    os.remove(box.work + "/.zs")
    box.file(box.work + "/.zs", "x")
    box.run_zs("run", "true").expect(exit=0, stderr="")


@test(needs=["sandbox"])
def a_user_file_that_is_not_the_users(box):
    path = user_settings(box, {"additional_read_only_paths": ["~/.ssh"]}, 0o666)
    box.run_zs("run", "true").expect(exit=65, stdout="",
        stderr="zs: settings: %s: can be written by everyone; chmod o-w it\n" % path)
    os.chmod(path, 0o644)
    box.run_zs("run", "true").expect(exit=0, stderr="")
    os.remove(path)
    os.mkfifo(path)
    box.run_zs("run", "true").expect(exit=65, stderr="zs: settings: %s: is not a regular file\n" % path)
    os.remove(path)
    # A user who keeps the settings elsewhere has a link to them.
    os.symlink(box.file("kept.json", text_of({"additional_read_only_paths": ["~/.ssh"]})), path)
    box.granted("cat " + box.key)
    if os.geteuid() == 0:
        os.chown(box.root + "/kept.json", 12345, 12345)
        box.run_zs("run", "true").expect(exit=65, stderr="zs: settings: %s: belongs to another user\n" % path)


@test(needs=["sandbox"])
def errors_name_file_line_and_key(box):
    path = user_settings(box, '{\n "sandbox": {\n  "allow_netwrk": true\n }\n}\n')
    box.run_zs("run", "true").expect(exit=65, stdout="", stderr='zs: settings: %s: line 3: sandbox.allow_netwrk: '
        'unknown key; did you mean "allow_network"?\n' % path)
    box.run_zs("bash", "-c", "true").expect(exit=65, stdout="")
    user_settings(box, {"additional_executable_paths": [box.file("outside/broken", "x", 0o755)]})
    box.run_zs("run", "true").expect(exit=65, stdout="", stderr=re.compile(r"; it is in \S+settings\.json, line 4\n$"))
    box.run_zs("run", "--no-settings", "true").expect(exit=0, stderr="")


@test(needs=["sandbox"])
def without_a_home_there_are_none(box):
    env = {"PATH": box.env["PATH"]}
    box.run_zs("run", "true", env=env).expect(exit=0, stderr="")
    for value in ("", "relative", "."):
        user_settings(box, {"limits": {"open_files": 40}})
        box.granted("ulimit -n", stdout="40\n", add_env={"XDG_CONFIG_HOME": value})


@test(needs=["sandbox"])
def a_file_that_changes_all_the_time(box):
    """zs judges, hashes and uses the same bytes: an untrusted file never gives the network to a run."""
    harmless = text_of({"limits": {"open_files": 77}})
    path = project_settings(box, {"allow_network": True})
    harmful = text_of({"allow_network": True})
    box.file(path, harmless)
    stop = threading.Event()

    def swap():
        turn = 0
        while not stop.is_set():
            turn += 1
            fresh = path + ".new"
            with open(fresh, "w") as file:
                file.write(harmful if turn % 2 else harmless)
            os.replace(fresh, path)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(60):
            shown = json.loads(box.run_zs("policy", "show", "--json").expect(exit=0).stdout)
            fields = {entry["field"]: entry for entry in shown["entries"]}
            expect(fields["network"]["value"] == "none" and
                ("limits.open_files" in fields) is not (len(shown["untrusted"]) > 0), shown)
    finally:
        stop.set()
        thread.join()
