/* The files that git, shells and agents obey outside of any sandbox: one table and one rule, by the names of paths.
 * Mounts, the watch, --apply, approvals, `zs install` and docs/policy.md use them. Files that git's configuration names
 * can have any name: git_protect.c finds those. A row is a file that runs commands, or that says what an agent may do
 * without asking. Three kinds of files have no row: texts that agents only read (AGENTS.md, CLAUDE.md), since agents
 * edit them as work; files whose program asks before it obeys a changed one (direnv, mise); and files that run as a
 * part of the project (Makefile, package.json). */
#ifndef ZS_SANDBOX_OBEYED_H
#define ZS_SANDBOX_OBEYED_H

#include <stdbool.h>
#include <stddef.h>

/* Where a row counts. In the home folder each does.
 * START: at the top of a workspace, where a home folder's start files may lie.
 * PROJECT: in any folder, since agents look in the one they start in, above it, and in roots of repositories.
 * HOME: nowhere else. */
enum zs_obeyed_where { ZS_OBEYED_START, ZS_OBEYED_PROJECT, ZS_OBEYED_HOME };

/* enumerator, path (a folder: all that is in it), where, who obeys it, what it can say.
 *
 * Sources: man 1 git-config, man 5 gitmodules, man 1 bash and man 1 zsh (their FILES); docs/hooks.md for each agent
 * that `zs install` knows; code.claude.com/docs (.mcp.json), docs.github.com/copilot (.github/mcp.json,
 * .github/copilot), opencode.ai/docs/config, aider.chat/docs/config, docs.aws.amazon.com/amazonq, ampcode.com/manual,
 * docs.augmentcode.com, docs.continue.dev, github.com/charmbracelet/crush, docs.factory.ai, junie.jetbrains.com/docs,
 * kilo.ai/docs, docs.openhands.dev, github.com/badlogic/pi-mono, docs.roocode.com, containers.dev,
 * jetbrains.com/help/idea, code.visualstudio.com/docs, zed.dev/docs. */
