"""Attacks on the files that decide what a command may do: settings, trust and approvals, across runs and workspaces."""

import fcntl
import json
import os

from harness import expect, read, remove_tree, test
from settings_files import project_settings, trust, user_settings

WIDE = json.dumps({"sandbox": {"allow_all_hosts": True}})


def link(box, target, path):
    os.symlink(target, path)
    return box.own(path)


def session_file(value):
    with open("/proc/sys/kernel/random/boot_id") as file:
        return json.dumps({"boot": file.read().strip(), "approvals": [{"kind": "write", "value": value}]})


@test(needs=["sandbox"])
def what_was_approved_always_becomes_no_link(box):
    """A command replaces the approved path by a link, in a workspace that holds the path. The next run, in another
    workspace, has no grant that would show that commands could write there."""
    other = box.folder("home/other")
    out = box.folder("home/other/sub/out")
    box.own(os.path.dirname(out))
    user_settings(box, {"write_paths": [out]})
    box.granted("echo x >%s/made" % out)
    swap = "mv sub sub2 && mkdir sub && ln -s ~/.ssh sub/out"
    box.granted(swap, zs=("run", "--workspace", other), cwd=other)
    result = box.run_zs("run", "--", "cat", box.key).expect(exit=125, stdout="", stderr=[out,
        "has become a symbolic link", "name %s/.ssh itself" % box.home])
    expect("SECRET" not in result.stdout, result)
    # A link that the user has written into the settings, not approved by an answer, is followed.
    user_settings(box, {"additional_read_write_paths": [out]})
    box.granted("cat " + box.key, stdout="SECRET KEY\n")


@test(needs=["sandbox"])
def what_was_trusted_becomes_no_link(box):
    """A project's file asks for a cache, which is granted already, and for one thing more. A command in another
    workspace, which still has its caches, puts a link there."""
    cache = box.home + "/.cache/uv/x"
    box.folder(cache)
    other = box.folder("home/other")
    project_settings(box, {"system_paths": {"read_write": []}, "additional_read_write_paths": ["~/.cache/uv/x"],
        "network_hosts": ["a.example"]})
    trust(box)
    box.granted("true")
    swap = "mv ~/.cache/uv/x ~/.cache/uv/y && ln -s ~/.ssh ~/.cache/uv/x"
    box.granted(swap, zs=("run", "--workspace", other), cwd=other)
    result = box.run_zs("run", "--", "cat", box.key).expect(exit=65, stdout="", stderr=[cache,
        "leads to %s/.ssh through a link that a confined command may have made" % box.home, "settings.json, line 7"])
    expect("SECRET" not in result.stdout, result)
    # Without trust the entry is left out.
    box.run_zs("trust", "--revoke").expect()
    box.run_zs("run", "--", "cat", box.key).expect(exit=1, stdout="", stderr=["left out 2 entries"])


@test(needs=["sandbox"])
def what_narrows_hides_no_planted_link(box):
    """A link in a cache that commands of other workspaces can write. A project may take the caches away without trust.
    That must not make the link look as if no command could have made it."""
    for name in ("docs", "venv"):
        box.folder(os.path.join(box.home, ".cache/uv", name))
    documents = box.folder("home/documents")
    box.file("home/documents/private", "PRIVATE\n")
    other = box.folder("home/other")
    swap = "rmdir ~/.cache/uv/%s && ln -s %s ~/.cache/uv/%s"
    box.granted(swap % ("docs", box.home + "/.ssh", "docs"), zs=("run", "--workspace", other), cwd=other)
    user_settings(box, {"additional_read_only_paths": ["~/.cache/uv/docs"]})
    for narrower in ({}, {"system_paths": {"read_write": []}}):
        project_settings(box, narrower)
        box.run_zs("run", "--", "cat", box.key).expect(exit=125, stdout="", stderr=["may have made"])
    # The same by a variable; the grant of its folder is left out.
    user_settings(box, {})
    box.granted(swap % ("venv", documents, "venv"), zs=("run", "--workspace", other), cwd=other)
    for narrower in ({}, {"system_paths": {"read_write": []}}):
        project_settings(box, narrower)
        result = box.run_zs("run", "--", "cat", documents + "/private",
            add_env={"VIRTUAL_ENV": box.home + "/.cache/uv/venv"})
        expect(result.exit != 0 and "PRIVATE" not in result.stdout, "%s: %s" % (narrower, result))
    # The control: in a folder that no command writes, the link counts.
    own = box.folder("home/own")
    link(box, documents, own + "/venv")
    box.run_zs("run", "--", "cat", documents + "/private", add_env={"VIRTUAL_ENV": own + "/venv"}).expect(
        exit=0, stdout="PRIVATE\n")


