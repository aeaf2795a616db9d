/* Ruby code that only looks. In ruby any name may be a method, and a method may do anything. So every name, and every
 * method after a point, must be in a list here or be a variable of the program. Constants are classes and modules; a
 * row lists those of their methods that may be called. A program is refused where ruby's lexer must know the meaning of
 * a name (puts /x/, puts %w[a], puts <<X, p ?a), and where it calls a method by a computed name (send, method, &x,
 * reduce(:name)).
 *
 * Written from the reference of ruby 3.3.
 */
#include "code/code_judge.h"

/* Methods of Kernel and Object. A use of such a name may call the method, before the variable of that name is assigned.
 */
static const char denied[] =
	"system exec eval fork spawn load open require require_relative send __send__ public_send binding method "
	"public_method singleton_method instance_eval instance_exec test trap syscall select at_exit autoload "
	"autoload? callcc catch throw define_method define_singleton_method set_trace_func trace_var untrace_var "
	"readline readlines caller caller_locations global_variables local_variables instance_variable_get "
	"instance_variable_set instance_variables singleton_methods singleton_class extend include freeze dup clone "
	"tap then yield_self itself display inspect to_s hash class methods object_id gem j jj y iterator lambda fail "
	"self super yield alias undef def module redo retry to_enum enum_for using private public refine attr "
	"attr_accessor define_finalizer it";

