/* Variables that change which code runs, or where it writes. Data: one row a name or prefix. */
#include "assembled.h"
#include "judge.h"
#include "names.h"

#include <string.h>

enum variable_kind {
	VARIABLE_LOADS,   /* makes programs load or run code: any value is one too many */
	VARIABLE_READING, /* changes how bash reads later text */
	VARIABLE_COMMAND, /* a shell command, to which its user adds words; but for programs of the row's list */
	VARIABLE_CODE,    /* a shell command that runs as it stands */
	VARIABLE_PROMPT,  /* text that is expanded as if double-quoted: it may hold substitutions */
	VARIABLE_PATH,    /* folders in which programs are found */
	VARIABLE_WRITES,  /* a file that gets written */
	VARIABLE_FOLDERS, /* folders with libraries, which the project's own programs load */
	VARIABLE_WORDS,   /* options for a program: only those of the row's list */
	VARIABLE_OPTIONS, /* options for a program: fine unless they make it load or write */
};

#define MAKE_WORDS                                                                                                     \
	"-j*|j*|-l*|-k|k|-s|s|-n|n|-B|-w|w|-i|-O|-Oline|-Otarget|-Orecurse|-Onone|--jobs|--jobs=*|--load-average=*|"   \
	"--keep-going|--silent|--quiet|--no-print-directory|--print-directory|--output-sync|--output-sync=*|"          \
	"--always-make|--dry-run|--warn-undefined-variables|--no-builtin-rules|--no-builtin-variables|-r|-R|-rR|rR|"   \
	"--trace|--debug*|-d|-ks|-sk|ks|sk|V=0|V=1|VERBOSE=0|VERBOSE=1"
/* What stands behind -C is a word of its own, or attached. */
#define RUST_WORDS                                                                                                     \
	"-D*|-A*|-W*|-F*|-g|-O|-C|--cfg*|--check-cfg*|--cap-lints*|--deny*|--allow*|--warn*|-v|warnings|unused*|"      \
	"dead_code|deprecated|missing_docs|unsafe_code|clippy::*|rustdoc::*|-Ctarget-*|-Copt-level=*|-Cdebuginfo=*|"   \
	"-Cdebug-assertions*|-Coverflow-checks*|-Cpanic=*|-Ccodegen-units=*|-Cinstrument-coverage*|-Clto*|"            \
	"-Cprefer-dynamic*|-Cforce-frame-pointers*|-Cstrip=*|target-cpu=*|target-feature=*|opt-level=*|debuginfo=*|"   \
	"debug-assertions*|overflow-checks*|panic=*|codegen-units=*|instrument-coverage*|lto*|prefer-dynamic*|"        \
	"force-frame-pointers*|strip=*|-Zsanitizer=*"

/* "X_*" is a prefix. The first match counts. */
static const struct variable {
	const char *name;
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
	{ "BASH_ENV", VARIABLE_LOADS, NULL },
	{ "ENV", VARIABLE_LOADS, NULL },
	{ "SHELLOPTS", VARIABLE_READING, NULL },
	{ "BASHOPTS", VARIABLE_READING, NULL },
	{ "BASH_FUNC_*", VARIABLE_LOADS, NULL },
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
	{ "CC", VARIABLE_COMMAND, NULL },
	{ "CXX", VARIABLE_COMMAND, NULL },
	{ "LD", VARIABLE_COMMAND, NULL },
	{ "AR", VARIABLE_COMMAND, "ar|gcc-ar|llvm-ar|emar" },
	{ "RUSTC_WRAPPER", VARIABLE_COMMAND, "sccache|ccache|cachepot" },
	{ "RUSTC", VARIABLE_COMMAND, NULL },
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

/* What "$PATH" is written as. */
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

/* Does every word of the value match one of "a|b*|c"? */
static bool is_of_words(const struct zs_raw_word *value, const char *words)
{
	const char *text = value->text;

	if (!text)
		return false;
	while (*(text += strspn(text, " \t\n"))) {
		size_t len = strcspn(text, " \t\n");
		bool found = false;

		for (const char *item = words; *item && !found; item += strcspn(item, "|"), item += *item == '|') {
			size_t have = strcspn(item, "|"), prefix = item[have - 1] == '*' ? have - 1 : have;

			found = (prefix < have ? len >= prefix : len == have) && strncmp(item, text, prefix) == 0;
		}
		if (!found)
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

static void check_command(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word command = *value;

	if (strcmp(variable->name, "LESSOPEN") == 0) /* a pipe in front says how its output is read (man 1 less) */
		command.text += strspn(command.text, "|-");
	if (is_known_tool(variable, command.text))
		return;
	if (variable->kind == VARIABLE_CODE)
		zs_nested_shell(classify, &command);
	else
		zs_called_shell(classify, &command);
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
	case VARIABLE_READING:
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, NULL);
		if (reads_on(classify))
			zs_blame(classify, ZS_RISK_UNSUPPORTED, &named,
				"a variable that changes how bash reads later text");
		break;
	case VARIABLE_COMMAND:
	case VARIABLE_CODE:
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
		if (!value->text)
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value is known only when it runs");
		else if (strcmp(value->text, "0") != 0 && strcmp(value->text, "1") != 0 && *value->text)
			zs_write(classify, value, ZS_EFFECT_APPEND);
		break;
	case VARIABLE_FOLDERS:
		if (!is_library_path(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "libraries would be loaded from elsewhere");
		break;
	case VARIABLE_WORDS:
		if (!is_of_words(value, variable->words))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value may make the program load code");
		break;
	case VARIABLE_OPTIONS:
		if (!is_harmless_options(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value may make the program load code");
		break;
	}
}

void zs_check_assignment(struct zs_classify *classify, const char *name, const struct zs_raw_word *value)
{
	bool known = value->text || (value->raw && !value->part);

	zs_check_value(classify, name, value);
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
