/* The builtin commands of bash (man bash, SHELL BUILTIN COMMANDS), and its keywords that precede a command. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(builtins) = {
	{ .names = "cd|pushd|popd|chdir", .traits = ZS_ROW_CD | ZS_ROW_NO_INPUT },
	{ .names = ".|source", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE },
	{ .names = "eval", .operands = "S", .traits = ZS_ROW_STRICT | ZS_ROW_NO_INPUT },
	{ .names = "exec", .options = "-c -l -a=d", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "command", .options = "-p -v!h -V!h", .operands = "X", .traits = ZS_ROW_STRICT |
		ZS_ROW_PASSES_INPUT },
	{ .names = "builtin", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "time|gtime",
		.options = "-p -f=d --format=d -o=w --output=w -a --append -v --verbose -q --quiet -V!h "
			"--version!h --help!h", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .names = "trap", .operands = "d*", .traits = ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_TRAP },
	{ .names = "export", .options = "-n -p -f", .operands = "d*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_ASSIGNS },
	{ .names = "declare|local|readonly|typeset", .operands = "d*", .traits = ZS_ROW_NO_INPUT,
		.grammar = ZS_GRAMMAR_ASSIGNS },
	{ .names = "alias", .options = "-p!h", .operands = "d*", .traits = ZS_ROW_ENVIRONMENT | ZS_ROW_LISTS,
		.grammar = ZS_GRAMMAR_ALIAS },
	{ .names = "enable", .options = "-a -n -p -s -f=L -d=d", .operands = "d*",
		.traits = ZS_ROW_ENVIRONMENT | ZS_ROW_LISTS },
	{ .names = "hash", .options = "-r -l -t!r -d -p=L", .operands = "d*",
		.traits = ZS_ROW_ENVIRONMENT | ZS_ROW_LISTS, .grammar = ZS_GRAMMAR_HASH },
	{ .names = "complete|compopt", .options = "-p!h -C=c -W=y -F=d -A=d -G=d -P=d -S=d -X=d -o=d", .operands = "d*",
		.traits = ZS_ROW_ENVIRONMENT | ZS_ROW_LISTS },
	{ .names = "compgen", .options = "-C=d -W=c -F=d -A=d -G=d -P=d -S=d -X=d -o=d -V=v", .operands = "d",
		.grammar = ZS_GRAMMAR_COMPGEN },
	{ .names = "bind", .options = "-x=L -f=L -l -v -p -P -s -S -V -X -m=d -q=d -u=d -r=d", .operands = "d*",
		.traits = ZS_ROW_ENVIRONMENT | ZS_ROW_LISTS },
	{ .names = "mapfile|readarray", .options = "-C=d -c=d -d=d -n=d -O=d -s=d -u=d -t", .operands = "v",
		.grammar = ZS_GRAMMAR_MAPFILE },
	{ .names = "history", .options = "-a!w -w!w -n -r -c -d=d -p -s", .operands = "d*" },
	{ .names = "fc", .options = "-l!h -s -e=c", .traits = ZS_ROW_ENVIRONMENT, .grammar = ZS_GRAMMAR_FC },
	{ .names = "umask|ulimit|unalias|shift|return|exit|break|continue|wait|jobs|fg|bg|disown|"
			"suspend|logout|true|false|:|pwd|dirs|type|help|times|caller|kill", .traits = ZS_ROW_NO_INPUT },
	{ .names = "set", .traits = ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_SET },
	{ .names = "shopt", .traits = ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_SHOPT },
	{ .names = "let|unset|test|[", .traits = ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_EVALUATES },
	{ .names = "echo", .traits = ZS_ROW_NO_INPUT, .grammar = ZS_GRAMMAR_PRINTS },
	{ .names = "read", .options = "-a=v -d=d -e -i=d -n=d -N=d -p=d -r -s -t=d -u=d", .operands = "v*",
		.grammar = ZS_GRAMMAR_READS },
	{ .names = "getopts", .operands = "dvd*", .traits = ZS_ROW_NO_INPUT },
	{ .names = "printf", .options = "-v=v", .operands = "d*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_NO_INPUT,
		.grammar = ZS_GRAMMAR_PRINTS },
};
// clang-format on
ZS_TABLE_COUNT(builtins);
