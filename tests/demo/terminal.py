#!/usr/bin/env python3
"""Records a terminal: runs zs, and draws its commands and their output.  tests/demo/terminal.py ZS

Writes docs/terminal.svg, which README.md shows. The folder of the run is shown as /home/ada.
tests/e2e/test_docs.py runs the same commands, and fails when the picture shows another output.
"""

import os
import subprocess
import sys
import tempfile

PICTURE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    "docs", "terminal.svg")
HOME = "/home/ada"
# A title, and the command below it.
SCENES = (
    ("The first wall reads the text, and blocks: nothing ran.", "zs bash -c 'echo done > status.txt'"),
    ("The second wall is the kernel: ssh keys and photos are not there.",
        "zs run -- sh -c 'cat ~/.ssh/id_ed25519; rm -rf ~/photos; ls ~'"),
    ("A dry run writes to an overlay, and lists what would change.", "zs run --diff -- ./format.sh"),
    ("The workspace is as it was.", "cat main.c"),
)
FILES = {
    "home/.ssh/id_ed25519": "SECRET KEY\n",
    "home/photos/cat.jpg": "a cat\n",
    "home/project/main.c": "int main(void){return 0;}\n",
    "home/project/format.sh": "#!/bin/sh\necho 'int main(void) { return 0; }' >main.c\necho formatted 1 file\n",
}
WIDTH, LINE, LEFT, TOP = 100, 20, 16, 52
COLOURS = {"title": "#8b949e", "command": "#e6edf3", "output": "#a5d6ff", "blocked": "#ff7b72"}


def mode(text):
    return 0o755 if text.startswith("#!") else 0o644


def record(run, home):
    """run(command) returns what the command prints. Returns the lines of the terminal, each with its kind."""
    lines = []
    for title, command in SCENES:
        lines += [("title", "# " + title), ("command", "$ " + command)]
        for line in run(command).replace(home, HOME).splitlines():
            lines.append(("blocked" if line.startswith("zs: ") else "output", line))
        lines.append(("output", ""))
    return lines[:-1]


def wrap(lines):
    return [(kind, line[at:at + WIDTH]) for kind, line in lines for at in range(0, max(len(line), 1), WIDTH)]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def draw(lines):
    """The picture: text on a dark ground, so that it is the same on a light page and on a dark one."""
    rows = wrap(lines)
    width, height = WIDTH * 8 + 2 * LEFT, TOP + LINE * len(rows)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">' %
        (width, height, width, height), "<title>zs in a terminal: a blocked command, a confined one, a dry run</title>",
        '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>']
    parts += ['<circle cx="%d" cy="18" r="6" fill="%s"/>' % (20 + 20 * i, colour) for i, colour in
        enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))]
    parts.append('<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13" xml:space="preserve">')
    parts += ['<text x="%d" y="%d" fill="%s" textLength="%d">%s</text>' %
        (LEFT, TOP + LINE * row, COLOURS[kind], 8 * len(line), escape(line))
        for row, (kind, line) in enumerate(rows) if line]
    return "\n".join(parts + ["</g>", "</svg>"]) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/demo/terminal.py ZS")
    with tempfile.TemporaryDirectory() as root:
        for name, text in FILES.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, mode(text))
        home = os.path.join(root, "home")
        env = {"HOME": home, "LC_ALL": "C",
            "PATH": os.path.dirname(os.path.abspath(sys.argv[1])) + ":/usr/local/bin:/usr/bin:/bin"}

        def run(command):
            return subprocess.run(["bash", "-c", command], env=env, cwd=os.path.join(home, "project"), text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

        lines = record(run, home)
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(draw(lines))


if __name__ == "__main__":
    main()
