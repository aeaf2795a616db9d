#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "agent/agent_state.h"
#include "base/json.h"
#include "base/message.h"
#include "zs_settings.h"
#include "zs_shim.h"

extern char **environ;

struct fields {
	bool json, apparmor;
	struct zs_option_list require;
};

static const struct zs_option options[] = {
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print a line of JSON"),
	ZS_FLAG(0, "apparmor", offsetof(struct fields, apparmor),
		"print the AppArmor profile that lets this program\nmake user namespaces (Ubuntu)"),
	ZS_LIST(0, "require", "LIST", offsetof(struct fields, require),
		"check only these features, with commas between:\nmount-tier, or names that plain zs doctor prints"),
	{ 0 },
};

/* --apparmor */

static const char apparmor_setting[] = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/* Does AppArmor keep user namespaces from programs without a profile? Ubuntu does so from 23.10 on. */
static bool apparmor_restricts(void)
{
	FILE *file = fopen(apparmor_setting, "re");
	int value = file ? fgetc(file) : EOF;

	if (file)
		fclose(file);
	return value != EOF && value != '0';
}

/* Prints a path for a profile, with pattern characters escaped (man 5 apparmor.d, "Globbing"). */
static void put_profile_path(const char *path)
{
	putchar('"');
	for (; *path; path++) {
		if (strchr("?*[]{}^,\"\\", *path))
			putchar('\\');
		putchar(*path);
	}
	putchar('"');
}

static bool is_printable(const char *path)
{
	for (; *path; path++)
		if ((unsigned char)*path < ' ' || *path == 0x7f)
			return false;
	return true;
}

/* Prints a profile that lets this program, by its path, make user namespaces. */
static int apparmor_print(void)
{
	static const char self[] = "/proc/self/exe";
	char path[PATH_MAX];
	ssize_t len = readlink(self, path, sizeof path - 1);

	if (len < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "doctor", self, errno);
	path[len] = '\0';
	if (path[0] != '/' || !is_printable(path) || access(path, F_OK) < 0)
		return zs_fail(ZS_EXIT_CANNOT_ENFORCE,
			"doctor: %s: an AppArmor profile cannot contain this path; install zs at another one", path);
	fputs("# Confines nothing: it lets zs make the namespaces that it confines commands in. Whoever may write the\n"
	      "# program may make them too, so only root should.\n"
	      "#\n"
	      "#   zs doctor --apparmor | sudo tee /etc/apparmor.d/zs\n"
	      "#   sudo apparmor_parser -r /etc/apparmor.d/zs\n"
	      "abi <abi/4.0>,\n"
	      "\n"
	      "profile zs ",
		stdout);
	put_profile_path(path);
	fputs(" flags=(unconfined) {\n"
	      "  userns,\n"
	      "}\n",
		stdout);
	return ZS_EXIT_OK;
}

/* --require: the features that a machine must have before work is given to it. */

enum { REQUIRED_MAX = 32, MOUNT_TIER = ZS_FEATURE_COUNT };

/* The names that --require takes: one for each feature, and at the end the mount tier, for everything that the default
 * policy needs. */
struct machine {
	struct zs_feature features[ZS_FEATURE_COUNT + 1];
	const struct zs_feature *required[REQUIRED_MAX];
	size_t required_count;
};

/* False: an error is on stderr. */
static bool require_one(const char *name, size_t len, void *arg)
{
	struct machine *machine = arg;
	const struct zs_feature *feature = NULL;

	for (size_t i = 0; i <= ZS_FEATURE_COUNT; i++)
		if (strlen(machine->features[i].name) == len && memcmp(machine->features[i].name, name, len) == 0)
			feature = &machine->features[i];
	if (!feature)
		return zs_fail(false, "--require: '%.*s': is neither mount-tier nor a feature that 'zs doctor' prints",
			(int)len, name);
	if (machine->required_count == REQUIRED_MAX)
		return zs_fail(false, "--require: there are more than %d names; name each once", REQUIRED_MAX);
	machine->required[machine->required_count++] = feature;
	return true;
}

static bool requires_tier(const struct machine *machine)
{
	for (size_t i = 0; i < machine->required_count; i++)
		if (machine->required[i] == &machine->features[MOUNT_TIER])
			return true;
	return false;
}

/* Are all required features present? Reports the missing ones on stderr. */
static bool are_met(const struct machine *machine)
{
	bool met = true;

	for (size_t i = 0; i < machine->required_count; i++)
		if (!machine->required[i]->present)
			met = zs_fail(false, "doctor: %s: is required, and this machine lacks it",
				machine->required[i]->name);
	return met;
}

/* Whether this machine can enforce the default policy. */
struct answer {
	bool enforceable; /* as a whole */
	bool reducible;   /* without the promises in lacks, bits 1 << ZS_PROMISE_… */
	unsigned lacks;
	enum zs_tier tier; /* if enforceable or reducible */
	struct zs_error error;
};

