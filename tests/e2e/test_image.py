"""--root LAYOUT: an image is unpacked once, each blob has its digest, and no layer writes outside of its image."""

import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile

from boxes import as_json, boxes, create, inside, own_place
from harness import Changed, expect, expect_fields, read, test
from images import ARCHITECTURE, INDEX, LAYER, MANIFEST, add_blob, add_image, layer, make_image, write_index
from roots import small_root, state

NEEDS = ["sandbox", "perl", "gzip"]


def layout_in(box, *layers, name="image"):
    layout = box.folder(name)
    digest = make_image(layout, *layers)
    return layout, digest


def store(box):
    return box.home + "/.local/state/zs/images"


def unpacked(box, digest):
    return os.path.join(store(box), digest.split(":")[1], "root")


def stored(box):
    return sorted(os.listdir(store(box))) if os.path.isdir(store(box)) else []


def run(box, layout, script="true", *options, **more):
    return box.run_zs("run", "--root", layout, *options, "--", "/bin/sh", "-c", script, **more)


def base(box):
    """A layer with the programs of a small root."""
    tree = small_root(box, "tree")
    data = layer(tree=tree)
    shutil.rmtree(tree)
    return data


@test(needs=NEEDS)
def an_image_is_a_root(box):
    layout, digest = layout_in(box, base(box), layer(("etc/new", "file", "of the second layer\n")),
        layer(("etc/third", "file", "of the third layer\n", 0o644)))
    with own_place(box):
        name = create(box, "--root", layout)
        inside(box, name, "cat /etc/marker /etc/new /etc/third; echo x >/etc/marker").expect(
            exit=0, stdout="of the root\nof the second layer\nof the third layer\n", stderr="")
        before = state(store(box))
        other = create(box, "--root", layout, "--root-user")
        inside(box, other, "id -u; cat /etc/marker").expect(exit=0, stdout="0\nof the root\n")
        expect(state(store(box)) == before, "it is unpacked once")
        expect(stored(box) == [digest.split(":")[1]], stored(box))
        # Results name the image.
        expect_fields(as_json(box, name, "exit 3", exit=3), {"status": 3, "image": digest})
        plain = create(box)
        expect_fields(as_json(box, plain, "true"), {"image": None})
    policy = json.loads(box.run_zs("run", "--root", layout, "--print-policy").expect(exit=0).stdout)
    expect(policy["root"] == {"path": unpacked(box, digest), "root_user": False, "image": digest}, policy["root"])
    # The layout is not needed any more, but for its index and manifest.
    run(box, layout, "cat /etc/marker").expect(exit=0, stdout="of the root\n", stderr="")


@test(needs=NEEDS)
def files_are_as_in_the_layer(box):
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT):
        long = "deep/" + "/".join("%02d" % number * 10 for number in range(4)) + "/name"
        longer = "/".join("x" * 60 for _ in range(20)) if form != tarfile.USTAR_FORMAT else "x"
        layout, digest = layout_in(box, base(box), layer(
            ("plain", "file", "text\n", 0o640), ("./dotted//name", "file", "dotted\n"), ("shut", "folder", "", 0o500),
            ("shut/in", "file", "in\n", 0o400), ("program", "file", "#!/bin/sh\n", 0o4755), ("hard", "hard", "plain"),
            ("link", "link", "plain"), ("pipe", "fifo"), ("sticky", "folder", "", 0o1777), ("empty", "file"),
            ("char", "char"), ("block", "block"), (long, "file", "long\n"), (longer, "file", "longer\n"),
            form=form), name="image%d" % form)
        run(box, layout, "true").expect(exit=0, stderr="")
        root = unpacked(box, digest)
        for name, mode in (("plain", 0o640), ("shut", 0o700), ("shut/in", 0o600), ("program", 0o755),
                ("sticky", 0o1777), ("pipe", 0o755), ("empty", 0o755)):
            expect(os.lstat(os.path.join(root, name)).st_mode & 0o7777 == mode, name, oct(os.lstat(
                os.path.join(root, name)).st_mode))
        for name, text in (("plain", "text\n"), ("hard", "text\n"), ("link", "text\n"), ("dotted/name", "dotted\n"),
                (long, "long\n"), (longer, "longer\n"), ("shut/in", "in\n")):
            with open(os.path.join(root, name)) as file:
                expect(file.read() == text, name)
        expect(os.stat(root + "/plain").st_nlink == 2 and os.lstat(root + "/plain").st_mtime == 1000000000, "links")
        expect(not os.path.lexists(root + "/char") and not os.path.lexists(root + "/block"), "no device")
        uid = os.geteuid() if box.user.uid is None else box.user.uid
        expect(os.stat(root + "/plain").st_uid == uid, "the caller owns all")


