#include "base/variable_names.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

/* clang-format off */
/* A '*' at the end stands for the rest of the name. Sources: man 8 ld.so, man 1 dyld, bash(1) INVOCATION and SHELL
 * VARIABLES, and each interpreter's manual of its environment; the glibc rows are the variables that a setuid program
 * drops (sysdeps/generic/unsecvars.h). */
static const char loader_patterns[][24] = {
	/* dynamic loaders and the C library */
	"LD_*", "DYLD_*", "GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH",
	"MALLOC_*", "NIS_PATH", "NLSPATH", "RESOLV_HOST_CONF", "RES_OPTIONS", "TZDIR",
	/* shells */
	"BASH_ENV", "BASH_FUNC_*", "BASHOPTS", "ENV", "IFS", "PROMPT_COMMAND", "PS0", "PS4", "SHELLOPTS", "ZDOTDIR",
	/* interpreters */
	"CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LUA_CPATH*", "LUA_INIT*", "LUA_PATH*",
	"NODE_OPTIONS", "NODE_PATH", "PERL5DB", "PERL5LIB", "PERL5OPT", "PERLLIB", "PHPRC", "PHP_INI_SCAN_DIR",
	"JULIA_LOAD_PATH", "GUILE_LOAD_PATH", "AWKPATH", "AWKLIBPATH", "R_PROFILE", "R_PROFILE_USER", "MAVEN_OPTS",
	"GRADLE_OPTS", "DOTNET_STARTUP_HOOKS", "DOTNET_ADDITIONAL_DEPS", "DOTNET_SHARED_STORE", "CORECLR_*", "COR_*",
	"PYTHONBREAKPOINT", "PYTHONHOME", "PYTHONINSPECT", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONUSERBASE", "RUBYLIB",
	"RUBYOPT",
	/* build tools: --eval in make's flags, programs that gcc and cargo start, modules that OpenSSL loads */
	"MAKEFILES", "MAKEFLAGS", "GNUMAKEFLAGS", "GCC_EXEC_PREFIX", "COMPILER_PATH", "RUSTC_WRAPPER",
	"RUSTC_WORKSPACE_WRAPPER", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES",
	/* programs that git and less start; another repository's hooks */
	"GIT_DIR", "GIT_COMMON_DIR",
	"GIT_ASKPASS", "GIT_CONFIG*", "GIT_EXEC_PATH", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_SSH*",
	"GIT_TEMPLATE_DIR", "LESSCLOSE", "LESSOPEN", "SSH_ASKPASS",
	/* zs's own: a command must not give orders to another shim */
	"ZS_SANDBOX_*",
};
/* clang-format on */

bool zs_env_is_prefix(const char *pattern)
{
	size_t len = strlen(pattern);

	return len && pattern[len - 1] == '*';
}

bool zs_env_matches(const char *pattern, const char *name, size_t len)
{
	size_t pattern_len;

	/* Decides most cases quickly: a hundred patterns are tried on each variable. */
	if (*pattern != *name && *pattern != '*')
		return false;
	pattern_len = strlen(pattern);
	if (zs_env_is_prefix(pattern))
		return len >= pattern_len - 1 && memcmp(pattern, name, pattern_len - 1) == 0;
	return len == pattern_len && memcmp(pattern, name, len) == 0;
}

bool zs_env_is_loader(const char *name, size_t len)
{
	for (size_t i = 0; i < ZS_COUNT(loader_patterns); i++)
		if (zs_env_matches(loader_patterns[i], name, len))
			return true;
	return false;
}

/* Endings of names that secrets commonly have. */
static const char *const secret_endings[] = { "TOKEN", "SECRET", "KEY", "KEYS", "PASSWORD", "PASSWD", "PASS",
	"PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "AUTH" };

bool zs_env_is_secret(const char *name, size_t len)
{
	for (size_t i = 0; i < ZS_COUNT(secret_endings); i++) {
		size_t end = strlen(secret_endings[i]);

		if (len >= end && (len == end || name[len - end - 1] == '_') &&
			strncasecmp(name + len - end, secret_endings[i], end) == 0)
			return true;
	}
	return false;
}
