/* Commands that run another command. A flag that is not listed blocks: the next word may be its value. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(wrappers) = {
	{ .names = "sudo",
		.options = "-A -b -B -E --preserve-env?N -e!w --edit!w -g=d --group=d -h=d --host=d -H --set-home "
			"-i!l --login!l -k -K -l!h --list!h -n --non-interactive -N -p=d --prompt=d -P -R=d "
			"--chroot=d -r=d --role=d -S!e --stdin!e -s!l --shell!l -t=d --type=d -T=d "
			"--command-timeout=d -u=d --user=d -D=C --chdir=C -C=d --close-from=d -U=d --other-user=d "
			"-v!h --validate!h -V!h --version!h --help!h --background --reset-timestamp",
		.operands = "e*X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_PRIVILEGE },
	{ .names = "doas", .options = "-a=d -C=d -L -n -s!l -u=d", .operands = "e*X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_PRIVILEGE },
	{ .names = "run0|pkexec",
		.options = "-u=d --user=d --setenv=e --chdir=C -D=C --disable-internal-agent --keep-cwd "
			"--version!h --help!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT |
		ZS_ROW_PRIVILEGE },
	{ .names = "su",
		.options = "-c=y --command=y -s=d --shell=d -g=d -G=d -l --login -m -p --preserve-environment -P "
			"--pty -f -w=d -T --session-command=y --help!h --version!h -V!h", .operands = "d*",
		.traits = ZS_ROW_PRIVILEGE | ZS_ROW_STDIN_CODE },
	{ .names = "runuser",
		.options = "-c=y --command=y -s=d --shell=d -g=d -G=d -l --login -m -p -u=d --user=d -f -w=d -P "
			"--pty --help!h --version!h -V!h", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_PRIVILEGE },
	{ .names = "env",
		.options = "- -i --ignore-environment -0 --null -u=d --unset=d -C=C --chdir=C -S=d "
			"--split-string=d -a=d --argv0=d -v --debug --block-signal?N --default-signal?N "
			"--ignore-signal?N --list-signal-handling --help!h --version!h", .operands = "e*X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT, .grammar = ZS_GRAMMAR_ENV },
	{ .names = "nice", .options = "-n=d --adjustment=d -1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --help!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "nohup", .options = "--help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT |
		ZS_ROW_PASSES_INPUT },
	{ .names = "setsid", .options = "-c --ctty -f --fork -w --wait -h!h -V!h --help!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "stdbuf", .options = "-i=d --input=d -o=d --output=d -e=d --error=d --help!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "timeout|gtimeout",
		.options = "-k=d --kill-after=d -s=d --signal=d -v --verbose -f --foreground -p --preserve-status "
			"--help!h --version!h", .operands = "dX", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "ionice",
		.options = "-c=d --class=d -n=d --classdata=d -p=d --pid=d -P=d -u=d -t --ignore -h!h -V!h "
			"--help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "chrt",
		.options = "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R --reset-on-fork "
			"-T=d --sched-runtime=d -P=d --sched-period=d -D=d --sched-deadline=d -a --all-tasks -m!h "
			"--max!h -p!h --pid!h -v --verbose -h!h -V!h --help!h --version!h", .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "taskset", .options = "-a --all-tasks -p!h --pid!h -c --cpu-list -h!h -V!h --help!h --version!h",
		.operands = "dX", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "flock",
		.options = "-c=y --command=y -e -x --exclusive -s --shared -n --nb --nonblock -w=d --wait=d "
			"--timeout=d -o --close -E=d --conflict-exit-code=d -F --no-fork -u --unlock --verbose "
			"-h!h -V!h --help!h --version!h", .operands = "wX", .traits = ZS_ROW_STRICT |
		ZS_ROW_PASSES_INPUT },
	{ .names = "script",
		.options = "-a --append -c=y --command=y -e --return -E=d --echo=d -f --flush --force -I=w "
			"--log-in=w -O=W --log-out=W -B=W --log-io=W -T=w --log-timing=w -t?w --timing?w -m=d "
			"--logging-format=d -o=d --output-limit=d -q --quiet -h!h -V!h --help!h --version!h",
		.operands = "W", .traits = ZS_ROW_STRICT | ZS_ROW_WRITES | ZS_ROW_STDIN_CODE },
	{ .names = "watch",
		.options = "-b --beep -c --color -C --no-color -d?N --differences?N -e --errexit -g --chgexit "
			"-q=d --equexit=d -n=d --interval=d -p --precise -r --no-rerun -t --no-title -w --no-wrap "
			"-x --exec -h!h -v!h --help!h --version!h", .operands = "S",
		.traits = ZS_ROW_STRICT | ZS_ROW_POSIX },
	{ .names = "xargs",
		.options = "-0 --null -a=r --arg-file=r -d=d --delimiter=d -E=d -e?N --eof?N -I=R -J=R -i?R "
			"--replace?R -L=d -l?N --max-lines?N -n=d --max-args=d -o --open-tty -P=d --max-procs=d "
			"-p --interactive --process-slot-var=d -r --no-run-if-empty -s=d --max-chars=d "
			"--show-limits -t --verbose -x --exit --help!h --version!h", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_APPENDS },
	{ .names = "parallel",
		.options = "-j=d --jobs=d -k --keep-order -t -v --verbose --bar --progress --eta --halt=d --tag -u "
			"--ungroup --line-buffer --lb --group --will-cite -0 --null -a=r --arg-file=r -C=d --colsep=d "
			"--timeout=d --delay=d --retries=d -q --quote -r --no-run-if-empty --silent --nice=d "
			"--version!h --help!h -h!h -V!h", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_APPENDS, .grammar = ZS_GRAMMAR_PARALLEL,
		.hint = "Use xargs, or a loop that names each command." },
	{ .names = "setarch|linux32|linux64|i386|x86_64",
		.options = "--list!h -v --verbose -B -F -I -L -R --addr-no-randomize -S -T -X -Z -3 --3gb --4gb "
			"--32bit --fdpic-funcptrs --short-inode --addr-compat-layout --whole-seconds "
			"--sticky-timeouts --read-implies-exec --mmap-page-zero --uname-2.6 -h!h -V!h --help!h "
			"--version!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "prlimit",
		.options = "-p=d --pid=d -c?N --core?N -d?N --data?N -e?N --nice?N -f?N --fsize?N -i?N "
			"--sigpending?N -l?N --memlock?N -m?N --rss?N -n?N --nofile?N -q?N --msgqueue?N -r?N "
			"--rtprio?N -s?N --stack?N -t?N --cpu?N -u?N --nproc?N -v?N --as?N -x?N --locks?N -y?N "
			"--rttime?N -o=d --output=d --noheadings --raw --verbose -h!h -V!h --help!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "setpriv",
		.options = "-d!h --dump!h --nnp --no-new-privs --ambient-caps=d --inh-caps=d --bounding-set=d "
			"--clear-groups --init-groups --keep-groups --groups=d --list-caps!h --pdeathsig=d "
			"--ptracer=d --reuid=d --ruid=d --euid=d --regid=d --rgid=d --egid=d --reset-env "
			"--securebits=d --selinux-label=d --apparmor-profile=d --landlock-access=d "
			"--landlock-rule=d -h!h -V!h --help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT |
		ZS_ROW_PASSES_INPUT },
	{ .names = "unshare",
		.options = "-m?N --mount?N -u?N --uts?N -i?N --ipc?N -n?N --net?N -p?N --pid?N -U?N --user?N -C?N "
			"--cgroup?N -T?N --time?N -f --fork --keep-caps --kill-child?N --mount-proc?N "
			"--mount-binfmt?N --map-user=d --map-group=d -r --map-root-user -c --map-current-user "
			"--map-auto --map-users=d --map-groups=d --propagation=d --setgroups=d -R=d --root=d -w=C "
			"--wd=C -S=d --setuid=d -G=d --setgid=d --monotonic=d --boottime=d -h!h -V!h --help!h "
			"--version!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "nsenter",
		.options = "-a --all -t=d --target=d -m?N --mount?N -u?N --uts?N -i?N --ipc?N -n?N --net?N -p?N "
			"--pid?N -U?N --user?N -C?N --cgroup?N -T?N --time?N -S=d --setuid=d -G=d --setgid=d "
			"--preserve-credentials -r?N --root?N -w?N --wd?N -F --no-fork -Z --follow-context -h!h "
			"-V!h --help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "chroot", .options = "--groups=d --userspec=d --skip-chdir --help!h --version!h",
		.operands = "dX", .traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "fakeroot",
		.options = "-l=d --lib=d --faked=d -s=w -i=r -u --unknown-is-real -b=d --fd-base=d -h!h -v!h "
			"--help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "faketime", .options = "-f -m -p=d --date-prog=d --exclude-monotonic -h!h --help!h --version!h",
		.operands = "dX", .traits = ZS_ROW_STRICT },
	{ .names = "unbuffer|chronic|ifne|dbus-run-session|catchsegv|dumb-init|tini|softlimit|"
			"caffeinate|tsocks|proxychains|proxychains4|grc|cpulimit|chpst|"
			"winpty|noti|systemd-cat|with-contenv",
		.options = "--list!h --tree!h --version!h --help!h -h!h -V!h -n -p -v -e -q -s -i -g -d -z -b -t=d "
			"-l=d --limit=d --identifier=d --priority=d --level-prefix=d -f=r --user=d", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "gosu|su-exec|setuidgid|envuidgid|s6-setuidgid|s6-envuidgid|setuser|runas",
		.options = "-s --version!h -v!h --help!h -h!h", .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_PRIVILEGE },
	/* moreutils */
	{ .names = "pee", .options = "--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors "
			"--no-ignore-write-errors", .operands = "c*", .traits = ZS_ROW_POSIX },
	{ .names = "mispipe", .operands = "cc", .traits = ZS_ROW_POSIX },
	{ .names = "lckdo", .options = "-w -W=d -e -E=d -s -x -q -h!h", .operands = "wX", .traits = ZS_ROW_STRICT },
	{ .names = "zrun", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "logsave", .options = "-a -s -v", .operands = "wX", .traits = ZS_ROW_STRICT },
	{ .names = "rr", .options = "--help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "rr", .names = "record",
		.options = "-h!h -n -M --chaos -o=w --output-trace-dir=w -p=d -c=d --num-cores=d -F=d -s -t=d -v=e "
			"-w --wait --no-file-cloning --no-read-cloning --print-trace-dir=d --disable-cpuid-features=d "
			"--setuid-sudo --bind-to-cpu=d", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_WRITES },
	{ .of = "rr", .names = "ps|dump|traceinfo|sources|buildid|help|filter|cpufeatures", .operands = "d*" },
	{ .of = "rr", .names = "replay|rerun|explicit-sources|pack|rm|mv", .operands = "w*", .traits = ZS_ROW_WRITES },
	{ .names = "firejail|proot|newgrp|fakechroot|toolbox|distrobox",
		.options = "--list!h --tree!h --version!h --help!h -h!h -V!h -n -p -v -e -q", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_STDIN_CODE },
	{ .names = "rlwrap",
		.options = "-a?N -A?N -b=d -c -C=d -d=d -D=d -e=d -E -f=r -g=d -h!h -H=w -i -I -l=w -m?N -M=d -n -N "
			"-o -O=d -p?N -P=d -q=d -r -R -s=d -S=d -t=d -T -U -v!h -w=d -W -X -z=y --always-readline?N "
			"--ansi-colour-aware?N --remember --history-filename=w --logfile=w --filter=y --help!h "
			"--version!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "torsocks|torify",
		.options = "-a=d --address=d -P=d --port=d -c=r -u=d --user=d -p=d --pass=d -i --isolate -d --debug -q "
			"--quiet --shell!l --on --off -h!h --help!h --version!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "login", .options = "-f=d -h=d -p -r=d -H", .operands = "d*", .traits = ZS_ROW_STDIN_CODE },
	{ .names = "ltrace",
		.options = "-a=d -A=d -b -c -C -D=d -e=d -f -F=f -h!h -i -l=d -L -n=d -o=w --output=w -p=d -r -s=d "
			"-S -t -tt -ttt -T -u=d -V!h -w=d -x=d --help!h --version!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "wait-for-it|wait-for-it.sh|wait-for|dockerize",
		.options = "-t=d --timeout=d -s --strict -q --quiet --help!h", .operands = "dX",
		.traits = ZS_ROW_STRICT },
	{ .names = "strace",
		.options = "-f -ff -F -q -qq -c -C -d -D -i -k -n -N -r -t -tt -ttt -T -v -V!h -x -xx -X=d -y -yy "
			"-z -Z -A -h!h -a=d -b=d -e=d -E=e -I=d -o=w -O=d -p=d -P=d -s=d -S=d -u=d -U=d "
			"--output=w --trace=d --follow-forks --output-append-mode --output-separately --attach=d "
			"--env=e --string-limit=d --summary --summary-only --summary-sort-by=d --absolute-timestamps?N "
			"--relative-timestamps?N --syscall-times?N --decode-fds?N --decode-pids?N --stack-traces?N "
			"--quiet?N --trace-path=d --status=d --signal=d --user=d --debug --successful-only "
			"--failed-only --no-abbrev --strings-in-hex?N --seccomp-bpf --instruction-pointer "
			"--help!h --version!h", .operands = "e*X",
		.traits = ZS_ROW_STRICT },
	{ .names = "busybox|toybox|shx|shelljs", .options = "--help!h --list!h --list-full!h --install!w --show=d",
		.operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "systemd-run",
		.options = "--user --scope -t --pty -P --pipe -q --quiet --wait -G --collect -d --same-dir -S!l "
			"--shell!l --unit=d -u=d -p=d --property=d --description=d --slice=d --uid=d --gid=d -E=e "
			"--setenv=e --working-directory=C -h!h --help!h --version!h", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PRIVILEGE },
	{ .names = "xvfb-run",
		.options = "-a --auto-servernum -e=w --error-file=w -f=w --auth-file=w -l --listen-tcp -n=d "
			"--server-num=d -s=d --server-args=d -w=d --wait=d -h!h --help!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "npx|bunx|pnpx",
		.options = "-y --yes --no --no-install -q --quiet -p=d --package=d -c=y --call=y -v!h --version!h "
			"--help!h -h!h --ignore-existing --prefer-offline --offline --bun", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_DASHES },
	{ .names = "uvx",
		.options = "--spec=d --from=d --with=d --python=d -p=d -q --quiet --offline --isolated --no-cache "
			"--help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "pipx", .names = "run",
		.options = "--from=d --with=d --python=d -p=d -q --quiet --offline --isolated --no-cache --help!h "
			"--version!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "poetry|pipenv|hatch|pdm|rye|dotenv|micromamba|conda|mamba", .names = "run",
		.options = "--silent -q -v -n=d -p=d --no-capture-output", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_OWN },
	{ .of = "bundle|bundler|asdf|mise|pyenv|rbenv", .names = "exec",
		.options = "--silent -q -v -n=d -p=d --no-capture-output", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "yarn|pnpm", .names = "exec|dlx", .options = "--silent -q -v -n=d -p=d --no-capture-output",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_DASHES },
	{ .of = "uv", .names = "run",
		.options = "--with=d --with-requirements=r -w=d --python=d -p=d -q --quiet --offline --isolated "
			"--no-cache --no-sync --frozen --locked --extra=d --group=d --all-extras --dev --no-dev "
			"--no-extra=d --no-group=d --only-group=d --no-default-groups --all-groups --only-dev "
			"--no-editable --inexact --all-packages --no-env-file -v --verbose -n --no-progress "
			"--index=d --default-index=d -i=d --index-url=d --extra-index-url=d -f=d --find-links=d "
			"--no-index -U --upgrade -P=d --upgrade-package=d --refresh --refresh-package=d --reinstall "
			"--reinstall-package=d --resolution=d --prerelease=d --exclude-newer=d --no-sources "
			"--no-build --no-build-package=d --no-binary --no-binary-package=d --with-editable=d "
			"--cache-dir=d --config-file=d --no-config --color=d "
			"--no-project --project=d --directory=C --env-file=d --package=d -m=X --module=X -s=f "
			"--script=f --active --exact --help!h", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_OWN },
	{ .of = "npm", .names = "exec|x",
		.options = "-c=y --call=y -p=d --package=d -y --yes --no --no-install --help!h --silent --quiet "
			"-q -w=d --workspace=d --offline --prefer-offline", .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_DASHES },
	{ .of = "cargo", .names = "watch", .options = "-p=d -A=d --run=y --command=y -c=y -x=y -s=y --pure --impure",
		.operands = "d*" },
	{ .names = "nix-shell", .options = "-p=d -A=d --run=y --command=y -c=y -x=y -s=y --pure --impure",
		.operands = "d*" },
	{ .of = "nix", .names = "shell|develop", .options = "-c=X --command=X --impure -f=d", .operands = "d*" },
	{ .of = "direnv", .names = "exec", .operands = "dX", .traits = ZS_ROW_STRICT },
	{ .names = "asdf|mise|pyenv|rbenv|direnv|nix|dotenv|hatch", .options = "-v -q --version!h --help!h -h!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .names = "valgrind",
		.options = "--tool=d --leak-check=d --log-file=w --xml-file=w --error-exitcode=d --suppressions=d "
			"--track-origins=d --show-leak-kinds=d --num-callers=d --trace-children=d "
			"--massif-out-file=w --callgrind-out-file=w --cachegrind-out-file=w --dhat-out-file=w "
			"--xtree-leak-file=w --xtree-memory-file=w --gen-suppressions=d -q --quiet -v --verbose "
			"-s --xml=d --child-silent-after-fork=d --errors-for-leak-kinds=d --fair-sched=d --vgdb=d "
			"--help!h --version!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "hyperfine",
		.options = "-w=d --warmup=d -m=d --min-runs=d -M=d --max-runs=d -r=d --runs=d -N -n=d "
			"--command-name=d -s=y --setup=y -p=y --prepare=y -c=y --cleanup=y -S=d --shell=d -i "
			"--ignore-failure -u=d --time-unit=d --style=d --export-json=w --export-csv=w "
			"--export-markdown=w --export-asciidoc=w --export-orgmode=w --input=r --reference=y "
			"--conclude=y --show-output -L=d -P=d --output=w --help!h --version!h", .operands = "c*" },
	{ .names = "entr", .options = "-a -c -d -n -p -r -s -x -z -h!h", .operands = "S", .traits = ZS_ROW_STRICT },
	{ .names = "ssh",
		.options = "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -tt -V!h -v -vv -vvv -X -x -Y -y "
			"-B=d -b=d -c=d -D=d -E=w -e=d -F=f -I=d -i=d -J=d -L=d -l=d -m=d -O=d -o=o -p=d -Q=d "
			"-R=d -S=d -W=d -w=d", .operands = "dd*", .traits = ZS_ROW_NETWORK | ZS_ROW_NO_PERMUTE },
	{ .names = "at|batch", .options = "-l!r -c!r -q=d -f=r -t=d -m -M -b -v -V!h -d!w -r!w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "atq", .options = "-q=d -V!h", .operands = "d*" },
	{ .names = "atrm|anacron|systemd-nspawn|fcrontab|incrontab", .options = "-V!h --version!h --help!h -T!r -l!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "crontab", .options = "-l!r -T!r -u=d -e!w -r!w -i -s -V!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "choom", .options = "-n=d --adjust=d -p!h --pid!h -h!h -V!h --help!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "numactl",
		.options = "-a --all -l --localalloc -b --balancing -i=d --interleave=d -w=d --weighted-interleave=d "
			"-m=d --membind=d -N=d --cpunodebind=d -C=d --physcpubind=d -p=d --preferred=d -P=d "
			"--preferred-many=d -H!h --hardware!h -s!h --show!h -h!h --help!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "runcon|eatmydata|systemd-inhibit|cross-env|dotenvx|gdbserver",
		.options = "-t=d -u=d -r=d -l=d -c --what=d --why=d --who=d --mode=d -h!h --help!h "
			"--version!h", .operands = "e*X", .traits = ZS_ROW_STRICT },
	{ .names = "ld-linux.so|ld-linux-x86-64.so|ld-linux-aarch64.so|ld.so|ld-musl-x86_64.so",
		.options = "--list!h --verify!h --version!h --help!h --library-path=d --preload=d --argv0=d "
			"--inhibit-cache", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "perf",
		.options = "--version!h -v!h --help!h -h!h --list-cmds!h --debug=d --buildid-dir=d --no-pager -p",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "perf", .names = "stat",
		.options = "-e=d --event=d -a --all-cpus -A --no-aggr -B --big-num -C=d --cpu=d -D=d --delay=d -d "
			"-dd -ddd --detailed -G=d --cgroup=d -g --group -I=d --interval-print=d -i --no-inherit "
			"-M=d --metrics=d -n --null -o=w --output=w --append -p=d --pid=d -r=d --repeat=d -S "
			"--sync -t=d --tid=d -T --transaction -v --verbose -x=d --field-separator=d --per-core "
			"--per-socket --per-thread --per-die --per-node --topdown --timeout=d --pre=y --post=y "
			"--json -j --summary --no-summary --smi-cost --log-fd=d -h!h --help!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .of = "perf", .names = "trace",
		.options = "-e=d --expr=d --event=d -p=d --pid=d -t=d -a -s --summary -S --with-summary -T --time -f=d "
			"-F=d -o=w --output=w -v --duration=d --max-events=d --call-graph=d -u=d -i=r --input=r -h!h",
		.operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "perf",
		.names = "list|report|annotate|script|diff|version|help|evlist|buildid-list|kallsyms|top|bench|test|"
			"probe-list|iostat|check", .options = "-o=w --output=w -i=r --input=r -h!h --help!h",
		.operands = "d*" },
	{ .of = "perf", .names = "*", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES,
		.hint = "Use perf stat, or report which recording is needed." },
	/* gdb accepts abbreviated flags. A flag after the program would change where --args begins. */
	{ .names = "gdb|gdb-multiarch|arm-none-eabi-gdb|rust-gdb",
		.options = "-ex=k -eval-command=k -iex=k -init-eval-command=k -eiex=k -early-init-eval-command=k -x=f "
			"-command=f -ix=f -init-command=f -eix=f -early-init-command=f -batch!k -batch-silent!k "
			"-return-child-result -nx -n -nh -q -quiet -silent -p=d -pid=d -args=X -c=r -core=r -e=r "
			"-exec=r -se=r -s=r -symbols=r -d=d -directory=d -D=L -data-directory=L -cd=C -tty=d -nw -w "
			"-tui -l=d -b=d -fullname -f -configuration!h -version!h -v!h -help!h -h!h -write!w -i=d "
			"-interpreter=d -readnow -readnever", .operands = "d*", .language = "gdb",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_ABBREVIATED | ZS_ROW_STRICT | ZS_ROW_STDIN_CODE,
		.grammar = ZS_GRAMMAR_GDB },
	{ .names = "cross-env-shell", .options = "-h!h --help!h", .operands = "e*S", .traits = ZS_ROW_NO_PERMUTE },
	{ .names = "concurrently|conc",
		.options = "-n=d --names=d -c=d --prefix-colors=d -p=d --prefix=d -k --kill-others "
			"--kill-others-on-fail "
			"--kill-signal=d -s=d --success=d -r --raw -g --group --no-color --hide=d --timings -m=d "
			"--max-processes=d -l=d --prefix-length=d --restart-tries=d --restart-after=d -t=d "
			"--timestamp-format=d -h!h --help!h -v!h -V!h --version!h", .operands = "y*",
		.traits = ZS_ROW_STRICT },
#define WRAPPED_HINT "Run the inner command directly, without this tool."
	{ .names = "watchexec",
		.options = "-w=d --watch=d -W=d --watch-non-recursive=d -e=d --exts=d -f=d --filter=d -i=d "
			"--ignore=d -s=d --signal=d -d=d --debounce=d -o=d --on-busy-update=d -E=d --env=d --workdir=d "
			"--shell=d --delay-run=d --stop-signal=d --stop-timeout=d --project-origin=d --version!h "
			"--help!h -h!h -V!h",
		.operands = "S", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_WRITES, .hint = WRAPPED_HINT },
	{ .names = "nodemon",
		.options = "-x=y --exec=y -e=d --ext=d -w=d --watch=d -i=d --ignore=d -d=d --delay=d -s=d --signal=d "
			"--config=d --cwd=d --version!h --help!h -h!h -v!h",
		.operands = "fd*", .traits = ZS_ROW_WRITES, .hint = WRAPPED_HINT },
	{ .names = "nyc|c8",
		.options = "-r=d --reporter=d -n=d --include=d -x=d --exclude=d -e=d --extension=d -t=d "
			"--temp-dir=d --temp-directory=d --report-dir=d --reports-dir=d -o=d --cwd=d --src=d --lines=d "
			"--branches=d --functions=d --statements=d --nycrc-path=d -c=d --config=d --require=L -i=L "
			"-s -a --silent --all --check-coverage --per-file --clean --no-clean --skip-full --100 --text "
			"--instrument --source-map --produce-source-map --cache --no-cache --eager --show-process-tree "
			"--exclude-after-remap --allowExternal --version!h --help!h -h!h",
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_NO_PERMUTE | ZS_ROW_WRITES, .hint = WRAPPED_HINT },
	{ .names = "sg", .options = "-c=y", .operands = "dS", .traits = ZS_ROW_WRITES, .hint = WRAPPED_HINT },
	/* Their options take up to three words each, so the place of the command is not known. */
	{ .names = "bwrap|start-stop-daemon|capsh", .options = "--version!h --help!h -h!h -V!h --print!h",
		.operands = "S", .traits = ZS_ROW_STRICT | ZS_ROW_WRITES, .hint = WRAPPED_HINT },
	{ .names = "pm2", .options = "--version!h --help!h -h!h -v!h -V!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_WRITES },
	{ .of = "pm2",
		.names = "ls|l|ps|list|jlist|prettylist|status|logs|show|describe|info|desc|env|id|pid|monit|imonit|"
			"dashboard|dash|ping|conf|report|examples" },
	{ .of = "pm2", .names = "start",
		.options = "-n=d --name=d -i=d --instances=d -l=w --log=w -o=w --output=w -e=w --error=w -u=d "
			"--user=d --cwd=d --interpreter=d --node-args=d --ext=d --watch?N --ignore-watch=d "
			"--max-memory-restart=d --env=d --namespace=d --cron=d -c=d --only=d",
		.operands = "yd*", .traits = ZS_ROW_WRITES },
	{ .of = "pm2", .names = "*", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(wrappers);
