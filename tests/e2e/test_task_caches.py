"""--for TASK gives the task's caches a layer of the workspace's own, without --caches: poison that one project puts
into a cache reaches no other project."""

import contextlib
import json
import os
import shutil

from harness import expect, read, test
from layers import BUSY, digest, layer_of, layers_of
from no_namespaces import no_namespaces, without
from processes import wait_until
from settings_files import project_settings, user_settings

# The task, one of its caches, and whether it has a layer: docs/cost.md has the measurements.
CACHES = [("npm", ".npm", True), ("pnpm", ".local/share/pnpm/store", True), ("pnpm", ".cache/pnpm", True),
    ("yarn", ".cache/yarn", False), ("yarn", ".yarn/berry", False), ("pip", ".cache/pip", True),
    ("uv", ".cache/uv", False), ("cargo", ".cargo/registry", True), ("cargo", ".cargo/git", True),
    ("go", ".cache/go-build", True), ("go", "go/pkg", False), ("maven", ".m2/repository", True)]


def fill(box):
    """Each cache has a file, and there are two projects."""
    for _, cache, _ in CACHES:
        box.file("home/%s/good" % cache, "good\n")
    return box.folder("home/one"), box.folder("home/two")


def run(box, workspace, script, *options, **more):
    return box.run_zs("run", *options, "--workspace", workspace, "--", "sh", "-c", "cd && { %s; }" % script, **more)


def layered(box, *options, workspace=None, **more):
    """The caches that a run with these options has a layer for."""
    printed = box.run_zs("run", "--print-policy", "--workspace", workspace or box.work, *options, **more)
    policy = json.loads(printed.expect(exit=0).stdout)
    have = {grant["path"][len(box.home) + 1:] for grant in policy["paths"] if grant["access"] == "layer"}
    return have & {cache for _, cache, _ in CACHES}


def of(*tasks):
    return {cache for task, cache, layer in CACHES if layer and task in tasks}


@test(needs=["sandbox"], slow=True)
def poison_of_one_project_does_not_reach_another(box):
    """The control: with shared caches it reaches the other project and stays."""
    one, two = fill(box)
    for task, cache, layer in CACHES:
        see = "grep -r . %s | sort" % cache
        clean = "%s/good:good\n" % cache
        for attack, poisoned in (("echo evil >{0}/new", "{0}/good:good\n{0}/new:evil\n"),
                ("echo evil >{0}/x && mv {0}/x {0}/good", "{0}/good:evil\n")):
            attack, poisoned = attack.format(cache), poisoned.format(cache)
            run(box, one, attack, "--for", task).expect(exit=0, stderr="")
            run(box, one, see, "--for", task).expect(exit=0, stdout=poisoned, stderr="")
            run(box, two, see, "--for", task).expect(exit=0, stdout=clean if layer else poisoned, stderr="")
            expect((os.listdir(box.home + "/" + cache) == ["good"] and read(box.home + "/" + cache + "/good") ==
                "good\n") == layer, "%s outside: %s" % (cache, os.listdir(box.home + "/" + cache)))
            run(box, one, attack, "--for", task, "--caches", "shared").expect(exit=0, stderr="")
            run(box, two, see, "--for", task, "--caches", "shared").expect(exit=0, stdout=poisoned)
            shutil.rmtree(box.home + "/" + cache)
            shutil.rmtree(layers_of(box), ignore_errors=True)
            fill(box)


@test(needs=["sandbox"])
def only_the_caches_of_the_task_have_a_layer(box):
    fill(box)
    expect(layered(box) == set(), "without a task")
    for task in {task for task, _, _ in CACHES}:
        expect(layered(box, "--for", task) == of(task), "%s: %s" % (task, layered(box, "--for", task)))
    expect(layered(box, "--for", "npm,cargo", "--for", "pip") == of("npm", "cargo", "pip"), "several")
    expect(layered(box, "--for", "git,gpu") == set(), "tasks without a cache")
    box.file(box.work + "/package.json", "{}")
    expect(layered(box, "--for", "auto") == of("npm"), "auto")
    # A file is shared, and so is a folder of targets.
    box.file("home/.cargo/.package-cache")
    target = box.folder("home/target")
    run(box, box.work, "echo x >.cargo/.package-cache && echo x >target/x", "--for", "cargo",
        add_env={"CARGO_TARGET_DIR": target}).expect(exit=0, stderr="")
    expect(read(box.home + "/.cargo/.package-cache") == "x\n" and os.listdir(target) == ["x"], "a layer has it")
    # A cache that a task names by name alone: its hosts have none.
    expect(layered(box, "--host", "@npm", workspace=box.folder("home/other")) == set(), "@npm")


