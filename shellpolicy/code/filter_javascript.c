/* JavaScript that only looks, by the rule of code_judge.h. In JavaScript data may have properties of any name. So the
 * reader refuses the names that lead elsewhere (constructor, prototype, all names with a leading _), and a program may
 * call only the methods of a table. If the key of d[key] is no literal, it may be "constructor": then d must be a
 * variable, and the value may be shown, compared or computed with, but not called, passed on, put into a variable or
 * taken apart. Modules other than JSON files may only be shown: console.log(require("x").version). */
#include "code/code_judge.h"

#include <stdio.h>

/* Names of node 20, deno and bun, written from memory and not looked up one by one; those of node were run with hooks
 * on fs and child_process. No name here writes, removes, runs or loads anything, whatever its arguments.
 * fs.readFileSync() writes with { flag: "w" }, so its arguments are judged. */
static const char globals[] =
	"undefined NaN Infinity isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa "
	"escape unescape __dirname __filename String~ Number~ Boolean~ BigInt~ parseInt~ parseFloat~ Date^ Map^ Set^ "
	"WeakMap^ WeakSet^ RegExp^ Error^ TypeError^ RangeError^ SyntaxError^ ReferenceError^ "
	"Array^ URL^ URLSearchParams^ TextDecoder^ TextEncoder^ fetch";

/* Names of node 20, deno and bun, and the modules without rows that node -e has as globals. */
static const char denied[] =
	"eval Function AsyncFunction GeneratorFunction globalThis global GLOBAL root window self frames require "
	"module exports Reflect Proxy Symbol WebAssembly Atomics SharedArrayBuffer ArrayBuffer FinalizationRegistry "
	"WeakRef Request Response Headers FormData WebSocket WebSocketStream EventSource XMLHttpRequest Worker "
	"SharedWorker importScripts postMessage setTimeout setInterval setImmediate clearTimeout clearInterval "
	"clearImmediate queueMicrotask structuredClone navigator Navigator localStorage sessionStorage Storage caches "
	"Cache CacheStorage prompt alert confirm close closed gc Blob File FileReader BroadcastChannel MessageChannel "
	"MessagePort MessageEvent Event EventTarget CustomEvent AbortController AbortSignal ReadableStream "
	"WritableStream TransformStream CompressionStream DecompressionStream Crypto CryptoKey SubtleCrypto Iterator "
	"ShadowRealm HTMLRewriter Loader Tensor arguments this async_hooks child_process cluster dgram "
	"diagnostics_channel dns domain http http2 https inspector net punycode readline repl stream sys timers tls "
	"trace_events tty v8 vm wasi worker_threads sqlite sea constants DataView Float32Array Float64Array Int8Array "
	"Int16Array Int32Array Uint8ClampedArray Uint16Array Uint32Array BigInt64Array BigUint64Array JSC jest GPU";

static const char keywords[] =
	"async await break case catch const continue default delete do else false finally for function if in "
	"instanceof let new null of return switch throw true try typeof var void while yield";

