/* Variables that change which code runs, or where it writes. Data: one row a name or prefix. */
#include "judge/assembled.h"
#include "judge/judge.h"
#include "judge/names.h"

#include <string.h>

enum variable_kind {
	VARIABLE_LOADS,    /* makes programs load or run code: any value is one too many */
	VARIABLE_SCRIPT,   /* the same, by a shell that starts: it may be no stream */
	VARIABLE_DEFINES,  /* a function of a shell that starts */
	VARIABLE_READING,  /* changes how bash reads later text */
	VARIABLE_COMMAND,  /* a shell command, to which its user adds words; but for programs of the row's list */
	VARIABLE_CODE,     /* a shell command that runs as it stands */
	VARIABLE_PROMPT,   /* text that is expanded as if double-quoted: it may hold substitutions */
	VARIABLE_PATH,     /* folders in which programs are found */
	VARIABLE_WRITES,   /* a file that gets written */
	VARIABLE_FOLDERS,  /* folders with libraries, which the project's own programs load */
	VARIABLE_WORDS,    /* options for a program: only those of the row's list */
	VARIABLE_OPTIONS,  /* options for a program: fine unless they make it load or write */
	VARIABLE_FLAGS,    /* options for compilers, which make puts into its recipes */
	VARIABLE_COMPILER, /* as VARIABLE_COMMAND, but those of the row's list may have options: a build names their
			      output */
};

#define MAKE_WORDS                                                                                                     \
	"-j*|j*|-l*|-k|k|-s|s|-n|n|-B|-w|w|-i|-O|-Oline|-Otarget|-Orecurse|-Onone|--jobs|--jobs=*|--load-average=*|"   \
	"--keep-going|--silent|--quiet|--no-print-directory|--print-directory|--output-sync|--output-sync=*|"          \
	"--always-make|--dry-run|--warn-undefined-variables|--no-builtin-rules|--no-builtin-variables|-r|-R|-rR|rR|"   \
	"--trace|--debug*|-d|-ks|-sk|ks|sk|V=0|V=1|VERBOSE=0|VERBOSE=1"
/* The value of -C is a word of its own, or attached. */
#define RUST_WORDS                                                                                                     \
	"-D*|-A*|-W*|-F*|-g|-O|-C|--cfg*|--check-cfg*|--cap-lints*|--deny*|--allow*|--warn*|-v|warnings|unused*|"      \
	"dead_code|deprecated|missing_docs|unsafe_code|clippy::*|rustdoc::*|-Ctarget-*|-Copt-level=*|-Cdebuginfo=*|"   \
	"-Cdebug-assertions*|-Coverflow-checks*|-Cpanic=*|-Ccodegen-units=*|-Cinstrument-coverage*|-Clto*|"            \
	"-Cprefer-dynamic*|-Cforce-frame-pointers*|-Cstrip=*|target-cpu=*|target-feature=*|opt-level=*|debuginfo=*|"   \
	"debug-assertions*|overflow-checks*|panic=*|codegen-units=*|instrument-coverage*|lto*|prefer-dynamic*|"        \
	"force-frame-pointers*|strip=*|-Zsanitizer=*"

#define COMPILERS                                                                                                      \
	"gcc*|g++*|cc|c++|clang*|tcc|icc|icpc|icx|icpx|musl-gcc|gfortran*|flang*|cpp|emcc|em++|nvcc|ld*|mold|mpicc|"   \
	"mpicxx|mpic++|x86_64-*|aarch64-*|arm-*|i686-*|riscv64-*"

enum { VARIABLE_NAME_SIZE = 40 };