static char empty_folder[] = "/tmp/zs-doctor-XXXXXX";

static void remove_empty_folder(void)
{
	rmdir(empty_folder);
}

/* An empty workspace, so that the answer depends neither on the working directory or HOME, nor on what others have left
 * in /tmp. */
static const char *empty_workspace(void)
{
	static const char *workspace;

	if (!workspace) {
		workspace = mkdtemp(empty_folder) ? empty_folder : "/tmp";
		if (workspace == empty_folder)
			atexit(remove_empty_folder);
	}
	return workspace;
}

static struct zs_sandbox *try_default_policy(bool give_up_all, struct zs_error *error)
{
	char *const empty[] = { NULL };
	struct zs_sandbox *sandbox = NULL;
	struct zs_policy *policy;
	int r = zs_policy_default(empty_workspace(), empty, &policy, error);

	if (r < 0)
		return NULL;
	for (enum zs_promise promise = 0; give_up_all && r == 0 && promise < ZS_PROMISE_COUNT; promise++)
		r = zs_policy_give_up(policy, promise, error);
	if (r == 0) {
		zs_settings_make_journal(policy, environ);
		r = zs_sandbox_new(policy, &sandbox, error);
	}
	zs_policy_free(policy);
	return r < 0 ? NULL : sandbox;
}

static struct answer doctor_ask(void)
{
	struct answer answer = { .enforceable = false };
	struct zs_sandbox *sandbox = try_default_policy(false, &answer.error);

	answer.enforceable = sandbox;
	if (!sandbox) {
		sandbox = try_default_policy(true, NULL);
		answer.reducible = sandbox;
	}
	if (!sandbox)
		return answer;
	answer.tier = zs_sandbox_tier(sandbox);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (!zs_sandbox_keeps(sandbox, promise))
			answer.lacks |= 1u << promise;
	zs_sandbox_free(sandbox);
	return answer;
}

/* Runs a command: each feature may work alone while all of them together fail. */
static bool starts(struct zs_feature *tier)
{
	char name[] = "true", *const argv[] = { name, NULL };
	struct zs_sandbox *sandbox = try_default_policy(false, NULL);
	struct zs_error error;
	pid_t pid;
	int status = 0,
	    r = sandbox ? zs_spawn(sandbox, argv, environ, &(struct zs_spawn_options){ .cwd = "/" }, &pid, &error)
			: -ENOMEM;

	zs_sandbox_free(sandbox);
	if (r == 0)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	if (r < 0 || status != 0)
		snprintf(tier->detail, sizeof tier->detail, "'true' did not run under the default policy: exit code %d",
			r == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : ZS_EXIT_CANNOT_ENFORCE);
	return r == 0 && status == 0;
}

static void require_tier(struct zs_feature *tier, const struct answer *answer)
{
	bool promised = answer->enforceable && answer->tier == ZS_TIER_MOUNTS;

	if (!promised)
		zs_error_format(&answer->error, tier->detail, sizeof tier->detail);
	tier->present = promised && starts(tier);
	if (!tier->present)
		snprintf(tier->fix, sizeof tier->fix, "run 'zs doctor': it tries each feature alone");
}

#define TIER_TEXT(id, name, text) text,
static const char *const tier_texts[] = { ZS_TIERS(TIER_TEXT) };
#define PROMISE_TEXT(id, name, text) text,
static const char *const promise_texts[] = { ZS_PROMISES(PROMISE_TEXT) };

static void put_labelled(const char *label, const char *text)
{
	if (*text)
		zs_tell(stdout, "    %-10s %s", label, text);
}

static void print_feature(const struct zs_feature *feature)
{
	printf("%-8s %s\n", feature->present ? "present" : "missing", feature->name);
	put_labelled("needed by:", feature->needed_by);
	put_labelled(feature->present ? "found:" : "because:", feature->detail);
	put_labelled("to fix:", feature->fix);
}

static void print_lacks(const struct answer *answer)
{
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (answer->lacks >> promise & 1)
			printf("    %-12s %s\n", zs_promise_name(promise), promise_texts[promise]);
}

/* Prints the promises that are left, and the options that waive the others. */
static void print_reduced(const struct answer *answer)
{
	const char *separator = "";

	printf("\nThe policy without these protections can be enforced, by %s:\n", tier_texts[answer->tier]);
	print_lacks(answer);
	fputs("\n    zs run --without ", stdout);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (answer->lacks >> promise & 1) {
			printf("%s%s", separator, zs_promise_name(promise));
			separator = ",";
		}
	puts(" -- CMD");
}

