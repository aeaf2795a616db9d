/* PHP code that only looks: functions and constants of a list, variables, and properties that are read. A string can
 * name a function ('system'('x'), array_map('system', …)). So a program may only call names of the list, and the list
 * has no function that takes a callback. It follows the PHP manual.
 */
#include "code/code_judge.h"

static const char keywords[] =
	"echo print if else elseif foreach for while as and or xor true false null TRUE FALSE NULL isset empty exit "
	"die array list break continue switch case default endif endforeach endwhile endfor";

/* Functions and constants. A `!` marks functions that read one literal path. */
static const char globals[] =
	"PHP_VERSION PHP_VERSION_ID PHP_MAJOR_VERSION PHP_MINOR_VERSION PHP_OS PHP_OS_FAMILY PHP_EOL PHP_INT_MAX "
	"PHP_INT_SIZE PHP_BINARY PHP_SAPI PHP_EXTENSION_DIR PHP_RELEASE_VERSION PHP_DEBUG PHP_ZTS DIRECTORY_SEPARATOR "
	"PATH_SEPARATOR JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE JSON_THROW_ON_ERROR "
	"JSON_ERROR_NONE M_PI M_E E_ALL STDIN OPENSSL_VERSION_TEXT SORT_STRING COUNT_RECURSIVE FILE_IGNORE_NEW_LINES "
	"FILE_SKIP_EMPTY_LINES __DIR__ phpversion php_uname php_sapi_name php_ini_loaded_file php_ini_scanned_files "
	"extension_loaded get_loaded_extensions function_exists class_exists method_exists defined ini_get "
	"zend_version sys_get_temp_dir memory_get_usage memory_get_peak_usage getmypid getcwd get_include_path "
	"version_compare json_encode json_decode json_last_error json_last_error_msg var_dump print_r var_export "
	"printf sprintf number_format strlen strtoupper strtolower ucfirst lcfirst ucwords trim ltrim rtrim "
	"str_replace str_repeat str_pad str_split str_contains str_starts_with str_ends_with strpos stripos strrpos "
	"substr substr_count strrev strcmp strcasecmp strstr explode implode join nl2br wordwrap htmlspecialchars md5 "
	"sha1 crc32 hash hash_algos base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode "
	"rawurldecode parse_url http_build_query preg_match preg_match_all preg_split preg_quote mb_strlen mb_substr "
	"mb_strtoupper mb_strtolower mb_detect_encoding ord chr dechex hexdec bindec decbin octdec intval floatval "
	"strval boolval is_array is_string is_int is_numeric is_null is_bool is_float is_object gettype count sizeof "
	"array_keys array_values array_merge array_sum array_product array_slice array_reverse array_unique "
	"array_flip array_combine array_fill array_column array_search array_key_exists array_key_first "
	"array_key_last array_diff array_intersect array_chunk in_array range sort rsort asort arsort ksort krsort "
	"max min abs floor ceil round sqrt pow intdiv fmod rand mt_rand random_int pi log exp sin cos tan time "
	"microtime date gmdate mktime strtotime checkdate date_default_timezone_get hrtime usleep sleep basename "
	"dirname pathinfo getenv stream_get_contents fgets file_get_contents! file! file_exists! is_file! is_dir! "
	"is_readable! filesize! filemtime! scandir! realpath! md5_file! sha1_file! parse_ini_file!";

/* Is the argument one literal path, and no address? php://filter and phar:// do more than read. */
static bool php_reads(struct code_text *php, size_t open)
{
	size_t len;
	const char *text = zs_code_literal(php, open + 1, &len);

	return text && code_mate(php, open) == open + 2 &&
	       (zs_code_listed(text, len, "php://stdin") || (!memchr(text, ':', len) && !memchr(text, '$', len)));
}

/* "$x" reads a variable; "{$x->f()}" and "${x}" are code. */
static bool check_string(struct code_text *php, size_t at)
{
	size_t len;
	const char *text = code_name(php, at, &len);

	if (zs_code_in(php, at + 1, "( ["))
		return zs_code_unknown(php, at, at + 1); /* 'system'(…) */
	for (size_t i = 0; *text == '"' && i + 1 < len; i++) {
		if (text[i] == '\\')
			i++;
		else if ((text[i] == '{' && text[i + 1] == '$') || (text[i] == '$' && text[i + 1] == '{'))
			return false;
	}
	return true;
}

static bool php_check_token(struct code_text *php, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	enum code_kind kind = code_kind(php, at);
	bool property = zs_code_is(php, at - 1, "->"), known = true;

	if (kind == CODE_STRING)
		return check_string(php, at);
	if (kind == CODE_NAME && code_sigil(php, at) == '$')
		known = !property && !zs_code_in(php, at + 1, "( ::") && !zs_code_in(php, at, "$this $GLOBALS");
	else if (kind == CODE_NAME && property) /* which is read */
		known = !zs_code_in(php, at + 1, "( = += -= .= *= /= ++ --");
	else if (kind == CODE_NAME)
		return zs_code_is_keyword(php, at) || zs_code_check_name(php, place, ret_last);
	else if (kind == CODE_CLOSE && zs_code_is(php, at + 1, "("))
		known = zs_code_is(php, at, ")") && zs_code_in(php, code_mate(php, at) - 1, "if while for foreach");
	else if (zs_code_is(php, at, "?")) /* $x?->f() */
		known = !zs_code_in(php, at + 1, "-> >");
	return known || zs_code_unknown(php, at, at + 1);
}

static const struct code_language php = {
	.signs = "<=> **= ... === !== <<= >>= ?\?= && || ?? => == != <> <= >= ++ -- += -= *= /= %= .= |= &= ^= "
		 "-> << >> ** + - * / % = < > ! & | ^ ~ ? : , ; .",
	.first = "$",
	.quotes = "'\"",
	.refused = "\r ?> <? <<< #[", /* leaving PHP and entering it again, here-documents, attributes */
	.hash_comments = true,
	.slash_comments = true,
	.raw_quotes = true,
	.keywords = keywords,
	.globals = globals,
	.points = "->",
	.check = php_check_token,
	.reads = php_reads,
};

struct zs_filter zs_filter_php(const char *program, size_t len)
{
	return zs_code_judge(program, len, &php);
}
