#include "code/perl_words.h"

static const struct perl_word words[] = {
	{ WORD_CONDITION, 0, "if unless elsif while until" },
	{ WORD_FOR, 0, "for foreach" },
	{ WORD_HEAD, 0, "else continue BEGIN END" },
	{ WORD_DO, 0, "do" },
	{ WORD_USE, 0, "use" },
	{ WORD_DECLARE, READS, "my our" },
	{ WORD_DECLARE, 0, "local state" },
	{ WORD_INFIX, 0, "cmp eq ne lt gt le ge and or xor" },
	{ WORD_QUOTE, QUOTE_RAW, "q qw" },
	{ WORD_QUOTE, QUOTE_STRING, "qq" },
	{ WORD_QUOTE, QUOTE_MATCH, "m qr" },
	{ WORD_QUOTE, QUOTE_SUBST, "s" },
	{ WORD_QUOTE, QUOTE_TRANSLATE, "tr y" },
	{ WORD_FUNCTION, PRINTS, "print printf" },
	{ WORD_FUNCTION, PRINTS | IMPORTED, "say" },
	{ WORD_EOF, 0, "eof" },
	{ WORD_CONSTANT, 0, "time times wantarray __LINE__ __FILE__" },
	{ WORD_FUNCTION, TAKES_ARGV | DEFINED_OR, "shift pop" },
	{ WORD_FUNCTION, DEFINED_OR, "undef" },
	{ WORD_FUNCTION, TAKES_ARGV, "scalar" },
	{ WORD_FUNCTION, READS, "keys exists delete defined" },
	{ WORD_FUNCTION, BLOCK, "map grep sort" },
	{ WORD_FUNCTION, 0, "next last redo" },
	{ WORD_FUNCTION, 0, "not return exit die warn sleep values each push unshift splice reverse ref stat lstat" },
	{ WORD_FUNCTION, 0, "length substr index rindex uc lc ucfirst lcfirst sprintf join split chomp chop chr ord" },
	{ WORD_FUNCTION, 0, "pos quotemeta pack unpack hex oct abs int sqrt sin cos atan2 exp log rand srand" },
	{ WORD_FUNCTION, 0, "localtime gmtime" },
	{ WORD_FUNCTION, IMPORTED | BLOCK, "first any all none reduce" },
	{ WORD_FUNCTION, IMPORTED, "sum sum0 product min max minstr maxstr uniq uniqnum shuffle looks_like_number" },
	{ WORD_FUNCTION, IMPORTED, "floor ceil fmod strftime Dumper encode_base64 decode_base64" },
	{ WORD_FUNCTION, IMPORTED, "md5_hex sha1_hex sha256_hex" },
	{ WORD_EXECUTES, 0, "system exec qx readpipe" },
	{ WORD_WRITES, 0, "unlink rename mkdir rmdir link symlink truncate chmod chown utime" },
};

const char zs_perl_special[] = "SIG INC ARGVOUT ISA main CORE";

const struct perl_word *zs_perl_word(const char *name, size_t len)
{
	static const struct perl_word none = { WORD_NONE, 0, "" };

	for (size_t i = 0; len && i < sizeof words / sizeof *words; i++)
		if (zs_code_listed(name, len, words[i].names))
			return &words[i];
	return &none;
}

const struct perl_word *zs_perl_word_at(const struct code_text *p, size_t token)
{
	return zs_perl_word(
		p->text + p->tokens[token].start, code_kind(p, token) == CODE_NAME ? p->tokens[token].len : 0);
}

bool zs_perl_is_function(const struct code_text *p, size_t token)
{
	enum perl_word_kind kind = zs_perl_word_at(p, token)->kind;

	return kind == WORD_FUNCTION || kind == WORD_DECLARE || kind == WORD_EOF;
}

unsigned zs_perl_argument_of(const struct code_text *p, size_t token)
{
	const struct perl_word *word = zs_perl_word_at(p, token - 1 - zs_code_is(p, token - 1, "("));

	return word->kind == WORD_FUNCTION ? word->flags : 0;
}

bool zs_perl_is_block(const struct code_text *p, size_t open)
{
	return zs_code_is(p, open, "{") && p->tokens[open].mark != MARK_SUBSCRIPT;
}

bool zs_perl_leads(const struct code_text *p, size_t token)
{
	size_t last = token - 1;
	uint8_t closed = zs_code_is(p, last, "}") ? p->tokens[code_mate(p, last)].mark : 0;

	return closed == MARK_BLOCK || closed == MARK_BARE || code_kind(p, last) == CODE_END ||
	       zs_code_is(p, last, ";") || zs_perl_is_block(p, last);
}

bool zs_perl_has_elements(const struct code_text *p, size_t token)
{
	size_t start = p->tokens[token].start, end = start + p->tokens[token].len;
	int second = code_at(p, start + 1);

	return code_kind(p, token) == CODE_NAME && is_one_of(code_at(p, start), "$@%") &&
	       (is_word(second) || second == '{' || (is_one_of(second, "+-") && is_one_of(code_at(p, end), "[{")));
}