/* clang-format off */
static const char members[] =
	ZS_CODE_ENTRY("AbortSignal", "timeout")
	ZS_CODE_ENTRY("Array", "isArray~ from of")
	ZS_CODE_ENTRY("Buffer", "from byteLength concat alloc isBuffer~ compare")
	ZS_CODE_ENTRY("Bun", "version revision")
	ZS_CODE_ENTRY("Date", "now parse UTC")
	ZS_CODE_ENTRY("Deno", "version args cwd build exit readTextFileSync! readTextFile! pid hostname")
	ZS_CODE_ENTRY("Deno.env", "get has toObject")
	ZS_CODE_ENTRY("Intl",
		"NumberFormat^ DateTimeFormat^ Collator^ PluralRules^ ListFormat^ getCanonicalLocales "
		"supportedValuesOf")
	ZS_CODE_ENTRY("JSON", "parse stringify")
	ZS_CODE_ENTRY("Math", "*")
	ZS_CODE_ENTRY("Number",
		"isInteger~ isFinite~ isNaN~ isSafeInteger~ parseFloat~ parseInt~ MAX_SAFE_INTEGER "
		"MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE EPSILON")
	ZS_CODE_ENTRY("Object", "keys~ values entries assign fromEntries freeze is~ hasOwn~")
	ZS_CODE_ENTRY("Promise", "all allSettled race any resolve reject")
	ZS_CODE_ENTRY("String", "raw fromCharCode fromCodePoint")
	ZS_CODE_ENTRY("URL", "canParse")
	ZS_CODE_ENTRY("assert", "ok equal strictEqual notEqual notStrictEqual deepEqual deepStrictEqual match")
	ZS_CODE_ENTRY("buffer", "constants")
	ZS_CODE_ENTRY("console",
		"log~ error~ info~ warn~ debug~ table~ dir~ assert~ group groupEnd time timeEnd timeLog count")
	ZS_CODE_ENTRY("crypto", "createHash createHmac randomBytes randomUUID randomInt getHashes getCiphers getCurves")
	ZS_CODE_ENTRY("events", "defaultMaxListeners")
	ZS_CODE_ENTRY("fs",
		"readFileSync! existsSync~ readdirSync statSync lstatSync realpathSync readlinkSync accessSync "
		"constants")
	ZS_CODE_ENTRY("fs.promises", "readFile! readdir stat lstat realpath readlink access")
	ZS_CODE_ENTRY("module", "builtinModules")
	ZS_CODE_ENTRY("os",
		"platform cpus totalmem freemem hostname arch type release EOL tmpdir homedir userInfo uptime "
		"loadavg networkInterfaces version availableParallelism endianness machine")
	ZS_CODE_ENTRY("path",
		"join~ resolve~ basename~ dirname~ extname~ relative~ normalize~ sep parse~ isAbsolute~ format "
		"delimiter")
	ZS_CODE_ENTRY("path.posix", "join~ resolve~ basename~ dirname~ extname~ relative~ normalize~ sep")
	ZS_CODE_ENTRY("perf_hooks.performance", "now")
	ZS_CODE_ENTRY("performance", "now timeOrigin")
	ZS_CODE_ENTRY("process",
		"version versions argv argv0 execArgv env platform arch cwd exit exitCode pid ppid execPath uptime "
		"hrtime memoryUsage release config features cpuUsage resourceUsage getuid geteuid getgid stdin")
	ZS_CODE_ENTRY("process.stderr", "write isTTY columns rows")
	ZS_CODE_ENTRY("process.stdin", "on once setEncoding resume isTTY fd")
	ZS_CODE_ENTRY("process.stdout", "write isTTY columns rows")
	ZS_CODE_ENTRY("querystring", "parse stringify escape unescape")
	ZS_CODE_ENTRY("require", "resolve~")
	ZS_CODE_ENTRY("string_decoder", "")
	ZS_CODE_ENTRY("url", "parse fileURLToPath pathToFileURL format resolve URL^ URLSearchParams^")
	ZS_CODE_ENTRY("util", "inspect~ format~ isDeepStrictEqual~ stripVTControlCharacters")
	ZS_CODE_ENTRY("zlib",
		"gunzipSync gzipSync inflateSync deflateSync inflateRawSync brotliDecompressSync unzipSync crc32");
/* clang-format on */

static const char methods[] =
	"at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll "
	"normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring "
	"toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimEnd trimStart toString valueOf "
	"isWellFormed every fill filter find findIndex findLast findLastIndex flat flatMap forEach join map pop push "
	"reduce reduceRight reverse shift some sort splice unshift toReversed toSorted toSpliced entries keys values "
	"copyWithin get set has add delete clear union intersection difference isSubsetOf isSupersetOf hasOwnProperty "
	"toFixed toPrecision toExponential toLocaleString getTime getFullYear getMonth getDate getDay getHours "
	"getMinutes getSeconds getMilliseconds getTimezoneOffset getUTCFullYear getUTCMonth getUTCDate getUTCDay "
	"getUTCHours getUTCMinutes getUTCSeconds setDate setMonth setFullYear setHours setMinutes setSeconds "
	"toISOString toJSON toDateString toTimeString toUTCString toLocaleDateString toLocaleTimeString test exec "
	"then catch finally next update digest isFile isDirectory isSymbolicLink equals subarray readUInt8 "
	"readUInt16LE readUInt16BE readUInt32LE readUInt32BE readInt32LE readInt32BE readBigUInt64LE readFloatLE "
	"readDoubleLE decode encode format formatToParts resolvedOptions getAll bigint on once setEncoding json text "
	"arrayBuffer";

