/* Hosts in approvals: entries of a policy's list. Pure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "approval/approval.h"
#include "base/error.h"
#include "policy/host_list.h"

static const char step[] = "request";

/* Anybody can get a name below these for little or no money, so an approval of all names below one would be for
 * everybody's pages. No such list can be complete (https://publicsuffix.org has the longest); these are the common
 * ones. A leading dot also means all names below each name below it. */
static const char *const shared[] = { "github.io", "gitlab.io", "codeberg.page", "pages.dev", "workers.dev", "r2.dev",
	"trycloudflare.com", "netlify.app", "vercel.app", "now.sh", "herokuapp.com", "web.app", "firebaseapp.com",
	"firebaseio.com", ".appspot.com", ".run.app", "cloudfunctions.net", "googleusercontent.com",
	"storage.googleapis.com", "cloudfront.net", ".amazonaws.com", "awsapprunner.com", "elasticbeanstalk.com",
	".on.aws", "azurewebsites.net", ".azurestaticapps.net", ".cloudapp.azure.com", ".windows.net", "azureedge.net",
	"azurefd.net", ".digitaloceanspaces.com", "ondigitalocean.app", ".linodeobjects.com", ".backblazeb2.com",
	"onrender.com", "fly.dev", "railway.app", "deno.dev", "surge.sh", "glitch.me", "repl.co", "replit.app",
	".replit.dev", "supabase.co", "ngrok.io", "ngrok.app", "ngrok-free.app", "ngrok.dev", "loca.lt", "duckdns.org",
	"nip.io", "sslip.io", "blogspot.com", "wordpress.com", "webhook.site", "pipedream.net", "csb.app", NULL };

/* Second-level domains of a country: co.uk, com.au, or.jp. */
static const char *const second_levels[] = { "ac", "co", "com", "edu", "gob", "gov", "gouv", "go", "id", "info", "ltd",
	"me", "mil", "ne", "net", "nom", "or", "org", "plc", "sch", "web", NULL };

static bool approval_host_is_listed(const char *const *list, const char *name, size_t len)
{
	for (; *list; list++)
		if (strlen(*list) == len && strncmp(*list, name, len) == 0)
			return true;
	return false;
}

static bool approval_host_lies_below(const char *name, const char *top)
{
	size_t len = strlen(name), top_len = strlen(top);

	return len > top_len && name[len - top_len - 1] == '.' && strcmp(name + len - top_len, top) == 0;
}

static bool is_shared(const char *name)
{
	enum { COUNTRY = 2 };
	const char *dot = strchr(name, '.');

	if (dot && strlen(dot + 1) == COUNTRY && approval_host_is_listed(second_levels, name, (size_t)(dot - name)))
		return true;
	for (const char *const *top = shared; *top; top++)
		if (strcmp(*top + (**top == '.'), name) == 0 ||
			(**top == '.' && approval_host_lies_below(name, *top + 1)))
			return true;
	return false;
}

static const char *why_broad(const struct zs_host_entry *entry)
{
	if (entry->host.address.family != AF_UNSPEC && zs_address_kind(&entry->host.address) != ZS_ADDRESS_PUBLIC)
		return "an address of this machine or of the networks that it is in, which trust it";
	if (entry->below && !strchr(entry->host.name, '.'))
		return "every name of a top-level domain";
	if (entry->below && is_shared(entry->host.name))
		return "everybody's names: anybody can have one there";
	return NULL;
}

int zs_approval_host(const char *text, char **ret_host, const char **ret_broad, struct zs_error *error)
{
	char canonical[ZS_HOST_ENTRY_SIZE];
	struct zs_host_entry entry;
	const char *problem;
	char *host;
	int r = zs_host_entry_parse(text, &entry, &problem);

	if (r < 0)
		return zs_error_say(error, step, text, -r, "%s", problem);
	zs_host_entry_text(&entry, canonical);
	host = strdup(canonical);
	if (!host)
		return zs_error_errno(error, step, NULL, ENOMEM);
	*ret_broad = why_broad(&entry);
	*ret_host = host;
	return 0;
}

bool zs_approval_host_covers(const char *entry_text, const char *wanted_text)
{
	struct zs_host_entry entry, wanted;

	return zs_host_entry_parse(entry_text, &entry, NULL) == 0 &&
	       zs_host_entry_parse(wanted_text, &wanted, NULL) == 0 && zs_host_entry_covers(&entry, &wanted);
}
