/* The acts of inline programs of sed, awk and perl. The rows were run through GNU sed 4.9, busybox, gawk 5.2, mawk
 * 1.3.4, the one true awk and perl 5.36: what is plain made no file and ran no command in any of them. */
#include "check.h"
#include "code/filter.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

typedef struct zs_filter reader(const char *program, size_t len);

struct row {
	const char *program;
	enum zs_filter_effect effect;
	const char *object;
};

static const char *const effect_names[] = { "unknown", "plain", "writes", "executes" };

#define PLAIN ZS_FILTER_PLAIN, NULL
#define UNKNOWN ZS_FILTER_UNKNOWN, NULL
#define WRITES ZS_FILTER_WRITES
#define EXECUTES ZS_FILTER_EXECUTES

static void check_row(reader *read, const struct row *row)
{
	struct zs_filter got = read(row->program, strlen(row->program));
	size_t len = strlen(row->program);
	bool same = row->object ? got.object && got.object_len == strlen(row->object) &&
					  !memcmp(got.object, row->object, got.object_len)
				: !got.object || got.effect == ZS_FILTER_UNKNOWN;

	CHECK(got.effect == row->effect && same, "%s: %s %.*s at %zu", row->program, effect_names[got.effect],
		(int)got.object_len, got.object ? got.object : "", got.at);
	CHECK(got.at <= len && (!got.object || got.object + got.object_len <= row->program + len), "%s: at %zu",
		row->program, got.at);
}

static void check_rows(reader *read, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_row(read, &rows[i]);
}

static const struct row sed_plain[] = {
	{ "", PLAIN },
	{ "s/a/b/", PLAIN },
	{ "1,5p", PLAIN },
	{ "$!d", PLAIN },
	{ "$=", PLAIN },
	{ "#n\np", PLAIN },
	{ "2q;d", PLAIN },
	{ "q5", PLAIN },
	{ "0~3p;2,+1d;3,~4d;0,/x/p;1!p;1 ! p;$ p;1 ,2p", PLAIN },
	{ "/a/I,/b/Mp;\\,x,d;\\nanp", PLAIN },
	{ ":a;N;$!ba;s/\\n/ /g", PLAIN },
	{ ":a s/x/y/;ta", PLAIN },
	{ "/a/{p;d};p", PLAIN },
	{ "/a/{/b/{p}}", PLAIN },
	{ "{p}#w out", PLAIN },
	{ "p # w out\nd", PLAIN },
	{ "s/a/b/gp;s,a,b,2;s|a\\|b|c|I;sxaxbx;s#a#b#m;s/a/b/ ;p", PLAIN },
	{ "s/[/]/x/g;s/[]/]/x/;s/[^]/]/x/;s/[[:alpha:]/]/x/;s/[\\[\\]]//", PLAIN },
	{ "s/a/\\\nw out/", PLAIN },
	{ "s/w out/e/", PLAIN },
	{ "y/abc/xyz/;y,\\,,;,", PLAIN },
	{ "a text; w out", PLAIN },
	{ "a\\\nw out", PLAIN },
	{ "a\\\none\\\nw out\np", PLAIN },
	{ "a\\text; w out", PLAIN },
	{ "a\\\ttext", PLAIN },
	{ "$a\\", PLAIN },
	{ "1i\\  text", PLAIN },
	{ "r in", PLAIN },
	{ "R in\np", PLAIN },
	{ "l;l 5;z;F;v 4.2;x;D;T end;:end", PLAIN },
	{ "w /dev/stdout", PLAIN },
	{ "s/a/b/w /dev/stderr", PLAIN },
	{ "w /dev/null\np", PLAIN },
	{ "N;P;D;G;H;g;h;n", PLAIN },
};