static const char methods[] =
	"each each_with_index each_with_object each_line each_char each_byte each_key each_value each_pair each_slice "
	"each_cons each_index map flat_map collect filter_map select filter reject find detect find_index index "
	"rindex partition group_by chunk_while slice_when tally zip sort sort_by sort! min max min_by max_by minmax "
	"sum count size length first last take drop take_while drop_while uniq compact flatten reverse rotate shuffle "
	"sample include? member? any? all? none? one? empty? nil? zero? positive? negative? even? odd? key? has_key? "
	"value? has_value? keys values values_at fetch dig key merge merge! update to_a to_h to_s to_i to_f to_r to_c "
	"to_str to_json inspect invert transform_values transform_keys push pop shift unshift append prepend concat "
	"insert delete delete_if delete_at clear join split lines chars bytes strip lstrip rstrip chomp chop chomp! "
	"strip! upcase downcase capitalize swapcase upcase! downcase! sub gsub sub! gsub! tr delete_prefix "
	"delete_suffix squeeze center ljust rjust start_with? end_with? match match? scan =~ captures named_captures "
	"pre_match post_match begin slice ord chr hex oct succ next times upto downto step abs ceil floor round "
	"truncate divmod fdiv pow gcd lcm digits bit_length clamp between? is_a? kind_of? instance_of? respond_to? "
	"equal? eql? freeze frozen? dup hash encoding encode force_encoding valid_encoding? unicode_normalize "
	"bytesize codepoints unpack1 format message backtrace full_message read readline readlines gets eof? getc "
	"lineno with_index with_object lazy force to_set add subset? superset? year month day hour min sec wday yday "
	"strftime iso8601 to_date to_time usec nsec zone utc localtime mtime ctime atime mode uid gid file? "
	"directory? symlink? version name full_name summary homepage license licenses dependencies requirement "
	"prerelease? segments bump call hexdigest tally_by each_entry product combination permutation transpose cycle "
	"each_child children ljust sum step compare_by_identity itself compact! uniq! reject! select! map! flatten! "
	"reverse! then tap sync flush host port path query scheme fragment";

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* clang-format off */
static const char members[] =
	ZS_CODE_ENTRY("$stderr", "puts print write flush")
	ZS_CODE_ENTRY("$stdout", "puts print write flush tty?")
	ZS_CODE_ENTRY("ARGF", "read each_line readlines gets")
	ZS_CODE_ENTRY("Array", "new")
	ZS_CODE_ENTRY("Base64", "encode64 decode64 strict_encode64 strict_decode64 urlsafe_encode64 urlsafe_decode64")
	ZS_CODE_ENTRY("Date", "today parse new valid_date?")
	ZS_CODE_ENTRY("DateTime", "now parse")
	ZS_CODE_ENTRY("Digest.MD5", "hexdigest")
	ZS_CODE_ENTRY("Digest.SHA1", "hexdigest")
	ZS_CODE_ENTRY("Digest.SHA256", "hexdigest")
	ZS_CODE_ENTRY("Dir", "glob entries exist? children pwd empty? home")
	ZS_CODE_ENTRY("ENV", "fetch key? to_h keys values map each select sort dig include? has_key?")
	ZS_CODE_ENTRY("Encoding", "default_external default_internal")
	ZS_CODE_ENTRY("Errno", "ENOENT EACCES")
	ZS_CODE_ENTRY("Etc", "nprocessors getlogin")
	ZS_CODE_ENTRY("File",
		"read! readlines! foreach! exist? file? directory? size size? zero? empty? basename dirname extname "
		"join expand_path absolute_path mtime readable? writable? executable? symlink? stat ftype realpath "
		"readlink")
	ZS_CODE_ENTRY("Float", "INFINITY")
	ZS_CODE_ENTRY("Gem", "ruby_version loaded_specs path platforms rubygems_version")
	ZS_CODE_ENTRY("Gem.Specification", "find_by_name map each")
	ZS_CODE_ENTRY("Gem.Version", "new")
	ZS_CODE_ENTRY("Hash", "new")
	ZS_CODE_ENTRY("Integer", "sqrt")
	ZS_CODE_ENTRY("JSON", "parse! generate pretty_generate ParserError")
	ZS_CODE_ENTRY("Math", "sqrt cbrt log log2 log10 sin cos tan exp hypot E PI")
	ZS_CODE_ENTRY("Process", "pid clock_gettime CLOCK_MONOTONIC")
	ZS_CODE_ENTRY("Psych", "safe_load load_file! safe_load_file SyntaxError")
	ZS_CODE_ENTRY("Rails", "version env")
	ZS_CODE_ENTRY("RbConfig", "ruby CONFIG")
	ZS_CODE_ENTRY("STDERR", "puts print flush")
	ZS_CODE_ENTRY("STDIN", "read each_line readlines gets tty?")
	ZS_CODE_ENTRY("STDOUT", "puts print flush tty? write")
	ZS_CODE_ENTRY("SecureRandom", "hex uuid alphanumeric random_number")
	ZS_CODE_ENTRY("Set", "new")
	ZS_CODE_ENTRY("String", "new")
	ZS_CODE_ENTRY("Time", "now at parse")
	ZS_CODE_ENTRY("URI", "parse encode_www_form decode_www_form_component encode_www_form_component")
	ZS_CODE_ENTRY("YAML", "safe_load load_file! safe_load_file");
/* clang-format on */

static bool ruby_is_blank(const struct code_text *r, size_t pos)
{
	return pos >= r->len || is_one_of((unsigned char)r->text[pos], " \t\n");
}

static bool ruby_bind_token(struct code_text *r, size_t i)
{
	size_t first = i;
	bool block = zs_code_is(r, i, "|") && zs_code_in(r, i - 1, "{ do"); /* { |a, b| and do |a| */

	if (block || zs_code_is(r, i, "for")) {
		first = zs_code_find(r, i + 1, r->count, block ? "|" : "in");
		return first < r->count ? zs_code_bind_names(r, i + 1, first) : zs_code_unknown(r, i, i);
	}
	if (zs_code_is(r, i, "->") && zs_code_is(r, i + 1, "("))
		return zs_code_bind_names(r, i + 2, code_mate(r, i + 1));
	if (zs_code_is(r, i, "=>") && (zs_code_is(r, i - 1, "rescue") || (i > 2 && zs_code_is(r, i - 2, "rescue"))))
		return zs_code_bind_names(r, i + 1, i + 2);
	if (code_kind(r, i) != CODE_NAME || !zs_code_in(r, i + 1, r->language->assigns) ||
		zs_code_in(r, i - 1, r->language->points))
		return true;
	if (is_one_of(code_sigil(r, i), "$" CAPITALS))
		return zs_code_unknown(r, i, i);
	/* a, b = … */
	while (zs_code_is(r, first - 1, ",") && code_kind(r, first - 2) == CODE_NAME)
		first -= 2;
	return zs_code_bind_names(r, first, i + 1);
}

