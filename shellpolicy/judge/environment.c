/* Variables that change which code runs, or where it writes. They are rows: a kind, and the names of that kind. */
#include "judge/assembled.h"
#include "judge/judge.h"
#include "judge/names.h"

#include <string.h>

enum variable_kind {
	VARIABLE_LOADS,    /* programs load or run code from its value, so any value is a finding */
	VARIABLE_SCRIPT,   /* a new shell runs the file that it names; a stream is worse */
	VARIABLE_DEFINES,  /* it defines a function in a new shell */
	VARIABLE_READING,  /* it changes how bash reads later text */
	VARIABLE_COMMAND,  /* a shell command to which its user adds words; the programs in the row's list are fine */
	VARIABLE_CODE,     /* a shell command that runs as it stands */
	VARIABLE_PROMPT,   /* text that bash expands like a string in double quotes: it may hold substitutions */
	VARIABLE_PATH,     /* folders in which programs are found */
	VARIABLE_WRITES,   /* a file that is written */
	VARIABLE_FOLDERS,  /* folders with libraries that the project's own programs load */
	VARIABLE_WORDS,    /* options for a program: only those in the row's list are fine */
	VARIABLE_OPTIONS,  /* options for a program: fine unless they make it load code or write */
	VARIABLE_FLAGS,    /* options for compilers, which make puts into its recipes */
	VARIABLE_COMPILER, /* as VARIABLE_COMMAND, but the listed programs may have options; a build names their output
			    */
};

#define MAKE_WORDS                                                                                                     \
	"-j* j* -l* -k k -s s -n n -B -w w -i -O -Oline -Otarget -Orecurse -Onone --jobs --jobs=* "                    \
	"--load-average=* --keep-going --silent --quiet --no-print-directory --print-directory --output-sync "         \
	"--output-sync=* --always-make --dry-run --warn-undefined-variables --no-builtin-rules "                       \
	"--no-builtin-variables -r -R -rR rR --trace --debug* -d -ks -sk ks sk V=0 V=1 VERBOSE=0 VERBOSE=1"
/* A value of -C is attached, or the next word. */
#define RUST_WORDS                                                                                                     \
	"-D* -A* -W* -F* -g -O -C --cfg* --check-cfg* --cap-lints* --deny* --allow* --warn* -v warnings "              \
	"unused* dead_code deprecated missing_docs unsafe_code clippy::* rustdoc::* -Ctarget-* -Copt-level=* "         \
	"-Cdebuginfo=* -Cdebug-assertions* -Coverflow-checks* -Cpanic=* -Ccodegen-units=* "                            \
	"-Cinstrument-coverage* -Clto* -Cprefer-dynamic* -Cforce-frame-pointers* -Cstrip=* target-cpu=* "              \
	"target-feature=* opt-level=* debuginfo=* debug-assertions* overflow-checks* panic=* codegen-units=* "         \
	"instrument-coverage* lto* prefer-dynamic* force-frame-pointers* strip=* -Zsanitizer=*"

#define COMPILERS                                                                                                      \
	"gcc* g++* cc c++ clang* tcc icc icpc icx icpx musl-gcc gfortran* flang* cpp emcc em++ nvcc ld* mold "         \
	"mpicc mpicxx mpic++ x86_64-* aarch64-* arm-* i686-* riscv64-*"

/* Names from the manuals of bash, git, less, man, svn, rsync, ssh, gpg, sudo, systemd, make, perl, python, ruby, node,
 * cargo, go, npm and pip, and of tools that work on their files. The first row that lists a name counts. With
 * PYTHONINSPECT python reads code from its input. */
