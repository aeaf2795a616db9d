/* The needs of a coding agent's commands on any machine. Each row is one fact, and decides nothing by itself. */
#include "policy/preset.h"

#include <stddef.h>

const struct zs_preset_tree zs_preset_trees_linux[] = {
	/* programs and libraries; on a merged /usr the short paths are links into it */
	{ "/usr", ZS_ACCESS_EXEC, false, true },
	{ "/bin", ZS_ACCESS_EXEC, false, true },
	{ "/sbin", ZS_ACCESS_EXEC, false, true },
	{ "/lib", ZS_ACCESS_EXEC, false, true },
	{ "/lib32", ZS_ACCESS_EXEC, false, true },
	{ "/lib64", ZS_ACCESS_EXEC, false, true },
	{ "/libx32", ZS_ACCESS_EXEC, false, true },
	{ "/opt", ZS_ACCESS_EXEC, false, false },
	{ "/nix", ZS_ACCESS_EXEC, false, false },
	{ "/gnu/store", ZS_ACCESS_EXEC, false, false },
	{ "/snap", ZS_ACCESS_EXEC, false, false },
	{ "/home/linuxbrew/.linuxbrew", ZS_ACCESS_EXEC, false, false },
	/* configuration to which links in /etc lead: WSL's and systemd's name servers, openSUSE's certificates */
	{ "/etc/resolv.conf", ZS_ACCESS_READ, false, false },
	{ "/etc/localtime", ZS_ACCESS_READ, false, false },
	{ "/var/lib/ca-certificates", ZS_ACCESS_READ, false, false },
	/* what runtimes ask about the machine: processors, memory, huge pages, the limit of the cgroup */
	{ "/proc", ZS_ACCESS_READ, false, false },
	{ "/sys/devices/system/cpu", ZS_ACCESS_READ, false, false },
	{ "/sys/devices/system/node", ZS_ACCESS_READ, false, false },
	{ "/sys/kernel/mm/transparent_hugepage", ZS_ACCESS_READ, false, false },
	{ "/sys/fs/cgroup", ZS_ACCESS_READ, false, false },
	/* devices */
	{ "/dev/null", ZS_ACCESS_WRITE, false, false },
	{ "/dev/zero", ZS_ACCESS_WRITE, false, false },
	{ "/dev/full", ZS_ACCESS_WRITE, false, false },
	{ "/dev/random", ZS_ACCESS_READ, false, false },
	{ "/dev/urandom", ZS_ACCESS_READ, false, false },
	{ "/dev/tty", ZS_ACCESS_WRITE, false, false },
	{ "/dev/ptmx", ZS_ACCESS_WRITE, false, false },
	{ "/dev/pts", ZS_ACCESS_WRITE, false, false },
	/* temporary files */
	{ "/dev/shm", ZS_ACCESS_WRITE, true, false },
	{ "/tmp", ZS_ACCESS_WRITE, true, false },
	{ "/var/tmp", ZS_ACCESS_WRITE, true, false },
	{ NULL, ZS_ACCESS_HIDE, false, false },
};

/* The records of package managers, and the cache of fonts: dpkg, apt, rpm, apk, pacman, Portage, xbps. Debian keeps
 * passwords beside them, in files that only root may read. */
const char *const zs_preset_records[] = { "/var/lib/dpkg", "/var/lib/apt", "/var/cache/apt", "/var/lib/rpm",
	"/var/lib/apk", "/var/lib/pacman", "/var/db/pkg", "/var/db/xbps", "/var/lib/alternatives",
	"/var/cache/fontconfig", NULL };

/* Caches are written, since a build that cannot fill its cache fails. LAYER: an install from the warm cache costs less
 * than 5 % more with a layer, so that a task has one (docs/cost.md); go's modules and uv's cache cost more, yarn's may,
 * and a target folder is no cache. Where a folder also holds credentials (CARGO_HOME/credentials.toml,
 * ~/.m2/settings.xml,
 * ~/.config/git/credentials), only the parts that hold none are granted. */
