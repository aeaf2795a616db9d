/* Ruby: gems, bundler, rake, Rails, test runners, linters. The interpreter is in rows_interpreters.c. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(ruby) = {
	{ .names = "bundle|bundler", .options = "-v!h --help!h --version!h -h!h -V --verbose -r=d --retry=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bundle|bundler",
		.names = "install|i|check|list|show|info|outdated|audit|viz|platform|doctor|help|version|licenses|"
			"fund|env|issue",
		.options = "--path=w --binstubs?w -f=d --gemfile=d --without=d --with=d -j=d --jobs=d --group=d "
			"--only-group=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "bundle|bundler",
		.names = "add|remove|update|init|lock|clean|package|cache|binstubs|gem|pristine|open|inject|plugin",
		.options = "--print!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bundle|bundler", .names = "config", .options = "--parseable -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LISTS, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "bundle config|bundler config", .names = "list|get", .operands = "d*" },
	{ .names = "gem", .options = "-v!h --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gem",
		.names = "list|search|info|env|environment|which|contents|dependency|specification|outdated|install|"
			"help|check|stale|query|sources|server|lock|rdoc|mirror",
		.options = "-i=w --install-dir=w -n=w --bindir=w -a=d --add=d -r=d --remove=d", .operands = "d*" },
	{ .of = "gem",
		.names = "build|push|uninstall|update|cleanup|unpack|fetch|yank|owner|pristine|generate_index|open|"
			"cert|signin|signout|rebuild|exec", .options = "--dryrun!r -n!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rake|thor|drake",
		.options = "-f=f --rakefile=f -C=d -D?N --describe?N -T!h --tasks!h -P!h --prereqs!h -W!h --where!h "
			"-n!h --dry-run!h -e=k --execute=k -p=k --execute-print=k -E=k --execute-continue=k -I=d "
			"--libdir=d -R=d --rakelibdir=d -r=f --require=f -j?N --jobs?N -m -q -s -t?N --trace?N -h!h "
			"-H!h --help!h -V!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS,
		.language = "ruby", .traits = ZS_ROW_BUILDS },
	{ .of = "rake|thor|drake",
		.names = "db:migrate|db:migrate:up|db:migrate:down|db:migrate:redo|db:create|db:drop|db:seed|"
			"db:setup|db:reset|db:rollback|db:schema:load|db:schema:dump|db:structure:dump|db:prepare|"
			"db:fixtures:load|release|install|install:local|clobber|rubocop:autocorrect|"
			"rubocop:autocorrect_all|rubocop:auto_correct|standard:fix|standard:fix_unsafely|"
			"assets:precompile|assets:clobber|gettext:po:update|annotate_models|version:bump|"
			"version:bump:patch|version:bump:minor|version:bump:major|version:write",
		.traits = ZS_ROW_WRITES },
	{ .names = "rspec|turbo_tests|parallel_rspec",
		.options = "--init!w -o=w --out=w --deprecation-out=w --profile?N -f=d --format=d -e=d --example=d "
			"-E=d --example-matches=d -t=d --tag=d -P=d --pattern=d --exclude-pattern=d -r=f --require=f "
			"-I=d --seed=d --order=d -O=d --options=d --bisect?N --failure-exit-code=d --only-failures "
			"--fail-fast?N -c -b -n=d -d -w -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "cucumber",
		.options = "-o=w --out=w --init!w -f=d --format=d -t=d --tags=d -n=d --name=d -p=d --profile=d -r=f "
			"--require=f --publish -h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "minitest|m|mtest|test-unit",
		.options = "-n=d --name=d -s=d --seed=d -v -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "rubocop|rubocop-daemon",
		.options = "-a!w -A!w --auto-correct!w --autocorrect!w --auto-correct-all!w --autocorrect-all!w "
			"--safe-auto-correct!w -x!w --fix-layout!w --auto-gen-config!w --regenerate-todo!w --init!w "
			"--disable-uncorrectable!w -o=w --out=w --cache=d --cache-root=w -f=d --format=d "
			"-c=d --config=d "
			"--only=d --except=d -s=d --stdin=d -r=d --require=d --plugin=d --fail-level=d --show-cops?N "
			"-l --lint -E -S -d -D -h!h -v!h -V!h --help!h --version!h --verbose-version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "standardrb",
		.options = "--fix!w --fix-unsafely!w --generate-todo!w -o=w --out=w --no-fix --lsp -f=d --format=d "
			"--todo -h!h --help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "erb_lint|erblint",
		.options = "-a!w --autocorrect!w --lint-all --format=d --config=d --enable-linters=d "
			"--enable-all-linters --cache-dir=d --clear-cache!w -s=d --stdin=d -h!h --help!h -v!h "
			"--version!h", .operands = "d*" },
	{ .names = "haml-lint|slim-lint|scss-lint",
		.options = "-a!w -A!w --auto-correct!w --auto-correct-all!w --auto-gen-config!w -o=w --out=w -c=d "
			"--config=d -r=d --reporter=d -i=d -x=d -e=d -h!h --help!h -v!h -V!h --version!h",
		.operands = "d*" },
	{ .names = "htmlbeautifier|erb-format|rufo|rubyfmt|stree|syntax_tree",
		.options = "-c!r --check!r --list!r --print!r --stdin!r -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "reek|fasterer|flog|flay|rubycritic|brakeman|bundler-audit|bundle-audit|debride|mutant|sorbet|"
			"steep|rbs|yard|yri|ri|rdoc|packwerk|rails_best_practices|i18n-tasks|dawn|ruby_audit|"
			"license_finder|undercover|pronto|danger",
		.options = "-o=w --output=w --out=w --todo!w -t!w -p=d --path=d -I!w --interactive-ignore!w "
			"--write-rbi!w --autocorrect!w -a!w -f=d --format=d -c=d --config=d -h!h --help!h -v!h -V!h "
			"--version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "reek|fasterer|flog|flay|rubycritic|brakeman|packwerk|i18n-tasks|steep",
		.names = "init|update|add|remove|normalize|add-missing|remove-unused|mv|data-remove|"
			"translate-missing", .traits = ZS_ROW_WRITES },
	{ .names = "srb", .options = "--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "srb", .names = "tc|typecheck",
		.options = "-a!w --autocorrect!w --web-trace-file=w --store-state=w --metrics-file=w --statsd-host=d "
			"-e=d --lsp -P --print=d", .operands = "d*" },
	{ .of = "srb", .names = "init|rbi", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "tapioca", .options = "--verify!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rails", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "rails",
		.names = "test|test:all|test:system|test:models|test:controllers|t|routes|about|notes|stats|version|"
			"middleware|spec|initializers|unused_routes|secret|server|s|zeitwerk:check|db:version|"
			"db:migrate:status|db:abort_if_pending_migrations|time:zones|time:zones:all|credentials:show|"
			"credentials:diff|encrypted:show|boot|benchmark", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "rails", .names = "runner|r", .options = "-e=d --environment=d", .operands = "k",
		.language = "ruby" },
	{ .of = "rails", .names = "console|c|dbconsole|db", .options = "-e=d --environment=d --sandbox -s",
		.traits = ZS_ROW_STDIN_CODE, .language = "ruby" },
	{ .of = "rails",
		.names = "generate|g|destroy|d|new|plugin|app:update|app:template|db:migrate|db:migrate:up|"
			"db:migrate:down|db:migrate:redo|db:create|db:drop|db:seed|db:seed:replant|db:setup|db:reset|"
			"db:rollback|db:schema:load|db:schema:dump|db:prepare|db:fixtures:load|db:structure:dump|"
			"db:system:change|credentials:edit|encrypted:edit|assets:precompile|assets:clobber|"
			"assets:clean|active_storage:install|action_text:install|action_mailbox:install|"
			"importmap:install|stimulus:install|turbo:install|tailwindcss:install|javascript:install|"
			"css:install|tmp:clear|tmp:create|log:clear|restart|webpacker:install|dev:cache|devcontainer",
		.options = "-p!r --pretend!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "spring|annotate|annotaterb|rails-erd|erd|overcommit|pod|fastlane|cap|mina|whenever|guard|jekyll|"
			"middleman|nanoc|bridgetown|hanami|kitchen|puppet-lint|foodcritic|cookstyle",
		.options = "-d=w --destination=w -o=w --out-file=w --output=w -D=w --destination-dir=w -F?w --fix!w "
			"-a!w --auto-correct!w --autocorrect!w --autocorrect-all!w -A!w --update-crontab!w -w!w -i!w "
			"--clear-crontab!w -f=d --format=d -c=d --config=d -h!h --help!h -v!h --version!h -V!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "annotate|annotaterb|overcommit|pod|fastlane|cap|mina|guard|jekyll|middleman|nanoc|bridgetown|hanami",
		.names = "install|init|update|deintegrate|setup|new|models|routes|delete|release|deploy|generate|"
			"destroy|clean|post|draft|publish|repo|trunk", .traits = ZS_ROW_WRITES },
	/* asciidoctor writes beside its source, unless -o names another file; -o - prints */
	{ .names = "asciidoctor",
		.options = "-o=W --out-file=W -D=w --destination-dir=w -a=d --attribute=d -b=d --backend=d -d=d "
			"--doctype=d -r=d --require=d -I=d -T=d -B=d -R=d -S=d -E=d -h!h --help!h -v -V!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(ruby);