/* Properties that lead from any value to the compiler, or from a function to its caller. */
static const char denied_properties[] =
	"constructor prototype caller callee arguments mainModule binding dlopen prepareStackTrace getPrototypeOf "
	"getOwnPropertyDescriptor getOwnPropertyDescriptors defineProperty defineProperties setPrototypeOf";

/* Names that the program binds */

static bool is_json(const struct code_text *js, size_t string)
{
	size_t len;
	const char *text = zs_code_literal(js, string, &len);

	return text && len > 5 && memcmp(text + len - 5, ".json", 5) == 0;
}

/* The token of "x" in require("x"), if that is a module and not JSON, and no member follows; else 0. */
static size_t required(const struct code_text *js, size_t at)
{
	if (!zs_code_is(js, at, "require") || !zs_code_is(js, at + 1, "(") || code_kind(js, at + 2) != CODE_STRING ||
		!zs_code_is(js, at + 3, ")") || is_json(js, at + 2))
		return 0;
	at += 4;
	return code_kind(js, at) == CODE_END || code_kind(js, at) == CODE_NAME || zs_code_in(js, at, "; ,") ? at - 2
													    : 0;
}

/* Is it a declaration, as in const a = 1, name = …? Elsewhere the value is used further, as in f(x = …, 1). */
static bool is_declared(const struct code_text *js, size_t name)
{
	size_t i = name - 1;

	while (zs_code_is(js, name - 1, ",") && i > 0 && !zs_code_is_keyword(js, i) && !zs_code_in(js, i, "; { ( [ =>"))
		i = code_closes(js, i) ? code_mate(js, i) - 1 : i - 1;
	return zs_code_in(js, i, "const let var");
}

/* Binds the name to a module or to a member of it; without a module, to a value. */
static bool javascript_bind(struct code_text *js, size_t name, size_t module, size_t member)
{
	js->tokens[name].known |= module > 0;
	js->tokens[module].known = true;
	return zs_code_bind(js, (struct code_binding){ (uint16_t)name, (uint16_t)module, (uint16_t)member });
}

/* { a, b: c } = require("x") */
static bool bind_members(struct code_text *js, size_t open, size_t module)
{
	for (size_t member = open + 1, i; member < code_mate(js, open); member = i + 2) {
		i = zs_code_is(js, member + 1, ":") ? member + 2 : member;
		js->tokens[member].known = true;
		if (code_kind(js, member) != CODE_NAME || !javascript_bind(js, i, module, member) ||
			!zs_code_in(js, i + 1, ", }"))
			return zs_code_unknown(js, member, i + 1);
	}
	return true;
}

/* "data:text/javascript,…" is code, and "http://…" is elsewhere; "node:fs" is a module. */
static bool is_address(const struct code_text *js, size_t string)
{
	size_t len;
	const char *text = zs_code_literal(js, string, &len);

	return !text || (memchr(text, ':', len) && (len < 5 || memcmp(text, "node:", 5) != 0));
}

/* import a from "x"; import * as a from "x"; import { a, b as c } from "x" */
static bool bind_import(struct code_text *js, size_t i)
{
	bool all = zs_code_is(js, i + 1, "*") && zs_code_is(js, i + 2, "as"), list = zs_code_is(js, i + 1, "{");
	size_t first = i + (all ? 3 : 1), from = (list ? code_mate(js, first) : first) + 1, module = from + 1;

	if (!zs_code_is(js, from, "from") || code_kind(js, module) != CODE_STRING || is_json(js, module) ||
		is_address(js, module))
		return zs_code_unknown(js, i, from);
	js->tokens[i].known = js->tokens[from].known = true;
	if (all)
		js->tokens[i + 2].known = true;
	if (!list)
		return code_kind(js, first) == CODE_NAME && javascript_bind(js, first, module, 0);
	for (size_t member = first + 1, name; member < code_mate(js, first); member = name + 2) {
		bool named = zs_code_is(js, member + 1, "as");

		name = member + (named ? 2 : 0);
		js->tokens[member].known = js->tokens[name - named].known = true;
		if (code_kind(js, member) != CODE_NAME || code_kind(js, name) != CODE_NAME ||
			!javascript_bind(js, name, module, member) || !zs_code_in(js, name + 1, ", }"))
			return zs_code_unknown(js, member, name + 1);
	}
	return true;
}