/* "X_*" is a prefix. The first match counts. */
static const struct variable {
	char name[VARIABLE_NAME_SIZE]; /* no pointer, which a start would have to relocate */
	enum variable_kind kind;
	const char *words; /* of VARIABLE_WORDS: "a|b*|c"; of VARIABLE_COMMAND: names of programs */
} variables[] = {
	{ "PATH", VARIABLE_PATH, NULL },
	{ "LD_LIBRARY_PATH", VARIABLE_FOLDERS, NULL },
	{ "LD_RUN_PATH", VARIABLE_OPTIONS, NULL },
	{ "LD_BIND_NOW", VARIABLE_OPTIONS, NULL },
	{ "LD_DEBUG", VARIABLE_OPTIONS, NULL },
	{ "LD_DEBUG_OUTPUT", VARIABLE_WRITES, NULL },
	{ "DYLD_LIBRARY_PATH", VARIABLE_FOLDERS, NULL },
	{ "DYLD_FALLBACK_LIBRARY_PATH", VARIABLE_FOLDERS, NULL },
	{ "LD_*", VARIABLE_LOADS, NULL },
	{ "DYLD_*", VARIABLE_LOADS, NULL },
	{ "GCONV_PATH", VARIABLE_LOADS, NULL },
	{ "BASH_ENV", VARIABLE_SCRIPT, NULL },
	{ "ENV", VARIABLE_SCRIPT, NULL },
	{ "SHELLOPTS", VARIABLE_READING, NULL },
	{ "BASHOPTS", VARIABLE_READING, NULL },
	{ "BASH_FUNC_*", VARIABLE_DEFINES, NULL },
	{ "BASH_LOADABLES_PATH", VARIABLE_LOADS, NULL },
	{ "BASH_COMPAT", VARIABLE_READING, NULL },
	{ "BASH_ALIASES", VARIABLE_READING, NULL },
	{ "BASH_CMDS", VARIABLE_READING, NULL },
	{ "PROMPT_COMMAND", VARIABLE_CODE, NULL },
	{ "PS0", VARIABLE_PROMPT, NULL },
	{ "PS1", VARIABLE_PROMPT, NULL },
	{ "PS2", VARIABLE_PROMPT, NULL },
	{ "PS4", VARIABLE_PROMPT, NULL },
	{ "CDPATH", VARIABLE_LOADS, NULL },
	{ "ZDOTDIR", VARIABLE_LOADS, NULL },
	{ "PYTHONSTARTUP", VARIABLE_LOADS, NULL },
	{ "PYTHONINSPECT", VARIABLE_LOADS, NULL }, /* then it reads code from its input */
	{ "PYTHONHOME", VARIABLE_LOADS, NULL },
	{ "PYTHONBREAKPOINT", VARIABLE_LOADS, NULL },
	{ "PERL5OPT", VARIABLE_LOADS, NULL },
	{ "PERL5DB", VARIABLE_LOADS, NULL },
	{ "RUBYOPT", VARIABLE_WORDS, "-W*|-w|-d|-U|--yjit*|--jit*|--enable*|--disable*|-E*|--verbose" },
	{ "NODE_OPTIONS", VARIABLE_OPTIONS, NULL },
	{ "JAVA_TOOL_OPTIONS", VARIABLE_OPTIONS, NULL },
	{ "_JAVA_OPTIONS", VARIABLE_OPTIONS, NULL },
	{ "TAR_OPTIONS", VARIABLE_LOADS, NULL },
	{ "NODE_V8_COVERAGE", VARIABLE_WRITES, NULL },
	{ "RSYNC_RSH", VARIABLE_COMMAND, NULL },
	{ "LESSOPEN", VARIABLE_COMMAND, NULL },
	{ "LESSCLOSE", VARIABLE_COMMAND, NULL },
	{ "PAGER", VARIABLE_COMMAND, NULL },
	{ "MANPAGER", VARIABLE_COMMAND, NULL },
	{ "EDITOR", VARIABLE_COMMAND, NULL },
	{ "SUDO_EDITOR", VARIABLE_COMMAND, NULL },
	{ "HGEDITOR", VARIABLE_COMMAND, NULL },
	{ "SVN_EDITOR", VARIABLE_COMMAND, NULL },
	{ "FCEDIT", VARIABLE_COMMAND, NULL },
	{ "SUDO_ASKPASS", VARIABLE_COMMAND, NULL },
	{ "AWS_PAGER", VARIABLE_COMMAND, NULL },
	{ "BAT_PAGER", VARIABLE_COMMAND, NULL },
	{ "DELTA_PAGER", VARIABLE_COMMAND, NULL },
	{ "NIX_PAGER", VARIABLE_COMMAND, NULL },
	{ "CVS_RSH", VARIABLE_COMMAND, NULL },
	{ "RSYNC_CONNECT_PROG", VARIABLE_CODE, NULL },
	{ "FZF_DEFAULT_COMMAND", VARIABLE_CODE, NULL },
	{ "FZF_DEFAULT_OPTS*", VARIABLE_LOADS, NULL },
	{ "VISUAL", VARIABLE_COMMAND, NULL },
	{ "BROWSER", VARIABLE_COMMAND, NULL },
	{ "MAKEFLAGS", VARIABLE_WORDS, MAKE_WORDS },
	{ "MAKEFILES", VARIABLE_LOADS, NULL },
	{ "GNUMAKEFLAGS", VARIABLE_WORDS, MAKE_WORDS },
	{ "GIT_PAGER", VARIABLE_COMMAND, NULL },
	{ "GIT_EDITOR", VARIABLE_COMMAND, NULL },
	{ "GIT_SEQUENCE_EDITOR", VARIABLE_COMMAND, NULL },
	{ "GIT_SSH_COMMAND", VARIABLE_COMMAND, NULL },
	{ "GIT_SSH", VARIABLE_COMMAND, NULL },
	{ "GIT_ASKPASS", VARIABLE_COMMAND, NULL },
	{ "SSH_ASKPASS", VARIABLE_COMMAND, NULL },
	{ "GIT_PROXY_COMMAND", VARIABLE_COMMAND, NULL },
	{ "GIT_EXTERNAL_DIFF", VARIABLE_COMMAND, NULL },
	{ "GIT_AUTHOR_*", VARIABLE_OPTIONS, NULL },
	{ "GIT_COMMITTER_*", VARIABLE_OPTIONS, NULL },
	{ "GIT_TERMINAL_PROMPT", VARIABLE_OPTIONS, NULL },
	{ "GIT_OPTIONAL_LOCKS", VARIABLE_OPTIONS, NULL },
	{ "GIT_CONFIG_NOSYSTEM", VARIABLE_OPTIONS, NULL },
	{ "GIT_PS1_*", VARIABLE_OPTIONS, NULL },
	{ "GIT_TRACE*", VARIABLE_WRITES, NULL },
	{ "GIT_*", VARIABLE_LOADS, NULL },
	{ "GOENV", VARIABLE_WRITES, NULL },
	{ "CC", VARIABLE_COMPILER, COMPILERS },
	{ "CXX", VARIABLE_COMPILER, COMPILERS },
	{ "LD", VARIABLE_COMPILER, COMPILERS },
	{ "AR", VARIABLE_COMMAND, "ar|gcc-ar|llvm-ar|emar" },
	{ "RUSTC_WRAPPER", VARIABLE_COMMAND, "sccache|ccache|cachepot" },
	{ "RUSTC", VARIABLE_COMPILER, "rustc|clippy-driver" },
	{ "SHELL", VARIABLE_COMMAND, "sh|bash|dash|ash|zsh|ksh|mksh|fish|tcsh|csh" },
	{ "RUSTC_WORKSPACE_WRAPPER", VARIABLE_COMMAND, "sccache|ccache|cachepot|clippy-driver" },
	{ "CARGO_TARGET_*", VARIABLE_LOADS, NULL },
	{ "CARGO_BUILD_*", VARIABLE_LOADS, NULL },
	{ "RUSTFLAGS", VARIABLE_WORDS, RUST_WORDS },
	{ "RUSTDOCFLAGS", VARIABLE_WORDS, RUST_WORDS },
	{ "GOFLAGS", VARIABLE_OPTIONS, NULL },
	{ "GH_PAGER", VARIABLE_COMMAND, NULL },
	{ "GH_EDITOR", VARIABLE_COMMAND, NULL },
	{ "KUBE_EDITOR", VARIABLE_COMMAND, NULL },
	{ "SYSTEMD_PAGER", VARIABLE_COMMAND, NULL },
	{ "PSQL_PAGER", VARIABLE_COMMAND, NULL },
	{ "KUBECTL_EXTERNAL_DIFF", VARIABLE_COMMAND, NULL },
	{ "SVN_SSH", VARIABLE_COMMAND, NULL },
	{ "LESS", VARIABLE_WORDS,
		"-F|-R|-S|-X|-K|-i|-I|-M|-m|-n|-N|-q|-Q|-r|-s|-FRX|-FRSX|-FRXS|-RFX|-XFR|-iMRS|-SR|-RS|-FR|-RX|-eFRX|"
		"FRX|R|"
		"FRSX|-RFSX|-MR|-iR|-Ri|--quit-if-one-screen|--RAW-CONTROL-CHARS|--no-init|--chop-long-lines" },
	{ "MANOPT", VARIABLE_LOADS, NULL },
	{ "RIPGREP_CONFIG_PATH", VARIABLE_LOADS, NULL },
	{ "LUA_INIT*", VARIABLE_LOADS, NULL },
	{ "PARALLEL", VARIABLE_WORDS, "-j*|-k|--will-cite|0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|true|false|yes|no" },
	{ "PARALLEL_SHELL", VARIABLE_LOADS, NULL },
	{ "ERL_AFLAGS", VARIABLE_LOADS, NULL },
	{ "ERL_FLAGS", VARIABLE_LOADS, NULL },
	{ "DOTNET_STARTUP_HOOKS", VARIABLE_LOADS, NULL },
	{ "JDK_JAVA_OPTIONS", VARIABLE_OPTIONS, NULL },
	{ "MAVEN_OPTS", VARIABLE_OPTIONS, NULL },
	{ "GRADLE_OPTS", VARIABLE_OPTIONS, NULL },
	{ "COMPILER_PATH", VARIABLE_LOADS, NULL },
	{ "GCC_EXEC_PREFIX", VARIABLE_LOADS, NULL },
	{ "OPENSSL_CONF", VARIABLE_LOADS, NULL },
	{ "CURL_HOME", VARIABLE_LOADS, NULL },
	{ "WGETRC", VARIABLE_LOADS, NULL },
	{ "XDG_CONFIG_HOME", VARIABLE_LOADS, NULL },
	{ "PYTEST_ADDOPTS", VARIABLE_OPTIONS, NULL },
	{ "npm_config_*", VARIABLE_LOADS, NULL },
	{ "NPM_CONFIG_*", VARIABLE_LOADS, NULL },
	{ "ZIPOPT", VARIABLE_LOADS, NULL },
	{ "ZIP", VARIABLE_LOADS, NULL },
	{ "POSIXLY_CORRECT", VARIABLE_READING, NULL },
	{ "SSLKEYLOGFILE", VARIABLE_WRITES, NULL },
	{ "PIP_LOG", VARIABLE_WRITES, NULL },
	{ "TF_LOG_PATH", VARIABLE_WRITES, NULL },
	{ "DEPENDENCIES_OUTPUT", VARIABLE_WRITES, NULL },
	{ "SUNPRO_DEPENDENCIES", VARIABLE_WRITES, NULL },
	{ "DBUS_SESSION_BUS_ADDRESS", VARIABLE_LOADS, NULL },
	{ "DBUS_SYSTEM_BUS_ADDRESS", VARIABLE_LOADS, NULL },
	/* from the manuals of git, less, man, svn, rsync, ssh, gpg, sudo, systemd, make, perl, python, ruby, node,
	 * cargo, go, npm and pip, and of tools that work on their files */
	{ "LESSEDIT", VARIABLE_COMMAND, NULL },
	{ "LESSECHO", VARIABLE_COMMAND, NULL },
	{ "SVN_MERGE", VARIABLE_COMMAND, NULL },
	{ "SSH_SK_HELPER", VARIABLE_COMMAND, NULL },
	{ "SSH_PKCS11_HELPER", VARIABLE_COMMAND, NULL },
	{ "SYSTEMD_EDITOR", VARIABLE_COMMAND, NULL },
	{ "SYSTEMD_SSH", VARIABLE_COMMAND, NULL },
	{ "HARNESS_PERL", VARIABLE_COMMAND, "perl" },
	{ "RUSTDOC", VARIABLE_COMMAND, "rustdoc" },
	{ "RUSTFMT", VARIABLE_COMMAND, "rustfmt" },
	{ "CARGO", VARIABLE_COMMAND, "cargo" },
	{ "PKG_CONFIG", VARIABLE_COMMAND, "pkg-config|pkgconf" },
	{ "GCCGO", VARIABLE_COMMAND, "gccgo" },
	{ "PIP_PYTHON", VARIABLE_COMMAND, "python|python3" },
	{ "CCACHE_PREFIX", VARIABLE_COMMAND, NULL },
	{ "CCACHE_PREFIX_CPP", VARIABLE_COMMAND, NULL },
	{ "CCACHE_COMPILER", VARIABLE_COMMAND, NULL },
	{ "CMAKE_C_COMPILER_LAUNCHER", VARIABLE_COMMAND, "sccache|ccache|distcc" },
	{ "CMAKE_CXX_COMPILER_LAUNCHER", VARIABLE_COMMAND, "sccache|ccache|distcc" },
	{ "JAVACMD", VARIABLE_COMMAND, "java" },
	{ "ACK_PAGER", VARIABLE_COMMAND, NULL },
	{ "ACK_PAGER_COLOR", VARIABLE_COMMAND, NULL },
	{ "PSQL_EDITOR", VARIABLE_COMMAND, NULL },
	{ "PSQL_WATCH_PAGER", VARIABLE_COMMAND, NULL },
	{ "HGMERGE", VARIABLE_COMMAND, NULL },
	{ "HG", VARIABLE_COMMAND, "hg" },
	{ "BZR_EDITOR", VARIABLE_COMMAND, NULL },
	{ "BRZ_EDITOR", VARIABLE_COMMAND, NULL },
	{ "DARCS_EDITOR", VARIABLE_COMMAND, NULL },
	{ "DARCS_PAGER", VARIABLE_COMMAND, NULL },
	{ "DARCS_SSH", VARIABLE_COMMAND, NULL },
	{ "DARCS_SCP", VARIABLE_COMMAND, NULL },
	{ "DARCS_SFTP", VARIABLE_COMMAND, NULL },
	{ "CVSEDITOR", VARIABLE_COMMAND, NULL },
	{ "CVS_SERVER", VARIABLE_COMMAND, NULL },
	{ "P4EDITOR", VARIABLE_COMMAND, NULL },
	{ "P4DIFF", VARIABLE_COMMAND, NULL },
	{ "P4MERGE", VARIABLE_COMMAND, NULL },
	{ "P4PAGER", VARIABLE_COMMAND, NULL },
	{ "JJ_EDITOR", VARIABLE_COMMAND, NULL },
	{ "TIG_EDITOR", VARIABLE_COMMAND, NULL },
	{ "QUILT_PAGER", VARIABLE_COMMAND, NULL },
	{ "DPKG_PAGER", VARIABLE_COMMAND, NULL },
	{ "TEXEDIT", VARIABLE_COMMAND, NULL },
	{ "TERMINAL", VARIABLE_COMMAND, NULL },
	{ "LEX", VARIABLE_COMMAND, "lex|flex" },
	{ "YACC", VARIABLE_COMMAND, "yacc|byacc|bison" },
	{ "MAKE", VARIABLE_COMMAND, "make|gmake" },
	{ "ANSIBLE_PAGER", VARIABLE_COMMAND, NULL },
	{ "VIEWER", VARIABLE_COMMAND, NULL },
	{ "RANLIB", VARIABLE_COMMAND, "ranlib|gcc-ranlib|llvm-ranlib|true|:" },
	{ "STRIP", VARIABLE_COMMAND, "strip|llvm-strip|true|:" },
	{ "NM", VARIABLE_COMMAND, "nm|gcc-nm|llvm-nm" },
	{ "OBJCOPY", VARIABLE_COMMAND, "objcopy|llvm-objcopy" },
	{ "AS", VARIABLE_COMMAND, "as|nasm|yasm|llvm-as" },
	{ "GPG_PROGRAM", VARIABLE_COMMAND, NULL },
	{ "NPM_EDITOR", VARIABLE_COMMAND, NULL },
	{ "CARGO_REGISTRY_CREDENTIAL_PROVIDER", VARIABLE_COMMAND, NULL },
	{ "GLAB_PAGER", VARIABLE_COMMAND, NULL },
	{ "MERCURIAL_PAGER", VARIABLE_COMMAND, NULL },
	{ "GOAUTH", VARIABLE_CODE, NULL },
	{ "GOCACHEPROG", VARIABLE_CODE, NULL },
	{ "LESSGLOBALTAGS", VARIABLE_CODE, NULL },
	{ "LESSKEY", VARIABLE_LOADS, NULL },
	{ "LESSKEYIN", VARIABLE_LOADS, NULL },
	{ "LESSKEY_SYSTEM", VARIABLE_LOADS, NULL },
	{ "LESSKEYIN_SYSTEM", VARIABLE_LOADS, NULL },
	{ "LESSKEY_CONTENT", VARIABLE_LOADS, NULL },
	{ "SYSTEMD_UNIT_PATH", VARIABLE_LOADS, NULL },
	{ "MANROFFOPT", VARIABLE_LOADS, NULL },
	{ "GROFF_BIN_PATH", VARIABLE_LOADS, NULL },
	{ "GROFF_TMAC_PATH", VARIABLE_LOADS, NULL },
	{ "GROFF_COMMAND_PREFIX", VARIABLE_LOADS, NULL },
	{ "RSYNC_SHELL", VARIABLE_LOADS, NULL },
	{ "SSH_SK_PROVIDER", VARIABLE_LOADS, NULL },
	{ "GNUPGHOME", VARIABLE_LOADS, NULL },
	{ "CARGO_ALIAS_*", VARIABLE_LOADS, NULL },
	{ "CARGO_REGISTRIES_*", VARIABLE_LOADS, NULL },
	{ "CARGO_UNSTABLE_*", VARIABLE_LOADS, NULL },
	{ "CARGO_ENCODED_RUSTFLAGS", VARIABLE_LOADS, NULL },
	{ "GOROOT", VARIABLE_LOADS, NULL },
	{ "GOTOOLDIR", VARIABLE_LOADS, NULL },
	{ "PIP_CONFIG_FILE", VARIABLE_LOADS, NULL },
	{ "PYTEST_PLUGINS", VARIABLE_LOADS, NULL },
	{ "COVERAGE_PROCESS_START", VARIABLE_LOADS, NULL },
	{ "COVERAGE_RCFILE", VARIABLE_LOADS, NULL },
	{ "CMAKE_TOOLCHAIN_FILE", VARIABLE_LOADS, NULL },
	{ "PHPRC", VARIABLE_LOADS, NULL },
	{ "PHP_INI_SCAN_DIR", VARIABLE_LOADS, NULL },
	{ "R_PROFILE", VARIABLE_LOADS, NULL },
	{ "R_PROFILE_USER", VARIABLE_LOADS, NULL },
	{ "R_ENVIRON", VARIABLE_LOADS, NULL },
	{ "R_ENVIRON_USER", VARIABLE_LOADS, NULL },
	{ "R_HOME", VARIABLE_LOADS, NULL },
	{ "JULIA_DEPOT_PATH", VARIABLE_LOADS, NULL },
	{ "JULIA_LOAD_PATH", VARIABLE_LOADS, NULL },
	{ "ERL_ZFLAGS", VARIABLE_LOADS, NULL },
	{ "ELIXIR_ERL_OPTIONS", VARIABLE_LOADS, NULL },
	{ "LUA_PATH*", VARIABLE_LOADS, NULL },
	{ "LUA_CPATH*", VARIABLE_LOADS, NULL },
	{ "TCL_LIBRARY", VARIABLE_LOADS, NULL },
	{ "GUILE_LOAD_PATH", VARIABLE_LOADS, NULL },
	{ "EMACSLOADPATH", VARIABLE_LOADS, NULL },
	{ "VIMINIT", VARIABLE_LOADS, NULL },
	{ "GVIMINIT", VARIABLE_LOADS, NULL },
	{ "EXINIT", VARIABLE_LOADS, NULL },
	{ "VIMRUNTIME", VARIABLE_LOADS, NULL },
	{ "INPUTRC", VARIABLE_LOADS, NULL },
	{ "SCREENRC", VARIABLE_LOADS, NULL },
	{ "ACKRC", VARIABLE_LOADS, NULL },
	{ "ACK_OPTIONS", VARIABLE_LOADS, NULL },
	{ "BAT_CONFIG_PATH", VARIABLE_LOADS, NULL },
	{ "BAT_OPTS", VARIABLE_LOADS, NULL },
	{ "SYSTEM_WGETRC", VARIABLE_LOADS, NULL },
	{ "PSQLRC", VARIABLE_LOADS, NULL },
	{ "AWS_CONFIG_FILE", VARIABLE_LOADS, NULL },
	{ "AWS_SHARED_CREDENTIALS_FILE", VARIABLE_LOADS, NULL },
	{ "DOCKER_CONFIG", VARIABLE_LOADS, NULL },
	{ "TF_CLI_CONFIG_FILE", VARIABLE_LOADS, NULL },
	{ "TF_CLI_ARGS*", VARIABLE_LOADS, NULL },
	{ "ANSIBLE_CONFIG", VARIABLE_LOADS, NULL },
	{ "ANSIBLE_LIBRARY", VARIABLE_LOADS, NULL },
	{ "HELM_PLUGINS", VARIABLE_LOADS, NULL },
	{ "HGRCPATH", VARIABLE_LOADS, NULL },
	{ "BZR_PLUGIN_PATH", VARIABLE_LOADS, NULL },
	{ "BRZ_PLUGIN_PATH", VARIABLE_LOADS, NULL },
	{ "JJ_CONFIG", VARIABLE_LOADS, NULL },
	{ "LG_CONFIG_FILE", VARIABLE_LOADS, NULL },
	{ "TIGRC_USER", VARIABLE_LOADS, NULL },
	{ "MAILCAPS", VARIABLE_LOADS, NULL },
	{ "XDG_CONFIG_DIRS", VARIABLE_LOADS, NULL },
	{ "XDG_DATA_DIRS", VARIABLE_LOADS, NULL },
	{ "APT_CONFIG", VARIABLE_LOADS, NULL },
	{ "QUILTRC", VARIABLE_LOADS, NULL },
	{ "shell_escape", VARIABLE_LOADS, NULL },
	{ "shell_escape_commands", VARIABLE_LOADS, NULL },
	{ "TEXMFCNF", VARIABLE_LOADS, NULL },
	{ "GS_LIB", VARIABLE_LOADS, NULL },
	{ "GS_OPTIONS", VARIABLE_LOADS, NULL },
	{ "MAGICK_CONFIGURE_PATH", VARIABLE_LOADS, NULL },
	{ "MAGICK_CODER_MODULE_PATH", VARIABLE_LOADS, NULL },
	{ "MAGICK_CODER_FILTER_PATH", VARIABLE_LOADS, NULL },
	{ "GTK_MODULES", VARIABLE_LOADS, NULL },
	{ "GTK_PATH", VARIABLE_LOADS, NULL },
	{ "QT_PLUGIN_PATH", VARIABLE_LOADS, NULL },
	{ "GIO_MODULE_DIR", VARIABLE_LOADS, NULL },
	{ "GIO_EXTRA_MODULES", VARIABLE_LOADS, NULL },
	{ "OPENSSL_MODULES", VARIABLE_LOADS, NULL },
	{ "OPENSSL_ENGINES", VARIABLE_LOADS, NULL },
	{ "VALGRIND_LIB", VARIABLE_LOADS, NULL },
	{ "VALGRIND_OPTS", VARIABLE_LOADS, NULL },
	{ "YARN_YARN_PATH", VARIABLE_LOADS, NULL },
	{ "YARN_RC_FILENAME", VARIABLE_LOADS, NULL },
	{ "NODE_REPL_EXTERNAL_MODULE", VARIABLE_LOADS, NULL },
	{ "PYTHONUSERBASE", VARIABLE_LOADS, NULL },
	{ "PYTHONEXECUTABLE", VARIABLE_LOADS, NULL },
	{ "PYTHONPLATLIBDIR", VARIABLE_LOADS, NULL },
	{ "IRBRC", VARIABLE_LOADS, NULL },
	{ "RAKEOPT", VARIABLE_LOADS, NULL },
	{ "PERLDB_OPTS", VARIABLE_LOADS, NULL },
	{ "PERL_MM_OPT", VARIABLE_LOADS, NULL },
	{ "PERL_MB_OPT", VARIABLE_LOADS, NULL },
	{ "PERL_CPANM_OPT", VARIABLE_LOADS, NULL },
	{ "HARNESS_PERL_SWITCHES", VARIABLE_LOADS, NULL },
	{ "PYTHONPATH", VARIABLE_FOLDERS, NULL },
	{ "PERL5LIB", VARIABLE_FOLDERS, NULL },
	{ "PERLLIB", VARIABLE_FOLDERS, NULL },
	{ "RUBYLIB", VARIABLE_FOLDERS, NULL },
	{ "NODE_PATH", VARIABLE_FOLDERS, NULL },
	{ "CLASSPATH", VARIABLE_FOLDERS, NULL },
	{ "R_LIBS", VARIABLE_FOLDERS, NULL },
	{ "ERL_LIBS", VARIABLE_FOLDERS, NULL },
	{ "CAML_LD_LIBRARY_PATH", VARIABLE_FOLDERS, NULL },
	{ "TCLLIBPATH", VARIABLE_FOLDERS, NULL },
	{ "LESSHISTFILE", VARIABLE_WRITES, NULL },
	{ "RSYNC_PARTIAL_DIR", VARIABLE_WRITES, NULL },
	{ "PERLIO_DEBUG", VARIABLE_WRITES, NULL },
	{ "PYTHON_HISTORY", VARIABLE_WRITES, NULL },
	{ "PYTHONDUMPREFSFILE", VARIABLE_WRITES, NULL },
	{ "NODE_REPL_HISTORY", VARIABLE_WRITES, NULL },
	{ "NODE_REDIRECT_WARNINGS", VARIABLE_WRITES, NULL },
	{ "GOCOVERDIR", VARIABLE_WRITES, NULL },
	{ "COVERAGE_FILE", VARIABLE_WRITES, NULL },
	{ "CCACHE_LOGFILE", VARIABLE_WRITES, NULL },
	{ "SQLITE_HISTORY", VARIABLE_WRITES, NULL },
	{ "PSQL_HISTORY", VARIABLE_WRITES, NULL },
	{ "MYSQL_HISTFILE", VARIABLE_WRITES, NULL },
	{ "TF_DATA_DIR", VARIABLE_WRITES, NULL },
	{ "FFREPORT", VARIABLE_WRITES, NULL },
	{ "KRB5_TRACE", VARIABLE_WRITES, NULL },
	{ "MALLOC_TRACE", VARIABLE_WRITES, NULL },
	{ "GMON_OUT_PREFIX", VARIABLE_WRITES, NULL },
	{ "GCOV_PREFIX", VARIABLE_WRITES, NULL },
	{ "LLVM_PROFILE_FILE", VARIABLE_WRITES, NULL },
	{ "GDBHISTFILE", VARIABLE_WRITES, NULL },
	{ "PIP_TARGET", VARIABLE_WRITES, NULL },
	{ "PIP_PREFIX", VARIABLE_WRITES, NULL },
	{ "PIP_REPORT", VARIABLE_WRITES, NULL },
	{ "GOBIN", VARIABLE_WRITES, NULL },
	{ "HISTFILE", VARIABLE_WRITES, NULL },
	{ "JAVA_OPTS", VARIABLE_OPTIONS, NULL },
	{ "ANT_OPTS", VARIABLE_OPTIONS, NULL },
	{ "ANT_ARGS", VARIABLE_OPTIONS, NULL },
	{ "SBT_OPTS", VARIABLE_OPTIONS, NULL },
	{ "MAVEN_ARGS", VARIABLE_OPTIONS, NULL },
	{ "LEIN_JVM_OPTS", VARIABLE_OPTIONS, NULL },
	{ "CFLAGS", VARIABLE_FLAGS, NULL },
	{ "CXXFLAGS", VARIABLE_FLAGS, NULL },
	{ "CPPFLAGS", VARIABLE_FLAGS, NULL },
	{ "LDFLAGS", VARIABLE_FLAGS, NULL },
	{ "FFLAGS", VARIABLE_FLAGS, NULL },
	{ "FCFLAGS", VARIABLE_FLAGS, NULL },
	{ "ASFLAGS", VARIABLE_FLAGS, NULL },
	{ "ARFLAGS", VARIABLE_FLAGS, NULL },
	{ "LDLIBS", VARIABLE_FLAGS, NULL },
	{ "LOADLIBES", VARIABLE_FLAGS, NULL },
	{ "LIBS", VARIABLE_FLAGS, NULL },
	{ "LFLAGS", VARIABLE_FLAGS, NULL },
	{ "YFLAGS", VARIABLE_FLAGS, NULL },
	{ "CGO_*", VARIABLE_FLAGS, NULL },
	{ "FC", VARIABLE_COMPILER, COMPILERS },
	{ "F77", VARIABLE_COMPILER, COMPILERS },
	{ "CPP", VARIABLE_COMPILER, COMPILERS },
	{ "HOSTCC", VARIABLE_COMPILER, COMPILERS },
	{ "HOSTCXX", VARIABLE_COMPILER, COMPILERS },
	{ "CC_FOR_BUILD", VARIABLE_COMPILER, COMPILERS },
	{ "CXX_FOR_BUILD", VARIABLE_COMPILER, COMPILERS },
};

