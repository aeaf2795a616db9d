/* cargo with its common plugins, rustc, rustup. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(rust) = {
	{ .names = "cargo",
		.options = "-q --quiet -v --verbose -V!h --version!h --list!h --explain=d --help!h -h!h --color=d "
			"--config=d -Z=d --offline --locked --frozen -C=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_TOOLCHAIN },
	{ .of = "cargo",
		.names = "build|b|check|c|test|t|bench|clippy|doc|d|miri|rustc|rustdoc|udeps|semver-checks|"
			"rustdoc-json|hack|asm|bloat|careful|criterion|careful-test",
		.options = "-p=d --package=d --exclude=d --bin=d --bins --example=d --examples --test=d --tests "
			"--bench=d --benches --lib --features=d -F=d --target=d --target-dir=d --out-dir=w "
			"--artifact-dir=w --manifest-path=d --profile=d -j=d --jobs=d --message-format=d --color=d "
			"--config=d -Z=d -h!h --help!h --fix!w --timings?N --open --cargo-profile=d  "
			"--profile-time=d --baseline-rustdoc=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	/* the words after the package are the program's arguments */
	{ .of = "cargo", .names = "run|r",
		.options = "-p=d --package=d --bin=d --example=d --features=d -F=d --target=d --target-dir=d "
			"--manifest-path=d --profile=d -j=d --jobs=d --message-format=d --color=d --config=d -Z=d "
			"-h!h --help!h --timings?N", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "cargo",
		.names = "tree|metadata|search|info|locate-project|pkgid|read-manifest|verify-project|version|help|"
			"fetch|geiger|msrv|outdated|license|modules|depgraph|about|unused-features|show-asm|"
			"bisect-rustc",
		.options = "-p=d --package=d --features=d -F=d --target=d --manifest-path=d --format=d "
			"--format-version=d -e=d --edges=d -i=d --invert=d --depth=d --output-file=w -o=w "
			"--write-msrv!w -h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "cargo", .names = "report", .operands = "d*" },
	{ .of = "cargo", .names = "config", .operands = "d*" },
	{ .of = "cargo", .names = "audit|deny|spellcheck",
		.options = "-w --workspace -c=d --manifest-path=d --config=d -h!h --help!h --with-metadata --json "
			"-f=d --file=d -D=d --deny=d --ignore=d -n --no-fetch --db=d -q -L=d --log-level=d "
			"--format=d --color=d --all-features --no-default-features --features=d --exclude=d -t=d "
			"--target=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cargo", .names = "machete", .options = "--fix!w --with-metadata --skip-target-dir -h!h --help!h",
		.operands = "d*" },
	{ .of = "cargo", .names = "sort", .options = "-c!r --check!r -p!r --print!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "cargo", .names = "nextest", .options = "-h!h --help!h -V!h --version!h --manifest-path=d --color=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cargo nextest", .names = "run|r|list|show-config|help|debug|bench",
		.options = "-p=d --package=d -E=d --filterset=d -P=d --profile=d -j=d --test-threads=d --retries=d "
			"--features=d --archive-file=d --cargo-profile=d --message-format=d -h!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "cargo nextest", .names = "archive", .options = "--archive-file=W -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "cargo nextest", .names = "self", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "cargo deny|cargo audit", .names = "check|list|fetch|help|bin",
		.options = "-h!h --help!h -c=d --config=d -D=d -A=d -W=d -f=d --format=d -l=d --layout=d",
		.operands = "d*" },
	{ .of = "cargo deny|cargo audit|cargo spellcheck", .names = "fix|init",
		.options = "--dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "cargo spellcheck", .names = "check|list-files|config", .options = "--fix!w -h!h", .operands = "d*" },
	{ .of = "cargo", .names = "llvm-cov|tarpaulin",
		.options = "--output-path=w --output-dir=w -o=d --out=d -p=d --package=d --features=d -F=d --bin=d "
			"--test=d --tests --lib --target=d --target-dir=d --manifest-path=d --html --json --lcov "
			"--cobertura --text --open --ignore-filename-regex=d --fail-under-lines=d --exclude=d "
			"--exclude-files=d -e=d -r=d -t=d --profile=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "cargo", .names = "expand",
		.options = "-p=d --package=d --lib --bin=d --example=d --test=d --tests --features=d --target=d "
			"--target-dir=d --manifest-path=d --theme=d --color=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "cargo", .names = "fmt",
		.options = "--check!r -h!h --help!h --version!h --all -p=d --package=d --manifest-path=d "
			"--message-format=d", .operands = "d*", .traits = ZS_ROW_WRITES,
		.grammar = ZS_GRAMMAR_CHECK_FLAG },
	{ .of = "cargo", .names = "insta", .options = "-h!h --help!h --version!h --color=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cargo insta", .names = "test|t",
		.options = "--accept!w --accept-unseen!w --review!w --delete-unreferenced-snapshots!w "
			"--unreferenced=d --force-update-snapshots!w --force-update!w --check -p=d --package=d "
			"--features=d --test-runner=d --manifest-path=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "cargo insta", .names = "accept|reject|review", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "cargo insta", .names = "pending-snapshots|show|help", .operands = "d*" },
	{ .of = "cargo",
		.names = "add|remove|rm|init|new|update|install|uninstall|publish|package|vendor|yank|login|logout|"
			"owner|generate-lockfile|clean|edit|upgrade|set-version|generate|release|workspaces|lambda|"
			"component|ndk|dist|chef|binstall|install-update|cache|sweep|wipe|make|smart-release|sqlx|"
			"leptos|tauri|contract|fuzz|mutants|crev|deb|rpm|bundle|shuttle|autoinherit|shear|"
			"sync-readme|rdme|readme", .options = "-h!h --help!h --dry-run!r -n!r --list!r --check!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "cargo", .names = "fix", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .of = "cargo", .names = "xtask|watch-check", .operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS,
		.traits = ZS_ROW_BUILDS },
	{ .names = "rustc|clippy-driver",
		.options = "-o=w --out-dir=w --emit=O -C=d --codegen=d --crate-type=d --crate-name=d --edition=d "
			"--cfg=d --check-cfg=d --extern=d -L=d -l=d --target=d --print=d --sysroot=d "
			"--error-format=d --test --remap-path-prefix=d -V!h -vV!h --version!h --explain=d "
			"--cap-lints=d -A=d -W=d -D=d -F=d --allow=d --warn=d --deny=d -Z=d --help!h -h!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_COMPILES, .language = "rust" },
	{ .names = "rustdoc",
		.options = "-o=W --output=W --out-dir=W --emit=d --crate-name=d --crate-type=d --edition=d --test!r "
			"--test-args=d -L=d --extern=d --cfg=d --target=d -V!h --version!h --help!h -h!h -w=d "
			"--output-format=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rustfmt",
		.options = "--check!h --backup!w --print-config=d --emit=d -h!h -V!h --help!h --version!h "
			"--edition=d --style-edition=d --config=d --config-path=d --color=d -l --files-with-diff -v "
			"-q --verbose --quiet", .operands = "w*" },
	{ .names = "rustup", .options = "-V!h --version!h --help!h -h!h -v -q --verbose --quiet", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_TOOLCHAIN },
	{ .of = "rustup", .names = "show|which|doc|check|help|completions|man", .operands = "d*" },
	{ .of = "rustup", .names = "toolchain|target|component|override", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "rustup toolchain|rustup target|rustup component|rustup override", .names = "list|help",
		.operands = "d*" },
	{ .of = "rustup toolchain|rustup target|rustup component|rustup override",
		.names = "install|add|uninstall|remove|link|update|set|unset", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "rustup", .names = "run", .options = "--install -h!h --help!h", .operands = "dX",
		.traits = ZS_ROW_STRICT },
	{ .of = "rustup", .names = "update|install|default|self|set|uninstall|upgrade|dump-testament",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "cross", .options = "-q -v -V!h --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_TOOLCHAIN },
	{ .of = "cross", .names = "build|b|check|c|test|t|bench|clippy|run|r|doc|rustc",
		.options = "-p=d --package=d --target=d --target-dir=d --manifest-path=d --features=d -F=d "
			"--profile=d --fix!w -h!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "cargo-nextest|cargo-clippy|cargo-audit|cargo-deny|cargo-machete|cargo-outdated|cargo-llvm-cov",
		.options = "--fix!w --archive-file=w --output-path=w --output-dir=w -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "cargo-fmt", .options = "--check!r -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_CHECK_FLAG },
	{ .names = "cargo-insta", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "wasm-pack|trunk|wasm-bindgen", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "wasm-pack|trunk|wasm-bindgen", .names = "test|help", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "wasm-pack|trunk|wasm-bindgen", .names = "build|serve|watch",
		.options = "-d=w --out-dir=w --dist=w --out-name=d -t=d --target=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "wasm-pack|trunk|wasm-bindgen", .names = "new|init|pack|publish|login|clean|config", .operands = "d*",
		.traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(rust);