@test(needs=["sandbox"])
def caches_and_settings_decide_over_it(box):
    one, _ = fill(box)
    everything = {cache for _, cache, _ in CACHES}
    for caches, want in (("shared", set()), ("tasks", of("npm")), ("private", everything), ("auto", everything)):
        expect(layered(box, "--for", "npm", "--caches", caches) == want, caches)
        user_settings(box, {"caches": caches})
        expect(layered(box, "--for", "npm") == want, "settings: " + caches)
        expect(layered(box, "--for", "npm", "--caches", "tasks") == of("npm"), "the option counts, not " + caches)
        expect(layered(box, "--for", "npm", "--no-settings") == of("npm"), "without settings")
    user_settings(box, {"for": ["pip"]})
    expect(layered(box) == of("pip") and layered(box, "--caches", "shared") == set(), "for in settings")
    # A project may ask for more privacy, and not for less.
    project_settings(box, {"caches": "shared"})
    expect(layered(box) == of("pip"), "a project shares")
    user_settings(box, {"for": ["pip"], "caches": "shared"})
    project_settings(box, {"caches": "tasks"})
    expect(layered(box) == of("pip"), "a project asks for it")
    # A grant that is spelled out is the cache itself.
    run(box, one, "echo x >.npm/x", "--for", "npm", "--rw", box.home + "/.npm").expect(exit=0, stderr="")
    expect(read(box.home + "/.npm/x") == "x\n", "it is in a layer")


@test(needs=["sandbox"])
def a_cache_that_the_configuration_names_has_its_layer(box):
    one, two = fill(box)
    cases = (("npm", ".npmrc", "cache=%s\n", True), ("pnpm", ".npmrc", "store-dir=%s\n", True),
        ("pip", ".config/pip/pip.conf", "[global]\ncache-dir = %s\n", True),
        ("uv", ".config/uv/uv.toml", 'cache-dir = "%s"\n', False), ("go", ".config/go/env", "GOCACHE=%s\n", True),
        ("go", ".config/go/env", "GOMODCACHE=%s\n", False))
    for at, (task, file, text, layer) in enumerate(cases):
        own = box.folder("home/own%d" % at)
        file = box.file("home/" + file, text % own)
        run(box, one, "echo x >own%d/x" % at, "--for", task).expect(exit=0, stderr="")
        run(box, two, "test -e own%d/x" % at, "--for", task).expect(exit=1 if layer else 0)
        expect(os.listdir(own) == ([] if layer else ["x"]), "%s: %s" % (text, os.listdir(own)))
        os.unlink(file)
    for variable, task, layer in (("npm_config_cache", "npm", True), ("GOCACHE", "go", True),
            ("GOMODCACHE", "go", False), ("PIP_CACHE_DIR", "pip", True)):
        own = box.folder("home/" + variable)
        run(box, one, "echo x >%s/x" % own, "--for", task, add_env={variable: own}).expect(exit=0, stderr="")
        expect(os.listdir(own) == ([] if layer else ["x"]), variable)


@test(needs=["sandbox"])
def later_runs_of_the_workspace_keep_the_layer(box):
    """A build after the task sees what the task has fetched, and code that the task has fetched, run later without the
    task, does not reach the shared cache. The control: a workspace that had no task writes to it."""
    one, two = fill(box)
    run(box, one, "echo crate >.cargo/registry/crate", "--for", "cargo").expect(exit=0, stderr="")
    run(box, one, "cat .cargo/registry/crate; echo evil >.cargo/registry/good; echo x >.npm/x").expect(
        exit=0, stdout="crate\n", stderr="")
    expect(read(box.home + "/.cargo/registry/good") == "good\n", "poison")
    expect(read(box.home + "/.npm/x") == "x\n", "npm has a layer, though no run had its task")
    expect(layered(box, workspace=one) == {".cargo/registry", ".cargo/git"}, layered(box, workspace=one))
    expect(layered(box, workspace=two) == set(), "another workspace")
    expect(layered(box, "--caches", "shared", workspace=one) == set(), "--caches shared")
    run(box, two, "echo two >.cargo/registry/good").expect(exit=0, stderr="")
    expect(read(box.home + "/.cargo/registry/good") == "two\n", "control: nothing is written")
    # By another name of the workspace, and where the layers are gone.
    os.symlink(one, box.home + "/name")
    expect(layered(box, workspace=box.home + "/name") == of("cargo"), "a link")
    shutil.rmtree(layers_of(box))
    expect(layered(box, workspace=one) == set(), "without the layers")
    # A link in the place of the layers is not followed.
    os.makedirs(os.path.dirname(os.path.dirname(layer_of(box, one, ".npm"))), 0o700)
    os.chmod(layers_of(box), 0o700)
    os.symlink(box.folder("elsewhere"), os.path.dirname(layer_of(box, one, ".npm")))
    box.folder("elsewhere/" + os.path.basename(layer_of(box, one, ".npm")))
    expect(layered(box, workspace=one) == set(), "a link was followed")