static void print_text(const struct machine *machine, const struct answer *answer)
{
	char line[2048];

	for (size_t i = 0; i < ZS_FEATURE_COUNT; i++)
		print_feature(&machine->features[i]);
	if (answer->enforceable) {
		printf("\nThe default policy can be enforced on this machine, by %s.\n", tier_texts[answer->tier]);
		if (answer->lacks) {
			puts("\nThis system cannot keep every promise of the default policy. Not kept:\n");
			print_lacks(answer);
		}
		return;
	}
	zs_error_format(&answer->error, line, sizeof line);
	printf("\nThe default policy cannot be enforced on this machine:\n%s\n", line);
	if (answer->reducible)
		print_reduced(answer);
	if (apparmor_restricts()) {
		puts("\nAppArmor keeps user namespaces from programs without a profile. This profile lets zs make "
		     "them:\n");
		apparmor_print();
	}
}

/* Warns of text that looks like a secret in files that every command can read. */

static void print_secret(const char *file, unsigned line, const char *name, void *arg)
{
	size_t *count = arg;

	if ((*count)++ == 0)
		puts("\nThese values look like secrets. Each command may read these files, as its shell does:\n");
	zs_tell(stdout, "warning  %s:%u: %s", file, line, name);
}

static void print_secrets(void)
{
	struct zs_error error;
	size_t count = 0;

	if (zs_settings_secrets(environ, print_secret, &count, &error) < 0)
		zs_complain_error(&error);
	else if (count > 0)
		puts("    to fix:    move the values into another file, or list these files under \"hide\" in "
		     "settings.json");
}

static void put_secret(const char *file, unsigned line, const char *name, void *arg)
{
	zs_json_print(arg, "{'file':%s,'line':%u,'name':%s}", file, line, name);
}

static void put_feature(struct zs_json *json, const struct zs_feature *feature)
{
	zs_json_print(json, "{'name':%s,'present':%i,'needed_by':%s,'detail':%s,'fix':%s}", feature->name,
		feature->present, feature->needed_by, feature->detail, feature->fix);
}

static void print_json(const struct machine *machine, const struct answer *answer)
{
	struct zs_json json = { stdout, false };
	bool some = answer->enforceable || answer->reducible;
	struct zs_error error;
	char reason[2048];

	zs_error_format(&answer->error, reason, sizeof reason);
	zs_json_print(&json, "{'version':%s,'enforceable':%i,'reason':%s,'tier':%s,'without':[", ZS_VERSION,
		answer->enforceable, answer->enforceable ? NULL : reason, some ? zs_tier_name(answer->tier) : NULL);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (answer->lacks >> promise & 1)
			zs_json_text(&json, zs_promise_name(promise));
	zs_json_print(&json, "],'features':[");
	for (size_t i = 0; i < ZS_FEATURE_COUNT; i++)
		put_feature(&json, &machine->features[i]);
	zs_json_print(&json, "],'secrets':[");
	if (zs_settings_secrets(environ, put_secret, &json, &error) < 0)
		zs_complain_error(&error);
	if (machine->required_count > 0)
		zs_json_print(&json, "],'required':[");
	for (size_t i = 0; i < machine->required_count; i++)
		put_feature(&json, machine->required[i]);
	zs_json_print(&json, "]}\n");
}

static int doctor_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	struct machine machine = { .features[MOUNT_TIER] = {
					   .name = "mount-tier", .needed_by = "the default policy, whole" } };
	struct answer answer;

	if (operands->count > 0)
		return zs_fail(
			ZS_EXIT_USAGE, "doctor: %s: takes no operand; see 'zs doctor --help'", operands->items[0]);
	if (fields->apparmor)
		return apparmor_print();
	zs_features_probe(machine.features);
	if (!zs_options_names(&fields->require, require_one, &machine))
		return ZS_EXIT_USAGE;
	answer = doctor_ask();
	if (requires_tier(&machine))
		require_tier(&machine.features[MOUNT_TIER], &answer);
	if (fields->json) {
		print_json(&machine, &answer);
	} else if (machine.required_count > 0) {
		for (size_t i = 0; i < machine.required_count; i++)
			print_feature(machine.required[i]);
	} else {
		print_text(&machine, &answer);
		print_secrets();
		zs_agent_warn(environ);
	}
	if (machine.required_count > 0)
		return are_met(&machine) ? ZS_EXIT_OK : ZS_EXIT_CANNOT_ENFORCE;
	return answer.enforceable ? ZS_EXIT_OK : ZS_EXIT_CANNOT_ENFORCE;
}

const struct zs_subcommand zs_doctor_subcommand = {
	.name = "doctor",
	.description = "Show what this machine can enforce, and how to get what is missing",
	.usage = "[OPTIONS]",
	.groups = ZS_ONE_GROUP(options),
	.notes = "Exits with 0 when the default policy can be enforced, else 125. Warns of values\n"
		 "that look like secrets in start files of shells: file, line and name. Warns of\n"
		 "hooks of zs install that are not in force, or that an agent could replace.\n"
		 "With --require it exits with 0 when every listed feature is present, else 125;\n"
		 "it tests mount-tier by running a command.",
	.fields_size = sizeof(struct fields),
	.main = doctor_main,
};