const struct zs_preset_home zs_preset_homes[] = {
	{ "TMPDIR", "", "", ZS_ACCESS_WRITE, "" },
	/* git */
	{ "", ".gitconfig", "", ZS_ACCESS_READ, "" },
	{ "", ".gitignore", "", ZS_ACCESS_READ, "" },
	{ "", ".gitignore_global", "", ZS_ACCESS_READ, "" },
	{ "", ".gitattributes", "", ZS_ACCESS_READ, "" },
	{ "XDG_CONFIG_HOME", ".config", "git/config", ZS_ACCESS_READ, "" },
	{ "XDG_CONFIG_HOME", ".config", "git/ignore", ZS_ACCESS_READ, "" },
	{ "XDG_CONFIG_HOME", ".config", "git/attributes", ZS_ACCESS_READ, "" },
	/* shells */
	{ "", ".profile", "", ZS_ACCESS_READ, "" },
	{ "", ".bashrc", "", ZS_ACCESS_READ, "" },
	{ "", ".bash_profile", "", ZS_ACCESS_READ, "" },
	{ "", ".bash_login", "", ZS_ACCESS_READ, "" },
	{ "", ".bash_aliases", "", ZS_ACCESS_READ, "" },
	{ "", ".zshenv", "", ZS_ACCESS_READ, "" },
	{ "", ".zprofile", "", ZS_ACCESS_READ, "" },
	{ "", ".zshrc", "", ZS_ACCESS_READ, "" },
	{ "", ".inputrc", "", ZS_ACCESS_READ, "" },
	{ "", ".editorconfig", "", ZS_ACCESS_READ, "" },
	/* C and C++ */
	{ "CCACHE_DIR", ".ccache", "", ZS_ACCESS_WRITE, "" },
	{ "XDG_CACHE_HOME", ".cache", "ccache", ZS_ACCESS_WRITE, "ccache" },
	{ "XDG_CONFIG_HOME", ".config", "ccache", ZS_ACCESS_READ, "" },
	{ "XDG_CACHE_HOME", ".cache", "zig", ZS_ACCESS_WRITE, "zig" },
	{ "ZIG_GLOBAL_CACHE_DIR", "", "", ZS_ACCESS_WRITE, "zig" },
	/* Go: https://pkg.go.dev/cmd/go#hdr-Environment_variables */
	{ "GOCACHE", "", "", ZS_ACCESS_LAYER, "go" },
	{ "XDG_CACHE_HOME", ".cache", "go-build", ZS_ACCESS_LAYER, "go" },
	{ "GOMODCACHE", "", "", ZS_ACCESS_WRITE, "go" },
	{ "GOPATH", "go", "pkg", ZS_ACCESS_WRITE, "go" },
	{ "GOPATH", "go", "bin", ZS_ACCESS_EXEC, "" },
	{ "GOBIN", "", "", ZS_ACCESS_EXEC, "" },
	{ "GOROOT", "", "", ZS_ACCESS_EXEC, "" },
	{ "XDG_CONFIG_HOME", ".config", "go", ZS_ACCESS_READ, "" },
	{ "XDG_CACHE_HOME", ".cache", "golangci-lint", ZS_ACCESS_WRITE, "" },
	{ "XDG_CACHE_HOME", ".cache", "staticcheck", ZS_ACCESS_WRITE, "" },
	/* Rust: https://doc.rust-lang.org/cargo/guide/cargo-home.html */
	{ "CARGO_HOME", ".cargo", "registry", ZS_ACCESS_LAYER, "cargo" },
	{ "CARGO_HOME", ".cargo", "git", ZS_ACCESS_LAYER, "cargo" },
	{ "CARGO_HOME", ".cargo", ".package-cache", ZS_ACCESS_WRITE, "cargo" },
	{ "CARGO_HOME", ".cargo", ".package-cache-mutate", ZS_ACCESS_WRITE, "cargo" },
	{ "CARGO_HOME", ".cargo", ".global-cache", ZS_ACCESS_WRITE, "cargo" },
	{ "CARGO_HOME", ".cargo", "bin", ZS_ACCESS_EXEC, "" },
	{ "CARGO_HOME", ".cargo", "config", ZS_ACCESS_READ, "" },
	{ "CARGO_HOME", ".cargo", "config.toml", ZS_ACCESS_READ, "" },
	{ "CARGO_HOME", ".cargo", "env", ZS_ACCESS_READ, "" },
	{ "CARGO_TARGET_DIR", "", "", ZS_ACCESS_WRITE, "cargo" },
	{ "RUSTUP_HOME", ".rustup", "", ZS_ACCESS_EXEC, "" },
	/* JavaScript; ~/.npmrc may hold a token */
	{ "npm_config_cache", ".npm", "", ZS_ACCESS_LAYER, "npm" },
	{ "NPM_CONFIG_CACHE", "", "", ZS_ACCESS_LAYER, "npm" },
	{ "YARN_CACHE_FOLDER", "", "", ZS_ACCESS_WRITE, "yarn" },
	{ "XDG_CACHE_HOME", ".cache", "yarn", ZS_ACCESS_WRITE, "yarn" },
	{ "", ".yarn", "berry", ZS_ACCESS_WRITE, "yarn" },
	{ "XDG_CACHE_HOME", ".cache", "pnpm", ZS_ACCESS_LAYER, "pnpm" },
	{ "XDG_CACHE_HOME", ".cache", "node", ZS_ACCESS_WRITE, "corepack" },
	/* pnpm's home is a folder of PATH, and a program planted there would run outside, so only the store is
	 * granted. */
	{ "XDG_DATA_HOME", ".local/share", "pnpm/store", ZS_ACCESS_LAYER, "pnpm" },
	{ "PNPM_HOME", "", "store", ZS_ACCESS_LAYER, "pnpm" },
	{ "PNPM_HOME", "", "", ZS_ACCESS_EXEC, "" },
	{ "NVM_DIR", ".nvm", "", ZS_ACCESS_EXEC, "" },
	{ "XDG_DATA_HOME", ".local/share", "fnm", ZS_ACCESS_EXEC, "" },
	{ "VOLTA_HOME", ".volta", "", ZS_ACCESS_EXEC, "" },
	{ "BUN_INSTALL", ".bun", "bin", ZS_ACCESS_EXEC, "" },
	{ "BUN_INSTALL", ".bun", "install/cache", ZS_ACCESS_WRITE, "bun" },
	{ "DENO_DIR", "", "", ZS_ACCESS_WRITE, "deno" },
	{ "XDG_CACHE_HOME", ".cache", "deno", ZS_ACCESS_WRITE, "deno" },
	{ "", ".deno/bin", "", ZS_ACCESS_EXEC, "" },
	{ "XDG_CACHE_HOME", ".cache", "ms-playwright", ZS_ACCESS_EXEC, "" },
	/* Python; ~/.config/pip and ~/.pypirc may hold a token */
	{ "PIP_CACHE_DIR", "", "", ZS_ACCESS_LAYER, "pip" },
	{ "XDG_CACHE_HOME", ".cache", "pip", ZS_ACCESS_LAYER, "pip" },
	{ "UV_CACHE_DIR", "", "", ZS_ACCESS_WRITE, "uv" },
	{ "XDG_CACHE_HOME", ".cache", "uv", ZS_ACCESS_WRITE, "uv" },
	{ "XDG_DATA_HOME", ".local/share", "uv", ZS_ACCESS_EXEC, "" },
	{ "XDG_CACHE_HOME", ".cache", "pre-commit", ZS_ACCESS_WRITE, "" },
	{ "XDG_CACHE_HOME", ".cache", "pypoetry", ZS_ACCESS_WRITE, "poetry" },
	{ "PYENV_ROOT", ".pyenv", "", ZS_ACCESS_EXEC, "" },
	{ "VIRTUAL_ENV", "", "", ZS_ACCESS_EXEC, "" },
	{ "CONDA_PREFIX", "", "", ZS_ACCESS_EXEC, "" },
	{ "", "miniconda3", "", ZS_ACCESS_EXEC, "" },
	{ "", "anaconda3", "", ZS_ACCESS_EXEC, "" },
	{ "", ".local/bin", "", ZS_ACCESS_EXEC, "" },
	{ "", ".local/lib", "", ZS_ACCESS_EXEC, "" },
	/* Java */
	{ "JAVA_HOME", "", "", ZS_ACCESS_EXEC, "" },
	{ "SDKMAN_DIR", ".sdkman", "candidates", ZS_ACCESS_EXEC, "" },
	{ "", ".m2", "repository", ZS_ACCESS_LAYER, "mvn" },
	{ "GRADLE_USER_HOME", ".gradle", "caches", ZS_ACCESS_WRITE, "gradle" },
	{ "GRADLE_USER_HOME", ".gradle", "wrapper", ZS_ACCESS_WRITE, "gradle" },
	{ "GRADLE_USER_HOME", ".gradle", "native", ZS_ACCESS_WRITE, "gradle" },
	{ "GRADLE_USER_HOME", ".gradle", "daemon", ZS_ACCESS_WRITE, "gradle" },
	{ "XDG_CACHE_HOME", ".cache", "bazel", ZS_ACCESS_WRITE, "bazel" },
	{ "XDG_CACHE_HOME", ".cache", "bazelisk", ZS_ACCESS_WRITE, "bazelisk" },
	/* others, and managers of many; ~/.gem and ~/.nuget/NuGet may hold credentials */
	{ "RBENV_ROOT", ".rbenv", "", ZS_ACCESS_EXEC, "" },
	{ "", ".rvm", "", ZS_ACCESS_EXEC, "" },
	{ "", ".nuget", "packages", ZS_ACCESS_WRITE, "dotnet" },
	{ "NUGET_PACKAGES", "", "", ZS_ACCESS_WRITE, "dotnet" },
	{ "XDG_DATA_HOME", ".local/share", "NuGet", ZS_ACCESS_WRITE, "dotnet" },
	{ "COMPOSER_CACHE_DIR", "", "", ZS_ACCESS_WRITE, "composer" },
	{ "XDG_CACHE_HOME", ".cache", "composer", ZS_ACCESS_WRITE, "composer" },
	{ "", ".bundle", "cache", ZS_ACCESS_WRITE, "bundle" },
	{ "DOTNET_ROOT", ".dotnet", "", ZS_ACCESS_EXEC, "" },
	{ "ASDF_DATA_DIR", ".asdf", "", ZS_ACCESS_EXEC, "" },
	{ "XDG_DATA_HOME", ".local/share", "mise", ZS_ACCESS_EXEC, "" },
	{ "", ".ghcup", "", ZS_ACCESS_EXEC, "" },
	{ "", ".juliaup", "", ZS_ACCESS_EXEC, "" },
	{ "", ".nix-profile", "", ZS_ACCESS_EXEC, "" },
	{ "", "", "", ZS_ACCESS_HIDE, "" },
};

