"""zigw without a network: its messages about missing things. It uses only files that it can check."""

import os
import re
import zipfile

from harness import REPOSITORY, expect, read, test

ZIGW = os.path.join(REPOSITORY, "zigw")
TOOLS = ["sh", "sed", "printf", "mkdir", "mktemp", "rm", "uname", "dirname", "tail", "cat"]


def tools(box):
    """A PATH on which zigw finds the usual tools, but no python3."""
    folder = box.folder("bin")
    for name in TOOLS:
        for place in ("/usr/bin/", "/bin/"):
            if os.path.exists(place + name):
                os.symlink(place + name, os.path.join(folder, name))
                break
    return folder


def program(folder, name, text):
    path = os.path.join(folder, name)
    if os.path.lexists(path):
        os.remove(path)
    with open(path, "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


def zigw(box, path, script=ZIGW, **env):
    # A copy: the ordinary user may not be allowed into the clone.
    copy = box.file("zigw", read(script), 0o755)
    return box.run(["sh", copy, "version"], env=dict({"HOME": box.home, "PATH": path}, **env))


def left_over(box):
    cache = os.path.join(box.home, ".cache/zs")
    return os.listdir(cache) if os.path.isdir(cache) else []


@test()
def says_what_is_missing(box):
    path = tools(box)
    zigw(box, path).expect(exit=1, stdout="", stderr=re.compile(r"^zigw: python3: not found; .* fetch ziglang"))
    program(path, "python3", "exit 1\n")
    zigw(box, path).expect(exit=1, stdout="", stderr=re.compile(r"^zigw: python3 has no pip, .* ensurepip"))
    program(path, "uname", '[ "$1" = -s ] && echo Plan9 || echo mips\n')
    zigw(box, path).expect(exit=1, stdout="",
        stderr=re.compile(r"^zigw: unsupported platform Plan9-mips; .* set ZIG to its path\n$"))
    expect(not left_over(box), left_over(box))


@test()
def refuses_another_compiler(box):
    path = tools(box)
    zigw(box, path, ZIG="/no/zig").expect(exit=1, stdout="", stderr="zigw: ZIG=/no/zig: cannot be run\n")
    program(path, "zig", "echo 0.1.0\n")
    zigw(box, path, ZIG=path + "/zig").expect(exit=1, stdout="",
        stderr="zigw: ZIG=%s/zig is Zig 0.1.0; this project is built with 0.15.2\n" % path)


@test()
def says_where_the_cache_cannot_be(box):
    path = tools(box)
    zigw(box, path, HOME="").expect(exit=1, stdout="", stderr=re.compile(r"^zigw: no HOME: set ZS_CACHE "))
    zigw(box, path, ZS_CACHE="/proc/x").expect(exit=1, stdout="",
        stderr=re.compile(r"^zigw: /proc/x: cannot be made; set ZS_CACHE "))


@test(needs=["pip"], slow=True)
def refuses_a_wrong_hash(box):
    """A package with the right name and version but other bytes: zigw names it, and leaves no file of it."""
    folder = box.folder("index")
    wheel = os.path.join(folder, "ziglang-0.15.2-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w") as archive:
        info = "ziglang-0.15.2.dist-info/"
        archive.writestr("ziglang/zig", "#!/bin/sh\necho evil\n")
        archive.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: ziglang\nVersion: 0.15.2\n")
        archive.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(info + "RECORD", "")
    result = zigw(box, "/usr/bin:/bin", PIP_NO_INDEX="1", PIP_FIND_LINKS=folder)
    result.expect(exit=1, stdout="", stderr=re.compile(
        r"ziglang-0.15.2-py3-none-any.whl: wrong sha256\n  got  [0-9a-f]{64}\n  want [0-9a-f]{64}\n"
        r"zigw: ziglang 0.15.2: refused; nothing of it is used\n$"))
    expect(not left_over(box), left_over(box))


@test()
def an_index_that_fails_is_asked_again(box):
    path = tools(box)
    program(path, "sleep", "echo $1 >>%s\n" % box.file("pauses"))
    tried = box.file("tried")
    # It fails once; what it fetches then is not the package.
    program(path, "python3", 'case "$*" in *download*) echo try >>%s; [ "$(cat %s)" != try ];; '
        '"-"*[0-9]*) exit 1;; esac\n' % (tried, tried))
    zigw(box, path).expect(exit=1, stdout="", stderr="zigw: fetching ziglang 0.15.2\n"
        "zigw: fetching ziglang 0.15.2 again\nzigw: ziglang 0.15.2: refused; nothing of it is used\n")
    expect(read(tried) == "try\ntry\n" and read(box.root + "/pauses") == "2\n", read(tried))
    # One that always fails is given up.
    os.remove(tried)
    program(path, "python3", 'case "$*" in *download*) echo try >>%s; exit 1;; esac\n' % box.file("tried"))
    zigw(box, path).expect(exit=1, stdout="", stderr=re.compile("is the network up"))
    expect(read(tried) == "try\n" * 3, read(tried))
    expect(not left_over(box), left_over(box))


@test(needs=["pip"], slow=True)
def says_when_nothing_can_be_fetched(box):
    result = zigw(box, "/usr/bin:/bin", PIP_NO_INDEX="1", PIP_FIND_LINKS=box.folder("empty"))
    result.expect(exit=1, stdout="", stderr=re.compile(r"zigw: pip could not fetch ziglang 0.15.2; is the network up"))
    expect(not left_over(box), left_over(box))