/* Are the arguments (x), or (x, symbolize_names: true)? Other options open a file to write, or make objects of any
 * class. */
static bool ruby_reads(struct code_text *r, size_t open)
{
	size_t end = code_mate(r, open), comma = zs_code_find(r, open + 1, end, ",");

	if (r->tokens[open].spaced || zs_code_in(r, open + 1, "* ** & {") || zs_code_in(r, open + 2, ": =>"))
		return false;
	return comma == end ||
	       (zs_code_is(r, comma + 1, "symbolize_names") && zs_code_is(r, comma + 2, ":") && comma + 4 == end);
}

/* Allows the version of a library that the program requires. */
static bool ruby_check_rest(struct code_text *r, const char *path, struct code_place place)
{
	(void)path;
	return zs_code_in(r, place.last, "VERSION STRING") && zs_code_is(r, place.last - 1, "::") &&
	       !zs_code_is(r, place.last + 1, "(");
}

/* reduce(:+), reduce(0) { … } */
static bool reduces_plainly(struct code_text *r, size_t open)
{
	if (!zs_code_is(r, open, "("))
		return zs_code_in(r, open, "{ do");
	for (size_t i = open + 1; i < code_mate(r, open); i++)
		if (code_kind(r, i) != CODE_NUMBER && !zs_code_in(r, i, ": , + * - & | ^"))
			return false;
	return true;
}

static bool check_method(struct code_text *r, size_t at)
{
	if (zs_code_is(r, at, "class"))
		return zs_code_is(r, at + 1, ".") && zs_code_in(r, at + 2, "name to_s");
	if (zs_code_in(r, at, "reduce inject"))
		return reduces_plainly(r, at + 1) || zs_code_unknown(r, at - 1, at + 1);
	return zs_code_in(r, at, methods) && !zs_code_is(r, at + 1, "=");
}

static bool check_require(struct code_text *r, size_t at)
{
	size_t string = at + 1 + zs_code_is(r, at + 1, "("), to = r->tokens[string].start + (size_t)1;

	while (is_word(code_at(r, to)) || is_one_of(code_at(r, to), "/.-"))
		to++;
	return ((code_kind(r, string) == CODE_STRING || code_kind(r, string) == CODE_TEMPLATE) &&
		       code_at(r, to) == code_sigil(r, string)) ||
	       zs_code_unknown(r, at, string);
}

static bool ruby_check_name(struct code_text *r, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len;
	const char *text = code_name(r, at, &len);
	char path[CODE_PATH] = "";

	if (zs_code_in(r, at - 1, ". &."))
		return check_method(r, at);
	if (zs_code_is(r, at - 1, "::"))
		return false;
	/* :name does not call anything */
	if (zs_code_is(r, at - 1, ":") && !r->tokens[at].spaced &&
		(r->tokens[at - 1].spaced || zs_code_in(r, at - 2, "( [ { , &"))) {
		if (zs_code_is(r, at - 2, "&") && !zs_code_in(r, at, methods))
			return zs_code_unknown(r, at - 2, at);
		return zs_code_in(r, at + 1, ") ] } , ; . => == | && ||") || code_kind(r, at + 1) == CODE_NEWLINE ||
		       code_kind(r, at + 1) == CODE_END || zs_code_unknown(r, at - 1, at + 1);
	}
	/* name: value */
	if (zs_code_is(r, at + 1, ":") && !r->tokens[at + 1].spaced && r->tokens[at + 2].spaced &&
		zs_code_in(r, at - 1, "( , {"))
		return true;
	if (zs_code_in(r, at, "require require_relative"))
		return check_require(r, at);
	if (is_one_of(code_sigil(r, at), CAPITALS) && zs_code_in(r, at + 1, r->language->points) && len < CODE_PATH &&
		!zs_code_use(r->language->globals, text, len)) {
		memcpy(path, text, len);
		return zs_code_follow(r, path, 0, place, ret_last);
	}
	return zs_code_is_keyword(r, at) || (zs_code_is(r, at, "Dir") && zs_code_is(r, at + 1, "[")) ||
	       zs_code_check_name(r, place, ret_last);
}