/* The places that a variable may name. The value of a variable comes from the environment in which zs was started. It
 * can open the user's own places, but no part of the system: TMPDIR=/etc must not. A row that writes needs a folder
 * outside of the unwritable trees, and a row that reads one outside of the unreadable trees. Inside these trees only
 * the open ones, HOME and the workspace count. The folder must not hold one of these trees either, nor touch a folder
 * of credentials. The folder's real place is judged. */
const char *const zs_preset_unwritable[] = { "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/boot", "/dev", "/proc", "/sys", "/run", "/var", "/root", "/home", "/nix", "/gnu", "/snap", "/System",
	"/Library", "/Users", "/private", NULL };
const char *const zs_preset_unreadable[] = { "/etc", "/boot", "/dev", "/proc", "/sys", "/run", "/root", "/private/etc",
	NULL };
const char *const zs_preset_open[] = { "/tmp", "/var/tmp", "/var/cache", "/dev/shm", "/private/tmp", "/private/var/tmp",
	"/private/var/folders", NULL };
/* In HOME. */
const char *const zs_preset_credentials[] = { ".ssh", ".aws", ".gnupg", ".config/gh", ".config/gcloud", ".kube",
	".docker", ".azure", ".password-store", ".local/share/keyrings", "Library/Keychains", "Library/Cookies", NULL };

