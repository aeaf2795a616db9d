/* Takes the hosts that a run's proxy or resolver has refused from its report (proxy_report.h). */
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "proxy/proxy_denials.h"
#include "zs_denials.h"

static const char *text_of(yyjson_val *object, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(object, key));
}

static void take_line(const char *text, size_t len, struct zs_proxy_denials *denials)
{
	yyjson_doc *doc = yyjson_read(text, len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	const struct zs_proxy_line line = {
		.event = text_of(root, "event"),
		.host = text_of(root, "host"),
		.port = (unsigned)yyjson_get_uint(yyjson_obj_get(root, "port")),
		.address = text_of(root, "address"),
		.allowed = yyjson_get_bool(yyjson_obj_get(root, "allowed")),
		.sni = text_of(root, "sni"),
		.reason = text_of(root, "reason"),
		.ms = -1,
	};

	/* The line at a connection's end repeats the decision. */
	if (line.event && strcmp(line.event, "end") != 0)
		zs_proxy_denials_add(denials, &line);
	yyjson_doc_free(doc);
}

void zs_denials_add_decisions(struct zs_denials *denials, const char *report, size_t len)
{
	struct zs_proxy_denials found = { 0 };
	const char *end = report + len;

	while (report < end) {
		const char *newline = memchr(report, '\n', (size_t)(end - report));
		size_t line = newline ? (size_t)(newline - report) : (size_t)(end - report);

		take_line(report, line, &found);
		report += line + (newline != NULL);
	}
	for (size_t i = 0; i < found.count; i++)
		zs_denials_add_host(denials, found.rows[i].host, found.rows[i].resolve,
			*found.rows[i].grant ? found.rows[i].grant : NULL, found.rows[i].times);
}
