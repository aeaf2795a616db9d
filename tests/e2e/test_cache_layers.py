"""zs run --caches private: a command sees the caches of tools as they are, and writes into a layer that only later
commands of its own workspace see."""

import contextlib
import glob
import json
import os
import shutil
import signal
import stat

from harness import expect, read, test
from layers import BUSY, layer_of, layers_of
from no_namespaces import no_namespaces, without
from processes import wait_until
from settings_files import project_settings, user_settings


def projects(box):
    """A cache with two files, and two projects."""
    box.file("home/.npm/_cacache/good", "good\n")
    box.file("home/.npm/_cacache/other", "other\n")
    return box.folder("home/one"), box.folder("home/two")


def run(box, workspace, script, *options, caches="private", **more):
    return box.run_zs("run", "--caches", caches, "--workspace", workspace, *options, "--", "sh", "-c",
        "cd ~/.npm/_cacache && { %s; }" % script, **more)


def outside(box):
    folder = box.home + "/.npm/_cacache"
    return {name: read(folder + "/" + name) for name in sorted(os.listdir(folder))}


@test(needs=["sandbox"], slow=True)
def one_project_does_not_reach_another(box):
    """The attack: a file that is added, changed, replaced, removed or renamed. The control: with shared caches each
    reaches the other project, and stays when the command is gone."""
    see = "grep -r . . | sort"
    clean = "./good:good\n./other:other\n"
    for attack, seen in (
            ("echo evil >new", "./good:good\n./new:evil\n./other:other\n"),
            ("echo evil >>good", "./good:evil\n./good:good\n./other:other\n"),
            ("echo evil >x && mv x good", "./good:evil\n./other:other\n"),
            ("rm good", "./other:other\n"),
            ("mv good moved", "./moved:good\n./other:other\n"),
            ("rm good && ln -s other good && test -L good", "./other:other\n"),
            ("rm -r ../_cacache && mkdir ../_cacache && echo evil >../_cacache/good", "./good:evil\n"),
            ("chmod 700 good && rm other", "./good:good\n")):
        one, two = projects(box)
        before = outside(box)
        run(box, one, attack).expect(exit=0, stderr="")
        expect(outside(box) == before, "%s: outside there is %s" % (attack, outside(box)))
        run(box, two, see).expect(exit=0, stdout=clean, stderr="")
        run(box, one, see).expect(exit=0, stdout=seen, stderr="")
        run(box, one, attack, caches="shared").expect(exit=0)
        run(box, two, see, caches="shared").expect(exit=0, stdout=seen)
        expect(outside(box) != before, "control: %s does nothing" % attack)
        shutil.rmtree(box.home + "/.npm")
        shutil.rmtree(layers_of(box))


@test(needs=["sandbox"])
def a_new_cache_is_private_too(box):
    """Its folder is made outside, empty, as for shared caches."""
    box.file("tools/npm", "#!/bin/sh\n", 0o755)
    env = {"PATH": box.folder("tools") + ":/usr/bin:/bin"}
    write = ("run", "--caches", "private", "--", "sh", "-c", "echo x >~/.npm/x; cat ~/.npm/x")
    box.run_zs(*write, add_env=env).expect(exit=0, stdout="x\n", stderr="")
    expect(os.listdir(box.home + "/.npm") == [], os.listdir(box.home + "/.npm"))
    box.run_zs("run", "--caches", "private", "--", "cat", box.home + "/.npm/x", add_env=env).expect(
        exit=0, stdout="x\n")


@test(needs=["sandbox"])
def changes_outside_are_seen_by_the_next_run(box):
    one, _ = projects(box)
    folder = box.home + "/.npm/_cacache/"
    run(box, one, "echo mine >mine && cat good").expect(exit=0, stdout="good\n")
    box.file(folder + "good", "better\n")
    box.file(folder + "fresh", "fresh\n")
    os.unlink(folder + "other")
    run(box, one, "grep -r . . | sort").expect(exit=0, stderr="",
        stdout="./fresh:fresh\n./good:better\n./mine:mine\n")


