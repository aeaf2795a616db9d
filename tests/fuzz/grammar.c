/* Texts that are mostly valid bash, with the marker somewhere unusual.
 *
 * A list holds the texts that a symbol may become. In a text, %X is symbol X, and %% a percent sign. Three symbols have
 * no list: %N is a newline with the bodies of the here-documents that wait for it, %H starts a here-document, and %` is
 * a command list that is escaped once more, for use in backquotes. */
#include "mutator.h"

#include <stdbool.h>
#include <string.h>

#define DEPTH 5
#define SIZE 600 /* short texts are read and run faster, and find as much */
#define PENDING_MAX 6

/* A list of commands: of a whole text, and in parentheses. */
static const char *const lists[] = { "%C", "%C", "%C%B;%B%L", "%C%N%L", "%C && %C", "%C || %C", "%C | %C", "%C |& %C",
	"! %C", "%C & %C", "%C &&%N%C", "%C |%N%C", "%C #%O%N%L", "#%O%N%L", "time %C", "time -p %C", "! time %C",
	"time ! %C" };
/* A command. */
static const char *const commands[] = { "%M", "echo%B%W", "echo %W %W", ":", "true", "%M", "%M %W", "%M%B%R", "%R%B%M",
	"%M %H", "cat %H", "echo %H %H", "x=%W", "x=%W %M", "x+=%W y=%W", "x=(%I)", "x=(%N%I%N)", "x+=([%A]=%W %I)",
	"x[%A]=%W", "x[%A]=%W %M", "declare -a x=(%I)", "declare -A x=([%W]=%W)", "declare x=%W", "local x=%W",
	"export x=%W y", "{ %L; }", "{%N%L%N}", "{ %L; } %R", "(%L)", "( %L%N)", "( %L ) %H", "((%L) )", "( (%L))",
	"((%A))", "(( %A ))", "[[ %T ]]", "[[ %T ]] && %M", "[ %W = %W ]", "if %L; then %L; fi",
	"if %L%Nthen %L; elif %L; then %L; else %L%Nfi", "for i in %W %W; do %L; done", "for i; do %L; done",
	"for i in 1%Ndo %L; done %R", "for ((i=0; i<1; i++)); do %L; done", "for ((i=%A; 0; )) { %L; }",
	"for i in 1; { %L; }", "while %L; do %L; break; done", "until %L; do break; done",
	"select i in %W; do %L; break; done", "case %W in %P) %L ;; esac", "case x in (%P) %L;; *) %L;; esac",
	"case %W in %P|x) %L;& %P) %L;;& esac", "case x in%Nx)%N%L%N;;%Nesac", "case x in x) %L;; esac",
	"case in in in) %L;; esac", "f() { %L; }; f", "f() ( %L ); f", "function f { %L; }; f",
	"function f() { %L; } %R; f", "f()%N{ %L; }; f", "f() %C%Nf", "f() if true; then %L; fi; f", "f() [[ %T ]]; f",
	"f() ((%A)); f", "f () case x in x) %L;; esac; f", "coproc %M", "coproc { %L; }", "coproc x { %L; }",
	"coproc x=1 %M", "eval %W", "eval '%S'", "eval \"%Q\"", "bash -c '%S'", "bash -c \"%Q\"", "command %M",
	"command -p %M", "builtin eval %M", "exec %M", "exec -a x %M", "trap '%S' EXIT", "trap \"%Q\" 0", "test -n %W",
	"read x <<< %W", "printf %%s %W", "printf -v x %%s %W", "let %W", "let 'x=%A'", "set -- %W %W", "unset 'x[%A]'",
	"shopt -s extglob%Necho %W", "mapfile -t x < <(%L)", "alias x=%W%Nx", "return 0; %M", "x='a[%K]'; echo $((x))",
	"x='a[%K]'; ((x))", "x='a[%K]'; [[ x -eq 1 ]]", "x='a[%K]'; [[ -v $x ]]", "declare -i x='a[%K]'",
	"printf -v 'x[%K]' 1", "read 'x[%K]' <<< 1", "test -v 'x[%K]'", "unset 'x[%K]'", "let 'x[%K]=1'",
	"export 'x[%K]=1'", "x=%W; echo ${!x}", "x='%K'; echo ${x@P}", "x='%K'; echo \"$x\"",
	"PS4='%K'; set -x; :", "declare -n x='a[%K]'; echo $x", "x=pwn; $x", "x='echo pwn'; eval $x",
	"trap 'pwn' DEBUG; :", "trap pwn ERR; false", "hash -p /bin/pwn x; x", "compgen -C pwn", "complete -C pwn x",
	"mapfile -C pwn -c 1 x <<< a", "command_not_found_handle() { %L; }; zz", "source /dev/stdin <<< pwn",
	". <(echo pwn)", "bash <<< pwn", "bash <<EOF%Npwn%NEOF%N", "bash -s < /dev/stdin", "exec 3< <(%L)",
	"exec {fd}< <(%L)", "eval -- %M", "command -- %M", "command -v %M", "builtin command %M", "time -- %M",
	"exec -c -l %M", "env %M", "f() { \"$@\"; }; f pwn %W", "set -- pwn; \"$@\"", "a=(pwn); ${a[0]}",
	"shopt -s expand_aliases%Nalias x=pwn%Nx", "while read x; do $x; done <<< pwn", "wait; %M", "! ! %M",
	"p=wn; p$p", "function f-b { %L; }; f-b", "function { { %L; }", "if() { %L; }", "$\\\n(pwn)", "echo $\\\n(%L)",
	"echo $\\\n{x:-%W}", "true &\\\n& %M", "cat <\\\n<EOF%N%QEOF%N", "ca\\\nse x in x) %L;; es\\\nac",
	"i\\\nf %L; then %L; fi", "(\\\n( %L ) )", "(\\\n(%A))", "[\\\n[ %T ]]", "{\\\n %L; }", "%M &> /dev/null",
	"%M >& /dev/null", "%M 2>&1-", "%M;;", "%M &", "%M\\", "%V", "%W", "%R", "if [[ %T ]]; then %L; fi",
	"while ((%A)); do %L; break; done" };
