"""zs box save and create --from: what commands have written comes back, and nothing of the machine goes with it."""

import os
import shutil
import subprocess
import tempfile
import time

from boxes import boxes, create, inside, own_place
from harness import REPOSITORY, expect, test
from no_namespaces import install, program
from roots import small_root, state

NEEDS = ["sandbox", "perl"]
LANDLOCK = (444, 445, 446)
LONG = "l" * 200
# Everything that /tmp may hold.
WRITE = r"""
cd /tmp && mkdir -p a/b shut && echo one >a/b/file && ln a/b/file a/other && ln -s ../nowhere link && chmod 750 a/b
printf '\001\377' >bytes && : >empty && echo w >.wh.name && echo n >"new
line" && echo l >%s && ln -s /%s long && mkfifo pipe && echo t >shut/t && chmod 500 shut && touch -d @86400 bytes
mkdir -p "$(printf 'd%%080d/d%%080d' 1 2)" && echo deep >"$(printf 'd%%080d/d%%080d' 1 2)/deep"
""" % (LONG, LONG)
LOOK = r"""cd /tmp && find . -printf '%%P %%y %%m %%l\n' | sort; od -c bytes
cat a/b/file .wh.name new* %s shut/t d*/d*/deep; readlink long; stat -c '%%Y %%h' bytes a/other
test a/b/file -ef a/other && echo same""" % LONG


def content(path):
    with open(path, "rb") as file:
        return file.read()


def store(box):
    return box.home + "/.local/state/zs/snapshots"


def saved(box):
    return sorted(os.listdir(store(box))) if os.path.isdir(store(box)) else []


def save(box, name, to, exit=0, **more):
    return box.run_zs("box", "save", name, to, **more).expect(exit=exit, stdout="")


@test(needs=["sandbox"])
def what_is_in_tmp_comes_back(box):
    with own_place(box):
        name = create(box)
        inside(box, name, WRITE).expect(exit=0, stderr="")
        before = inside(box, name, LOOK).expect(exit=0, stderr="").stdout
        expect("same" in before and ".wh.name" in before, before)
        save(box, name, "one")
        inside(box, name, "rm -rf /tmp/a").expect(exit=0)
        box.run_zs("box", "close", name).expect(exit=0)
        for _ in range(2):
            other = create(box, "--from", "one")
            # Its owner may write each file of a snapshot.
            after = inside(box, other, LOOK).expect(exit=0, stderr="").stdout
            expect(after == before.replace("shut d 500", "shut d 700"), before, after)
            inside(box, other, "rm -rf /tmp/a; echo x >/tmp/bytes").expect(exit=0)
        inside(box, create(box), "ls -A /tmp/a").expect(exit=2)


@test(needs=NEEDS)
def a_root_comes_back(box):
    root = small_root(box)
    before = state(root)
    box.file("home/project/mine", "SECRET of the workspace\n")
    box.file("outside/granted", "SECRET of the grant\n")
    with own_place(box):
        name = create(box, "--root", root, "--ro", box.outside)
        inside(box, name, "echo mine >/etc/marker; rm /bin/df; mkdir /opt; echo o >/opt/o; ln -s /etc/marker /opt/l; "
            "chmod 600 /opt/o; cat %s/mine %s/granted" % (box.work, box.outside)).expect(
            exit=0, stdout="SECRET of the workspace\nSECRET of the grant\n")
        save(box, name, "two")
        expect(state(root) == before, "the folder has changed")
        # Nothing of what is mounted in the box is in it.
        found = subprocess.run(["grep", "-rl", "SECRET", store(box)], capture_output=True, text=True)
        expect(found.returncode == 1 and found.stdout == "", found)
        expect(os.listdir(store(box) + "/two/root/proc") == [], "a mount is an empty folder")
        kept = state(store(box))
        names = [create(box, "--from", "two"), create(box, "--from", "two", "--root-user")]
        for number, each in enumerate(names):
            inside(box, each, "cat /etc/marker /opt/l; ls /bin/df; id -u >/opt/%d; ls /opt" % number).expect(
                stdout="mine\nmine\n%d\nl\no\n" % number)
        expect(state(store(box)) == kept, "a box has changed the snapshot")
        # A box of a snapshot can be saved, too.
        save(box, names[1], "three")
        inside(box, create(box, "--from", "three"), "cat /opt/1").expect(exit=0, stdout="0\n")