const char *const zs_preset_authorities[] = { "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "PIP_CERT", "CARGO_HTTP_CAINFO",
	"DENO_CERT", "AWS_CA_BUNDLE", NULL };

/* clang-format off */
/* Names that carry no secret and load no code. No "GO*", which would pass GOOGLE_API_KEY, no "CARGO_*" with its
 * registry tokens, no "npm_config_*" with npm's. */
const char *const zs_preset_env[] = {
	/* the user and the place */
	"HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "OLDPWD", "SHLVL", "HOSTNAME", "TMPDIR", "TMP", "TEMP",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
	/* terminal and language */
	"TERM", "COLORTERM", "TERM_PROGRAM", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
	"FORCE_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION",
	"LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE",
	"LC_TIME", "TZ", "LS_COLORS", "LESS", "LESSCHARSET", "PAGER", "MANPAGER",
	"EDITOR", "VISUAL", "GIT_PAGER", "GIT_EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
	"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_TERMINAL_PROMPT",
	"GIT_CEILING_DIRECTORIES",
	/* builds */
	"CI", "DEBIAN_FRONTEND", "SOURCE_DATE_EPOCH", "AR", "AS", "CC", "CPP", "CXX", "LD", "NM", "RANLIB", "STRIP",
	"CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "PKG_CONFIG", "PKG_CONFIG_PATH", "CMAKE_BUILD_PARALLEL_LEVEL",
	"CMAKE_BUILD_TYPE", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH", "CCACHE_DIR", "ZIG_GLOBAL_CACHE_DIR",
	/* certificate authorities: each of zs_preset_authorities */
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
	"GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "PIP_CERT", "CARGO_HTTP_CAINFO", "DENO_CERT", "AWS_CA_BUNDLE",
	/* Go */
	"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOENV", "GOFLAGS", "GOOS", "GOARCH", "GOARM", "GOAMD64",
	"GOTOOLCHAIN", "GO111MODULE", "GOWORK", "GOEXPERIMENT", "GODEBUG", "GOMAXPROCS", "GOGC", "GOMEMLIMIT",
	"GOTRACEBACK", "GOSUMDB", "GOPRIVATE", "CGO_ENABLED", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS",
	"CGO_FFLAGS", "CGO_LDFLAGS",
	/* Rust */
	"CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_BUILD_JOBS", "CARGO_INCREMENTAL", "CARGO_NET_OFFLINE",
	"CARGO_TERM_COLOR", "CARGO_TERM_QUIET", "CARGO_TERM_VERBOSE", "CARGO_TERM_PROGRESS_WHEN",
	"CARGO_TERM_PROGRESS_WIDTH", "CARGO_PROFILE_DEV_*", "CARGO_PROFILE_RELEASE_*", "CARGO_PROFILE_TEST_*",
	"CARGO_PROFILE_BENCH_*", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUST_BACKTRACE", "RUST_LOG",
	/* JavaScript */
	"NODE_ENV", "NVM_DIR", "NVM_BIN", "npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER", "PNPM_HOME",
	"VOLTA_HOME", "BUN_INSTALL", "DENO_DIR",
	/* Python */
	"VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION", "PIP_CACHE_DIR", "UV_CACHE_DIR", "CONDA_PREFIX",
	"CONDA_DEFAULT_ENV", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUNBUFFERED",
	"PYTHONUTF8",
	/* others */
	"JAVA_HOME", "SDKMAN_DIR", "GRADLE_USER_HOME", "NUGET_PACKAGES", "COMPOSER_CACHE_DIR", "RBENV_ROOT",
	"RBENV_VERSION", "DOTNET_ROOT", "DOTNET_CLI_TELEMETRY_OPTOUT", "ASDF_DATA_DIR", NULL,
};
/* clang-format on */