@test(needs=NEEDS)
def whiteouts_remove_what_is_below(box):
    layout, digest = layout_in(box, base(box), layer(
        ("a/one", "file"), ("a/two", "file"), ("b/one", "file"), ("b/deep/two", "file"), ("c", "link", "b"),
        ("d/keep", "file"), ("e/one", "file")),
        layer(("a/.wh.one", "file"), ("b/new", "file"), ("b/.wh..wh..opq", "file"), (".wh.c", "file"),
            (".wh.e", "file"), ("none/.wh.there", "file"), (".wh..wh.plnk", "file"), ("d", "folder", "", 0o700)),
        # A folder takes the place of a file, and the other way round.
        layer(("a/two/in", "file"), ("d", "file", "now a file\n")))
    done = run(box, layout, "true")
    expect(done.exit == 125 and "a/two" in done.stderr, "a file is no folder", done)
    layout, digest = layout_in(box, base(box), layer(
        ("a/one", "file"), ("a/two", "file"), ("b/one", "file"), ("b/deep/two", "file"), ("c", "link", "b"),
        ("d/keep", "file"), ("e/one", "file")),
        layer(("a/.wh.one", "file"), ("b/new", "file"), ("b/.wh..wh..opq", "file"), (".wh.c", "file"),
            (".wh.e", "file"), ("none/.wh.there", "file"), (".wh..wh.plnk", "file"), ("d", "folder", "", 0o700)),
        layer(("a/two", "folder"), ("a/two/in", "file"), ("d", "file", "now a file\n")), name="second")
    run(box, layout, "true").expect(exit=0, stderr="")
    root = unpacked(box, digest)
    found = sorted(os.path.relpath(os.path.join(folder, name), root) for top in "abcde" for folder, names, files in
        os.walk(os.path.join(root, top)) for name in files)
    expect(found == ["a/two/in", "b/new"], found)
    expect(os.path.isfile(root + "/d") and not any(os.path.lexists(os.path.join(root, name)) for name in (
        "c", "e", "none", ".wh.c")), os.listdir(root))


@test(needs=NEEDS)
def links_lead_into_the_image(box):
    """A name through a link is looked up with the image as root directory."""
    layout, digest = layout_in(box, base(box), layer(("run", "folder"), ("var/run", "link", "/run"),
        ("lib2", "link", "usr/lib2"), ("usr/lib2/x", "file"), ("up", "link", "../../../../etc")),
        layer(("var/run/file", "file", "in run\n"), ("lib2/y", "file", "y\n"), ("up/inside", "file", "up\n")))
    run(box, layout, "cat /run/file /usr/lib2/y /etc/inside").expect(exit=0, stdout="in run\ny\nup\n", stderr="")
    expect(not os.path.lexists("/run/file") and not os.path.lexists("/etc/inside"), "the machine's")


