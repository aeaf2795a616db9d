"""zs shim, and the errors of bindings/python and bindings/node: an exception is thrown, and no command has run.

test_bindings.py tests their normal use, with the hosts of other languages.
"""

import json
import os
import re
import shutil
import zipfile

from harness import REPOSITORY, Box, Changed, Environment, connect, expect, listener, read, test

# No other variable of zs reaches a command.
CONFINED = ["ZS_SANDBOX=1", "ZS_SANDBOX_NETWORK=none"]

# ------------------------------------------------------------------------------------------------------- zs shim


def sandbox(box, *options):
    """The words and variables that zs gives to a program once."""
    answer = json.loads(box.run_zs("run", *options, "--print-sandbox").expect(stderr="").stdout)
    expect(list(answer) == ["protocol", "argv", "env"] and answer["protocol"] == 1 and answer["argv"] == ["shim", "--"],
        answer)
    return answer["argv"], answer["env"]


@test(needs=["sandbox", "bash"])
def shim_confines(box):
    words, variables = sandbox(box)
    changed = Changed(box, os.path.join(box.outside, "made"))
    with listener() as port:
        for attack in ("cat %s" % box.key, "touch %s" % changed.path, connect(port)):
            box.denied(attack, harm=changed if "touch" in attack else None, zs=words[:-1], add_env=variables)
    box.run_zs(*words, "sh", "-c", "touch made; exit 7", add_env=variables).expect(exit=7, stdout="", stderr="")
    assert os.path.exists(os.path.join(box.work, "made"))
    box.run_zs(*words, "no-such-program", add_env=variables).expect(exit=127)
    box.run_zs(*words, "env", add_env={**variables, "ZS_X": "1"}).expect()
    told = re.findall("^ZS_.*", box.run_zs(*words, "env", add_env=variables).stdout, re.M)
    expect(sorted(told) == CONFINED, "the command is told %s" % told)


@test(needs=["sandbox"])
def variables_of_a_command_do_not_widen_its_policy(box):
    """A host may take variables from a model. The control: for zs run they are the caller's own wish."""
    words, variables = sandbox(box)
    wide = {"ZS_SANDBOX_RW": box.outside, "HOME": box.outside, "PATH": box.env["PATH"] + ":" + box.outside}
    script = "echo x >%s/made" % box.outside
    box.run_zs("run", "--", "sh", "-c", script, add_env={"ZS_SANDBOX_RW": box.outside}).expect()
    os.remove(os.path.join(box.outside, "made"))
    result = box.run_zs(*words, "sh", "-c", script, add_env={**wide, **variables})
    expect(result.exit != 0 and not os.listdir(box.outside), "it was widened: %s" % result)


@test(needs=["sandbox"])
def shim_without_a_policy_runs_nothing(box):
    words, variables = sandbox(box)
    ((name, policy),) = variables.items()
    twice = Environment([*box.env.items(), (name, policy), (name, policy)])
    for env in (box.env, *({**box.env, name: bad} for bad in ("", "{}x", policy[:-1], '{"version":9}',
            policy.replace('"version":1', '"version":1,"zz":1'))), twice):
        result = box.run([box.zs, *words, "echo", "started"], env=env)
        result.expect(exit=125, stdout="", stderr=["zs: "])
    box.run_zs(*words, add_env=variables).expect(exit=125, stdout="", stderr="zs: shim: no command\n")


@test(needs=["sandbox"])
def what_cannot_be_kept_is_not_printed(box):
    box.run_zs("run", "--print-sandbox", "--workspace", box.home).expect(exit=64, stdout="", stderr=["home"])
    for more in (["ls"], ["--diff"], ["--apply"], ["--patch"], ["--report", "x"], ["--ask"], ["--print-policy"]):
        box.run_zs("run", "--print-sandbox", *more).expect(exit=64, stdout="", stderr=["--print-sandbox: "])
    box.run(["sh", "-c", '"$0" run --print-sandbox >/dev/full', box.zs]).expect(exit=74)


# ----------------------------------------------------------------------------------------------------- languages