#define NPM (1 << ZS_TASK_NPM)
#define PNPM (1 << ZS_TASK_PNPM)
#define YARN (1 << ZS_TASK_YARN)
#define PIP (1 << ZS_TASK_PIP)
#define UV (1 << ZS_TASK_UV)
#define CARGO (1 << ZS_TASK_CARGO)
#define GO (1 << ZS_TASK_GO)
#define MAVEN (1 << ZS_TASK_MAVEN)
#define GIT (1 << ZS_TASK_GIT)
#define GIT_SSH (1 << ZS_TASK_GIT_SSH)
#define SIGN_SSH (1 << ZS_TASK_SIGN_SSH)
#define SIGN_GPG (1 << ZS_TASK_SIGN_GPG)
#define GPU (1 << ZS_TASK_GPU)
#define DOCKER_NONE (1 << ZS_TASK_DOCKER_NONE)
#define NODE (NPM | PNPM | YARN)
#define PYTHON (PIP | UV)

/* The needs of tasks. A registry task (ZS_REGISTRY_TASKS) grants no credential, so "auto" may choose it. */
const struct zs_task_row zs_task_rows[] = {
	/* JavaScript: man 5 npmrc */
	{ NODE, ZS_FACT_HOST, .name = "registry.npmjs.org:443", .replaces = true },
	{ YARN, ZS_FACT_HOST, .name = "registry.yarnpkg.com:443", .replaces = true },
	{ YARN, ZS_FACT_HOST, .name = "repo.yarnpkg.com:443" },
	{ NODE, ZS_FACT_REGISTRY_VARIABLE, .variable = "npm_config_registry", .replaces = true },
	{ NODE, ZS_FACT_REGISTRY_VARIABLE, .variable = "NPM_CONFIG_REGISTRY", .replaces = true },
	{ YARN, ZS_FACT_REGISTRY_VARIABLE, .variable = "YARN_NPM_REGISTRY_SERVER", .replaces = true },
	{ NODE, ZS_FACT_REGISTRY_FILE, .variable = "NPM_CONFIG_USERCONFIG", .fallback = ".npmrc", .key = "registry",
		.replaces = true },
	{ NPM, ZS_FACT_LAYER_FILE, .variable = "NPM_CONFIG_USERCONFIG", .fallback = ".npmrc", .key = "cache" },
	{ PNPM, ZS_FACT_LAYER_FILE, .variable = "NPM_CONFIG_USERCONFIG", .fallback = ".npmrc", .key = "store-dir" },
	{ NODE, ZS_FACT_VARIABLE, .variable = "NPM_CONFIG_USERCONFIG" },
	{ NODE, ZS_FACT_WORKSPACE_REGISTRY, .name = ".npmrc", .key = "registry" },
	{ YARN, ZS_FACT_WORKSPACE_REGISTRY, .name = ".yarnrc", .key = "registry" },
	{ YARN, ZS_FACT_WORKSPACE_REGISTRY, .name = ".yarnrc.yml", .key = "npmRegistryServer" },
	{ NPM, ZS_FACT_MARK, .name = "package.json" },
	{ PNPM, ZS_FACT_MARK, .name = "pnpm-lock.yaml" },
	{ YARN, ZS_FACT_MARK, .name = "yarn.lock" },
	/* Python: https://pip.pypa.io/en/stable/topics/configuration/, https://docs.astral.sh/uv/ */
	{ PYTHON, ZS_FACT_HOST, .name = "pypi.org:443", .replaces = true },
	{ PYTHON, ZS_FACT_HOST, .name = "files.pythonhosted.org:443", .replaces = true },
	{ PIP, ZS_FACT_REGISTRY_VARIABLE, .variable = "PIP_INDEX_URL", .replaces = true },
	{ PIP, ZS_FACT_REGISTRY_VARIABLE, .variable = "PIP_EXTRA_INDEX_URL" },
	{ PIP, ZS_FACT_VARIABLE, .variable = "PIP_CONFIG_FILE" },
	{ PIP, ZS_FACT_REGISTRY_FILE, .variable = "PIP_CONFIG_FILE", .fallback = "/etc/pip.conf", .key = "index-url",
		.replaces = true },
	{ PIP, ZS_FACT_REGISTRY_FILE, .variable = "XDG_CONFIG_HOME", .fallback = ".config", .name = "pip/pip.conf",
		.key = "index-url", .replaces = true },
	{ PIP, ZS_FACT_LAYER_FILE, .variable = "XDG_CONFIG_HOME", .fallback = ".config", .name = "pip/pip.conf",
		.key = "cache-dir" },
	{ UV, ZS_FACT_CACHE_FILE, .variable = "XDG_CONFIG_HOME", .fallback = ".config", .name = "uv/uv.toml",
		.key = "cache-dir" },
	{ PIP, ZS_FACT_REGISTRY_FILE, .fallback = "Library/Application Support", .name = "pip/pip.conf",
		.key = "index-url", .replaces = true },
	{ PIP, ZS_FACT_REGISTRY_FILE, .fallback = ".pip/pip.conf", .key = "index-url", .replaces = true },
	{ UV, ZS_FACT_REGISTRY_VARIABLE, .variable = "UV_DEFAULT_INDEX", .replaces = true },
	{ UV, ZS_FACT_REGISTRY_VARIABLE, .variable = "UV_INDEX_URL", .replaces = true },
	{ UV, ZS_FACT_REGISTRY_VARIABLE, .variable = "UV_INDEX" },
	{ UV, ZS_FACT_REGISTRY_VARIABLE, .variable = "UV_EXTRA_INDEX_URL" },
	{ UV, ZS_FACT_REGISTRY_FILE, .variable = "XDG_CONFIG_HOME", .fallback = ".config", .name = "uv/uv.toml",
		.key = "index-url", .replaces = true },
	{ UV, ZS_FACT_REGISTRY_FILE, .variable = "XDG_CONFIG_HOME", .fallback = ".config", .name = "uv/uv.toml",
		.key = "url" },
	{ PYTHON, ZS_FACT_WORKSPACE_REGISTRY, .name = "requirements.txt", .key = "index-url" },
	{ PIP, ZS_FACT_WORKSPACE_REGISTRY, .name = "pip.conf", .key = "index-url" },
	{ UV, ZS_FACT_WORKSPACE_REGISTRY, .name = "uv.toml", .key = "url" },
	{ UV, ZS_FACT_WORKSPACE_REGISTRY, .name = "uv.toml", .key = "index-url" },
	{ UV, ZS_FACT_WORKSPACE_REGISTRY, .name = "pyproject.toml", .key = "index-url" },
	{ PIP, ZS_FACT_MARK, .name = "requirements.txt" },
	{ PIP, ZS_FACT_MARK, .name = "pyproject.toml" },
	{ PIP, ZS_FACT_MARK, .name = "setup.py" },
	{ UV, ZS_FACT_MARK, .name = "uv.lock" },
	/* Rust: https://doc.rust-lang.org/cargo/reference/source-replacement.html */
	{ CARGO, ZS_FACT_HOST, .name = "index.crates.io:443" },
	{ CARGO, ZS_FACT_HOST, .name = "static.crates.io:443" },
	{ CARGO, ZS_FACT_REGISTRY_FILE, .variable = "CARGO_HOME", .fallback = ".cargo", .name = "config.toml",
		.key = "registry" },
	{ CARGO, ZS_FACT_REGISTRY_FILE, .variable = "CARGO_HOME", .fallback = ".cargo", .name = "config.toml",
		.key = "index" },
	{ CARGO, ZS_FACT_WORKSPACE_REGISTRY, .name = ".cargo/config.toml", .key = "registry" },
	{ CARGO, ZS_FACT_WORKSPACE_REGISTRY, .name = ".cargo/config.toml", .key = "index" },
	{ CARGO, ZS_FACT_MARK, .name = "Cargo.toml" },
	/* Go: https://go.dev/ref/mod#environment-variables */
	{ GO, ZS_FACT_HOST, .name = "proxy.golang.org:443", .replaces = true },
	{ GO, ZS_FACT_HOST, .name = "sum.golang.org:443" },
	{ GO, ZS_FACT_REGISTRY_VARIABLE, .variable = "GOPROXY", .replaces = true },
	{ GO, ZS_FACT_REGISTRY_FILE, .variable = "GOENV", .fallback = ".config/go/env", .key = "GOPROXY",
		.replaces = true },
	{ GO, ZS_FACT_CACHE_FILE, .variable = "GOENV", .fallback = ".config/go/env", .key = "GOMODCACHE" },
	{ GO, ZS_FACT_LAYER_FILE, .variable = "GOENV", .fallback = ".config/go/env", .key = "GOCACHE" },
	{ GO, ZS_FACT_VARIABLE, .variable = "GONOSUMDB" },
	{ GO, ZS_FACT_VARIABLE, .variable = "GONOPROXY" },
	{ GO, ZS_FACT_MARK, .name = "go.mod" },
	/* Maven; a mirror of ~/.m2/settings.xml is not read, since that file is XML and holds passwords */
	{ MAVEN, ZS_FACT_HOST, .name = "repo.maven.apache.org:443" },
	{ MAVEN, ZS_FACT_HOST, .name = "repo1.maven.org:443" },
	{ MAVEN, ZS_FACT_MARK, .name = "pom.xml" },
	/* git has no default host: these are the forges where most repositories are */
	{ GIT | GIT_SSH | SIGN_SSH | SIGN_GPG, ZS_FACT_GIT, .name = "" },
	{ GIT, ZS_FACT_HOST, .name = "github.com:443" },
	{ GIT, ZS_FACT_HOST, .name = "gitlab.com:443" },
	{ GIT, ZS_FACT_HOST, .name = "codeberg.org:443" },
	{ GIT_SSH, ZS_FACT_HOST, .name = "github.com:22" },
	{ GIT_SSH, ZS_FACT_HOST, .name = "gitlab.com:22" },
	{ GIT_SSH, ZS_FACT_HOST, .name = "codeberg.org:22" },
	{ GIT | GIT_SSH, ZS_FACT_WORKSPACE_REGISTRY, .name = ".git/config", .key = "url" },
	{ GIT_SSH, ZS_FACT_READ, .fallback = ".ssh/known_hosts" },
	{ GIT_SSH, ZS_FACT_READ, .fallback = ".ssh/config" },
	/* the agents of ssh and gpg, and the public keys by which a signer names its key */
	{ GIT_SSH | SIGN_SSH, ZS_FACT_VARIABLE, .variable = "SSH_AUTH_SOCK" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_SOCKET, .variable = "SSH_AUTH_SOCK" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/id_ed25519.pub" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/id_ecdsa.pub" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/id_rsa.pub" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/id_ed25519_sk.pub" },
	{ GIT_SSH | SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/id_ecdsa_sk.pub" },
	{ SIGN_SSH, ZS_FACT_READ, .fallback = ".ssh/allowed_signers" },
	{ SIGN_GPG, ZS_FACT_VARIABLE, .variable = "GNUPGHOME" },
	{ SIGN_GPG, ZS_FACT_SOCKET, .variable = "GNUPGHOME", .fallback = ".gnupg", .name = "S.gpg-agent" },
	{ SIGN_GPG, ZS_FACT_SOCKET, .variable = "XDG_RUNTIME_DIR", .name = "gnupg/S.gpg-agent" },
	{ SIGN_GPG, ZS_FACT_READ, .variable = "GNUPGHOME", .fallback = ".gnupg", .name = "pubring.kbx" },
	{ SIGN_GPG, ZS_FACT_READ, .variable = "GNUPGHOME", .fallback = ".gnupg", .name = "trustdb.gpg" },
	{ SIGN_GPG, ZS_FACT_READ, .variable = "GNUPGHOME", .fallback = ".gnupg", .name = "gpg.conf" },
	/* graphics cards: DRM (man 7 drm), AMD's compute driver, NVIDIA's own driver */
	{ GPU, ZS_FACT_DEVICE, .fallback = "/dev", .name = "dri" },
	{ GPU, ZS_FACT_DEVICE, .fallback = "/dev", .name = "kfd" },
	{ GPU, ZS_FACT_DEVICE, .fallback = "/dev", .name = "nvidia*" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/class/drm" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/class/kfd" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/dev/char" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/devices/virtual/kfd" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/module/nvidia" },
	{ GPU, ZS_FACT_READ, .fallback = "/sys/module/amdgpu" },
	{ GPU, ZS_FACT_DESCRIPTION, .fallback = "/sys/class/drm", .name = "*", .key = "device" },
	{ GPU, ZS_FACT_DESCRIPTION, .fallback = "/sys/bus/pci/drivers/nvidia", .name = "0*", .key = "." },
	/* whoever reaches one of these can start a container with the whole disk in it */
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = "/run/docker.sock" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = "/var/run/docker.sock" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = "/run/podman" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = "/run/containerd" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = "/run/crio" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .variable = "XDG_RUNTIME_DIR", .fallback = "/run", .name = "docker.sock" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .variable = "XDG_RUNTIME_DIR", .fallback = "/run", .name = "podman" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = ".docker/run" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = ".docker/desktop" },
	{ DOCKER_NONE, ZS_FACT_HIDDEN, .fallback = ".colima" },
	{ 0, 0, .name = "" },
};

const struct zs_secret_file zs_secret_files[] = {
	{ ".env", "" },
	{ ".env.*", "" },
	{ "*.pem", "PRIVATE" },
	{ "*.key", "PRIVATE" },
	{ ".npmrc", "_authToken _auth _password" },
	{ "credentials*.json", "" },
	{ NULL, NULL },
};
const char *const zs_secret_exceptions[] = { "*.example", "*.sample", "*.template", "*.dist", NULL };
const char *const zs_secret_folders[] = { ".git", "node_modules", "site-packages", NULL };