static bool matches(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return strncmp(pattern, name, len - 1) == 0;
	return strncmp(pattern, name, len) == 0 && (!name[len] || strcmp(name + len, "+") == 0);
}

/* Folders whose programs only the system's owner can replace. */
static bool is_system_folder(const char *start, size_t len)
{
	static const char *const roots[] = { "/usr/", "/bin", "/sbin", "/opt/", "/nix/", "/snap/" };

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		size_t root = strlen(roots[i]);

		if (len >= root && memcmp(start, roots[i], root) == 0 && !memchr(start, '$', len))
			return true;
	}
	return false;
}

/* Where toolchains of this user, and this project, keep their programs. */
static bool is_tool_folder(const char *start, size_t len)
{
	static const char *const folders[] = { "$HOME/.cargo/bin", "$HOME/.local/bin", "$HOME/go/bin", "$HOME/.go/bin",
		"$HOME/.npm-global/bin", "$HOME/.deno/bin", "$HOME/.bun/bin", "$PWD/node_modules/.bin", "~/.cargo/bin",
		"~/.local/bin", "~/go/bin" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strlen(folders[i]) == len && memcmp(start, folders[i], len) == 0)
			return true;
	return false;
}

/* The spellings of "$PATH". */
static bool is_path_itself(const char *start, size_t len)
{
	return (len == 5 && memcmp(start, "$PATH", 5) == 0) || (len == 7 && memcmp(start, "${PATH}", 7) == 0);
}

