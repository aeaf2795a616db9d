/* Package managers, test runners, linters and formatters of Python. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(python) = {
	/* compileall writes caches (__pycache__); with -b it writes files beside the sources */
	{ .names = "compileall", .options = "-b!w -q -f -l -r=d -j=d -x=d -i=d -d=d -s=d -p=d -o=d -e=d "
			"--invalidation-mode=d --hardlink-dupes -h!h --help!h", .operands = "d*" },
	{ .names = "pip|pip3|pipx",
		.options = "-q -v --quiet --verbose --no-input --isolated --python=d --log=w --proxy=d --cache-dir=d "
			"--disable-pip-version-check -V!h --help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip|pip3", .names = "install|list|show|freeze|check|index|search|help|debug|inspect|hash|completion",
		.options = "-t=w --target=w --report=w --log=w -r=r --requirement=r -c=d --constraint=d -e=d "
			"--editable=d --prefix=d --root=d --src=d --index-url=d -i=d --extra-index-url=d "
			"--find-links=d -f=d --format=d --python=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "pip|pip3", .names = "download|wheel|uninstall|lock", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "pip|pip3", .names = "config|cache", .options = "--user --global --site --log=w", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip config|pip3 config", .names = "list|get|debug", .options = "--log=w", .operands = "d*" },
	{ .of = "pip config|pip3 config", .names = "set|unset|edit", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "pip cache|pip3 cache", .names = "dir|info|list", .options = "--log=w --format=d", .operands = "d*" },
	{ .of = "pip cache|pip3 cache", .names = "remove|purge", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "pipx", .names = "list|environment|help|completions|interpreter", .operands = "d*" },
	{ .of = "pipx",
		.names = "install|install-all|uninstall|uninstall-all|upgrade|upgrade-all|upgrade-shared|inject|"
			"uninject|ensurepath|reinstall|reinstall-all|pin|unpin|runpip", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "uv",
		.options = "-q -v --quiet --verbose --offline --directory=d --project=d --config-file=d --color=d "
			"-V!h --help!h --version!h -h!h -n --no-cache --cache-dir=d --python=d -p=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "uv", .names = "sync|tree|help|check|audit|workspace|generate-shell-completion",
		.options = "--output-file=w -o=w --output-format=d --format=d -p=d --python=d", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "uv", .names = "tool|pip|python|cache|auth|self",
		.options = "-q -v --quiet --verbose --offline --directory=d --project=d --color=d -h!h --help!h -n "
			"--no-cache --cache-dir=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "uv tool", .names = "run",
		.options = "--from=d -w=d --with=d --with-editable=d --with-requirements=r -c=d --constraints=d -b=d "
			"--build-constraints=d --overrides=d --isolated --env-file=d --no-env-file --index=d "
			"--default-index=d -i=d --index-url=d --extra-index-url=d -f=d --find-links=d --no-index -U "
			"--upgrade -P=d --upgrade-package=d --index-strategy=d --keyring-provider=d --resolution=d "
			"--prerelease=d --fork-strategy=d --exclude-newer=d --no-sources --reinstall "
			"--reinstall-package=d --link-mode=d --compile-bytecode --no-build --no-build-package=d "
			"--no-binary --no-binary-package=d --refresh --refresh-package=d -C=d --config-setting=d "
			"--torch-backend=d --lfs -p=d --python=d --python-platform=d --managed-python "
			"--no-managed-python --no-python-downloads -q --quiet -v --verbose --color=d --native-tls "
			"--offline --no-progress --directory=d --project=d --config-file=d --no-config -n --no-cache "
			"--cache-dir=d --allow-insecure-host=d --no-build-isolation -h!h --help!h -V!h --version!h",
		.operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "uv tool", .names = "list|dir|audit", .operands = "d*" },
	{ .of = "uv tool", .names = "install|upgrade|uninstall|update-shell", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "uv pip", .names = "install|sync|freeze|list|show|tree|check|uninstall|debug",
		.options = "-t=w --target=w --prefix=w -r=r --requirements=r -c=d --constraints=d -e=d --editable=d "
			"-p=d --python=d --output-file=w -o=w --format=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "uv pip", .names = "compile",
		.options = "-o=w --output-file=w -c=d --constraints=d --overrides=d -b=d --build-constraints=d "
			"--extra=d --group=d --format=d --annotation-style=d --custom-compile-command=d "
			"--python-platform=d --python-version=d -p=d --python=d -i=d --index-url=d "
			"--extra-index-url=d -f=d --find-links=d -P=d --upgrade-package=d -C=d --config-setting=d "
			"--no-emit-package=d --resolution=d --prerelease=d --exclude-newer=d --index-strategy=d "
			"--torch-backend=d --no-binary=d --only-binary=d -h!h --help!h", .operands = "d*" },
	{ .of = "uv python", .names = "list|find|dir", .operands = "d*" },
	{ .of = "uv python", .names = "install|upgrade|pin|uninstall|update-shell", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "uv cache", .names = "dir|size" },
	{ .of = "uv cache", .names = "clean|prune", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "uv auth", .names = "token|dir", .operands = "d*" },
	{ .of = "uv auth", .names = "login|logout", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "uv self", .names = "version" },
	{ .of = "uv self", .names = "update", .traits = ZS_ROW_WRITES },
	{ .of = "uv", .names = "add|remove|init|publish|venv|build",
		.options = "--dry-run!r -h!h --help!h -o=W --out-dir=W", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "uv", .names = "lock", .options = "--check!r --check-exists!r --locked!r --dry-run!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "uv", .names = "export", .options = "-o=w --output-file=w --format=d -p=d --python=d -h!h --help!h",
		.operands = "d*" },
	{ .of = "uv", .names = "format", .options = "--check!r --diff!r -h!h --help!h --version=d", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "uv", .names = "version",
		.options = "--bump!w --dry-run!h --short --output-format=d --package=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .names = "poetry|pipenv|pdm|rye",
		.options = "-q -v -n -C=d --directory=d -P=d --project=d -p=d -V!h --help!h --version!h -h!h "
			"--no-interaction --no-ansi --no-plugins --no-cache", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "poetry|pipenv|pdm|rye",
		.names = "install|show|check|list|info|search|sync|graph|verify|test|lint|about|help|which|scripts|"
			"audit|outdated|where|venvs|scan|requirements",
		.options = "-p=d --project=d -C=d --directory=d -h!h --help!h --fix!w", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "poetry|pipenv|pdm|rye",
		.names = "add|remove|init|new|lock|build|publish|uninstall|create|upgrade|update|fix|fmt|import|use|"
			"venv|pin", .options = "--check!r --dry-run!r -h!h --help!h -o=W --output=W",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "poetry|pdm", .names = "export",
		.options = "-o=w --output=w -f=d --format=d --with=d --without=d --only=d -h!h --help!h",
		.operands = "d*" },
	{ .of = "poetry|rye", .names = "version", .options = "-s --short --dry-run!r -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .of = "pdm", .names = "config", .options = "-d!w --delete!w -e!w --edit!w -l --local --global -h!h",
		.operands = "dd*", .traits = ZS_ROW_LISTS },
	{ .of = "poetry", .names = "config", .options = "--list!r --unset!w --migrate!w --local -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_LISTS | ZS_ROW_WRITES },
	{ .of = "poetry|pdm|rye", .names = "env|self|cache|source|debug|python|plugin|plugins|toolchain|tools|py",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "poetry env|poetry self|poetry cache|poetry source|poetry debug|poetry python|pdm self|pdm cache|"
			"pdm plugin|pdm python|pdm py|rye toolchain|rye tools|rye self",
		.names = "info|list|activate|show|resolve|tags|find", .operands = "d*" },
	{ .of = "poetry env|poetry self|poetry cache|poetry source|poetry python|pdm self|pdm cache|pdm plugin|"
			"pdm python|pdm py|rye toolchain|rye tools|rye self",
		.names = "use|remove|add|install|lock|sync|update|clear|uninstall|link|register|fetch",
		.options = "--dry-run!r -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "conda|mamba|micromamba", .options = "-q -v -h!h --help!h -V!h --version!h --no-plugins",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "conda|mamba|micromamba",
		.names = "list|info|search|install|doctor|compare|notices|repoquery|help|package",
		.options = "-n=d --name=d -p=d --prefix=d --json -c=d", .operands = "d*" },
	{ .of = "conda|mamba|micromamba",
		.names = "create|remove|uninstall|update|upgrade|init|clean|build|rename|self-update",
		.options = "-d!r --dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "conda|mamba|micromamba", .names = "export", .options = "-f=w --file=w -n=d --name=d -p=d --prefix=d",
		.operands = "d*" },
	{ .of = "conda|mamba|micromamba", .names = "config",
		.options = "--show!r --show-sources!r --get!r --describe!r --validate!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "conda|mamba|micromamba", .names = "env", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "conda env|mamba env|micromamba env", .names = "list", .operands = "d*" },
	{ .of = "conda env|mamba env|micromamba env", .names = "export", .options = "-f=w --file=w -n=d --name=d",
		.operands = "d*" },
	{ .of = "conda env|mamba env|micromamba env", .names = "create|remove|update", .options = "--dry-run!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "hatch", .names = "test|status|project|dep|self|check",
		.options = "--cover -p=d -py=d -i=d -x=d --fix!w", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "hatch", .names = "fmt", .options = "--check!r --sync -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "hatch", .names = "build|clean|new|lock|publish|config|python", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "hatch", .names = "version", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .of = "hatch", .names = "env", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "hatch env", .names = "find|show", .operands = "d*" },
	{ .of = "hatch env", .names = "create|prune|remove", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "hatch env", .names = "run", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "pytest|py.test|pytest-3",
		.options = "--junitxml=w --junit-xml=w --resultlog=w --result-log=w --report-log=w --html=w --css=d "
			"--md=w --csv=w --json=w --json-report-file=w --json-report --allure-dir=w --alluredir=w "
			"--nunit-xml=w --gherkin-terminal-reporter --cov-report=O --cov?N --cov-config=d "
			"--cov-context=d --cov-fail-under=d --basetemp=w --debug?W --log-file=w --log-file-level=d "
			"--log-file-format=d --log-file-mode=d --log-file-date-format=d --benchmark-json=w "
			"--benchmark-save=w --benchmark-autosave!w --benchmark-storage=w --benchmark-histogram?W "
			"--memray-bin-path=w --profile --profile-svg!w --pstats-dir=w --snapshot-update!w "
			"--force-regen!w --regen-all!w --gen-files!w --inline-snapshot=d --insta=d "
			"--mpl-generate-path=w --mpl-results-path=w --mypy-report-style=d --store-durations!w "
			"--durations-path=w --splinter-screenshot-dir=w --output=w --video=d --tracing=d "
			"--screenshot=d --cache-clear -k=d -m=d -p=d -c=d --config-file=d -o=d --override-ini=d "
			"--rootdir=d --confcutdir=d --ignore=d --ignore-glob=d --deselect=d --maxfail=d --tb=d -n=d "
			"--dist=d --durations=d --durations-min=d --timeout=d -W=d --pythonwarnings=d -r=d "
			"--pastebin=d --import-mode=d --capture=d --color=d --reruns=d --seed=d --hypothesis-seed=d "
			"--ds=d --dc=d --verbosity=d --log-level=d --log-cli-level=d --junit-prefix=d --assert=d "
			"--show-capture=d -V!h --version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "coverage", .options = "--version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "coverage", .names = "report|help|debug", .options = "--data-file=d --rcfile=d -h!h --help!h",
		.operands = "d*" },
	{ .of = "coverage", .names = "run",
		.options = "-m=X --module=X --rcfile=d --source=d --source-pkg=d --include=d --omit=d -p "
			"--parallel-mode -a --append --branch -L --pylib --data-file=w --timid --concurrency=d "
			"--context=d --debug=d --save-signal=d -h!h --help!h", .operands = "fd*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_NO_PERMUTE },
	{ .of = "coverage", .names = "html",
		.options = "-d=W --directory=W --data-file=d --rcfile=d --title=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "coverage", .names = "xml|json|lcov", .options = "-o=W --data-file=d --rcfile=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "coverage", .names = "annotate|erase|combine", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "tox",
		.options = "-e=d -c=d --conf=d --workdir=d --root=d -x=d --override=d --result-json=w --devenv=w "
			"--installpkg=d -v -q -r -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "tox", .names = "run|r|run-parallel|p|depends|de|list|l|config|c|schema|legacy|le|man",
		.options = "-e=d -m=d -f=d -c=d --conf=d --workdir=d --root=d --result-json=w --devenv=w "
			"--installpkg=d --no-provision?W -x=d -k=d --override=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "tox", .names = "exec|e", .options = "-e=d --result-json=w", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "tox", .names = "devenv|d|quickstart|q", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "doctest", .options = "-o=d --option=d -v -f -h!h --help!h", .operands = "f*" },
	{ .names = "uu", .options = "-d -t -h!h --help!h", .operands = "dw" },
	{ .names = "nox",
		.options = "-s=d --session=d --sessions=d -e=d -k=d --keywords=d -t=d --tags=d -p=d --python=d "
			"--pythons=d -f=d --noxfile=d --report=w --envdir=d -db=d --default-venv-backend=d -l --list "
			"-R -r -h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "unittest|nose2|nosetests|green|trial|behave|robot|ward|stestr|zope-testrunner|asv",
		.options = "-k=d -p=d -s=d -t=d --xunit-file=w --with-xunit --junit!w --junit-directory=w "
			"--cover-html-dir=w --cover-xml-file=w --junit-report=w -r=d -o=w --outfile=w --output=w "
			"-d=w --outputdir=w --log=w --report=w --xunit=w -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "black",
		.options = "-c=d --code=d --check!h --diff!h -l=d --line-length=d -t=d --target-version=d "
			"--python-cell-magics=d --enable-unstable-feature=d --line-ranges=d --required-version=d "
			"--include=d --exclude=d --extend-exclude=d --force-exclude=d --stdin-filename=d -W=d "
			"--workers=d --config=d --cache-dir=d -q -v -h!h --help!h --version!h", .operands = "w*" },
	{ .names = "isort",
		.options = "-c!h --check!h --check-only!h --diff!h -d!h --stdout!h --show-files!h --show-config!h "
			"--show-settings!h -l=d --line-length=d -w=d --line-width=d --profile=d --settings-path=d "
			"--settings-file=d --sp=d --settings=d --config-root=d --src=d --src-path=d -p=d --project=d "
			"-o=d --thirdparty=d -s=d --skip=d --sg=d --skip-glob=d --filename=d --ext-format=d --py=d "
			"--python-version=d -m=d --multi-line=d -j?N --jobs?N -a=d --add-import=d --ff=d "
			"--from-first -q -v -V!h --version!h --version-number!h --vn!h -h!h --help!h",
		.operands = "w*" },
	{ .names = "blue|darker|pyink|ssort|oitnb|pybetter",
		.options = "--check!h --diff!h --stdout!h -l=d --line-length=d --config=d --target-version=d -S -q "
			"-v -h!h --help!h --version!h", .operands = "w*" },
	{ .names = "pycln", .options = "-c!h --check!h -d!h --diff!h -a --all -i=d --include=d -e=d --exclude=d "
			"--extend-exclude=d --config=d -q -v -s -x --expand-stars -h!h --help!h --version!h",
		.operands = "w*" },
	{ .names = "pyproject-fmt|tox-ini-fmt", .options = "--check!h -s!h --stdout!h --print!h -n --no-print-diff "
			"--column-width=d --indent=d --max-supported-python=d -h!h --help!h -V!h --version!h",
		.operands = "w*" },
	{ .names = "unify|docstring-inheritance|autoimport",
		.options = "-i!i --in-place!i -c!h --check!h --check-only!h --diff!h --quote=d -r --recursive -h!h "
			"--help!h --version!h", .operands = "r*" },
	{ .names = "usort", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "usort", .names = "check|diff|list-imports", .operands = "d*" },
	{ .of = "usort", .names = "format", .operands = "w*" },
	{ .names = "pyupgrade|add-trailing-comma|reorder-python-imports|django-upgrade|tidy-imports|absolufy-imports|"
			"flynt|teyit",
		.options = "-c!h --check!h --diff!h -d!h --dry-run!h --fail-on-change!h -n!h --py3-plus "
			"--target-version=d --exit-zero-even-if-changed --application-directories=d -a=d "
			"--add-import=d -h!h --help!h -V!h --version!h", .operands = "w*" },
	{ .names = "autopep8",
		.options = "-i!i --in-place!i -d!h --diff!h --max-line-length=d --select=d --ignore=d "
			"--global-config=d --indent-size=d --hang-closing -j=d --jobs=d -p=d --pep8-passes=d -h!h "
			"--help!h --version!h --list-fixes!h --exclude=d --line-range=d --range=d",
		.operands = "r*" },
	{ .names = "yapf",
		.options = "-i!i --in-place!i -d!h --diff!h -q --quiet -r -p -m --style=d --exclude=d -e=d -l=d "
			"--lines=d --style-help!h -h!h --help!h --version!h -v!h", .operands = "r*" },
	{ .names = "autoflake|docformatter",
		.options = "-i!i --in-place!i -c!h --check!h --check-diff!h -s!h --stdout!h --imports=d --exclude=d "
			"-e=d --range=d --config=d -r -h!h --help!h --version!h", .operands = "r*" },
	{ .names = "ruff", .options = "-V!h --version!h -v -q -s -n --help!h -h!h --config=d --color=d --isolated",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ruff", .names = "check|rule|config|linter|version|analyze|help|server",
		.options = "--fix!w --fix-only!w --add-noqa?w --add-ignore?w -o=w --output-file=w --output-format=d "
			"--diff!h --cache-dir=w --select=d --ignore=d --extend-select=d --extend-ignore=d "
			"--per-file-ignores=d --extend-per-file-ignores=d --fixable=d --unfixable=d --exclude=d "
			"--extend-exclude=d --target-version=d --extension=d --stdin-filename=d --config=d --color=d "
			"-h!h --help!h", .operands = "d*" },
	{ .of = "ruff", .names = "format",
		.options = "--check!r --diff!r --config=d --line-length=d --target-version=d --exclude=d "
			"--stdin-filename=d --range=d --extension=d --cache-dir=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "ruff", .names = "clean", .traits = ZS_ROW_WRITES },
	{ .names = "2to3|lib2to3|modernize|futurize|pasteurize|python-modernize",
		.options = "-w!w --write!w -o=w --output-dir=w -f=d --fix=d -x=d --nofix=d -l!h --list-fixes!h -p -n "
			"-W!w --write-unchanged-files!w --add-suffix=d", .operands = "d*" },
	{ .names = "flake8|pycodestyle|pydocstyle|pyflakes|pep8|pep257|pylama|prospector|flakeheaven|flakehell|"
			"wemake-python-styleguide",
		.options = "--output-file=w -o=d --format=d --config=d --exclude=d --extend-exclude=d --filename=d "
			"--stdin-display-name=d --select=d --extend-select=d --ignore=d --extend-ignore=d "
			"--per-file-ignores=d --max-line-length=d --max-complexity=d -j=d --jobs=d --report=d "
			"--bug-report!h -h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "pylint|epylint|pylint3",
		.options = "--output=w --output-format=d -f=d --import-graph=w --ext-import-graph=w "
			"--int-import-graph=w --rcfile=d --ignore=d --ignore-patterns=d --ignore-paths=d -j=d "
			"--jobs=d -d=d --disable=d -e=d --enable=d --msg-template=d -r=d --reports=d --fail-under=d "
			"--fail-on=d --load-plugins=d --init-hook=k --from-stdin --generate-rcfile!h "
			"--generate-toml-config!h --list-msgs!h --list-extensions!h -h!h --help!h --long-help!h "
			"--version!h", .operands = "d*", .language = "python", .traits = ZS_ROW_BUILDS },
	{ .names = "pyreverse", .options = "-d=W --output-directory=W -o=d --output=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "mypy",
		.options = "-O=d --output=d --any-exprs-report=w --cobertura-xml-report=w --html-report=w "
			"--linecount-report=w --linecoverage-report=w --lineprecision-report=w --txt-report=w "
			"--xml-report=w --xslt-html-report=w --xslt-txt-report=w --memory-xml-report=w --junit-xml=w "
			"--junit-format=d --install-types!w --cache-dir=d --config-file=d --exclude=d -p=d "
			"--package=d -m=d --module=d -c=d --command=d --python-version=d --platform=d "
			"--python-executable=d --custom-typeshed-dir=d --shadow-file=d --disable-error-code=d "
			"--enable-error-code=d --follow-imports=d --always-true=d --always-false=d -n=d "
			"--num-workers=d --dump-type-stats --timing-stats=w --line-checking-stats=w -h!h --help!h -v "
			"-V!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "dmypy", .options = "--status-file=d -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dmypy", .names = "run|check|recheck|start|restart|stop|kill|status|inspect|hang|daemon|help",
		.options = "--export-types --perf-stats-file=w --junit-xml=w --log-file=w --timeout=d",
		.operands = "d*" },
	{ .of = "dmypy", .names = "suggest", .operands = "d*" },
	{ .names = "stubgen|monkeytype|merge-pyi", .options = "-h!h --help!h -o=W --output=W", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pyright|basedpyright|pyre|pytype|ty|pyrefly|zuban",
		.options = "--createstub=w --writebaseline!w --gitlabcodequality=w --baselinefile=d --outputjson "
			"--fix!w --suppress-errors!w --add-ignore!w --remove-unused-ignores!w -o=w --output=d "
			"--output-format=d --generate-config?w -p=d --project=d --pythonpath=d --pythonplatform=d "
			"--pythonversion=d -t=d --typeshedpath=d -v=d --venvpath=d --level=d --python=d "
			"--python-version=d --stats --verbose --warnings -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "bandit",
		.options = "-o=w --output=w -f=d --format=d -c=d --configfile=d -p=d --profile=d -t=d --tests=d -s=d "
			"--skip=d -a=d --aggregate=d -n=d --number=d -b=d --baseline=d -x=d --exclude=d --ini=d "
			"--msg-template=d --severity-level=d --confidence-level=d -r -l -ll -lll -i -q -h!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "vulture|radon|xenon|deptry|pip-audit|pip_audit|safety|liccheck|pip-licenses|pipdeptree|"
			"interrogate|pyroma|check-manifest|import-linter|lint-imports|creosote|fawltydeps|refurb|"
			"mutmut|mccabe|cosmic-ray|pydeps|semversioner|dodgy|eradicate|wily|slotscheck|"
			"validate-pyproject|griffe|tach|skylos|cohesion|curlylint",
		.options = "--create!w -u!w --update!w -o=w --output=w --output-file=w -O=w --save-json=w "
			"--save=w --json-output=w -g=w "
			"--generate-badge=w --fix!w --write!w -w!w --in-place!w -i!w -f=d --format=d -r=d -c=d "
			"--config=d --exclude=d --ignore=d --min-confidence=d -h!h --help!h --version!h",
		.operands = "d*" },
	{ .names = "codespell",
		.options = "-w!w --write-changes!w -i=d --interactive=d -D=d --dictionary=d --builtin=d -I=d "
			"--ignore-words=d -L=d --ignore-words-list=d --ignore-regex=d --uri-ignore-words-list=d -r=d "
			"--regex=d -S=d --skip=d -x=d --exclude-file=d -q=d --quiet-level=d --config=d --toml=d -A=d "
			"-B=d -C=d -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "typos",
		.options = "-w!w --write-changes!w --diff --format=d -c=d --config=d --type=d --exclude=d --files "
			"--words --identifiers --dump-config=w -j=d --locale=d -h!h --help!h -V!h --version!h",
		.operands = "d*" },
	{ .names = "mdformat",
		.options = "--check!h --version!h --help!h -h!h --number --wrap=d --end-of-line=d --exclude=d "
			"--extensions=d", .operands = "w*" },
	{ .names = "pre-commit|prek|pre_commit",
		.options = "-c=d --config=d --color=d -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pre-commit|prek|pre_commit", .names = "validate-config|validate-manifest|sample-config|help|list",
		.operands = "d*" },
	{ .of = "pre-commit|prek|pre_commit",
		.names = "run|autoupdate|auto-update|clean|gc|hazmat|init-templatedir|init-template-dir|install|"
			"install-hooks|migrate-config|try-repo|uninstall|self", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .names = "lefthook", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "lefthook", .names = "validate|dump|version|check-install|help", .operands = "d*" },
	{ .of = "lefthook", .names = "run|install|uninstall|add|self-update", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .names = "pip-compile|pip-sync",
		.options = "-n!r --dry-run!r -o=W --output-file=W -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pip-review|pip-upgrade|pur|pip-autoremove|bump2version|bumpversion|tbump|"
			"cookiecutter|copier|cruft",
		.options = "--dry-run!r -n!r --list!r --draft!r -h!h --help!h --version!h -V!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "bump-my-version", .options = "-h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bump-my-version", .names = "show|show-bump|help", .operands = "d*" },
	{ .of = "bump-my-version", .names = "*", .options = "-n!r --dry-run!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "cz|commitizen", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cz|commitizen", .names = "check|info|version|ls|example|schema", .operands = "d*" },
	{ .of = "cz|commitizen", .names = "commit|c|bump|changelog|ch|init", .options = "--dry-run!r -h!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "flit", .options = "-f=d --ini-file=d -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flit", .names = "info|build|help", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "flit", .names = "init|install|publish|installfrom", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "build|maturin|setuptools-rust|cibuildwheel|pyproject-build|auditwheel|delocate-wheel",
		.options = "-o=w --outdir=w --out=w --out-dir=w --output-dir=w -w=d --wheel-dir=w -h!h --help!h -V!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "setup.py",
		.options = "-q --quiet -v --verbose -n!h --dry-run!h -h!h --help!h --help-commands!h --name!h "
			"--version!h --fullname!h --author!h --url!h --license!h --description!h --classifiers!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "setup.py",
		.names = "build|build_ext|build_py|test|check|pytest|nosetests|lint|develop|egg_info|install",
		.options = "-b=d --build-lib=d --build-temp=d -i --inplace -f --force -j=d", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "setup.py",
		.names = "sdist|bdist|bdist_wheel|bdist_rpm|upload|register|clean|rotate|alias|saveopts|setopt|"
			"compile_catalog|extract_messages|update_catalog", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "sphinx-build|sphinx-autobuild",
		.options = "-b=d --builder=d -M=d -d=w --doctree-dir=w -w=w --warning-file=w -c=d --conf-dir=d -D=d "
			"--define=d -A=d --html-define=d -t=d --tag=d -j=d --jobs=d -h!h --help!h --version!h",
		.operands = "rwd*", .traits = ZS_ROW_BUILDS },
	{ .names = "sphinx-quickstart|sphinx-apidoc|sphinx-autogen|pydoc-markdown",
		.options = "-n!r --dry-run!r -h!h --help!h --version!h -o=W --output-dir=W", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pdoc|pdoc3", .options = "--html!w --pdf -o=w --output-dir=w --output-directory=w -c=d --config=d "
			"-d=d --docformat=d -t=d -p=d -n -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "mkdocs|lektor|nikola|pelican|jupyter-book|zensical",
		.options = "-d=w --site-dir=w -o=w --output=w --output-dir=w --output-directory=w -f=d "
			"--config-file=d -h!h --help!h --version!h -V!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "mkdocs|lektor|nikola|pelican|jupyter-book|zensical",
		.names = "new|gh-deploy|quickstart|init|create|clean|deploy|new_site|new_post|new_page|import",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "jupyter",
		.options = "-h!h --help!h --version!h --paths!h --config-dir!h --data-dir!h --runtime-dir!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .names = "jupyter-nbconvert|nbconvert",
		.options = "--inplace!w --output=w --output-dir=w --NbConvertApp.output_base=w "
			"--FilesWriter.build_directory=w --clear-output!w --generate-config!w --to=d --stdout!r "
			"--execute --template=d --config=d --log-level=d -h!h --help!h --help-all!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "jupyter", .names = "nbconvert",
		.options = "--inplace!w --output=w --output-dir=w --NbConvertApp.output_base=w "
			"--FilesWriter.build_directory=w --clear-output!w --generate-config!w --to=d --stdout!r "
			"--execute --template=d --config=d --log-level=d -h!h --help!h --help-all!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "jupyter",
		.names = "notebook|lab|console|qtconsole|server|kernelspec|troubleshoot|nbclassic|execute|run|events|"
			"labextension", .options = "--inplace!w --output=w --generate-config!w -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "jupyter", .names = "trust|migrate|bundlerextension|nbextension|serverextension",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "jupytext",
		.options = "-o=W --output=W --to=d --from=d --sync!w --update!w --set-formats=w --set-kernel=w "
			"--update-metadata=w -s!w --pipe=d --check=d --test!r --diff!r --paired-paths!h -h!h --help!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .names = "nbstripout",
		.options = "--install!w --uninstall!w -t!h --textconv!h --verify!h --dry-run!h --status!h "
			"--is-installed!h --version!h -h!h "
			"--help!h", .operands = "w*" },
	{ .names = "nbqa", .options = "--nbqa-diff --nbqa-shell -h!h --help!h --version!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "papermill",
		.options = "-p=d --parameters=d -r=d -y=d --parameters_yaml=d -f=d --parameters_file=d -k=d "
			"--kernel=d --help-notebook!h --version!h -h!h --help!h", .operands = "rw",
		.traits = ZS_ROW_BUILDS },
	{ .names = "alembic", .options = "-c=d --config=d -n=d --name=d -x=d --raiseerr -q -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "alembic", .names = "current|history|heads|branches|show|check|list_templates", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "alembic", .names = "revision|downgrade|stamp|init|merge|edit|ensure_version",
		.options = "-h!h --help!h --sql!r", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "alembic", .names = "upgrade", .options = "--sql!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .names = "django-admin|django-admin.py|manage.py|django",
		.options = "--settings=d --pythonpath=d -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "django-admin|django-admin.py|manage.py|django",
		.names = "check|diffsettings|showmigrations|sqlflush|sqlmigrate|sqlsequencereset|inspectdb|runserver|"
			"testserver|help|version|findstatic|show_urls|validate_templates|print_settings|"
			"list_model_info|drf_spectacular",
		.options = "-v=d --verbosity=d --settings=d --pythonpath=d --database=d", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "django-admin|django-admin.py|manage.py|django", .names = "test",
		.options = "-v=d --verbosity=d --settings=d --pythonpath=d -k=d --tag=d --exclude-tag=d "
			"--testrunner=d --parallel?N --junitxml=w --xml-output=w -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "django-admin|django-admin.py|manage.py|django",
		.names = "dumpdata|spectacular|generateschema|graph_models",
		.options = "-o=w --output=w --file=w --format=d --indent=d -e=d --exclude=d --settings=d "
			"--database=d -h!h --help!h", .operands = "d*" },
	{ .of = "django-admin|django-admin.py|manage.py|django", .names = "makemigrations|migrate|optimizemigration",
		.options = "--check!r --check-unapplied!r --dry-run!r --plan!r -h!h --help!h --settings=d "
			"--database=d --verbosity=d -v=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "django-admin|django-admin.py|manage.py|django", .names = "collectstatic",
		.options = "-n!r --dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "django-admin|django-admin.py|manage.py|django", .names = "shell|shell_plus",
		.options = "-c=k --command=k -i=d --interface=d --settings=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_STDIN_CODE, .language = "python" },
	{ .of = "django-admin|django-admin.py|manage.py|django", .names = "dbshell",
		.options = "--database=d --settings=d -h!h --help!h", .operands = "d*", .traits = ZS_ROW_STDIN_CODE,
		.language = "sql" },
	{ .of = "django-admin|django-admin.py|manage.py|django",
		.names = "compilemessages|makemessages|createcachetable|flush|loaddata|sendtestemail|"
			"squashmigrations|startapp|startproject|createsuperuser|changepassword|clearsessions|"
			"remove_stale_contenttypes|ogrinspect|reset_db|delete_squashed_migrations|"
			"createinitialrevisions|rebuild_index|update_index|clear_index|clear_cache|compress|"
			"runscript", .options = "--dry-run!r -n!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "flask", .options = "-A=d --app=d -e=d --env-file=d --debug -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flask", .names = "run|routes|test", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "flask", .names = "shell", .traits = ZS_ROW_STDIN_CODE, .language = "python" },
	{ .of = "flask", .names = "db", .options = "-d=d --directory=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flask db", .names = "current|history|heads|branches|show|check|list-templates", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "flask db", .names = "init|migrate|revision|upgrade|downgrade|stamp|merge|edit",
		.options = "--sql!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "celery|gunicorn|uvicorn|hypercorn|daphne|waitress-serve|streamlit|dagster|airflow|prefect|dbt|"
			"locust|supervisord|honcho|fastapi|litestar|sanic|rq|huey_consumer",
		.options = "-o=w -O=w --output=w --logfile=w --log-file=w --access-logfile=w --error-logfile=w "
			"--html=w --csv=w --json-file=w -p=d --pid=w --pidfile=w -h!h --help!h --version!h -V!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "streamlit|dagster|airflow|prefect|dbt|litestar|fastapi",
		.names = "init|new|project|deps|seed|snapshot|clean|database|scaffold", .traits = ZS_ROW_WRITES },
	{ .names = "scrapy", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "scrapy", .names = "list|check|version|settings|bench|fetch|view|shell|parse|help",
		.options = "-o=w -O=w --output=w --logfile=w --pidfile=w -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "scrapy", .names = "crawl|runspider", .options = "-o=w -O=w --output=w --logfile=w --pidfile=w -a=d",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "scrapy", .names = "startproject|genspider|edit", .options = "-l!r --list!r -d!r --dump!r -h!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "snakemake",
		.options = "-n!h --dry-run!h --dryrun!h -R=d -j=d --cores=d -c=d -s=d --snakefile=d --report?W "
			"--lint?N --unlock!w --delete-all-output!w --touch!w -t!w -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "invoke|inv|doit|fab|poe|poethepoet|taskipy|duty",
		.options = "-f=d -c=d -r=d --search-root=d -C=d -l!h --list!h -h!h --help!h -V!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .names = "djlint",
		.options = "--reformat!w --check --lint --extension=d -e=d --profile=d --configuration=d --ignore=d "
			"--exclude=d --extend-exclude=d -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "djhtml|djcss|djjs",
		.options = "-c!h --check!h -t=d --tabwidth=d -h!h --help!h --version!h", .operands = "w*" },
	{ .names = "sqlfluff", .options = "-h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "sqlfluff", .names = "lint|parse|render|rules|dialects|version",
		.options = "--write-output=w --persist-timing=w -d=d --dialect=d -t=d --templater=d -r=d --rules=d "
			"-e=d --exclude-rules=d --config=d -f=d --format=d --annotation-level=d -p=d --processes=d "
			"--stdin-filename=d -h!h --help!h", .operands = "d*" },
	{ .of = "sqlfluff", .names = "fix|format", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "sqlfmt",
		.options = "--check!h --diff!h -l=d --line-length=d -d=d --dialect=d --exclude=d --encoding=d "
			"--config=d -q -v -h!h --help!h --version!h", .operands = "w*" },
	{ .names = "sqlformat",
		.options = "-o=w --outfile=w --in-place!i -k=d --keywords=d -i=d --identifiers=d -l=d -r -a -s -h!h "
			"--help!h --version!h", .operands = "r" },
	{ .names = "toml-sort",
		.options = "-i!i --in-place!i -o=w --output=w --check!h -a --all -h!h --help!h --version!h",
		.operands = "r*" },
	{ .names = "yamlfix|yamlfmt|setup-cfg-fmt|robotidy",
		.options = "--check!h --lint!h -lint!h -dry!h -d!h --diff!h --dry-run!h -n!h --print!h -h!h --help!h "
			"--version!h -version!h", .operands = "w*" },
	{ .names = "yamllint",
		.options = "-c=d --config-file=d -d=d --config-data=d -f=d --format=d -s --strict --list-files -h!h "
			"--help!h -v!h --version!h", .operands = "d*" },
	{ .names = "ansible-lint",
		.options = "--fix?w --write?w --generate-ignore!w --sarif-file=w -f=d --format=d -c=d "
			"--config-file=d -p -q -v -x=d --skip-list=d -w=d --warn-list=d -t=d --tags=d -r=d -R -L!h "
			"--list-rules!h -T!h --list-tags!h -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "checkov",
		.options = "--output-file-path=w --output-file=w --output-bc-ids -o=d --output=d -d=d --directory=d "
			"-f=d --file=d --framework=d -c=d --check=d --skip-check=d --create-baseline!w "
			"--create-config=w --baseline=d --add-check!w -l!h --list!h -h!h --help!h -v!h --version!h",
		.operands = "d*" },
	{ .names = "twine", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "twine", .names = "check", .operands = "d*" },
	{ .of = "twine", .names = "upload|register", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(python);
