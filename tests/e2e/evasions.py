"""Evasions of the profile strict, made from templates and a seed, and the acts of a real bash that runs them.

testdata/cases/evasions.txt holds the templates. {x} and {y} are names of variables, {a} and {b} the two words of a
command that changes directory, {p}{q} parts of {a}, {code} a line that changes directory or writes a file; {Q…} is the
same in some quotes. ⏎ and ⇥ stand for a newline and a tab. @ in a context is the whole text.
"""

import base64
import contextlib
import os
import random
import shlex
import shutil
import signal
import subprocess

TEMPLATES = os.path.join("testdata", "cases", "evasions.txt")
NAMES = ["a", "b_", "cmd", "c", "k1", "v", "w", "x", "y", "zz", "go", "run", "n2", "CMD", "Q", "tool", "_t", "arg"]
MOVES = [("cd", "src"), ("cd", "src"), ("pushd", "src"), ("cd", "docs"), ("cd", "./src"), ("cd", "..")]
CODES = ["cd src; where", "cd docs && where", "pushd src; where", "echo k > o", "echo k >> o", ": > o", "ls > o"]
SECONDS = 4  # for one text
KINDS = ["words"] * 5 + ["code"] * 3 + ["hidden"] * 2 + ["redirect"] * 2
FILES = {
    "f": "hidden\n",
    "r": "neddih\n",
    "setx": "hx=hidden\n",
    "py": "import os; os.system('hidden')\n",
    "pl": "system('hidden');\n",
    "aw": 'BEGIN { system("hidden") }\n',
}


def load(path):
    sections = {}
    with open(path, encoding="utf-8") as f:
        for line in f.read().split("\n"):
            if line.startswith("[") and line.endswith("]") and line[1:-1].isalpha():
                section = sections.setdefault(line[1:-1], [])
            elif line and not line.startswith("# "):
                section.append(line.replace("⏎", "\n").replace("⇥", "\t"))
    return sections


def octal(text):
    return "".join("\\%03o" % ord(c) for c in text)


def hexadecimal(text):
    return "".join("\\x%02x" % ord(c) for c in text)


def quote(chance, text):
    kind = chance.randrange(4)
    if kind == 0 and not any(c in text for c in '"$`\\!'):
        return '"%s"' % text
    if kind == 1:
        plain = {"'": "\\'", "\\": "\\\\", "\n": "\\n"}
        return "$'%s'" % "".join("\\x%02x" % ord(c) if chance.random() < 0.3 else plain.get(c, c) for c in text)
    if kind == 2 and text.isalnum():
        return text
    return "'%s'" % text if text.isalnum() else shlex.quote(text)


def fill(chance, template, a="cd", b="src", code="cd src; where"):
    x, y = chance.sample(NAMES, 2)
    at = chance.randint(1, len(a) - 1)
    backwards = "rev" in template
    values = dict(x=x, y=y, f="f" + y, a=a, b=b, p=a[:at], q=a[at:], A=a.upper(), C=a.capitalize(), n=len(a), k=len(a),
        j=chance.choice(["zz", "-", "_1", ".x"]), i=chance.choice("127"), r=a[::-1] if backwards else a[1:],
        c="".join(chr(ord(c) - 1) for c in a), octal=octal(a), hexa=hexadecimal(a), o=ord(a[0]), h=hexadecimal(a[1:]),
        b64=base64.b64encode(a.encode()).decode(), hx=a.encode().hex(), chars=" ".join(a), Qa=quote(chance, a),
        Qb=quote(chance, b), code=code, Qcode=quote(chance, code), QQcode=shlex.quote(shlex.quote(code)), bcode=code,
        b64code=base64.b64encode(code.encode()).decode(), octcode=octal(code), hexcode=hexadecimal(code))
    return template.format(**values)


def generate(path, seed, count):
    """Rows with cmd and template."""
    chance = random.Random(seed)
    templates = load(path)
    rows, seen, queues = [], set(), {}
    while len(rows) < count:
        kind = chance.choice(KINDS)
        if not queues.get(kind):
            queues[kind] = chance.sample(templates[kind], len(templates[kind]))
        template = queues[kind].pop()
        if kind == "words":
            a, b = chance.choice(MOVES)
            text = fill(chance, template, a, b) + "\nwhere"
        else:
            text = fill(chance, template, code=chance.choice(CODES))
        context = chance.choice(templates["context"])
        if "{Qtext}" in context:
            text = context.replace("{Qtext}", shlex.quote(text))
        else:
            text = context.replace("{{", "{").replace("}}", "}").replace("@", text, 1)
        if text not in seen:
            seen.add(text)
            rows.append({"kind": kind, "template": template, "cmd": text})
    return rows


class Stand:
    """A folder of a box in which texts run. The program `where` notes the folder that it runs in, `hidden` that it
    ran."""

    def __init__(self, box):
        self.box = box
        self.root = box.folder("evasions")
        self.work = os.path.join(self.root, "ws")
        self.log = os.path.join(self.root, "log")
        box.folder("evasions/bin")
        box.file("evasions/bin/where", '#!/bin/sh\necho "at $(pwd -P)" >>%s\n' % self.log, 0o755)
        box.file("evasions/bin/hidden", "#!/bin/sh\necho ran >>%s\n" % self.log, 0o755)

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        if os.path.exists(self.log):
            os.unlink(self.log)
        for name in ("evasions/ws", "evasions/ws/src", "evasions/ws/docs"):
            self.box.folder(name)
        for name, text in FILES.items():
            self.box.file("evasions/ws/" + name, text)

    def run(self, text):
        """The effects of the text: moved, hidden and wrote."""
        self.prepare()
        env = {"PATH": "%s/bin:/usr/bin:/bin" % self.root, "HOME": self.root, "HIDDEN": "hidden", "LC_ALL": "C.UTF-8",
            "TERM": "dumb", "LOG": self.log}
        command = subprocess.Popen(["bash", "-c", text], env=env, cwd=self.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            **self.box.user.spawn_options())
        # Texts with a job or an interactive shell may hang. The acts up to then count.
        with contextlib.suppress(subprocess.TimeoutExpired):
            command.wait(SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
        command.wait()
        log = ""
        if os.path.exists(self.log):
            with open(self.log) as f:
                log = f.read()
        folders = [line[3:] for line in log.splitlines() if line.startswith("at ")]
        truth = ["moved"] if any(folder != os.path.realpath(self.work) for folder in folders) else []
        truth += ["hidden"] if "ran" in log else []
        return truth + (["wrote"] if self.wrote() else [])

    def wrote(self):
        known = set(FILES) | {"src", "docs"}
        if set(os.listdir(self.work)) != known:
            return True
        if os.listdir(os.path.join(self.work, "src")) or os.listdir(os.path.join(self.work, "docs")):
            return True
        for name, text in FILES.items():
            with open(os.path.join(self.work, name)) as f:
                if f.read() != text:
                    return True
        return False
