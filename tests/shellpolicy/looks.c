/* Commands that only compute, look, or run programs of the workspace. In verify their row or reader used to block them.
 * Beside them stand similar commands that write. */
#include "vetting.h"

#include "code/filter.h"

#define WRITE(command) IN_VERIFY(command, WRITE, NULL)
#define CODE(command) IN_VERIFY(command, INLINE_CODE, NULL)

TEST(looks_lua)
{
	static const struct vet_row rows[] = {
		NEVER("lua -e 'print(_VERSION)'"),
		NEVER("lua5.4 -e 'print(1 + 2, 0xff, 2.5 // 1, #\"abc\")'"),
		NEVER("lua -e 'local t = {1, 2} for i, v in ipairs(t) do print(i, v) end'"),
		NEVER("luajit -e 'local function f(a, b) return a + b end print(f(1, 2))'"),
		NEVER("lua -e 'x = (\"a\"):rep(3); print(x, string.format(\"%d\", 3), math.pi)'"),
		NEVER("lua -e 'print(pcall(error, \"no\"))'"),
		NEVER("lua <<'E'\nprint(1)\nE"),
		CODE("lua -e 'os.execute(\"rm x\")'"),
		CODE("lua -e 'io.open(\"x\", \"w\")'"),
		CODE("lua -e 'io.write(1)'"),
		CODE("lua -e 'require(\"os\").remove(\"x\")'"),
		CODE("lua -e '_G[\"o\" .. \"s\"].execute(\"rm x\")'"),
		CODE("lua -e '_ENV.os.execute(\"rm x\")'"),
		CODE("lua -e 'load(\"o\" .. \"s.execute()\")()'"),
		CODE("lua -e 'local f = load; f(\"x\")'"),
		CODE("lua -e 'dofile(\"x\")'"),
		CODE("lua -e 'debug.getregistry()'"),
		CODE("lua -e 'package.loaded.os.remove(\"x\")'"),
		CODE("lua -e 'getfenv(0).os.remove(\"x\")'"),
		CODE("lua -e 'print(string.dump(print))'"),
		CODE("lua -e 'getmetatable(\"\").__index.os.remove(\"x\")'"),
		CODE("lua -e 'do local os = 1 end os.remove(\"x\")'"),
		CODE("lua -e 'x=1os.remove(\"x\")'"),
		CODE("lua -e 'x=1.os.remove(\"x\")'"),
		CODE("lua -e 'x=0x1gos.remove(\"x\")'"),
		CODE("lua -e 'x = [[ ]] os.remove(\"x\") --]]'"),
		CODE("lua -e '#[[\nos.remove(\"x\") --]]'"),
		CODE("lua -e 'x = 1 -- [[\nos.remove(\"x\")'"),
		CODE("lua -e 'unheard.of(1)'"),
		CODE("lua -l lfs -e 'local lfs = 1'"),
		CODE("lua -l x -e 'print(1)'"),
		IN_VERIFY("LUA_INIT=x lua -e 'print(1)'", ENVIRONMENT, NULL),
	};

	CHECK_ROWS(rows);
}

TEST(looks_timeit)
{
	static const struct vet_row rows[] = {
		NEVER("python3 -m timeit '1+1'"),
		NEVER("python3 -m timeit -n 5 -s 'import math' 'math.sqrt(2)'"),
		NEVER("python3 -m timeit -s 'x = list(range(9))' 'for i in x:' '    i + 1'"),
		CODE("python3 -m timeit '1 + 1' -n"), /* -n is a line of the program there */
		CODE("python3 -m timeit 'import os; os.remove(\"x\")'"),
		CODE("python3 -m timeit -s 'import os; os.remove(\"x\")' '1'"),
		CODE("python3 -m timeit -s 'import os' 'os.remove(\"x\")'"),
		CODE("python3 -m timeit -s 'x=1' 'import os; os.remove(\"x\")'"),
		CODE("python3 -m timeit -s 'from os import system as print' 'print(\"rm x\")'"),
		CODE("python3 -m timeit '\"\"\"' 'x' '\"\"\"; open(\"x\", \"w\")'"),
		CODE("python3 -m timeit --setup='open(\"x\", \"w\")' 1"),
	};

	CHECK_ROWS(rows);
	CHECK(vet(ZS_PROFILE_STRICT, "python3 -m timeit \"$(cat f)\"")->code == ZS_RISK_EVAL, "timeit of a file");
}

