/* Package managers of systems, containers, clouds and databases' clients. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(packages) = {
	{ .of = "terraform|tofu|terragrunt",
		.names = "validate|plan|show|output|version|providers|graph|console|test|get|refresh|state|metadata",
		.options = "-out=w", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "terraform|tofu|terragrunt", .names = "fmt", .options = "-check!r -diff -recursive -write=d",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "terraform|tofu|terragrunt",
		.names = "apply|destroy|init|import|taint|untaint|workspace|login|logout|force-unlock|run-all",
		.traits = ZS_ROW_WRITES },
	{ .of = "helm",
		.names = "lint|template|list|ls|status|history|get|show|search|version|env|verify|diff|test|repo",
		.options = "--output-dir=w" },
	{ .of = "helm",
		.names = "install|upgrade|uninstall|rollback|create|package|pull|push|dependency|plugin|registry|"
			"delete", .options = "--dry-run?r", .traits = ZS_ROW_WRITES },
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
	{ .names = "psql",
		.options = "-c=k --command=k -f=f --file=f -h=d --host=d -v=d --set=d --variable=d -U=d "
			"--username=d -p=d --port=d -d=d --dbname=d -o=w --output=w -L=w --log-file=w -P=d "
			"--pset=d -F=d -R=d -T=d -l!h --list!h -V!h --version!h -?!h --help!h -A -t -x -X -q -w "
			"-W -1 -a -b -e -E -n -s -S -H -z -0", .operands = "dd", .traits = ZS_ROW_STDIN_CODE,
		.language = "sql" },
	{ .names = "mysql|mariadb",
		.options = "-e=k --execute=k -h=d --host=d -u=d --user=d -P=d --port=d -D=d --database=d -S=d "
			"--socket=d -p?N --password?N --tee=w --defaults-file=f --pager?w -V!h --version!h -?!h "
			"--help!h -v -B -N -s -t -r -H -X -E", .operands = "d", .traits = ZS_ROW_STDIN_CODE,
		.language = "sql" },
	{ .names = "kustomize|pulumi|ansible|ansible-playbook|vagrant|packer|skaffold|tilt|k6|wrangler|netlify|vercel|"
			"firebase|serverless|sls|cdk|sam|aws|gcloud|az|heroku|flyctl|doctl|stripe",
		.options = "-h!h --help!h --version!h", .operands = "d*" },
	{ .names = "terraform|tofu|terragrunt|helm", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "-chdir=C --version!h -version!h -help!h --help!h -h!h -v!h" },
	{ .of = "kubectl|oc", .names = "config", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .names = "mongosh|mongo|redis|duckdb|cqlsh|sqlplus",
		.options = "-e=k --eval=k -E=k -c=k -f=f --file=f --expression=k --execute=k --command=k -v!h "
			"-V!h -h!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE | ZS_ROW_NO_PERMUTE, .language = "code" },
};
// clang-format on
ZS_TABLE_COUNT(packages);