IMPORTS = {
    "python": "import os, signal, subprocess, sys, threading\nsys.path.insert(0, '%s/python')\n"
        "from zs_sandbox import *\n",
    "node": "import { Blocked, Sandbox, Vetter, ZsError, vet } from '%s/node/index.js';\n",
}
# The code prints the name of the exception, so a mistake in the test does not pass for a ZsError.
TRIES = {
    "python": "\ntry:\n    {0}\nexcept (ZsError, TypeError) as error:\n    print(type(error).__name__)\n",
    "node": "\ntry {{ {0}; }} catch (error) {{ console.log(error.name); }}\n",
}
SANDBOX = {
    "python": "Sandbox(Policy({work!r}), zs={zs!r})",
    "node": "new Sandbox({{ workspace: {work!r} }}, {{ zs: {zs!r} }})",
}
RUN = {
    "python": "{sandbox}.run(['touch', 'made'])",
    "node": "{sandbox}.spawnSync('touch', ['made'])",
}
VET = {
    "python": "print('allowed' if Vetter(zs={zs!r}, timeout={seconds}).vet('ls') else 'blocked')",
    "node": "console.log((await new Vetter({{ zs: {zs!r}, timeout: {seconds} * 1000 }}).vet('ls')).allowed"
        " ? 'allowed' : 'blocked')",
}
SECONDS = 30
NEEDS = {"python": [], "node": ["node"]}
LANGUAGES = {"python": ["python3", "-B", "-W", "error"], "node": ["node"]}


def bindings():
    """A copy in a place where every user can read it."""
    folder = os.path.join(Box.scratch, "bindings")
    if not os.path.exists(folder):
        shutil.copytree(os.path.join(REPOSITORY, "bindings"), folder)
    return folder


def drive(box, language, code, **options):
    """Runs code of that language, each line on its own. Prints the name of each exception."""
    lines = [TRIES[language].format(line) if isinstance(line, str) else line[0] + "\n" for line in code]
    program = box.file("drive." + ("py" if language == "python" else "mjs"),
        IMPORTS[language] % bindings() + "".join(lines))
    return box.run([*LANGUAGES[language], program], **options).expect(stderr="").stdout.split()


def each_language(needs=()):
    def register(function):
        for language in LANGUAGES:

            def tried(box, language=language):
                function(box, language)

            tried.__name__ = "%s_%s" % (language, function.__name__)
            test(needs=[*needs, *NEEDS[language]])(tried)
        return function

    return register


PRINTED = {"protocol": 1, "argv": ["shim", "--"], "env": {"ZS_SANDBOX_POLICY": '{"workspace":{"root":"WORK"}}'}}
ANSWER = {"id": 1, "verdict": "allow", "code": None, "reason": "", "hint": "", "risks": [], "span": None}
# Outputs of another program in zs's place: for --print-sandbox, and for the first line of vet.
OTHER_PRINTS = ["", "[]", "x", dict(PRINTED, protocol=2), dict(PRINTED, protocol="1"), dict(PRINTED, argv=[]),
    dict(PRINTED, argv=["run"]), dict(PRINTED, env={}), dict(PRINTED, env={"ZS_SANDBOX_POLICY": "x"}),
    dict(PRINTED, env=dict(PRINTED["env"], X=1)), {"protocol": 1}]
OTHER_ANSWERS = ["", "x", "[]", "null", dict(ANSWER, id=2), dict(ANSWER, id="1"), dict(ANSWER, id=True),
    dict(ANSWER, verdict="yes"), dict(ANSWER, verdict=True), dict(ANSWER, code="cd"), dict(ANSWER, reason=None),
    dict(ANSWER, risks=None), {"id": 1, "verdict": "allow"}, dict(ANSWER, verdict="block"),
    dict(ANSWER, id=None, verdict="block", code="bad_input")]


def fake(box, name, printed=PRINTED, answer=ANSWER, exit=0, after="cat >/dev/null"):
    """A program in zs's place. Its shim runs the command as it is."""
    def text(value):
        value = value if isinstance(value, str) else json.dumps(value)
        return "'%s'" % value.replace("WORK", box.work)

    return box.file(name, "#!/bin/sh\ncase $1 in\nrun) cat >/dev/null; printf '%%s\\n' %s; exit %d ;;\n"
        "vet) read line; printf '%%s\\n' %s; %s ;;\nshim) shift 2; exec \"$@\" ;;\nesac\n" % (
            text(printed), exit, text(answer), after), 0o755)