@test(needs=NEEDS)
def links_lead_nowhere_else(box):
    root = small_root(box)
    box.file("outside/x", "x\n")
    before = state(box.outside)
    with own_place(box):
        name = create(box, "--root", root)
        inside(box, name, "ln -s %s /out; ln -s ../../../../.. /up; mkdir -p /srv; ln -s %s /srv/out" % (
            box.outside, box.outside)).expect(exit=0)
        inside(box, name, "ln -s %s /tmp/out; mkdir /tmp/d; ln -s / /tmp/d/root" % box.outside).expect(exit=0)
        save(box, name, "links")
        other = create(box, "--from", "links")
        inside(box, other, "readlink /out /up /srv/out /tmp/out; ls /out/x; ls /tmp/out/x").expect(
            exit=2, stdout="%s\n../../../../..\n%s\n%s\n" % (box.outside, box.outside, box.outside))
    expect(state(box.outside) == before, "a link was followed")


@test(needs=["sandbox"])
def what_cannot_be_whole_is_not_kept(box):
    with own_place(box):
        name = create(box)
        if box.user.uid != 0:
            inside(box, name, "mkdir /tmp/d; echo x >/tmp/d/shut; chmod 0 /tmp/d/shut").expect(exit=0)
            done = save(box, name, "part", exit=125)
            expect("zs: save: d/shut: permission denied" in done.stderr, done)
            expect(saved(box) == [], saved(box))
            inside(box, name, "rm -rf /tmp/d").expect(exit=0)
        inside(box, name, "cd /tmp; i=0; while [ $i -lt 1800 ]; do mkdir d; cd d; i=$((i + 1)); done").expect(exit=0)
        done = save(box, name, "deep", exit=125)
        expect("filename too long" in done.stderr and saved(box) == [], done)
        inside(box, name, "rm -rf /tmp/d").expect(exit=0)
        shared = create(box, "--tmp", "shared")
        expect("no /tmp of its own" in save(box, shared, "shared", exit=125).stderr, "shared")
        for bad in ("", "a/b", "..", "-x", "new-x", "a" * 65, "a b"):
            expect("is no name" in box.run_zs("box", "save", "--", name, bad).expect(exit=64).stderr, bad)
        save(box, name, "a" * 64)
        save(box, name, "b")
        expect("is the name of another snapshot" in save(box, name, "b", exit=125).stderr, "twice")
        expect(saved(box) == ["a" * 64, "b"], saved(box))
        save(box, "0" * 16, "none", exit=125)


@test(needs=["sandbox"])
def no_box_is_left_of_one_that_cannot_be_filled(box):
    with own_place(box):
        name = create(box)
        inside(box, name, "head -c 3000000 /dev/urandom >/tmp/large").expect(exit=0)
        save(box, name, "large")
        box.run_zs("box", "close", name).expect(exit=0)
        done = box.run_zs("box", "create", "--from", "large", "--limit", "tmp=1M").expect(exit=125, stdout="")
        expect("zs: restore: large: no space left on device" in done.stderr, done)
        expect("there is no such snapshot" in box.run_zs("box", "create", "--from", "none").expect(
            exit=125, stdout="").stderr, "none")
        box.run_zs("box", "create", "--from", "large", "--root", "/srv").expect(exit=64, stdout="")
        box.run_zs("box", "create", "--from", "large", "--root-user").expect(exit=64, stdout="")
        done = box.run_zs("box", "create", "--from", "large", preexec_fn=lambda: install(program(LANDLOCK)))
        done.expect(exit=125, stdout="")
        os.mkfifo(box.folder(store(box)[len(box.root) + 1:] + "/fifo") + "/tmp.tar")
        box.run_zs("box", "create", "--from", "fifo").expect(exit=125, stdout="")
        # A project cannot bring a snapshot.
        os.rename(box.home + "/.local/state", box.work + "/state")
        box.run_zs("box", "create", "--from", "large", add_env={"XDG_STATE_HOME": box.work + "/state"}).expect(
            exit=125, stdout="")
        expect(boxes(box) == [], boxes(box))


@test(needs=["sandbox"])
def a_hole_fills_no_disk(box):
    with own_place(box):
        name = create(box)
        # Each is below the bound.
        inside(box, name, "truncate -s 600M /tmp/a /tmp/b; echo end >>/tmp/a").expect(exit=0)
        done = save(box, name, "holes", exit=125)
        expect("file too large" in done.stderr and saved(box) == [], done, saved(box))
        inside(box, name, "rm /tmp/a; truncate -s 9223372036854775807 /tmp/b").expect(exit=0)
        save(box, name, "holes", exit=125)
        inside(box, name, "truncate -s 3M /tmp/b; echo end >>/tmp/b; sha256sum /tmp/b >/tmp/sum").expect(exit=0)
        save(box, name, "holes")
        inside(box, create(box, "--from", "holes"), "sha256sum -c --status /tmp/sum").expect(exit=0)