static const struct variable {
	enum variable_kind kind;
	const char *names; /* "A B X_*", as in base/listed.h */
	const char *words; /* VARIABLE_WORDS: the words that the value may hold; VARIABLE_COMMAND and VARIABLE_COMPILER:
			    * the programs that need no look; NULL: none */
} variables[] = {
	{ VARIABLE_LOADS,
		"ACKRC ACK_OPTIONS ANSIBLE_CONFIG ANSIBLE_LIBRARY APT_CONFIG AWS_CONFIG_FILE "
		"AWS_SHARED_CREDENTIALS_FILE BASH_LOADABLES_PATH BAT_CONFIG_PATH BAT_OPTS BRZ_PLUGIN_PATH "
		"BZR_PLUGIN_PATH CARGO_ENCODED_RUSTFLAGS CDPATH CMAKE_TOOLCHAIN_FILE COMPILER_PATH "
		"COVERAGE_PROCESS_START COVERAGE_RCFILE CURL_HOME DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS "
		"DOCKER_CONFIG DOTNET_STARTUP_HOOKS ELIXIR_ERL_OPTIONS EMACSLOADPATH ERL_AFLAGS ERL_FLAGS ERL_ZFLAGS "
		"EXINIT GCC_EXEC_PREFIX GCONV_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR GNUPGHOME GOROOT GOTOOLDIR "
		"GROFF_BIN_PATH GROFF_COMMAND_PREFIX GROFF_TMAC_PATH GS_LIB GS_OPTIONS GTK_MODULES GTK_PATH "
		"GUILE_LOAD_PATH GVIMINIT HARNESS_PERL_SWITCHES HELM_PLUGINS HGRCPATH INPUTRC IRBRC JJ_CONFIG "
		"JULIA_DEPOT_PATH JULIA_LOAD_PATH LESSKEY LESSKEYIN LESSKEYIN_SYSTEM LESSKEY_CONTENT LESSKEY_SYSTEM "
		"LG_CONFIG_FILE MAGICK_CODER_FILTER_PATH MAGICK_CODER_MODULE_PATH MAGICK_CONFIGURE_PATH MAILCAPS "
		"MAKEFILES MANOPT MANROFFOPT NODE_REPL_EXTERNAL_MODULE OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES "
		"PARALLEL_SHELL PERL5DB PERL5OPT PERLDB_OPTS PERL_CPANM_OPT PERL_MB_OPT PERL_MM_OPT PHPRC "
		"PHP_INI_SCAN_DIR PIP_CONFIG_FILE PSQLRC PYTEST_PLUGINS PYTHONBREAKPOINT PYTHONEXECUTABLE PYTHONHOME "
		"PYTHONINSPECT PYTHONPLATLIBDIR PYTHONSTARTUP PYTHONUSERBASE QT_PLUGIN_PATH QUILTRC RAKEOPT "
		"RIPGREP_CONFIG_PATH RSYNC_SHELL R_ENVIRON R_ENVIRON_USER R_HOME R_PROFILE R_PROFILE_USER SCREENRC "
		"SSH_SK_PROVIDER SYSTEMD_UNIT_PATH SYSTEM_WGETRC TAR_OPTIONS TCL_LIBRARY TEXMFCNF TF_CLI_CONFIG_FILE "
		"TIGRC_USER VALGRIND_LIB VALGRIND_OPTS VIMINIT VIMRUNTIME WGETRC XDG_CONFIG_DIRS XDG_CONFIG_HOME "
		"XDG_DATA_DIRS YARN_RC_FILENAME YARN_YARN_PATH ZDOTDIR ZIP ZIPOPT shell_escape shell_escape_commands",
		NULL },
	{ VARIABLE_SCRIPT, "BASH_ENV ENV", NULL },
	{ VARIABLE_READING, "BASHOPTS BASH_ALIASES BASH_CMDS BASH_COMPAT POSIXLY_CORRECT SHELLOPTS", NULL },
	{ VARIABLE_COMMAND,
		"ACK_PAGER ACK_PAGER_COLOR ANSIBLE_PAGER AWS_PAGER BAT_PAGER BROWSER BRZ_EDITOR BZR_EDITOR "
		"CARGO_REGISTRY_CREDENTIAL_PROVIDER CCACHE_COMPILER CCACHE_PREFIX CCACHE_PREFIX_CPP CVSEDITOR "
		"CVS_RSH CVS_SERVER DARCS_EDITOR DARCS_PAGER DARCS_SCP DARCS_SFTP DARCS_SSH DELTA_PAGER DPKG_PAGER "
		"EDITOR FCEDIT GH_EDITOR GH_PAGER GIT_ASKPASS GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER "
		"GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GLAB_PAGER GPG_PROGRAM HGEDITOR "
		"HGMERGE JJ_EDITOR KUBECTL_EXTERNAL_DIFF KUBE_EDITOR LESSCLOSE LESSECHO LESSEDIT LESSOPEN MANPAGER "
		"MERCURIAL_PAGER NIX_PAGER NPM_EDITOR P4DIFF P4EDITOR P4MERGE P4PAGER PAGER PSQL_EDITOR PSQL_PAGER "
		"PSQL_WATCH_PAGER QUILT_PAGER RSYNC_RSH SSH_ASKPASS SSH_PKCS11_HELPER SSH_SK_HELPER SUDO_ASKPASS "
		"SUDO_EDITOR SVN_EDITOR SVN_MERGE SVN_SSH SYSTEMD_EDITOR SYSTEMD_PAGER SYSTEMD_SSH TERMINAL TEXEDIT "
		"TIG_EDITOR VIEWER VISUAL",
		NULL },
	{ VARIABLE_COMMAND, "AR", "ar gcc-ar llvm-ar emar" },
	{ VARIABLE_COMMAND, "RUSTC_WRAPPER", "sccache ccache cachepot" },
	{ VARIABLE_COMMAND, "SHELL", "sh bash dash ash zsh ksh mksh fish tcsh csh" },
	{ VARIABLE_COMMAND, "RUSTC_WORKSPACE_WRAPPER", "sccache ccache cachepot clippy-driver" },
	{ VARIABLE_COMMAND, "HARNESS_PERL", "perl" },
	{ VARIABLE_COMMAND, "RUSTDOC", "rustdoc" },
	{ VARIABLE_COMMAND, "RUSTFMT", "rustfmt" },
	{ VARIABLE_COMMAND, "CARGO", "cargo" },
	{ VARIABLE_COMMAND, "PKG_CONFIG", "pkg-config pkgconf" },
	{ VARIABLE_COMMAND, "GCCGO", "gccgo" },
	{ VARIABLE_COMMAND, "PIP_PYTHON", "python python3" },
	{ VARIABLE_COMMAND, "CMAKE_CXX_COMPILER_LAUNCHER CMAKE_C_COMPILER_LAUNCHER", "sccache ccache distcc" },
	{ VARIABLE_COMMAND, "JAVACMD", "java" },
	{ VARIABLE_COMMAND, "HG", "hg" },
	{ VARIABLE_COMMAND, "LEX", "lex flex" },
	{ VARIABLE_COMMAND, "YACC", "yacc byacc bison" },
	{ VARIABLE_COMMAND, "MAKE", "make gmake" },
	{ VARIABLE_COMMAND, "RANLIB", "ranlib gcc-ranlib llvm-ranlib true :" },
	{ VARIABLE_COMMAND, "STRIP", "strip llvm-strip true :" },
	{ VARIABLE_COMMAND, "NM", "nm gcc-nm llvm-nm" },
	{ VARIABLE_COMMAND, "OBJCOPY", "objcopy llvm-objcopy" },
	{ VARIABLE_COMMAND, "AS", "as nasm yasm llvm-as" },
	{ VARIABLE_CODE, "FZF_DEFAULT_COMMAND GOAUTH GOCACHEPROG LESSGLOBALTAGS PROMPT_COMMAND RSYNC_CONNECT_PROG",
		NULL },
	{ VARIABLE_PROMPT, "PS0 PS1 PS2 PS4", NULL },
	{ VARIABLE_PATH, "PATH", NULL },
	{ VARIABLE_WRITES,
		"CCACHE_LOGFILE COVERAGE_FILE DEPENDENCIES_OUTPUT FFREPORT GCOV_PREFIX GDBHISTFILE GMON_OUT_PREFIX "
		"GOBIN GOCOVERDIR GOENV HISTFILE KRB5_TRACE LD_DEBUG_OUTPUT LESSHISTFILE LLVM_PROFILE_FILE "
		"MALLOC_TRACE MYSQL_HISTFILE NODE_REDIRECT_WARNINGS NODE_REPL_HISTORY NODE_V8_COVERAGE PERLIO_DEBUG "
		"PIP_LOG PIP_PREFIX PIP_REPORT PIP_TARGET PSQL_HISTORY PYTHONDUMPREFSFILE PYTHONPYCACHEPREFIX "
		"PYTHON_HISTORY "
		"RSYNC_PARTIAL_DIR SQLITE_HISTORY SSLKEYLOGFILE SUNPRO_DEPENDENCIES TF_DATA_DIR TF_LOG_PATH",
		NULL },
	{ VARIABLE_FOLDERS,
		"CAML_LD_LIBRARY_PATH CLASSPATH DYLD_FALLBACK_LIBRARY_PATH DYLD_LIBRARY_PATH ERL_LIBS "
		"LD_LIBRARY_PATH NODE_PATH PERL5LIB PERLLIB PYTHONPATH RUBYLIB R_LIBS TCLLIBPATH",
		NULL },
	{ VARIABLE_WORDS, "RUBYOPT", "-W* -w -d -U --yjit* --jit* --enable* --disable* -E* --verbose" },
	{ VARIABLE_WORDS, "GNUMAKEFLAGS MAKEFLAGS", MAKE_WORDS },
	{ VARIABLE_WORDS, "RUSTDOCFLAGS RUSTFLAGS", RUST_WORDS },
	{ VARIABLE_WORDS, "LESS",
		"-F -R -S -X -K -i -I -M -m -n -N -q -Q -r -s -FRX -FRSX -FRXS -RFX -XFR -iMRS -SR -RS -FR -RX -eFRX "
		"FRX R FRSX -RFSX -MR -iR -Ri --quit-if-one-screen --RAW-CONTROL-CHARS --no-init --chop-long-lines" },
	{ VARIABLE_WORDS, "PARALLEL", "-j* -k --will-cite 0* 1* 2* 3* 4* 5* 6* 7* 8* 9* true false yes no" },
	{ VARIABLE_OPTIONS,
		"ANT_ARGS ANT_OPTS GIT_CONFIG_NOSYSTEM GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GOFLAGS GRADLE_OPTS "
		"JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS LD_BIND_NOW LD_DEBUG LD_RUN_PATH LEIN_JVM_OPTS "
		"MAVEN_ARGS MAVEN_OPTS NODE_OPTIONS PYTEST_ADDOPTS SBT_OPTS _JAVA_OPTIONS",
		NULL },
	{ VARIABLE_FLAGS,
		"ARFLAGS ASFLAGS CFLAGS CPPFLAGS CXXFLAGS FCFLAGS FFLAGS LDFLAGS LDLIBS LFLAGS LIBS LOADLIBES YFLAGS",
		NULL },
	{ VARIABLE_COMPILER, "CC CC_FOR_BUILD CPP CXX CXX_FOR_BUILD F77 FC HOSTCC HOSTCXX LD", COMPILERS },
	{ VARIABLE_COMPILER, "RUSTC", "rustc clippy-driver" },
	/* Prefixes: a longer one stands before a shorter one. */
	{ VARIABLE_DEFINES, "BASH_FUNC_*", NULL },
	{ VARIABLE_OPTIONS, "GIT_AUTHOR_* GIT_COMMITTER_* GIT_PS1_*", NULL },
	{ VARIABLE_WRITES, "GIT_TRACE*", NULL },
	{ VARIABLE_FLAGS, "CGO_*", NULL },
	{ VARIABLE_LOADS,
		"CARGO_ALIAS_* CARGO_BUILD_* CARGO_REGISTRIES_* CARGO_TARGET_* CARGO_UNSTABLE_* DYLD_* "
		"FZF_DEFAULT_OPTS* GIT_* LD_* LUA_CPATH* LUA_INIT* LUA_PATH* NPM_CONFIG_* TF_CLI_ARGS* npm_config_*",
		NULL },
};