@each_language()
def another_program_than_zs_is_an_error(box, language):
    made = os.path.join(box.work, "made")
    # The control: a program that answers like zs is accepted.
    zs = fake(box, "right")
    code = [RUN[language].format(sandbox=SANDBOX[language].format(work=box.work, zs=zs)),
        VET[language].format(zs=zs, seconds=SECONDS)]
    expect(drive(box, language, code) == ["allowed"] and os.path.exists(made), "control: the right one is not believed")
    os.remove(made)
    wrong = [fake(box, "prints-%d" % i, printed=printed) for i, printed in enumerate(OTHER_PRINTS)]
    wrong += [fake(box, "exits", exit=125), "/no/such/zs", "no-such-zs", box.work, "/bin/true", "/bin/false"]
    code = [RUN[language].format(sandbox=SANDBOX[language].format(work=box.work, zs=zs)) for zs in wrong]
    answers = [fake(box, "answers-%d" % i, answer=answer) for i, answer in enumerate(OTHER_ANSWERS)]
    answers += ["/no/such/zs", "/bin/true", "/bin/false", fake(box, "cut", answer="", after="exit")]
    code += [VET[language].format(zs=zs, seconds=SECONDS) for zs in answers]
    code.append(VET[language].format(zs=box.file("silent", "#!/bin/sh\ncat >/dev/null\n", 0o755), seconds=0.2))
    have = drive(box, language, code)
    expect(have == ["ZsError"] * len(code), "%s of %s" % (have, code))
    expect(not os.path.exists(made), "it ran")


@each_language()
def a_zs_in_this_directory_is_not_taken(box, language):
    """A command may have put it there, and PATH may name the folder. The control: a zs in a folder that PATH names by
    its full path is used."""
    box.folder("home/project/sub")
    folder = os.path.dirname(fake(box, "home/project/sub/zs"))
    fake(box, "home/project/zs")
    vet = VET[language].replace("zs={zs!r}, ", "").replace("zs: {zs!r}, ", "").format(seconds=SECONDS)
    for entry, want in (("", "ZsError"), (".", "ZsError"), ("sub", "ZsError"), ("./sub/", "ZsError"),
            (folder, "allowed")):
        for path in (entry + ":" + box.env["PATH"], box.env["PATH"] + ":" + entry):
            have = drive(box, language, [vet], add_env={"PATH": path}, cwd=box.work)
            expect(have == [want], "PATH=%s: %s" % (path, have))


CALLS = {
    "python": ["box.run(['ls'], shell=True)", "box.run('ls', shell=True)", "box.run(['ls'], executable='/bin/ls')",
        "box.Popen(['ls'], executable='/bin/ls')", "box.run([])", "box.run(['ls'], vet='strict')", "box.wrap('ls')",
        "box.run(['ls'], pass_fds=[0])", "Policy(read='/x').options()", "box.run('ls', vet='lax')",
        "box.run('cd x', vet='strict')"],
    "node": ["box.spawn('ls', [], { shell: true })", "box.spawn('ls', { shell: '/bin/sh' })",
        "await box.execFile('ls', [], { shell: true })", "box.spawnSync('ls', [], { argv0: 'zs-tracked' })",
        "box.spawn('ls', '-l')", "box.wrap([])", "box.wrap('ls')", "new Sandbox({ read: '/x' })",
        "new Sandbox({ reed: ['/x'] })", "await box.bash('ls', { vet: 'lax' })",
        "await box.bash('cd x', { vet: 'strict' })"],
}


@each_language(needs=["sandbox"])
def a_call_that_would_go_around_it_is_an_error(box, language):
    made = [("box = " if language == "python" else "const box = ") + SANDBOX[language].format(work=box.work,
        zs=box.zs)]
    have = drive(box, language, [made, *CALLS[language]], add_env={"ZS_PROGRAM": box.zs})
    expect(have == ["TypeError"] * (len(CALLS[language]) - 2) + ["ZsError", "Blocked"], have)


WRAPPED = {
    "python": "argv, env = {sandbox}.wrap(['sh', '-c', 'cat {key}; env'], dict(os.environ, **{env!r})); "
        "print(subprocess.run(argv, env=env, cwd={work!r}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, "
        "text=True).stdout)",
    "node": "const {{ spawnSync }} = await import('node:child_process'); const {{ argv, env }} = {sandbox}.wrap("
        "['sh', '-c', 'cat {key}; env'], {{ ...process.env, ...{env!r} }}); console.log(spawnSync(argv[0], "
        "argv.slice(1), {{ env, cwd: {work!r}, encoding: 'utf8' }}).stdout)",
}


