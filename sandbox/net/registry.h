/* The hosts that a tool's configuration names. Pure. */
#ifndef ZS_SANDBOX_NET_REGISTRY_H
#define ZS_SANDBOX_NET_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

/* A host that a text names. exact: the key stood alone, and not as "extra-KEY" or "SCOPE:KEY". host: NULL: the value
 * names none that can be reached by name. */
typedef int zs_each_registry(const char *host, bool exact, void *arg);

/* Finds the entries of this key in a file of configuration: npmrc, INI, TOML, YAML or requirements.txt. key NULL: the
 * text is itself a value. Stops when each() returns less than 0. */
int zs_registries(const char *text, const char *key, zs_each_registry *each, void *arg);

/* Finds the first value of this key. Returns its length, or 0. */
size_t zs_config_value(const char *text, const char *key, const char **ret_value);

/* May the text hold a password or token? */
bool zs_registry_has_secret(const char *text);

#endif
