/* The words for a record: names, risk, one line. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/text.h"
#include "denial/attempt.h"
#include "policy/preset.h"

#define KIND(id, name) [ZS_DENIAL_##id] = name,
#define CAUSE(id, text) [ZS_DENIED_##id] = text,

const char *zs_denial_kind_name(enum zs_denial_kind kind)
{
	static const char *const names[] = { ZS_DENIAL_KINDS(KIND) };

	return (size_t)kind < ZS_COUNT(names) ? names[kind] : NULL;
}

const char *zs_denial_cause_text(enum zs_denial_cause cause)
{
	static const char *const texts[] = { ZS_DENIAL_CAUSES(CAUSE) };

	return (size_t)cause < ZS_COUNT(texts) ? texts[cause] : NULL;
}

/* A path, below the home folder if it does not begin with "/", and what it gives away. The first that holds counts. A
 * leading "*" stands for any folder. */
static const struct {
	char path[40], risk[24];
} risks[] = {
	{ ".ssh/known_hosts", "host names" },
	{ ".ssh/config", "host names" },
	{ ".ssh", "keys" },
	{ ".gnupg", "keys" },
	{ ".aws", "cloud credentials" },
	{ ".azure", "cloud credentials" },
	{ ".config/gcloud", "cloud credentials" },
	{ ".config/gh", "tokens" },
	{ ".config/glab-cli", "tokens" },
	{ ".config/hub", "tokens" },
	{ ".config/op", "passwords" },
	{ ".kube", "cluster credentials" },
	{ ".docker", "registry tokens" },
	{ ".npmrc", "tokens" },
	{ ".yarnrc.yml", "tokens" },
	{ ".pypirc", "tokens" },
	{ ".netrc", "passwords" },
	{ ".git-credentials", "passwords" },
	{ ".config/git/credentials", "passwords" },
	{ ".cargo/credentials", "tokens" },
	{ ".cargo/credentials.toml", "tokens" },
	{ ".gem/credentials", "tokens" },
	{ ".m2/settings.xml", "passwords" },
	{ ".gradle/gradle.properties", "passwords" },
	{ ".pgpass", "passwords" },
	{ ".my.cnf", "passwords" },
	{ ".password-store", "passwords" },
	{ ".local/share/keyrings", "passwords" },
	{ ".mozilla", "browser data" },
	{ ".config/google-chrome", "browser data" },
	{ ".config/chromium", "browser data" },
	{ ".vault-token", "tokens" },
	{ ".terraform.d", "tokens" },
	{ ".bash_history", "history" },
	{ ".zsh_history", "history" },
	{ "/etc/shadow", "passwords" },
	{ "/etc/ssh", "keys" },
	{ "/var/run/docker.sock", "root" },
	{ "/run/docker.sock", "root" },
	{ "/run/podman", "containers" },
	{ "/run/containerd", "root" },
	{ "/run/dbus", "system services" },
	{ "/run/systemd", "system services" },
	{ "/dev/mem", "root" },
	{ "/boot", "system files" },
	{ "/etc", "system settings" },
	{ "/usr", "system files" },
	{ "/bin", "system files" },
	{ "/lib", "system files" },
	{ "/sbin", "system files" },
};

/* The path below a home folder; NULL: it lies in neither. */
static const char *below_home(const struct zs_policy *policy, const char *path)
{
	const char *const homes[] = { policy->home, policy->account_home };

	for (size_t i = 0; i < ZS_COUNT(homes); i++)
		if (homes[i] && zs_path_lies_in(path, homes[i]))
			return path + strlen(homes[i]) + (path[strlen(homes[i])] == '/');
	return NULL;
}

const char *zs_denial_risk(const struct zs_policy *policy, const char *path)
{
	const char *below = below_home(policy, path);

	for (size_t i = 0; i < ZS_COUNT(risks); i++)
		if (*risks[i].path == '/' ? zs_path_lies_in(path, risks[i].path)
					  : below && zs_path_lies_in(below, risks[i].path))
			return risks[i].risk;
	return NULL;
}

bool zs_denial_risk_is_secret(const char *risk)
{
	static const char harmless[][16] = { "host names", "system settings", "system files" };

	for (size_t i = 0; i < ZS_COUNT(harmless); i++)
		if (strcmp(risk, harmless[i]) == 0)
			return false;
	return true;
}

const char *zs_denial_risk_within(const struct zs_policy *policy, const char *folder)
{
	const char *below = below_home(policy, folder);

	for (size_t i = 0; i < ZS_COUNT(risks); i++) {
		const char *at = *risks[i].path == '/' ? folder : below;

		if (zs_denial_risk_is_secret(risks[i].risk) && at && zs_path_lies_in(risks[i].path, at))
			return risks[i].risk;
	}
	return NULL;
}

/* Text that never has more than its room. */
struct line {
	char *at;
	size_t size, len;
};

static void put(struct line *line, const char *text)
{
	size_t len = strlen(text);

	if (line->len < line->size)
		snprintf(line->at + line->len, line->size - line->len, "%s", text);
	line->len += len;
}

/* Shows what a terminal would obey or hide as \xNN. */
static void put_shown(struct line *line, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		uint32_t point;
		size_t step = zs_utf8_decode(text, len, &point);
		char shown[8];

		if (step == 0 || zs_is_unseen(point)) {
			step = step ? step : 1;
			for (size_t i = 0; i < step; i++) {
				snprintf(shown, sizeof shown, "\\x%02X", (unsigned char)text[i]);
				put(line, shown);
			}
		} else {
			snprintf(shown, sizeof shown, "%.*s", (int)step, text);
			put(line, shown);
		}
		text += step;
		len -= step;
	}
}

static void put_path(struct line *line, const char *path, const char *home)
{
	size_t len = home ? strlen(home) : 0;

	if (len > 1 && *path == '/' && zs_path_lies_in(path, home)) {
		put(line, "~");
		path += len;
	}
	put_shown(line, path);
}

size_t zs_denial_format(const struct zs_denial *denial, const char *home, char *buffer, size_t size)
{
	struct line line = { buffer, size, 0 };
	const char *task;
	char times[32];

	if (size)
		*buffer = '\0';
	put(&line, zs_denial_kind_name(denial->kind));
	put(&line, " ");
	put_path(&line,
		denial->kind == ZS_DENIAL_EXEC || denial->kind == ZS_DENIAL_READ || denial->kind == ZS_DENIAL_WRITE
			? denial->real
			: denial->named,
		home);
	if (denial->times > 1) {
		snprintf(times, sizeof times, " (%u times)", denial->times);
		put(&line, times);
	}
	put(&line, ": ");
	put(&line, zs_denial_cause_text(denial->cause));
	put(&line, "; ");
	if (denial->option) {
		put(&line, denial->option);
		put(&line, " ");
		put_path(&line, denial->value, home);
		task = strcmp(denial->option, "--host") == 0 ? zs_task_of_host(denial->value) : NULL;
		put(&line, task ? ", or --for " : "");
		put(&line, task ? task : "");
	} else {
		put(&line, denial->withheld ? "zs why names the option" : "no option grants it");
	}
	return line.len;
}