static bool javascript_bind_token(struct code_text *js, size_t i)
{
	size_t name = i + 1, module;

	if (zs_code_is(js, i, "=>"))
		return zs_code_bind_names(js, zs_code_is(js, i - 1, ")") ? code_mate(js, i - 1) : i - 1, i);
	if (code_kind(js, i) != CODE_NAME || zs_code_in(js, i - 1, ". ?."))
		return true;
	if (zs_code_is(js, i, "import") &&
		(code_kind(js, i - 1) == CODE_END || code_kind(js, i - 1) == CODE_STRING || zs_code_is(js, i - 1, ";")))
		return bind_import(js, i);
	if (zs_code_in(js, i, "const let var")) {
		module = zs_code_is(js, code_mate(js, name) + 1, "=") ? required(js, code_mate(js, name) + 2) : 0;
		if (code_kind(js, name) == CODE_OPEN)
			return zs_code_is(js, name, "{") && module
				       ? bind_members(js, name, module)
				       : zs_code_bind_names(js, name + 1, code_mate(js, name));
		/* in let a, b the names after the first look like uses; they are bound where they are assigned */
		return zs_code_is(js, name + 1, "=") || javascript_bind(js, name, 0, 0);
	}
	if (zs_code_in(js, i, "function catch")) {
		name += zs_code_is(js, name, "*");
		if (code_kind(js, name) == CODE_NAME && !javascript_bind(js, name++, 0, 0))
			return false;
		return zs_code_is(js, name, "(") ? zs_code_bind_names(js, name + 1, code_mate(js, name))
						 : zs_code_is(js, i, "catch") || zs_code_unknown(js, i, name);
	}
	if (zs_code_is_keyword(js, i) || !zs_code_in(js, name, js->language->assigns))
		return true;
	module = zs_code_is(js, name, "=") && is_declared(js, i) ? required(js, name + 1) : 0;
	return javascript_bind(js, i, module, 0);
}

/* Uses */

static bool javascript_leads_away(const char *name, size_t len)
{
	return !len || name[0] == '_' || zs_code_listed(name, len, denied_properties);
}

/* Is it a variable of the program that is never a module? Then assigning to a part of it changes nothing else. */
static bool is_own(const struct code_text *js, size_t at)
{
	return code_kind(js, at) == CODE_NAME && !zs_code_in(js, at - 1, ". ?.") && zs_code_is_bound(js, at, false) &&
	       !zs_code_is_bound(js, at, true);
}

/* readFileSync(path, "utf8") or with { encoding: "utf8" } */
static bool javascript_reads(struct code_text *js, size_t open)
{
	size_t end = code_mate(js, open), second = zs_code_find(js, open + 1, end, ",") + 1;

	if (zs_code_find(js, open + 1, end, "...") < end)
		return false;
	if (second > end || (code_kind(js, second) == CODE_STRING && second + 1 == end))
		return true;
	return zs_code_is(js, second, "{") && zs_code_is(js, second + 1, "encoding") &&
	       zs_code_is(js, second + 2, ":") && code_kind(js, second + 3) == CODE_STRING &&
	       code_mate(js, second) == second + 4 && second + 5 == end;
}

static const char own_module[] = "./"; /* the path of all modules of the workspace */

/* First words of functions of node that act: a module of the workspace may hand them on, as fs.writeFileSync or exec.
 */
static const char acting_verbs[] =
	"append chmod chown clean clear copy cp create delete deploy destroy drop erase eval exec execute fchmod "
	"fchown "
	"fork futimes get import install kill lchmod lchown link lutimes make migrate mkdir mkdtemp move mv open "
	"overwrite "
	"patch process publish purge push put remove rename require reset rm rmdir run save send set spawn symlink "
	"truncate uninstall unlink update upload utimes wipe write";

/* Is it one function of a module of the workspace, by a name that does not say that it acts? */
static bool is_own_function(const char *path)
{
	const char *name = path + sizeof own_module; /* a point stands between */

	if (strncmp(path, own_module, sizeof own_module - 1) != 0 || !name[-1] || !*name || strchr(name, '.'))
		return false;
	return !zs_code_listed(name, strspn(name, "abcdefghijklmnopqrstuvwxyz"), acting_verbs);
}