TEST(looks_parallel)
{
	static const struct vet_row rows[] = {
		NEVER("seq 3 | parallel -j1 echo {}"),
		NEVER("parallel echo ::: a b"),
		NEVER("parallel -j 4 --tag grep -n x {} ::: a b"),
		NEVER("ls | parallel wc -l {.}.c"),
		NEVER("parallel --version"),
		WRITE("parallel rm ::: a b"),
		WRITE("ls | parallel rm"),
		WRITE("parallel ::: 'rm x'"),
		EVERYWHERE("cat commands | parallel", EVAL, NULL),
		EVERYWHERE("parallel < commands", EVAL, NULL),
		EVERYWHERE("parallel -a commands", EVAL, NULL),
		EVERYWHERE("parallel :::: commands", EVAL, NULL),
		EVERYWHERE("parallel {} :::: commands", EVAL, NULL),
		EVERYWHERE("parallel {}.sh ::: a", EVAL, NULL),
		EVERYWHERE("parallel ::: a :::: commands", EVAL, NULL),
		UNLESS_RELAXED("parallel ::: 'cd x'", CD, NULL),
		UNLESS_RELAXED("parallel {} ::: 'ls > x'", REDIRECT, NULL),
		UNLESS_RELAXED("parallel 'cd {} && make' ::: a", CD, NULL),
		WRITE("parallel 'gzip -t {}' ::: a.gz"),
		WRITE("parallel {} ::: 'rm x'"),
		WRITE("parallel 'echo {}; rm {}' ::: a"),
		UNLESS_RELAXED("parallel echo {} '>' {}.out ::: a", REDIRECT, NULL),
		EVERYWHERE("parallel echo '{= system(\"rm x\") =}' ::: a", EVAL, NULL),
		WRITE("parallel X=1 rm ::: a"),
		WRITE("parallel coproc rm ::: a"),
		WRITE("parallel -- ls reboot"),
		WRITE("parallel ls -- a"),
		WRITE("parallel --joblog f echo ::: a"),
		WRITE("parallel --results d echo ::: a"),
		WRITE("parallel --tmux echo ::: a"),
		WRITE("parallel -S host echo ::: a"),
		WRITE("parallel --version --joblog f echo ::: a"),
		EVERYWHERE("parallel $x ::: a", EVAL, NULL),
		IN_VERIFY("PARALLEL='--joblog f' parallel echo ::: a", ENVIRONMENT, NULL),
		IN_VERIFY("PARALLEL_SHELL=./x parallel echo ::: a", ENVIRONMENT, NULL),
		NEVER("PARALLEL=4 make"),
	};

	CHECK_ROWS(rows);
}

TEST(looks_forms)
{
	static const struct vet_row rows[] = {
		NEVER("sox --i a.wav b.wav"),
		NEVER("sox a.wav -n stat"),
		NEVER("zip -T a.zip"),
		NEVER("pngquant -"),
		NEVER("pax -w a"),
		NEVER("inotifywait -e modify ."),
		NEVER("sass a.scss"),
		NEVER("lessc a.less"),
		WRITE("sox a.wav b.wav"),
		WRITE("sox --i '|rm x'"),
		WRITE("sox '|rm x' -n stat"),
		WRITE("sox -n a.wav stat"),
		WRITE("sox a.wav -n stat b"),
		WRITE("ffmpeg --i a b.mp4"),
		WRITE("ffmpeg -i a b.mp4"),
		WRITE("zip -T a.zip b"),
		WRITE("zip a.zip b"),
		WRITE("pngquant a.png"),
		WRITE("pngquant - -o a.png"),
		WRITE("pax -w -f a.tar a"),
		WRITE("pax -r -w a b"),
		WRITE("pax -rw a b"),
		WRITE("inotifywait -o log -e modify ."),
		WRITE("sass a.scss b.css"),
		WRITE("sass a.scss:b.css"),
		WRITE("sass src:dist lib:dist"),
		WRITE("sass --stdin b.css"),
		WRITE("lessc a.less b.css"),
	};

	CHECK_ROWS(rows);
}