@test(needs=["sandbox"])
def where_there_are_no_layers_the_cache_is_shared(box):
    """Without a line, as with --caches auto; and --caches private is refused there."""
    one, _ = fill(box)
    zs = ["--for", "pip", *without(box)]
    # Hosts take namespaces, so the task is named by a policy file here.
    printed = json.loads(box.run_zs("run", "--print-policy", "--workspace", one, *zs).expect(exit=0).stdout)
    printed["network"] = "none"
    file = box.file("policy.json", json.dumps(printed))
    script = "echo %s >~/.cache/pip/x"
    box.run_zs("run", "--policy", file, "--", "sh", "-c", script % "layer").expect(exit=0, stderr="")
    expect(os.listdir(box.home + "/.cache/pip") == ["good"], "control: it has no layer")
    box.run_zs("run", "--policy", file, "--", "sh", "-c", script % "shared", preexec_fn=no_namespaces).expect(
        exit=0, stderr="")
    expect(read(box.home + "/.cache/pip/x") == "shared\n", "it is not shared")
    box.run_zs("run", "--policy", file, "--caches", "private", "--", "true", preexec_fn=no_namespaces).expect(
        exit=125, stderr=["--caches shared"])


@test(needs=["sandbox"])
def a_full_disk_does_not_open_the_cache(box):
    """A command may have filled the disk that has its layers. The next run is refused, and does not share the cache.
    The control: with room for the layers the same run has them."""
    one, _ = fill(box)
    state = box.folder("state", 0o700)
    script = """mount -t tmpfs -o nr_inodes=40,mode=700 none %(state)s || exit 99
        mkdir -m 700 %(state)s/zs %(state)s/zs/caches %(state)s/zs/journal || exit 99
        $1
        cd %(one)s && exec %(zs)s run --for npm --workspace %(one)s -- sh -c 'echo evil >~/.npm/evil'"""
    script %= {"state": state, "one": one, "zs": box.zs}

    def attempt(before):
        return box.run(["unshare", "-rm", "sh", "-c", script, "sh", before], add_env={"XDG_STATE_HOME": state})

    control = attempt("true")
    if control.exit == 99 or "unshare" in control.stderr:
        raise AssertionError("this machine has no user namespace for the test: %s" % control)
    control.expect(exit=0, stderr="")
    expect(os.listdir(box.home + "/.npm") == ["good"], "control: it has no layer")
    fills = box.file("fill", "#!/bin/sh\ni=0\nwhile : >%s/f$i; do i=$((i+1)); done 2>/dev/null\ntrue\n" % state, 0o755)
    attempt(fills).expect(exit=125, stderr=["zs: caches: ", "No space left", "--caches shared"])
    expect(os.listdir(box.home + "/.npm") == ["good"], "poison")


