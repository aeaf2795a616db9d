/* Variables that change which code runs, or where it writes. Data: one row a name or prefix. */
#include "classify.h"

#include <string.h>

enum variable_kind {
	VARIABLE_LOADS,   /* makes programs load or run code: any value is one too many */
	VARIABLE_COMMAND, /* a shell command: its value is read as one */
	VARIABLE_PROMPT,  /* text that is expanded as if double-quoted: it may hold substitutions */
	VARIABLE_PATH,    /* folders in which programs are found */
	VARIABLE_WRITES,  /* a file that gets written */
	VARIABLE_OPTIONS, /* options for a program: fine unless they make it load or write */
};

/* "X_*" is a prefix. The first match counts. */
static const struct variable {
	const char *name;
	enum variable_kind kind;
} variables[] = {
	{ "PATH", VARIABLE_PATH },
	{ "LD_*", VARIABLE_LOADS },
	{ "DYLD_*", VARIABLE_LOADS },
	{ "GCONV_PATH", VARIABLE_LOADS },
	{ "BASH_ENV", VARIABLE_LOADS },
	{ "ENV", VARIABLE_LOADS },
	{ "SHELLOPTS", VARIABLE_LOADS },
	{ "BASHOPTS", VARIABLE_LOADS },
	{ "BASH_FUNC_*", VARIABLE_LOADS },
	{ "BASH_LOADABLES_PATH", VARIABLE_LOADS },
	{ "BASH_ALIASES", VARIABLE_LOADS },
	{ "BASH_CMDS", VARIABLE_LOADS },
	{ "PROMPT_COMMAND", VARIABLE_COMMAND },
	{ "PS0", VARIABLE_PROMPT },
	{ "PS1", VARIABLE_PROMPT },
	{ "PS2", VARIABLE_PROMPT },
	{ "PS4", VARIABLE_PROMPT },
	{ "CDPATH", VARIABLE_LOADS },
	{ "ZDOTDIR", VARIABLE_LOADS },
	{ "PYTHONSTARTUP", VARIABLE_LOADS },
	{ "PYTHONINSPECT", VARIABLE_LOADS }, /* then it reads code from its input */
	{ "PYTHONHOME", VARIABLE_LOADS },
	{ "PYTHONBREAKPOINT", VARIABLE_LOADS },
	{ "PERL5OPT", VARIABLE_LOADS },
	{ "PERL5DB", VARIABLE_LOADS },
	{ "RUBYOPT", VARIABLE_OPTIONS },
	{ "NODE_OPTIONS", VARIABLE_OPTIONS },
	{ "JAVA_TOOL_OPTIONS", VARIABLE_OPTIONS },
	{ "_JAVA_OPTIONS", VARIABLE_OPTIONS },
	{ "TAR_OPTIONS", VARIABLE_LOADS },
	{ "NODE_V8_COVERAGE", VARIABLE_WRITES },
	{ "RSYNC_RSH", VARIABLE_COMMAND },
	{ "LESSOPEN", VARIABLE_COMMAND },
	{ "LESSCLOSE", VARIABLE_COMMAND },
	{ "PAGER", VARIABLE_COMMAND },
	{ "MANPAGER", VARIABLE_COMMAND },
	{ "EDITOR", VARIABLE_COMMAND },
	{ "VISUAL", VARIABLE_COMMAND },
	{ "BROWSER", VARIABLE_COMMAND },
	{ "MAKEFLAGS", VARIABLE_LOADS },
	{ "MAKEFILES", VARIABLE_LOADS },
	{ "GNUMAKEFLAGS", VARIABLE_LOADS },
	{ "GIT_PAGER", VARIABLE_COMMAND },
	{ "GIT_EDITOR", VARIABLE_COMMAND },
	{ "GIT_SEQUENCE_EDITOR", VARIABLE_COMMAND },
	{ "GIT_SSH_COMMAND", VARIABLE_COMMAND },
	{ "GIT_SSH", VARIABLE_COMMAND },
	{ "GIT_ASKPASS", VARIABLE_COMMAND },
	{ "SSH_ASKPASS", VARIABLE_COMMAND },
	{ "GIT_PROXY_COMMAND", VARIABLE_COMMAND },
	{ "GIT_EXTERNAL_DIFF", VARIABLE_COMMAND },
	{ "GIT_AUTHOR_*", VARIABLE_OPTIONS },
	{ "GIT_COMMITTER_*", VARIABLE_OPTIONS },
	{ "GIT_TERMINAL_PROMPT", VARIABLE_OPTIONS },
	{ "GIT_OPTIONAL_LOCKS", VARIABLE_OPTIONS },
	{ "GIT_CONFIG_NOSYSTEM", VARIABLE_OPTIONS },
	{ "GIT_PS1_*", VARIABLE_OPTIONS },
	{ "GIT_TRACE*", VARIABLE_WRITES },
	{ "GIT_*", VARIABLE_LOADS },
	{ "GOENV", VARIABLE_WRITES },
	{ "CC", VARIABLE_COMMAND },
	{ "CXX", VARIABLE_COMMAND },
	{ "LD", VARIABLE_COMMAND },
	{ "AR", VARIABLE_COMMAND },
	{ "RUSTC_WRAPPER", VARIABLE_COMMAND },
	{ "RUSTC", VARIABLE_COMMAND },
	{ "SHELL", VARIABLE_COMMAND },
	{ "RUSTC_WORKSPACE_WRAPPER", VARIABLE_COMMAND },
	{ "CARGO_TARGET_*", VARIABLE_LOADS },
	{ "CARGO_BUILD_*", VARIABLE_LOADS },
	{ "RUSTFLAGS", VARIABLE_OPTIONS },
	{ "GOFLAGS", VARIABLE_OPTIONS },
	{ "GH_PAGER", VARIABLE_COMMAND },
	{ "GH_EDITOR", VARIABLE_COMMAND },
	{ "KUBE_EDITOR", VARIABLE_COMMAND },
	{ "SYSTEMD_PAGER", VARIABLE_COMMAND },
	{ "PSQL_PAGER", VARIABLE_COMMAND },
	{ "KUBECTL_EXTERNAL_DIFF", VARIABLE_COMMAND },
	{ "SVN_SSH", VARIABLE_COMMAND },
	{ "LESS", VARIABLE_OPTIONS },
	{ "MANOPT", VARIABLE_LOADS },
	{ "RIPGREP_CONFIG_PATH", VARIABLE_LOADS },
	{ "LUA_INIT*", VARIABLE_LOADS },
	{ "ERL_AFLAGS", VARIABLE_LOADS },
	{ "ERL_FLAGS", VARIABLE_LOADS },
	{ "DOTNET_STARTUP_HOOKS", VARIABLE_LOADS },
	{ "JDK_JAVA_OPTIONS", VARIABLE_OPTIONS },
	{ "MAVEN_OPTS", VARIABLE_OPTIONS },
	{ "GRADLE_OPTS", VARIABLE_OPTIONS },
	{ "COMPILER_PATH", VARIABLE_LOADS },
	{ "GCC_EXEC_PREFIX", VARIABLE_LOADS },
	{ "OPENSSL_CONF", VARIABLE_LOADS },
	{ "CURL_HOME", VARIABLE_LOADS },
	{ "WGETRC", VARIABLE_LOADS },
	{ "XDG_CONFIG_HOME", VARIABLE_LOADS },
	{ "PYTEST_ADDOPTS", VARIABLE_OPTIONS },
	{ "npm_config_*", VARIABLE_LOADS },
	{ "NPM_CONFIG_*", VARIABLE_LOADS },
	{ "ZIPOPT", VARIABLE_LOADS },
	{ "ZIP", VARIABLE_LOADS },
	{ "POSIXLY_CORRECT", VARIABLE_LOADS },
	{ "SSLKEYLOGFILE", VARIABLE_WRITES },
	{ "PIP_LOG", VARIABLE_WRITES },
	{ "TF_LOG_PATH", VARIABLE_WRITES },
	{ "DEPENDENCIES_OUTPUT", VARIABLE_WRITES },
	{ "SUNPRO_DEPENDENCIES", VARIABLE_WRITES },
	{ "DBUS_SESSION_BUS_ADDRESS", VARIABLE_LOADS },
	{ "DBUS_SYSTEM_BUS_ADDRESS", VARIABLE_LOADS },
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

		text += strspn(text, "\"':") > (size_t)(end - text) ? (size_t)(end - text) : strspn(text, "\"':");
		len = strcspn(text, "\"':");
		if (len > (size_t)(end - text))
			len = (size_t)(end - text);
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

static void check_variable(
	struct zs_classify *classify, const struct variable *variable, const struct zs_raw_word *value)
{
	struct zs_raw_word named = *value;

	named.text = named.prefix = variable->name;
	switch (variable->kind) {
	case VARIABLE_LOADS:
		zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, NULL);
		break;
	case VARIABLE_COMMAND:
		if (value->text && *value->text)
			zs_nested_shell(classify, value);
		else if (!value->text)
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value is known only when it runs");
		break;
	case VARIABLE_PROMPT:
		if (!value->text || strchr(value->text, '`') || strstr(value->text, "$("))
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
	case VARIABLE_OPTIONS:
		if (!is_harmless_options(value))
			zs_blame(classify, ZS_RISK_ENVIRONMENT, &named, "its value may make the program load code");
		break;
	}
}

void zs_check_assignment(struct zs_classify *classify, const char *name, const struct zs_raw_word *value)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		if (matches(variables[i].name, name)) {
			check_variable(classify, &variables[i], value);
			return;
		}
	}
}
