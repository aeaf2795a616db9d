/* More rules of the profile guard, behind those of rules_guard.c. Lists of verbs that destroy never end, so for these
 * tools the lists hold the verbs that look, or that work here alone: all else acts elsewhere. */
#include "rules/rule.h"

#define ASKS "Say what you would run and why, and let the person who runs you do it."

/* A verb that is known to look, or to work here alone. */
#define LOOKS(words) { .command = words, .code = ZS_RISK_NONE }
/* All other verbs of the tool, but not with one of these flags. */
#define ACTS(words, harmless, does, hint)                                                                              \
	{ .command = words, .unless = harmless, .code = ZS_RISK_REMOTE_CHANGE, .why = does, .instead = hint }

// clang-format off
const struct zs_rule zs_tool_rules[] = {
	/* tools whose verbs stand behind a group */
	LOOKS("gh|glab|vercel|now|supabase|railway|wrangler|wrangler2|fly|flyctl|sst|pulumi|consul|nomad|vault|argocd|"
			"flux|eksctl|sam|eb "
			"* list|ls|get|show|view|info|status|describe|inspect|logs|history|search|version"),
	LOOKS("gh|glab|vercel|now|supabase|railway|wrangler|wrangler2|fly|flyctl|sst|pulumi|consul|nomad|vault|argocd|"
			"flux|eksctl|sam|eb "
			"* * list|ls|get|show|describe"),
	LOOKS("gh|glab|wrangler|wrangler2|fly|flyctl|pulumi|consul|nomad|vault|argocd|flux * * * list|ls|get|show"),

	/* clouds */
	LOOKS("aws|awslocal s3|configure|sso|sts|history"),
	LOOKS("aws|awslocal * describe-*|get-*|batch-get-*|transact-get-*|list-*|head-*|search*|lookup-*|query|"
			"scan|filter-*|select-*|view-*|wait|tail|help|start-query|start-live-tail|receive-*|"
			"validate-*|estimate-*|preview-*|test-*|simulate-*|check-*|detect-*|analyze-*|"
			"classify-*|compare-*|count-*|decode-*|discover-*|evaluate-*|verify*|generate-*|"
			"encrypt|decrypt|sign|login|retrieve*|convert*|converse*|invoke-model*|translate-*|"
			"synthesize-*|recognize-*|read-*|poll-*|is-*|can-*"),
	{ .command = "aws|awslocal * *-*|deploy|package|publish|invoke|push|install|uninstall|query-*|copy|"
			"sync|register|deregister|socks|put|ssh",
		.unless = "--dry-run --dryrun --generate-cli-skeleton", .except = "help",
		.code = ZS_RISK_REMOTE_CHANGE, .why = "it changes the cloud account", .instead = ASKS },
	LOOKS("gcloud|oci|ibmcloud|scw|hcloud|doctl|linode-cli|civo|openstack|yc|vultr|vultr-cli|exo ** list|"
			"ls|describe|get|show|view|list-*|get-*|describe-*|show-*|*-list|*-view|*-show|*-get|"
			"search*|lookup|read|cat|tail|stream|logs|log|wait|wait-*|check*|validate*|verify*|"
			"lint*|diff|preview*|analyze*|query*|simulate*|print-*|test-iam-permissions|status|"
			"options|history|download*|predict|raw-predict|encrypt|decrypt|head|login|help|versions"),
	LOOKS("gcloud|oci|ibmcloud|scw|hcloud|doctl|linode-cli|civo|openstack|yc|vultr|vultr-cli|exo auth|"
			"config|components|topic|init|info|version|help|docker|survey|feedback|login|logout|"
			"balance|completion*|target|regions|api|plugin|plugins|context|setup|session|switch|"
			"whoami|cheat-sheet|configure"),
	LOOKS("gcloud alpha|beta|preview auth|config|components|topic|info|help"),
	LOOKS("gcloud compute scp|copy-files|start-iap-tunnel|config-ssh|sign-url|connect-to-serial-port"),
	{ .command = "gcloud ** export", .except = "gs:*", .code = ZS_RISK_NONE },
	{ .command = "gcloud ** pull", .unless = "--auto-ack", .code = ZS_RISK_NONE },
	LOOKS("gcloud storage cp|rsync|du|hash|sign-url"),
	LOOKS("gcloud app|run|builds|functions browse|open-console|logs|local*|dev|proxy"),
	LOOKS("ibmcloud * *s"),
	LOOKS("doctl kubernetes|registry|apps|serverless|databases|sandbox login|backups|spec|propose|console|dev|"
			"connect|connection|docker-config"),
	LOOKS("doctl kubernetes|k8s|k cluster kubeconfig|cfg save|show|s"),
	LOOKS("openstack token issue"),
	LOOKS("linode-cli obj|users la|du|info|ls"),
	LOOKS("bq ls|show|head|query|version|wait|info|help|get-iam-policy|shell|init|mkdef"),
	LOOKS("aliyun|tccli * describe*|list*|get*|query*|check*|help"),
	LOOKS("aliyun|tccli configure|configservice|version|help|auto-completion"),
	LOOKS("aliyun oss|ossutil ls|stat|cat|du"),
	LOOKS("cf apps|services|orgs|spaces|target|login|l|logs|app|service|env|events|routes|domains|marketplace|"
			"buildpacks|stacks|version|help|api|auth|logout|plugins|tasks|quotas|ssh"),
	LOOKS("pscale|neonctl|neon|turso|fastly|koyeb|render|scalingo|upsun|platform|azd|upctl|ovhcloud|clever * "
			"list|ls|get|show|describe|info|status|logs|history|schema|diff|connect|shell|lint|inspect"),
	LOOKS("pscale|neonctl|neon|turso|fastly|koyeb|render|scalingo|upsun|platform|azd|upctl|ovhcloud|clever auth|"
			"login|logout|list|ls|logs|status|whoami|me|version|help|connection-string|cs|profile|"
			"config|init|ps|completion|environments|projects|apps|domains|ssh|open|doctor|dev|show|info"),
	ACTS("aliyun|tccli|cf|pscale|neonctl|neon|turso|fastly|koyeb|render|scalingo|upsun|platform|azd|upctl|"
		"ovhcloud|clever *", "--help -h --dry-run",
		"it changes the cloud account", ASKS),
	ACTS("gcloud|oci|ibmcloud|scw|hcloud|doctl|linode-cli|civo|openstack|yc|vultr|vultr-cli|exo|bq *",
		"--dry-run --dry_run --help -h",
		"it changes the cloud account", ASKS),
	LOOKS("az ** list|show|get|list-*|show-*|get-*|wait|exists|check-*|query|what-if|validate|login|logout|"
			"logs|version|download|download-*|tail|browse|search|diff|lint|tunnel|help"),
	LOOKS("az group|deployment|policy|apim|devops export|configure"),
	LOOKS("az ssh config|cert"),
	LOOKS("az config|configure|cache|init|interactive|feedback|find|self-test|bicep|extension|account|"
			"cloud|survey|upgrade"),
	{ .command = "az rest", .unless = "-m --method", .code = ZS_RISK_NONE },
	{ .command = "az rest", .flags = "-m --method", .value = "get head options", .code = ZS_RISK_NONE },
	ACTS("az *", "--help -h --what-if",
		"it changes the cloud account", ASKS),
	LOOKS("gsutil acl|iam|web|lifecycle|versioning|cors|defacl|logging|label|notification|kms|retention|"
			"ubla|pap|rpo|requesterpays|autoclass|defstorageclass|hmac get|list"),
	LOOKS("gsutil ls|cat|stat|du|hash|cp|rsync|version|help|config|perfdiag"),
	ACTS("gsutil *", "-n",
		"it changes storage of the cloud account", "Look with gsutil ls."),

	/* clusters */
	LOOKS("kubectl|oc|microk8s.kubectl|k get|describe|logs|explain|top|diff|version|cluster-info|"
			"api-resources|api-versions|config|port-forward|proxy|exec|attach|wait|events|"
			"kustomize|completion|options|plugin|help|cp|ctx|ns|neat|tree|stern|tail|get-all|"
			"view-secret|images|who-can|rbac-lookup|access-matrix|df-pv|resource-capacity|ktop|outdated|"
			"lineage|konfig|whoami|ice|deprecations|explore|view-utilization|convert|konnect|grep|pods|"
			"nodes"),
	LOOKS("kubectl|oc|microk8s.kubectl|k auth|rollout|krew|alpha|cnpg|argo can-i|whoami|status|history|"
			"search|list|info|update|install|version|get|logs|events|report"),
	LOOKS("oc whoami|project|projects|status|rsh|login|logout|observe|extract|rsync|process|types|cluster-info"),
	LOOKS("oc adm policy who-can|scc-review|scc-subject-review"),
	LOOKS("oc adm|image|registry|policy top|inspect|must-gather|node-logs|release|info|extract|login|"
			"who-can|scc-subject-review"),
	ACTS("kubectl|oc|microk8s.kubectl|k *", "--dry-run --help -h",
		"it changes the cluster", "Look with kubectl get or kubectl diff, or try it with --dry-run=client."),
	LOOKS("helm|helm3|helmfile list|ls|status|get|history|hist|show|inspect|search|template|lint|package|"
			"create|dependency|dep|dependencies|repo|pull|fetch|verify|version|env|completion|help|"
			"diff|unittest|schema|docs|test|deps|repos|build|init|cache|show-dag|write-values|"
			"print-env"),
	LOOKS("helm|helm3 plugin|registry|secrets list|ls|install|update|login|view|dec|decrypt|enc|encrypt|"
			"edit|template|lint|diff|status"),
	ACTS("helm|helm3|helmfile *", "--dry-run --help -h",
		"it changes the cluster", "Look with helm template or helm diff, or try it with --dry-run."),
	LOOKS("terraform|tofu|terragrunt plan|init|validate|fmt|show|output|graph|version|providers|console|"
			"get|login|logout|test|metadata|modules|query|help|hclfmt|hclvalidate|hcl|"
			"graph-dependencies|output-module-groups|render-json|render|terragrunt-info|info|find|"
			"list|dag|catalog|scaffold|plan-all|validate-all|output-all|validate-inputs"),
	LOOKS("terraform|tofu|terragrunt state|workspace|env|stack list|show|pull|select|new|generate|output|clean"),
	LOOKS("terragrunt run-all|run plan|init|validate|fmt|show|output|graph|providers|version|get|test|hclfmt"),
	LOOKS("terragrunt run-all|run state|workspace list|show|pull|select|new"),
	ACTS("terraform|tofu|terragrunt *", "-help --help",
		"it changes infrastructure or its state",
		"Run terraform plan, and show the plan to the person who runs you."),
	{ .command = "pulumi stack|package|policy import|rename|change-secrets-provider|publish|enable|disable|"
			"rm", .unless = "-h --help",
		.code = ZS_RISK_REMOTE_CHANGE, .why = "it changes infrastructure or its state",
		.instead = "Run pulumi preview." },
	LOOKS("pulumi preview|pre|stack|history|config|logs|whoami|about|version|plugin|convert|new|install|schema|"
			"package|login|logout|help|gen-completion|console|query|template|trace|view-trace|ai"),
	LOOKS("pulumi org|policy|env|project get|get-default|set-default|search|ls|list|new|open|run|diff|"
			"version|tag|validate|validate-*"),
	ACTS("pulumi *", "-h --help --preview-only",
		"it changes infrastructure or its state", "Run pulumi preview."),
	LOOKS("cdk|cdktf|sst synth|synthesize|diff|list|ls|doctor|init|context|notices|metadata|acknowledge|"
			"ack|docs|doc|get|version|drift|migrate|cli-telemetry|flags|convert|output|provider|"
			"debug|login|dev|shell|diagnostic|telemetry|bind|types|console|install|add|help"),
	LOOKS("sst secret|state|cert|upgrade|tunnel|version|telemetry list|export"),
	ACTS("cdk|cdktf|sst *", "-h --help",
		"it changes infrastructure", "Run cdk diff."),
	LOOKS("eksctl utils describe*|write-kubeconfig|schema|nodegroup-health"),
	LOOKS("eksctl get|info|version|completion|help"),
	ACTS("eksctl *", "--dry-run -h --help",
		"it changes a cluster", ASKS),
	LOOKS("argocd app|appset|cluster|repo|repocreds|proj|account|cert|gpg|admin get|list|diff|history|logs|"
			"manifests|resources|wait|get-user-info|can-i|dashboard|export"),
	LOOKS("argocd login|logout|relogin|version|context|completion|help"),
	LOOKS("flux get|logs|stats|check|tree|trace|events|export|diff|build|version|completion|envsubst|debug|"
			"pull|list|help"),
	ACTS("argocd|flux *", "--dry-run --export --help -h",
		"it changes a cluster", ASKS),

	/* containers: a server elsewhere, and the parts of a cluster */
	{ .command = "docker|podman|nerdctl|docker-compose ps|logs|images|inspect|version|info|ls|stats|top|"
			"events|port|diff|history|search|context|config|help", .when = ZS_WHEN_ELSEWHERE,
		.code = ZS_RISK_NONE },
	{ .command = "docker|podman|nerdctl|docker-compose compose|container|image|volume|network|system|"
			"builder|buildx|service|stack|node|config|secret|manifest ps|ls|list|logs|inspect|"
			"config|images|top|stats|df|version|info|du|events|diff|history|port",
		.when = ZS_WHEN_ELSEWHERE,
		.code = ZS_RISK_NONE },
	{ .command = "docker|podman|nerdctl|docker-compose *", .unless = "--help", .when = ZS_WHEN_ELSEWHERE,
		.code = ZS_RISK_REMOTE_CHANGE, .why = "it changes what runs elsewhere", .instead = ASKS },
	{ .command = "docker|podman plugin|trust|service|stack|swarm|node|secret|config ls|list|inspect|ps|"
			"logs|services|config|init|join-token",
		.unless = "--force-new-cluster --rotate", .code = ZS_RISK_NONE },
	LOOKS("podman secret create"),
	ACTS("docker|podman plugin|trust|service|stack|swarm|node|secret|config *", "--help",
		"it changes the cluster", ASKS),
	LOOKS("podman machine list|ls|inspect|info|start|stop|ssh|init|set|cp"),
	ACTS("podman machine *", "--help", "it deletes or stops a virtual machine", ASKS),

	/* hosts of repositories */
	LOOKS("gh|glab pr|mr list|ls|view|show|create|new|checkout|co|diff|checks|status|comment|note|edit|"
			"update|review|ready|reopen|lock|unlock|update-branch|revert|approvers|issues|todo|"
			"subscribe|unsubscribe|for"),
	LOOKS("gh|glab issue|incident|label|milestone list|ls|view|show|create|new|comment|note|edit|update|"
			"close|reopen|develop|pin|unpin|lock|unlock|status|clone|get|board|subscribe|"
			"unsubscribe"),
	LOOKS("gh|glab repo|project view|list|ls|clone|fork|set-default|sync|gitignore|license|search|"
			"contributors|item-list|item-add|item-create|item-edit|field-list"),
	LOOKS("gh repo deploy-key|autolink list|view"),
	LOOKS("gh|glab release|run|workflow|job|ci|pipe|pipeline|schedule list|ls|view|show|status|watch|"
			"download|rerun|cancel|verify|verify-asset|trace|lint|get|config|artifact"),
	LOOKS("gh|glab cache|secret|variable|ssh-key|gpg-key|gist|snippet|org|codespace|cs|ruleset|rs|"
			"attestation|at|agent-task|agent|token|securefile|runner-controller|cluster|iteration|"
			"user list|ls|view|get|clone|check|verify|download|trusted-root|logs|ssh|code|ports|cp|"
			"jupyter|export|events|show"),
	LOOKS("gh|glab extension|ext|extensions list|ls|install|upgrade|search|browse|create|exec"),
	LOOKS("gh|glab auth|alias|config|browse|search|status|completion|api|copilot|models|preview|licenses|"
			"help|version|reference|environment|dash|check-update|duo|changelog|stack|mcp|act|"
			"skill|co"),
	ACTS("gh|glab *", "-h --help --dry-run",
		"it changes the host", ASKS),

	/* platforms */
	LOOKS("heroku apps|addons|access|auth|buildpacks|builds|certs|ci|clients|config|container|domains|"
			"drains|features|help|info|keys|labs|local|logs|maintenance|members|notifications|open|"
			"orgs|pg|pipelines|plugins|ps|redis|regions|releases|reviewapps|sessions|spaces|stack|"
			"status|teams|telemetry|trusted-ips|version|webhooks|whoami|login|logout|update|which|"
			"search|commands|autocomplete|dashboard|psql|usage|pg:psql|pg:pull|ps:wait"),
	LOOKS("heroku *:info|*:list|*:get|*:show|*:deliveries|*:diff|*:wait|*:open|*:docs|*:output|*:plans|*:services|"
			"*:whoami|*:login|*:logout|*:ps|*:locks|*:search|*:versions|*:regions|*:stacks|"
			"*:credentials|*:download|*:url|*:public-url|*:schedules|*:capture|*:errors|auth:*|"
			"local:*|git:*|plugins:*|ps:forward|ps:socks|ci:*|redis:cli"),
	LOOKS("heroku pg:diagnose|pg:blocking|pg:bloat|pg:outliers|pg:calls|pg:long-running*|pg:*-size|"
			"pg:*usage*|pg:links|pg:maintenance|pg:settings|pg:vacuum-stats|pg:cache-hit|"
			"pg:seq-scans|pg:*indexes|pg:backups"),
	ACTS("heroku *", "--help",
		"it changes the running application", ASKS),
	LOOKS("fly|flyctl logs|status|version|auth|doctor|proxy|ping|dig|open|releases|checks|config|platform|"
			"image|info|history|docs|help|services|agent|dashboard|mcp|settings|completion|orgs|"
			"regions"),
	LOOKS("fly|flyctl * list|ls|show|status|info|view|check|connect|setup|regions|vm-sizes|validate|env|"
			"open|display|releases|dashboard|proxy|wait|events"),
	LOOKS("fly|flyctl * * list|ls|show|status|info"),
	{ .command = "fly|flyctl ssh console|sftp|issue|log|get", .unless = "-C --command", .code = ZS_RISK_NONE },
	{ .command = "fly|flyctl ssh console",
		.flags = "-C --command", .value = "ls* cat* ps* env* df* pwd* date* uptime* du* head* tail* grep*",
		.other = "*;* *&* *|* *>*", .code = ZS_RISK_NONE },
	LOOKS("fly targets|pipelines|get-pipeline|gp|builds|bs|jobs|watch|w|workers|containers|login|teams|"
			"resources|volumes|userinfo|validate-pipeline|vp|format-pipeline|sync|hijack|intercept"),
	ACTS("fly|flyctl *", "-h --help",
		"it changes the running application", ASKS),
	LOOKS("vercel|now env|dns|domains|certs|secrets|alias|aliases|project|projects|teams|blob|integration|"
			"target|targets|cache|crons|deploy-hooks ls|list|inspect|get|pull|run|search|add-local"),
	LOOKS("vercel|now git|bisect|init|telemetry|httpstat|curl|login|help|mcp|guidance|open|logs|log|whoami|"
			"dev|build"),
	ACTS("vercel|now *", "-h --help -v --version",
		"it changes the running application", ASKS),
	LOOKS("netlify|ntl types|*:search|dev|dev:*|build|status|status:*|init|link|unlink|login|logout|"
			"switch|open|open:*|watch|serve|help|completion*|recipes*|functions|functions:list|"
			"functions:create|functions:build|functions:serve|functions:invoke|logs|logs:*|*:list|"
			"*:get|lm:*"),
	LOOKS("netlify|ntl api list*|get*|show*|search*"),
	ACTS("netlify|ntl *", "-h --help",
		"it changes the running application", ASKS),
	LOOKS("firebase emulators:*|serve|login|login:*|logout|init|init:*|use|open|help|*:list|*:get|*:info|"
			"*:log|*:diff|*:describe|functions:shell|functions:config:export|"
			"functions:secrets:access|hosting:channel:open|auth:export|apps:sdkconfig|"
			"database:profile|firestore:indexes|firestore:locations|setup:*|target|target:*|"
			"experiments:*|ext|ext:export|ext:dev:init|ext:dev:list|dataconnect:sdk:*|"
			"internaltesting:*|mcp|studio:*|crashlytics:*:generate"),
	ACTS("firebase *", "--dry-run -h --help",
		"it changes the running application", ASKS),
	LOOKS("wrangler|wrangler2 dev|init|types|login|logout|whoami|tail|check|docs|complete|generate|build|"
			"telemetry|setup|auth"),
	LOOKS("wrangler|wrangler2 deployments|versions|d1|r2|queues|pages|secret|hyperdrive|vectorize|ai|"
			"workflows|dispatch-namespace|mtls-certificate|cert|containers|secrets-store|pipelines|"
			"kv:* list|ls|status|view|info|get|describe|execute|export|insights|query|models|dev|"
			"tail|validate|build|download"),
	LOOKS("wrangler|wrangler2 kv|d1|r2|queues|pages|vectorize|workflows|containers|secrets-store|ai key|"
			"namespace|bulk|migrations|object|bucket|project|deployment|secret|functions|instances|"
			"images|store|time-travel|subscription list|get|info|describe|tail|build|create-local|"
			"catalog"),
	ACTS("wrangler|wrangler2 *", "--local --dry-run -h --help",
		"it changes the running application", ASKS),
	{ .command = "supabase stop", .flags = "--no-backup", .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deletes the data of a database", .instead = "Leave out --no-backup." },
	LOOKS("supabase init|login|logout|link|unlink|start|stop|status|services|bootstrap|completion|help|"
			"test|inspect|gen"),
	LOOKS("supabase db|migration|functions|projects|orgs|snippets|storage|secrets|branches|backups|sso|"
			"domains|vanity-subdomains|ssl-enforcement|network-bans|network-restrictions|"
			"postgres-config diff|lint|pull|dump|start|schema|new|list|ls|serve|download|api-keys|"
			"get|show|info|fetch"),
	{ .command = "supabase migration|seed up|squash|buckets", .unless = "--linked --db-url", .code = ZS_RISK_NONE },
	ACTS("supabase *", "-h --help --local --dry-run",
		"it changes the running application", ASKS),
	LOOKS("railway status|link|unlink|login|logout|whoami|list|logs|run|shell|connect|open|docs|completion|"
			"dev|metrics|help|ssh"),
	{ .command = "railway variables|variable|vars|service|environment", .unless = "--set",
		.except = "new delete set *=*", .code = ZS_RISK_NONE },
	ACTS("railway *", "-h --help",
		"it changes the running application", ASKS),
	LOOKS("serverless|sls info|print|package|offline|logs|metrics|plugin|config|create|login|logout|"
			"dashboard|doctor|generate-event|dev|export|test|requirements|outputs|usage|support|"
			"help|esbuild|webpack|slstats"),
	LOOKS("serverless|sls invoke|deploy|rollback local|list"),
	ACTS("serverless|sls *", "-h --help --noop --dry-run",
		"it changes the running application", ASKS),
	LOOKS("sam build|validate|local|logs|init|list|traces|docs|--version|help"),
	LOOKS("sam pipeline|remote init|test-event|list|get"),
	ACTS("sam *", "-h --help",
		"it changes the running application", ASKS),
	LOOKS("eb status|health|logs|events|list|printenv|console|open|init|use|local|labs|help|ssh"),
	LOOKS("eb platform|config list|show|get"),
	ACTS("eb *", "-h --help",
		"it changes the running application", ASKS),

	/* secrets and services of a cluster */
	LOOKS("vault status|read|list|login|print|path-help|version|server|agent|proxy|debug|monitor|unwrap|help"),
	LOOKS("vault kv|token|secrets|auth|audit|policy|plugin|namespace|operator|transit|lease get|list|read|"
			"lookup|capabilities|info|help|fmt|members|diagnose|key-status|usage"),
	LOOKS("vault kv|operator|pki metadata|raft|health-check|list-intermediates|verify-sign get|list-peers|"
			"autopilot|*/*"),
	LOOKS("vault write *login|*/login/*|transit/encrypt/*|transit/decrypt/*|transit/sign/*|"
			"transit/verify/*|sys/tools/*|sys/wrapping/*"),
	ACTS("vault *", "-help --help",
		"it changes secrets that others use", ASKS),
	LOOKS("consul members|info|monitor|validate|agent|version|catalog|rtt|debug|keygen|login|logout|tls|"
			"troubleshoot|watch|help|fmt"),
	LOOKS("consul|nomad kv|acl|config|intention|connect|snapshot|event|peering|partition|namespace|"
			"resource|exported-services|operator|services|var|volume|quota|service|scaling|plugin|"
			"recommendation|sentinel|license|node-pool|eval|deployment|server|node|alloc|job get|"
			"list|read|check|match|export|envoy|inspect|save|status|members|plan|validate|init|"
			"history|allocs|deployments|logs|fs|exec|checks|info|self|nodes|jobs|metrics|debug|view"),
	LOOKS("consul|nomad acl|operator|job|scaling|volume * list|read|info|self|status|inspect|get-config|"
			"list-peers|get|save|state|usage"),
	LOOKS("nomad status|agent|agent-info|fmt|version|ui|monitor|plan|validate|init|inspect|logs|login|tls|help"),
	ACTS("consul|nomad *", "-help --help",
		"it changes what runs elsewhere", ASKS),
	LOOKS("launchctl list|print|print-*|blame|dumpstate|plist|procinfo|hostinfo|version|help|error|"
			"managername|managerpid|manageruid|getenv|variant|start|kickstart|limit|resolveport|"
			"examine"),
	{ .command = "launchctl *", .code = ZS_RISK_PERSISTS, .why = "it changes which services run",
		.instead = ASKS },

	/* tasks and tools by the names of their verbs */
	{ .command = "make|gmake", .flags = "-f --file --makefile", .value = "- /dev/stdin", .when = ZS_WHEN_INPUT,
		.code = ZS_RISK_OPAQUE_INTERPRETER, .why = "it runs the commands of its input",
		.instead = "Write a makefile, and name it: make -f FILE." },
	{ .command = "make|gmake|ninja install*",
		.operand = "DESTDIR=/tmp/* DESTDIR=./* DESTDIR=out* DESTDIR=build* DESTDIR=dist* DESTDIR=pkg* "
			"DESTDIR=stag*",
		.code = ZS_RISK_NONE },
	{ .command = "make|gmake|ninja install*|uninstall*", .unless = "-n --dry-run --just-print",
		.operand = "prefix=/usr* prefix=/opt* prefix=\016* DESTDIR=/ DESTDIR=/usr* bindir=/usr*",
		.code = ZS_RISK_DESTROYS, .why = "it installs outside of the workspace",
		.instead = "Install into the workspace: DESTDIR=\"$PWD/out\"." },
	{ .command = "make|gmake|just|task|rake|invoke|mage", .unless = "-n --dry-run --just-print",
		.operand = "deploy deploy-prod* deploy-staging deploy:prod* publish release",
		.code = ZS_RISK_REMOTE_CHANGE, .why = "it deploys or publishes", .instead = ASKS },
	{ .command = "npm|pnpm|yarn|bun run|run-script deploy|deploy:prod*|deploy:staging|publish|release",
		.except = "--dry-run --dryrun --help", .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deploys or publishes", .instead = ASKS },
	{ .command = "yarn|pnpm|bun deploy|release", .code = ZS_RISK_REMOTE_CHANGE, .why = "it deploys or publishes",
		.instead = ASKS },
	{ .command = "rails|bin/rails destroy", .code = ZS_RISK_NONE },
	{ .command = "dotnet ef database drop", .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deletes a database", .instead = ASKS },
	{ .command = "crane|skopeo|oras|apptainer|singularity|cosign push|delete|copy", .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it changes a registry", .instead = ASKS },
	{ .command = "quarto|pio|kaggle|doppler|sqlx|diesel", .operand = "publish delete drop push reset",
		.except = "list get show", .code = ZS_RISK_REMOTE_CHANGE, .why = "it deletes or publishes",
		.instead = ASKS },

	/* tools that no row above names, by a verb of theirs: deletes, deploys. Words of these are no verbs: */
	{ .command = "make|gmake|just|task|npm|pnpm|yarn|bun|git|docker|podman|docker-compose|kubectl|oc|aws|"
			"gcloud|az|gsutil|terraform|tofu|terragrunt|helm|gh|glab|heroku|fly|flyctl|vercel|"
			"netlify|redis-cli|cargo|go|echo|printf|grep|egrep|fgrep|rg|ag|ack|git-grep|man|tldr|"
			"which|type|command|test|[|cat|sed|awk|gawk|find|fd|ls|cd|cp|mv|rm|mkdir|touch|tee|"
			"sort|head|tail|diff|tr|wc|cut|less|more *",
		.code = ZS_RISK_NONE },
	{ .command = "xargs|export|set|read|local|declare|unset|alias|let|eval|exec|trap|source|.|env|time|"
			"nohup|timeout|sh|bash|zsh|fish|dash|ssh|scp|rsync|curl|wget|http|xh|python*|node|deno|"
			"ruby|perl|php|java|lua|Rscript|julia|elixir|ghc|tsx|ts-node|nodemon|pytest|py.test|"
			"tox|nox|jest|vitest|mocha|ava|phpunit|rspec|playwright|cypress|ctest|gradle|gradlew|"
			"mvn|mvnw|sbt|bazel|ninja|cmake|meson|tmux|screen *",
		.code = ZS_RISK_NONE },
	{ .command = "kill|pkill|killall|ps|pgrep|jq|yq|code|vim|nvim|emacs|nano|open|xdg-open|say|notify-send|"
			"espeak|spd-say|gcc|cc|clang|g++|tsc|psql|mysql|sqlite3|mongosh|duckdb|pip|pip3|pipenv|"
			"bundle|composer|codegraph|tree|column|seq|expr|basename|dirname|stat|file|strings|xxd|"
			"od|nm|claude|codex|gemini|aider|opencode|llm *", .code = ZS_RISK_NONE },
	{ .command = "* search|help|explain|man|docs|completion|completions|auth|can-i|run|exec|grep|status|"
			"view|history|why|query|find|lookup|suggest|add|new|create|generate|g|init|commit|note|"
			"show|list|ls|get|describe|info|inspect|log|logs|diff|plan|check|validate|lint|test|"
			"echo|print|cat|cache",
		.code = ZS_RISK_NONE },
	{ .command = "* * help|show|list|ls|get|describe|info|status|add|new|create", .code = ZS_RISK_NONE },
	{ .command = "* delete|delete-*|del|destroy|publish|obliterate|drop-all|purge|nuke|wipe|drop|undefine|"
			"undeploy|unpublish|terminate|teardown|tear-down|decommission|deprovision|erase|"
			"deleteall|deploy|gh-deploy|site-deploy|*:delete|*:destroy|*:purge|*:deploy|*:undeploy|"
			"wipe-*|destroy-*|purge-*|drop-*|nuke-*|delete_*",
		.unless = "--dry-run --dryrun --help -h --simulate --check --noop --what-if --plan",
		.when = ZS_WHEN_INSTALLED, .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deletes or deploys beyond the workspace", .instead = ASKS },
	{ .command = "* * delete|delete-*|destroy|publish|purge|nuke|wipe|drop|undeploy|unpublish|terminate|"
			"teardown|decommission|erase|deploy",
		.unless = "--dry-run --dryrun --help -h --simulate --check --noop --what-if --plan",
		.when = ZS_WHEN_INSTALLED, .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deletes or deploys beyond the workspace", .instead = ASKS },
	{ .command = "* * * delete|destroy|purge|terminate|wipe|drop",
		.unless = "--dry-run --dryrun --help -h --simulate --check --noop --what-if --plan",
		.when = ZS_WHEN_INSTALLED, .code = ZS_RISK_REMOTE_CHANGE,
		.why = "it deletes or deploys beyond the workspace", .instead = ASKS },
};
// clang-format on
const size_t zs_tool_rule_count = sizeof zs_tool_rules / sizeof *zs_tool_rules;
