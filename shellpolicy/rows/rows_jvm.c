/* java and its tools, Maven, Gradle, sbt and the languages on the JVM. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(jvm) = {
	{ .names = "java",
		.options = "-cp=d -classpath=d --class-path=d -p=d --module-path=d --upgrade-module-path=d "
			"--add-modules=d --add-exports=d --add-opens=d --add-reads=d --limit-modules=d "
			"--enable-native-access=d --source=d -jar=f -m=d --module=d -d=d --describe-module=d "
			"--list-modules!h --dry-run!h -showversion -version!h --version!h -fullversion!h "
			"--full-version!h -help!h --help!h -h!h -?!h -X!h --help-extra!h", .operands = "fd*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_NO_PERMUTE, .grammar = ZS_GRAMMAR_JAVA },
	{ .names = "kotlinc|scalac|groovyc|kotlinc-jvm|kotlinc-js",
		.options = "-d=w -cp=d -classpath=d --class-path=d -p=d -module-name=d -jvm-target=d "
			"-language-version=d -api-version=d -script=f -e=k -version!h --version!h -help!h --help!h "
			"-X!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_COMPILES,
		.language = "kotlin" },
	{ .names = "javac|ecj",
		.options = "-d=w -s=w -h=w -cp=d -classpath=d --class-path=d -sourcepath=d --source-path=d "
			"--module-path=d -p=d --module=d -m=d -source=d --source=d -target=d --target=d -release=d "
			"--release=d -processor=d -processorpath=d --processor-path=d -encoding=d -Xstdout=w "
			"-jvm-target=d -language-version=d -script=f -e=k -proc:none -Xdiags:verbose -version!h "
			"--version!h -help!h --help!h -X!h -Xlint?N", .operands = "d*", .traits = ZS_ROW_LONG_DASH,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "java" },
	{ .names = "javap|jdeps|jps|jstack|jinfo|jstat|jdeprscan|jimage",
		.options = "-dotoutput=w --dot-output=w --generate-module-info=w --generate-open-module=w -version!h "
			"--version!h -help!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "jcmd", .operands = "d*" },
	{ .names = "jmap", .options = "-dump:=O -h!h -help!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED },
	{ .names = "jar", .operands = "d*", .grammar = ZS_GRAMMAR_TAR },
	{ .names = "jmod|jlink|jpackage|keytool|jarsigner|native-image|serialver|rmic|jaotc|javadoc|dokka|scaladoc|"
			"groovydoc",
		.options = "-d=W -o=W --output=W --dest=W -version!h --version!h -list!r -printcert!r -verify!r "
			"-help!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "jshell",
		.options = "--execution=d --class-path=d --module-path=d --startup=f -R=d -C=d -J=d -s -q -v -n -h!h "
			"--help!h --version!h", .operands = "f*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_STDIN_CODE, .language = "java" },
	{ .names = "jwebserver|rmiregistry", .operands = "d*" },
	{ .names = "mvn|mvnw|mvnd",
		.options = "-f=d --file=d -P=d --activate-profiles=d -pl=d --projects=d -rf=d --resume-from=d -D=O "
			"--define=O -s=d --settings=d -gs=d --global-settings=d -gt=d -l=w --log-file=w -T=d "
			"--threads=d -t=d --toolchains=d -b=d --builder=d -color=d -itr -am -amd -ntp -o -v!h "
			"--version!h -V -h!h --help!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS,
		.traits = ZS_ROW_BUILDS },
	{ .of = "mvn|mvnw|mvnd",
		.names = "deploy|site-deploy|release:prepare|release:perform|release:rollback|release:clean|"
			"release:update-versions|release:branch|versions:set|set|set-property|set-scm-tag|"
			"update-properties|update-property|update-parent|update-child-modules|use-latest-versions|"
			"use-latest-releases|use-latest-snapshots|use-next-versions|use-next-releases|"
			"use-next-snapshots|use-releases|use-dep-version|force-releases|lock-snapshots|"
			"unlock-snapshots|resolve-ranges|revert|commit|apply|spotless:apply|fmt:format|"
			"formatter:format|spring-javaformat:apply|license:format|license:update-file-header|"
			"license:remove|sortpom:sort|sort|tidy:pom|impsort:sort|prettier:write|ktlint:format|"
			"xml-format:xml-format|rewrite:run|rewrite:runNoFork|archetype:generate|"
			"archetype:create-from-project|wrapper:wrapper|flyway:migrate|flyway:clean|flyway:baseline|"
			"flyway:repair|flyway:undo|liquibase:update|liquibase:rollback|liquibase:dropAll|"
			"liquibase:generateChangeLog|scm:checkin|scm:tag|dependency:copy|"
			"dependency:copy-dependencies|dependency:unpack|dependency:purge-local-repository|"
			"install:install-file|deploy:deploy-file", .traits = ZS_ROW_WRITES },
	{ .names = "gradle|gradlew",
		.options = "-p=d --project-dir=d -b=d --build-file=d -c=d --settings-file=d -I=f --init-script=f "
			"-g=d --gradle-user-home=d -D=O --system-prop=O -P=O --project-prop=O -x=d --exclude-task=d "
			"--tests=d --include-build=d --project-cache-dir=d --console=d --max-workers=d --priority=d "
			"--warning-mode=d --write-locks!w -M=w --write-verification-metadata=w --update-locks=w "
			"--export-keys!w --profile --scan -m!h --dry-run!h --rerun-tasks -q -i -d -s -S -w -h!h -?!h "
			"--help!h -v!h --version!h --status!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS,
		.traits = ZS_ROW_BUILDS },
	{ .of = "gradle|gradlew",
		.names = "spotlessApply|ktlintFormat|formatKotlin|formatSource|googleJavaFormat|scalafmt|scalafmtAll|"
			"detektGenerateConfig|detektBaseline|apiDump|updateLegacyAbi|wrapper|init|publish|"
			"publishToMavenLocal|uploadArchives|release|useLatestVersions|versionCatalogUpdate|"
			"licenseFormat|updateLicenses|updateDaemonJvm|flywayMigrate|flywayClean|flywayUndo|"
			"liquibaseUpdate|dropAll|rewriteRun|autocorrect|fix|lintFix|lintFixDebug|lintFixRelease|"
			"updateLintBaseline|sortDependencies|recordPaparazzi|recordPaparazziDebug|recordRoborazzi|"
			"recordRoborazziDebug|updateScreenshotTest|updateDebugScreenshotTest|bintrayUpload|jib|"
			"spotlessInstallGitPrePushHook|javafmt|eclipse|idea|cleanEclipse|cleanIdea",
		.traits = ZS_ROW_WRITES },
	{ .names = "sbt|sbtn",
		.options = "-D=d -J=d -java-home=d --java-home=d -ivy=d -Dsbt.version=d -v -d -h!h -help!h --help!h "
			"-version!h --version!h --script-version!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS,
		.traits = ZS_ROW_BUILDS },
	{ .of = "sbt|sbtn",
		.names = "scalafmt|scalafmtAll|scalafmtSbt|scalafixAll|scalafix|javafmt|javafmtAll|headerCreate|"
			"headerCreateAll|publish|publishSigned|publishLocal|publishM2|release|githubWorkflowGenerate|"
			"new|set", .traits = ZS_ROW_WRITES },
	{ .names = "mill", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .names = "cs|coursier", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cs|coursier",
		.names = "resolve|fetch|launch|version|help|list|search|complete-dep|java-home|java|get",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "amm|scala-cli|scala",
		.options = "-e=k --execute-script=k -h!h --help!h -help!h -version!h --version!h -v!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STDIN_CODE, .language = "scala" },
	{ .of = "amm|scala-cli|scala",
		.names = "run|test|compile|repl|version|help|about|doctor|dependency-update|bloop|shebang|resolve|"
			"clean|show|inspect|plan|path",
		.options = "-e=k --script-snippet=k --scala-snippet=k --java-snippet=k --execute-script=k -d=w "
			"--compile-output=w --compilation-output=w", .operands = "d*", .language = "scala",
		.traits = ZS_ROW_BUILDS },
	{ .of = "scala-cli|scala", .names = "fmt|format", .options = "--check!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "scala-cli|scala|cs|coursier",
		.names = "fix|package|publish|setup-ide|export|install-home|config|update|uninstall|install|"
			"bootstrap|setup", .options = "--check!r -h!h --help!h -o=W --output=W", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "ant",
		.options = "-l=w -logfile=w -f=d -file=d -buildfile=d -D=d -lib=d -logger=d -listener=d "
			"-propertyfile=d -q -v -h!h -help!h -version!h -diagnostics!h -p!h -projecthelp!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .names = "lein", .options = "-o -U -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "lein",
		.names = "test|compile|run|check|classpath|deps|help|version|with-profile|show-profiles|uberjar|jar|"
			"javac|kibit|eastwood|ancient|bikeshed|repl", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "lein", .names = "new|deploy|release|change|install|upgrade|clean|pom|vcs|update-in|self-install",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "cljfmt", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cljfmt", .names = "check", .operands = "d*" },
	{ .of = "cljfmt", .names = "fix", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "lein", .names = "cljfmt", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "lein cljfmt", .names = "check", .operands = "d*" },
	{ .of = "lein cljfmt", .names = "fix", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "clj-kondo",
		.options = "--lint=d --config=d --config-dir=d --fail-level=d --filename=d --lang=d --cache?N "
			"--cache-dir=d --parallel --copy-configs!w -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "clojure|clj|bb|joker",
		.options = "-e=k --eval=k -M?k -A?N -X?k -T?k -P!h -Sdeps=d --lint!k -f=f --file=f -m=d -x=d -h!h "
			"--help!h -version!h --version!h -Sdescribe!h -Spath!h -Stree!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "clojure" },
	{ .names = "kotlin|groovy|groovysh",
		.options = "-e=k -cp=d -classpath=d --classpath=d -D=d -l=d -i?i -n -p -h!h -help!h --help!h -v!h "
			"--version!h -version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "groovy" },
	{ .names = "kotlinc-native|konanc", .options = "-o=w -output=w -p=d -l=d -version!h -help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "ktlint",
		.options = "-F!w --format!w --reporter=O --baseline=d --editorconfig=d -R=d --ruleset=d -l=d "
			"--log-level=d --limit=d --color --relative --stdin --version!h -v!h --help!h -h!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "ktlint", .names = "installGitPreCommitHook|installGitPrePushHook|generateEditorConfig",
		.traits = ZS_ROW_WRITES },
	{ .names = "ktfmt",
		.options = "-n!h --dry-run!h --set-exit-if-changed --stdin-name=d --google-style --kotlinlang-style "
			"--meta-style --version!h -v!h --help!h -h!h", .operands = "w*" },
	{ .names = "google-java-format|palantir-java-format",
		.options = "-i!i -r!i --replace!i --aosp -a --lines=d --offset=d --length=d -n!h --dry-run!h "
			"--set-exit-if-changed --assume-filename=d --version!h -v!h --help!h -h!h",
		.operands = "r*" },
	{ .names = "scalafmt",
		.options = "-t!r --test!r --check!r --list!r -l!r --stdout!r --stdin!r --non-interactive -c=d "
			"--config=d -f=d --files=d -i -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "scalafix", .options = "--check!r --stdout!r --test!r --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "detekt|detekt-cli",
		.options = "-ac!w --auto-correct!w -cb!w --create-baseline!w -gc!w --generate-config!w -b=d "
			"--baseline=d -r=O --report=O -i=d --input=d -c=d --config=d -p=d --plugins=d -h!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "checkstyle",
		.options = "-o=w -g!w --generate-xpath-suppression!w -c=d -f=d -p=d -e=d -x=d -s=d -V!h --version!h "
			"-h!h --help!h", .operands = "d*" },
	{ .names = "pmd", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pmd", .names = "check|cpd|cpd-gui|ast-dump|designer",
		.options = "-r=w --report-file=w -d=d --dir=d -R=d --rulesets=d -f=d --format=d --cache=w "
			"--minimum-tokens=d -h!h --help!h", .operands = "d*" },
	{ .names = "spotbugs|findbugs",
		.options = "-output=w -xml?W -html?W -sarif?W -effort=d -include=d -exclude=d -auxclasspath=d "
			"-textui -gui -version!h -help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "infer", .options = "-o=w --results-dir=w -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "jacoco|jacococli",
		.options = "--html=w --xml=w --csv=w --destfile=w --dest=w --classfiles=d --sourcefiles=d --help!h",
		.operands = "d*" },
	{ .names = "flyway|liquibase", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flyway|liquibase",
		.names = "info|validate|status|history|check|version|help|diff|list-locks|list|testConnection",
		.options = "-outputFile=w --output-file=w --outputFile=w -q", .operands = "d*" },
	{ .of = "flyway|liquibase",
		.names = "migrate|clean|baseline|repair|undo|update|update-one-changeset|rollback|rollback-count|"
			"drop-all|generate-changelog|changelog-sync|clear-checksums|tag|release-locks|init|add|"
			"snapshot|dropAll|generateChangeLog|diff-changelog", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "micronaut|mn|grails|jbang|jhipster|quarkus", .options = "-h!h --help!h -V!h --version!h -v!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "micronaut|mn|grails|quarkus|jhipster",
		.names = "test|build|dev|run|list|info|version|help|check|compile|doctor", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "micronaut|mn|grails|quarkus|jhipster",
		.names = "init|create|create-app|create-domain-class|generate-all|ext|add|update|deploy|image|jdl|"
			"entity|upgrade|install|uninstall", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "jbang", .names = "run|info|version|cache|jdk|app|alias|catalog|config|trust|init|edit|build|export",
		.operands = "d*" },
};
// clang-format on
ZS_TABLE_COUNT(jvm);