@test(needs=["sandbox"])
def a_link_on_the_way_to_settings_and_trust_cannot_be_replaced(box):
    for place, target, store in ((".config/zs", "conf/zs", ".config/zs/settings.json"),
            (".config", "conf", ".config/zs/settings.json"), (".local/state", "state", ".local/state/zs/trust"),
            (".local", "local", ".local/state/zs/trust")):
        for name in ("conf/zs", "state/zs", "local/state/zs"):
            box.folder(os.path.join(box.outside, name))
        box.folder(os.path.dirname(os.path.join(box.home, place)))
        link(box, os.path.join(box.outside, target), os.path.join(box.home, place))
        script = "cd && rm {0} && mkdir -p -m 700 {1} && echo '{2}' >{3}".format(
            place, os.path.dirname(store), WIDE, store)
        result = box.run_zs("run", "--rw", box.home, "--", "sh", "-c", script)
        expect(not os.path.exists(os.path.join(box.home, store)), "%s: %s" % (place, result))
        result.expect(exit=125, stderr=["is reached by the link %s/%s" % (box.home, place)])
        # A run with fewer grants works.
        box.granted("true")
        for name in (".config", ".local"):
            path = os.path.join(box.home, name)
            if os.path.islink(path):
                os.remove(path)
            elif os.path.isdir(path):
                remove_tree(path)


@test(needs=["sandbox"])
def a_link_of_the_systems_own_is_in_nobodys_way(box):
    """/home is a link of root's, and a grant covers it."""
    system = os.path.join(box.root, "system")
    os.mkdir(system)
    os.symlink(box.home, system + "/home")
    result = box.run_zs("run", "--rw", system, "--", "echo", "ran", add_env={"HOME": system + "/home"})
    if box.user.uid is not None:
        result.expect(exit=0, stdout="ran\n")
    else:
        result.expect(exit=125, stdout="", stderr=["is reached by the link %s/home" % system])


@test(needs=["sandbox"])
def a_settings_link_by_way_of_the_workspace(box):
    box.folder(box.home + "/.config/zs")
    path = box.home + "/.config/zs/settings.json"
    middle = os.path.join(box.work, "middle.json")
    link(box, middle, path)
    # The link leads nowhere: the command could make its target.
    for options in ([], ["--no-settings"]):
        box.run_zs("run", *options, "--", "sh", "-c", "echo '%s' >middle.json" % WIDE).expect(
            exit=125, stderr=["a broken symbolic link"])
    # The link leads on: the command could replace the second link.
    link(box, box.file("outside/real.json", "{}"), middle)
    result = box.run_zs("run", "--", "sh", "-c", "rm middle.json && echo '%s' >middle.json" % WIDE)
    expect(read(path) == "{}", result)
    result.expect(exit=125, stderr=["is reached by the link " + middle])


@test(needs=["sandbox"])
def a_workspace_holds_no_session(box):
    """A command of a run with another TMPDIR has written the session's file."""
    uid = os.geteuid() if box.user.uid is None else box.user.uid
    harm = os.path.join(box.outside, "made")

    def ask(env):
        return box.run_zs("run", "--ask", "--", "touch", harm, add_env={**env, "ZS_SESSION": "one"},
            start_new_session=True)

    for variable, name in (("TMPDIR", "zs-%d" % uid), ("XDG_RUNTIME_DIR", "zs")):
        tmp = box.folder("home/project/tmp", 0o700)
        box.granted("mkdir -m 700 tmp/{0} && umask 077 && echo '{1}' >tmp/{0}/session-one.json".format(
            name, session_file(box.outside)))
        # The folder itself, and a link of the command's to it.
        for value in (tmp, link(box, os.path.join(box.root, "moved"), box.work + "/way")):
            if value != tmp:
                os.rename(tmp, os.path.join(box.root, "moved"))
            result = ask({variable: value})
            expect(result.exit != 0 and not os.path.exists(harm), "%s=%s: %s" % (variable, value, result))
        os.remove(box.work + "/way")
        remove_tree(os.path.join(box.root, "moved"))
    elsewhere = box.folder("runtime", 0o700)
    box.folder("runtime/zs", 0o700)
    box.file("runtime/zs/session-one.json", session_file(box.outside), 0o600)
    ask({"XDG_RUNTIME_DIR": elsewhere}).expect(exit=0)


@test(needs=["sandbox"])
def a_link_on_the_way_to_a_session_cannot_be_replaced(box):
    uid = os.geteuid() if box.user.uid is None else box.user.uid
    harm = os.path.join(box.root, "harm")
    box.folder(harm)
    tree = box.folder("tree")
    way = link(box, box.folder("aside", 0o700), tree + "/way")
    for variable, name in (("TMPDIR", "zs-%d" % uid), ("XDG_RUNTIME_DIR", "zs")):
        env = {variable: way, "ZS_SESSION": "one"}
        script = "cd {0} && rm way && umask 077 && mkdir -p way/{1} && echo '{2}' >way/{1}/session-one.json"
        swap = box.run_zs("run", "--rw", tree, "--", "sh", "-c", script.format(tree, name, session_file(harm)),
            add_env=env)
        result = box.run_zs("run", "--ask", "--want-write", harm, "--", "touch", harm + "/made", add_env=env,
            start_new_session=True)
        expect(result.exit != 0 and not os.path.exists(harm + "/made"), "%s: %s, %s" % (variable, swap, result))
        swap.expect(exit=125, stderr=["zs: session: ", "is reached by the link " + way, "let TMPDIR or"])
        box.granted("true", add_env=env)