/* Folders in which only the system's owner can replace programs. */
static bool is_system_folder(const char *start, size_t len)
{
	return zs_listed_bytes(start, len, "/usr/* /bin* /sbin* /opt/* /nix/* /snap/*") && !memchr(start, '$', len);
}

/* Folders in which toolchains of the user and of the project keep their programs. */
static bool is_tool_folder(const char *start, size_t len)
{
	return zs_listed_bytes(start, len,
		"$HOME/.cargo/bin $HOME/.local/bin $HOME/go/bin $HOME/.go/bin $HOME/.npm-global/bin $HOME/.deno/bin "
		"$HOME/.bun/bin $PWD/node_modules/.bin ~/.cargo/bin ~/.local/bin ~/go/bin");
}

/* May PATH get this value? System folders may be added anywhere, other folders only after $PATH: there they add names
 * and shadow none. */
static bool is_harmless_path(const struct zs_raw_word *value)
{
	const char *text = value->raw, *end = value->raw + value->raw_len, *equals;
	bool seen_path = false;

	if (!text)
		return false;
	equals = memchr(text, '=', (size_t)(end - text));
	if (equals && equals - text <= 5 && memchr(text, 'P', (size_t)(equals - text)))
		text = equals + 1; /* env PATH=…: `raw` holds the name too */
	while (text < end) {
		size_t len;

		while (text < end && strchr("\"':", *text))
			text++;
		for (len = 0; text + len < end && !strchr("\"':", text[len]);)
			len++;
		if (!len)
			break;
		if (zs_listed_bytes(text, len, "$PATH ${PATH}"))
			seen_path = true;
		else if (!is_system_folder(text, len) && !is_tool_folder(text, len) && !seen_path)
			return false;
		text += len;
	}
	return true;
}