/* PATH may be kept, and get system folders anywhere and others behind: those add names but shadow none. */
static bool is_harmless_path(const struct zs_raw_word *value)
{
	const char *text = value->raw, *end = value->raw + value->raw_len, *equals;
	bool seen_path = false;

	if (!text)
		return false;
	equals = memchr(text, '=', (size_t)(end - text));
	if (equals && equals - text <= 5 && memchr(text, 'P', (size_t)(equals - text)))
		text = equals + 1; /* env PATH=…: the raw word holds the name too */
	while (text < end) {
		size_t len;

		while (text < end && strchr("\"':", *text))
			text++;
		for (len = 0; text + len < end && !strchr("\"':", text[len]);)
			len++;
		if (!len)
			break;
		if (is_path_itself(text, len))
			seen_path = true;
		else if (!is_system_folder(text, len) && !is_tool_folder(text, len) && !seen_path)
			return false;
		text += len;
	}
	return true;
}

/* Words that make a program load code or write a file when they stand among its options. A word matches when it is
 * one of these, or starts with one and goes on with "=" or ":". */
static bool is_harmless_options(const struct zs_raw_word *value)
{
	static const char *const loading[] = { "-r", "--require", "--import", "--loader", "--experimental-loader", "-e",
		"--eval", "-p", "--inspect", "--inspect-brk", "--heap-prof", "--cpu-prof", "--prof",
		"--perf-basic-prof", "--diagnostic-dir", "--redirect-warnings", "-I", "-javaagent", "-agentpath",
		"-agentlib", "-Xlog", "-XX", "-toolexec", "-exec", "-vettool", "-o", "-O", "-overlay", "-C", "-Clinker",
		"--junitxml", "--junit-xml", "--basetemp", "--debug", "-Z", "--log-file", "--html" };
	const char *text = value->text;

	if (!text)
		return false;
	while (*(text += strspn(text, " \t\n"))) {
		size_t len = strcspn(text, " \t\n=:");

		for (size_t i = 0; i < sizeof loading / sizeof *loading; i++)
			if (strlen(loading[i]) == len && strncmp(text, loading[i], len) == 0)
				return false;
		text += strcspn(text, " \t\n");
	}
	return true;
}