static const struct row sed_acts[] = {
	{ "w out", WRITES, "out" },
	{ "W out", WRITES, "out" },
	{ "p;w out; p", WRITES, "out; p" },
	{ "w out}\np", WRITES, "out}" },
	{ "/a/,/b/!w out", WRITES, "out" },
	{ "0~3w out", WRITES, "out" },
	{ "2,+1w out", WRITES, "out" },
	{ "/a/Iw out", WRITES, "out" },
	{ "{p};w out", WRITES, "out" },
	{ "s/a/b/w out", WRITES, "out" },
	{ "s/a/b/gpw   out file", WRITES, "out file" },
	{ "s/[/]w x/b/;w out", WRITES, "out" },
	{ "p # c\nw out", WRITES, "out" },
	{ "a x\nw out", WRITES, "out" },
	{ "a\\\nx\nw out", WRITES, "out" },
	{ "a x\\\\\nw out", WRITES, "out" },
	{ "r in\nw out", WRITES, "out" },
	{ "bx;:x;w out", WRITES, "out" },
	{ "w /dev/fd/0", WRITES, "/dev/fd/0" },
	{ "w /dev/stdin", WRITES, "/dev/stdin" },
	{ "w /dev/stdout ", WRITES, "/dev/stdout " },
	{ "e", EXECUTES, NULL },
	{ "1e date; id", EXECUTES, NULL },
	{ "s/a/b/e", EXECUTES, NULL },
	{ "s/a/b/gep", EXECUTES, NULL },
	{ "$!{$!N;s/^/x/e}", EXECUTES, NULL },
	{ "s/\\n/x/;e", EXECUTES, NULL },
};

static const struct row sed_unknown[] = {
	{ "k", UNKNOWN },
	{ "w", UNKNOWN },
	{ "p w out", UNKNOWN },
	{ "pw out", UNKNOWN },
	{ "{p}w out", UNKNOWN },
	{ "{p", UNKNOWN },
	{ "p}", UNKNOWN },
	{ "s/a/b", UNKNOWN },
	{ "s/a\nw out", UNKNOWN },
	{ "s/a/b/k", UNKNOWN },
	{ "s\na\nb\n", UNKNOWN },
	{ "s/[/]", UNKNOWN },
	{ "1,p", UNKNOWN },
	{ "+1p", UNKNOWN },
	{ "1!!p", UNKNOWN },
	{ "1}", UNKNOWN },
	{ "1:a", UNKNOWN },
	{ ":", UNKNOWN },
	{ "a", UNKNOWN },
	{ "a\nw out", UNKNOWN },
	{ "a\\ \nw out", UNKNOWN },           /* which form it is depends on the version */
	{ "a\\\\\nw out", UNKNOWN },          /* sed 4.9 ends the text here */
	{ "s/\\c\\/w out/;s/x/y/", UNKNOWN }, /* \cX is one escape since 4.9 */
	{ ":x#;w out", UNKNOWN },             /* sed 4.2 has # in labels */
	{ "p\r", UNKNOWN },
};

