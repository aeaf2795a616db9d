#include "read/kinds.h"

#include <string.h>

static const char *const kind_names[ZS_KIND_COUNT] = {
	[ZS_KIND_UNKNOWN] = "unknown",
#define X(id, name) [ZS_KIND_##id] = name,
	ZS_KINDS(X) ZS_TOKEN_KINDS(X)
#undef X
		[ZS_KIND_TOKEN] = "token",
	[ZS_KIND_ERROR] = "ERROR",
};

/* Anonymous tokens that carry no meaning of their own: their parent's kind says what stands here.
 * Left out on purpose: "``" and "$`" (two substitutions read as one) and "unsetenv" (not bash). */
static const char *const plain_tokens[] = {
	"for",
	"select",
	"in",
	"((",
	"))",
	",",
	"=",
	"++",
	"--",
	"+=",
	"-=",
	"*=",
	"/=",
	"%=",
	"**=",
	"<<=",
	">>=",
	"&=",
	"^=",
	"|=",
	"-o",
	"-a",
	"^",
	"==",
	"!=",
	"<",
	">",
	"<=",
	">=",
	"<<",
	">>",
	"+",
	"-",
	"*",
	"/",
	"%",
	"**",
	"(",
	")",
	"while",
	"until",
	"do",
	"done",
	"if",
	"then",
	"fi",
	"elif",
	"else",
	"case",
	"esac",
	";;",
	";&",
	";;&",
	"function",
	"{",
	"}",
	"!",
	"]",
	"]]",
	"declare",
	"typeset",
	"export",
	"readonly",
	"local",
	"unset",
	"=~",
	"&>",
	"&>>",
	"<&",
	">&",
	">|",
	"<&-",
	">&-",
	"<<-",
	"<<<",
	"?",
	":",
	"~",
	"$((",
	"$[",
	"..",
	"\"",
	"#",
	"${",
	"@",
	":=",
	":-",
	":+",
	":?",
	"%%",
	"//",
	"/#",
	"/%",
	",,",
	"^^",
	"U",
	"u",
	"L",
	"Q",
	"E",
	"P",
	"A",
	"K",
	"a",
	"k",
	"$(",
	"<(",
	">(",
	"##",
	"\n",
};

static enum zs_kind kinds_find(const char *name, int from, int to)
{
	for (int kind = from; kind <= to; kind++)
		if (strcmp(kind_names[kind], name) == 0)
			return (enum zs_kind)kind;
	return ZS_KIND_UNKNOWN;
}

enum zs_kind zs_kind_of(const char *name, bool named)
{
	enum zs_kind kind;

	if (named)
		return kinds_find(name, ZS_KIND_PROGRAM, ZS_KIND_COMMENT);
	kind = kinds_find(name, ZS_KIND_SEMICOLON, ZS_KIND_DOLLAR);
	if (kind != ZS_KIND_UNKNOWN)
		return kind;
	for (size_t i = 0; i < sizeof plain_tokens / sizeof *plain_tokens; i++)
		if (strcmp(plain_tokens[i], name) == 0)
			return ZS_KIND_TOKEN;
	return ZS_KIND_UNKNOWN;
}

enum zs_field zs_field_of(const char *name)
{
#define X(id, text)                                                                                                    \
	if (strcmp(name, text) == 0)                                                                                   \
		return ZS_FIELD_##id;
	ZS_FIELDS(X)
#undef X
	return ZS_FIELD_OTHER;
}