/* Flags that make a compiler run or load code of another, or write where they say. */
static bool is_harmless_flags(const struct zs_raw_word *value)
{
	static const char *const loading[] = { "-fplugin", "-wrapper", "-B", "-specs", "--specs", "-o", "@", "-Xclang",
		"-load", "-fuse-ld=/", "-Wl,-o", "-Wl,-plugin", "-Wl,--plugin" };
	const char *text = value->text;

	while (*(text += strspn(text, " \t\n"))) {
		for (size_t i = 0; i < sizeof loading / sizeof *loading; i++)
			if (strncmp(loading[i], text, strlen(loading[i])) == 0)
				return false;
		text += strcspn(text, " \t\n");
	}
	return true;
}

static bool is_one_word(const char *text, size_t len, const char *words)
{
	for (const char *item = words; *item; item += strcspn(item, "|"), item += *item == '|') {
		size_t have = strcspn(item, "|"), prefix = item[have - 1] == '*' ? have - 1 : have;

		if ((prefix < have ? len >= prefix : len == have) && strncmp(item, text, prefix) == 0)
			return true;
	}
	return false;
}

/* Does every word of the value match one of "a|b*|c"? */
static bool is_of_words(const struct zs_raw_word *value, const char *words)
{
	const char *text = value->text;

	if (!text)
		return false;
	while (*(text += strspn(text, " \t\n"))) {
		size_t len = strcspn(text, " \t\n");

		if (!is_one_word(text, len, words))
			return false;
		text += len;
	}
	return true;
}