static const struct row awk_plain[] = {
	{ "", PLAIN }, { "{ print $1, $NF }", PLAIN }, { "{ if ($6 > max) max = $6 } END { print max }", PLAIN },
	{ "$3 > 5", PLAIN }, { "NR > 1 && $2 >= 3 { print }", PLAIN }, { "!seen[$0]++", PLAIN },
	{ "length > 80", PLAIN }, { "{ print $1 \" > \" $2 }", PLAIN }, { "{ print \"system(\" $1 \")\" }", PLAIN },
	{ "{ print \"a | b\" } # | \"cmd\"", PLAIN }, { "{ print (a > b), c }", PLAIN },
	{ "{ print a[b > c] }", PLAIN }, { "{ print(a > b ? a : b) }", PLAIN }, { "{ print\nx = a > b }", PLAIN },
	{ "{ print a; x = a > b }", PLAIN }, { "{ if (a) print a; else if (b > c) print b }", PLAIN },
	{ "{ print x > \"/dev/stderr\" }", PLAIN }, { "{ printf \"%s\\n\", x > \"/dev/stdout\"; n++ }", PLAIN },
	{ "{ print > \"/dev/null\" }", PLAIN }, { "{ print > \"/dev/fd/2\" }", PLAIN }, { "a || b { print }", PLAIN },
	{ "/a|b/ { gsub(/[|>]/, \"\") } 1", PLAIN }, { "{ sub(/[/]/, \"-\"); print }", PLAIN },
	{ "{ x = a / b; y = c / d; print x }", PLAIN }, { "{ x = a[1] / 2 / f(3) / $4 }", PLAIN },
	{ "{ n++ / 2 }", PLAIN }, { "/\\/>/ { print }", PLAIN }, { "$0 ~ /x>y/", PLAIN },
	{ "match($0, /took ([0-9]+)/, m) && m[1] > 90 { print m[1] }", PLAIN },
	{ "{ while ((getline line < \"file\") > 0) n++; close(\"file\") }", PLAIN },
	{ "function f(a, b) { return a > b } { print f(1, 2) }", PLAIN },
	{ "BEGIN { OFS = \",\"; while (i < 3) { i++ } }", PLAIN }, { "{ print a,\n\tb }", PLAIN },
	{ "{ print a \\\n b }", PLAIN }, { "BEGIN{for(;;)if(x>3)break}", PLAIN },
	{ "for_x == 1e5 || y == .5 || z == 0x1F", PLAIN }, { "$0 ~ @/re>/", PLAIN },
	{ "BEGIN { PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; print ENVIRON[\"HOME\"] }", PLAIN },
	{ "{ a = \"\\\"\" ; print \"x\\\\\" ; b = \" > \" }", PLAIN }, { "if (x) /y/", PLAIN },
	{ "{ (} ) \"", PLAIN }, /* no awk can act in it */
};

static const struct row awk_acts[] = {
	{ "{ print > \"out\" }", WRITES, "out" },
	{ "{ print>\"out\"}", WRITES, "out" },
	{ "{ print a, b >> \"out\"; x = 1 }", WRITES, "out" },
	{ "{ print (a > b) > \"out\" }", WRITES, "out" },
	{ "{ print(a)(b) > \"out\" }", WRITES, "out" },
	{ "{ printf(\"%s\", a) > \"out\" }", WRITES, "out" },
	{ "{ print > $1\".log\" }", WRITES, NULL },
	{ "{ print > \"a\" \"b\" }", WRITES, NULL },
	{ "{ print > (\"out\") }", WRITES, NULL },
	{ "{ print > \"a\\tb\" }", WRITES, NULL },
	{ "{ print $1 > 5 }", WRITES, NULL },
	{ "{ print a,\nb > \"out\" }", WRITES, "out" },
	{ "{ print a ||\nb > \"out\" }", WRITES, "out" },
	{ "{ print \\\n > \"out\" }", WRITES, "out" },
	{ "{ if (x) print > \"out\"; else print }", WRITES, "out" },
	{ "{ print > \"/dev/stderr\"; print > \"out\" }", WRITES, "out" },
	{ "{ print > \"/dev/stderr\" x }", WRITES, NULL },
	{ "{ print > \"/dev/fd/3\" }", WRITES, "/dev/fd/3" },
	{ "/a\\/b/ { print > \"out\" }", WRITES, "out" },
	{ "{ x = a / b; print > \"c/d\" }", WRITES, "c/d" },
	{ "{ x = \"\\\\\"; print > \"out\" }", WRITES, "out" },
	{ "#\n{ print > \"out\" }", WRITES, "out" },
	{ "{ print | \"sort\" }", EXECUTES, NULL },
	{ "{ print | \"cat 1>&2\" }", EXECUTES, NULL },
	{ "{ print |& \"cmd\" }", EXECUTES, NULL },
	{ "{ print | cmd }", EXECUTES, NULL },
	{ "BEGIN { \"date\" | getline d }", EXECUTES, NULL },
	{ "BEGIN { while ((\"ls\" | getline f) > 0) print f }", EXECUTES, NULL },
	{ "BEGIN { \"ls \" d | getline f }", EXECUTES, NULL },
	{ "BEGIN { \"cmd\" |& getline }", EXECUTES, NULL },
	{ "{ system(\"id\") }", EXECUTES, NULL },
	{ "{ system (\"rm \" $1) }", EXECUTES, NULL },
	{ "END { system(cmd) }", EXECUTES, NULL },
	{ "{ x = 1 / 2; system(\"id\"); y = 1 / 2 }", EXECUTES, NULL },
};