@test(needs=NEEDS)
def hostile_layers_write_nothing_outside(box):
    out = box.outside
    up = "../" * 20
    deep = "x/" * 30
    attacks = {
        "absolute": [(out + "/absolute", "file", "x")],
        "dots": [(up + out[1:] + "/dots", "file", "x")],
        "deep dots": [(deep + up + up + out[1:] + "/dots", "file", "x")],
        "link": [("out", "link", out), ("out/file", "file", "x")],
        "relative link": [("out", "link", up + out[1:]), ("out/file", "file", "x")],
        "link and whiteout": [("out", "link", out), ("out/.wh.victim", "file")],
        "file through a link": [("out", "link", out + "/victim"), ("out", "file", "x")],
        "hard link out": [("hard", "hard", out + "/victim"), ("hard", "file", "x")],
        "hard link by dots": [("hard", "hard", up + out[1:] + "/victim")],
        "hard link by a link": [("out", "link", out), ("hard", "hard", "out/victim")],
        "folder over a link": [("out", "link", out), ("out", "folder", "", 0o777), ("out/file", "file", "x")],
        "mode by a link": [("out", "link", out + "/victim"), ("out", "hard", "out")],
        "proc": [("out", "link", "/proc/self/cwd"), ("out/file", "file", "x")],
        "root of proc": [("out", "link", "/proc/1/root"), ("out" + out + "/file", "file", "x")],
        "whiteout of dots": [(".wh...", "file")],
        "whiteout of nothing": [(".wh.", "file")],
    }
    box.file("outside/victim", "victim\n", 0o640)
    harm = Changed(box, out)
    content = Changed(box, out + "/victim")
    # The control: a program that trusts the layer does the harm.
    with tarfile.open(fileobj=io.BytesIO(layer(*attacks["link"]))) as tar:
        trusting = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
        tar.extractall(box.folder("control"), **trusting)
    expect(harm(), "control")
    os.remove(out + "/file")
    harm.reset()
    programs = base(box)
    for number, (name, entries) in enumerate(attacks.items()):
        for split in (False, True):
            layers = [layer(entry) for entry in entries] if split else [layer(*entries)]
            layout, digest = layout_in(box, programs, *layers, name="%d%s" % (number, split))
            done = run(box, layout, "echo ran; cat %s/victim /hard" % out)
            expect(not harm() and not content() and os.stat(out + "/victim").st_nlink == 1, name, done)
            expect(done.exit != 0 and "victim\n" not in done.stdout, name, done)
            # An image that cannot be unpacked leaves nothing.
            expect(done.exit == 1 or (done.exit == 125 and "image: " in done.stderr and
                digest.split(":")[1] not in stored(box)), name, done)
    expect(not any(name.startswith("new-") for name in stored(box)), stored(box))


@test(needs=NEEDS)
def devices_and_setuid_bits_are_left_out(box):
    layout, digest = layout_in(box, base(box), layer(("dev/zero2", "char"), ("etc/block", "block"),
        ("etc/suid", "file", "x", 0o6755), ("etc/dir", "folder", "", 0o6755)))
    run(box, layout, "ls /etc/block").expect(exit=2)
    root = unpacked(box, digest)
    for folder, names, files in os.walk(root):
        for name in names + files:
            mode = os.lstat(os.path.join(folder, name)).st_mode
            expect(mode & 0o6000 == 0 and mode >> 12 in (0o4, 0o10, 0o12), name, oct(mode))


@test(needs=NEEDS)
def each_blob_has_its_digest(box):
    layout, digest = layout_in(box, base(box), layer(("etc/new", "file", "new\n")))
    blobs = layout + "/blobs/sha256/"
    with open(blobs + digest.split(":")[1]) as file:
        manifest = json.load(file)
    for descriptor in ({"digest": digest}, *manifest["layers"]):
        path = blobs + descriptor["digest"].split(":")[1]
        with open(path, "rb") as file:
            data = file.read()
        for wrong in (data[:-1] + bytes([data[-1] ^ 1]), data[:-1], data + b" "):
            with open(path, "wb") as file:
                file.write(wrong)
            done = run(box, layout, "echo ran")
            expect(done.exit == 125 and done.stdout == "" and done.stderr.startswith("zs: image: ") and
                stored(box) == [], descriptor, done)
        with open(path, "wb") as file:
            file.write(data)
        os.rename(path, path + ".away")
        done = run(box, layout, "echo ran")
        expect(done.exit == 125 and "no such file" in done.stderr, done)
        os.symlink(path + ".away", path)
        done = run(box, layout, "echo ran")
        expect(done.exit == 125 and done.stdout == "", "a link is no blob", done)
        os.rename(path + ".away", path)
    run(box, layout, "cat /etc/new").expect(exit=0, stdout="new\n")


def long_header():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        info = tarfile.TarInfo("x")
        info.pax_headers = {"comment": "x" * (1 << 20)}
        tar.addfile(info)
    return out.getvalue()


def by_zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


