"""The sources of zs: the pins of zigw, with the licence of each and the place of its text.

A pin that only zigw or only this table has is an error.
"""

import os
import re

# For each pin: the parts that are linked into zs (name, its own version where it has one), the licence, and its texts,
# from the folder that zigw gives to build.zig.
PARTS = {
    "ziglang": [
        ("musl", "1.2.5", "MIT", ["libc/musl/COPYRIGHT"]),
        ("compiler-rt of Zig", None, "MIT", ["../LICENSE"]),
    ],
    "tree-sitter": [
        ("tree-sitter", None, "MIT", ["../../../LICENSE"]),
        ("ICU headers in tree-sitter", None, "ICU", ["src/unicode/LICENSE"]),
    ],
    "tree-sitter-bash": [("tree-sitter-bash", None, "MIT", ["../LICENSE"])],
    "yyjson": [("yyjson", "0.10.0", "MIT", ["../LICENSE"])],
    "httptools": [("llhttp", "9.4.3", "MIT", ["LICENSE"])],
}

# The folders that build.zig knows, by their pins.
FOLDERS = {"ziglang": "zig", "tree-sitter": "tree-sitter", "tree-sitter-bash": "tree-sitter-bash", "yyjson": "yyjson",
    "httptools": "llhttp"}

FETCH = re.compile(r"^\s*fetch (\S+) (\S+) ([0-9a-f]{64}|\"\$sha256\") (wheel|sdist)$", re.M)
ZIG_VERSION = re.compile(r"^zig_version=(\S+)$", re.M)
ZIG_SHA256 = re.compile(r"^\s*(\w+-\w+)\)\s+echo ([0-9a-f]{64}) ;;$", re.M)


class Pin:
    def __init__(self, name, version, sha256, platform=None):
        self.name, self.version, self.sha256, self.platform = name, version, sha256, platform


def read_pins(zigw):
    """The pins in zigw's order, with the compiler once for each platform."""
    with open(zigw, encoding="utf-8") as f:
        text = f.read()
    pins = []
    for name, version, sha256, _ in FETCH.findall(text):
        if name == "ziglang":
            zig = ZIG_VERSION.search(text).group(1)
            pins += [Pin(name, zig, sum, platform) for platform, sum in ZIG_SHA256.findall(text)]
        else:
            pins.append(Pin(name, version, sha256))
    names = {pin.name for pin in pins}
    if names != set(PARTS):
        raise SystemExit("pins: %s: zigw and cmd/package/pins.py do not name the same" %
            ", ".join(sorted(names ^ set(PARTS))))
    return pins


class Part:
    """Third-party code that is in zs."""

    def __init__(self, pin, folder, name, version, licence, texts):
        self.pin, self.name, self.licence = pin, name, licence
        self.version = version or pin.version
        self.texts = []
        for text in texts:
            path = os.path.join(folder, text)
            try:
                with open(path, encoding="utf-8") as f:
                    self.texts.append(f.read().strip("\n") + "\n")
            except FileNotFoundError:
                raise SystemExit("pins: %s: the licence of %s is not there; build with the Zig and the sources that "
                    "zigw fetches" % (path, name))


def read_parts(pins, folders):
    """folders: the path of each of FOLDERS' values."""
    parts, seen = [], set()
    for pin in pins:
        if pin.name not in seen:
            seen.add(pin.name)
            parts += [Part(pin, folders[FOLDERS[pin.name]], *row) for row in PARTS[pin.name]]
    return parts