@test(needs=["sandbox"])
def a_runtime_folder_that_is_not_there_is_not_the_commands_to_make(box):
    harm = os.path.join(box.root, "harm")
    box.folder(harm)
    tree = box.folder("tree")
    for runtime in (tree + "/run", tree + "/deep/run"):
        env = {"XDG_RUNTIME_DIR": runtime, "ZS_SESSION": "one"}
        script = "umask 077 && mkdir -p {0}/zs && echo '{1}' >{0}/zs/session-one.json"
        made = box.run_zs("run", "--rw", tree, "--", "sh", "-c", script.format(runtime, session_file(harm)),
            add_env=env)
        result = box.run_zs("run", "--ask", "--want-write", harm, "--", "touch", harm + "/made", add_env=env,
            start_new_session=True)
        expect(result.exit != 0 and not os.path.exists(harm + "/made"), "%s: %s, %s" % (runtime, made, result))
        result.expect(exit=2, stdout="")


@test(needs=["sandbox"], slow=True)
def who_holds_the_lock_of_settings_stops_nobody_for_long(box):
    """A command that may read a folder can lock it, since flock(2) needs no right to write."""
    project_settings(box, {"network_hosts": ["a.example"]})
    runtime = box.folder("runtime", 0o700)
    folders = [box.folder("runtime/zs", 0o700), box.home + "/.local/state/zs"]
    box.folder(folders[1], 0o700)
    box.file("runtime/zs/session-one.json", session_file(box.outside), 0o600)
    env = {"XDG_RUNTIME_DIR": runtime, "ZS_SESSION": "one"}
    digest = box.run_zs("trust").expect(exit=1).stdout.split("SHA-256 ")[1].strip()
    held = [os.open(folder, os.O_RDONLY) for folder in folders]
    for lock in held:
        fcntl.flock(lock, fcntl.LOCK_EX)
    locked = "has been locked by another process for 5 seconds; 'fuser' names the process that has it open"
    box.run_zs("trust", "--hash", digest).expect(exit=65, stderr=["zs: trust: %s: %s" % (folders[1], locked)])
    revoke = ["approvals", "revoke", "write", box.outside]
    box.run_zs(*revoke, add_env=env).expect(stderr=["zs: session: %s: %s" % (folders[0], locked)], exit=65)
    # A run that only reads does not wait for the lock, even if its command could write there.
    for options in ([], ["--rw", runtime]):
        box.run_zs("run", "--ask", *options, "--", "touch", box.outside + "/made", add_env=env,
            start_new_session=True).expect(exit=0)
    for lock in held:
        os.close(lock)
    box.run_zs("trust", "--hash", digest).expect(exit=0)
    box.run_zs(*revoke, add_env=env).expect(exit=0)


@test(needs=["sandbox"])
def what_the_repository_calls_the_users_settings(box):
    """A repository has a .config/zs/settings.json, and the environment names that folder."""
    folder = os.path.join(box.work, ".config")
    box.folder(folder + "/zs")
    path = box.file(folder + "/zs/settings.json", json.dumps({"sandbox": {"write_paths": [box.outside]}}))
    env = {"XDG_CONFIG_HOME": folder}
    result = box.run_zs("run", "--", "touch", box.outside + "/made", add_env=env)
    expect(not os.path.exists(box.outside + "/made"), result)
    result.expect(exit=65, stderr=[path, "lies in the workspace", "XDG_CONFIG_HOME"])
    os.remove(path)
    box.granted("true", add_env=env)
    # A link of the user's into the workspace, as into a repository with configuration, is the user's wish.
    box.file(path, json.dumps({"sandbox": {"write_paths": [box.outside]}}))
    link(box, folder, box.home + "/.config")
    box.granted("touch %s/made" % box.outside)
    box.granted("touch %s/made" % box.outside, add_env={"XDG_CONFIG_HOME": box.home + "/.config"})
    # The workspace cannot hold the list of trusted files either.
    os.remove(box.home + "/.config")
    os.remove(path)
    project_settings(box, {"write_paths": [box.outside]})
    digest = box.run_zs("trust").expect(exit=1).stdout.split("SHA-256 ")[1].strip()
    box.folder(box.work + "/state/zs", 0o700)
    box.file("home/project/state/zs/trust", json.dumps({"version": 1, "trusted": {box.work: digest}}), 0o600)
    os.remove(box.outside + "/made")
    result = box.run_zs("run", "--", "touch", box.outside + "/made", add_env={"XDG_STATE_HOME": box.work + "/state"})
    expect(result.exit != 0 and not os.path.exists(box.outside + "/made"), result)
    result.expect_text("stderr", result.stderr, ["zs: trust: ", "lies in the workspace", "left out 1 entry"])
