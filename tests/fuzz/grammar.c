/* Texts that are mostly valid bash, with the marker somewhere unusual.
 *
 * A row says what a symbol may be made of; in its text %X is symbol X, %% a percent sign. Three symbols are not rows:
 * %N is a newline and the bodies of the here-documents that wait for one, %H starts a here-document, and %` is a
 * command list that is escaped once more, for standing in backquotes. */
#include "mutator.h"

#include <stdbool.h>
#include <string.h>

#define DEPTH 5
#define SIZE 600 /* short texts are read and run faster, and say as much */
#define PENDING_MAX 6

struct row {
	char symbol;
	const char *text;
};

static const struct row rows[] = {
	/* a list; of a text, and of what stands in parentheses */
	{ 'L', "%C" },
	{ 'L', "%C" },
	{ 'L', "%C%B;%B%L" },
	{ 'L', "%C%N%L" },
	{ 'L', "%C && %C" },
	{ 'L', "%C || %C" },
	{ 'L', "%C | %C" },
	{ 'L', "%C |& %C" },
	{ 'L', "! %C" },
	{ 'L', "%C & %C" },
	{ 'L', "%C &&%N%C" },
	{ 'L', "%C |%N%C" },
	{ 'L', "%C #%O%N%L" },
	{ 'L', "#%O%N%L" },
	{ 'L', "time %C" },
	{ 'L', "time -p %C" },
	{ 'L', "! time %C" },
	{ 'L', "time ! %C" },

	/* a command */
	{ 'C', "%M" },
	{ 'C', "echo%B%W" },
	{ 'C', "echo %W %W" },
	{ 'C', ":" },
	{ 'C', "true" },
	{ 'C', "%M" },
	{ 'C', "%M %W" },
	{ 'C', "%M%B%R" },
	{ 'C', "%R%B%M" },
	{ 'C', "%M %H" },
	{ 'C', "cat %H" },
	{ 'C', "echo %H %H" },
	{ 'C', "x=%W" },
	{ 'C', "x=%W %M" },
	{ 'C', "x+=%W y=%W" },
	{ 'C', "x=(%I)" },
	{ 'C', "x=(%N%I%N)" },
	{ 'C', "x+=([%A]=%W %I)" },
	{ 'C', "x[%A]=%W" },
	{ 'C', "x[%A]=%W %M" },
	{ 'C', "declare -a x=(%I)" },
	{ 'C', "declare -A x=([%W]=%W)" },
	{ 'C', "declare x=%W" },
	{ 'C', "local x=%W" },
	{ 'C', "export x=%W y" },
	{ 'C', "{ %L; }" },
	{ 'C', "{%N%L%N}" },
	{ 'C', "{ %L; } %R" },
	{ 'C', "(%L)" },
	{ 'C', "( %L%N)" },
	{ 'C', "( %L ) %H" },
	{ 'C', "((%L) )" },
	{ 'C', "( (%L))" },
	{ 'C', "((%A))" },
	{ 'C', "(( %A ))" },
	{ 'C', "[[ %T ]]" },
	{ 'C', "[[ %T ]] && %M" },
	{ 'C', "[ %W = %W ]" },
	{ 'C', "if %L; then %L; fi" },
	{ 'C', "if %L%Nthen %L; elif %L; then %L; else %L%Nfi" },
	{ 'C', "for i in %W %W; do %L; done" },
	{ 'C', "for i; do %L; done" },
	{ 'C', "for i in 1%Ndo %L; done %R" },
	{ 'C', "for ((i=0; i<1; i++)); do %L; done" },
	{ 'C', "for ((i=%A; 0; )) { %L; }" },
	{ 'C', "for i in 1; { %L; }" },
	{ 'C', "while %L; do %L; break; done" },
	{ 'C', "until %L; do break; done" },
	{ 'C', "select i in %W; do %L; break; done" },
	{ 'C', "case %W in %P) %L ;; esac" },
	{ 'C', "case x in (%P) %L;; *) %L;; esac" },
	{ 'C', "case %W in %P|x) %L;& %P) %L;;& esac" },
	{ 'C', "case x in%Nx)%N%L%N;;%Nesac" },
	{ 'C', "case x in x) %L;; esac" },
	{ 'C', "case in in in) %L;; esac" },
	{ 'C', "f() { %L; }; f" },
	{ 'C', "f() ( %L ); f" },
	{ 'C', "function f { %L; }; f" },
	{ 'C', "function f() { %L; } %R; f" },
	{ 'C', "f()%N{ %L; }; f" },
	{ 'C', "f() %C%Nf" },
	{ 'C', "f() if true; then %L; fi; f" },
	{ 'C', "f() [[ %T ]]; f" },
	{ 'C', "f() ((%A)); f" },
	{ 'C', "f () case x in x) %L;; esac; f" },
	{ 'C', "coproc %M" },
	{ 'C', "coproc { %L; }" },
	{ 'C', "coproc x { %L; }" },
	{ 'C', "coproc x=1 %M" },
	{ 'C', "eval %W" },
	{ 'C', "eval '%S'" },
	{ 'C', "eval \"%Q\"" },
	{ 'C', "bash -c '%S'" },
	{ 'C', "bash -c \"%Q\"" },
	{ 'C', "command %M" },
	{ 'C', "command -p %M" },
	{ 'C', "builtin eval %M" },
	{ 'C', "exec %M" },
	{ 'C', "exec -a x %M" },
	{ 'C', "trap '%S' EXIT" },
	{ 'C', "trap \"%Q\" 0" },
	{ 'C', "test -n %W" },
	{ 'C', "read x <<< %W" },
	{ 'C', "printf %%s %W" },
	{ 'C', "printf -v x %%s %W" },
	{ 'C', "let %W" },
	{ 'C', "let 'x=%A'" },
	{ 'C', "set -- %W %W" },
	{ 'C', "unset 'x[%A]'" },
	{ 'C', "shopt -s extglob%Necho %W" },
	{ 'C', "mapfile -t x < <(%L)" },
	{ 'C', "alias x=%W%Nx" },
	{ 'C', "return 0; %M" },
	{ 'C', "x='a[%K]'; echo $((x))" },
	{ 'C', "x='a[%K]'; ((x))" },
	{ 'C', "x='a[%K]'; [[ x -eq 1 ]]" },
	{ 'C', "x='a[%K]'; [[ -v $x ]]" },
	{ 'C', "declare -i x='a[%K]'" },
	{ 'C', "printf -v 'x[%K]' 1" },
	{ 'C', "read 'x[%K]' <<< 1" },
	{ 'C', "test -v 'x[%K]'" },
	{ 'C', "unset 'x[%K]'" },
	{ 'C', "let 'x[%K]=1'" },
	{ 'C', "export 'x[%K]=1'" },
	{ 'C', "x=%W; echo ${!x}" },
	{ 'C', "x='%K'; echo ${x@P}" },
	{ 'C', "x='%K'; echo \"$x\"" },
	{ 'C', "PS4='%K'; set -x; :" },
	{ 'C', "declare -n x='a[%K]'; echo $x" },
	{ 'C', "x=pwn; $x" },
	{ 'C', "x='echo pwn'; eval $x" },
	{ 'C', "trap 'pwn' DEBUG; :" },
	{ 'C', "trap pwn ERR; false" },
	{ 'C', "hash -p /bin/pwn x; x" },
	{ 'C', "compgen -C pwn" },
	{ 'C', "complete -C pwn x" },
	{ 'C', "mapfile -C pwn -c 1 x <<< a" },
	{ 'C', "command_not_found_handle() { %L; }; zz" },
	{ 'C', "source /dev/stdin <<< pwn" },
	{ 'C', ". <(echo pwn)" },
	{ 'C', "bash <<< pwn" },
	{ 'C', "bash <<EOF%Npwn%NEOF%N" },
	{ 'C', "bash -s < /dev/stdin" },
	{ 'C', "exec 3< <(%L)" },
	{ 'C', "exec {fd}< <(%L)" },
	{ 'C', "eval -- %M" },
	{ 'C', "command -- %M" },
	{ 'C', "command -v %M" },
	{ 'C', "builtin command %M" },
	{ 'C', "time -- %M" },
	{ 'C', "exec -c -l %M" },
	{ 'C', "env %M" },
	{ 'C', "f() { \"$@\"; }; f pwn %W" },
	{ 'C', "set -- pwn; \"$@\"" },
	{ 'C', "a=(pwn); ${a[0]}" },
	{ 'C', "shopt -s expand_aliases%Nalias x=pwn%Nx" },
	{ 'C', "while read x; do $x; done <<< pwn" },
	{ 'C', "wait; %M" },
	{ 'C', "! ! %M" },
	{ 'C', "p=wn; p$p" },
	{ 'C', "function f-b { %L; }; f-b" },
	{ 'C', "function { { %L; }" },
	{ 'C', "if() { %L; }" },
	{ 'C', "$\\\n(pwn)" },
	{ 'C', "echo $\\\n(%L)" },
	{ 'C', "echo $\\\n{x:-%W}" },
	{ 'C', "true &\\\n& %M" },
	{ 'C', "cat <\\\n<EOF%N%QEOF%N" },
	{ 'C', "ca\\\nse x in x) %L;; es\\\nac" },
	{ 'C', "i\\\nf %L; then %L; fi" },
	{ 'C', "(\\\n( %L ) )" },
	{ 'C', "(\\\n(%A))" },
	{ 'C', "[\\\n[ %T ]]" },
	{ 'C', "{\\\n %L; }" },
	{ 'C', "%M &> /dev/null" },
	{ 'C', "%M >& /dev/null" },
	{ 'C', "%M 2>&1-" },
	{ 'C', "%M;;" },
	{ 'C', "%M &" },
	{ 'C', "%M\\" },
	{ 'C', "%V" },
	{ 'C', "%W" },
	{ 'C', "%R" },
	{ 'C', "if [[ %T ]]; then %L; fi" },
	{ 'C', "while ((%A)); do %L; break; done" },

	/* the marker, as a command; and unlike one */
	{ 'M', "pwn" },
	{ 'M', "pwn" },
	{ 'M', "pwn" },
	{ 'M', "pwn" },
	{ 'M', "pwn %W" },
	{ 'M', "'pwn'" },
	{ 'M', "\"pwn\"" },
	{ 'M', "\\pwn" },
	{ 'M', "p\\\nwn" },
	{ 'M', "\\\npwn" },
	{ 'M', "$'pwn'" },
	{ 'M', "/bin/pwn" },
	{ 'M', "{pwn,x}" },
	{ 'M', "pwn;" },
	{ 'M', "x=1 pwn" },

	/* a word */
	{ 'W', "a" },
	{ 'W', "x" },
	{ 'W', "pwn" },
	{ 'W', "''" },
	{ 'W', "-n" },
	{ 'W', "=" },
	{ 'W', "!" },
	{ 'W', "~" },
	{ 'W', "*" },
	{ 'W', "#x" },
	{ 'W', "a#pwn" },
	{ 'W', "\\'" },
	{ 'W', "\\\"" },
	{ 'W', "\\`" },
	{ 'W', "\\$" },
	{ 'W', "\\#" },
	{ 'W', "\\\\" },
	{ 'W', "a\\ b" },
	{ 'W', "'pwn \" $('" },
	{ 'W', "'`'" },
	{ 'W', "$'a\\'pwn'" },
	{ 'W', "$'\\\\'" },
	{ 'W', "\"%Q\"" },
	{ 'W', "\"%Q\"" },
	{ 'W', "$\"%Q\"" },
	{ 'W', "$(%L)" },
	{ 'W', "$(%L)" },
	{ 'W', "$( %L%N)" },
	{ 'W', "$(%L #%O%N)" },
	{ 'W', "$(cat %H%N)" },
	{ 'W', "$(case x in x) %L;; esac)" },
	{ 'W', "$(case x in (x) %L;; esac)" },
	{ 'W', "`%``" },
	{ 'W', "\"`%``\"" },
	{ 'W', "%V" },
	{ 'W', "\"%V\"" },
	{ 'W', "$((%A))" },
	{ 'W', "$(( %A ))" },
	{ 'W', "$((%L) )" },
	{ 'W', "$( (%L))" },
	{ 'W', "$[%A]" },
	{ 'W', "<(%L)" },
	{ 'W', ">(%L)" },
	{ 'W', "{%W,%W}" },
	{ 'W', "{a,$(%L)}" },
	{ 'W', "a%Wb" },
	{ 'W', "%W%W" },
	{ 'W', "x=%W" },
	{ 'W', "x[%A]=%W" },
	{ 'W', "@(%P)" },
	{ 'W', "!(%P|%P)" },
	{ 'W', "$%W" },
	{ 'W', "$" },
	{ 'W', "{ }" },
	{ 'W', "if" },
	{ 'W', "}" },
	{ 'W', "in esac" },
	{ 'W', "\\\n%W" },

	/* between double quotes, or in a here-document */
	{ 'Q', "a" },
	{ 'Q', "pwn" },
	{ 'Q', "'" },
	{ 'Q', "#" },
	{ 'Q', "a ' pwn" },
	{ 'Q', "\\\"" },
	{ 'Q', "\\\\" },
	{ 'Q', "\\$(pwn)" },
	{ 'Q', "\\`pwn\\`" },
	{ 'Q', "$'" },
	{ 'Q', "; pwn;" },
	{ 'Q', "%N" },
	{ 'Q', "$(%L)" },
	{ 'Q', "$(%L)" },
	{ 'Q', "`%``" },
	{ 'Q', "%V" },
	{ 'Q', "%V" },
	{ 'Q', "$((%A))" },
	{ 'Q', "$[%A]" },
	{ 'Q', "%Q%Q" },
	{ 'Q', "%Q%Q" },
	{ 'Q', "\\\n%Q" },
	{ 'Q', "<(pwn)" },
	{ 'Q', "$" },

	/* between single quotes, where it is expanded later */
	{ 'K', "$(pwn)" },
	{ 'K', "$(%M)" },
	{ 'K', "`pwn`" },
	{ 'K', "x[$(pwn)]" },
	{ 'K', "%L" },

	/* between single quotes, where it is code */
	{ 'S', "pwn" },
	{ 'S', "%L" },
	{ 'S', "echo \"%Q\"" },

	/* an expansion */
	{ 'V', "$x" },
	{ 'V', "$1" },
	{ 'V', "$$" },
	{ 'V', "${x}" },
	{ 'V', "${#x}" },
	{ 'V', "${#}" },
	{ 'V', "${!x}" },
	{ 'V', "${x:-%W}" },
	{ 'V', "${x-%Q}" },
	{ 'V', "${x:=%W}" },
	{ 'V', "${x:+%W}" },
	{ 'V', "${HOME:+%W}" },
	{ 'V', "${HOME+%Q}" },
	{ 'V', "${x:?%W}" },
	{ 'V', "${x#%P}" },
	{ 'V', "${HOME##%P}" },
	{ 'V', "${HOME%%%P}" },
	{ 'V', "${HOME/%P/%W}" },
	{ 'V', "${HOME//%P}" },
	{ 'V', "${HOME/#%P/%Q}" },
	{ 'V', "${HOME:%A}" },
	{ 'V', "${HOME:%A:%A}" },
	{ 'V', "${HOME^%P}" },
	{ 'V', "${HOME,,%P}" },
	{ 'V', "${HOME@Q}" },
	{ 'V', "${x[%A]}" },
	{ 'V', "${x[@]:%A}" },
	{ 'V', "${#x[%A]}" },
	{ 'V', "${!x@}" },
	{ 'V', "${x[%A]:-%W}" },
	{ 'V', "${x:-\"%Q\"}" },
	{ 'V', "${x:-'%Q'}" },
	{ 'V', "${x:-%Q}" },
	{ 'V', "${x:-%N%W}" },

	/* arithmetic */
	{ 'A', "1" },
	{ 'A', "x" },
	{ 'A', "0" },
	{ 'A', "x++" },
	{ 'A', "'1'" },
	{ 'A', "16#f" },
	{ 'A', "1<<2" },
	{ 'A', "x=1" },
	{ 'A', "$(%L)" },
	{ 'A', "`%``" },
	{ 'A', "%V" },
	{ 'A', "\"%Q\"" },
	{ 'A', "(%A)" },
	{ 'A', "%A+%A" },
	{ 'A', "%A ? %A : %A" },
	{ 'A', "x[%A]" },
	{ 'A', "x[$(%L)]" },
	{ 'A', "%A, %A" },
	{ 'A', "%A%N+1" },
	{ 'A', "$((%A))" },
	{ 'A', "$(echo 1 #%O%N)" },
	{ 'A', "'$(pwn)'" },

	/* a pattern */
	{ 'P', "x" },
	{ 'P', "*" },
	{ 'P', "?" },
	{ 'P', "[a-z]" },
	{ 'P', "[^]x]" },
	{ 'P', "/" },
	{ 'P', "\\/" },
	{ 'P', "'}'" },
	{ 'P', "\\}" },
	{ 'P', "')'" },
	{ 'P', "esac" },
	{ 'P', "%W" },
	{ 'P', "\"%Q\"" },
	{ 'P', "%P%P" },
	{ 'P', "[$(%L)]" },
	{ 'P', "@(%P|%P)" },
	{ 'P', "$(%L)" },
	{ 'P', "`%``" },
	{ 'P', "%V" },

	/* the inside of [[ ]] */
	{ 'T', "x" },
	{ 'T', "-n x" },
	{ 'T', "a == a" },
	{ 'T', "a < b" },
	{ 'T', "1 -eq 1" },
	{ 'T', "a =~ (a|b)" },
	{ 'T', "a =~ ^(a)$" },
	{ 'T', "a =~ [[:alpha:]]" },
	{ 'T', "-n %W" },
	{ 'T', "%W == %P" },
	{ 'T', "%W != @(%P)" },
	{ 'T', "%W =~ %W" },
	{ 'T', "%W =~ (%W)" },
	{ 'T', "%W =~ a\\ b%W" },
	{ 'T', "%W -eq %A" },
	{ 'T', "-v x[%A]" },
	{ 'T', "-v 'x[$(pwn)]'" },
	{ 'T', "! %T" },
	{ 'T', "( %T )" },
	{ 'T', "%T && %T" },
	{ 'T', "%T ||%N%T" },

	/* items of an array */
	{ 'I', "a" },
	{ 'I', "1 2" },
	{ 'I', "%W" },
	{ 'I', "%W %I" },
	{ 'I', "%W%N%I" },
	{ 'I', "#%O%N%I" },
	{ 'I', "[%A]=%W" },
	{ 'I', "[%A]+=%W %I" },
	{ 'I', "[%W]=%W" },

	/* a redirection that writes nothing */
	{ 'R', "2>&1" },
	{ 'R', ">/dev/null" },
	{ 'R', "&>/dev/null" },
	{ 'R', "</dev/null" },
	{ 'R', "<&-" },
	{ 'R', "3<&0" },
	{ 'R', "{fd}>&1" },
	{ 'R', "{fd}</dev/null" },
	{ 'R', "0<>/dev/null" },
	{ 'R', ">>/dev/null" },
	{ 'R', ">|/dev/null" },
	{ 'R', "<%W" },
	{ 'R', "<<<%W" },
	{ 'R', "<<< %W" },
	{ 'R', "< <(%L)" },
	{ 'R', "> >(%L)" },
	{ 'R', "2>&1 %R" },
	{ 'R', "<&\"%Q\"" },

	/* the rest of a comment */
	{ 'O', "" },
	{ 'O', " pwn" },
	{ 'O', " ' \" `" },
	{ 'O', " $(pwn" },
	{ 'O', ")" },
	{ 'O', " }" },
	{ 'O', " <<EOF" },
	{ 'O', " \\" },

	/* blanks */
	{ 'B', " " },
	{ 'B', " " },
	{ 'B', "  " },
	{ 'B', "\t" },
	{ 'B', " \\\n" },
	{ 'B', "\\\n " },
};

/* How a delimiter is written, and what it is. */
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
			/* A line that is almost the delimiter, or text. */
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

static bool is_leaf(const char *row)
{
	for (; (row = strchr(row, '%')); row += 2)
		if (!strchr("BNO%", row[1]))
			return false;
	return true;
}

/* A row of the symbol; without depth, one that leads no further. */
static const char *pick(struct text *text, char symbol, int depth)
{
	size_t first = 0, last, tries;

	while (rows[first].symbol != symbol)
		first++;
	for (last = first; last < sizeof rows / sizeof *rows && rows[last].symbol == symbol;)
		last++;
	for (tries = 0; tries < 100; tries++) {
		const char *row = rows[first + zs_random(text->mutator, (uint32_t)(last - first))].text;

		if (depth > 0 || is_leaf(row))
			return row;
	}
	return depth > 0 || is_leaf(rows[first].text) ? rows[first].text : "pwn";
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
