/* The files that compilers make when no flag names one. Rows without a mark were seen to make them. */
#include "vetting.h"

struct row {
	const char *command;
	const char *path; /* the file that is made; NULL: none */
};

/* clang-format off */
TEST(compilers_write)
{
	static const struct row rows[] = {
		{ "gcc -c x.c", "x.o" }, { "gcc -c src/x.c", "x.o" }, { "gcc -S x.c", "x.s" }, { "gcc x.c", "a.out" },
		{ "cc x.c y.c -lm", "a.out" }, { "g++ -O2 x.cpp", "a.out" }, { "gcc-12 -c x.c", "x.o" },
		{ "gcc -c -x c -", "input.o" }, { "/usr/bin/gcc -c x.c", "x.o" }, { "ccache gcc -c x.c", "x.o" },
		{ "gcc -o x x.c", "x" }, { "gcc -c x.c -o y.o", "y.o" }, { "x86_64-linux-gnu-gcc -c x.c", "x.o" },
		{ "clang -c x.c", "x.o" }, { "clang --analyze x.c", "x.plist" }, /* not executed */
		{ "rustc x.rs", "x" }, { "rustc src/x.rs", "x" }, { "rustc --emit=metadata x.rs", "libx.rmeta" },
		{ "rustc --crate-type lib x.rs", "libx.rlib" }, { "rustc --crate-type=lib x.rs", "libx.rlib" },
		{ "javac A.java", "A.class" }, { "javac s/A.java", "s/A.class" }, { "javac -d out A.java", "out" },
		{ "go build x.go", "x" }, { "go build cmd/x.go", "x" }, { "go build -o y x.go", "y" },
		{ "tsc x.ts", "x.js" }, { "tsc src/x.ts", "src/x.js" }, { "npx tsc x.ts", "x.js" },
		{ "ld x.o", "a.out" }, { "ld -o y x.o", "y" }, { "as x.s", "a.out" }, { "as -o x.o x.s", "x.o" },
		{ "nasm x.asm", "x" }, { "ar rc x.a x.o", "x.a" }, { "ranlib x.a", "x.a" }, { "strip x", "x" },
		{ "strip -o y x", "y" }, { "objcopy x y", "y" }, { "objcopy x", "x" }, { "pdflatex x.tex", "x.pdf" },
		{ "awk -i inplace '{print}' x", "x" }, { "iverilog -o y x.v", "y" }, { "ocamlc x.ml", "a.out" },
		{ "gcc -fsyntax-only x.c", NULL }, { "gcc -E x.c", NULL }, { "gcc -M x.c", NULL },
		{ "gcc -MM x.c", NULL }, { "gcc '-###' x.c", NULL }, { "gcc --version", NULL }, { "gcc -v", NULL },
		{ "gcc -o /dev/null x.c", NULL }, { "gcc -print-file-name=x", NULL }, { "cpp x.c", NULL },
		{ "javac -version", NULL }, { "javac -d /dev/null A.java", NULL }, { "rustc --print cfg", NULL },
		{ "go build", NULL }, { "go build ./...", NULL }, { "go build ./cmd/x", NULL }, { "go vet x.go", NULL },
		{ "go build -n x.go", NULL }, { "tsc", NULL }, { "tsc -p .", NULL }, { "tsc --noEmit x.ts", NULL },
		{ "ld --version", NULL }, { "as --version", NULL }, { "ar t x.a", NULL }, { "cat < x", NULL },
		{ "make", NULL }, { "cargo build", NULL }, { "cmake --build build", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, rows[i].command);
		const struct zs_ir *ir = &report->ir;
		bool writes = (report->risks & 1u << ZS_RISK_WRITE) != 0;

		/* the write is reported in strict, which lets it pass */
		CHECK(report->verdict == ZS_ALLOW, "%s: strict", rows[i].command);
		CHECK(writes == (rows[i].path != NULL), "%s: %s", rows[i].command, writes ? "writes" : "reads");
		CHECK(ir->write_count == (rows[i].path ? 1u : 0u), "%s: %u writes", rows[i].command, ir->write_count);
		if (rows[i].path && ir->write_count == 1)
			CHECK(ir->writes[0].path.text && strcmp(ir->writes[0].path.text, rows[i].path) == 0, "%s: '%s'",
				rows[i].command, ir->writes[0].path.text ? ir->writes[0].path.text : "?");
		CHECK(vet(ZS_PROFILE_VERIFY, rows[i].command)->verdict == (rows[i].path ? ZS_BLOCK : ZS_ALLOW),
			"%s: verify", rows[i].command);
	}
}

