/* What perl's reader knows by name: words, modules, operators. */
#include "code/perl_reader.h"

#include <string.h>

static const struct perl_word words[] = {
	{ WORD_CONDITION, 0, " if unless elsif while until " },
	{ WORD_FOR, 0, " for foreach " },
	{ WORD_HEAD, 0, " else continue BEGIN END " },
	{ WORD_DO, 0, " do " },
	{ WORD_JUMP, 0, " next last redo " },
	{ WORD_USE, 0, " use " },
	{ WORD_DECLARE, READS, " my our " },
	{ WORD_DECLARE, 0, " local state " },
	{ WORD_INFIX, COPIES, " cmp eq ne lt gt le ge " },
	{ WORD_INFIX, 0, " and or xor " },
	{ WORD_RAW, 0, " q qw " },
	{ WORD_STRING, 0, " qq " },
	{ WORD_MATCH, 0, " m qr " },
	{ WORD_SUBST, 0, " s " },
	{ WORD_TRANSLATE, 0, " tr y " },
	{ WORD_FUNCTION, PRINTS, " print printf " },
	{ WORD_FUNCTION, PRINTS | IMPORTED, " say " },
	{ WORD_ON_HANDLE, 0, " eof close " },
	{ WORD_BINMODE, 0, " binmode " },
	{ WORD_CONSTANT, 0, " time times wantarray __LINE__ __FILE__ " },
	{ WORD_FUNCTION, TAKES_ARGV | DEFINED_OR, " shift pop " },
	{ WORD_FUNCTION, DEFINED_OR, " undef " },
	{ WORD_FUNCTION, TAKES_ARGV, " scalar " },
	{ WORD_FUNCTION, READS, " keys exists delete defined " },
	{ WORD_FUNCTION, BLOCK, " map grep sort " },
	{ WORD_FUNCTION, 0, " not return exit die warn sleep values each push unshift splice reverse ref stat lstat " },
	{ WORD_FUNCTION, 0,
		" length substr index rindex uc lc ucfirst lcfirst sprintf join split chomp chop chr ord " },
	{ WORD_FUNCTION, 0, " pos quotemeta pack unpack hex oct abs int sqrt sin cos atan2 exp log rand srand " },
	{ WORD_FUNCTION, 0, " localtime gmtime " },
	{ WORD_FUNCTION, IMPORTED | BLOCK, " first any all none reduce " },
	{ WORD_FUNCTION, IMPORTED, " sum sum0 product min max minstr maxstr uniq uniqnum shuffle looks_like_number " },
	{ WORD_FUNCTION, IMPORTED, " floor ceil fmod strftime Dumper encode_base64 decode_base64 " },
	{ WORD_FUNCTION, IMPORTED, " md5_hex sha1_hex sha256_hex " },
	{ WORD_EXECUTES, 0, " system exec qx readpipe " },
	{ WORD_WRITES, 0, " unlink rename mkdir rmdir link symlink truncate chmod chown utime " },
	{ WORD_OPEN, 0, " open " },
};

/* Modules whose import runs nothing of the program's and changes no syntax. */
static const char *const modules[] = {
	"strict",
	"warnings",
	"utf8",
	"feature",
	"integer",
	"List::Util",
	"Scalar::Util",
	"POSIX",
	"Data::Dumper",
	"MIME::Base64",
	"Digest::MD5",
	"Digest::SHA",
};

/* Longest first. */
static const struct perl_operator operators[] = {
	{ "<=>", LAST_COPIES },
	{ "**=", LAST_ASSIGNS },
	{ "||=", LAST_ASSIGNS },
	{ "&&=", LAST_ASSIGNS },
	{ "//=", LAST_ASSIGNS },
	{ "<<=", LAST_ASSIGNS },
	{ ">>=", LAST_ASSIGNS },
	{ "...", LAST_COPIES },
	{ "**", LAST_COPIES },
	{ "=~", LAST_ALIASES },
	{ "!~", LAST_ALIASES },
	{ "==", LAST_COPIES },
	{ "!=", LAST_COPIES },
	{ "<=", LAST_COPIES },
	{ ">=", LAST_COPIES },
	{ "=>", LAST_OTHER },
	{ "&&", LAST_OTHER },
	{ "||", LAST_OTHER },
	{ "//", LAST_OTHER },
	{ "..", LAST_COPIES },
	{ "++", LAST_ALIASES },
	{ "--", LAST_ALIASES },
	{ "+=", LAST_ASSIGNS },
	{ "-=", LAST_ASSIGNS },
	{ "*=", LAST_ASSIGNS },
	{ "/=", LAST_ASSIGNS },
	{ ".=", LAST_ASSIGNS },
	{ "%=", LAST_ASSIGNS },
	{ "&=", LAST_ASSIGNS },
	{ "|=", LAST_ASSIGNS },
	{ "^=", LAST_ASSIGNS },
	{ "x=", LAST_ASSIGNS },
	{ "<<", LAST_COPIES },
	{ ">>", LAST_COPIES },
	{ "+", LAST_COPIES },
	{ "-", LAST_COPIES },
	{ "*", LAST_COPIES },
	{ "/", LAST_COPIES },
	{ "%", LAST_COPIES },
	{ ".", LAST_COPIES },
	{ "<", LAST_COPIES },
	{ ">", LAST_COPIES },
	{ "=", LAST_ASSIGNS },
	{ "&", LAST_COPIES },
	{ "|", LAST_COPIES },
	{ "^", LAST_COPIES },
	{ "?", LAST_OTHER },
	{ ":", LAST_OTHER },
	{ ",", LAST_OTHER },
};

const struct perl_word *zs_perl_find_word(const struct perl_reader *r, size_t at, size_t len)
{
	for (size_t i = 0; i < COUNT(words); i++)
		for (const char *name = words[i].names + 1; len && *name; name = strchr(name, ' ') + 1)
			if (!strncmp(name, r->text + at, len) && name[len] == ' ')
				return &words[i];
	return NULL;
}

const struct perl_operator *zs_perl_find_operator(const struct perl_reader *r, size_t at)
{
	static const struct perl_operator copies = { "x", LAST_COPIES }, other = { "and", LAST_OTHER };
	const struct perl_word *word;

	for (size_t i = 0; i < COUNT(operators); i++)
		if (starts(r, at, operators[i].text))
			return &operators[i];
	if (peek_at(r, at) == 'x' && !is_letter(peek_at(r, at + 1)))
		return &copies;
	word = zs_perl_find_word(r, at, skip_word(r, at) - at);
	if (!word || word->kind != WORD_INFIX)
		return NULL;
	return word->flags & COPIES ? &copies : &other;
}

bool zs_perl_is_module(const struct perl_reader *r, size_t at, size_t len)
{
	return is_listed(r, at, len, modules, COUNT(modules));
}