/* A library there is code of the project, or of its toolchain, as its programs are. In folders that everyone may write
 * it is somebody else's; what a variable names is not known. */
static bool is_library_path(const struct zs_raw_word *value)
{
	static const char *const known[] = { "PWD", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
		"DYLD_FALLBACK_LIBRARY_PATH", "CONDA_PREFIX", "VIRTUAL_ENV", "JAVA_HOME", "CUDA_HOME", "CUDA_PATH" };
	static const char *const foreign[] = { "tmp", "var/tmp", "dev", "proc", "run", "var/run", "private/tmp" };
	const char *text = value->raw, *end = value->raw + value->raw_len;

	if (!text)
		return false;
	if (memchr(text, '`', value->raw_len) || memchr(text, '\\', value->raw_len))
		return false;
	for (const char *at = text; at < end; at++) {
		bool start = at == text || strchr("=:\"'", at[-1]), is_known = false;

		for (size_t i = 0; *at == '$' && i < sizeof known / sizeof *known; i++) {
			size_t brace = at + 1 < end && at[1] == '{', len = strlen(known[i]);
			const char *name = at + 1 + brace;

			is_known |= (size_t)(end - name) >= len && strncmp(name, known[i], len) == 0 &&
				    (name + len == end || !zs_is_name(name[len]));
		}
		if (*at == '$' && !is_known && !((size_t)(end - at) >= 6 && strncmp(at, "$(pwd)", 6) == 0))
			return false;
		for (size_t i = 0; start && *at == '/' && i < sizeof foreign / sizeof *foreign; i++) {
			const char *folder = at;
			size_t len = strlen(foreign[i]);

			while (folder < end && *folder == '/')
				folder++;
			if (folder + len <= end && strncmp(folder, foreign[i], len) == 0 &&
				(folder + len == end || strchr("/:\"'", folder[len])))
				return false;
		}
		if (*at == '.' && end - at >= 2 && at[1] == '.')
			return false;
	}
	return true;
}

