/* Package managers and containers. Installing dependencies is part of a build; changing manifests is a write. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(packages) = {
	{ .names = "npm",
		.options = "--script-shell=c --node-options=k --git=c --viewer=c -s --silent -q --quiet -d -dd "
			"-ddd --prefix=d -C=d -w=d --workspace=d --workspaces --if-present --loglevel=d "
			"--userconfig=d --registry=d --cache=d -v!h --version!h -h!h --help!h -l", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS, .language = "node's options" },
	{ .of = "npm",
		.names = "install|i|ci|clean-install|ic|tst|it|cit|install-test|install-ci-test|start|stop|"
			"restart|ls|list|la|ll|view|info|show|v|outdated|search|s|se|find|help|doctor|explain|why|"
			"fund|docs|home|bugs|repo|ping|root|prefix|bin|query|diff|completion|whoami|access|sbom|"
			"get|rebuild|rb|help-search",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .language = "node's options" },
	{ .of = "npm", .names = "test|t",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .grammar = zs_grammar_script_args,
		.language = "node's options" },
	{ .of = "npm", .names = "run|run-script",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "dd*", .grammar = zs_grammar_script_args,
		.language = "node's options" },
	{ .of = "npm", .names = "audit",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.language = "node's options" },
	{ .of = "npm audit", .names = "fix", .options = "--dry-run!r", .traits = ZS_ROW_WRITES },
	{ .of = "npm audit", .names = "signatures" },
	{ .of = "npm", .names = "version", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .of = "npm",
		.names = "publish|unpublish|deprecate|init|create|set|link|unlink|ln|uninstall|un|remove|rm|r|"
			"update|up|upgrade|udpate|dedupe|ddp|shrinkwrap|prune|pack|adduser|login|logout|token|"
			"team|org|owner|dist-tag|profile|hook|cache|star|unstar|edit|explore",
		.options = "--dry-run!r -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "npm", .names = "config|c|pkg", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "npm config", .names = "get|list|ls" },
	{ .of = "npm c", .names = "get|list" },
	{ .of = "npm config", .names = "set|delete|edit|fix", .traits = ZS_ROW_WRITES },
	{ .of = "npm c", .names = "set|delete", .traits = ZS_ROW_WRITES },
	{ .of = "npm pkg", .names = "get" },
	{ .of = "npm pkg", .names = "set|delete|fix", .traits = ZS_ROW_WRITES },
	{ .names = "bun",
		.options = "-v!h --version!h -h!h --help!h --revision!h --cwd=C -e=k --eval=k -p=k --print=k "
			"-r=f --preload=f -b --bun --silent --filter=d -F=d -c=d --config=d --env-file=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS, .language = "javascript" },
	{ .names = "yarn|pnpm",
		.options = "-v!h --version!h -h!h --help!h --cwd=C -C=d --dir=d --filter=d -F=d -r --recursive -w "
			"--silent -s --prefix=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS },
	{ .of = "yarn|pnpm|bun",
		.names = "install|i|ci|test|t|start|stop|list|ls|why|info|audit|outdated|build|lint|check|help|"
			"bin|root|run|workspace|workspaces|dedupe-check|licenses|node|typecheck|format-check|tsc|"
			"jest|eslint", .operands = "d*", .grammar = zs_grammar_script_args },
	{ .of = "yarn|pnpm|bun",
		.names = "add|remove|rm|uninstall|un|upgrade|up|update|init|create|link|unlink|version|publish|"
			"set|config|pack|dedupe|import|patch|prune|rebuild|store|self-update|completion|format",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bun", .names = "x", .options = "--bun -y -p=d", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "pip|pip3|pipx",
		.options = "-q -v --quiet --verbose --no-input --isolated --python=d --log=w --proxy=d "
			"--cache-dir=d --disable-pip-version-check -V!h --help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip|pip3",
		.names = "install|list|show|freeze|check|index|search|help|debug|inspect|hash|cache|completion",
		.options = "-t=w --target=w --report=w --log=w -r=r -c=d -e=d --prefix=d --root=d --src=d "
			"--index-url=d -i=d --extra-index-url=d --find-links=d -f=d", .operands = "d*" },
	{ .of = "pip|pip3", .names = "download|wheel|uninstall|lock", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "pip|pip3|kubectl|oc", .names = "config", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip config|pip3 config", .names = "list|get|debug" },
	{ .of = "pip config|pip3 config", .names = "set|unset|edit", .traits = ZS_ROW_WRITES },
	{ .of = "pipx", .names = "list|environment" },
	{ .of = "pipx", .names = "install|uninstall|upgrade|inject|ensurepath", .traits = ZS_ROW_WRITES },
	{ .names = "uv",
		.options = "-q -v --quiet --verbose --offline --directory=C --project=d -V!h --help!h --version!h "
			"-h!h --no-cache --cache-dir=d --python=d -p=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "uv", .names = "sync|tree|help|pip|python|tool|cache", .operands = "d*" },
	{ .of = "uv", .names = "add|remove|init|lock|version|publish|venv|export|build|self",
		.options = "--check!r --dry-run!r", .traits = ZS_ROW_WRITES },
	{ .names = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.options = "-q -v -n -C=C --directory=C -V!h --help!h --version!h -h!h --no-interaction --no-ansi",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.names = "install|show|check|list|info|env|search|sync|graph|verify|test|lint|about",
		.operands = "d*" },
	{ .of = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.names = "add|remove|init|new|update|lock|build|publish|version|config|uninstall|create|export|"
			"self|cache|upgrade|fix", .options = "--check!r --dry-run!r", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "bundle|bundler", .options = "-v!h --help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bundle|bundler",
		.names = "install|check|list|show|info|outdated|audit|viz|platform|doctor|help|version",
		.options = "--path=w --binstubs?w", .operands = "d*" },
	{ .of = "bundle|bundler",
		.names = "add|remove|update|init|lock|config|clean|package|cache|binstubs|gem|pristine|open",
		.traits = ZS_ROW_WRITES },
	{ .names = "gem", .options = "-v!h --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gem",
		.names = "list|search|info|env|environment|which|contents|dependency|specification|outdated|"
			"install|help|check|stale" },
	{ .of = "gem",
		.names = "build|push|uninstall|update|cleanup|unpack|fetch|yank|owner|pristine|generate_index",
		.traits = ZS_ROW_WRITES },
	{ .names = "composer",
		.options = "-q -v -n -d=C --working-dir=C -V!h --help!h --version!h -h!h --no-interaction --ansi "
			"--no-ansi", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "composer",
		.names = "install|i|show|info|validate|check-platform-reqs|outdated|audit|diagnose|why|depends|"
			"why-not|prohibits|licenses|search|run|run-script|test|fund|suggests|status|exec|help|"
			"list|about|home", .operands = "d*" },
	{ .of = "composer",
		.names = "require|remove|update|u|init|create-project|config|dump-autoload|dumpautoload|"
			"self-update|archive|clear-cache|global|bump|normalize|reinstall", .options = "--dry-run!r",
		.traits = ZS_ROW_WRITES },
	{ .names = "dotnet", .options = "--version!h --info!h --help!h -h!h --list-sdks!h --list-runtimes!h -d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dotnet", .names = "build|test|run|restore|list|help|vstest|exec|watch|msbuild",
		.options = "-o=w --output=w --results-directory=w -r=d --logger=d -l=d -c=d --configuration=d "
			"-f=d --framework=d --filter=d -p=d -v=d", .operands = "d*" },
	{ .of = "dotnet", .names = "format", .options = "--verify-no-changes!r --report=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dotnet",
		.names = "add|remove|new|publish|pack|clean|sln|nuget|tool|workload|ef|dev-certs|user-secrets|store",
		.traits = ZS_ROW_WRITES },
	{ .names = "apt|apt-get|aptitude|dnf|yum|zypper|apk|brew|port|snap|flatpak|pkg|apt-cache|apt-mark",
		.options = "-v!h --version!h --help!h -h!h -y -q -qq -o=d -t=d -c=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .names = "dpkg",
		.options = "-l!r --list!r -L!r --listfiles!r -S!r --search!r -s!r --status!r -p!r --print-avail!r "
			"-I!r --info!r -c!r --contents!r -V!r --verify!r --audit!r -C!r --print-architecture!r "
			"--print-foreign-architectures!r --compare-versions!r --get-selections!r --version!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rpm",
		.options = "-q!r -qa!r -qi!r -ql!r -qf!r -qp!r --query!r -V!r --verify!r --version!h --help!h "
			"--eval!r", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "pacman|yay|paru",
		.options = "-Q!r -Qi!r -Ql!r -Qo!r -Qs!r -Qe!r -Qm!r -Qdt!r --query!r -Ss!r -Si!r -V!h "
			"--version!h --help!h -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "emerge|nix-env|guix|apt-key|choco|winget|scoop|add-apt-repository",
		.options = "-q!r --query!r --search!r -s!r --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "apt|apt-get|aptitude|dnf|yum|zypper|apk|brew|snap|flatpak|apt-cache|apt-mark|pkg|port",
		.names = "list|search|show|info|policy|showpkg|depends|rdepends|madison|leaves|deps|uses|desc|cat|"
			"home|doctor|config|outdated|provides|repolist|history|whatprovides|query|check-update|"
			"help|showmanual|showauto|showhold|changelog|rdeps|why-depends|files" },
	{ .of = "apt|apt-get|aptitude|dnf|yum|zypper|apk|brew|snap|flatpak|apt-cache|apt-mark|pkg|port",
		.names = "install|remove|purge|update|upgrade|full-upgrade|dist-upgrade|autoremove|autoclean|"
			"clean|reinstall|add|del|erase|groupinstall|build-dep|source|download|edit-sources|"
			"uninstall|tap|link|unlink|cleanup|pin|unpin|services|bundle|refresh|hold|unhold|auto|"
			"manual", .options = "-s!r --simulate!r --dry-run!r -n!r --just-print!r",
		.traits = ZS_ROW_WRITES },
	{ .names = "docker|podman|nerdctl|docker-compose|podman-compose",
		.options = "-h!h --help!h -v!h --version!h -H=d --host=d -c=d --context=d --config=d -l=d "
			"--log-level=d -D --tls -f=d --file=d -p=d --project-name=d --profile=d --env-file=d "
			"--project-directory=d --ansi=d --progress=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "docker|podman|nerdctl|docker-compose|podman-compose",
		.names = "ps|images|logs|inspect|version|info|stats|top|diff|port|history|search|events|ls|config|"
			"help", .operands = "d*" },
	{ .of = "docker|podman|nerdctl|docker-compose|podman-compose",
		.names = "run|exec|build|create|rm|rmi|start|stop|restart|kill|pause|unpause|rename|commit|cp|tag|"
			"push|pull|save|load|import|export|login|logout|update|attach|wait|up|down|plugin|swarm|"
			"stack|service|secret|node|checkpoint|buildx|builder|trust|manifest", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "docker|podman|nerdctl", .names = "compose|image|container|volume|network|system|context",
		.options = "-h!h --help!h -v!h --version!h -H=d --host=d -c=d --context=d --config=d -l=d "
			"--log-level=d -D --tls -f=d --file=d -p=d --project-name=d --profile=d --env-file=d "
			"--project-directory=d --ansi=d --progress=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "docker compose|podman compose|nerdctl compose",
		.names = "ps|logs|config|images|ls|top|port|events|version", .operands = "d*" },
	{ .of = "docker compose|podman compose|nerdctl compose",
		.names = "up|down|build|run|exec|start|stop|restart|rm|kill|create|pull|push|cp|pause|unpause|"
			"scale|watch|convert", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "docker image|podman image|nerdctl image", .names = "ls|inspect|history", .operands = "d*" },
	{ .of = "docker image|podman image|nerdctl image", .names = "rm|prune|build|pull|push|tag|load|save|import",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "docker container|podman container|nerdctl container",
		.names = "ls|inspect|logs|top|stats|diff|port", .operands = "d*" },
	{ .of = "docker container|podman container|nerdctl container",
		.names = "rm|prune|start|stop|run|exec|create|kill|restart|cp|rename|commit", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "docker volume|docker network|podman volume|podman network|nerdctl volume|nerdctl network",
		.names = "ls|inspect", .operands = "d*" },
	{ .of = "docker volume|podman volume|nerdctl volume", .names = "create|rm|prune", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "docker network|podman network|nerdctl network", .names = "create|rm|prune|connect|disconnect",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "docker system|podman system|nerdctl system", .names = "df|info|events", .operands = "d*" },
	{ .of = "docker system|podman system|nerdctl system", .names = "prune", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "docker context|podman context|nerdctl context", .names = "ls|show|inspect", .operands = "d*" },
	{ .of = "docker context|podman context|nerdctl context", .names = "use|create|rm|update|import|export",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "buildah|skopeo|crictl|ctr|kind|minikube|k3d", .options = "--version!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "kubectl|oc",
		.options = "-n=d --namespace=d --context=d --kubeconfig=d --cluster=d --user=d -s=d --server=d "
			"--token=d --as=d --request-timeout=d -v=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_NETWORK },
	{ .of = "kubectl|oc",
		.names = "get|describe|logs|top|version|cluster-info|api-resources|api-versions|explain|diff|wait|"
			"events|auth|completion|options|kustomize", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "kubectl config|oc config", .names = "view|get-contexts|current-context|get-clusters|get-users" },
	{ .of = "kubectl config|oc config",
		.names = "set|use-context|set-context|set-cluster|set-credentials|unset|delete-context|"
			"delete-cluster|delete-user|rename-context", .traits = ZS_ROW_WRITES },
	{ .of = "kubectl|oc",
		.names = "apply|create|delete|edit|patch|replace|scale|set|label|annotate|rollout|expose|run|exec|"
			"cp|cordon|uncordon|drain|taint|autoscale|attach|debug|port-forward|proxy|certificate",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
};
// clang-format on
ZS_TABLE_COUNT(packages);
