/* Clouds, clusters, containers, and the packages of the system. Their verbs decide, and most verbs change something. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(operations) = {
	{ .names = "ansible",
		.options = "-m=d --module-name=d -a=d --args=d -i=d --inventory=d -l=d --limit=d -e=d "
			"--extra-vars=d -u=d --user=d -f=d --forks=d -t=w --tree=w -c=d --connection=d -T=d "
			"--timeout=d -M=d --module-path=d -P=d --poll=d -B=d --background=d --become-method=d "
			"--become-user=d --private-key=d --key-file=d --vault-id=d --vault-password-file=d "
			"--playbook-dir=d --task-timeout=d -C!r --check!r --list-hosts!h --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK, .grammar = ZS_GRAMMAR_ANSIBLE },
	{ .names = "ansible-playbook",
		.options = "--check!r -C!r --syntax-check!h --list-hosts!h --list-tasks!h --list-tags!h -i=d "
			"--inventory=d -l=d --limit=d -e=d --extra-vars=d -t=d --tags=d --skip-tags=d -u=d -f=d "
			"-T=d -c=d -M=d --start-at-task=d --private-key=d --key-file=d --vault-id=d "
			"--vault-password-file=d --become-method=d --become-user=d --version!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "ansible-doc|ansible-inventory",
		.options = "--output=w -i=d --inventory=d -t=d -M=d --host=d --graph --list --version!h -h!h --help!h",
		.operands = "d*" },
	{ .names = "ansible-config|ansible-galaxy|ansible-vault|molecule",
		.options = "-v --debug --version!h -h!h --help!h -c=d --config=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "ansible-config",
		.names = "list|dump|view|info|search|verify|validate|encrypt_string|lint|syntax|matrix|test|"
			"check", .options = "--output=w", .operands = "d*" },
	{ .of = "ansible-config", .names = "collection|role", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "ansible-config collection", .names = "list|info|search|verify" },
	{ .of = "ansible-config collection", .names = "*", .traits = ZS_ROW_WRITES },
	{ .of = "ansible-config", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "ansible-pull|ansible-console|salt|salt-call|salt-ssh|puppet|chef-client|chef-solo|knife|pyinfra|"
			"cfengine", .options = "--version!h -h!h --help!h -V!h --check!r -C!r --noop!r --dry!r "
			"--why-run!r", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	/* A cloud service names its operations VERB-THING. The rows list those that only ask; all others change. */
	{ .names = "aws|awslocal|aliyun|tccli",
		.options = "--profile=d --region=d --output=d --query=d --endpoint-url=d --color=d --ca-bundle=d "
			"--cli-read-timeout=d --cli-connect-timeout=d --cli-binary-format=d --no-cli-pager --debug "
			"--version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "aws", .names = "help|history" },
	{ .of = "aws", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "--profile=d --region=d --output=d --query=d --endpoint-url=d --color=d --no-cli-pager "
			"--debug" },
	{ .of = "aws *",
		.names = "describe-*|list-*|get-*|head-*|batch-get-*|batch-describe-*|batch-check-*|lookup-*|"
			"search|search-*|select-*|view-*|filter-*|estimate-*|validate-*|verify|verify-*|test-*|"
			"simulate-*|check-*|detect-*|preview-*|decode-*|compare-*|query|scan|query-*|scan-*|wait|"
			"help|ls|tail|show|presign|list|get|transact-get-items|assume-role|assume-role-*|"
			"retrieve-*|discover-*|poll-for-*|classify-*|generate-presigned-*|Describe*|encode|"
			"resolve-*|count-*|summarize-*|are-*|is-*|receive-message|evaluate-*|compute-*|predict|"
			"predict-*|match-*|recognize-*|infer-*|translate-text|admin-get-*|admin-list-*|bulk-get-*",
		.options = "--generate-cli-skeleton?h --output=d --query=d", .traits = ZS_ROW_NETWORK },
	{ .of = "aws *",
		.names = "get-object|get-object-torrent|select-object-content|get-job-output|get-thing-shadow|"
			"get-export|get-sdk|get-media|get-clip",
		.options = "--bucket=d --key=d --range=d --version-id=d --part-number=d --expected-bucket-owner=d "
			"--rest-api-id=d --stage-name=d --export-type=d --sdk-type=d --accepts=d --vault-name=d "
			"--account-id=d --job-id=d --thing-name=d --profile=d --region=d --output=d --query=d "
			"--endpoint-url=d --if-match=d --if-none-match=d --checksum-mode=d --request-payer=d "
			"--expression=d --expression-type=d --input-serialization=d --output-serialization=d",
		.operands = "w", .traits = ZS_ROW_NETWORK },
	{ .of = "aws *", .names = "*",
		.options = "--generate-cli-skeleton?h --dry-run!r --dryrun!r", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "aws", .names = "s3", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "--profile=d --region=d --output=d --query=d --endpoint-url=d --color=d --no-cli-pager "
			"--debug" },
	{ .of = "aws s3", .names = "ls|presign|help", .traits = ZS_ROW_NETWORK },
	{ .of = "aws s3", .names = "cp",
		.options = "--dryrun!h --profile=d --region=d --output=d --query=d --endpoint-url=d --include=d "
			"--exclude=d --acl=d --sse=d --storage-class=d --grants=d --content-type=d "
			"--cache-control=d --metadata=d --expires=d --source-region=d --page-size=d "
			"--expected-size=d --metadata-directive=d", .operands = "r*w", .traits = ZS_ROW_NETWORK },
	{ .of = "aws s3", .names = "*",
		.options = "--dryrun!r --acl=d --exclude=d --include=d --storage-class=d --content-type=d "
			"--cache-control=d --content-encoding=d --content-disposition=d --expires=d --metadata=d "
			"--metadata-directive=d --grants=d --sse=d --sse-kms-key-id=d --region=d --profile=d "
			"--endpoint-url=d --page-size=d --website-redirect=d --source-region=d", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "aws", .names = "configure", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_WRITES,
		.options = "--profile=d" },
	{ .of = "aws configure", .names = "list|get|list-profiles|export-credentials|help" },
	{ .of = "aws configure", .names = "*", .traits = ZS_ROW_WRITES },
	/* gcloud GROUP… VERB: a word is a group if a verb follows it. */
	{ .names = "gcloud|bq|ibmcloud|oci|scw|hcloud|doctl|linode-cli|vultr|exo|civo|openstack|yc",
		.options = "--project=d --account=d --configuration=d --format=d --filter=d --verbosity=d "
			"--impersonate-service-account=d --project_id=d --dataset_id=d -t=d --access-token=d "
			"--context=d -o=d --output=d -c=d -p=d --profile=d --region=d --zone=d -q --quiet -v!h "
			"--version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "gcloud",
		.names = "info|version|help|topic|cheat-sheet|survey|show|ls|head|status" },
	{ .of = "gcloud",
		.names = "init|login|logout|rm|mk|cp|load|update|insert|extract|mkdef|cancel|partition|shell|query",
		.options = "--dry_run!r", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "gcloud|gcloud *|gcloud * *|gcloud * * *",
		.names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "--project=d --account=d --configuration=d --format=d --filter=d --region=d --zone=d "
			"--location=d --limit=d -o=d --output=d -q --quiet" },
	{ .of = "gcloud *|gcloud * *|gcloud * * *|gcloud * * * *",
		.names = "list|list-*|ls|describe|describe-*|get|get-*|show|info|print-*|read|tail|search|search-*|"
			"lookup|lookup-*|cat|du|stat|hash|check-*|test-*|version|help|status|wait|wait-*|diff|"
			"logs|view|whoami|history|troubleshoot|analyze-*|explain|peek",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "gcloud *|gcloud * *|gcloud * * *|gcloud * * * *",
		.names = "create|create-*|delete|delete-*|update|update-*|add|add-*|remove|remove-*|set|set-*|unset|"
			"unset-*|reset|reset-*|start|start-*|stop|stop-*|restart|reboot|suspend|resume|attach|"
			"attach-*|detach|detach-*|enable|enable-*|disable|disable-*|deploy|submit|execute|run|"
			"cancel|import|export|copy|copy-*|cp|mv|rm|rsync|ssh|scp|patch|apply|activate|activate-*|"
			"login|logout|revoke|install|move|move-*|promote|promote-*|rename|replace|replace-*|"
			"restore|rollback|undelete|clone|resize|migrate|migrate-*|abandon-*|recreate-*|invoke|call|"
			"publish|pull|ack|seek|tag|untag|encrypt|decrypt|upgrade|rotate|rotate-*|approve|reject|"
			"put|put-*|terminate|terminate-*|destroy|init|bulk-*|get-credentials|configure-docker|mb|rb|"
			"save|kubeconfig|power-*|rebuild|scale|download|upload|edit|write|drain|failover|launch|"
			"simulate-maintenance-event|connect|switch|use",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "az",
		.options = "--version!h -h!h --help!h --output=d -o=d --query=d --subscription=d --only-show-errors",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_NETWORK },
	{ .of = "az", .names = "version|find|help", .operands = "d*" },
	{ .of = "az", .names = "login|logout|upgrade|configure|init|interactive|self-test", .traits = ZS_ROW_WRITES },
	{ .of = "az", .names = "rest",
		.options = "-m=d --method=d -u=d --uri=d --url=d -b!w --body!w --output-file=w", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .of = "az|az *|az * *|az * * *", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "--output=d -o=d --query=d --subscription=d -g=d --resource-group=d -n=d --name=d" },
	{ .of = "az *|az * *|az * * *|az * * * *",
		.names = "list|list-*|show|show-*|get|get-*|exists|check-*|wait|query|what-if|validate|url|browse-url|"
			"version|test-*|diff|logs", .options = "-f=w --file=w --output-file=w", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .of = "az *|az * *|az * * *|az * * * *",
		.names = "create|create-*|delete|delete-*|update|update-*|add|add-*|remove|remove-*|set|set-*|unset|"
			"clear|reset|reset-*|start|stop|restart|deallocate|redeploy|attach|detach|enable|enable-*|"
			"disable|disable-*|deploy|up|down|run|invoke|import|export|copy|upload|upload-*|download|"
			"download-*|sync|move|rename|replace|restore|purge|recover|undelete|scale|resize|rotate|"
			"rotate-*|renew|regenerate|assign|revoke|grant|generate|generate-*|generalize|capture|"
			"convert|simulate-eviction|install|uninstall|upgrade|login|logout|get-credentials|"
			"install-cli|ssh|ssh-*|exec|apply|patch|put|send|publish|cancel|approve|reject|swap|"
			"failover|backup|migrate|register|unregister|lock|browse|queue|kill|abort|trigger",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "gsutil|mc|s3cmd|s5cmd|rclone|azcopy|b2",
		.options = "-m -q -D -d -o=d -h=d -u=d -i=d -c=d --config=d --profile=d --endpoint-url=d --json "
			"--debug --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "gsutil",
		.names = "ls|la|cat|du|stat|hash|version|help|list|listremotes|lsl|lsd|lsf|lsjson|size|check|tree|find|"
			"head|diff|info|md5sum|sha1sum|about|cryptcheck|ncdu|hashsum|signurl|test|get-bucket",
		.options = "--output=w --log-file=w --combined=w --missing-on-src=w --missing-on-dst=w --match=w "
			"--differ=w --error=w --exec=c", .operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "gsutil", .names = "*", .options = "-n!r --dry-run!r",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "heroku|flyctl|fly|vercel|netlify|wrangler|firebase|railway|render|eb|cf|serverless|sls|sam|cdk|"
			"cdktf|pulumi|stripe|supabase|dapr|nomad|consul|vault|boundary|"
			"amplify|surge|now|shopify",
		.options = "-a=d --app=d -c=d --config=d -t=d --token=d -S=d --scope=d -C=C --cwd=C -s=d --stack=d "
			"--profile=d --region=d --stage=d --project=d -P=d -h!h --help!h -v!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "heroku",
		.names = "deploy|destroy|remove|rm|up|launch|scale|restart|create|delete|import|rollback|promote|init|"
			"login|logout|link|unlink|publish|put|write|run|secrets|apps:create|apps:destroy|"
			"apps:rename|config:set|config:unset|ps:scale|ps:restart|pg:reset|pg:psql|addons:create|"
			"addons:destroy|domains:add|domains:remove|run:detached|releases:rollback|"
			"maintenance:on|maintenance:off|refresh|cancel|bootstrap|terminate|stop|start|push|"
			"watch|package|new|sync|delete-*|config:import|env:set|env:unset|env:import|"
			"functions:create|sites:create|sites:delete|functions:delete|hosting:disable|"
			"firestore:delete|database:set|database:remove|database:update|kv:put|alias",
		.options = "--dry-run!r --dry!r", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "heroku", .names = "*", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "-a=d --app=d -h!h --help!h" },
	{ .of = "heroku *",
		.names = "deploy|destroy|remove|rm|create|delete|add|import|rollback|promote|init|put|write|run|"
			"set|unset|stop|start|restart|enable|disable|update|scale|revoke|renew|dispatch|drain|"
			"eligibility|move|join|leave|purge|rotate|patch|undelete|metadata|tune|seal|unseal|"
			"operator|clone|fork|exec|attach|detach|upload|download|publish|unpublish|approve|cancel|"
			"resume|pause|trigger|upgrade|downgrade|migrate|apply", .options = "--dry-run!r",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "heroku", .names = "stack|config|plugin|state|org|policy", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY,
		.options = "-s=d --stack=d --show-ids --show-urns -i -u -j --json --show-secrets" },
	{ .of = "heroku stack",
		.names = "ls|output|history|graph|get|get-default|export", .options = "--file=w", .operands = "d*" },
	{ .of = "heroku stack", .names = "*",
		.traits = ZS_ROW_WRITES },
	{ .names = "terraform|tofu|terragrunt", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY,
		.options = "-chdir=C --version!h -version!h -help!h --help!h -h!h -v!h" },
	{ .of = "terraform",
		.names = "validate|plan|show|output|version|graph|console|test|get|metadata|help|modules|"
			"validate-inputs|hclvalidate|render-json|output-all|plan-all|graph-dependencies",
		.options = "-out=w -generate-config-out=w -junit-xml=w -json -var=d -var-file=d -target=d -replace=d "
			"-state=d -parallelism=d -lock=d -lock-timeout=d -filter=d -help!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "terraform", .names = "fmt", .options = "-check!r -diff -recursive -write=d -list=d -",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "terraform", .names = "providers", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LONG_DASH, .options = "-help!h -test-directory=d" },
	{ .of = "terraform providers", .names = "schema" },
	{ .of = "terraform", .names = "state|workspace|env", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_LONG_DASH, .options = "-help!h" },
	{ .of = "terraform state", .names = "list|show|pull" },
	{ .of = "terraform state|terraform providers", .names = "*", .options = "-dry-run!r", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "terraform", .names = "init", .options = "-help!h -backend=d -input=d", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "terraform", .names = "run-all|run", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.options = "--all -a" },
	{ .of = "terraform run-all|terraform run", .names = "validate|plan|show|output|version|graph|providers" },
	{ .of = "terraform run-all|terraform run", .names = "*", .traits = ZS_ROW_WRITES },
	{ .of = "terraform",
		.names = "apply|destroy|import|taint|untaint|login|logout|force-unlock|refresh|push|apply-all|"
			"destroy-all|hclfmt|scaffold|catalog|stack",
		.options = "-help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "packer|vagrant", .options = "-v!h --version!h -h!h --help!h -help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "packer",
		.names = "validate|inspect|version|console|status|global-status|ssh-config|port|help|list-commands|"
			"validate-config", .operands = "d*" },
	{ .of = "packer", .names = "fmt", .options = "-check!r -diff -recursive", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "packer", .names = "*", .traits = ZS_ROW_WRITES },
	{ .names = "helm|helmfile|helm3", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY,
		.options = "-n=d --namespace=d --kube-context=d --kubeconfig=d --kube-apiserver=d --kube-token=d "
			"--registry-config=d --repository-cache=d --repository-config=d -f=d --file=d -e=d "
			"--environment=d -l=d --selector=d --debug --version!h -h!h --help!h" },
	{ .of = "helm",
		.names = "lint|template|list|ls|status|history|hist|get|show|inspect|search|version|env|verify|diff|"
			"help|completion|build",
		.options = "--output-dir=w --output-file-template=d --post-renderer=y -n=d --namespace=d -f=d "
			"--values=d --set=d", .operands = "d*" },
	{ .of = "helm", .names = "test", .operands = "d*" },
	{ .of = "helm", .names = "repo|plugin|dependency|dep|dependencies|registry", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "helm repo", .names = "list|ls|verify" },
	{ .of = "helm repo", .names = "*",
		.traits = ZS_ROW_WRITES },
	{ .of = "helm", .names = "*", .options = "--dry-run?r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "kubectl|oc|microk8s.kubectl|k",
		.options = "-n=d --namespace=d --context=d --kubeconfig=d --cluster=d --user=d -s=d --server=d "
			"--token=d --as=d --as-group=d --request-timeout=d -v=d --cache-dir=d "
			"--certificate-authority=d --client-certificate=d --client-key=d --profile=d "
			"--profile-output=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "kubectl",
		.names = "get|describe|logs|top|version|cluster-info|api-resources|api-versions|explain|diff|wait|"
			"events|completion|options|kustomize|port-forward|status|whoami|projects|help",
		.options = "--output-directory=w --output=d -o=d -n=d --namespace=d -l=d -f=d", .operands = "d*",
		.traits = ZS_ROW_NETWORK },
	{ .of = "kubectl", .names = "config|auth|rollout|plugin|adm|alpha|certificate|krew", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK,
		.options = "-n=d --namespace=d --context=d" },
	{ .of = "kubectl config",
		.names = "view|get-contexts|current-context|get-clusters|get-users|can-i|whoami|status|history|list|"
			"search|info|events|top", .operands = "d*" },
	{ .of = "kubectl config",
		.names = "*", .options = "--dry-run?r", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "kubectl", .names = "exec",
		.options = "-i -t -it -ti -q --stdin --tty -c=d --container=d -n=d --namespace=d --context=d -f=d "
			"--filename=d --quiet --pod-running-timeout=d -h!h --help!h", .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_NETWORK },
	{ .of = "kubectl",
		.names = "apply|create|delete|edit|patch|replace|scale|set|label|annotate|expose|run|cp|cordon|"
			"uncordon|drain|taint|autoscale|attach|debug|proxy|new-app|new-project|delete-project|"
			"start-build|new-build|import-image|login|logout|project|rsync|tag|process|policy|secrets|"
			"idle|extract|image|registry|rsh",
		.options = "--dry-run?r -h!h --help!h -f=d -n=d -o=d -c=d --container=d --retries=d", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .names = "kustomize", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "kustomize", .names = "build|version|help|completion", .options = "-o=w --output=w", .operands = "d*" },
	{ .of = "kustomize", .names = "create|edit|fn|localize", .traits = ZS_ROW_WRITES },
	{ .names = "kind|minikube|k3d|k3s|microk8s|kubeadm|eksctl|kops|argocd|flux|istioctl|linkerd|velero|skaffold|"
			"tilt|k9s|stern|crictl|ctr|buildah|skopeo|crane|cosign|oras|lxc|incus|virsh|multipass|colima|"
			"limactl|machine|docker-machine|kompose|talosctl|cilium|kubectx|kubens|kn",
		.options = "-n=d --namespace=d -p=d --profile=d --context=d --kubeconfig=d -c=d --connect=d "
			"--server=d -a=d --address=d -r=d --runtime-endpoint=d --debug -q --version!h -v!h -h!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY | ZS_ROW_NETWORK },
	{ .of = "kind",
		.names = "version|status|get|list|ls|list-*|info|ps|pods|images|logs|inspect|inspecti|inspectp|"
			"stats|show|ip|describe|validate|check|verify|analyze|digest|catalog|"
			"dominfo|domstate|dumpxml|nodeinfo|capabilities|vcpuinfo|net-list|pool-list|vol-list|"
			"snapshot-list|find|port|trace|diagnose|render|events|env|docs|help|completion|"
			"proxy-status|url|active|tree|top", .options = "-o=d --output=d",
		.operands = "d*", .traits = ZS_ROW_NETWORK },
	{ .of = "kind",
		.names = "create|delete|start|stop|restart|rm|rmi|rmp|run|runp|exec|load|export|import|init|join|reset|"
			"upgrade|update|apply|edit|set|sync|rollback|install|uninstall|bootstrap|"
			"reconcile|suspend|resume|restore|backup|deploy|dev|build|pull|push|bud|from|commit|copy|"
			"delete-*|tag|append|sign|attach|login|logout|launch|destroy|define|undefine|shutdown|"
			"reboot|purge|mount|umount|scale|inject|debug|cp|add|remove|enable|disable|unpause|"
			"pause|kill|rename|move|publish|snapshot|ssh|transfer|setmem|setvcpus|attach-*|detach-*|"
			"autostart|migrate|save|patch|rebuild|up|down",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_NETWORK },
	{ .of = "kind",
		.names = "app|proj|project|repo|cluster|account|node|addons|token|config|profile|network|storage|image|"
			"certs|manifest|alias|remote|cert|repocreds|machine|snapshots|"
			"volume|pool|secret|kubeconfig",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "kind app",
		.names = "list|ls|get|diff|history|logs|manifests|resources|wait|info|show|status|stats|inspect|view|"
			"print|check-expiration|can-i|list-*|get-*|describe", .operands = "d*" },
	{ .of = "kind app", .names = "*", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "docker|podman|nerdctl",
		.options = "-h!h --help!h -v!h --version!h -H=d --host=d -c=d --context=d --config=d -l=d "
			"--log-level=d -D --tls --tlscacert=d --tlscert=d --tlskey=d -f=d --file=d -p=d "
			"--project-name=d --profile=d --env-file=d --project-directory=d --ansi=d --progress=d "
			"--parallel=d --root=d --namespace=d -n=d --connection=d --url=d --remote", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .names = "docker-compose|podman-compose",
		.options = "-h!h --help!h -v!h --version!h -H=d --host=d -c=d --context=d --config=d -l=d "
			"--log-level=d -D --tls --tlscacert=d --tlscert=d --tlskey=d -f=d --file=d -p=d "
			"--project-name=d --profile=d --env-file=d --project-directory=d --ansi=d --progress=d "
			"--parallel=d --root=d --namespace=d -n=d --connection=d --url=d --remote", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "docker|docker-compose",
		.names = "ps|images|logs|inspect|version|info|stats|top|diff|port|history|search|events|help|"
			"healthcheck|completion",
		.options = "-f=d --filter=d --format=d --type=d --since=d --until=d -n=d --tail=d",
		.operands = "d*" },
	{ .of = "docker-compose", .names = "config|ls|volumes",
		.options = "-o=w --output=w --format=d --hash=d --services --images --volumes --profiles -q --quiet "
			"--lock-image-digests!N", .operands = "d*" },
	{ .of = "docker|docker-compose", .names = "exec",
		.options = "-d --detach --detach-keys=d -e=e --env=e --env-file=d -i --interactive -t --tty "
			"-it -ti --privileged -u=d --user=d -w=d --workdir=d -T --no-TTY --no-tty --index=d "
			"-h!h --help!h", .operands = "dX", .traits = ZS_ROW_STRICT },
	{ .of = "docker|docker-compose",
		.names = "run|build|create|rm|rmi|start|stop|restart|kill|pause|unpause|rename|commit|cp|tag|push|pull|"
			"save|load|import|export|login|logout|update|attach|wait|up|down|bake|debug|scale|convert|"
			"play|kube|generate|init|unshare|mount|unmount|umount|auto-update|untag|sign|farm|quadlet|"
			"watch|publish", .options = "--dry-run!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "docker", .names = "compose",
		.options = "-h!h --help!h -v!h --version!h -f=d --file=d -p=d --project-name=d --profile=d "
			"--env-file=d --project-directory=d --ansi=d --progress=d --parallel=d --dry-run!r",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "docker compose",
		.names = "ps|logs|images|ls|top|port|events|version|stats|volumes|wait|help", .operands = "d*" },
	{ .of = "docker compose", .names = "config",
		.options = "-o=w --output=w --format=d --hash=d --services --images --volumes --profiles -q --quiet",
		.operands = "d*" },
	{ .of = "docker compose", .names = "exec",
		.options = "-d --detach -e=e --env=e -i --interactive -t --tty --privileged -u=d --user=d -w=d "
			"--workdir=d -T --no-TTY --no-tty --index=d -h!h --help!h", .operands = "dX",
		.traits = ZS_ROW_STRICT },
	{ .of = "docker compose", .names = "*", .options = "--dry-run!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "docker",
		.names = "image|container|volume|network|system|context|manifest|buildx|builder|stack|service|node|"
			"secret|config|plugin|swarm|trust|pod|machine|artifact|scout|model|checkpoint|namespace",
		.options = "-h!h --help!h -v!h --builder=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "docker image",
		.names = "ls|list|inspect|history|logs|top|stats|diff|port|df|info|events|show|ps|services|config|du|"
			"version|exists|tree|cves|quickview|recommendations|compare|status|unlock-key|join-token|"
			"search|check", .options = "-f=d --format=d --output=w", .operands = "d*" },
	{ .of = "docker image", .names = "*", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "docker image", .names = "imagetools", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "docker image imagetools", .names = "inspect", .options = "--format=d --raw", .operands = "d*" },
	{ .of = "docker image imagetools", .names = "*", .operands = "d*", .traits = ZS_ROW_WRITES },
	/* Slurm: what runs, ran and can run. */
	{ .names = "squeue|sacct|sinfo|sprio|sshare|sstat|sdiag|sreport",
		.options = "-o=d -O=d -j=d -u=d -n=d -p=d -t=d -h -S=d -E=d -M=d -w=d --format=d --Format=d",
		.operands = "d*" },
	{ .of = "docker image", .names = "exec",
		.options = "-d --detach --detach-keys=d -e=e --env=e --env-file=d -i --interactive -t --tty "
			"--privileged -u=d --user=d -w=d --workdir=d -h!h --help!h", .operands = "dX",
		.traits = ZS_ROW_STRICT },
	/* Packages of the system. -o and -c of apt name programs and scripts that it runs (man apt.conf). */
	{ .names = "apt|apt-get|aptitude|apt-cache|apt-mark|apt-file|apt-config|apt-ftparchive|apt-sortpkgs",
		.options = "-v!h --version!h --help!h -h!h -o=L --option=L -c=L --config-file=L -t=d "
			"--target-release=d --default-release=d -a=d --host-architecture=d -F=d -w=d -O=d -y -q "
			"-qq -s!h --simulate!h --just-print!h --dry-run!h --recon!h --no-act!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "apt",
		.names = "list|search|show|showsrc|showpkg|info|policy|depends|rdepends|madison|pkgnames|stats|dump|"
			"dumpavail|unmet|dotty|xvcg|help|moo|changelog|check|indextargets|why|why-not|versions|"
			"showmanual|showauto|showhold|showinstall|showremove|showpurge|find|"
			"packages|sources|contents|release", .options = "-o=L --option=L -c=L --config-file=L",
		.operands = "d*" },
	{ .of = "apt", .names = "*",
		.options = "-s!r --simulate!r --just-print!r --dry-run!r --recon!r --no-act!r --print-uris!r -o=L "
			"--option=L -c=L --config-file=L -t=d -a=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "dnf|dnf5|microdnf|yum|zypper|apk|brew|port|snap|flatpak|pkg|pkgin|tdnf|slackpkg|opkg|"
			"xbps-query|eopkg|urpmi|swupd|rpm-ostree",
		.options = "-v!h --version!h --help!h -h!h -V!h -y -q -C -n --non-interactive --installroot=d "
			"--root=d -R=d -c=d --config=d --repo=d --enablerepo=d --disablerepo=d --setopt=d -p=d "
			"-X=d --prefix!h --cellar!h --caskroom!h --repository!h --cache!h --env!h --no-cache",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY },
	{ .of = "dnf",
		.names = "list|ls|search|se|if|show|info|leaves|deps|uses|desc|cat|home|homepage|doctor|config|"
			"outdated|provides|whatprovides|wp|resolve|resolve-file|repolist|repos|lr|lu|list-*|lp|"
			"history|query|repoquery|rq|check|check-update|check-upgrade|updateinfo|updates|deplist|"
			"help|contents|installed|dependents|dependencies|variants|rdeps|why-depends|files|policy|"
			"dot|stats|version|audit|manifest|verify|log|formulae|casks|missing|options|find|"
			"connections|interfaces|known|changes|tasks|whoami|model|warnings|logs|remotes|remote-ls|"
			"remote-info|ps|packages|pa|patterns|pt|products|pd|patches|pch|which|shlib|stat|status|"
			"search-all|compgen|environment|changelog|advisory|graph", .options = "--output=w",
		.operands = "d*" },
	{ .of = "dnf", .names = "services|bundle|tap", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dnf services|dnf bundle", .names = "list|info|check" },
	{ .of = "dnf services|dnf bundle|dnf tap", .names = "*", .traits = ZS_ROW_WRITES },
	{ .of = "dnf tap", .names = "list" },
	{ .of = "dnf", .names = "module|group|groups|copr|config-manager", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_FAMILY, .options = "--dump!r" },
	{ .of = "dnf module", .names = "list|info|provides|summary|search" },
	{ .of = "dnf module", .names = "*", .traits = ZS_ROW_WRITES },
	{ .of = "dnf", .names = "*",
		.options = "-s!r --simulate!r --dry-run!r --assumeno!r -D!N", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dnf", .names = "run", .traits = ZS_ROW_WRITES,
		.hint = "Run the inner command directly, without this tool." },
	{ .names = "dpkg",
		.options = "-l!r --list!r -L!r --listfiles!r -S!r --search!r -s!r --status!r -p!r --print-avail!r "
			"-I!r --info!r -c!r --contents!r -V!r --verify!r --audit!r -C!r --print-architecture!r "
			"--print-foreign-architectures!r --compare-versions!r --get-selections!r --yet-to-unpack!r "
			"--validate-pkgname!r --validate-version!r -f!r --field!r --simulate!r "
			"--dry-run!r --no-act!r --version!h --help!h -i!w --install!w -r!w --remove!w -P!w "
			"--purge!w --unpack!w --configure!w -x!w --extract!w -X!w --vextract!w -e!w --control!w -b!w "
			"--build!w --root=d --admindir=d --instdir=d --log=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "dpkg-deb",
		.options = "-I!r --info!r -c!r --contents!r -f!r --field!r -W!r --show!r --fsys-tarfile!r "
			"--ctrl-tarfile!r --showformat=d -b!w --build!w -x!w --extract!w -X!w --vextract!w -R!w "
			"--raw-extract!w -e!w --control!w --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "rpm",
		.options = "-q!r --query!r -V!r --verify!r -K!r --checksig!r --showrc!r --eval!r -E!r --querytags!r "
			"--qf=d --queryformat=d -f=d --file=d -p=d --package=d --root=d --dbpath=d --define=d -D=d "
			"--version!h --help!h -i -e!w --erase!w -U!w --upgrade!w -F!w --freshen!w --import!w "
			"--rebuilddb!w --initdb!w --setperms!w --setugids!w --restore!w --install!w --test!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "pacman|yay|paru|pamac",
		.options = "-Q!r --query!r -F!r --files!r -T!r --deptest!r -Ss!r -Si!r -Sii!r -Ssq!r -Sl!r -Sg!r "
			"-Sp!r -Fy!w -V!h --version!h -h!h --help!h -r=d -b=d --root=d --dbpath=d --config=d",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "emerge|nix-env|apt-key|choco|winget|scoop|add-apt-repository|apt-add-repository|alien|"
			"rpmbuild|debuild|dpkg-buildpackage|dpkg-source|checkinstall|makepkg|mock|nix-channel|"
			"nix-collect-garbage|nixos-rebuild|home-manager|xbps-install|xbps-remove|installpkg|"
			"removepkg|pkg_add|pkg_delete|debootstrap|pbuilder|sbuild",
		.options = "-q!r --query!r --search!r -p!r --pretend!r -s!r --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "guix", .options = "--version!h --help!h -h!h -V!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "guix", .names = "describe|graph|hash|lint|search|show|size|weather|processes|help",
		.options = "-h!h --help!h", .operands = "d*" },
	{ .of = "guix", .names = "package",
		.options = "-l!r --list-generations!r -I!r --list-installed!r -A!r --list-available!r -s!r --search!r "
			"--show!r --search-paths!r -n!r --dry-run!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "guix", .names = "*", .options = "-h!h --help!h -n!r --dry-run!r", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "rpm2cpio|rpmspec|pkg_info|dpkg-parsechangelog|dpkg-checkbuilddeps|dpkg-scanpackages" },
};
// clang-format on
ZS_TABLE_COUNT(operations);
