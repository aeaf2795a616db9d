/* The reader of Seatbelt's language on which the tests of profiles rely: the texts that it refuses, and its two
 * readings. */
#include "check.h"
#include "sbpl.h"

static const char *const parameters[] = { "P0", "/a b\"(\\\n)", "P1", "^/r\\.x$", NULL };

TEST(sbpl_refuses_what_it_does_not_know)
{
	static const char *const rows[] = {
		"",
		"(version 2)",
		"(deny default)",
		"(version 1",
		"(version 1)(deny default",
		"(version 1)(deny default))",
		"(version 1)(import \"system.sb\")",
		"(version 1)(define x 1)",
		"(version 1)(allow)",
		"(version 1)(allow file-raed*)",
		"(version 1)(allow file-read* (litteral \"/x\"))",
		"(version 1)(allow file-read* (literal))",
		"(version 1)(allow file-read* (literal \"x\"))",
		"(version 1)(allow file-read* (literal \"/x\" \"/y\"))",
		"(version 1)(allow file-read* (literal \"/x))",
		"(version 1)(allow file-read* (literal \"/\\n\"))",
		"(version 1)(allow file-read* (literal (param \"P9\")))",
		"(version 1)(allow file-read* (literal (parameter \"P0\")))",
		"(version 1)(allow file-read* (regex #\"^/(\"))",
		"(version 1)(allow file-read* (regex #\"x\"))",
		"(version 1)(allow file-read* (global-name \"x\"))",
		"(version 1)(allow file-read* mach-lookup (global-name \"x\"))",
		"(version 1)(allow file-read* (vnode-type SOCKET))",
		"(version 1)(allow file-read* (require-all))",
		"(version 1)(allow file-read* (require-not (literal \"/x\") (literal \"/y\")))",
		"(version 1)(allow file-read* (file-mode 0x4))",
		"(version 1)(allow file-read* (with no-log))",
		"(version 1)(allow signal (target self))",
		"(version 1)(allow network-outbound (remote ip \"example.org:80\"))",
		"(version 1)(allow network-outbound (remote ip \"localhost\"))",
		"(version 1)(allow network-outbound (remote sctp \"localhost:80\"))",
		"(version 1)(allow network-outbound (remote ip \"localhost:http\"))",
		"(version 1)(allow network-outbound (remote unix-socket \"/x\"))",
		"(version 1)(allow process-fork (literal \"/x\"))",
		"(version 1)(allow file-read*) trailing",
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char problem[SBPL_PROBLEM_SIZE] = "";
		struct sbpl *sbpl = sbpl_read(rows[i], parameters, problem);

		CHECK(!sbpl && problem[0], "%s", rows[i]);
		sbpl_free(sbpl);
	}
}