/* The marker, spelled as a command and in ways that do not look like one. */
static const char *const markers[] = { "pwn", "pwn", "pwn", "pwn", "pwn %W", "'pwn'", "\"pwn\"", "\\pwn", "p\\\nwn",
	"\\\npwn", "$'pwn'", "/bin/pwn", "{pwn,x}", "pwn;", "x=1 pwn" };
/* A word. */
static const char *const words[] = { "a", "x", "pwn", "''", "-n", "=", "!", "~", "*", "#x", "a#pwn", "\\'", "\\\"",
	"\\`", "\\$", "\\#", "\\\\", "a\\ b", "'pwn \" $('", "'`'", "$'a\\'pwn'", "$'\\\\'", "\"%Q\"", "\"%Q\"",
	"$\"%Q\"", "$(%L)", "$(%L)", "$( %L%N)", "$(%L #%O%N)", "$(cat %H%N)", "$(case x in x) %L;; esac)",
	"$(case x in (x) %L;; esac)", "`%``", "\"`%``\"", "%V", "\"%V\"", "$((%A))", "$(( %A ))", "$((%L) )",
	"$( (%L))", "$[%A]", "<(%L)", ">(%L)", "{%W,%W}", "{a,$(%L)}", "a%Wb", "%W%W", "x=%W", "x[%A]=%W", "@(%P)",
	"!(%P|%P)", "$%W", "$", "{ }", "if", "}", "in esac", "\\\n%W" };
/* Text between double quotes, or in a here-document. */
static const char *const quoted[] = { "a", "pwn", "'", "#", "a ' pwn", "\\\"", "\\\\", "\\$(pwn)", "\\`pwn\\`", "$'",
	"; pwn;", "%N", "$(%L)", "$(%L)", "`%``", "%V", "%V", "$((%A))", "$[%A]", "%Q%Q", "%Q%Q", "\\\n%Q", "<(pwn)",
	"$" };
/* Text between single quotes that is expanded later. */
static const char *const expanded_later[] = { "$(pwn)", "$(%M)", "`pwn`", "x[$(pwn)]", "%L" };
/* Text between single quotes that is code. */
static const char *const code[] = { "pwn", "%L", "echo \"%Q\"" };
/* An expansion. */
static const char *const expansions[] = { "$x", "$1", "$$", "${x}", "${#x}", "${#}", "${!x}", "${x:-%W}", "${x-%Q}",
	"${x:=%W}", "${x:+%W}", "${HOME:+%W}", "${HOME+%Q}", "${x:?%W}", "${x#%P}", "${HOME##%P}", "${HOME%%%P}",
	"${HOME/%P/%W}", "${HOME//%P}", "${HOME/#%P/%Q}", "${HOME:%A}", "${HOME:%A:%A}", "${HOME^%P}", "${HOME,,%P}",
	"${HOME@Q}", "${x[%A]}", "${x[@]:%A}", "${#x[%A]}", "${!x@}", "${x[%A]:-%W}", "${x:-\"%Q\"}", "${x:-'%Q'}",
	"${x:-%Q}", "${x:-%N%W}" };