static const struct row awk_unknown[] = {
	{ "@load \"filefuncs\"", UNKNOWN },
	{ "@include \"inplace\"", UNKNOWN },
	{ "BEGIN { f = \"system\"; @f(\"id\") }", UNKNOWN },
	{ "BEGIN { awk::system(\"id\") }", UNKNOWN },
	{ "BEGIN { \"/inet/tcp/0/host/80\" |& getline }", UNKNOWN },
	{ "BEGIN { getline x < \"/inet/tcp/0/host/80\" }", UNKNOWN },
	{ "{ print > \"a }", UNKNOWN },
	{ "{ print > \"a\nb\" }", UNKNOWN },
	{ "/a > ", UNKNOWN },
	{ "{ a > b", UNKNOWN },
	{ "a > b }", UNKNOWN },
	{ "{ (a > b} )", UNKNOWN },
	{ "{ x = a >> b }", UNKNOWN },
	{ "{ 0xasystem(\"id\") }", UNKNOWN },                    /* mawk: 0xa system("id") */
	{ "/[/]/ { print > \"out\" }", UNKNOWN },                /* awks disagree on the end of the regex */
	{ "{ if (1) /x; system(\"id\"); y = 1 / 2 }", UNKNOWN }, /* mawk divides */
	{ "{ case /x; system(\"id\"); y = 1 / 2 }", UNKNOWN },   /* only gawk knows case */
	{ "{ getline /x; system(\"id\"); y = 1 / 2 }", UNKNOWN },
	{ "{ `id` > 1 }", UNKNOWN },
	{ "{ \xc3\xa9 > 1 }", UNKNOWN },
};

static const struct row perl_plain[] = {
	{ "print \"$F[-1] $F[0] $h{key} $h{-x} $F[$i] $h{$k} ${name}s\\n\"", PLAIN },
	{ "print if /^$x-[a-zA-Z0-9_]+$/ || /a$|b$/ || /(c$)/ || /[@x]/", PLAIN },
	{ "", PLAIN },
	{ "s/alpha/ALPHA/", PLAIN },
	{ "print length", PLAIN },
	{ "print if /-i/i", PLAIN },
	{ "say \"in-place: $_\" if /alpha/", PLAIN },
	{ "print unless $seen{$_}++", PLAIN },
	{ "BEGIN { $/ = \"\" } print if /x/", PLAIN },
	{ "print if 5..10", PLAIN },
	{ "print if /start/ ... /end/", PLAIN },
	{ "next unless /\\S/; last if $. > 10; print", PLAIN },
	{ "if (/a/) { print } elsif (/b/) { s/b/c/ } else { next }", PLAIN },
	{ "for my $i (0..$#F) { print $F[$i] if length $F[$i] > 3 }", PLAIN },
	{ "1 while s/^(\\d+)(\\d{3})/$1,$2/", PLAIN },
	{ "do { s/a/b/ } while /a/", PLAIN },
	{ "s|/usr|/opt|; s{a}{b}g; s#a#b#; s,a,b,; s/\\//-/; tr/a-z//cd; y/a/b/", PLAIN },
	{ "s/(\\w+)/\\u\\L$1/g; s/$ENV{HOME}/~/", PLAIN },
	{ "print \"a\\@b.c costs \\$5\\n\"", PLAIN },
	{ "print scalar reverse; print ucfirst lc; print reverse <>; print +(split)[1]", PLAIN },
	{ "print \"-\" x 20, \"=\"x3, \"\\n\"", PLAIN },
	{ "printf \"%s%s\", $_, eof ? \"\\n\" : \",\"", PLAIN },
	{ "my ($k, $v) = split /=/, $_, 2; print \"$k\\n\" if defined $v", PLAIN },
	{ "my $f = shift; $x = pop || 1", PLAIN },
	{ "print $F[1] / $F[2], $a / $b, (1) / 2, time / 60", PLAIN },
	{ "print $h{unlink}, $h{ system }; %h = (exec => 1, y => 2)", PLAIN },
	{ "$n = () = /x/g; ($x, $y) = ($y, $x); @h{@F} = ()", PLAIN },
	{ "local $, = \",\"; $| = 1; $\\ = \"\\n\"; $\" = \"-\"; print \"$&$1$+{name}$-[0]\"", PLAIN },
	{ "use strict; use warnings; print sum(@F), max @F", PLAIN },
	{ "print 'system(1) `id` @{[ exec ]}', q(unlink), qw(a b)", PLAIN },
	{ "print # system(1)\n1", PLAIN },
	{ "print \"\xe2\x82\xac\" if /\xc3\xa9/", PLAIN },
	{ "1. %y#1;system(1);#1#", PLAIN }, /* a number, modulo a transliteration */
	{ "exit 1 if /error/; die \"x\" unless /y/; warn \"z\"", PLAIN },
};