TEST(sbpl_answers)
{
	static const struct {
		const char *rules;
		struct sbpl_query query;
		enum sbpl_answer want;
	} rows[] = {
		{ "(deny default)", { .operation = "file-read-data", .path = "/x" }, SBPL_DENY },
		{ "(deny default)", { .operation = "process-info-pidinfo" }, SBPL_ALLOW },
		{ "(deny default)", { .operation = "file-map-executable", .path = "/x" }, SBPL_ALLOW },
		{ "(deny default)(deny process-info*)", { .operation = "process-info-pidinfo" }, SBPL_DENY },
		{ "(allow default)", { .operation = "file-read-data", .path = "/x" }, SBPL_ALLOW },
		/* the last that matches */
		{ "(deny default)(allow file-read* (subpath \"/x\"))(deny file-read* (literal \"/x/y\"))",
			{ .operation = "file-read-data", .path = "/x/y" }, SBPL_DENY },
		{ "(deny default)(deny file-read* (literal \"/x/y\"))(allow file-read* (subpath \"/x\"))",
			{ .operation = "file-read-data", .path = "/x/y" }, SBPL_ALLOW },
		/* the narrower operation, or the last? */
		{ "(deny default)(deny file-read-data (literal \"/x\"))(allow file-read*)",
			{ .operation = "file-read-data", .path = "/x" }, SBPL_UNCLEAR },
		{ "(deny default)(allow file-read-data)(deny file-read* (literal \"/x\"))",
			{ .operation = "file-read-data", .path = "/x" }, SBPL_UNCLEAR },
		{ "(deny default)(allow file-read*)(deny file-read-data (literal \"/x\"))",
			{ .operation = "file-read-data", .path = "/x" }, SBPL_DENY },
		{ "(deny default)(allow file-read*)(deny file-read-data (literal \"/x\"))",
			{ .operation = "file-read-metadata", .path = "/x" }, SBPL_ALLOW },
		/* filters */
		{ "(deny default)(allow file-read* (subpath \"/x\"))", { .operation = "file-read-data", .path = "/xy" },
			SBPL_DENY },
		{ "(deny default)(allow file-read* (subpath \"/\"))", { .operation = "file-read-data", .path = "/xy" },
			SBPL_ALLOW },
		{ "(deny default)(allow file-read* (literal (param \"P0\")))",
			{ .operation = "file-read-data", .path = "/a b\"(\\\n)" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (literal \"/a\\\"\\\\\"))",
			{ .operation = "file-read-data", .path = "/a\"\\" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (regex (param \"P1\")))",
			{ .operation = "file-read-data", .path = "/r.x" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (regex (param \"P1\")))",
			{ .operation = "file-read-data", .path = "/rax" }, SBPL_DENY },
		{ "(deny default)(allow file-read* (regex #\"^/r\\.\"))",
			{ .operation = "file-read-data", .path = "/r.x/y" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (require-all (subpath \"/x\") (require-not (literal \"/x/y\"))))",
			{ .operation = "file-read-data", .path = "/x/y" }, SBPL_DENY },
		{ "(deny default)(allow file-read* (require-all (subpath \"/x\") (require-not (literal \"/x/y\"))))",
			{ .operation = "file-read-data", .path = "/x/z" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (require-any (literal \"/x\") (literal \"/y\")))",
			{ .operation = "file-read-data", .path = "/y" }, SBPL_ALLOW },
		{ "(deny default)(allow file-read* (file-mode #o0004))",
			{ .operation = "file-read-data", .path = "/y", .mode = 0640 }, SBPL_DENY },
		{ "(deny default)(allow network-outbound (remote ip \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "127.0.0.1:80" }, SBPL_ALLOW },
		{ "(deny default)(allow network-outbound (remote ip \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "[::1]:8080" }, SBPL_DENY },
		{ "(deny default)(allow network-outbound (remote ip \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "127.0.0.1:80", .udp = true }, SBPL_ALLOW },
		{ "(deny default)(allow network-outbound (remote tcp \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "127.0.0.1:80" }, SBPL_ALLOW },
		{ "(deny default)(allow network-outbound (remote tcp \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "127.0.0.1:80", .udp = true }, SBPL_DENY },
		{ "(deny default)(allow network-outbound (remote udp \"localhost:80\"))",
			{ .operation = "network-outbound", .remote = "127.0.0.1:80" }, SBPL_DENY },
		{ "(deny default)(allow network-outbound (remote ip \"localhost:*\"))",
			{ .operation = "network-outbound", .remote = "10.0.0.1:80" }, SBPL_DENY },
		{ "(deny default)(allow mach-lookup (global-name \"x\"))",
			{ .operation = "mach-lookup", .name = "x", .local_name = true }, SBPL_DENY },
		{ "; (allow default)\n(deny default)", { .operation = "signal" }, SBPL_DENY },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256] = "(version 1)", problem[SBPL_PROBLEM_SIZE] = "";
		struct sbpl *sbpl;

		strcat(text, rows[i].rules);
		sbpl = sbpl_read(text, parameters, problem);
		CHECK(sbpl, "%s: %s", rows[i].rules, problem);
		if (sbpl)
			CHECK(sbpl_ask(sbpl, &rows[i].query) == rows[i].want, "%s: %s %s", rows[i].rules,
				rows[i].query.operation, rows[i].query.path ? rows[i].query.path : "");
		sbpl_free(sbpl);
	}
}