/* Arithmetic. */
static const char *const arithmetic[] = { "1", "x", "0", "x++", "'1'", "16#f", "1<<2", "x=1", "$(%L)", "`%``", "%V",
	"\"%Q\"", "(%A)", "%A+%A", "%A ? %A : %A", "x[%A]", "x[$(%L)]", "%A, %A", "%A%N+1", "$((%A))",
	"$(echo 1 #%O%N)", "'$(pwn)'" };
/* A pattern. */
static const char *const patterns[] = { "x", "*", "?", "[a-z]", "[^]x]", "/", "\\/", "'}'", "\\}", "')'", "esac", "%W",
	"\"%Q\"", "%P%P", "[$(%L)]", "@(%P|%P)", "$(%L)", "`%``", "%V" };
/* The inside of [[ ]]. */
static const char *const conditions[] = { "x", "-n x", "a == a", "a < b", "1 -eq 1", "a =~ (a|b)", "a =~ ^(a)$",
	"a =~ [[:alpha:]]", "-n %W", "%W == %P", "%W != @(%P)", "%W =~ %W", "%W =~ (%W)", "%W =~ a\\ b%W", "%W -eq %A",
	"-v x[%A]", "-v 'x[$(pwn)]'", "! %T", "( %T )", "%T && %T", "%T ||%N%T" };
/* Items of an array. */
static const char *const items[] = { "a", "1 2", "%W", "%W %I", "%W%N%I", "#%O%N%I", "[%A]=%W", "[%A]+=%W %I",
	"[%W]=%W" };
/* A redirection that writes nothing. */
static const char *const redirections[] = { "2>&1", ">/dev/null", "&>/dev/null", "</dev/null", "<&-", "3<&0", "{fd}>&1",
	"{fd}</dev/null", "0<>/dev/null", ">>/dev/null", ">|/dev/null", "<%W", "<<<%W", "<<< %W", "< <(%L)", "> >(%L)",
	"2>&1 %R", "<&\"%Q\"" };
/* The rest of a comment. */
static const char *const comments[] = { "", " pwn", " ' \" `", " $(pwn", ")", " }", " <<EOF", " \\" };
/* Blanks. */
static const char *const blanks[] = { " ", " ", "  ", "\t", " \\\n", "\\\n " };
static const struct symbol {
	char name;
	const char *const *texts;
	size_t count;
} symbols[] = {
#define SYMBOL(name, texts) { name, texts, sizeof texts / sizeof *texts }
	SYMBOL('L', lists),
	SYMBOL('C', commands),
	SYMBOL('M', markers),
	SYMBOL('W', words),
	SYMBOL('Q', quoted),
	SYMBOL('K', expanded_later),
	SYMBOL('S', code),
	SYMBOL('V', expansions),
	SYMBOL('A', arithmetic),
	SYMBOL('P', patterns),
	SYMBOL('T', conditions),
	SYMBOL('I', items),
	SYMBOL('R', redirections),
	SYMBOL('O', comments),
	SYMBOL('B', blanks),
#undef SYMBOL
};

/* The spelling of a delimiter, and its value. */
static const struct delimiter {
	const char *written, *is;
	bool quoted, tabs;
} delimiters[] = {
	{ "<<EOF", "EOF", false, false },
	{ "<<E", "E", false, false },
	{ "<< EOF", "EOF", false, false },
	{ "<<-EOF", "EOF", false, true },
	{ "<<'EOF'", "EOF", true, false },
	{ "<<\\E", "E", true, false },
	{ "<<\"E F\"", "E F", true, false },
	{ "<<-'E'", "E", true, true },
	{ "<<E\\\nF", "EF", false, false },
	{ "<<$x", "$x", false, false },
	{ "3<<EOF", "EOF", false, false },
	{ "<<''", "", true, false },
	{ "<<$'E'", "E", true, false },
	{ "<<\"$(E)\"", "$(E)", true, false },
	{ "<<`E`", "`E`", false, false },
};

struct text {
	struct mutator *mutator;
	char *bytes;
	size_t len, size;
	const struct delimiter *pending[PENDING_MAX];
	size_t pending_count;
};

