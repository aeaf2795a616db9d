/* Text in a start file that is taken for a secret, and text that is not. */
#include "check.h"
#include "settings/secrets.h"

struct found {
	char text[256];
};

static void tell(unsigned line, const char *name, size_t len, void *arg)
{
	struct found *found = arg;
	size_t used = strlen(found->text);

	snprintf(found->text + used, sizeof found->text - used, "%s%u:%.*s", used ? " " : "", line, (int)len, name);
}

static const struct {
	const char *text, *want;
} rows[] = {
	{ "", "" },
	{ "TOKEN=abcdef", "1:TOKEN" },
	{ "TOKEN=abcde", "" },
	{ "export GITHUB_TOKEN=ghp_1234567890\n", "1:GITHUB_TOKEN" },
	{ "\n\nexport A=1 B_SECRET=\"x y z 1 2\" C=3\nD_KEY='12345678'", "3:B_SECRET 4:D_KEY" },
	{ "declare -x DB_PASSWORD=hunter2hunter", "1:DB_PASSWORD" },
	{ "db_password=hunter2hunter; export db_password", "1:db_password" },
	{ "setenv OPENAI_API_KEY sk-1234567890", "1:OPENAI_API_KEY" },
	{ "set -x OPENAI_API_KEY sk-1234567890", "1:OPENAI_API_KEY" },
	{ "set -gx TOKEN $OTHER", "" },
	{ "SECRET_KEY_BASE=0123456789abcdef", "1:SECRET_KEY_BASE" },
	{ "#TOKEN=abcdefgh", "1:TOKEN" },
	{ "alias x='TOKEN=abcdefgh run'", "1:TOKEN" },
	{ "x() { MY_TOKEN=abcdefgh run; }", "1:MY_TOKEN" },
	{ "$(TOKEN=abcdefgh run)", "1:TOKEN" },
	{ "TOKEN=$OTHER_VALUE", "" },
	{ "TOKEN=\"$(pass show token)\"", "" },
	{ "TOKEN=`pass show token`", "" },
	{ "TOKEN='$notexpanded'", "1:TOKEN" },
	{ "TOKEN=/home/me/token", "" },
	{ "TOKEN=~/token-file", "" },
	{ "TOKEN_URL=https://example.org/token", "" },
	{ "TOKEN_URL=https://me:pw@example.org/", "1:TOKEN_URL" },
	{ "PASSWORD=", "" },
	{ "PASSWORD=''", "" },
	{ "PASSWORD=disabled", "" },
	{ "KEYTIMEOUT=100000", "" },
	{ "MONKEY=bananas", "" },
	{ "AWS_ACCESS_KEY_ID=AKIA1234567890", "" },
	{ "AWS_SECRET_ACCESS_KEY=abcdefgh", "1:AWS_SECRET_ACCESS_KEY" },
	{ "export TOKEN", "" },
	{ "echo --token=abcdefgh", "" },
	{ "2TOKEN=abcdefgh", "" },
	{ "TOKEN =abcdefgh", "" },
	{ "TOKEN=abcdefgh\nTOKEN=abcdefgh", "1:TOKEN 2:TOKEN" },
	{ "TOKEN=\"abcdef", "1:TOKEN" },
	{ "set -x  TOKEN   abcdefgh", "1:TOKEN" },
	/* Text that looks like a name but is a part of the value. */
	{ "TOKEN='abc;def_KEY=ghijkl'", "1:TOKEN" },
	{ "TOKEN=\"abc def_KEY=ghijkl\"", "1:TOKEN" },
	{ "TOKEN=\"abc\\\"def_KEY=ghijkl\"", "1:TOKEN" },
	{ "TOKEN=abcdef&ghi_KEY=jklmno", "1:TOKEN" },
	{ "TOKEN=abc\\ def_KEY=ghijkl", "1:TOKEN" },
	{ "TOKEN=ab|def_KEY=ghijkl", "" },
	{ "TOKEN='abcdef'\"ghi jkl_KEY=mnopqr\"", "1:TOKEN" },
	{ "TOKEN=$'abc\\'def jkl_KEY=mnopqr'", "" },
	{ "TOKEN=\"abc$def ghi_KEY=jklmno\"", "" },
	{ "TOKEN='abcdef\nghi_KEY=jklmno\n' B_KEY=abcdefgh\nC_KEY=abcdefgh", "1:TOKEN 3:B_KEY 4:C_KEY" },
	{ "setenv TOKEN 'abcdef ghi_KEY=jklmno'", "1:TOKEN" },
	{ "export 'TOKEN=abcdef ghi_KEY=jklmno' B_KEY=abcdefgh", "1:TOKEN 1:B_KEY" },
	{ "alias x=\"TOKEN=abcdefgh run\"\nB_KEY=abcdefgh", "1:TOKEN 2:B_KEY" },
	{ "TOKEN=$OTHER;B_KEY=abcdefgh", "1:B_KEY" },
};

TEST(secrets_in_text)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct found found = { "" };

		zs_find_secrets(rows[i].text, strlen(rows[i].text), tell, &found);
		CHECK(strcmp(found.text, rows[i].want) == 0, "%s: %s", rows[i].text, found.text);
	}
	{
		static const char binary[] = "a\0TOKEN=abcdefgh\0\n\xff\xfe=\nB_TOKEN=abcdefgh";
		struct found found = { "" };

		zs_find_secrets(binary, sizeof binary - 1, tell, &found);
		CHECK(strstr(found.text, "3:B_TOKEN"), "%s", found.text);
	}
}
