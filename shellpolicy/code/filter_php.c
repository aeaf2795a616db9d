/* PHP code that only looks: functions and constants of a list, variables, and properties that are read. Text can name a
 * function ('system'('x'), array_map('system', …)), so nothing but a name of the list is called, and functions that
 * take callbacks are not in it. Written from the PHP manual.
 */
#include "code/code_judge.h"

static const char keywords[] =
	"echo print if else elseif foreach for while as and or xor true false null TRUE FALSE NULL isset empty exit "
	"die array list break continue switch case default endif endforeach endwhile endfor";

static const char constants[] =
	"PHP_VERSION PHP_VERSION_ID PHP_MAJOR_VERSION PHP_MINOR_VERSION PHP_OS PHP_OS_FAMILY PHP_EOL PHP_INT_MAX "
	"PHP_INT_SIZE PHP_BINARY PHP_SAPI PHP_EXTENSION_DIR PHP_RELEASE_VERSION PHP_DEBUG PHP_ZTS DIRECTORY_SEPARATOR "
	"PATH_SEPARATOR JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE JSON_THROW_ON_ERROR "
	"JSON_ERROR_NONE M_PI M_E E_ALL STDIN OPENSSL_VERSION_TEXT SORT_STRING COUNT_RECURSIVE FILE_IGNORE_NEW_LINES "
	"FILE_SKIP_EMPTY_LINES __DIR__";

static const char functions[] =
	"phpversion php_uname php_sapi_name php_ini_loaded_file php_ini_scanned_files extension_loaded "
	"get_loaded_extensions function_exists class_exists method_exists defined ini_get zend_version "
	"sys_get_temp_dir memory_get_usage memory_get_peak_usage getmypid getcwd get_include_path version_compare "
	"json_encode json_decode json_last_error json_last_error_msg var_dump print_r var_export printf sprintf "
	"number_format strlen strtoupper strtolower ucfirst lcfirst ucwords trim ltrim rtrim str_replace str_repeat "
	"str_pad str_split str_contains str_starts_with str_ends_with strpos stripos strrpos substr substr_count "
	"strrev strcmp strcasecmp strstr explode implode join nl2br wordwrap htmlspecialchars md5 sha1 crc32 hash "
	"hash_algos base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode rawurldecode "
	"parse_url http_build_query preg_match preg_match_all preg_split preg_quote mb_strlen mb_substr mb_strtoupper "
	"mb_strtolower mb_detect_encoding ord chr dechex hexdec bindec decbin octdec intval floatval strval boolval "
	"is_array is_string is_int is_numeric is_null is_bool is_float is_object gettype count sizeof array_keys "
	"array_values array_merge array_sum array_product array_slice array_reverse array_unique array_flip "
	"array_combine array_fill array_column array_search array_key_exists array_key_first array_key_last "
	"array_diff array_intersect array_chunk in_array range sort rsort asort arsort ksort krsort max min abs floor "
	"ceil round sqrt pow intdiv fmod rand mt_rand random_int pi log exp sin cos tan time microtime date gmdate "
	"mktime strtotime checkdate date_default_timezone_get hrtime usleep sleep basename dirname pathinfo getenv "
	"stream_get_contents fgets";

/* With one literal path, which is no address: php://filter and phar:// do more than reading. */
static const char readers[] =
	"file_get_contents file file_exists is_file is_dir is_readable filesize filemtime scandir realpath md5_file "
	"sha1_file parse_ini_file";

static const struct code_syntax syntax = {
	.signs = "<=> **= ... === !== <<= >>= ?\?= && || ?? => == != <> <= >= ++ -- += -= *= /= %= .= |= &= ^= -> << "
		 ">> ** + - * / % = "
		 "< > ! & | ^ ~ ? : , ; .",
	.first = "$",
	.last = "",
	.number_end = "",
	.quotes = "'\"",
	.templates = "",
	.field = "\n",
	.refused = "\r ?> <? <<< #[", /* out of PHP and back, here-documents, attributes */
	.hash_comments = true,
	.slash_comments = true,
	.raw_quotes = true,
};

static bool is_path(const struct code_text *php, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(php, token, &len);

	return text &&
	       (zs_code_listed(text, len, "php://stdin") || (!memchr(text, ':', len) && !memchr(text, '$', len)));
}

/* "$x" reads a variable; "{$x->f()}" and "${x}" are code. */
static bool check_string(struct code_text *php, size_t at)
{
	const char *text = php->text + php->tokens[at].start;
	size_t len = php->tokens[at].len;

	if (zs_code_is(php, at + 1, "(") || zs_code_is(php, at + 1, "["))
		return zs_code_unknown(php, at, at + 1); /* 'system'(…) */
	if (*text != '"')
		return true;
	for (size_t i = 0; i + 1 < len; i++) {
		if (text[i] == '\\')
			i++;
		else if ((text[i] == '{' && text[i + 1] == '$') || (text[i] == '$' && text[i + 1] == '{'))
			return false;
	}
	return true;
}

static bool php_check_name(struct code_text *php, size_t at)
{
	const char *text = php->text + php->tokens[at].start;

	if (*text == '$') {
		if (zs_code_in(php, at + 1, "( ::") || zs_code_is(php, at - 1, "->") ||
			zs_code_in(php, at, "$this $GLOBALS"))
			return zs_code_unknown(php, at, at + 1);
		return true;
	}
	/* a property, which is read */
	if (zs_code_is(php, at - 1, "->"))
		return !zs_code_in(php, at + 1, "( = += -= .= *= /= ++ --") || zs_code_unknown(php, at - 1, at + 1);
	if (zs_code_is(php, at + 1, "(")) {
		if (zs_code_in(php, at,
			    "isset empty exit die array list if elseif foreach for while switch echo print and or xor"))
			return true;
		if (zs_code_in(php, at, readers))
			return (is_path(php, at + 2) && zs_code_is(php, at + 3, ")")) ||
			       zs_code_unknown(php, at, at + 2);
		return zs_code_in(php, at, functions) || zs_code_unknown(php, at, at + 1);
	}
	return zs_code_in(php, at, keywords) || zs_code_in(php, at, constants);
}

static bool php_check_token(struct code_text *php, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	enum code_kind kind = code_kind(php, at);
	bool known = true;

	(void)ret_last;
	if (kind == CODE_NAME)
		return php_check_name(php, at);
	if (kind == CODE_STRING)
		return check_string(php, at);
	if (kind == CODE_CLOSE && zs_code_is(php, at + 1, "("))
		known = zs_code_is(php, at, ")") &&
			zs_code_in(php, php->tokens[at].mate - (size_t)1, "if while for foreach");
	if (kind == CODE_SIGN) /* $x->{…}, ->$y; a reference */
		known = !(zs_code_is(php, at, "->") && code_kind(php, at + 1) != CODE_NAME) &&
			!(zs_code_is(php, at, "?") && zs_code_in(php, at + 1, "-> >"));
	return known || zs_code_unknown(php, at, at + 1);
}

struct zs_filter zs_filter_php(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, NULL, php_check_token);
}