static void expand(struct text *text, const char *from, int depth);

static void put(struct text *text, const char *bytes, size_t len)
{
	if (len > text->size - text->len)
		len = text->size - text->len;
	memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
}

static void put_newline(struct text *text, int depth)
{
	const struct delimiter *pending[PENDING_MAX];
	size_t count = text->pending_count;

	memcpy(pending, text->pending, sizeof pending);
	text->pending_count = 0;
	put(text, "\n", 1);
	for (size_t i = 0; i < count; i++) {
		const struct delimiter *delimiter = pending[i];

		for (uint32_t lines = zs_random(text->mutator, 3); lines; lines--) {
			/* a line that is almost the delimiter, or other text */
			if (!zs_random(text->mutator, 6))
				expand(text, zs_random(text->mutator, 2) ? " " : "\\", depth);
			if (!zs_random(text->mutator, 5))
				put(text, delimiter->is, strlen(delimiter->is));
			expand(text, zs_random(text->mutator, 4) ? "%Q" : "", depth - 1);
			text->pending_count = 0;
			put(text, "x\n", zs_random(text->mutator, 4) ? 2 : 1);
		}
		if (delimiter->tabs)
			put(text, "\t\t", zs_random(text->mutator, 3));
		put(text, delimiter->is, strlen(delimiter->is));
		put(text, "\n", 1);
	}
}

static void put_here_document(struct text *text)
{
	const struct delimiter *delimiter =
		&delimiters[zs_random(text->mutator, sizeof delimiters / sizeof *delimiters)];

	if (text->pending_count == PENDING_MAX)
		return;
	text->pending[text->pending_count++] = delimiter;
	put(text, delimiter->written, strlen(delimiter->written));
}

static void put_backquoted(struct text *text, int depth)
{
	char bytes[1024];
	struct text inner = { .mutator = text->mutator, .bytes = bytes, .size = sizeof bytes };

	expand(&inner, "%L", depth);
	if (inner.pending_count)
		put_newline(&inner, depth);
	for (size_t i = 0; i < inner.len; i++) {
		if (bytes[i] == '`' || bytes[i] == '\\')
			put(text, "\\", 1);
		put(text, bytes + i, 1);
	}
}

static bool is_leaf(const char *text)
{
	for (; (text = strchr(text, '%')); text += 2)
		if (!strchr("BNO%", text[1]))
			return false;
	return true;
}

/* A text for the symbol. With depth 0, one that needs no other symbol. */
static const char *pick(struct text *text, char name, int depth)
{
	const struct symbol *symbol = symbols;

	while (symbol->name != name)
		symbol++;
	for (int tries = 0; tries < 100; tries++) {
		const char *picked = symbol->texts[zs_random(text->mutator, (uint32_t)symbol->count)];

		if (depth > 0 || is_leaf(picked))
			return picked;
	}
	return depth > 0 || is_leaf(*symbol->texts) ? *symbol->texts : "pwn";
}

static void expand(struct text *text, const char *from, int depth)
{
	for (; *from && text->len < text->size; from++) {
		if (*from != '%') {
			put(text, from, 1);
			continue;
		}
		switch (*++from) {
		case '%':
			put(text, "%", 1);
			break;
		case 'N':
			put_newline(text, depth);
			break;
		case 'H':
			put_here_document(text);
			break;
		case '`':
			put_backquoted(text, depth - 2);
			break;
		default:
			expand(text, pick(text, *from, depth), depth - 1);
		}
	}
}

size_t zs_generate(struct mutator *mutator, char *input)
{
	struct text text = { .mutator = mutator, .bytes = input, .size = SIZE };

	expand(&text, "%L", (int)zs_random(mutator, DEPTH) + 1);
	if (text.pending_count || !zs_random(mutator, 4))
		put_newline(&text, 2);
	if (!zs_random(mutator, 4))
		expand(&text, "%M%N", 1);
	return text.len;
}

size_t zs_generate_piece(struct mutator *mutator, char *input, size_t size)
{
	static const char *const kinds[] = { "%W", "%W", "%C", "%V", "%R", "%L", ";%C%N", "\"%Q\"", "%C |", "%H" };
	struct text text = { .mutator = mutator, .bytes = input, .size = size };

	expand(&text, kinds[zs_random(mutator, sizeof kinds / sizeof *kinds)], 3);
	if (text.pending_count)
		put_newline(&text, 2);
	return text.len;
}
