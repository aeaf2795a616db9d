"""The workspace in which rows are tried: a file of each kind that programs take."""

import os
import subprocess

FILES = {
    "a.txt": "banana\napple\ncherry 3\napple\n", "b.txt": "apple\nbanana\ndate 4\n", "n.txt": "3\n1\n2\n",
    "a.c": "#include \"a.h\"\nint main(void) { return f(); }\n", "a.h": "static inline int f(void) { return 0; }\n",
    "a.cpp": "int main() { return 0; }\n", "a.s": "\t.globl main\nmain:\n\tret\n", "a.rs": "fn main() {}\n",
    "a.go": "package main\n\nfunc main() {}\n", "go.mod": "module example.com/a\n\ngo 1.20\n",
    "a.py": "import sys\nprint( sys.version_info[0] )\n", "a.js": "console.log( 1 )\n",
    "a.ts": "const x: number = 1;\n",
    "A.java": "class A { public static void main(String[] a) {} }\n", "a.rb": "puts 1\n", "a.pl": "print 1;\n",
    "a.lua": "print(1)\n", "a.php": "<?php echo 1;\n", "a.sh": "echo hi\n", "a.sed": "s/a/b/\n",
    "a.awk": "{ print $1 }\n",
    "a.json": "{\"a\": [1, 2], \"b\": \"c\"}\n", "a.yaml": "a: 1\nb:\n- 2\n", "a.toml": "a = 1\n[b]\nc = 2\n",
    "a.xml": "<a><b>1</b></a>\n", "a.html": "<p>hi</p>\n", "a.css": "a { color: red }\n", "a.md": "# Title\n\ntext\n",
    "a.rst": "Title\n=====\n\ntext\n", "a.csv": "a,b\n1,2\n", "a.ini": "[a]\nb=1\n", "a.sql": "select 1;\n",
    "a.po": "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"a\"\nmsgstr \"b\"\n",
    "a.patch": "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-banana\n+BANANA\n apple\n", "a.man": ".TH A 1\n.SH NAME\na\n",
    "Makefile": "all:\n\t@echo made >made\n", "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(a C)\n",
    "package.json": "{\"name\": \"a\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"echo ok\"}}\n",
    "Cargo.toml": "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/main.rs": "fn main() {}\n",
    "pyproject.toml": "[project]\nname = \"a\"\nversion = \"1\"\n", "test_a.py": "def test_a():\n    assert True\n",
    "d/x.txt": "x\n", "d/y.txt": "y\n", "d/e/z.txt": "z\n", "list": "a.txt\nb.txt\n", "crlf.txt": "a\r\nb\r\n",
}

# Files that programs of this machine make of the others. One that fails leaves its file out.
MADE = ["gzip -k a.txt", "bzip2 -k b.txt", "xz -k b.txt", "zstd -q b.txt", "lz4 -q n.txt", "tar cf a.tar a.txt d",
    "tar czf a.tgz a.txt d", "zip -qr a.zip a.txt d", "gcc -c a.c", "gcc -o prog a.c", "ar rc liba.a a.o",
    "cp /usr/bin/true elf", "sqlite3 a.db 'create table t(x)'", "javac A.java", "ln -s a.txt link",
    "msgfmt -o a.mo a.po",
    "mkdir empty", "find d -depth | cpio -o --quiet >a.cpio", "openssl genrsa -out key.pem 2048"]
REPOSITORY = ["git init -q .", "git add -A", "git commit -qm one", "git tag v1", "git branch side",
    "git checkout -q side", "git rm -q n.txt", "git commit -qm two", "git checkout -q -", "git stash list"]


def run(place, commands):
    """Runs the commands in the folder, outside of the sandbox. One that fails changes nothing."""
    environment = dict(os.environ, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.com", GIT_COMMITTER_NAME="a",
        GIT_COMMITTER_EMAIL="a@example.com", HOME=place)
    for command in commands:
        subprocess.run(command, shell=True, cwd=place, env=environment, capture_output=True, check=False, timeout=60)