@test(needs=NEEDS + ["zstd"])
def a_layer_may_be_compressed_by_zstd(box):
    layout = box.folder("image")
    tree = base(box)
    for number, packed in enumerate((by_zstd(tree, "-1"), by_zstd(tree[:5000]) + by_zstd(tree[5000:]))):
        more = layer(("etc/new", "file", "layer %d\n" % number), ("etc/.wh.marker", "file"))
        layers = [add_blob(layout, packed, LAYER + "+zstd"), add_blob(layout, by_zstd(more), LAYER + ".zstd")]
        write_index(layout, add_blob(layout, json.dumps({"layers": layers}).encode(), MANIFEST))
        run(box, layout, "cat /etc/new; cat /etc/marker 2>/dev/null").expect(exit=1, stdout="layer %d\n" % number)
    before = stored(box)
    # The last one wants a window of 2 GiB, which zstd does not take without being asked to.
    for packed in (by_zstd(tree)[:-1], tree, b"",
            by_zstd(layer(("../out", "file", "x"))), by_zstd(bytes(1 << 20), "--ultra", "--long=31", "--no-check")):
        layers = [add_blob(layout, tree, LAYER), add_blob(layout, packed, LAYER + "+zstd")]
        write_index(layout, add_blob(layout, json.dumps({"layers": layers}).encode(), MANIFEST))
        run(box, layout, "echo ran").expect(exit=125, stdout="", stderr=["could not be unpacked"])
        expect(stored(box) == before, stored(box))