@test(needs=["sandbox"])
def a_printed_policy_gives_the_same_run(box):
    one, two = fill(box)
    printed = box.run_zs("run", "--for", "npm", "--workspace", one, "--print-policy").expect(exit=0).stdout
    policy = json.loads(printed)
    expect(policy["caches"] == "tasks", policy["caches"])
    file = box.file("policy.json", printed)
    again = box.run_zs("run", "--policy", file, "--print-policy").expect(exit=0).stdout
    expect(again == printed, "it changes when it is read")
    script = "cd && echo x >.npm/x && echo x >.cargo/registry/x"
    box.run_zs("run", "--policy", file, "--", "sh", "-c", script).expect(exit=0, stderr="")
    expect(os.listdir(box.home + "/.npm") == ["good"] and "x" in os.listdir(box.home + "/.cargo/registry"), "other run")
    run(box, one, "cat .npm/x", "--for", "npm").expect(exit=0, stdout="x\n", stderr="")
    run(box, two, "cat .npm/x", "--for", "npm").expect(exit=1)
    # Lists in a policy file, and the tasks of the command line.
    lists = {"version": 1, "workspace": {"root": one, "access": "write"}, "path_lists": {}}
    for caches, want in ((None, set()), ("shared", set()), ("tasks", of("npm"))):
        file = box.file("lists.json", json.dumps({**lists, **({"caches": caches} if caches else {})}))
        shown = json.loads(box.run_zs("run", "--policy", file, "--for", "npm", "--print-policy").expect(exit=0).stdout)
        have = {grant["path"][len(box.home) + 1:] for grant in shown["paths"] if grant["access"] == "layer"}
        expect(have == want, "%s: %s" % (caches, have))


@test(needs=["sandbox"])
def show_names_the_layer_and_its_task(box):
    fill(box)
    shown = json.loads(box.run_zs("policy", "show", "--json", "--for", "npm").expect(exit=0).stdout)
    text = json.dumps(shown)
    expect('"layer"' in text and '"tasks"' in text, text)
    lines = box.run_zs("policy", "show", "--for", "npm").expect(exit=0).stdout.splitlines()
    line, = [line for line in lines if line.split()[:1] == ["layer"]]
    expect("/.npm" in line and "npm" in line.split("/.npm")[1], line)


@contextlib.contextmanager
def held(box, workspace, *options):
    """A run that has the layers until the block ends."""
    process = box.start([box.zs, "run", *options, "--workspace", workspace, "--", "sh", "-c",
        "cd && echo first >.npm/first && touch {0}/up && until [ -e {0}/cue ]; do sleep 0.05; done".format(workspace)],
        text=True)
    try:
        wait_until(lambda: os.path.exists(workspace + "/up") or process.poll() is not None, "it does not start")
        yield
    finally:
        with open(workspace + "/cue", "w"):
            pass
        process.communicate()


@test(needs=["sandbox"])
def a_second_run_at_once_keeps_nothing(box):
    """With the task, and without it where a layer is kept. A run with shared caches is not concerned."""
    one, two = fill(box)
    with held(box, one, "--for", "npm"):
        for options in (("--for", "npm"), ()):
            run(box, one, "ls .npm; echo evil >.npm/evil", *options).expect(exit=0, stdout="good\n", stderr=BUSY)
        run(box, two, "ls .npm", "--for", "npm").expect(exit=0, stdout="good\n", stderr="")
        run(box, one, "ls .npm", "--caches", "shared").expect(exit=0, stdout="good\n", stderr="")
    run(box, one, "ls .npm", "--for", "npm").expect(exit=0, stdout="first\ngood\n", stderr="")
    expect(os.listdir(box.home + "/.npm") == ["good"], "poison")


@test(needs=["sandbox"])
def a_session_and_a_box_have_their_layers(box):
    one, two = fill(box)
    box.env["XDG_RUNTIME_DIR"] = box.folder("runtime", 0o700)
    try:
        for script, have in (("echo first >.npm/first", ""), ("ls .npm", "first\ngood\n")):
            box.run_zs("run", "--session", "dev", "--for", "npm", "--workspace", one, "--", "sh", "-c", "cd; " + script,
                cwd=one).expect(exit=0, stdout=have, stderr="")
        run(box, one, "ls .npm", "--for", "npm").expect(exit=0, stdout="good\n", stderr=BUSY)
    finally:
        box.run_zs("end", "dev", cwd=one)
    run(box, one, "ls .npm", "--for", "npm").expect(exit=0, stdout="first\ngood\n", stderr="")
    name = box.run_zs("box", "create", "--for", "npm", "--workspace", two, cwd=two).expect(exit=0).stdout.strip()
    try:
        for script, have in (("echo mine >.npm/mine", ""), ("ls .npm", "good\nmine\n")):
            box.run_zs("box", "exec", name, "--", "sh", "-c", "cd; " + script).expect(exit=0, stdout=have, stderr="")
    finally:
        box.run_zs("box", "rm", name)
    expect(os.listdir(box.home + "/.npm") == ["good"], "outside")