/* Options that make a program load code or write a file; a value follows "=" or ":". */
static const char loading_options[] =
	"-r --require --import --loader --experimental-loader -e --eval -p --inspect --inspect-brk --heap-prof "
	"--cpu-prof --prof --perf-basic-prof --diagnostic-dir --redirect-warnings -I -javaagent -agentpath -agentlib "
	"-Xlog -XX -toolexec -exec -vettool -o -O -overlay -C -Clinker --junitxml --junit-xml --basetemp --debug -Z "
	"--log-file --html";

/* Flags that make a compiler load or run foreign code, or write a file. */
static const char loading_flags[] =
	"-fplugin* -wrapper* -B* -specs* --specs* -o* @* -Xclang* -load* -fuse-ld=/* -Wl,-o* -Wl,-plugin* "
	"-Wl,--plugin*";

/* Is each word of the value in the list, or, with `listed` false, none of them? Only the bytes of a word that stand in
 * front of one of `ends` count. False: the value is not known. */
static bool words_are(const struct zs_raw_word *value, bool listed, const char *list, const char *ends)
{
	const char *text = value->text;

	while (text && *(text += strspn(text, " \t\n"))) {
		if (zs_listed_bytes(text, strcspn(text, ends), list) != listed)
			return false;
		text += strcspn(text, " \t\n");
	}
	return text != NULL;
}