/* In front of a program that is no shell and starts none, it is only that program's. */
static bool reads_on(const struct zs_classify *classify)
{
	const struct zs_row *row = classify->row;
	const char *operands = row ? zs_row_operands(row) : NULL;

	return !classify->command || !classify->command->words.count || !row || zs_row_language(row) ||
	       row->grammar == ZS_GRAMMAR_ASSIGNS || (operands && strpbrk(operands, "XSc"));
}

/* A prompt is expanded as if in double quotes. PS4='$' may go on with PS4+='(x)'. */
static bool is_prompt_code(const struct zs_raw_word *value)
{
	const char *text = value->text;
	size_t len = text ? strlen(text) : 0;

	if (!text || strchr(text, '`') || strstr(text, "@P") || strstr(text, "$(") || strstr(text, "$[") ||
		*text == '(' || *text == '{' || (len && text[len - 1] == '$'))
		return true;
	for (; (text = strchr(text, '\\')); text++) /* \044 is a dollar sign, and $\](x) is $(x) */
		if ((text[1] >= '0' && text[1] <= '7') || (text > value->text && text[-1] == '$'))
			return true;
	return false;
}

/* SHELL=/bin/bash: the name alone of a program that gets what such a program gets. */
static bool is_known_tool(const struct variable *variable, const char *value)
{
	const struct zs_raw_word name = { .text = zs_base_name(value) };

	return variable->words && !value[strcspn(value, " \t\n;&|<>()$`\"'\\")] && is_of_words(&name, variable->words);
}