@test(needs=["sandbox"])
def layers_of_workspaces_that_are_gone_are_removed(box):
    """When a workspace gets its first layer. Layers of a workspace that is there, or that a run has, stay."""
    one, two = fill(box)
    busy, fresh = box.folder("home/busy"), box.folder("home/fresh")
    deep = "mkdir -p .npm/a && cd .npm/a && for i in $(seq 300); do mkdir dddddddd && cd dddddddd || exit 1; done"
    run(box, one, deep + "; chmod 0 ~/.npm/a; ln -s %s ~/.npm/link; rm ~/.npm/good" % box.folder("victim"), "--for",
        "npm").expect(exit=0, stderr="")
    run(box, two, "echo x >.npm/x", "--for", "npm").expect(exit=0, stderr="")
    box.file("victim/file", "x")
    layers = {name: os.path.dirname(layer_of(box, name, ".npm")) for name in (one, two, busy, fresh)}
    with held(box, busy, "--for", "npm"):
        os.rename(busy, busy + "-moved")
        shutil.rmtree(one)
        run(box, two, "true", "--for", "npm").expect(exit=0, stderr="")
        expect(os.path.exists(layers[one]), "a workspace that has its layer cleans")
        run(box, fresh, "true", "--for", "npm").expect(exit=0, stderr="")
        have = {name for name, layer in layers.items() if os.path.exists(layer)}
        expect(have == {two, busy, fresh}, have)
        os.rename(busy + "-moved", busy)
    expect(read(box.root + "/victim/file") == "x", "a link was followed")
    marks = sorted(name for name in os.listdir(layers_of(box)) if name.endswith(".workspace"))
    expect(marks == sorted(os.path.basename(layers[name]) + ".workspace" for name in (two, busy, fresh)), marks)
    run(box, two, "cat .npm/x", "--for", "npm").expect(exit=0, stdout="x\n", stderr="")


LOOKED_MAX, REMOVED_MAX = 64, 4  # layer_clean.h


@test(needs=["sandbox"])
def the_cleaning_is_bounded_and_follows_no_link(box):
    one, _ = fill(box)
    run(box, one, "true", "--for", "npm").expect(exit=0, stderr="")
    all_layers = layers_of(box)

    def plant(count, exists, first=0):
        paths = [box.home + "/w%d" % at for at in range(first, first + count)]
        for path in paths:
            box.folder(all_layers + "/" + digest(path), 0o700)
            box.file(all_layers + "/" + digest(path) + ".workspace", path)
            if exists:
                box.folder(path)
        return paths

    def left(paths):
        return sum(os.path.exists(all_layers + "/" + digest(path)) for path in paths)

    def clean(at):
        run(box, box.folder("home/new%d" % at), "true", "--for", "npm").expect(exit=0, stderr="")

    gone = plant(REMOVED_MAX + 2, False)
    clean(0)
    expect(left(gone) == 2, "%d of %d are left" % (left(gone), len(gone)))
    clean(1)
    expect(left(gone) == 0, "the next cleaning leaves some")
    # It looks at some of many, another time at others.
    kept = plant(2 * LOOKED_MAX, True, 100)
    gone = plant(1, False)
    for at in range(2, 200):
        clean(at)
        shutil.rmtree(box.home + "/new%d" % at)
        if not left(gone):
            break
    expect(left(gone) == 0 and left(kept) == len(kept), "%d, %d" % (left(gone), left(kept)))
    # A link in the place of the layers, and of the mark; a mark of another path; one that is longer than a path.
    victim = box.folder("victim/inner")
    paths = plant(4, False, 1000)
    os.rmdir(all_layers + "/" + digest(paths[0]))
    os.symlink(os.path.dirname(victim), all_layers + "/" + digest(paths[0]))
    os.unlink(all_layers + "/" + digest(paths[1]) + ".workspace")
    os.symlink(box.file("elsewhere", paths[1]), all_layers + "/" + digest(paths[1]) + ".workspace")
    box.file(all_layers + "/" + digest(paths[2]) + ".workspace", "/nowhere")
    box.file(all_layers + "/" + digest(paths[3]) + ".workspace", paths[3] + "/x" * 4096)
    for at in range(200, 206):
        clean(at)
    expect(os.path.isdir(victim) and left(paths) == 4, "%s, %d" % (os.path.isdir(victim), left(paths)))