TEST(looks_own_modules)
{
	static const struct vet_row rows[] = {
		NEVER("python3 -c 'from src.app import add; print(add(2, 3))'"),
		NEVER("python3 -c 'import mymodule; mymodule.main()'"),
		NEVER("python3 -c 'import src.app; print(src.app.add(1, 2))'"),
		NEVER("python3 -c 'import src.app as a; x = a.total([1]); print(x)'"),
		NEVER("python3 -c 'from src import app; print(app.add(1, 2))'"),
		NEVER("python3 -c 'from src.app import create_app; print(create_app())'"),
		NEVER("python3 -m timeit -s 'from src.app import add' 'add(1, 2)'"),
		CODE("python3 -c 'from src.app import open; open(\"x\", \"w\")'"),
		CODE("python3 -c 'from src.app import open as o; o(\"x\", \"w\")'"),
		CODE("python3 -c 'import src.os as os; os.system(\"rm x\")'"),
		CODE("python3 -c 'import src.os as o; o.anything(\"rm x\")'"),
		CODE("python3 -c 'from src.app import os; os.remove(\"x\")'"),
		CODE("python3 -c 'from src.app import os as o; o.anything(\"x\")'"),
		CODE("python3 -c 'import src.app; src.app.os.remove(\"x\")'"),
		CODE("python3 -c 'import src.app; src.app.subprocess.anything(\"x\")'"),
		CODE("python3 -c 'from src.app import np; np.save(\"x\")'"),
		CODE("python3 -c 'from src.app import rmtree; rmtree(\"x\")'"),
		CODE("python3 -c 'from src.app import Path; Path(\"x\").unlink()'"),
		CODE("python3 -c 'from src.app import delete_all; delete_all()'"),
		CODE("python3 -c 'from src.app import find; find(1).unlink()'"),
		CODE("python3 -c 'from src.app import find; find(1).replace(\"y\")'"),
		CODE("python3 -c 'from src.app import find as max; max(1).replace(\"y\")'"),
		CODE("python3 -c 'from src.app import add; add.__globals__[\"os\"].remove(\"x\")'"),
		CODE("python3 -c 'from src.app import add; add(open(\"x\", \"w\"))'"),
		CODE("python3 -c 'from src.app import add; import os; add(os.remove(\"x\"))'"),
		CODE("python3 -c 'from src.app import add; import os; add(os.remove)'"),
		CODE("python3 -c 'from os import remove as add; from src.app import add; add(\"x\")'"),
		CODE("python3 -c 'from src.app import add as os; import os; os.remove(\"x\")'"),
		CODE("python3 -c 'from src.app import add as eval; eval(\"x\")'"),
		CODE("python3 -c 'from src.app import getattr as g; g(1, \"x\")'"),
		CODE("python3 -c 'from src.app import *; add(1)'"),
		CODE("python3 -c '__import__(\"src.app\").add(1)'"),
		CODE("python3 -c '__import__(\"os\").remove(\"x\")'"),
		CODE("python3 -c 'import importlib; importlib.import_module(\"os\").remove(\"x\")'"),
		CODE("python3 -c 'from shutil import rmtree; rmtree(\"x\")'"),
		CODE("python3 -c 'from subprocess import call; call([\"rm\", \"x\"])'"),
		CODE("python3 -c 'import pathlib; pathlib.Path(\"x\").unlink()'"),
		CODE("python3 -c 'import os.path; os.mkdir(\"x\")'"),
		CODE("python3 -c 'import sh; sh.ls(\"x\")'"),
		CODE("python3 -c 'import numpy; numpy.save(\"x\")'"),
		CODE("python3 -c 'import requests; requests.anything(\"x\")'"),
		CODE("python3 -c 'import _io; _io.anything(\"x\")'"),
		CODE("python3 -c 'import distutils.dir_util as d; d.anything(\"x\")'"),
	};

	CHECK_ROWS(rows);
}