/* Refuses signs that begin a literal where ruby expects an operand: %w[a] <<X ?a. There & would make a block of the
 * operand. */
static bool ruby_check_sign(struct code_text *r, size_t at)
{
	bool tight = r->tokens[at].spaced && !ruby_is_blank(r, r->tokens[at].start + r->tokens[at].len);

	return !zs_code_in(r, at, "& % << ? %=") ||
	       ((zs_code_ends_operand(r, at - 1) || zs_code_is(r, at - 1, "}")) && !tight) ||
	       (zs_code_is(r, at, "&") && zs_code_is(r, at + 1, ":") &&
		       (code_kind(r, at + 2) == CODE_NAME || code_kind(r, at + 2) == CODE_SIGN)) ||
	       zs_code_unknown(r, at, at + 1);
}

static bool ruby_check_token(struct code_text *r, struct code_place place, size_t *ret_last)
{
	if (code_kind(r, place.first) == CODE_NAME)
		return ruby_check_name(r, place, ret_last);
	return code_kind(r, place.first) != CODE_SIGN || ruby_check_sign(r, place.first);
}

static const struct code_language ruby = {
	.signs = "**= <=> === ... <<= >>= &&= ||= && || => == != >= <= =~ !~ -> += -= *= /= %= |= &= .. :: &. "
		 "<< >> ** + - * / % = < > ! & | ^ ~ ? : , ; .",
	.first = "@$",
	.last = "?!",
	.quotes = "'",
	.templates = "\"",
	.field = "#{",
	.refused = "\r __END__ =begin",
	.hash_comments = true,
	.newlines = true,
	.in_brackets = true,
	.wants = "if elsif else unless while until do case when then and or not in begin rescue ensure return",
	.doubtful = "} . &. :: ? : |",
	.keywords = "if elsif else unless while until do end case when then and or not in nil true false begin rescue "
		    "ensure return next break for",
	.operands = "nil true false end",
	.globals = "puts print p pp printf format sprintf Integer Float String Array exit rand srand sleep gets loop "
		   "raise lambda proc warn putc abort $stdin $stdout $stderr $_ $PROGRAM_NAME ARGV ENV Hash Set "
		   "NilClass Rational Symbol RUBY_COPYRIGHT RUBY_DESCRIPTION RUBY_ENGINE RUBY_ENGINE_VERSION "
		   "RUBY_PATCHLEVEL RUBY_PLATFORM RUBY_RELEASE_DATE RUBY_VERSION StandardError LoadError "
		   "ArgumentError TypeError NameError NoMethodError RuntimeError IOError KeyError IndexError "
		   "RangeError ZeroDivisionError Exception SystemExit StopIteration NotImplementedError EOFError",
	.denied = denied,
	.members = members,
	.global_members = true,
	.points = ". &. ::",
	.assigns = "= += -= *= /= %= |= &= ||= &&= **= <<=",
	.bind = ruby_bind_token,
	.check = ruby_check_token,
	.reads = ruby_reads,
	.check_rest = ruby_check_rest,
};

struct zs_filter zs_filter_ruby(const char *program, size_t len)
{
	return zs_code_judge(program, len, &ruby);
}
