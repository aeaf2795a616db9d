"""The installed and packed files: man pages, completions, licences, and the .deb, whose zs is run."""

import hashlib
import io
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile

from harness import REPOSITORY, Failure, can_run, expect, landlock_abi, read, test

PREFIX = os.environ.get("ZS_TEST_PREFIX", "")
SHARE = os.path.join(PREFIX, "share")
SCRIPTS = os.path.join(REPOSITORY, "cmd/package")
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def read_bytes(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def same(what, have, want):
    expect(have == want, "%s: %r, not %r" % (what, have, want))


def manual(box):
    return json.loads(box.run_zs("help", "--json").expect(stderr="").stdout)


# ------------------------------------------------------------------------------------------------- the manual


def unroff(text):
    return re.sub(r"\\f[A-Z]", "", text).replace("\\-", "-").replace("\\&", "").replace("\\(aq", "'")


def tags(page):
    """The text before each text of a list: the lines after .TP, of one section a name."""
    found = {}
    for part in re.split(r"^\.SH ", page, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        found[title] = [unroff(tag) for tag in re.findall(r"^\.TP\n(.*)$", text, re.M)]
    return found


@test(needs=["installed"], once=True)
def every_option_is_in_its_page(box):
    """The manual has no other options. Its words are those of --help, which other code makes from the same table."""
    names = [command["name"] for command in manual(box)["commands"]]
    listed = re.findall(r"^  (\w+) +\S", box.run_zs("--help").stdout.split("Exit codes")[0], re.M)
    same("commands of --help", listed, names + ["help"])
    options = 0
    for name in names:
        text = box.run_zs(name, "--help").stdout
        # "  -p, --profile a|b  what", or without text where that starts on the next line
        rows = re.findall(r"^  (?:(-\w),|   ) (--[\w-]+(?:\[=\S+\])?)((?: [^\s]+)?)(?:  |$)", text, re.M)
        want = [(letter + ", " if letter else "") + option + value for letter, option, value in rows]
        page = read(os.path.join(SHARE, "man/man1/zs-%s.1" % name))
        same("options of " + name, sorted(tags(page).get("OPTIONS", [])), sorted(want))
        options += len(want)
        codes = re.findall(r"^  (\d+) ", box.run_zs("--help").stdout, re.M)
        same("exit codes of " + name, tags(page)["EXIT STATUS"], codes)
    expect(options >= 100, "hardly an option was found: %d" % options)
    same("commands of zs.1", tags(read(os.path.join(SHARE, "man/man1/zs.1")))["COMMANDS"],
        ["zs " + name for name in names + ["help"]])


@test(needs=["installed"], once=True)
def every_key_is_in_the_page_of_policies(box):
    found = tags(read(os.path.join(SHARE, "man/man5/zs-policy.5")))
    code = read(os.path.join(REPOSITORY, "sandbox/policy/policy_json.c"))
    table = re.search(r"policy_fields\[\] = \{(.*?)\n\};", code, re.S).group(1)
    same("keys of a policy", sorted(found["POLICY"]), sorted(re.findall(r'\{ "(\w+)"', table)))
    settings = read(os.path.join(REPOSITORY, "docs/settings.md"))
    same("keys of settings", found["SETTINGS"], re.findall(r"^\| `([\w.]+)` \|", settings, re.M))


@test(needs=["installed"], once=True)
def every_function_of_the_shim_is_in_its_page(box):
    page = unroff(read(os.path.join(SHARE, "man/man3/zs_exec_shim.3")))
    header = read(os.path.join(REPOSITORY, "shim/zs_shim.h"))
    functions = re.findall(r"^(?:int|void) (zs_\w+)\(", header, re.M)
    for name in functions:
        expect(re.search(r"^(?:int|void) %s\(" % name, page, re.M), "%s: is not in the synopsis" % name)
    described = re.findall(r"^\.SS (\w+)\(\)$", page, re.M)
    same("functions with a text", described, [name for name in functions if name != "zs_wrapped_free"])


@test(needs=["installed", "groff"], once=True)
def pages_are_clean(box):
    """groff prints no warning. The control: it warns about a page with a mistake."""
    pages = [os.path.join(at, name) for at, _, names in os.walk(os.path.join(SHARE, "man")) for name in names]
    same("pages", len(pages), len(manual(box)["commands"]) + 3)
    slip = box.file("slip.1", ".TH A 1\n.SH NAME\n.nosuchmacro\n")
    for page in pages + [slip]:
        done = box.run(["groff", "-man", "-ww", "-Tutf8", page], env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
        expect(bool(done.stderr) == (page == slip), "%s: %s" % (page, done.stderr))


# -------------------------------------------------------------------------------------------------- completions

# Words, of which the last is being typed; words that must be offered; words that must not.
COMPLETIONS = [
    (["zs", ""], ["vet", "run", "help", "doctor"], ["strict"]),
    (["zs", "po"], ["policy"], ["vet"]),
    (["zs", "vet", "--pro"], ["--profile"], ["--json"]),
    (["zs", "vet", "--profile", ""], ["strict", "relaxed", "verify"], ["--json"]),
    (["zs", "run", "--net", "h"], ["hosts"], ["none"]),
    (["zs", "hook", "cla"], ["claude"], ["codex"]),
    (["zs", "install", "co"], ["codex", "copilot"], ["claude"]),
    (["zs", "policy", ""], ["show", "check", "diff", "schema"], ["strict"]),
    (["zs", "policy", "check", "fi"], ["file.json"], ["show"]),
    (["zs", "run", "--ro", "fi"], ["file.json"], ["find"]),
    (["zs", "run", "--workspace", "fo"], ["folder"], ["fold"]),
    (["zs", "run", "--hide", "x", "--", "tou"], ["touch"], ["--hide"]),
    (["zs", "run", "--", "cat", "fi"], ["file.json"], ["find"]),
]


def try_completions(box, offered, but=()):
    """offered(words): the offers of the shell, without suffixes."""
    box.file("home/project/file.json")
    box.folder("home/project/folder")
    for words, want, never in COMPLETIONS:
        if words in but:
            continue
        have = [word.rstrip("/") for word in offered(words)]
        missing = [word for word in want if word not in have]
        wrong = [word for word in never if word in have]
        expect(not missing and not wrong,
            "%s: offers %s; lacks %s, should not have %s" % (words, have[:20], missing, wrong))


@test(needs=["installed", "bash"])
def bash_completes(box):
    source = os.path.join(SHARE, "bash-completion/completions/zs")
    script = '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _zs; printf "%s\\n" "${COMPREPLY[@]}"'
    copy = box.file("completions", read(source))

    def offered(words):
        return box.run(["bash", "--norc", "-c", script, copy, *words]).expect(exit=0, stderr="").stdout.splitlines()

    try_completions(box, offered)
    # readline's words: the sign is one of its own
    same("--net=h", offered(["zs", "run", "--net", "=", "h"]), ["hosts"])
    same("--net=", offered(["zs", "run", "--net", "="]), ["none", "hosts", "full"])
    # every option of every command, and nothing else
    for command in manual(box)["commands"]:
        want = {"--help", "-h"}
        for option in [option for group in command["groups"] for option in group["options"]]:
            want |= {"--" + option["name"]} | ({"-" + option["letter"]} if option["letter"] else set())
        same("options of " + command["name"], set(offered(["zs", command["name"], "-"])), want)


@test(needs=["installed", "fish"], once=True)
def fish_completes(box):
    source = os.path.join(SHARE, "fish/vendor_completions.d/zs.fish")

    def offered(words):
        done = box.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", source, " ".join(words)],
            add_env={"PATH": os.path.dirname(box.zs) + ":" + os.environ["PATH"]})
        return [line.split("\t")[0] for line in done.expect(exit=0, stderr="").stdout.splitlines()]

    try_completions(box, offered)


@test(needs=["installed", "zsh"], once=True)
def zsh_reads_its_completion(box):
    """Real offers of zsh need a terminal. Here a stand-in for _arguments prints every specification."""
    source = os.path.join(SHARE, "zsh/site-functions/_zs")
    box.run(["zsh", "-f", "-n", source]).expect(exit=0, stderr="")
    script = """
_arguments() { local word; for word; do print -r -- "$word"; done }
_describe() { : }
words=(zs $2 ''); CURRENT=3
source $1
"""
    for command in manual(box)["commands"]:
        shown = box.run(["zsh", "-f", "-c", script, "zsh", source, command["name"]]).expect(exit=0, stderr="").stdout
        for option in [option for group in command["groups"] for option in group["options"]]:
            if not re.search(r"^(?:\*|\(.*\))--%s(?:=)?\[" % option["name"], shown, re.M):
                raise Failure("%s --%s is not there: %s" % (command["name"], option["name"], shown))


@test(needs=["installed"], once=True)
def zsh_keeps_its_own_tables(box):
    """_command_names reads $commands. A local variable of that name would hide it, and zs run would offer no
    program."""
    own = {"aliases", "builtins", "commands", "functions", "history", "jobdirs", "jobtexts", "modules", "nameddirs",
        "options", "parameters", "path", "words"}
    names = re.findall(r"\blocal (?:-a )?(\w+)", read(os.path.join(SHARE, "zsh/site-functions/_zs")))
    same("local names", sorted(names), ["command", "subcommands"])
    same("of zsh's own", own & set(names), set())


# ----------------------------------------------------------------------------------------------------- the SBOM


@test(needs=["installed"], once=True)
def each_pin_is_in_the_sbom(box):
    text = read(os.path.join(SHARE, "doc/zs/zs.spdx.json"))
    document = json.loads(text)
    for key in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"):
        expect(document.get(key), "no %s, which SPDX 2.3 wants" % key)
    have = {sum["checksumValue"] for package in document["packages"] for sum in package.get("checksums", [])}
    zigw = read(os.path.join(REPOSITORY, "zigw"))
    want = set(re.findall(r"\b[0-9a-f]{64}\b", zigw))
    same("sums", have, want)
    expect(len(want) >= 5, "zigw has hardly a pin: %s" % want)
    for name, version in re.findall(r"^fetch (\S+) (\d\S+) ", zigw, re.M):
        expect(any(p["name"] == "pin " + name and p["versionInfo"] == version for p in document["packages"]),
            "%s %s is not there" % (name, version))
    identifiers = [package["SPDXID"] for package in document["packages"]]
    same("identifiers that are there twice", len(set(identifiers)), len(identifiers))
    for relation in document["relationships"]:
        for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
            expect(end in identifiers + ["SPDXRef-DOCUMENT"] and re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", end),
                "%s is of nothing" % relation)
    # The SBOM has no host of a registry and no other address.
    expect("://" not in text and not re.search(r"\b[\w-]+\.(org|com|io|net)\b", text), "names a host: %s" % text)
    linked = {r["relatedSpdxElement"] for r in document["relationships"] if r["relationshipType"] == "STATIC_LINK"}
    licences = read(os.path.join(SHARE, "doc/zs/copyright"))
    for package in document["packages"]:
        if package["SPDXID"] in linked:
            expect("%s %s: %s\n" % (package["name"], package["versionInfo"], package["licenseDeclared"]) in licences,
                "the licence of %s is not there" % package["name"])
    same("licences", len(linked), 7)


@test(needs=["installed"], once=True)
def a_pin_that_is_not_known_is_refused(box):
    zigw = read(os.path.join(REPOSITORY, "zigw"))
    for old, new in (("fetch yyjson ", "fetch other "), ("fetch yyjson ", "# fetch yyjson ")):
        path = box.file("zigw", zigw.replace(old, new))
        done = box.run([sys.executable, "-B", os.path.join(SCRIPTS, "sbom.py"), "0", path, path, box.outside])
        done.expect(exit=1, stderr=re.compile("^pins: .*yyjson.*do not name the same"))


# ------------------------------------------------------------------------------------------------- the packages


def pack(box, name, programs, epoch="1700000000", share=SHARE, umask=0o022, **variables):
    """Makes the packages as ./zigw build package does. Returns their bytes by name."""
    out = os.path.join(box.root, name)
    argv = [sys.executable, "-B", os.path.join(SCRIPTS, "package.py"), "1.2.3", share, out, *programs]
    env = {"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": epoch, **variables}
    done = subprocess.run(argv, env=env, cwd=box.root, umask=umask, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect(done.returncode == 0, done.stderr.decode())
    return {file: read_bytes(out, file) for file in os.listdir(out)}


PACKED = {}


def packed(box):
    """The packages of this zs, made once."""
    if not PACKED:
        PACKED.update(pack(box, "out", [platform.machine() + "=" + box.zs]))
    return PACKED


@test(needs=["installed"], once=True)
def the_same_bytes_again(box):
    """From another folder, with other times and modes, in another time zone, with a stricter umask."""
    copy = os.path.join(box.root, "elsewhere/share")
    shutil.copytree(SHARE, copy)
    for at, folders, names in os.walk(copy):
        for path in [os.path.join(at, name) for name in names]:
            os.chmod(path, 0o640)
            os.utime(path, (1, 1))
    program = box.file("program", "not so long as zs\n")  # compressing zs itself this often takes half a minute
    programs = ["x86_64=" + program, "aarch64=" + program, "aarch64-macos-13-0=" + program]
    first = pack(box, "a", programs)
    again = pack(box, "b", programs, share=copy, umask=0o077, TZ="Asia/Tokyo", LC_ALL="C.UTF-8", HOME="/nonexistent")
    same("names", sorted(first), ["SHA256SUMS", "zs-1.2.3-aarch64-linux.tar.xz", "zs-1.2.3-x86_64-linux.tar.xz",
        "zs-1.2.3.spdx.json", "zs-sandbox-1.2.3.tgz", "zs_1.2.3_amd64.deb", "zs_1.2.3_arm64.deb",
        "zs_sandbox-1.2.3-py3-none-macosx_13_0_arm64.whl",
        "zs_sandbox-1.2.3-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl",
        "zs_sandbox-1.2.3-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl"])
    for name in first:
        expect(first[name] == again[name],
            "%s: %d and %d bytes, and not the same" % (name, len(first[name]), len(again[name])))
    # The control: another time changes every archive. A wheel counts in twos of seconds.
    other = pack(box, "c", programs, epoch="1700000002")
    same("alike at another time", [name for name in first if first[name] == other[name]], ["zs-1.2.3.spdx.json"])
    sums = dict(line.split("  ")[::-1] for line in first["SHA256SUMS"].decode().splitlines())
    same("sums", sums, {name: hashlib.sha256(data).hexdigest() for name, data in first.items() if name != "SHA256SUMS"})


@test(needs=["linux"], once=True)
def the_program_does_not_know_where_it_was_built(box):
    """Two folders make the same program, since it holds no path of either."""
    zs = read_bytes(box.zs)
    folders = [os.path.join(REPOSITORY, name) + "/" for name in ("cmd", "sandbox", "shellpolicy", "shim")]
    for text in (*folders, ".zig-cache/", "tree_sitter/core", "cmd/main.c"):
        expect(text.encode() not in zs, "%s is in it, %s" % (text, zs[max(0, zs.find(text.encode()) - 40):][:120]))


def dynamic(program):
    """Tag to value, of the dynamic section of a 64-bit ELF file (man 5 elf)."""
    at, size, count = struct.unpack_from("<Q14xHH", program, 32)
    for header in range(at, at + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", program, header)
        if kind == 2:  # PT_DYNAMIC
            return dict(struct.iter_unpack("<qQ", program[offset:offset + length]))
    raise Failure("no dynamic section")


@test(needs=["linux"], once=True)
def a_start_relocates_little(box):
    """Each pointer in data costs every start a relocation, and each page of them a copy: zs --version took 100 us
    more with 9,000. Tables of many words are arrays of characters, places in a text or lists in one string."""
    found = dynamic(read_bytes(box.zs))
    count = found[8] // found[9]  # DT_RELASZ by DT_RELAENT
    expect(100 < count < 4000, "%d relocations; readelf -rW, of a zs that is not stripped, tells of what" % count)


@test(needs=["installed"])
def the_tarball_is_whole(box):
    name = "zs-1.2.3-%s-linux" % platform.machine()
    made = packed(box)
    with tarfile.open(fileobj=io.BytesIO(made[name + ".tar.xz"])) as archive:
        for member in archive:
            same(member.name, (member.uid, member.gid, member.mtime), (0, 0, 1700000000))
            same(member.name, member.mode, 0o755 if member.isdir() or member.name.endswith("bin/zs") else 0o644)
        archive.extractall(box.outside)
    box.run([os.path.join(box.outside, name, "bin/zs"), "vet", "-c", "ls"]).expect(exit=0)
    for file in ("share/man/man1/zs.1", "share/doc/zs/copyright", "share/bash-completion/completions/zs"):
        expect(os.path.isfile(os.path.join(box.outside, name, file)), "%s is not in it" % file)


def debian(box):
    """Writes the .deb of this machine to a file."""
    path = os.path.join(box.root, "zs.deb")
    with open(path, "wb") as f:
        f.write(packed(box)["zs_1.2.3_%s.deb" % DEBIAN[platform.machine()]])
    return path


@test(needs=["installed", "dpkg"])
def zs_runs_from_the_deb(box):
    root = box.folder("unpacked")
    path = debian(box)
    subprocess.run(["dpkg-deb", "-x", path, root], check=True)
    zs = os.path.join(root, "usr/bin/zs")
    box.run([zs, "--version"]).expect(exit=0, stdout=box.run_zs("--version").stdout)
    box.run([zs, "vet", "-c", "cd /"]).expect(exit=2, stdout=re.compile("^block cd"))
    if landlock_abi() >= 6 and (box.user.is_root or can_run("unshare", "-Urn", "true")(box.user)):
        box.run([zs, "run", "--", "sh", "-c", "echo inside; cat %s" % box.key]).expect(exit=1, stdout="inside\n")
    fields = subprocess.run(["dpkg-deb", "-f", path], check=True, stdout=subprocess.PIPE).stdout.decode()
    for line in ("Package: zs", "Version: 1.2.3", "Architecture: " + DEBIAN[platform.machine()], "Section: utils"):
        expect(line in fields.splitlines(), "no %r in %s" % (line, fields))
    used = sum((os.path.getsize(os.path.join(at, name)) + 1023) // 1024
        for at, _, names in os.walk(root) for name in names)
    size = int(re.search(r"^Installed-Size: (\d+)$", fields, re.M).group(1))
    expect(used <= size <= used + 64, "Installed-Size is %d KiB, and its files are %d" % (size, used))
    # Debian's policy requires this file in every package, compressed without a time.
    for name in ("usr/share/doc/zs/copyright", "usr/share/doc/zs/changelog.gz", "usr/share/man/man1/zs.1.gz"):
        head = read_bytes(root, name)[:8]
        if name.endswith(".gz"):
            same(name, head[:2] + head[3:], b"\x1f\x8b\x00\x00\x00\x00\x00")


@test(needs=["installed", "dpkg", "root"], once=True)
def dpkg_installs_and_removes_it(box):
    root = box.folder("system")
    for name in ("info", "updates", "triggers"):
        os.makedirs(os.path.join(root, "var/lib/dpkg", name))
    open(os.path.join(root, "var/lib/dpkg/status"), "w").close()
    dpkg = ["dpkg", "--root=" + root, "--log=/dev/null"]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    box.run(dpkg + ["-i", debian(box)], env=env).expect(exit=0)
    box.run([os.path.join(root, "usr/bin/zs"), "--version"]).expect(exit=0)
    # The sums are those of the files: dpkg names a file that has been changed.
    box.run(dpkg + ["-V", "zs"], env=env).expect(exit=0, stdout="")
    with open(os.path.join(root, "usr/share/doc/zs/copyright"), "a") as f:
        f.write("x")
    changed = box.run(dpkg + ["-V", "zs"], env=env).stdout  # older ones exit with 0
    expect(re.fullmatch(r"..5\S* .*/copyright\n", changed), "what was changed is not named: %r" % changed)
    box.run(dpkg + ["-P", "zs"], env=env).expect(exit=0)
    left = [os.path.join(at, name) for at, _, names in os.walk(root) for name in names if "/var/" not in at]
    same("left behind", left, [])


# ---------------------------------------------------------------------------------- the packages of two languages


def packed_file(box, ending):
    """Writes the one package whose name ends so to a file that every user may read."""
    (name,) = [name for name in packed(box) if name.endswith(ending)]
    path = os.path.join(box.root, name)
    with open(path, "wb") as f:
        f.write(packed(box)[name])
    os.chmod(path, 0o644)
    return path


def expect_confined(box, zs):
    """An installed zs vets, and confines where this machine can."""
    box.run([zs, "--version"]).expect(exit=0, stdout=box.run_zs("--version").stdout)
    box.run([zs, "vet", "-c", "cd /"]).expect(exit=2, stdout=re.compile("^block cd"))
    box.run([zs, "run", "--", "sh", "-c", "echo inside; cat %s" % box.key]).expect(exit=1, stdout="inside\n")


# It has no zs in PATH: it finds the one that was installed with it.
PYTHON_HOST = """
import zs_sandbox
print(zs_sandbox.find_zs(), zs_sandbox.vet("cd /").code)
sandbox = zs_sandbox.Sandbox(zs_sandbox.Policy())
done = sandbox.run(["sh", "-c", "echo inside; cat %s"], capture_output=True, text=True)
print(done.returncode, done.stdout, end="")
"""
NODE_HOST = """
import { Sandbox, vet } from "zs-sandbox";
import { createRequire } from "node:module";
const sandbox = new Sandbox();
const { code } = await vet("cd /");
console.log(sandbox.zs, code);
const done = sandbox.spawnSync("sh", ["-c", "echo inside; cat %s"], { encoding: "utf8" });
console.log(done.status, done.stdout.trim());
process.exit(0);
"""


@test(needs=["installed", "sandbox", "system-pip"])
def pip_installs_zs_and_its_binding(box):
    """In a fresh environment that lies where no command can write, without an index."""
    place = box.folder("venv")
    box.run(["/usr/bin/python3", "-m", "venv", place]).expect(exit=0)
    wheel = packed_file(box, "musllinux_1_1_%s.whl" % platform.machine())
    python, zs = os.path.join(place, "bin/python"), os.path.join(place, "bin/zs")
    box.run([python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", wheel]).expect(exit=0)
    expect_confined(box, zs)
    done = box.run([python, "-I", "-c", PYTHON_HOST % box.key], env={**box.env, "PATH": "/usr/bin:/bin"})
    done.expect(exit=0, stdout="%s cd\n1 inside\n" % zs)
    # The files are as pip's own list says: pip removes all of them again.
    box.run([python, "-m", "pip", "uninstall", "-q", "-y", "zs-sandbox"]).expect(exit=0)
    expect(not os.path.lexists(zs), "pip has left zs behind")


@test(needs=["installed", "sandbox", "node", "npm"])
def npm_installs_zs_and_its_binding(box):
    """Below a fresh prefix, without a registry."""
    place = box.folder("npm")
    package = packed_file(box, ".tgz")
    npm = ["npm", "install", "-g", "--prefix", place, "--offline", "--no-audit", "--no-fund", package]
    box.run(npm).expect(exit=0)
    zs = os.path.join(place, "bin/zs")
    expect_confined(box, zs)
    box.run([zs, "run", "--", "sh", "-c", "exit 7"]).expect(exit=7)
    module = os.path.join(place, "lib/node_modules/zs-sandbox")
    host = box.file("host/host.mjs", NODE_HOST % box.key)
    box.folder("host/node_modules")
    os.symlink(module, os.path.join(os.path.dirname(host), "node_modules/zs-sandbox"))
    native = os.path.join(module, "bin/linux-%s/zs" % {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()])
    box.run(["node", host]).expect(exit=0, stdout="%s cd\n1 inside\n" % native)
    # A program of another machine is not started: the launcher names what is missing.
    shutil.rmtree(os.path.dirname(native))
    box.run([zs, "--version"]).expect(exit=125, stdout="", stderr=re.compile("^zs: this package has no zs for Linux"))


# The first bytes of a 64-bit ELF file for each machine (man 5 elf), and of a 64-bit Mach-O file.
ELF = {"x86_64": 62, "aarch64": 183}


def kind_of(program):
    if program[:5] == b"\x7fELF\x02":
        (machine,) = struct.unpack_from("<H", program, 18)
        return "linux", {number: name for name, number in ELF.items()}[machine]
    if program[:4] == b"\xcf\xfa\xed\xfe":
        (machine,) = struct.unpack_from("<I", program, 4)
        return "darwin", {0x01000007: "x86_64", 0x0100000C: "aarch64"}[machine]
    raise Failure("neither ELF nor Mach-O: %r" % program[:20])


def expect_platforms(files):
    """Each package that carries programs names their platforms. files: paths. Returns the kinds seen."""
    seen = set()
    for path in files:
        name = os.path.basename(path)
        if name.endswith(".whl"):
            with zipfile.ZipFile(path) as archive:
                (program,) = [n for n in archive.namelist() if n.endswith(".data/scripts/zs")]
                system, machine = kind_of(archive.read(program))
                same("mode", archive.getinfo(program).external_attr >> 16, 0o100755)
                tags = re.findall("^Tag: py3-none-(.*)$", archive.read(
                    next(n for n in archive.namelist() if n.endswith("/WHEEL"))).decode(), re.M)
            same("tags of " + name, ".".join(tags), name[:-len(".whl")].split("-", 4)[4])
            want = {"linux": r"(manylinux|musllinux).*_%s" % machine,
                "darwin": r"macosx_\d+_\d+_%s" % {"aarch64": "arm64"}.get(machine, machine)}[system]
            expect(all(re.fullmatch(want, tag) for tag in tags), "%s holds %s %s" % (name, system, machine))
            seen.add((system, machine))
        elif name.endswith(".tgz"):
            with tarfile.open(path) as archive:
                for member in archive:
                    found = re.fullmatch(r"package/bin/(\w+)-(\w+)/zs", member.name)
                    if not found:
                        continue
                    system, machine = kind_of(archive.extractfile(member).read())
                    same(member.name, found.groups(), (system, {"x86_64": "x64", "aarch64": "arm64"}[machine]))
                    same("mode", member.mode, 0o755)
                    seen.add((system, machine))
    return seen


@test(needs=["installed"], once=True)
def a_package_names_the_machine_of_its_program(box):
    """zs of this machine; then all that ./zigw build package has made, where it was run."""
    same("kinds", expect_platforms([packed_file(box, ".whl")]), {("linux", platform.machine())})
    same("kinds", expect_platforms([packed_file(box, ".tgz")]), {("linux", platform.machine())})
    # The control: the wrong tag is found.
    other = {"x86_64": "aarch64", "aarch64": "x86_64"}[platform.machine()]
    for name, data in pack(box, "wrong", [other + "=" + box.zs]).items():
        path = box.file(name, "")
        with open(path, "wb") as f:
            f.write(data)
        if name.endswith((".whl", ".tgz")):
            try:
                expect_platforms([path])
            except Failure:
                continue
            raise Failure("%s holds a program of another machine, and that was not found" % name)
    made = os.path.join(REPOSITORY, "zig-out/package")
    files = [os.path.join(made, name) for name in os.listdir(made)] if os.path.isdir(made) else []
    if any(file.endswith(".whl") for file in files):
        all = {(system, machine) for system in ("linux", "darwin") for machine in ELF}
        same("kinds of the wheels", expect_platforms([file for file in files if file.endswith(".whl")]), all)
        same("kinds of the npm package", expect_platforms([file for file in files if file.endswith(".tgz")]), all)
    else:
        print("  only the zs of this machine was looked at: ./zigw build package was not run")