/* Does the text after a dollar sign name a folder: a variable for a folder of the project, of the user or of a
 * toolchain, or (pwd)? */
static bool names_library_folder(const char *text)
{
	const char *name = text + (*text == '{');
	size_t len = 0;

	while (zs_is_name(name[len]))
		len++;
	return strncmp(text, "(pwd)", 5) == 0 ||
	       zs_listed_bytes(name, len,
		       "PWD HOME LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH CONDA_PREFIX "
		       "VIRTUAL_ENV JAVA_HOME CUDA_HOME CUDA_PATH");
}

/* Folders that everyone may write. `path` has no leading slash. */
static bool is_foreign_folder(const char *path)
{
	static const char folders[] = "tmp var/tmp dev proc run var/run private/tmp";
	size_t len = strcspn(path, "/:\"'");

	if (zs_listed_bytes(path, len, folders))
		return true;
	return path[len] == '/' && zs_listed_bytes(path, len + 1 + strcspn(path + len + 1, "/:\"'"), folders);
}

/* A library in a folder of the project or of its toolchain is as trustworthy as the programs there. A library in a
 * folder that everyone may write may be somebody else's, and the value of another variable is not known. */
static bool is_library_path(struct zs_arena *arena, const struct zs_raw_word *value)
{
	const char *text = value->raw ? zs_arena_string(arena, value->raw, value->raw_len) : NULL;

	if (!text || strpbrk(text, "`\\") || strstr(text, ".."))
		return false;
	for (const char *at = text; *at; at++) {
		bool start = at == text || strchr("=:\"'", at[-1]);

		if (*at == '$' && !names_library_folder(at + 1))
			return false;
		if (start && *at == '/' && is_foreign_folder(at + strspn(at, "/")))
			return false;
	}
	return true;
}