@test(needs=NEEDS, once=True, slow=True)
def a_layer_has_a_number_of_entries(box):
    layout = box.folder("image")
    block = layer(("./", "folder"))[:512]
    for count, exit in ((2 * 1000 * 1000, 0), (2 * 1000 * 1000 + 1, 125)):
        out = io.BytesIO()
        with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
            for _ in range(count // 1000):
                file.write(block * 1000)
            file.write(block * (count % 1000))
        many = add_blob(layout, out.getvalue(), LAYER + "+gzip")
        programs = add_blob(layout, base(box), LAYER)
        write_index(layout, add_blob(layout, json.dumps({"layers": [programs, many]}).encode(), MANIFEST))
        done = run(box, layout).expect(exit=exit)
        expect(("more than 2 million entries" in done.stderr) == (exit == 125), done)


@test(needs=NEEDS)
def a_layer_is_read_to_an_end(box):
    layout = box.folder("image")
    tree, plain = base(box), layer(("x", "file", ""))
    header = bytearray(plain[:512])
    header[156:157] = b"g"
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    tail = 16 << 20
    for more, message in ((bytes(header) * 16 + plain, None), (bytes(header) * 17 + plain, "more than 16 headers"),
            (layer()[:512] + bytes(tail), None), (layer()[:512] + bytes(tail + 1), "more than 16 MiB")):
        layers = [add_blob(layout, tree, LAYER), add_blob(layout, gzip.compress(more), LAYER + "+gzip")]
        write_index(layout, add_blob(layout, json.dumps({"layers": layers}).encode(), MANIFEST))
        result = run(box, layout).expect(exit=125 if message else 0)
        expect(not message or message in result.stderr, result)


@test(needs=NEEDS)
def what_is_no_image(box):
    layout, digest = layout_in(box, base(box))
    plain = layer(("x", "file"))

    def refused(message, *manifests, text=None):
        write_index(layout, *manifests)
        if text is not None:
            with open(layout + "/index.json", "w") as file:
                file.write(text)
        for words in (("run", "--root", layout, "--", "/bin/sh", "-c", "echo ran"),
                ("box", "create", "--root", layout)):
            done = box.run_zs(*words)
            expect(done.exit == 125 and done.stdout == "" and message in done.stderr and "zs: image: " in done.stderr,
                message, done)

    def image(layers, **more):
        return add_blob(layout, json.dumps({"schemaVersion": 2, "layers": layers, **more}).encode(), MANIFEST)

    good = add_blob(layout, plain, LAYER)
    other = {"architecture": "s390x", "os": "linux"}
    own = {"architecture": ARCHITECTURE, "os": "linux"}
    one = add_image(layout, plain, platform=own)
    refused("is not JSON", text="{")
    refused("is not JSON", text="")
    refused("names no images", text="{}")
    refused("has more than 4 MiB", text=" " * (4 * 1024 * 1024 + 1))
    refused("names 0 images")
    refused("names 0 images", add_image(layout, plain, platform=other))
    refused("names 2 images", one, one)
    refused("without layers", image([]))
    refused("has more than 256 layers", image([good] * 257))
    refused("does not unpack", image([{**good, "mediaType": LAYER + "+xz"}]))
    refused("does not unpack", image([{**good, "mediaType": None}]))
    refused("has no size", image([{**good, "size": None}]))
    refused("of the size that the image names", image([{**good, "size": 5}]))
    for wrong in ("", "sha256:", "sha256:" + "0" * 63, "sha256:" + "../" * 21 + "x", "sha512:" + "0" * 64,
            "sha256:" + "A" * 64):
        refused("hexadecimal digits", image([{**good, "digest": wrong}]))
    refused("no tar file", image([add_blob(layout, b"x" * 1024, LAYER)]))
    refused("ends too early", image([add_blob(layout, layer(("big", "file", "x" * 2000))[:1536], LAYER)]))
    refused("could not be unpacked", image([add_blob(layout, plain, LAYER + "+gzip")]))
    half = gzip.compress(layer(("big", "file", "x" * 100000)), 0)
    refused("could not be unpacked", image([add_blob(layout, half[:50000], LAYER + "+gzip")]))
    huge = bytearray(plain)
    huge[124:136] = b"\x80" + (1 << 40).to_bytes(11, "big")
    huge[148:156] = b" " * 8
    huge[148:156] = b"%06o\0 " % sum(huge[:512])
    refused("more than 64 GiB", image([add_blob(layout, bytes(huge), LAYER)]))
    refused("a header has more than 1 MiB", image([add_blob(layout, long_header(), LAYER)]))
    nested = one
    for _ in range(5):
        nested = add_blob(layout, json.dumps({"schemaVersion": 2, "manifests": [nested]}).encode(), INDEX)
    refused("has more than 4 indexes", nested)
    # One of this machine's among others is the image, also in an index of its own.
    expect(stored(box) == [], stored(box))
    programs = add_image(layout, base(box), platform=own)
    index = add_blob(layout, json.dumps({"manifests": [add_image(layout, plain, platform=other), programs]}).encode(),
        INDEX)
    write_index(layout, index)
    run(box, layout, "cat /etc/marker").expect(exit=0, stdout="of the root\n", stderr="")
    expect(stored(box) == [programs["digest"].split(":")[1]], stored(box))


@test(needs=NEEDS)
def the_store_is_the_users_alone(box):
    layout, digest = layout_in(box, base(box))
    # The next image removes what a killed zs has left.
    left = box.folder("home/.local/state/zs/images/new-0123456789abcdef/root/deep", 0o700)
    run(box, layout, "true").expect(exit=0)
    expect(not os.path.exists(left) and len(stored(box)) == 1, stored(box))
    # A command that can write the store has no root from there.
    done = run(box, layout, "echo ran", "--rw", box.home + "/.local")
    expect(done.exit == 125 and "can write" in done.stderr and done.stdout == "", done)
    os.chmod(store(box), 0o755)
    done = run(box, layout, "echo ran")
    expect(done.exit == 125 and "is not yours alone" in done.stderr, done)
    os.chmod(store(box), 0o700)
    elsewhere = box.folder("elsewhere")
    run(box, layout, "cat /etc/marker", add_env={"XDG_STATE_HOME": elsewhere}).expect(exit=0, stdout="of the root\n")
    expect(os.listdir(elsewhere + "/zs/images") == [digest.split(":")[1]], "XDG_STATE_HOME")
    # A model may have set the variable: what lies in the workspace is no store.
    planted = {"XDG_STATE_HOME": box.work}
    done = run(box, layout, "echo ran", add_env=planted)
    expect(done.exit == 125 and done.stdout == "" and "in the workspace" in done.stderr, done)


@test(needs=NEEDS)
def no_command_writes_the_store(box):
    """An image is the root directory of later boxes, and its digest is not computed again."""
    layout, digest = layout_in(box, base(box))
    run(box, layout).expect(exit=0)
    marker = unpacked(box, digest) + "/etc/marker"
    attack = ["sh", "-c", "echo evil >%s" % marker]
    for granted in (box.home, box.home + "/.local", box.home + "/.local/state", os.path.dirname(store(box))):
        done = box.run_zs("run", "--rw", granted, "--", *attack)
        expect(done.exit != 0 and read(marker) == "of the root\n", granted, done)
    box.run(attack).expect(exit=0)
    expect(read(marker) == "evil\n", "control")


@test(needs=NEEDS)
def many_make_it_once(box):
    layout, digest = layout_in(box, base(box), layer(*(("many/%d" % number, "file", "x") for number in range(500))))
    runs = [box.start([box.zs, "run", "--root", layout, "--", "/bin/sh", "-c", "cat /etc/marker"]) for _ in range(8)]
    for each in runs:
        out, err = each.communicate(timeout=60)
        expect(each.returncode == 0 and out == b"of the root\n", each.returncode, out, err)
    expect(stored(box) == [digest.split(":")[1]], stored(box))
    expect(not boxes(box), "no box")