/* If the source is known only at run time, so is the file that is made. */
TEST(compilers_write_unknown)
{
	static const char *const commands[] = { "gcc -c \"$f\"", "for f in *.c; do gcc -c $f; done", "gcc -c *.c",
		"ls *.c | xargs gcc -c", "javac *.java", "find . -name '*.c' -exec gcc -c {} +" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		CHECK(vet(ZS_PROFILE_VERIFY, commands[i])->code == ZS_RISK_WRITE, "%s", commands[i]);
}

/* Variables of the environment that name programs, load code or write files. */
TEST(variables_of_tools)
{
	static const struct {
		const char *command;
		enum zs_risk code;
	} rows[] = {
		{ "CFLAGS='; touch x' make", ZS_RISK_INLINE_CODE },
		{ "CFLAGS='$(shell touch x)' make", ZS_RISK_INLINE_CODE },
		{ "FOO='$(shell touch x)' make", ZS_RISK_INLINE_CODE },
		{ "export CFLAGS='`touch x`'; make", ZS_RISK_INLINE_CODE },
		{ "env FOO='$(shell touch x)' make", ZS_RISK_INLINE_CODE },
		{ "env -u A FOO='; touch x' make -j2", ZS_RISK_INLINE_CODE },
		{ "export FOO='$(shell touch x)'; make", ZS_RISK_INLINE_CODE },
		{ "export A=1 FOO='; touch x'; nice make all", ZS_RISK_INLINE_CODE },
		{ "bash -c 'export FOO=\"; touch x\"; make'", ZS_RISK_INLINE_CODE },
		{ "env FOO='a (b)' ls", ZS_RISK_NONE }, { "export FOO='a (b)'; ls", ZS_RISK_NONE },
		{ "export FOO=a; make", ZS_RISK_NONE }, { "env FOO=a make", ZS_RISK_NONE },
		{ "CFLAGS='-fplugin=./x.so' make", ZS_RISK_ENVIRONMENT }, { "CFLAGS='-O2 -Wall' make", ZS_RISK_NONE },
		{ "CFLAGS=-g LDFLAGS='-L/x -lfoo' ./configure", ZS_RISK_NONE }, { "V=1 make", ZS_RISK_NONE },
		{ "LESSEDIT='rm %f' less x", ZS_RISK_WRITE }, { "LESSHISTFILE=x less y", ZS_RISK_WRITE },
		{ "LESSHISTFILE=/dev/null less y", ZS_RISK_NONE }, { "LESSKEYIN=x less y", ZS_RISK_ENVIRONMENT },
		{ "SVN_MERGE=rm svn update", ZS_RISK_WRITE }, { "SSH_SK_HELPER='rm x' ssh h", ZS_RISK_WRITE },
		{ "SYSTEMD_EDITOR=rm systemctl edit x", ZS_RISK_WRITE }, { "GNUPGHOME=x gpg -k", ZS_RISK_ENVIRONMENT },
		{ "HARNESS_PERL='rm x' prove t", ZS_RISK_WRITE }, { "PERLIO_DEBUG=x perl t.pl", ZS_RISK_WRITE },
		{ "PERL5LIB=lib prove t", ZS_RISK_NONE }, { "PERL5LIB=/tmp/x prove t", ZS_RISK_ENVIRONMENT },
		{ "PYTHONPATH=src pytest", ZS_RISK_NONE }, { "PYTHONPATH=/tmp/x pytest", ZS_RISK_ENVIRONMENT },
		{ "NODE_PATH=/tmp/x node a.js", ZS_RISK_ENVIRONMENT }, { "RUBYLIB=lib ruby a.rb", ZS_RISK_NONE },
		{ "NODE_REDIRECT_WARNINGS=x node a.js", ZS_RISK_WRITE },
		{ "CARGO_ALIAS_B='run -- x' cargo b", ZS_RISK_ENVIRONMENT },
		{ "GOCACHEPROG='rm x' go build ./...", ZS_RISK_WRITE }, { "GOAUTH='rm x' go list", ZS_RISK_WRITE },
		{ "GOROOT=/tmp/x go vet ./...", ZS_RISK_ENVIRONMENT }, { "GOCOVERDIR=x go test ./...", ZS_RISK_WRITE },
		{ "PIP_TARGET=x pip install y", ZS_RISK_WRITE }, { "PIP_PYTHON='rm x' pip list", ZS_RISK_WRITE },
		{ "MANROFFOPT=-U man ls", ZS_RISK_ENVIRONMENT }, { "RSYNC_PARTIAL_DIR=x rsync -n a b:", ZS_RISK_WRITE },
		{ "PYTEST_PLUGINS=os pytest", ZS_RISK_ENVIRONMENT },
		{ "shell_escape=t pdflatex -draftmode", ZS_RISK_ENVIRONMENT },
		{ "RUST_BACKTRACE=1 RUST_LOG=debug cargo test", ZS_RISK_NONE },
		{ "GOOS=linux go vet ./...", ZS_RISK_NONE },
		{ "PYTHONWARNINGS=error PYTHONHASHSEED=0 pytest", ZS_RISK_NONE },
		{ "LEX=flex YACC=byacc make", ZS_RISK_NONE },
		{ "RANLIB=llvm-ranlib STRIP=true make", ZS_RISK_NONE }, { "RANLIB='rm -f' make", ZS_RISK_WRITE },
		{ "CMAKE_C_COMPILER_LAUNCHER=ccache cmake -S . -B b", ZS_RISK_NONE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_VERIFY, rows[i].command);

		CHECK(report->code == rows[i].code, "%s: %s", rows[i].command,
			report->verdict == ZS_BLOCK ? report->reason : "allowed");
	}
}