@test(needs=["sandbox"])
def where_the_layers_are(box):
    """Private to the user, out of reach of the command, and removed with rm -r."""
    one, _ = projects(box)
    run(box, one, "echo x >new && rm other").expect(exit=0)
    layer = layer_of(box, one)
    expect(read(layer + "/upper/_cacache/new") == "x\n", "it is elsewhere: %r" % glob.glob(layer + "/*"))
    owner = os.stat(box.home).st_uid
    for folder in (layers_of(box), os.path.dirname(layer), layer):
        st = os.stat(folder)
        expect((stat.S_IMODE(st.st_mode), st.st_uid) == (0o700, owner), "%s: %o" % (folder, st.st_mode))
    box.denied("ls %s" % layer, zs=("run", "--caches", "private", "--workspace", one))
    wide = ("run", "--caches", "private", "--rw", box.home + "/.local", "--workspace", one)
    new = layer + "/upper/_cacache/evil"
    box.run_zs(*wide, "--", "sh", "-c", "echo evil >%s" % new).expect(exit=2)
    expect(not os.path.exists(new), "a command writes into the layer from below")
    box.run(["rm", "-r", layers_of(box)], stdin=None).expect(exit=0, stderr="")
    run(box, one, "cat other").expect(exit=0, stdout="other\n")


@test(needs=["sandbox"])
def links_lead_no_layer_elsewhere(box):
    """A link in the cache's place, in the cache, and where the layer's folders are to be."""
    one, two = projects(box)
    victim = box.file("outside/victim/good", "victim\n")
    folder = os.path.dirname(victim)
    # The command plants links in its layer. They lead where its own grants lead, and the cache outside has none.
    run(box, one, "mkdir ../sub && ln -s %s ../sub/link && rm good && ln -s %s good" % (folder, victim)).expect(exit=0)
    result = run(box, one, "cat good ../sub/link/good; echo evil >good; echo evil >../sub/link/new; true")
    expect("victim" not in result.stdout and os.listdir(folder) == ["good"] and read(victim) == "victim\n", result)
    expect(outside(box) == {"good": "good\n", "other": "other\n"}, outside(box))
    # Where the layer is to be there is a link. The control: a folder there takes the layer.
    for depth in (0, 1, 2, 3):
        layer = layer_of(box, two)
        place = ([layers_of(box)] + [os.path.dirname(layer), layer, layer + "/upper"])[depth]
        shutil.rmtree(layers_of(box), ignore_errors=True)
        box.folder(os.path.dirname(place), 0o700)
        os.symlink(folder, place)
        result = run(box, two, "echo evil >new")
        expect(result.exit == 125 and "--caches shared" in result.stderr, "%s: %s" % (place, result))
        expect(os.listdir(folder) == ["good"], "%s: the layer is behind the link: %r" % (place, os.listdir(folder)))
        os.unlink(place)
    run(box, two, "echo x >new").expect(exit=0, stderr="")
    # A folder that others may enter is not trusted.
    os.chmod(layers_of(box), 0o755)
    expect(run(box, two, "true").exit == 125, "a folder open to others was used")


@test(needs=["sandbox"])
def a_state_folder_in_the_workspace_is_not_used(box):
    one, _ = projects(box)
    state = {"XDG_STATE_HOME": one + "/state"}
    for name in ("", "/zs", "/zs/caches"):
        box.folder("home/one/state" + name, 0o700)
    run(box, one, "true", add_env=state).expect(exit=125, stderr=["zs: caches: ", "--caches shared"])
    run(box, one, "echo x >new", caches="auto", add_env=state).expect(exit=0, stderr="")
    expect("new" in outside(box) and os.listdir(one + "/state/zs/caches") == [], "auto is not shared")


@test(needs=["sandbox"])
def a_state_folder_that_the_command_writes_is_not_used(box):
    """A host may leave out the protection of the folder, which zs run adds."""
    one, _ = projects(box)
    printed = json.loads(box.run_zs("run", "--caches", "private", "--rw", box.folder("home/.local"), "--workspace", one,
        "--print-sandbox").expect(exit=0).stdout)
    (name, text), = printed["env"].items()
    box.run_zs(*printed["argv"], "true", add_env={name: text}).expect(exit=0, stderr="")
    policy = json.loads(text)
    policy["paths"] = [grant for grant in policy["paths"] if grant["access"] != "protect"]
    expect(policy != json.loads(text), "nothing was protected")
    box.run_zs(*printed["argv"], "true", add_env={name: json.dumps(policy)}).expect(
        exit=125, stderr=["zs: caches: ", "--caches shared"])