/* Calling a function of the workspace runs the workspace's code, as a script does. The result is shown. */
static bool javascript_check_rest(struct code_text *js, const char *path, struct code_place place)
{
	if (zs_code_is(js, place.last + 1, "(") && is_own_function(path))
		place.last = code_mate(js, place.last + 1);
	return zs_code_is_shown(js, place);
}

/* "node:fs/promises" is fs.promises; modules of the workspace have one path. */
static void javascript_path(struct code_text *js, size_t string, char *ret_path)
{
	size_t len = 0;
	const char *text = zs_code_literal(js, string, &len);
	size_t prefix = text && len > 5 && memcmp(text, "node:", 5) == 0 ? 5 : 0;

	ret_path[0] = '\0';
	if (text && len < CODE_PATH)
		snprintf(ret_path, CODE_PATH, "%.*s", (int)(len - prefix), text + prefix);
	if (strncmp(ret_path, own_module, 2) == 0 && !strstr(ret_path, "..") && !strstr(ret_path, "node_modules"))
		ret_path[2] = '\0';
	else if (strchr(ret_path, '.'))
		ret_path[0] = '\0';
	if (zs_code_listed(ret_path, strlen(ret_path), "fs/promises path/posix"))
		ret_path[strcspn(ret_path, "/")] = '.';
}

static bool check_require(struct code_text *js, struct code_place place, size_t *ret_last)
{
	char path[CODE_PATH] = "require";
	size_t open = place.first + 1;

	if (!zs_code_is(js, open, "("))
		return zs_code_follow(js, path, 0, place, ret_last);
	if (code_kind(js, open + 1) != CODE_STRING || !zs_code_is(js, open + 2, ")"))
		return zs_code_unknown(js, place.first, open + 1);
	if (is_json(js, open + 1) || js->tokens[open + 1].known)
		return true; /* data, or a module that is bound to a name */
	place.last = *ret_last = open + 2;
	javascript_path(js, open + 1, path);
	return zs_code_follow(js, path, 0, place, ret_last);
}

/* Checks the name in d.name, d["name"] or { name: … }. */
static bool check_property(struct code_text *js, size_t at, const char *text, size_t len)
{
	if (javascript_leads_away(text, len))
		return false;
	return !zs_code_in(js, at + 1, js->language->assigns) || is_own(js, at - 2) || zs_code_unknown(js, at - 2, at);
}

static bool is_called(const struct code_text *js, size_t open)
{
	open += zs_code_is(js, open, "?.");
	return zs_code_is(js, open, "(") || code_kind(js, open) == CODE_TEMPLATE;
}

static bool check_subscript(struct code_text *js, size_t open, size_t enclosing)
{
	size_t close = code_mate(js, open), last = open - 1 - zs_code_is(js, open - 1, "?."), len = 0;
	const char *text = zs_code_literal(js, open + 1, &len);
	bool literal = close == open + 2 && (text || code_kind(js, open + 1) == CODE_NUMBER), known = literal;

	if (zs_code_in(js, close + 1, js->language->assigns))
		known = is_own(js, last) && (literal || !zs_code_in(js, close + 1, "&&= ||= ?\?="));
	else if (!literal)
		known = is_own(js, last) && zs_code_is_shown(js, (struct code_place){ last, close, enclosing });
	else if (is_called(js, close + 1))
		known = false;
	return (known && !(literal && text && javascript_leads_away(text, len))) || zs_code_unknown(js, open, close);
}

static bool check_open(struct code_text *js, size_t at, size_t enclosing)
{
	if (!zs_code_is(js, at, "["))
		return true;
	if (zs_code_ends_operand(js, at - 1) || zs_code_is(js, at - 1, "?."))
		return check_subscript(js, at, enclosing);
	/* { [key]: value } */
	return !(zs_code_in(js, at - 1, "{ ,") && zs_code_is(js, code_mate(js, at) + 1, ":"));
}

/* The token of setTimeout in `new Promise(r => setTimeout(r, 100))`, given that of Promise; else 0. Elsewhere deno runs
 * a text that setTimeout() gets. */