/* CC='ccache gcc -m32': a compiler of the list, behind a cache or not. */
static bool is_known_compiler(const struct variable *variable, const char *text)
{
	static const char *const caches[] = { "ccache", "sccache", "distcc", "icecc" };
	size_t len;

	text += strspn(text, " \t");
	len = strcspn(text, " \t");
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		if (strlen(caches[i]) != len || strncmp(text, caches[i], len) != 0)
			continue;
		text += len + strspn(text + len, " \t");
		len = strcspn(text, " \t");
		break;
	}
	for (size_t at = len; at > 0; at--) {
		if (text[at - 1] != '/')
			continue;
		text += at;
		len -= at;
		break;
	}
	return len && is_one_word(text, len, variable->words);
}

static void check_command(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word command = *value;

	if (strcmp(variable->name, "LESSOPEN") == 0) /* a pipe in front says how its output is read (man 1 less) */
		command.text += strspn(command.text, "|-");
	if (is_known_tool(variable, command.text))
		return;
	if (variable->kind == VARIABLE_CODE ||
		(variable->kind == VARIABLE_COMPILER && is_known_compiler(variable, command.text)))
		zs_nested_shell(classify, &command);
	else
		zs_called_shell(classify, &command);
}

/* The value names a file that the program appends to, but for 0 and 1. */
static void check_written(
	struct zs_classify *classify, const struct zs_raw_word *named, const struct zs_raw_word *value)
{
	if (!value->text)
		zs_blame(classify, ZS_RISK_ENVIRONMENT, named, "its value is known only when it runs");
	else if (strcmp(value->text, "0") != 0 && strcmp(value->text, "1") != 0 && *value->text)
		zs_write(classify, value, ZS_EFFECT_APPEND);
}

/* CFLAGS and its like: make expands them, a compiler reads them. */
static void check_flags(struct zs_classify *classify, const struct zs_raw_word *named, const struct zs_raw_word *value)
{
	if (value->text && zs_is_make_code(value->text))
		zs_blame(classify, ZS_RISK_INLINE_CODE, named, "make would run what its value holds");
	else if (value->text && !is_harmless_flags(value))
		zs_blame(classify, ZS_RISK_ENVIRONMENT, named, "its value may make a compiler load code");
}

static void check_variable(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word named = *value;

	named.text = named.prefix = variable->name;
	switch (variable->kind) {
	case VARIABLE_LOADS:
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, NULL);
		break;
	case VARIABLE_SCRIPT:
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, NULL);
		if (value->text ? zs_is_stream(value->text) : strcmp(value->dynamic, "process substitution") == 0)
			zs_blame(classify, ZS_RISK_OPAQUE_INTERPRETER, &named, "a shell would read code from a stream");
		break;
	case VARIABLE_DEFINES:
		zs_blame(classify, ZS_RISK_UNSUPPORTED, &named, "a function that another shell takes for its own");
		break;
	case VARIABLE_READING:
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, NULL);
		if (reads_on(classify))
			zs_blame(classify, ZS_RISK_UNSUPPORTED, &named,
				"a variable that changes how bash reads later text");
		break;
	case VARIABLE_COMMAND:
	case VARIABLE_CODE:
	case VARIABLE_COMPILER:
		if (value->text && *value->text)
			check_command(classify, variable, value);
		else if (!value->text)
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value is known only when it runs");
		break;
	case VARIABLE_PROMPT:
		if (is_prompt_code(value))
			zs_blame(classify, ZS_RISK_EVAL, &named, "a prompt that runs code");
		break;
	case VARIABLE_PATH:
		if (!is_harmless_path(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "other programs would run under known names");
		break;
	case VARIABLE_WRITES:
		check_written(classify, &named, value);
		break;
	case VARIABLE_FOLDERS:
		if (!is_library_path(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "libraries would be loaded from elsewhere");
		break;
	case VARIABLE_WORDS:
		if (!is_of_words(value, variable->words))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value may make the program load code");
		break;
	case VARIABLE_FLAGS:
		check_flags(classify, &named, value);
		break;
	case VARIABLE_OPTIONS:
		if (!is_harmless_options(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value may make the program load code");
		break;
	}
}

/* env NAME=VALUE make; export NAME=VALUE, and make later: make expands the variables of its environment. */
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
		const struct zs_row *row = text ? zs_row_find(classify->build->rows, "", zs_base_name(text)) : NULL;

		if (row && row->grammar == ZS_GRAMMAR_MAKE)
			zs_blame(classify, ZS_RISK_INLINE_CODE, value, "the value holds code that recipes would run");
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
	zs_value_given(classify->build, value);
	if (*name == '!') { /* ${!x:=…} */
		zs_blame(classify, ZS_RISK_EVAL, value, "which variable it sets is known only when it runs");
		return;
	}
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		if (matches(variables[i].name, name)) {
			check_variable(classify, &variables[i], value);
			return;
		}
	}
}