/* Does the variable affect text that bash reads? An assignment before a program that is no shell and starts none
 * affects only that program. */
static bool reads_on(const struct zs_classify *classify)
{
	const struct zs_row *row = classify->row;
	const char *operands = row ? zs_row_operands(row) : NULL;

	return !classify->command || !classify->command->words.count || !row || zs_row_language(row) ||
	       row->grammar == ZS_GRAMMAR_ASSIGNS || (operands && strpbrk(operands, "XSc"));
}

/* Does a prompt hold code? bash expands it like a string in double quotes, and PS4='$' may go on with PS4+='(x)'. */
static bool is_prompt_code(const struct zs_raw_word *value)
{
	const char *text = value->text;
	size_t len = text ? strlen(text) : 0;

	if (!text || strchr(text, '`') || strstr(text, "@P") || strstr(text, "$(") || strstr(text, "$[") ||
		*text == '(' || *text == '{' || (len && text[len - 1] == '$'))
		return true;
	for (; (text = strchr(text, '\\')); text++) /* \044 is a dollar sign, and $\](x) becomes $(x) */
		if ((text[1] >= '0' && text[1] <= '7') || (text > value->text && text[-1] == '$'))
			return true;
	return false;
}

/* Is the value only the name of a listed program, as in SHELL=/bin/bash? */
static bool is_known_tool(const struct variable *variable, const char *value)
{
	return variable->words && !value[strcspn(value, " \t\n;&|<>()$`\"'\\")] &&
	       zs_listed(zs_base_name(value), variable->words);
}

/* Is the value a listed compiler with options, perhaps after the name of a cache: CC='ccache gcc -m32'? */
static bool is_known_compiler(const struct variable *variable, const char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strcspn(text, " \t");
	if (zs_listed_bytes(text, len, "ccache sccache distcc icecc")) {
		text += len + strspn(text + len, " \t");
		len = strcspn(text, " \t");
	}
	for (size_t at = len; at > 0; at--)
		if (text[at - 1] == '/')
			return zs_listed_bytes(text + at, len - at, variable->words);
	return zs_listed_bytes(text, len, variable->words);
}

static void check_command(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word command = *value;

	if (strcmp(variable->names, "LESSOPEN") ==
		0) /* a leading pipe says how the command's output is read (man 1 less) */
		command.text += strspn(command.text, "|-");
	if (is_known_tool(variable, command.text))
		return;
	if (variable->kind == VARIABLE_CODE ||
		(variable->kind == VARIABLE_COMPILER && is_known_compiler(variable, command.text)))
		zs_nested_shell(classify, &command);
	else
		zs_called_shell(classify, &command);
}

/* Judges CFLAGS and its like: make expands the value, and a compiler reads it. */
static void check_flags(struct zs_classify *classify, const struct zs_raw_word *named, const struct zs_raw_word *value)
{
	if (value->text && zs_is_make_code(value->text))
		zs_blame(classify, ZS_RISK_INLINE_CODE, named, "make would run its value as code");
	else if (value->text && !words_are(value, false, loading_flags, " \t\n"))
		zs_blame(classify, ZS_RISK_ENVIRONMENT, named, "its value may make a compiler load code");
}