static size_t waits(const struct code_text *js, size_t promise)
{
	size_t open = promise + 1, name = open + 1 + zs_code_is(js, open + 1, "("), arrow = 2 * name - open;

	return zs_code_is(js, promise - 1, "new") && zs_code_is(js, promise, "Promise") && zs_code_is(js, open, "(") &&
			       code_kind(js, name) == CODE_NAME && zs_code_is(js, arrow, "=>") &&
			       zs_code_is(js, arrow + 1, "setTimeout") && zs_code_is(js, arrow + 2, "(") &&
			       zs_code_same(js, name, arrow + 3) && zs_code_is(js, arrow + 4, ",")
		       ? arrow + 1
		       : 0;
}

static bool check_word(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len;
	const char *text = code_name(js, at, &len);

	if (zs_code_in(js, at - 1, ". ?."))
		return check_property(js, at, text, len) &&
		       (!is_called(js, at + 1) || zs_code_listed(text, len, methods));
	if (zs_code_is(js, at + 1, ":") && zs_code_in(js, at - 1, "{ ,"))
		return !javascript_leads_away(text, len);
	if (zs_code_is_keyword(js, at))
		return !zs_code_is(js, at, "new") || code_kind(js, at + 1) == CODE_NAME ||
		       zs_code_unknown(js, at, at + 1);
	if (len > 1 && javascript_leads_away(text, len) && !zs_code_in(js, at, "__dirname __filename"))
		return false;
	if (zs_code_is(js, at, "require"))
		return check_require(js, place, ret_last);
	if (waits(js, at)) {
		js->tokens[waits(js, at)].known = true;
		return true;
	}
	if (zs_code_is(js, at - 1, "new") && !zs_code_is(js, at, "Intl") && zs_code_use(globals, text, len) != USE_NEW)
		return false;
	return zs_code_check_name(js, place, ret_last);
}

static bool javascript_check_token(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len = 0;
	enum code_kind kind = code_kind(js, at);
	bool operand = zs_code_ends_operand(js, at - 1);
	const char *text;

	if (kind == CODE_OPEN)
		return check_open(js, at, place.open);
	if (kind == CODE_NAME)
		return check_word(js, place, ret_last);
	if (kind == CODE_TEMPLATE) /* a tag before it would be called */
		return !operand;
	if (zs_code_is(js, at, "<")) /* a < where an operand must begin starts JSX */
		return operand || zs_code_unknown(js, at, at + 1);
	if (kind != CODE_STRING || !zs_code_is(js, at + 1, ":") || !zs_code_in(js, at - 1, "{ ,"))
		return true;
	text = zs_code_literal(js, at, &len);
	return text && (!javascript_leads_away(text, len) || !len);
}

static const struct code_language javascript = {
	.signs = ">>>= ... === !== **= <<= >>= >>> &&= ||= ?\?= => == != <= >= && || ?? ?. ++ -- += -= *= /= "
		 "%= &= |= ^= << >> ** + - * / % = < > ! & | ^ ~ ? : , ; .",
	.first = "$",
	.number_end = "n",
	.quotes = "'\"",
	.templates = "`",
	.field = "${",
	.refused = "\r <!-- --> \xe2\x80\xa8 \xe2\x80\xa9",
	.slash_comments = true,
	.wants = "return typeof case in instanceof void delete do else throw",
	.doubtful = "} ++ -- . ?. >",
	.heads = "if while for switch catch",
	.keywords = keywords,
	.operands = "null true false",
	.globals = globals,
	.denied = denied,
	.members = members,
	.global_members = true,
	.points = ". ?.",
	.assigns = "= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ?\?= ++ --",
	.looked = "+ - * / % ** < > <= >= == != === !== & | ^ << >> >>> in instanceof typeof !",
	.looks = "+ - * / % ** > <= >= == != === !== & | ^ << >> >>> in instanceof ? &&",
	.bind = javascript_bind_token,
	.check = javascript_check_token,
	.leads_away = javascript_leads_away,
	.path = javascript_path,
	.reads = javascript_reads,
	.check_rest = javascript_check_rest,
};

struct zs_filter zs_filter_javascript(const char *program, size_t len)
{
	return zs_code_judge(program, len, &javascript);
}