@each_language(needs=["sandbox"])
def wrapped_for_any_other_call(box, language):
    """Variables that would control zs are not passed on. If they were, zs would refuse to run a command."""
    env = {"ZS_SANDBOX_POLICY": "{}", "ZS_SANDBOX_OVERLAY": "9", "ZS_SANDBOX_RO": box.home, "LD_PRELOAD": "/x.so",
        "LANG": "C.UTF-8"}
    code = WRAPPED[language].format(sandbox=SANDBOX[language].format(work=box.work, zs=box.zs), key=box.key, env=env,
        work=box.work)
    have = " ".join(drive(box, language, [code]))
    expect("SECRET" not in have and sorted(re.findall(r"\bZS_\S*", have)) == CONFINED, have)
    expect("LD_PRELOAD" not in have and "LANG=C.UTF-8" in have, have)


RESTART = {
    "python": ["v = Vetter(zs={zs!r}, timeout=30)", "print(v.vet('ls').allowed)",
        "os.kill(v._process.pid, signal.SIGKILL)",
        # waits until the process has ended
        "import select; select.select([v._process.stdout], [], [])", "print(v.vet('cd x').code)", "v.close()",
        "print(v.vet('rm x', 'verify').code)",
        # a fork shares no pipe with its parent; threads share one process, and get their own answers
        "sys.stdout.flush(); server = v._process.pid; pid = os.fork() or ("
        "print(v.vet('ls').allowed and v._process.pid != server, flush=True), os._exit(0))",
        "os.waitpid(pid, 0)",
        "got = []; many = [threading.Thread(target=lambda c: got.append(v.vet('ls' if c else 'cd x').allowed == c), "
        "args=(i % 2 == 0,)) for i in range(20)]; [t.start() for t in many]; [t.join() for t in many]; "
        "print(all(got) and len(got) == 20)", "v.close()"],
    "node": ["globalThis.v = new Vetter({{ zs: {zs!r}, timeout: 30000 }})", "console.log((await v.vet('ls')).allowed)",
        "const fs = await import('node:fs'); const of = `/proc/${{process.pid}}/task/${{process.pid}}/children`; "
        "process.kill(Number(fs.readFileSync(of, 'utf8')), 'SIGKILL'); "
        "while (fs.readFileSync(of, 'utf8')) await new Promise((then) => setTimeout(then, 10))",
        "console.log((await v.vet('cd x')).code)", "v.close()", "console.log((await v.vet('rm x', 'verify')).code)",
        "console.log((await vet('ls')).allowed)",
        "console.log((await Promise.all(Array.from({{ length: 20 }}, async (_, i) => "
        "(await v.vet(i % 2 ? 'ls' : 'cd x')).allowed === (i % 2 === 1)))).every(Boolean))"],
}


@each_language(needs=["linux"])
def a_vetter_that_has_died_is_started_again(box, language):
    code = [line.format(zs=box.zs) for line in RESTART[language]]
    have = drive(box, language, code if language == "node" else [[line] for line in code],
        add_env={"ZS_PROGRAM": box.zs})
    expect([word.lower() for word in have] == ["true", "cd", "write", "true", "true"], have)


# Commands, and whether guard lets each pass in the workspace, and in another folder.
GUARDED = (("rm -rf build", "rm -rf ~", "git push -f", "rm -rf %s/build"), "true false false true",
    "true false false false")
GUARD = {
    "python": "print(*(vet(text, 'guard'%s).allowed for text in {texts!r}))",
    "node": "console.log(...(await Promise.all({texts!r}.map(async (t) => (await vet(t, 'guard'%s)).allowed))))",
}
GUARDED_RUN = {
    "python": "box = Sandbox(Policy({work!r})); print(box.run('rm -rf build', vet='guard').returncode)",
    "node": "const box = new Sandbox({{ workspace: {work!r} }}); const run = await box.bash('rm -rf build', "
        "{{ vet: 'guard' }}); console.log(await new Promise((then) => run.on('exit', then)))",
}


@each_language(needs=["sandbox"])
def guard_knows_the_callers_folder(box, language):
    """zs vet --batch runs in "/"; there nothing would be outside of the workspace."""
    texts = [text.replace("%s", box.work) for text in GUARDED[0]]
    for more, want in (("", GUARDED[1]), (", %r" % box.outside, GUARDED[2])):
        have = drive(box, language, [(GUARD[language] % more).format(texts=texts)], cwd=box.work,
            add_env={"ZS_PROGRAM": box.zs})
        expect(" ".join(have).lower() == want, language, more, have)
    have = drive(box, language, [GUARDED_RUN[language].format(work=box.work)], cwd="/", add_env={"ZS_PROGRAM": box.zs})
    expect(have == ["0"], language, have)


# --------------------------------------------------------------------------------------------------------- wheel