static void check_variable(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word named = *value;
	const char *why = "its value may make the program load code";
	bool doubtful = false;

	named.text = named.prefix = variable->names;
	switch (variable->kind) {
	case VARIABLE_LOADS:
	case VARIABLE_SCRIPT:
	case VARIABLE_READING:
		doubtful = true;
		why = NULL;
		break;
	case VARIABLE_DEFINES:
		zs_blame(classify, ZS_RISK_UNSUPPORTED, &named, "another shell may run this variable as a function");
		break;
	case VARIABLE_COMMAND:
	case VARIABLE_CODE:
	case VARIABLE_COMPILER:
	case VARIABLE_WRITES:
		doubtful = !value->text;
		why = "its value is known only at run time";
		if (variable->kind != VARIABLE_WRITES && value->text && *value->text)
			check_command(classify, variable, value);
		else if (value->text && *value->text && !zs_listed(value->text, "0 1")) /* 0 and 1 are switches */
			zs_write(classify, value, ZS_EFFECT_APPEND);
		break;
	case VARIABLE_PROMPT:
		if (is_prompt_code(value))
			zs_blame(classify, ZS_RISK_EVAL, &named, "a prompt that runs code");
		break;
	case VARIABLE_PATH:
		doubtful = !is_harmless_path(value);
		why = "known names would run other programs";
		break;
	case VARIABLE_FOLDERS:
		doubtful = !is_library_path(classify->build->arena, value);
		why = "programs would load libraries from another folder";
		break;
	case VARIABLE_WORDS:
		doubtful = !words_are(value, true, variable->words, " \t\n");
		break;
	case VARIABLE_FLAGS:
		check_flags(classify, &named, value);
		break;
	case VARIABLE_OPTIONS:
		doubtful = !words_are(value, false, loading_options, " \t\n=:");
		break;
	}
	if (doubtful)
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, why);
	if (variable->kind == VARIABLE_SCRIPT &&
		(value->text ? zs_is_stream(value->text) : strcmp(value->dynamic, "process substitution") == 0))
		zs_blame(classify, ZS_RISK_OPAQUE_INTERPRETER, &named, "a shell would read code from a stream");
	if (variable->kind == VARIABLE_READING && reads_on(classify))
		zs_blame(classify, ZS_RISK_UNSUPPORTED, &named, "the variable changes how bash reads later text");
}

/* Judges a value that make will see, by env NAME=VALUE make, or by export NAME=VALUE and a later make. make expands the
 * variables of its environment. */
static void check_for_make(struct zs_classify *classify, const struct zs_raw_word *value)
{
	const struct zs_word_list *words = &classify->command->words;

	if (!classify->row || !value->text || !zs_is_make_code(value->text))
		return;
	if (classify->row->grammar == ZS_GRAMMAR_ASSIGNS)
		classify->build->make_code |= strcmp(zs_base_name(words->items[0].prefix), "export") == 0;
	if (classify->row->grammar != ZS_GRAMMAR_ENV)
		return;
	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].text;
		const struct zs_row *row = text ? zs_row_find("", zs_base_name(text)) : NULL;

		if (row && row->grammar == ZS_GRAMMAR_MAKE)
			zs_blame(
				classify, ZS_RISK_INLINE_CODE, value, "the value holds code, and recipes would run it");
	}
}

void zs_check_assignment(struct zs_classify *classify, const char *name, const struct zs_raw_word *value)
{
	bool known = value->text || (value->raw && !value->part);

	zs_check_value(classify, name, value);
	check_for_make(classify, value);
	zs_name_set(classify, name, known ? ZS_SET_VALUE : ZS_SET_UNKNOWN, value);
}

void zs_check_value(struct zs_classify *classify, const char *name, const struct zs_raw_word *value)
{
	size_t len = strlen(name);

	len -= len && name[len - 1] == '+'; /* NAME+=VALUE */
	zs_value_given(classify->build, value);
	if (*name == '!') { /* ${!x:=…} */
		zs_blame(classify, ZS_RISK_EVAL, value, "which variable it sets is known only at run time");
		return;
	}
	zs_check_shell_variable(classify, name, len, value->span);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *listed = zs_listed_word(name, len, variables[i].names);
		struct variable found = variables[i];

		if (!listed)
			continue;
		found.names = zs_arena_string(
			classify->build->arena, listed, strcspn(listed, " ")); /* only the name that matched */
		check_variable(classify, &found, value);
		return;
	}
}