@test(needs=["sandbox"])
def a_snapshot_changes_nothing_that_is_mounted(box):
    granted = tempfile.mkdtemp(dir="/tmp")
    box.own(granted)
    os.chmod(granted, 0o755)
    with open(granted + "/kept", "w") as file:
        file.write("kept\n")
    box.own(granted + "/kept")
    before = state(granted)
    options = (("--ro", granted), ("--rw", granted))
    try:
        with own_place(box):
            # The folder is a name in it, which does not keep the next box from being made.
            name = create(box, *options[0])
            save(box, name, "with")
            for each in options:
                inside(box, create(box, *each, "--from", "with"), "cat %s/kept" % granted).expect(stdout="kept\n")
            # A command puts something else in the place of a folder that a later box is granted.
            for number, script in enumerate(("ln -s nowhere {0}", "echo x >{0}", "mkfifo {0}", "mkdir -m 777 {0}",
                    "mkdir {0}; echo mine >{0}/kept", "mkdir {0}; ln -s / {0}/new")):
                name = create(box)
                inside(box, name, script.format(granted)).expect(exit=0)
                save(box, name, "other%d" % number)
                inside(box, create(box, "--from", "other%d" % number), "test -e {0} || test -L {0}".format(
                    granted)).expect(exit=0)
                for each in options:
                    done = box.run_zs("box", "create", *each, "--from", "other%d" % number)
                    expect(done.exit == (0 if script.startswith("mkdir -m") else 125), script, done)
                    expect(state(granted) == before, script, state(granted))
    finally:
        shutil.rmtree(granted)


@test(needs=["sandbox"])
def a_command_that_stops_a_save_holds_up_no_other(box):
    stop = r"""setsid sh -c 'sleep 1; while :; do for each in /proc/[0-9]*; do read -r name <$each/comm
        [ "$name" = zs ] && kill -STOP ${each#/proc/}; done; done' >/dev/null 2>&1 &"""
    with own_place(box):
        other, bad = create(box), create(box)
        save(box, other, "good")
        inside(box, bad, stop).expect(exit=0)
        time.sleep(2)
        with box.start([box.zs, "box", "save", bad, "bad"]) as process:
            try:
                time.sleep(1)
                expect(process.poll() is None, "control: it was not stopped")
                create(box, "--from", "good")
                save(box, other, "better")
                expect(process.poll() is None, "control: it was not stopped for long")
                expect(any(each.startswith("new-") for each in saved(box)), "its folder was removed", saved(box))
            finally:
                box.run_zs("box", "close", bad).expect(exit=0)
        expect(process.returncode == 125 and saved(box) == ["better", "good"], process.returncode, saved(box))


@test(needs=["sandbox"])
def no_run_writes_a_snapshot(box):
    with own_place(box):
        name = create(box)
        inside(box, name, "echo x >/tmp/x").expect(exit=0)
        save(box, name, "mine")
    path = store(box) + "/mine/tmp.tar"
    before = content(path)
    for option in (box.home, box.home + "/.local/state"):
        box.run_zs("run", "--rw", option, "--", "sh", "-c", "echo y >>%s" % path)
    expect(content(path) == before, "a run has changed it")
    box.run(["sh", "-c", "echo y >>" + path]).expect(exit=0)
    expect(content(path) != before, "control: without zs it changes")


@test(needs=["sandbox", "node"])
def the_bindings_have_snapshots(box):
    with own_place(box):
        script = box.file("home/host.py", "import sys\nfrom zs_sandbox import Box\n"
            "with Box() as one:\n    one.put('/tmp/x', b'by python')\n    one.save('ours')\n"
            "with Box(snapshot='ours') as other:\n"
            "    print(other.get('/tmp/x').decode(), other.exec(['true']).ended)\n")
        place = {"PYTHONPATH": os.path.join(REPOSITORY, "bindings/python"), "ZS_PROGRAM": box.zs,
            "PYTHONDONTWRITEBYTECODE": "1"}
        box.run(["python3", "-B", script], add_env=place).expect(exit=0, stdout="by python exit\n")
        script = box.file("home/host.mjs", "const { Box } = await import(process.argv[2]);\n"
            "const box = await Box.create({}, { snapshot: 'ours' });\n"
            "console.log((await box.get('/tmp/x')).toString(), (await box.exec(['true'])).ended);\n"
            "await box.save('theirs');\nawait box.close();\n")
        box.run(["node", script, os.path.join(REPOSITORY, "bindings/node/index.js")], add_env=place).expect(
            exit=0, stdout="by python exit\n")
        expect(saved(box) == ["ours", "theirs"], saved(box))