@contextlib.contextmanager
def held(box, workspace, script="true", session=()):
    """A run that has the layers until the block ends."""
    for name in ("up", "cue"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(workspace + "/" + name)
    process = box.start([box.zs, "run", "--caches", "private", "--workspace", workspace, "--", "sh", "-c",
        "cd ~/.npm/_cacache && %s && touch %s/up && until [ -e %s/cue ]; do sleep 0.05; done"
        % (script, workspace, workspace)], text=True)
    try:
        wait_until(lambda: os.path.exists(workspace + "/up") or process.poll() is not None, "it does not start")
        yield process
    finally:
        with open(workspace + "/cue", "w"):
            pass
        process.communicate()


@test(needs=["sandbox"])
def two_runs_at_once(box):
    """The second sees the cache without the first one's writes, and its own are gone afterwards. Another workspace is
    not concerned."""
    one, two = projects(box)
    run(box, one, "echo earlier >earlier").expect(exit=0, stderr="")
    with held(box, one, "echo first >first"):
        run(box, one, "echo second >second && cat second && ls").expect(
            exit=0, stderr=BUSY, stdout="second\ngood\nother\nsecond\n")
        run(box, two, "echo x >mine && ls").expect(exit=0, stderr="", stdout="good\nmine\nother\n")
        full = run(box, one, "head -c 3000000 /dev/zero >big", "--limit", "tmp=1M")
        expect(full.exit != 0 and "No space left" in full.stderr, "the layer has no limit: %s" % full)
    run(box, one, "ls").expect(exit=0, stderr="", stdout="earlier\nfirst\ngood\nother\n")
    expect(sorted(outside(box)) == ["good", "other"], outside(box))


@test(needs=["sandbox"])
def a_killed_run_leaves_its_layer(box):
    one, _ = projects(box)
    with held(box, one, "echo first >first && rm good") as process:
        process.send_signal(signal.SIGKILL)
        process.wait()

        def is_free():
            result = run(box, one, "ls").expect(exit=0)
            return result.stderr == "" and result.stdout == "first\nother\n"

        wait_until(is_free, "the lock stays, or the layer is lost")
    run(box, one, "echo more >more && ls").expect(exit=0, stderr="", stdout="first\nmore\nother\n")


@test(needs=["sandbox"])
def a_process_in_the_background_holds_the_lock(box):
    """The lock lasts as long as any process of the run may write."""
    one, _ = projects(box)
    with held(box, one, "(sleep 60; echo late >late) & true"):
        run(box, one, "true").expect(exit=0, stderr=BUSY)
    wait_until(lambda: run(box, one, "ls").expect(exit=0, stdout="good\nother\n").stderr == "", "the lock stays")


@test(needs=["sandbox"])
def a_session_has_its_layer(box):
    one, _ = projects(box)
    box.env["XDG_RUNTIME_DIR"] = box.folder("runtime", 0o700)

    def in_session(script):
        return box.run_zs("run", "--session", "dev", "--caches", "private", "--workspace", one, "--", "sh", "-c",
            "cd ~/.npm/_cacache && " + script, cwd=one)

    try:
        in_session("echo first >first && rm good").expect(exit=0, stderr="")
        in_session("ls").expect(exit=0, stderr="", stdout="first\nother\n")
        run(box, one, "ls").expect(exit=0, stderr=BUSY, stdout="good\nother\n")
        expect(sorted(outside(box)) == ["good", "other"], outside(box))
    finally:
        box.run_zs("end", "dev", cwd=one)
    run(box, one, "ls").expect(exit=0, stderr="", stdout="first\nother\n")


@test(needs=["sandbox"])
def a_dry_run_writes_its_layer(box):
    one, two = projects(box)
    for options in (("--verify",), ("--diff",), ("--apply",)):
        box.run_zs("run", "--caches", "private", *options, "--workspace", one, "--", "sh", "-c",
            "echo x >~/.npm/_cacache/x; echo y >y", cwd=one).expect(exit=0)
    run(box, one, "ls").expect(exit=0, stdout="good\nother\nx\n")
    run(box, two, "ls").expect(exit=0, stdout="good\nother\n")
    expect(os.listdir(one) == ["y"] and sorted(outside(box)) == ["good", "other"], os.listdir(one))


@test(needs=["sandbox"])
def a_file_stays_shared_and_other_grants_count(box):
    one, _ = projects(box)
    box.file("home/.cargo/.package-cache", "")
    box.folder("home/.cargo/registry")
    box.run_zs("run", "--caches", "private", "--workspace", one, "--", "sh", "-c",
        "cd ~/.cargo && echo x >.package-cache && echo x >registry/x").expect(exit=0, stderr="")
    expect(read(box.home + "/.cargo/.package-cache") == "x\n" and os.listdir(box.home + "/.cargo/registry") == [],
        "the lock's file or the registry")
    # A grant that the user has spelled out, of all of the cache or a part, is no layer.
    part = box.folder("home/.npm/part")
    run(box, one, "echo x >../part/x && echo y >y", "--rw", part).expect(exit=0, stderr="")
    expect(os.listdir(part) == ["x"] and "y" not in outside(box), outside(box))
    run(box, one, "echo x >x", "--rw", box.home + "/.npm").expect(exit=0, stderr="")
    expect(outside(box)["x"] == "x\n", outside(box))
    # --hide and --protect count in a layer, too.
    run(box, one, "cat good", "--hide", box.home + "/.npm/_cacache/good").expect(exit=1)
    run(box, one, "echo x >>good || mv good bad || rm good", "--protect", box.home + "/.npm/_cacache/good").expect(
        exit=1)


@test(needs=["sandbox"])
def a_cache_in_the_workspace_is_the_workspace(box):
    one, _ = projects(box)
    env = {"npm_config_cache": box.folder("home/one/cache")}
    box.run_zs("run", "--caches", "private", "--workspace", one, "--", "sh", "-c", "echo x >$npm_config_cache/x",
        add_env=env).expect(exit=0, stderr="")
    expect(read(one + "/cache/x") == "x\n", "it is in a layer")


@test(needs=["sandbox"])
def where_it_cannot_be_had(box):
    one, _ = projects(box)
    zs = [*without(box), "--workspace", one]
    refused = box.run_zs("run", "--caches", "private", *zs, "--", "true", preexec_fn=no_namespaces)
    refused.expect(exit=125, stdout="", stderr=["zs: sandbox: caches: private: ", "--caches shared"])
    for caches in ("auto", "shared"):
        box.run_zs("run", "--caches", caches, *zs, "--", "sh", "-c", "echo %s >~/.npm/_cacache/x" % caches,
            preexec_fn=no_namespaces).expect(exit=0)
        expect(outside(box)["x"] == caches + "\n", caches)
    # auto is private where that can be had.
    run(box, one, "echo evil >x", caches="auto").expect(exit=0, stderr="")
    expect(outside(box)["x"] == "shared\n", outside(box))


@test(needs=["sandbox"])
def settings_ask_for_it(box):
    """A project may ask for private caches, and cannot lift what the user has asked for."""
    box.folder("home/.npm")
    write = ("run", "--", "sh", "-c", "echo x >~/.npm/x")
    for user, project, private in (("private", None, True), ("shared", "private", True), (None, "private", True),
            ("private", "shared", True), ("private", "auto", True), (None, "shared", False), (None, None, False)):
        shutil.rmtree(box.work + "/.zs", ignore_errors=True)
        shutil.rmtree(layers_of(box), ignore_errors=True)
        user_settings(box, {"caches": user})
        if project:
            project_settings(box, {"caches": project})
        box.run_zs(*write).expect(exit=0, stderr="")
        expect(os.path.exists(box.home + "/.npm/x") != private, "user %s, project %s" % (user, project))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(box.home + "/.npm/x")
    user_settings(box, {"caches": "own"})
    result = box.run_zs(*write)
    expect(result.exit == 65 and 'is none of "private", "auto", "tasks", "shared"' in result.stderr, result)


@test(needs=["sandbox"])
def a_policy_file_says_it(box):
    """The printed policy has the layers by themselves, and an older reader refuses them."""
    one, _ = projects(box)
    printed = box.run_zs("run", "--caches", "private", "--workspace", one, "--print-policy").expect(exit=0).stdout
    policy = json.loads(printed)
    grant = {"path": box.home + "/.npm", "access": "layer"}
    expect(policy["caches"] == "private" and grant in policy["paths"], printed)
    file = box.file("policy.json", printed)
    box.run_zs("run", "--policy", file, "--", "sh", "-c", "echo x >~/.npm/_cacache/x").expect(exit=0, stderr="")
    expect("x" not in outside(box), outside(box))
    # A grant with a layer is enforced, or the run is refused, whatever the field says.
    for caches, exit in (("shared", 125), ("auto", 0)):
        policy["caches"] = caches
        policy["without"] = without(box)[1].split(",")
        file = box.file("policy.json", json.dumps(policy))
        box.run_zs("run", "--policy", file, "--", "true", preexec_fn=no_namespaces).expect(exit=exit)
    # A layer of something that is no folder is refused.
    policy["paths"].append({"path": box.file("home/a-file"), "access": "layer"})
    policy["caches"] = "private"
    file = box.file("policy.json", json.dumps(policy))
    box.run_zs("run", "--policy", file, "--", "true").expect(exit=125, stderr=["a-file", "--caches shared"])
