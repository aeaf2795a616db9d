/* PHP: Composer, test runners, linters, Laravel and Symfony. The interpreter is in rows_interpreters.c. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(php) = {
	{ .names = "composer",
		.options = "-q -v -vv -vvv -n -d=d --working-dir=d -V!h --help!h --version!h -h!h --no-interaction "
			"--ansi --no-ansi --no-plugins --no-scripts --no-cache --profile", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "composer",
		.names = "install|i|show|info|validate|check-platform-reqs|outdated|audit|diagnose|why|depends|"
			"why-not|prohibits|licenses|search|test|fund|suggests|status|help|list|about|home|browse|"
			"completion", .options = "--fix!w -f=d --format=d -d=d --working-dir=d", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "composer", .names = "run|run-script", .options = "-d=d --working-dir=d --timeout=d -l --list",
		.operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "composer", .names = "exec", .options = "-l --list -q -v -n", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .of = "composer", .names = "global", .options = "-q -v -n", .operands = "X", .traits = ZS_ROW_STRICT,
		.grammar = ZS_GRAMMAR_SAME_TOOL },
	{ .of = "composer",
		.names = "require|r|remove|rm|uninstall|update|u|upgrade|init|create-project|dump-autoload|"
			"dumpautoload|self-update|selfupdate|archive|clear-cache|clearcache|cc|bump|normalize|"
			"reinstall|repository|repo", .options = "--dry-run!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "composer", .names = "config",
		.options = "-l!r --list!r --source -g --global -e!w --editor!w --unset!w -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "phpunit|paratest|pest|codecept|behat|phpspec|atoum|kahlan|infection",
		.options = "--log-junit=w --log-teamcity=w --log-otr=w --log-events-text=w "
			"--log-events-verbose-text=w --testdox-html=w --testdox-text=w --testdox-xml=w "
			"--coverage-clover=w --coverage-cobertura=w --coverage-openclover=w --coverage-crap4j=w "
			"--coverage-html=w --coverage-php=w --coverage-text?W --coverage-xml=w --coverage-cache=w "
			"--coverage --coverage-filter=d --generate-configuration!w --migrate-configuration!w "
			"--generate-baseline=w --use-baseline=d --warm-coverage-cache!w --list-tests "
			"--list-tests-xml=w --update-snapshots!w -d=d --init!w --cache-directory=d "
			"--cache-result-file=w --bootstrap=f -c=d --configuration=d --filter=d --exclude-filter=d "
			"--group=d --exclude-group=d --testsuite=d --exclude-testsuite=d --test-suffix=d "
			"--order-by=d --random-order-seed=d --columns=d --stop-on-failure --testdox --colors?N -p=d "
			"--processes=d -f=d --format=d -o=w --out=w --output=d --logger-html=w --logger-json=w "
			"--logger-text=w --profile=d --suite=d --tags=d --name=d --xml?w --html?w --report?w "
			"--parallel -h!h --help!h --version!h -V!h -v", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "codecept|phpspec|pest|behat",
		.names = "init|bootstrap|generate:suite|generate:test|generate:cest|g:cest|g:test|build|clean|desc|"
			"describe", .traits = ZS_ROW_WRITES },
	{ .names = "phpstan",
		.options = "-b?w --generate-baseline?w --fix!w --allow-empty-baseline -c=d --configuration=d -l=d "
			"--level=d -a=f --autoload-file=f --memory-limit=d --error-format=d --no-progress --debug "
			"--pro --tmp-file=d --instead-of=d -q -v -vv -vvv -n -h!h --help!h -V!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "phpstan", .names = "clear-result-cache", .traits = ZS_ROW_WRITES },
	{ .names = "psalm",
		.options = "--alter!w --safe-types --issues=d --dry-run!h --set-baseline?w --update-baseline!w "
			"--report=w --report-show-info=d --generate-json-map=w --generate-stubs=w --init!w -i!w "
			"--clear-cache!w --clear-global-cache!w --use-baseline=d -c=d --config=d -r=d --root=d "
			"--show-info=d --output-format=d --threads=d --php-version=d --plugin=d --error-level=d "
			"--stats --no-cache --taint-analysis -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "psalter|psalm-refactor|rector|ecs|pint|phpcbf",
		.options = "--dry-run!r -n!r --test!r --bail --dirty --list-rules!r --output-format=d -p=d "
			"--parallel -c=d --config=d -h!h --help!h -V!h --version!h -i!r", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_VERB },
	{ .names = "phpcs",
		.options = "--report-file=w --report-full=w --report-summary=w --report-xml=w --report-json=w "
			"--report-csv=w --report-checkstyle=w --report-junit=w --report-emacs=w --report-source=w "
			"--report-diff=w --report-gitblame=w --report-code=w --report-info=w --report-performance=w "
			"--report=d --report-width=d --cache?N --config-set!w --config-delete!w --generator=d "
			"--standard=d --extensions=d --ignore=d --sniffs=d --exclude=d --severity=d --parallel=d "
			"--stdin-path=d --bootstrap=f --runtime-set -d=d -s -p -q -n -v -w -e -a -h!h -?!h --help!h "
			"--version!h -i!h --config-show!h", .operands = "d*" },
	{ .names = "php-cs-fixer", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "php-cs-fixer", .names = "check|list|describe|list-files|list-sets|help", .operands = "d*" },
	{ .of = "php-cs-fixer", .names = "fix",
		.options = "--dry-run!r --diff --rules=d --config=d --format=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "php-cs-fixer", .names = "init|self-update|worker", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "phan",
		.options = "-o=w --output=w --init!w --save-baseline=w --automatic-fix!w -m=d --output-mode=d -k=d "
			"--config-file=d -d=d -f=d --file-list=d -l=d --directory=d -p -h!h --help!h -v!h "
			"--version!h", .operands = "d*" },
	{ .names = "phpmd",
		.options = "--reportfile=w --reportfile-html=w --reportfile-json=w --reportfile-text=w "
			"--reportfile-xml=w --reportfile-sarif=w --generate-baseline!w --update-baseline!w "
			"--baseline-file=d --minimumpriority=d --suffixes=d --exclude=d -h!h --help!h --version!h",
		.operands = "d*" },
	{ .names = "phpcpd|phploc|phpmetrics|deptrac|phpdox|composer-unused|composer-require-checker|parallel-lint|"
			"php-parallel-lint|phplint|twigcs|twig-cs-fixer|security-checker|local-php-security-checker|"
			"churn|phpinsights|grumphp|captainhook",
		.options = "--log-pmd=w --log-xml=w --log-json=w --report-html=w --report-json=w --report-csv=w "
			"--report-xml=w --output=d -o=w --fix!w -f=d --format=d --formatter=d -c=d --config=d -h!h "
			"--help!h -V!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "deptrac|grumphp|captainhook|twig-cs-fixer|phpinsights",
		.names = "init|git:init|git:deinit|install|fix|clear-cache", .traits = ZS_ROW_WRITES },
	{ .names = "phar|box", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "phar|box",
		.names = "help|help-list|info|list|tree|meta-get|stub-get|version|validate|verify|diff|"
			"check-signature", .operands = "d*" },
	{ .of = "phar|box",
		.names = "add|compress|delete|extract|meta-del|meta-set|pack|sign|stub-set|compile|init|namespace",
		.options = "--help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "phpdoc|phpdocumentor|phar-composer|doctum|sami", .options = "-h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "artisan|laravel|sail",
		.options = "-q -v -n --no-interaction --env=d --ansi -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "artisan|laravel|sail",
		.names = "test|list|help|about|env|route:list|event:list|schedule:list|schedule:test|config:show|"
			"model:show|db:show|db:table|db:monitor|migrate:status|serve|inspire|channel:list|"
			"queue:failed|queue:monitor|queue:work|queue:listen|schedule:work|pail|dusk|insights",
		.options = "--coverage --log-junit=w --coverage-html=w --coverage-clover=w --filter=d --testsuite=d "
			"--env=d -h!h --help!h --update-snapshots!w", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "artisan|sail", .names = "tinker", .options = "--execute=k -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_STDIN_CODE, .language = "php" },
	{ .of = "artisan|sail", .names = "db", .traits = ZS_ROW_STDIN_CODE, .language = "sql" },
	{ .of = "sail", .names = "php|composer|npm|npx|yarn|bun|node", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "sail", .names = "artisan|art", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "sail", .names = "shell|bash|root-shell|root-bash|mysql|psql|redis", .traits = ZS_ROW_STDIN_CODE,
		.language = "bash" },
	{ .of = "artisan", .names = "up|down", .traits = ZS_ROW_WRITES },
	{ .of = "sail", .names = "up|down|build|start|stop|publish", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "laravel", .names = "new", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "artisan|sail",
		.names = "migrate|migrate:fresh|migrate:install|migrate:refresh|migrate:reset|migrate:rollback|"
			"db:seed|db:wipe|schema:dump|key:generate|cache:clear|cache:forget|cache:table|config:cache|"
			"config:clear|config:publish|route:cache|route:clear|view:cache|view:clear|event:cache|"
			"event:clear|event:generate|optimize|optimize:clear|storage:link|storage:unlink|"
			"vendor:publish|package:discover|clear-compiled|clear|queue:clear|queue:flush|queue:forget|"
			"queue:prune-batches|queue:prune-failed|queue:retry|queue:restart|queue:table|"
			"queue:failed-table|queue:batches-table|session:table|notifications:table|model:prune|"
			"auth:clear-resets|schedule:run|schedule:finish|schedule:clear-cache|stub:publish|"
			"lang:publish|install:api|install:broadcasting|sail:install|sail:publish|make:cast|"
			"make:channel|make:class|make:command|make:component|make:controller|make:enum|make:event|"
			"make:exception|make:factory|make:interface|make:job|make:job-middleware|make:listener|"
			"make:livewire|make:mail|make:middleware|make:migration|make:model|make:notification|"
			"make:observer|make:policy|make:provider|make:request|make:resource|make:rule|make:scope|"
			"make:seeder|make:test|make:trait|make:view|ide-helper:generate|ide-helper:models|"
			"ide-helper:meta|env:encrypt|env:decrypt|passport:install|passport:keys|horizon:install|"
			"telescope:install|livewire:make|scout:import|scout:flush|permission:cache-reset",
		.options = "--pretend!r --show!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "console|symfony",
		.options = "-q -v -n --no-interaction -e=d --env=d --no-debug -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "console|symfony",
		.names = "list|help|about|debug:router|debug:container|debug:autowiring|debug:config|"
			"debug:event-dispatcher|debug:form|debug:twig|debug:translation|debug:validator|"
			"debug:messenger|debug:firewall|debug:dotenv|debug:scheduler|debug:serializer|lint:container|"
			"lint:twig|lint:yaml|lint:xliff|lint:translations|router:match|config:dump-reference|"
			"doctrine:schema:validate|doctrine:mapping:info|doctrine:migrations:status|"
			"doctrine:migrations:list|doctrine:migrations:current|doctrine:migrations:latest|"
			"doctrine:migrations:up-to-date|check:requirements|check:security|security:check|"
			"local:php:list|server:status|server:list|messenger:stats|secrets:list|cache:pool:list",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "symfony", .names = "console", .operands = "d*" },
	{ .of = "console|symfony",
		.names = "cache:clear|cache:warmup|cache:pool:clear|cache:pool:delete|cache:pool:invalidate-tags|"
			"cache:pool:prune|assets:install|importmap:install|importmap:require|importmap:remove|"
			"importmap:update|asset-map:compile|doctrine:cache:clear-metadata|doctrine:database:create|"
			"doctrine:database:drop|doctrine:fixtures:load|doctrine:migrations:diff|"
			"doctrine:migrations:dump-schema|doctrine:migrations:execute|doctrine:migrations:generate|"
			"doctrine:migrations:migrate|doctrine:migrations:rollup|doctrine:migrations:version|"
			"doctrine:migrations:sync-metadata-storage|doctrine:schema:create|doctrine:schema:drop|"
			"doctrine:schema:update|doctrine:query:sql|dbal:run-sql|doctrine:query:dql|d:m:m|d:m:d|d:s:u|"
			"make:auth|make:command|make:controller|make:crud|make:docker:database|make:entity|"
			"make:fixtures|make:form|make:functional-test|make:listener|make:message|"
			"make:messenger-middleware|make:migration|make:registration-form|make:reset-password|"
			"make:security:form-login|make:serializer:encoder|make:stimulus-controller|make:subscriber|"
			"make:test|make:twig-component|make:twig-extension|make:unit-test|make:user|make:validator|"
			"make:voter|messenger:setup-transports|messenger:failed:remove|messenger:failed:retry|"
			"secrets:set|secrets:remove|secrets:generate-keys|secrets:decrypt-to-local|"
			"secrets:encrypt-from-local|translation:extract|translation:pull|translation:push|new|"
			"local:new|local:server:ca:install|server:ca:install|deploy|dotenv:dump",
		.options = "--dump-sql!r --dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "wp", .options = "--path=d --url=d --info!h --help!h --version!h --allow-root", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "wp", .names = "eval", .operands = "k", .language = "php" },
	{ .of = "wp", .names = "eval-file", .operands = "fd*", .language = "php" },
	{ .of = "wp", .names = "shell", .traits = ZS_ROW_STDIN_CODE, .language = "php" },
};
// clang-format on
ZS_TABLE_COUNT(php);