def make(place):
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
        with open(os.path.join(place, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    os.chmod(os.path.join(place, "a.sh"), 0o755)
    run(place, MADE + REPOSITORY)


# The files that suit a program whose name matches; the first entry that fits counts.
SUITED = [
    (r"gcc|cc|c89|c99|clang|cpp|cppcheck|clang-format|clang-tidy|indent|cflow|cscope|ctags.*|lint", ["a.c"]),
    (r"g\+\+|c\+\+|clang\+\+", ["a.cpp"]),
    (r"as|llvm-as|nasm", ["a.s"]),
    (r"rustc|rustfmt|clippy-driver|rustdoc", ["a.rs"]),
    (r"gofmt|goimports", ["a.go"]),
    (r"python.*|pytest|py\.test|black|isort|flake8|pylint|mypy|ruff|pyflakes|pycodestyle|autopep8|yapf|"
        r"2to3|bandit|vulture|radon|pydocstyle|pyupgrade|autoflake|docformatter|pydoc.*|pygettext3|pyright|"
        r"ipython.*", ["a.py"]),
    (r"node|nodejs|eslint|prettier|jshint|terser|uglifyjs|esbuild|babel", ["a.js"]),
    (r"tsc|ts-node|tsx", ["a.ts"]),
    (r"javac|javadoc", ["A.java"]),
    (r"java", ["A"]),
    (r"javap|jdeps", ["A.class"]),
    (r"perl|prove|perltidy", ["a.pl"]),
    (r"lua.*", ["a.lua"]),
    (r"sh|bash|dash|zsh|rbash|shellcheck|shfmt", ["a.sh"]),
    (r"jq|json_pp|jsonlint", [".", "a.json"]),
    (r"yq|yamllint|yamlfmt", [".", "a.yaml"]),
    (r"tomlq", [".", "a.toml"]),
    (r"xq|xmllint|xsltproc", ["a.xml"]),
    (r"sed", ["s/a/b/", "a.txt"]),
    (r"awk|gawk|mawk|nawk", ["{print}", "a.txt"]),
    (r"[ef]?grep|rg|ack|[a-z]*grep", ["a", "a.txt"]),
    (r"gunzip|zcat|zless|zmore|unpigz|gzcat", ["a.txt.gz"]),
    (r"bunzip2|bzcat|bzless|bzmore|bzip2recover", ["b.txt.bz2"]),
    (r"unxz|xzcat|xzless|xzmore|unlzma|lzcat", ["b.txt.xz"]),
    (r"unzstd|zstdcat", ["b.txt.zst"]),
    (r"unlz4|lz4cat", ["n.txt.lz4"]),
    (r"tar|gtar|bsdtar|tarcat", ["-tf", "a.tar"]),
    (r"unzip|zipinfo|zipnote|funzip|zipsplit|zipcloak|unzipsfx", ["a.zip"]),
    (r"ar|ranlib|gcc-ar|gcc-ranlib|llvm-ar|llvm-ranlib", ["liba.a"]),
    (r".*objdump|nm|.*readelf|size|strings|.*strip|.*objcopy|elfedit|ldd|addr2line|dwp|gdb.*|gprof|file|"
        r"c\+\+filt", ["elf"]),
    (r"diff|cmp|comm|join|sdiff|diff3|vimdiff|wdiff", ["a.txt", "b.txt"]),
    (r"patch", ["-i", "a.patch"]),
    (r"tr", ["a", "b"]),
    (r"msg.*|gettext.*", ["a.po"]),
    (r"sqlite3", ["a.db", "select 1"]),
    (r"find|du|tree|ls|dir|vdir|fd", ["d"]),
    (r"cp|mv|ln|install", ["a.txt", "new"]),
    (r"groff|troff|nroff|man|mandoc|eqn|tbl|pic|grotty", ["a.man"]),
    (r"make|gmake|ninja", ["all"]),
    (r"openssl", ["dgst", "a.txt"]),
    (r"sort|shuf|uniq|tsort", ["n.txt"]),
    (r"rst2.*|docutils|sphinx.*", ["a.rst"]),
    (r"dos2unix|unix2dos", ["crlf.txt"]),
    (r"cpio", ["-t", "-F", "a.cpio"]),
    (r"xargs|nice|nohup|timeout|env|stdbuf|setsid|time|ionice|chrt|taskset|flock|strace|script", ["cat", "a.txt"]),
]