@test(needs=["system-pip"], once=True)
def wheel_is_built_without_a_network(box):
    """pip alone builds the wheel from a copy, twice with the same bytes, and the wheel works."""
    sources = shutil.copytree(os.path.join(REPOSITORY, "bindings/python"), os.path.join(box.root, "sources"))
    for folder, _, names in os.walk(sources):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            box.own(path)
    wheels = []
    for out in ("one", "two"):
        box.run(["/usr/bin/python3", "-m", "pip", "wheel", "-q", "--no-index", "--no-deps", "--no-cache-dir",
            "--disable-pip-version-check", "-w", os.path.join(box.home, out), sources], cwd=box.home).expect()
        (name,) = os.listdir(os.path.join(box.home, out))
        wheels.append(os.path.join(box.home, out, name))
    with open(wheels[0], "rb") as one, open(wheels[1], "rb") as two:
        assert one.read() == two.read()
    version = box.run_zs("--version").stdout.split()[1]
    assert name == "zs_sandbox-%s-py3-none-any.whl" % version, name
    with zipfile.ZipFile(wheels[0]) as wheel:
        assert wheel.testzip() is None
    packages = os.path.join(box.home, "packages")
    box.run(["/usr/bin/python3", "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check",
        "--no-cache-dir", "--target", packages, wheels[0]], cwd=box.home).expect()
    box.run(["/usr/bin/python3", "-c", "import zs_sandbox; print(zs_sandbox.vet('cd x').code)"],
        add_env={"PYTHONPATH": packages, "ZS_PROGRAM": box.zs}).expect(stdout="cd\n")


@test(once=True)
def packages_have_the_version_of_zs(box):
    version = box.run_zs("--version").stdout.split()[1]
    assert json.loads(read(os.path.join(REPOSITORY, "bindings/node/package.json")))["version"] == version
    assert 'version = "%s"\n' % version in read(os.path.join(REPOSITORY, "bindings/python/pyproject.toml"))
    # The oldest Python that the package supports.
    compile(read(os.path.join(REPOSITORY, "bindings/python/zs_sandbox/__init__.py")), "zs_sandbox", "exec", flags=0x400,
        _feature_version=9)


@test(needs=["sandbox"])
def shim_tells_a_descriptor_what_it_refuses(box):
    words, variables = sandbox(box, "--ro", box.outside)
    with open(os.path.join(box.root, "records"), "w+") as file:
        shim = [words[0], "--denials=fd:%d" % file.fileno(), *words[1:]]
        box.run_zs(*shim, "sh", "-c", "mkdir %s/new; env; ls /proc/self/fd; exit 3" % box.outside, add_env=variables,
            pass_fds=[file.fileno()]).expect(exit=3, stdout=re.compile("(?s)(?!.*DENIALS).*\n0\n1\n2\n3\n$"))
        file.seek(0)
        rows = [json.loads(line) for line in file]
    expect([(row["event"], row.get("option"), row.get("value")) for row in rows] ==
        [("denied", "--rw", box.outside), ("end", None, None)], rows)
    for wrong in ("records", "fd:x", "fd:99"):
        box.run_zs(words[0], "--denials=" + wrong, "--", "true", add_env=variables).expect(exit=64, stdout="")
    box.run_zs(words[0], "--denials=fd:2", "--", "true").expect(exit=125, stderr=["ZS_SANDBOX_POLICY: is missing"])


DENIALS = """
sandbox, records, options = Sandbox(Policy({work!r}, read=[{outside!r}]), zs={zs!r}), [], {{}}
done = sandbox.run(["sh", "-c", "echo $X; mkdir {outside}/new; exit 3"], denials=records, stderr=-1, stdout=-1, env=
    {{**os.environ, "ZS_SANDBOX_RW": {outside!r}, "ZS_SANDBOX_DENIALS": "2"}})
print(done.returncode, *[(row.kind, row.path, row.errno, row.cause, row.option, row.value) for row in records])
print(sandbox.run("true", denials=records).returncode, len(records))
try:
    sandbox.run("true", denials=records, pass_fds=[1])
except TypeError as error:
    print(error)
"""


@test(needs=["sandbox", "bash"])
def python_lists_what_was_refused(box):
    text = (IMPORTS["python"] % bindings() + DENIALS).format(work=box.work, outside=box.outside, zs=box.zs)
    box.run(["/usr/bin/python3", "-B", "-c", text], cwd=box.work).expect(exit=0, stderr="", stdout="\n".join([
        "3 " + str(("write", box.outside + "/new", 30, "granted only to read", "--rw", box.outside)), "0 1",
        "run: pass_fds: cannot be had confined", ""]))