static const struct row perl_acts[] = {
	{ "system(\"id\")", EXECUTES, NULL },
	{ "system 'id -u';", EXECUTES, NULL },
	{ "system(\"rm $_\")", EXECUTES, NULL },
	{ "system(\"rm\", \"x\")", EXECUTES, NULL },
	{ "exec \"id\"", EXECUTES, NULL },
	{ "print `id`", EXECUTES, NULL },
	{ "print qx(id)", EXECUTES, NULL },
	{ "print $x / 2; system(1); $y = 1 / 2", EXECUTES, NULL },
	{ "print map { system($_) } 1", EXECUTES, NULL },
	{ "print $h{system(1)}", EXECUTES, NULL },
	{ "unlink \"x\"", WRITES, "x" },
	{ "chomp; unlink", WRITES, NULL },
	{ "rename $_, \"$_.bak\"", WRITES, NULL },
	{ "mkdir 'd'", WRITES, "d" },
};

static const struct row perl_unknown[] = {
	{ "s/x/`id`/e", UNKNOWN },
	{ "s/x/s,y,system(1),e/e", UNKNOWN },
	{ "open(F, '>', 'out'); print F $_", UNKNOWN },
	{ "open(F, '>>out')", UNKNOWN },
	{ "open(F, '|cmd')", UNKNOWN },
	/* harmless, and not followed: references, code in s///e, the block around the program, file handles,
	 * labels, for (;;), file tests, // behind a function, computed subscripts in strings, quotes that nest or that
	 * mean something, modules, @ARGV */
	{ "s{a} {b}", UNKNOWN },
	{ "s?a?b?", UNKNOWN },
	{ "m'$x[system 1]'", UNKNOWN },
	{ "print $h{-x}", UNKNOWN },
	{ "use List::Util qw(sum)", UNKNOWN },
	{ "use if 1, \"lib\", \".\"", UNKNOWN },
	{ "next LINE if /^#/", UNKNOWN },
	{ "for ($i = 0; $i < 3; $i++) { print $i }", UNKNOWN },
	{ "my $x = shift // 3; my $f = shift @ARGV; $x = pop || 1", UNKNOWN },
	{ "print $h{unlink}, $h{-x}, $h{ system }; %h = (exec => 1, y => 2, -s => 3)", UNKNOWN },
	{ "print -s $_ ? \"big\" : \"small\" if -f", UNKNOWN },
	{ "print \"@F[0..2] $F[-1] $h{key} $h{'a b'} $h{$k} ${name}s\\n\"", UNKNOWN },
	{ "open my $f, \"<\", \"a.txt\"; print <$f>", UNKNOWN },
	{ "open(my $f, '<', 'a.txt') or die; while (<$f>) { print if /x/ }", UNKNOWN },
	{ "open my $f, '<:encoding(UTF-8)', 'a' or die $!; print while <$f>", UNKNOWN },
	{ "print \"$ARGV:$.:$_\" if /TODO/; close ARGV if eof", UNKNOWN },
	{ "printf STDERR \"%d\\n\", $.; print STDOUT $_; print(STDERR \"x\")", UNKNOWN },
	{ "$s += $F[1]; }{ print $s", UNKNOWN },
	{ "$n++ } END { print $n", UNKNOWN },
	{ "s/(\\d+)/$1 + 1/ge", UNKNOWN },
	{ "s/(\\d+)/sprintf(\"%03d\", $1)/e", UNKNOWN },
	{ "s/(a)/my $x = $1; $x =~ s,a,uc $x,e; $x/e", UNKNOWN },
	{ "print \"@F[0..2] $F[-1] $h{key} $h{'a b'} $h{$k}{x} $x->{y}[0] @{$h{$k}} ${name}s $#F\\n\"", UNKNOWN },
	{ "print map { $_->[0] } sort { $a->[1] <=> $b->[1] } map { [$_, length] } <>", UNKNOWN },
	{ "binmode(STDOUT, \":utf8\"); print", UNKNOWN },
	{ "use strict; for my $r (@x) { push @$r, $$r[0], $r->{a}{b}, @{$r->{c}} }", UNKNOWN },
	{ "push @{$h{$1}}, $2 if /(\\w+) (\\w+)/; END { print \"$_: @{$h{$_}}\\n\" for sort keys %h }", UNKNOWN },
	{ "$h{$F[0]}{$F[1]}++; END { for my $k (keys %h) { print \"$k $h{$k}{$_}\" for keys %{$h{$k}} } }", UNKNOWN },
	{ "print qq'@{[system 1]}'", UNKNOWN }, /* qq interpolates, whatever its delimiter */
	/* handles, code and names that are not on the list */
	{ "open(F, '<', 'in')", UNKNOWN },
	{ "print F $_", UNKNOWN },
	{ "print {$fh} $_", UNKNOWN },
	{ "print $fh $_", UNKNOWN },
	{ "print $fh /x; system(1); /", UNKNOWN },
	{ "print $.\n-s/1/;system(1);/ >", UNKNOWN },
	{ "foo(1)", UNKNOWN },
	{ "sub f { 1 }", UNKNOWN },
	{ "&f", UNKNOWN },
	{ "&$x(1)", UNKNOWN },
	{ "$x->method", UNKNOWN },
	{ "$x->(1)", UNKNOWN },
	{ "$h{x}(1)", UNKNOWN },
	{ "eval $_", UNKNOWN },
	{ "do \"file\"", UNKNOWN },
	{ "require Foo", UNKNOWN },
	{ "use lib \".\"", UNKNOWN },
	{ "use re 'eval'; 1", UNKNOWN },
	{ "no strict; 1", UNKNOWN },
	{ "<$fh >", UNKNOWN },
	{ "<$h{a}>", UNKNOWN },
	{ "open my $f, \"<\", $x", UNKNOWN },
	{ "open my $f, \"<$x\", \"f\"", UNKNOWN },
	{ "open my $f, '<:via(X)', 'f'", UNKNOWN },
	{ "open my $f, '<'", UNKNOWN },
	{ "open my $f, \"<\", \"@{[system 1]}\"", UNKNOWN },
	{ "<*.c>", UNKNOWN },
	{ "*STDOUT = 1", UNKNOWN },
	{ "CORE::system(1)", UNKNOWN },
	{ "format STDOUT =\n.\n", UNKNOWN },
	{ "binmode(STDOUT, \":via(Foo)\")", UNKNOWN },
	{ "#!/bin/sh -c id", UNKNOWN }, /* perl runs it */
	{ "1;\n=pod\n\"\n=cut\n;system(1);#\"", UNKNOWN },
	{ "print <<A;\nx\nA\n", UNKNOWN },
	{ "__END__\n", UNKNOWN },
	/* variables that decide what is opened and run */
	{ "BEGIN { $^I = \".bak\" }", UNKNOWN },
	{ "@ARGV = (\"id|\")", UNKNOWN },
	{ "push @ARGV, \"id|\"", UNKNOWN },
	{ "$ARGV[0] = \"id|\"", UNKNOWN },
	{ "$_ = \"id|\" for @ARGV", UNKNOWN },
	{ "for ($ARGV # c\n[0]) { $_ = \"id|\" }", UNKNOWN },
	{ "$SIG{ALRM} = 1", UNKNOWN },
	{ "$ENV{PATH} = \".\"", UNKNOWN },
	{ "%ENV = ()", UNKNOWN },
	{ "$0 = \"x\"", UNKNOWN },
	{ "@::ARGV", UNKNOWN },
	{ "$main'x", UNKNOWN },
	/* references that may be names */
	{ "$x = \"ARGV\"; push @$x, \"id|\"", UNKNOWN },
	{ "@{\"ARGV\"} = \"id|\"", UNKNOWN },
	{ "$h{a} = \"SIG\"; $h{a}{__WARN__} = \"CORE::mkdir\"; warn \"x\"", UNKNOWN },
	{ "$_ = \"SIG\" for $h{a}; $h{a}{__WARN__} = 1", UNKNOWN },
	{ "$h{a}{b} = \"SIG\"; $h{a}{b}{c} = 1", UNKNOWN },
	{ "$F[0][0] = \"id|\"", UNKNOWN },
	{ "push @{$F[0]}, \"id|\"", UNKNOWN },
	{ "$x->[0] = 1", UNKNOWN },
	{ "\"\" . $x->[0] =~ s/^/id|/", UNKNOWN },
	{ "use strict; }{ push @$x, \"id|\"", UNKNOWN }, /* the second block is not strict */
	/* code in strings and patterns */
	{ "print \"@{[ system 1 ]}\"", UNKNOWN },
	{ "print \"${\\ system 1}\"", UNKNOWN },
	{ "print \"$x[system 1]\"", UNKNOWN },
	{ "print \"$h{system 1}\"", UNKNOWN },
	{ "print \"$x[unlink]\"", UNKNOWN },
	{ "print \"$x->@[system 1]\"", UNKNOWN },
	{ "print \"$a'b[system 1]\"", UNKNOWN },
	{ "print \"@'b[system 1]\"", UNKNOWN },
	{ "print \"$::b[system 1]\"", UNKNOWN },
	{ "print \"\\c\\$x[system 1]\"", UNKNOWN },
	{ "print qq{@\\{[system 1]\\}}", UNKNOWN },
	{ "s@a@\\@{[system 1]}@", UNKNOWN },
	{ "/(?{system 1})/", UNKNOWN },
	{ "/(??{system 1})/", UNKNOWN },
	{ "m'(?{system 1})'", UNKNOWN },
	{ "m?(\\?{system 1})?", UNKNOWN },
	{ "/$x[system 1]/", UNKNOWN },
	{ "s/x/\"system 1\"/ee", UNKNOWN },
	/* where perl must guess, or reads what follows by what it knows */
	{ "next LINE /1;system(1);/ /", UNKNOWN }, /* a division: the label is the argument */
	{ "say /1; system(1) /", UNKNOWN },
	{ "max /1; system(1) /", UNKNOWN },
	{ "map {\"a\"=>1} /1; system(1) /", UNKNOWN },
	{ "map {\"a\"=>1} %s#a#system(1)#e, 1", UNKNOWN },
	{ "eof ? 1;system(1); ? 2", UNKNOWN },
	{ "my $x :s#a\n;system(1);\n#;#e", UNKNOWN },
	{ "print \"a\" \"b\"", UNKNOWN },
	{ "print (", UNKNOWN },
	{ "print \"", UNKNOWN },
	{ "} } {", UNKNOWN },
};

