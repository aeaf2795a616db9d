/* Names of node 20, deno and bun, from knowledge and, for node, tried with hooks on fs and child_process (not looked up
 * one by one): no name here writes, removes, runs or loads anything, whatever it is given. fs.readFileSync() does with
 * { flag: "w" }, so what it is given is read. */
#include "code/code_judge.h"

const char zs_javascript_globals[] =
	"undefined NaN Infinity isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa "
	"escape unescape __dirname __filename String? Number? Boolean? BigInt? parseInt? parseFloat? Date^ Map^ Set^ "
	"WeakMap^ WeakSet^ RegExp^ Error^ TypeError^ RangeError^ SyntaxError^ ReferenceError^ EvalError^ URIError^ "
	"AggregateError^ Array^ URL^ URLSearchParams^ TextDecoder^ TextEncoder^";

/* Names of node 20, deno and bun, and the modules that node -e has as globals, but for those with rows. */
const char zs_javascript_denied[] =
	"eval Function AsyncFunction GeneratorFunction globalThis global GLOBAL root window self frames require "
	"module exports Reflect Proxy Symbol WebAssembly Atomics SharedArrayBuffer ArrayBuffer FinalizationRegistry "
	"WeakRef fetch Request Response Headers FormData WebSocket WebSocketStream EventSource XMLHttpRequest Worker "
	"SharedWorker importScripts postMessage setTimeout setInterval setImmediate clearTimeout clearInterval "
	"clearImmediate queueMicrotask structuredClone navigator Navigator localStorage sessionStorage Storage caches "
	"Cache CacheStorage prompt alert confirm close closed gc Blob File FileReader BroadcastChannel MessageChannel "
	"MessagePort MessageEvent Event EventTarget CustomEvent AbortController AbortSignal ReadableStream "
	"WritableStream TransformStream CompressionStream DecompressionStream Crypto CryptoKey SubtleCrypto Iterator "
	"ShadowRealm HTMLRewriter Loader Tensor arguments this async_hooks child_process cluster dgram "
	"diagnostics_channel dns domain http http2 https inspector net punycode readline repl stream sys timers tls "
	"trace_events tty v8 vm wasi worker_threads sqlite sea constants DataView Float32Array Float64Array Int8Array "
	"Int16Array Int32Array Uint8ClampedArray Uint16Array Uint32Array BigInt64Array BigUint64Array JSC jest GPU";

const char zs_javascript_keywords[] =
	"async await break case catch const continue default delete do else false finally for function if in "
	"instanceof let new null of return switch throw true try typeof var void while yield";

/* clang-format off */
const char zs_javascript_members[] =
	ZS_CODE_ENTRY("Array", "isArray? from~ of")
	ZS_CODE_ENTRY("Buffer", "from byteLength concat alloc isBuffer? compare")
	ZS_CODE_ENTRY("Bun", "version revision")
	ZS_CODE_ENTRY("Date", "now parse UTC")
	ZS_CODE_ENTRY("Deno", "version args cwd build exit readTextFileSync! readTextFile! pid hostname")
	ZS_CODE_ENTRY("Deno.env", "get has toObject")
	ZS_CODE_ENTRY("Intl",
		"NumberFormat^ DateTimeFormat^ Collator^ PluralRules^ ListFormat^ getCanonicalLocales "
		"supportedValuesOf")
	ZS_CODE_ENTRY("JSON", "parse stringify?")
	ZS_CODE_ENTRY("Math", "*")
	ZS_CODE_ENTRY("Number",
		"isInteger? isFinite? isNaN? isSafeInteger? parseFloat? parseInt? MAX_SAFE_INTEGER "
		"MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE EPSILON")
	ZS_CODE_ENTRY("Object", "keys? values~ entries~ assign fromEntries freeze is? hasOwn?")
	ZS_CODE_ENTRY("Promise", "all allSettled race any resolve reject")
	ZS_CODE_ENTRY("String", "raw fromCharCode fromCodePoint")
	ZS_CODE_ENTRY("URL", "canParse")
	ZS_CODE_ENTRY("assert", "ok? equal? strictEqual? notEqual? notStrictEqual? deepEqual? deepStrictEqual? match?")
	ZS_CODE_ENTRY("buffer", "constants")
	ZS_CODE_ENTRY("console",
		"log? error? info? warn? debug? table? dir? assert? group groupEnd time timeEnd timeLog count")
	ZS_CODE_ENTRY("crypto", "createHash createHmac randomBytes randomUUID randomInt getHashes getCiphers getCurves")
	ZS_CODE_ENTRY("events", "defaultMaxListeners")
	ZS_CODE_ENTRY("fs",
		"readFileSync! existsSync? readdirSync statSync lstatSync realpathSync readlinkSync accessSync "
		"constants")
	ZS_CODE_ENTRY("fs.promises", "readFile! readdir stat lstat realpath readlink access")
	ZS_CODE_ENTRY("module", "builtinModules")
	ZS_CODE_ENTRY("os",
		"platform cpus totalmem freemem hostname arch type release EOL tmpdir homedir userInfo uptime "
		"loadavg networkInterfaces version availableParallelism endianness machine")
	ZS_CODE_ENTRY("path",
		"join? resolve? basename? dirname? extname? relative? normalize? sep parse? isAbsolute? format "
		"delimiter")
	ZS_CODE_ENTRY("path.posix", "join? resolve? basename? dirname? extname? relative? normalize? sep")
	ZS_CODE_ENTRY("perf_hooks.performance", "now")
	ZS_CODE_ENTRY("performance", "now timeOrigin")
	ZS_CODE_ENTRY("process",
		"version versions argv argv0 execArgv env platform arch cwd exit exitCode pid ppid execPath uptime "
		"hrtime memoryUsage release config features cpuUsage resourceUsage getuid geteuid getgid stdin")
	ZS_CODE_ENTRY("process.stderr", "write isTTY columns rows")
	ZS_CODE_ENTRY("process.stdin", "on once setEncoding resume isTTY fd")
	ZS_CODE_ENTRY("process.stdout", "write isTTY columns rows")
	ZS_CODE_ENTRY("querystring", "parse stringify escape unescape")
	ZS_CODE_ENTRY("require", "resolve?")
	ZS_CODE_ENTRY("string_decoder", "")
	ZS_CODE_ENTRY("url", "parse fileURLToPath pathToFileURL format resolve URL^ URLSearchParams^")
	ZS_CODE_ENTRY("util", "inspect? format? isDeepStrictEqual? stripVTControlCharacters")
	ZS_CODE_ENTRY("zlib",
		"gunzipSync gzipSync inflateSync deflateSync inflateRawSync brotliDecompressSync unzipSync crc32");
/* clang-format on */

const char zs_javascript_methods[] =
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
	"readDoubleLE decode encode format formatToParts resolvedOptions getAll bigint on once setEncoding";

/* Properties that lead from any value to the compiler, or to what called a function. */
const char zs_javascript_denied_properties[] =
	"constructor prototype caller callee arguments mainModule binding dlopen prepareStackTrace getPrototypeOf "
	"getOwnPropertyDescriptor getOwnPropertyDescriptors defineProperty defineProperties setPrototypeOf";
