/* The constructs that the strict reader refuses: enumerator, description, and how to write it instead. */
#ifndef ZS_REFUSAL_H
#define ZS_REFUSAL_H

// clang-format off
#define ZS_REFUSALS(X) \
	X(PROMPT, "a prompt expansion, which runs code",\
		"Use the value itself, without @P.")\
	X(DOLLAR, "a dollar sign that may start an expansion",\
		"Quote the dollar sign with single quotes, or write the expansion on its own.")\
	X(BRACED_END, "a brace, quote or parenthesis within ${…} that may end it",\
		"Put the text into a variable first: y=…; echo \"${x:-$y}\".")\
	X(BRACED_QUOTES, "quotes that bash may read as plain characters here",\
		"Put the quoted text into a variable first and expand that.")\
	X(BRACED_PARAMETER, "an expansion without a parameter",\
		"Name the variable: ${name}.")\
	X(BRACED_OPERATOR, "an expansion with an unknown operator",\
		"Use one of ${x:-y} ${x#y} ${x%y} ${x/y/z} ${x:1:2}.")\
	X(ARITHMETIC_DOLLAR, "a dollar sign in arithmetic",\
		"Write $((x + 1)), with plain names and numbers.")\
	X(ARITHMETIC_QUOTES, "a quote, brace or substitution in arithmetic",\
		"Write $((x + 1)), with plain names and numbers, and substitutions into variables before it.")\
	X(ARITHMETIC_END, "arithmetic whose end bash may see at another place",\
		"Put the substitution into a variable first: n=$(…); ((n > 1)).")\
	X(NO_ARITHMETIC, "$(( that does not start arithmetic",\
		"Write a blank between the parentheses: $( (…) ).")\
	X(DOUBLE_PARENTHESIS, "(( that does not start arithmetic",\
		"Write a blank between the parentheses: ( (...) ).")\
	X(COPROC, "a reserved word or assignment after coproc",\
		"Run the command with & instead.")\
	X(COPROC_INSIDE, "coproc in a substitution, where bash runs a program COPROC",\
		"Run the command with & instead.")\
	X(COPROC_ARRAY, "an array right behind coproc, in which bash recognises reserved words",\
		"Assign the array before coproc.")\
	X(PARENTHESES, "a substitution with parentheses, whose end bash may see at another place",\
		"Put the substitution into a variable first, without a comment in it.")\
	X(QUOTED_EXPANSION, "an expansion in quotes where bash looks for a parenthesis",\
		"Put the quoted text into a variable first.")\
	X(PATTERN_END, "a pattern whose end bash may see at another place",\
		"Put the pattern into a variable first.")\
	X(PATTERN_CONTENT, "a newline or substitution within a pattern",\
		"Put the pattern into a variable first.")\
	X(PATTERN_COMMAND, "a parenthesis that starts a pattern if extglob is on",\
		"Put a blank in front of the parenthesis.")\
	X(SUBSCRIPT_CODE, "quoted code in an array subscript, which arithmetic runs",\
		"Use a plain number or name as the subscript.")\
	X(SUBSCRIPT, "a subscript outside of an assignment",\
		"Quote the brackets.")\
	X(SUBSCRIPT_END, "a subscript with one parenthesis of a pair",\
		"Use a plain number or name as the subscript.")\
	X(ARRAY_GOES_ON, "text that touches the closing parenthesis of an array",\
		"Put a blank after the closing parenthesis.")\
	X(COMPUTED_DUPLICATE, "a target of >& or <& that is not plain text",\
		"Write the number of the descriptor, as in 2>&1.")\
	X(INPUT_AS_OUTPUT, "a file opened for reading as an output: /dev/stdout would overwrite it",\
		"Read the file as standard input: <file.")\
	X(BEHIND_CLOSE, "a word that touches >&- or <&-",\
		"Put a blank after the dash.")\
	X(TARGETS, "a redirection with no target, or with several",\
		"Redirect to one file.")\
	X(DESCRIPTOR, "a number or {name} that bash takes for a descriptor",\
		"Put a blank in front of the redirection.")\
	X(RESERVED, "a reserved word after a redirection, an assignment, time or coproc",\
		"Put the redirection after the command.")\
	X(HEREDOC_END, "a here-document that does not end",\
		"End it with a line that is its delimiter and nothing else.")\
	X(HEREDOC_BODY, "a here-document without a body in a substitution",\
		"End the here-document before the substitution.")\
	X(HEREDOC_COMPOUND, "a here-document in a compound command in a substitution",\
		"Put the here-document outside of the substitution.")\
	X(HEREDOC_LIST, "a semicolon after a here-document in a substitution: bash may drop it",\
		"Put each command after the here-document on its own line.")\
	X(HEREDOC_DELIMITER, "a here-document's delimiter that is not a plain word",\
		"Use a delimiter of letters: <<'EOF'.")\
	X(HEREDOC_DELIMITER_LENGTH, "a here-document's delimiter that is empty or too long",\
		"Use a short delimiter of letters: <<'EOF'.")\
	X(HEREDOC_NEWLINE, "a newline in a substitution or array after a here-document",\
		"End the line of the here-document first.")\
	X(HEREDOC_LINE, "a line with a here-document that goes on on the next line",\
		"Write the rest of the command on the line of the here-document.")\
	X(BACKQUOTES, "an escaped quote or newline in backquotes",\
		"Write $(…) in place of backquotes.")\
	X(CONTINUED_DOLLAR, "a line continuation after $",\
		"Do not break the line after the dollar sign.")\
	X(CONTINUED_NAME, "a variable's name that is continued on another line",\
		"Do not break the line within the name.")\
	X(CONTINUED_OPERATOR, "an operator that is continued on another line",\
		"Do not break the line within the operator.")\
	X(CONTINUED_ASSIGNMENT, "an assignment that is continued on another line",\
		"Do not break the line within the assignment.")\
	X(LONE_BACKSLASH, "a backslash at the end of the text",\
		"Remove the backslash, or write two.")\
	X(CONTROL_ESCAPE, "a control escape in $'…'",\
		"Write the control character as an octal escape: $'\\001'.")\
	X(DIFFER, "the two readers of zs disagree here",\
		"Write it plainly: quote what is text, and split it into simple commands.")\
	X(CONTROL, "a control character",\
		"Write it as an escape: $'\\001'.")\
	X(UTF8, "a byte that is not UTF-8",\
		"Write it as an escape: $'\\377'.")
// clang-format on

enum zs_refusal {
	ZS_REFUSE_NOTHING,
#define X(id, what, hint) ZS_REFUSE_##id,
	ZS_REFUSALS(X)
#undef X
};

/* strict_reader.c: by enum zs_refusal. */
extern const struct zs_refusal_text {
	const char *what, *hint;
} zs_refusal_texts[];

#endif