TEST(filter_sed_plain)
{
	check_rows(zs_filter_sed, sed_plain, COUNT(sed_plain));
}
TEST(filter_sed_acts)
{
	check_rows(zs_filter_sed, sed_acts, COUNT(sed_acts));
}
TEST(filter_sed_unknown)
{
	check_rows(zs_filter_sed, sed_unknown, COUNT(sed_unknown));
}
TEST(filter_awk_plain)
{
	check_rows(zs_filter_awk, awk_plain, COUNT(awk_plain));
}
TEST(filter_awk_acts)
{
	check_rows(zs_filter_awk, awk_acts, COUNT(awk_acts));
}
TEST(filter_awk_unknown)
{
	check_rows(zs_filter_awk, awk_unknown, COUNT(awk_unknown));
}
TEST(filter_perl_plain)
{
	check_rows(zs_filter_perl, perl_plain, COUNT(perl_plain));
}
TEST(filter_perl_acts)
{
	check_rows(zs_filter_perl, perl_acts, COUNT(perl_acts));
}
TEST(filter_perl_unknown)
{
	check_rows(zs_filter_perl, perl_unknown, COUNT(perl_unknown));
}

/* `count` times open, "1", `count` times close. */
static enum zs_filter_effect nested(reader *read, const char *open, const char *close, size_t count)
{
	char text[1024];
	size_t len = 0;

	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s", open);
	len += (size_t)snprintf(text + len, sizeof(text) - len, "1");
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s", close);
	return read(text, len).effect;
}