#define ZS_OBEYED(X)                                                                                                   \
	X(GITCONFIG, ".gitconfig", START, "git", "programs to run")                                                    \
	X(GITMODULES, ".gitmodules", START, "git", "repositories to fetch")                                            \
	X(BASHRC, ".bashrc", START, "bash", "commands")                                                                \
	X(BASH_PROFILE, ".bash_profile", START, "bash", "commands")                                                    \
	X(BASH_LOGIN, ".bash_login", START, "bash", "commands")                                                        \
	X(BASH_LOGOUT, ".bash_logout", START, "bash", "commands")                                                      \
	X(BASH_ALIASES, ".bash_aliases", START, "bash", "commands")                                                    \
	X(PROFILE, ".profile", START, "shells", "commands")                                                            \
	X(ZSHRC, ".zshrc", START, "zsh", "commands")                                                                   \
	X(ZSHENV, ".zshenv", START, "zsh", "commands")                                                                 \
	X(ZPROFILE, ".zprofile", START, "zsh", "commands")                                                             \
	X(ZLOGIN, ".zlogin", START, "zsh", "commands")                                                                 \
	X(ZLOGOUT, ".zlogout", START, "zsh", "commands")                                                               \
	X(ZS, ".zs", PROJECT, "zs", "settings")                                                                        \
	X(MCP, ".mcp.json", PROJECT, "Claude Code, Copilot CLI", "servers to start")                                   \
	X(AGENTS, ".agents", PROJECT, "Antigravity, Codex", "hooks, skills")                                           \
	X(CLAUDE, ".claude", PROJECT, "Claude Code", "hooks, permissions")                                             \
	X(CLINE, ".cline", PROJECT, "Cline", "hooks")                                                                  \
	X(CLINERULES, ".clinerules", PROJECT, "Cline", "hooks")                                                        \
	X(CODEX, ".codex", PROJECT, "Codex", "hooks, permissions, servers")                                            \
	X(COPILOT, ".copilot", HOME, "Copilot CLI", "hooks, servers")                                                  \
	X(COPILOT_HOOKS, ".github/hooks", PROJECT, "Copilot CLI", "hooks")                                             \
	X(COPILOT_MCP, ".github/mcp.json", PROJECT, "Copilot CLI", "servers to start")                                 \
	X(COPILOT_SETTINGS, ".github/copilot", PROJECT, "Copilot CLI", "settings")                                     \
	X(CURSOR, ".cursor", PROJECT, "Cursor", "hooks, servers, permissions")                                         \
	X(GEMINI, ".gemini", PROJECT, "Gemini CLI, Antigravity", "hooks, servers")                                     \
	X(ANTIGRAVITY_HOME, ".gemini/config", HOME, "Antigravity", "hooks")                                            \
	X(GROK, ".grok", PROJECT, "Grok", "hooks")                                                                     \
	X(KIMI, ".kimi-code", PROJECT, "Kimi Code", "hooks")                                                           \
	X(KIRO, ".kiro", PROJECT, "Kiro", "hooks, servers")                                                            \
	X(OPENCODE, ".opencode", PROJECT, "opencode, Kilo Code", "plugins")                                            \
	X(OPENCODE_JSON, "opencode.json", PROJECT, "opencode", "permissions, servers")                                 \
	X(OPENCODE_JSONC, "opencode.jsonc", PROJECT, "opencode", "permissions, servers")                               \
	X(OPENCODE_HOME, ".config/opencode", HOME, "opencode", "plugins, permissions")                                 \
	X(QWEN, ".qwen", PROJECT, "Qwen Code", "hooks, servers")                                                       \
	X(WINDSURF, ".windsurf", PROJECT, "Windsurf", "hooks")                                                         \
	X(WINDSURF_HOME, ".codeium/windsurf", HOME, "Windsurf", "hooks, servers")                                      \
	X(AIDER, ".aider.conf.yml", PROJECT, "Aider", "test and lint commands")                                        \
	X(AMAZONQ, ".amazonq", PROJECT, "Amazon Q", "servers, permissions")                                            \
	X(AMP, ".amp", PROJECT, "Amp", "permissions, servers")                                                         \
	X(AUGMENT, ".augment", PROJECT, "Auggie", "permissions, hooks")                                                \
	X(CONTINUE, ".continue", PROJECT, "Continue", "servers to start")                                              \
	X(CRUSH, ".crush.json", PROJECT, "Crush", "servers, permissions")                                              \
	X(CRUSH_PLAIN, "crush.json", PROJECT, "Crush", "servers, permissions")                                         \
	X(FACTORY, ".factory", PROJECT, "Factory's droid", "hooks, servers")                                           \
	X(JUNIE, ".junie", PROJECT, "Junie", "servers, permissions")                                                   \
	X(KILO, ".kilo", PROJECT, "Kilo Code", "permissions, servers")                                                 \
	X(KILOCODE, ".kilocode", PROJECT, "Kilo Code", "servers to start")                                             \
	X(KILO_JSON, "kilo.json", PROJECT, "Kilo Code", "permissions, servers")                                        \
	X(KILO_JSONC, "kilo.jsonc", PROJECT, "Kilo Code", "permissions, servers")                                      \
	X(OPENHANDS, ".openhands", PROJECT, "OpenHands", "a script at each start")                                     \
	X(PI, ".pi", PROJECT, "pi", "extensions")                                                                      \
	X(ROO, ".roo", PROJECT, "Roo Code", "servers to start")                                                        \
	X(ROOMODES, ".roomodes", PROJECT, "Roo Code", "permissions")                                                   \
	X(DEVCONTAINER, ".devcontainer", PROJECT, "editors", "initializeCommand")                                      \
	X(DEVCONTAINER_JSON, ".devcontainer.json", PROJECT, "editors", "initializeCommand")                            \
	X(IDEA, ".idea", PROJECT, "JetBrains IDEs", "startup tasks, file watchers")                                    \
	X(VSCODE_MCP, ".vscode/mcp.json", PROJECT, "VS Code", "servers to start")                                      \
	X(VSCODE_SETTINGS, ".vscode/settings.json", PROJECT, "VS Code", "programs to run, approvals of its agent")     \
	X(VSCODE_TASKS, ".vscode/tasks.json", PROJECT, "VS Code", "tasks that run when a folder opens")                \
	X(ZED, ".zed", PROJECT, "Zed", "language servers, tasks, its agent's servers")

enum zs_obeyed_id {
#define ZS_ENUM_OBEYED(id, path, where, who, says) ZS_OBEYED_##id,
	ZS_OBEYED(ZS_ENUM_OBEYED) ZS_OBEYED_COUNT
};

struct zs_obeyed {
	const char *path;
	enum zs_obeyed_where where;
};

extern const struct zs_obeyed zs_obeyed_rows[ZS_OBEYED_COUNT];

enum zs_obeyer {
	ZS_OBEYER_NONE,
	ZS_OBEYER_GIT,   /* git runs it, or takes orders from it */
	ZS_OBEYER_OTHER, /* a shell, an editor or an agent does */
};

/* Who obeys the file? path: of a file below a workspace. The case is ignored, as some file systems do. */
enum zs_obeyer zs_obeyed(const char *path);

/* Can something that is obeyed lie below the path? This counts .git too. A link there, or a file with a link's content
 * such as .git, leads to another place. */
enum zs_obeyer zs_obeyed_leads(const char *path);

/* The rule for a path below any folder, a home folder included: each row counts, and .git as a whole. */
bool zs_obeyed_anywhere(const char *path);

/* Does git run this name in a git directory, or take orders from it? */
bool zs_obeyed_in_git(const char *name, size_t len);

/* Does the path lie below a .git, and is it obeyed there? */
bool zs_obeyed_below_git(const char *path);

#endif