TEST(filter_depth_limits)
{
	CHECK(nested(zs_filter_awk, "(a>", ")", 63) == ZS_FILTER_PLAIN, "63 parentheses");
	CHECK(nested(zs_filter_awk, "(a>", ")", 64) == ZS_FILTER_UNKNOWN, "64 parentheses");
	CHECK(nested(zs_filter_perl, "(", ")", 63) == ZS_FILTER_PLAIN, "63 parentheses");
	CHECK(nested(zs_filter_perl, "(", ")", 64) == ZS_FILTER_UNKNOWN, "64 parentheses");
}

/* A reader looks at no byte after len: every prefix of every row, in a buffer that ends there. */
TEST(filter_reads_within_bounds)
{
	static const struct {
		reader *read;
		const struct row *rows;
		size_t count;
	} tables[] = {
		{ zs_filter_sed, sed_plain, COUNT(sed_plain) },
		{ zs_filter_sed, sed_acts, COUNT(sed_acts) },
		{ zs_filter_awk, awk_plain, COUNT(awk_plain) },
		{ zs_filter_awk, awk_acts, COUNT(awk_acts) },
		{ zs_filter_perl, perl_plain, COUNT(perl_plain) },
		{ zs_filter_perl, perl_acts, COUNT(perl_acts) },
		{ zs_filter_perl, perl_unknown, COUNT(perl_unknown) },
	};

	for (size_t i = 0; i < COUNT(tables); i++) {
		for (size_t j = 0; j < tables[i].count; j++) {
			const char *program = tables[i].rows[j].program;
			for (size_t len = 0; len <= strlen(program); len++) {
				char text[256];
				struct zs_filter got, again;

				memset(text, '\'', sizeof(text));
				memcpy(text, program, len);
				got = tables[i].read(text, len);
				memset(text + len, ']', sizeof(text) - len);
				again = tables[i].read(text, len);
				CHECK(got.effect == again.effect && got.at == again.at, "%.*s", (int)len, program);
			}
		}
	}
}
