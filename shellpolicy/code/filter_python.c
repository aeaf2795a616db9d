/* Python code that only looks, by the rule of code_judge.h: it prints, computes, parses, reads files and asks modules
 * for their version. No grammar is used. These never become a value:
 *
 *  - modules, and their attributes without a row: at most they are shown, as by print(x), repr(x), {x} in an f-string;
 *  - open(): the program must call it where it names it, with a mode that reads;
 *  - pathlib.Path: the program must call it where it names it, or in map(Path, …), since Path.replace(Path(x), y) acts;
 *  - the result of type(): it is only shown, since type(file.raw)(path, "w") opens for writing;
 *  - functions of the workspace's modules: the program must call them where it names them, and no part of the name may
 *    be that of a python function that acts. Their classes, by the case of the name, may also be arguments;
 *  - attributes of values that are not in the list below: they are only shown, unless the program imports a module of
 *    the workspace or a package: then they may be of its objects, and the same names act;
 *  - names that begin with an underscore: they lead from any value to everything else. A few that tell about modules
 *    pass.
 *
 * If the program binds the name of a builtin, the name has both meanings, and each use must be harmless in both. Python
 * decides between them by scopes and by time, which this reader does not follow.
 */
#include <stdio.h>

#include "code/code_judge.h"

/* Names of python 3.13, written from memory, not looked up one by one, and run under an audit hook. None of them
 * writes, removes, runs or loads anything, whatever its arguments. The list leaves out names that do so only with some
 * arguments (tempfile, logging, sqlite3, uuid1, os.open) or give access to objects by name (operator.attrgetter,
 * inspect.getmembers). */
static const char builtins[] =
	"abs all any bin bool bytearray bytes chr complex dict divmod enumerate filter float frozenset hex int iter "
	"list map max min next oct ord pow range reversed round set slice sorted sum tuple zip exit quit Ellipsis "
	"NotImplemented __name__ raw_input reduce unichr unicode xrange cmp basestring long Exception GeneratorExit "
	"KeyboardInterrupt StopIteration SystemExit print~ repr~ str~ ascii~ len~ dir~ callable~ hasattr~ hash~ id~ "
	"isinstance~ issubclass~ format~ open! *Error *Warning BaseException";

/* Names of python 2 and 3, and names that the module site adds. */
static const char denied[] =
	"eval exec compile execfile reload apply buffer intern coerce globals locals vars getattr setattr delattr "
	"breakpoint type "
	"help classmethod staticmethod property super object memoryview aiter anext copyright credits license "
	"__builtins__ __build_class__ __loader__ __spec__ __debug__ __package__";

static const char keywords[] = "and as assert async await break continue def elif else except False finally for from "
			       "global if import in is lambda None "
			       "nonlocal not or pass raise return True try while with yield";

/* "*" stands for all names of a module that is written in C and holds nothing else; "A*" stands for classes. */
/* clang-format off */
static const char modules[] =
	ZS_CODE_ENTRY("ast",
		"parse walk dump unparse literal_eval get_docstring iter_child_nodes iter_fields "
		"get_source_segment A*")
	ZS_CODE_ENTRY("asyncio", "run gather sleep wait_for")
	ZS_CODE_ENTRY("base64",
		"b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode b16encode b16decode "
		"b85encode b85decode standard_b64encode standard_b64decode")
	ZS_CODE_ENTRY("binascii", "hexlify unhexlify crc32 b2a_hex a2b_hex b2a_base64 a2b_base64 Error")
	ZS_CODE_ENTRY("bisect", "bisect bisect_left bisect_right insort insort_left insort_right")
	ZS_CODE_ENTRY("bz2", "open! compress decompress")
	ZS_CODE_ENTRY("calendar",
		"month calendar monthrange isleap timegm month_name month_abbr day_name day_abbr monthcalendar")
	ZS_CODE_ENTRY("cmath", "*")
	ZS_CODE_ENTRY("codecs", "decode encode BOM_UTF8 BOM_UTF16 open!")
	ZS_CODE_ENTRY("collections", "Counter OrderedDict defaultdict deque namedtuple ChainMap")
	ZS_CODE_ENTRY("configparser", "ConfigParser RawConfigParser Error")
	ZS_CODE_ENTRY("contextlib", "suppress")
	ZS_CODE_ENTRY("copy", "copy deepcopy")
	ZS_CODE_ENTRY("csv",
		"reader DictReader writer DictWriter Error QUOTE_ALL QUOTE_NONE QUOTE_MINIMAL field_size_limit")
	ZS_CODE_ENTRY("datetime", "datetime date time timedelta timezone UTC MINYEAR MAXYEAR")
	ZS_CODE_ENTRY("decimal",
		"Decimal getcontext ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP InvalidOperation")
	ZS_CODE_ENTRY("difflib", "unified_diff ndiff context_diff get_close_matches SequenceMatcher")
	ZS_CODE_ENTRY("dis", "dis~")
	ZS_CODE_ENTRY("django", "get_version VERSION")
	ZS_CODE_ENTRY("email.utils", "parsedate_to_datetime formatdate parseaddr")
	ZS_CODE_ENTRY("errno", "errorcode")
	ZS_CODE_ENTRY("fnmatch", "fnmatch fnmatchcase filter translate")
	ZS_CODE_ENTRY("fractions", "Fraction")
	ZS_CODE_ENTRY("functools", "reduce partial cmp_to_key")
	ZS_CODE_ENTRY("getpass", "getuser")
	ZS_CODE_ENTRY("glob", "glob iglob escape")
	ZS_CODE_ENTRY("gzip", "open! decompress compress BadGzipFile")
	ZS_CODE_ENTRY("hashlib",
		"md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new file_digest "
		"algorithms_available algorithms_guaranteed")
	ZS_CODE_ENTRY("heapq", "heappush heappop heapify nlargest nsmallest merge heapreplace heappushpop")
	ZS_CODE_ENTRY("hmac", "new compare_digest")
	ZS_CODE_ENTRY("html", "escape unescape")
	ZS_CODE_ENTRY("importlib.metadata",
		"version metadata requires files distributions distribution packages_distributions entry_points "
		"PackageNotFoundError")
	ZS_CODE_ENTRY("importlib.util", "find_spec")
	ZS_CODE_ENTRY("importlib_metadata", "version metadata requires distributions distribution PackageNotFoundError")
	ZS_CODE_ENTRY("inspect",
		"getsource~ getsourcefile~ getsourcelines~ getfile~ getdoc~ signature~ isfunction~ isclass~ "
		"ismodule~ ismethod~ iscoroutinefunction~ cleandoc")
	ZS_CODE_ENTRY("io", "open! StringIO BytesIO TextIOWrapper")
	ZS_CODE_ENTRY("ipaddress", "ip_address ip_network ip_interface IPv4Address IPv6Address IPv4Network IPv6Network")
	ZS_CODE_ENTRY("itertools", "*")
	ZS_CODE_ENTRY("json", "load loads dump dumps JSONDecodeError")
	ZS_CODE_ENTRY("keyword", "kwlist softkwlist iskeyword")
	ZS_CODE_ENTRY("linecache", "getline getlines")
	ZS_CODE_ENTRY("locale", "getpreferredencoding getlocale getdefaultlocale setlocale LC_ALL")
	ZS_CODE_ENTRY("lzma", "open! compress decompress")
	ZS_CODE_ENTRY("math", "*")
	ZS_CODE_ENTRY("mimetypes", "guess_type guess_extension")
	ZS_CODE_ENTRY("operator",
		"itemgetter add sub mul truediv floordiv mod neg eq ne lt le gt ge and_ or_ xor not_ contains "
		"getitem concat")
	ZS_CODE_ENTRY("os",
		"getcwd listdir walk scandir stat lstat environ getenv sep linesep name cpu_count getpid getppid "
		"uname access R_OK W_OK X_OK F_OK getuid geteuid getgid getegid getlogin fsencode fsdecode fspath "
		"isatty get_terminal_size pathsep extsep curdir pardir devnull getloadavg readlink strerror "
		"sched_getaffinity get_exec_path")
	ZS_CODE_ENTRY("os.path",
		"join~ exists~ isfile~ isdir~ islink~ basename~ dirname~ abspath~ realpath~ relpath~ getsize~ "
		"getmtime~ getctime~ getatime~ split~ splitext~ splitdrive~ expanduser~ expandvars~ normpath~ "
		"normcase~ commonprefix commonpath isabs~ sep lexists~ ismount~ samefile~ pathsep")
	ZS_CODE_ENTRY("packaging.version", "Version parse InvalidVersion")
	ZS_CODE_ENTRY("pathlib", "Path^ PurePath~ PosixPath^ PurePosixPath~ PureWindowsPath~")
	ZS_CODE_ENTRY("pathlib.Path", "cwd home")
	ZS_CODE_ENTRY("pkg_resources", "get_distribution parse_version DistributionNotFound working_set")
	ZS_CODE_ENTRY("pkgutil", "iter_modules")
	ZS_CODE_ENTRY("platform",
		"python_version python_version_tuple python_implementation python_compiler python_build system "
		"machine node release version platform")
	ZS_CODE_ENTRY("pprint", "pprint pformat pp")
	ZS_CODE_ENTRY("random",
		"random randint randrange choice choices sample shuffle seed uniform gauss Random normalvariate "
		"getrandbits")
	ZS_CODE_ENTRY("re",
		"compile match fullmatch search findall finditer sub subn split escape error I IGNORECASE M "
		"MULTILINE S DOTALL X VERBOSE A ASCII U UNICODE Pattern Match")
	ZS_CODE_ENTRY("requests", "delete get head options patch post put request exceptions RequestException")
	ZS_CODE_ENTRY("secrets", "token_hex token_bytes token_urlsafe randbelow choice compare_digest")
	ZS_CODE_ENTRY("shlex", "split quote join")
	ZS_CODE_ENTRY("shutil", "which disk_usage get_terminal_size")
	ZS_CODE_ENTRY("site", "getsitepackages getusersitepackages")
	ZS_CODE_ENTRY("socket", "gethostname")
	ZS_CODE_ENTRY("stat", "S_ISDIR S_ISREG S_ISLNK S_IMODE S_IFMT filemode S_IXUSR ST_SIZE")
	ZS_CODE_ENTRY("statistics",
		"mean median mode stdev pstdev variance pvariance quantiles fmean harmonic_mean geometric_mean "
		"median_low median_high multimode StatisticsError")
	ZS_CODE_ENTRY("string",
		"ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable "
		"whitespace capwords")
	ZS_CODE_ENTRY("struct", "pack unpack unpack_from iter_unpack calcsize error")
	ZS_CODE_ENTRY("sys",
		"version version_info path argv stdin stdout stderr exit executable platform maxsize byteorder "
		"hexversion getrecursionlimit setrecursionlimit getsizeof implementation flags prefix base_prefix "
		"exec_prefix builtin_module_names stdlib_module_names getdefaultencoding getfilesystemencoding "
		"float_info int_info api_version maxunicode set_int_max_str_digits copyright")
	ZS_CODE_ENTRY("sys.stderr", "write flush isatty encoding")
	ZS_CODE_ENTRY("sys.stdout", "write flush isatty encoding reconfigure writelines")
	ZS_CODE_ENTRY("sys.stdout.buffer", "write flush")
	ZS_CODE_ENTRY("sysconfig", "get_path get_paths get_config_var get_config_vars get_platform get_python_version")
	ZS_CODE_ENTRY("tarfile", "open! is_tarfile TarError")
	ZS_CODE_ENTRY("textwrap", "dedent indent fill wrap shorten")
	ZS_CODE_ENTRY("time",
		"time sleep strftime gmtime localtime perf_counter monotonic process_time time_ns ctime asctime "
		"strptime mktime timezone tzname perf_counter_ns")
	ZS_CODE_ENTRY("tokenize", "generate_tokens")
	ZS_CODE_ENTRY("toml", "load loads dumps TomlDecodeError")
	ZS_CODE_ENTRY("tomli", "load loads TOMLDecodeError")
	ZS_CODE_ENTRY("tomllib", "load loads TOMLDecodeError")
	ZS_CODE_ENTRY("torch.backends.mps", "is_available")
	ZS_CODE_ENTRY("torch.cuda", "is_available device_count get_device_name")
	ZS_CODE_ENTRY("traceback", "print_exc format_exc")
	ZS_CODE_ENTRY("unicodedata",
		"name category normalize lookup east_asian_width numeric decimal combining unidata_version")
	ZS_CODE_ENTRY("urllib.parse",
		"quote unquote urlparse urlsplit parse_qs parse_qsl urlencode urljoin quote_plus unquote_plus "
		"urlunparse urlunsplit urldefrag")
	ZS_CODE_ENTRY("urllib.request", "Request urlopen")
	ZS_CODE_ENTRY("uuid", "uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL")
	ZS_CODE_ENTRY("warnings", "filterwarnings simplefilter")
	ZS_CODE_ENTRY("xml.etree.ElementTree",
		"parse fromstring iterparse tostring Element SubElement dump indent ParseError")
	ZS_CODE_ENTRY("yaml", "safe_load safe_load_all safe_dump dump YAMLError")
	ZS_CODE_ENTRY("zipfile", "ZipFile! is_zipfile BadZipFile")
	ZS_CODE_ENTRY("zlib", "compress decompress crc32 adler32 error")
	ZS_CODE_ENTRY("zoneinfo", "ZoneInfo available_timezones");
/* clang-format on */

/* Attributes of text, numbers, collections, files that are read, paths, patterns, dates, syntax trees, … pathlib's
 * `replace` and `copy` act: check_attribute() tells them apart. */
static const char attributes[] =
	"capitalize casefold center count decode encode endswith expandtabs find index isalnum isalpha isascii "
	"isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip "
	"maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split "
	"splitlines startswith strip swapcase title translate upper zfill hex fromhex append extend insert pop remove "
	"reverse sort clear copy get items keys values setdefault update popitem fromkeys has_key iteritems "
	"itervalues add discard union intersection difference symmetric_difference issubset issuperset isdisjoint "
	"most_common elements subtract total appendleft popleft extendleft rotate move_to_end new_child maps "
	"bit_length bit_count to_bytes from_bytes is_integer real imag numerator denominator as_integer_ratio "
	"conjugate quantize sqrt limit_denominator prec read readline readlines readable seekable close closed seek "
	"tell encoding fileno isatty buffer flush getvalue match fullmatch search findall finditer sub subn group "
	"groups groupdict start end span pattern string lastindex flags expand exists is_file is_dir is_symlink "
	"iterdir glob rglob read_text read_bytes stat lstat name stem suffix suffixes parent parents parts resolve "
	"absolute relative_to is_relative_to as_posix as_uri with_suffix with_name with_stem joinpath expanduser home "
	"cwd is_absolute samefile walk open path inode anchor st_size st_mtime st_ctime st_atime st_mode st_uid "
	"st_gid st_nlink st_ino st_dev st_mtime_ns st_blocks now utcnow today fromtimestamp utcfromtimestamp "
	"fromisoformat strptime strftime isoformat date time timestamp total_seconds days seconds microseconds year "
	"month day hour minute second microsecond weekday isoweekday isocalendar astimezone tzinfo utcoffset utc "
	"timezone toordinal timetuple tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_zone major minor micro "
	"releaselevel serial errno filename strerror lineno msg code reason offset text colno pos line_num fieldnames "
	"writerow writerows writeheader dialect hexdigest digest block_size digest_size findtext iter itertext tag "
	"attrib tail getroot iterfind id col_offset end_lineno body args arg value targets target func attr elts "
	"names module decorator_list returns op orelse test bases keywords ctx asname level type_comment origin "
	"submodule_search_locations parameters ratio get_matching_blocks get_opcodes quick_ratio version metadata "
	"requires project_name key select entry_points ispkg sections options has_section has_option getint getfloat "
	"getboolean read_string read_file namelist infolist getinfo getnames getmembers getmember extractfile testzip "
	"file_size compress_size date_time isfile isdir size mtime mode linkname crc CRC netloc scheme query fragment "
	"hostname port username password params geturl network_address broadcast_address num_addresses prefixlen "
	"hosts is_private is_loopback is_global is_multicast free used sysname nodename release machine columns lines "
	"optimize dev_mode utf8_mode max mant_dig epsilon random randint choice sample shuffle uniform seed int "
	"fields bytes status status_code headers content json raise_for_status getcode info reset_index "
	"drop_duplicates "
	"rename_axis";

/* Attributes of any value, even of an unknown module. */
static const char about[] =
	"__version__ __file__ __name__ __doc__ __path__ __qualname__ __all__ __author__ __module__ __version_info__";

static const char acting_modules[] = "antigravity test idlelib turtledemo turtle setup lib2to3 this";

/* clang-format off */
/* Modules of the standard library of python 2 and 3 (sys.stdlib_module_names), as the first part of a dotted path. */
static const char standard[] =
	"abc aifc annotationlib antigravity argparse array asynchat asyncio asyncore atexit audioop BaseHTTPServer "
	"bdb bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codeop colorsys commands compileall "
	"compression concurrent ConfigParser contextvars copyreg cPickle cProfile crypt cStringIO ctypes curses "
	"dataclasses dbm dircache dis distutils doctest email encodings ensurepip enum errno exceptions faulthandler "
	"fcntl filecmp fileinput fractions ftplib gc genericpath getopt getpass gettext graphlib grp heapq hmac http "
	"httplib idlelib imaplib imghdr imp imputil interpreters java keyword lib2to3 linecache logging lzma mailbox "
	"mailcap marshal mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath "
	"nturl2path numbers opcode optparse org os2 ossaudiodev pdb pickle pickletools pipes plistlib popen2 poplib "
	"posix posixfile posixpath profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat Queue queue "
	"quopri readline reprlib resource rlcompleter runpy sched select selectors shelve signal SimpleHTTPServer "
	"smtpd smtplib sndhdr SocketServer socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl StringIO "
	"stringprep subprocess sunau symtable syslog tabnanny telnetlib tempfile termios this threading timeit "
	"Tkinter tkinter token tokenize trace tracemalloc tty turtle turtledemo types typing unittest urllib2 uu venv "
	"wave weakref webbrowser winreg winsound wsgiref xdrlib xmlrpc zipapp zipimport zoneinfo";

/* Packages whose functions may write, run or load something although their names do not say so, and the short names
 * that programs give to them. In other packages (numpy, pandas), as in the workspace's modules, the name of the
 * function decides. */
static const char packages[] =
	"yaml toml tomli tomllib torch django pkg_resources packaging importlib_metadata sklearn matplotlib plt "
	"seaborn plotly torchvision tensorflow tf keras jax transformers datasets huggingface_hub openai "
	"anthropic requests httpx aiohttp urllib3 flask fastapi uvicorn gunicorn starlette sanic tornado "
	"twisted bottle pydantic sqlalchemy alembic peewee psycopg2 psycopg pymysql MySQLdb pymongo redis "
	"celery boto boto3 botocore google azure docker kubernetes paramiko fabric invoke ansible sh plumbum "
	"pexpect ptyprocess psutil send2trash click typer rich colorama tomlkit ruamel json5 orjson ujson "
	"simplejson msgpack dill cloudpickle joblib pickleshare h5py tables netCDF4 xarray dask ray polars "
	"pyarrow duckdb openpyxl xlrd xlwt xlsxwriter docx pptx PyPDF2 pypdf reportlab cv2 imageio skimage lxml "
	"bs4 selenium playwright scrapy mechanize pytest nose hypothesis mock coverage tox nox pip setuptools "
	"wheel build twine virtualenv poetry hatch hatchling conda cython Cython cffi numba pybind11 gi dbus "
	"Xlib serial usb pyudev jinja2 mako markdown docutils sphinx mypy black isort ruff flake8 pylint jedi "
	"parso rope libcst IPython ipykernel jupyter nbconvert notebook git dulwich pygit2 github gitlab slack "
	"telegram discord tweepy stripe twilio nltk spacy gensim networkx sympy statsmodels shapely geopandas "
	"cryptography nacl jwt bcrypt Crypto OpenSSL certifi six future past watchdog filelock portalocker "
	"appdirs platformdirs path py unipath pathlib2 sarge envoy delegator zmq grpc pika kafka pyspark "
	"airflow prefect luigi gevent eventlet greenlet trio anyio wx PyQt5 PyQt6 PySide2 PySide6 kivy pygame "
	"pyautogui pynput keyboard mouse loguru structlog sentry_sdk dotenv environ arrow pendulum "
	"importlib_resources typing_extensions smart_open fsspec s3fs gcsfs fs onnx onnxruntime gym gymnasium "
	"wandb mlflow optuna faker factory fire docopt zstandard lz4 brotli py7zr rarfile libarchive patoolib "
	"wget pycurl numexpr";

/* Modules, and functions and methods, that write, run or send. A module of the workspace may have imported them. A call
 * through that module is then an act of the text, not of the workspace's code. */
static const char leading_modules[] =
	"os sys shutil subprocess pathlib io builtins importlib ctypes socket tempfile pickle marshal runpy code "
	"codeop pty posix multiprocessing threading operator inspect gc types_ signal urllib http ftplib smtplib "
	"sqlite3 zipfile tarfile logging f2py distutils computation";
static const char acting_names[] =
	"open fdopen file exec eval execfile compile system popen Popen run call "
	"check_call check_output getoutput getstatusoutput startfile remove unlink rmdir rmtree removedirs rename "
	"renames replace mkdir makedirs mkfifo mknod chmod lchmod chown lchown chflags link symlink hardlink_to "
	"symlink_to truncate ftruncate write writev pwrite writelines write_text write_bytes touch copy copy2 "
	"copyfile copyfileobj copytree copymode copystat move make_archive unpack_archive utime setxattr removexattr "
	"fork forkpty kill killpg putenv unsetenv environ chdir fchdir chroot nice abort sendfile import_module "
	"reload Path PosixPath PurePath NamedTemporaryFile TemporaryFile TemporaryDirectory mkstemp mkdtemp mktemp "
	"urlretrieve urlopen Request Session Process Thread Pool ThreadPoolExecutor ProcessPoolExecutor attrgetter "
	"methodcaller getattr setattr CDLL PyDLL dump dumps load loads save savez savetxt to_csv to_json to_parquet "
	"to_pickle tofile extractall extract ZipFile TarFile FileIO TextIOWrapper FileHandler RotatingFileHandler "
	"basicConfig connect create_connection get post put patch delete request send2trash rm cp mv tee dd bash sh "
	"spawn spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe execl execle execlp execlpe execv "
	"execve execvp execvpe posix_spawn posix_spawnp create_subprocess_exec create_subprocess_shell exec_command "
	"subprocess_run runsource runcode run_path run_module runctx execute executemany executescript shell sudo "
	"command commit extract extractall makefile makedir makelink makefifo makedev makeunknown link_to "
	"copy_into move_into write_c14n locate_file detach with_traceback bz2open gzopen taropen xzopen zstopen "
	"fileobject writestr format format_map memmap open_memmap DataSource HDFStore ExcelWriter read_pickle imsave "
	"imwrite savefig savemat to_clipboard to_excel to_feather to_gbq to_hdf to_html to_latex to_markdown to_orc "
	"to_sql to_stata to_xml to_file rundocs runstring load_library load_entry_point get_entry_info "
	"get_entry_map savez_compressed mmwrite hb_write netcdf_file FortranFile NotebookNotary get_handle "
	"open_latin1 zipfile_factory measure";

/* Functions of packages that open a file to read when they get one argument. */
static const char readers[] = "numpy.load PIL.Image.open";

/* Methods of tables (pandas). They write a file only if an argument names it. */
static const char texts[] = "to_csv to_html to_json to_latex to_markdown to_xml";

/* Names of packages that are numbers and types */
static const char numbers[] = "bool_ float16 float32 float64 inf int16 int32 int64 int8 nan newaxis pi uint16 uint32 "
			      "uint64 uint8";

/* clang-format on */

static bool import_acts(const char *path, size_t len)
{
	const char *point = memchr(path, '.', len);

	/* importing unittest.__main__ or venv.__main__ runs it */
	for (size_t i = 0; i + 1 < len; i++)
		if (path[i] == '_' && path[i + 1] == '_')
			return true;
	return zs_code_listed(path, point ? (size_t)(point - path) : len, acting_modules);
}

static bool has_members(const char *root, size_t len)
{
	for (const char *name = modules; *name; name += strlen(name) + 1, name += strlen(name) + 1)
		if (strcspn(name, ".") == len && memcmp(name, root, len) == 0)
			return true;
	return false;
}

/* Does the name say that it changes files: delete_all, cleanup? */
static bool is_announced(const char *name, size_t len)
{
	static const char verbs[] =
		"clean cleanup clear delete deploy destroy drop erase install migrate move overwrite publish purge "
		"push remove rename reset rm rmtree save truncate uninstall unlink update upload wipe write";
	const char *end = memchr(name, '_', len);

	return zs_code_listed(name, end ? (size_t)(end - name) : len, verbs);
}

/* Is it the name of a class, by its case? */
static bool is_class(const char *name)
{
	return *name >= 'A' && *name <= 'Z';
}

/* Does the name not act, in a dotted path or as a method? */
static bool is_harmless(const char *name, size_t len, bool last)
{
	bool counts = last || is_class(name);

	return len && name[0] != '_' && !zs_code_listed(name, len, leading_modules) &&
	       !(counts && (zs_code_listed(name, len, acting_names) || is_announced(name, len)));
}

/* Does the dotted path name a function of the workspace, as far as its names tell? It is neither of python nor of a
 * known package, and has no name of python's own that acts (src.app.os.remove, src.app.open). */
static bool is_own_function(const char *path, size_t len)
{
	const char *end = path + len;
	size_t parts = 0;

	for (const char *name = path, *next; name < end; name = next + 1, parts++) {
		size_t part;

		next = memchr(name, '.', (size_t)(end - name));
		next = next ? next : end;
		part = (size_t)(next - name);
		if (!is_harmless(name, part, next == end) || zs_code_listed(name, part, packages))
			return false;
		if (parts ? (zs_code_use(builtins, name, part) && !is_class(name)) || zs_code_listed(name, part, denied)
			  : zs_code_listed(name, part, standard) || has_members(name, part))
			return false;
	}
	return parts > 1 && !import_acts(path, len);
}

/* These names belong to the module from which the program imports them, or are not bound. */
static const char about_importer[] = "__version__ __file__ __author__";

static bool python_leads_away(const char *name, size_t len)
{
	return len && name[0] == '_';
}

/* Names that the program binds */

static bool python_bind(struct code_text *py, size_t name, size_t module, size_t member)
{
	py->tokens[name].known = true;
	return zs_code_bind(py, (struct code_binding){ (uint16_t)name, (uint16_t)module, (uint16_t)member });
}

static void python_path(struct code_text *py, size_t module, char *ret_path)
{
	const struct code_token *first = &py->tokens[module], *last = &py->tokens[first->mate];
	size_t len = last->start + last->len - first->start;

	memcpy(ret_path, py->text + first->start, len);
	ret_path[len] = '\0';
}

/* May an attribute of this name get a value? Attributes of python's own modules may not: os.environ["X"] = y. */
static bool has_own_attributes(struct code_text *py, size_t name)
{
	char path[CODE_PATH] = "";

	for (size_t i = 0; i < py->bound; i++) {
		const struct code_binding *binding = &py->bindings[i];
		size_t len;

		if (!binding->value || !zs_code_same(py, binding->name, name))
			continue;
		python_path(py, binding->value, path);
		len = strcspn(path, ".");
		if (has_members(path, len) || zs_code_listed(path, len, standard) ||
			zs_code_listed(path, len, packages))
			return false;
	}
	return true;
}

/* Binds the targets of `=`, `for` and `with … as`: names, lists, and parts and attributes of values. */
static bool bind_targets(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		bool name = code_kind(py, i) == CODE_NAME, part = name && i + 1 < to && zs_code_in(py, i + 1, "[ .");

		if (name ? (part ? zs_code_is(py, i + 1, ".") && !has_own_attributes(py, i) : !python_bind(py, i, 0, 0))
			 : !zs_code_in(py, i, ", ( ) [ ] * =") ||
					(code_opens(py, i) && zs_code_ends_operand(py, i - 1)))
			return zs_code_unknown(py, i, i); /* f(x)[y] = … calls f */
		/* d[x].y = …; check_attribute() looks at y */
		while (part && i + 1 < to && zs_code_in(py, i + 1, "[ ."))
			i = zs_code_is(py, i + 1, "[") ? code_mate(py, i + 1) : i + 2;
	}
	return true;
}

static bool bind_parameters(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i = code_opens(py, i) ? code_mate(py, i) + 1 : i + 1)
		if (code_kind(py, i) == CODE_NAME && (i == from || zs_code_in(py, i - 1, ", * **")) &&
			!python_bind(py, i, 0, 0))
			return false;
	return true;
}

/* Reads a.b.c. The last token becomes the mate of the first. */
static bool read_path(struct code_text *py, size_t first)
{
	size_t last = first, start = py->tokens[first].start, len;

	if (code_kind(py, first) != CODE_NAME || zs_code_is_keyword(py, first))
		return zs_code_unknown(py, first, first);
	while (zs_code_is(py, last + 1, ".") && code_kind(py, last + 2) == CODE_NAME && !py->tokens[last + 1].spaced &&
		!py->tokens[last + 2].spaced)
		last += 2;
	len = py->tokens[last].start + py->tokens[last].len - start;
	if (len >= CODE_PATH || import_acts(py->text + start, len))
		return zs_code_unknown(py, first, last);
	py->tokens[first].mate = (uint16_t)last;
	return true;
}

/* Binds the names after import (a.b as c, d), or after from a.b import (c as d, e): then `module` is the token of a.b.
 */
static bool bind_imported(struct code_text *py, size_t from, size_t to, size_t module)
{
	for (size_t i = from; i < to; i++) {
		size_t first = i, name = i;
		bool as;

		if (!module && !read_path(py, first))
			return false;
		i = (module ? first : code_mate(py, first)) + 1;
		as = zs_code_is(py, i, "as");
		if (as) {
			name = i + 1;
			i += 2;
		} else if (!module) {
			py->tokens[first].mate = (uint16_t)first; /* import a.b binds a */
		}
		/* __version__ without `as` needs no binding */
		if ((as || !zs_code_in(py, name, about_importer)) &&
			!python_bind(py, name, module ? module : first, module ? first : 0))
			return false;
		if (i < to && !zs_code_is(py, i, ","))
			return zs_code_unknown(py, i, i);
	}
	return true;
}

static bool bind_import(struct code_text *py, size_t from)
{
	size_t to = from, names;

	while (to < py->count && code_kind(py, to) != CODE_NEWLINE && !zs_code_is(py, to, ";"))
		py->tokens[to++].known = true;
	if (zs_code_is(py, from, "import"))
		return bind_imported(py, from + 1, to, 0);
	if (!read_path(py, from + 1))
		return false;
	names = code_mate(py, from + 1) + 2;
	if (!zs_code_is(py, names - 1, "import") || (zs_code_is(py, names, "(") && code_mate(py, names) + 1 != to))
		return zs_code_unknown(py, names - 1, names);
	return zs_code_is(py, names, "(") ? bind_imported(py, names + 1, to - 1, from + 1)
					  : bind_imported(py, names, to, from + 1);
}

static bool bind_statements(struct code_text *py)
{
	size_t start = 1, lambdas = 0;

	for (size_t i = 1; i < py->count; i = code_opens(py, i) ? code_mate(py, i) + 1 : i + 1) {
		bool colon = zs_code_is(py, i, ":");

		if (i == start && zs_code_in(py, i, "import from") && !bind_import(py, start))
			return false;
		if (i == start && zs_code_is(py, i, "async"))
			start = ++i;
		if (i == start && zs_code_is(py, i, "def") &&
			!(zs_code_is(py, i + 2, "(") && python_bind(py, i + 1, 0, 0) &&
				bind_parameters(py, i + 3, code_mate(py, i + 2))))
			return zs_code_unknown(py, i, i + 1);
		lambdas += zs_code_is(py, i, "lambda");
		if (!lambdas && zs_code_in(py, i, "= += -= *= /= //= %= **= &= |= ^= <<= >>=") &&
			!bind_targets(py, start, i))
			return false;
		if (code_kind(py, i) == CODE_NEWLINE || zs_code_is(py, i, ";") || (colon && !lambdas)) {
			start = i + 1;
			lambdas = 0;
		}
		lambdas -= colon && lambdas;
	}
	return true;
}

/* Constructs that bind names anywhere: for x in, lambda x:, x :=, with … as x. */
static bool python_bind_token(struct code_text *py, size_t i)
{
	bool lambda = zs_code_is(py, i, "lambda");
	const char *stop = lambda ? ":" : "in";
	size_t end = i;

	if (i == 1 && !bind_statements(py))
		return false;
	if (py->tokens[i].known)
		return true;
	if (zs_code_is(py, i, ":="))
		return python_bind(py, i - 1, 0, 0);
	if (zs_code_is(py, i, "as"))
		return zs_code_in(py, i + 2, ". [ (") ? zs_code_unknown(py, i + 1, i + 2)
						      : python_bind(py, i + 1, 0, 0);
	if (!lambda && !zs_code_is(py, i, "for"))
		return true;
	while (end < py->count && !code_closes(py, end) && !zs_code_is(py, end, stop))
		end = code_opens(py, end) ? code_mate(py, end) + 1 : end + 1;
	return (zs_code_is(py, end, stop) &&
		       (lambda ? bind_parameters(py, i + 1, end) : bind_targets(py, i + 1, end))) ||
	       zs_code_unknown(py, i, i);
}

/* Uses */

static bool is_read_mode(const struct code_text *py, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(py, token, &len);

	return text && zs_code_listed(text, len, "r rt tr rb br r:gz r:bz2 r:xz r:* r| r|* r|gz");
}

/* Does open(file, "r", encoding="utf-8") only read? `place` is the index of the mode among the arguments. */
static bool opens_to_read(struct code_text *py, size_t open, size_t place)
{
	size_t argument = 0, end = code_mate(py, open);

	if (!zs_code_is(py, open, "("))
		return false;
	for (size_t i = open + 1, to; i < end; i = to + 1, argument++) {
		bool named = zs_code_is(py, i + 1, "="), mode = named ? zs_code_is(py, i, "mode") : argument == place;

		bool known = argument <= place && !zs_code_in(py, i, "* **");

		to = zs_code_find(py, i, end, ",");
		if (mode)
			known = to == i + (named ? 3 : 1) && is_read_mode(py, to - 1);
		else if (named)
			known = zs_code_in(py, i, "encoding errors newline file name");
		if (!known)
			return zs_code_unknown(py, open - 1, end);
	}
	return true;
}

static bool python_reads(struct code_text *py, size_t open)
{
	return opens_to_read(py, open, 1);
}

/* Is type(x), or the name of that type, only shown? */
static bool is_type_shown(struct code_text *py, struct code_place place)
{
	size_t open = place.last + 1;

	place.last = code_mate(py, open);
	if (!zs_code_is(py, open, "(") || zs_code_find(py, open + 1, place.last, ",") != place.last)
		return zs_code_unknown(py, place.first, place.first);
	py->tokens[open].mark = MARK_SHOWS;
	if (zs_code_is(py, place.last + 1, "."))
		return zs_code_in(py, place.last + 2, "__name__ __qualname__ __module__");
	return zs_code_is_shown(py, place) || zs_code_unknown(py, place.first, place.last);
}

/* A call of a function of the workspace runs the workspace's code, as a script does. The result is a plain value. */
static bool python_check_rest(struct code_text *py, const char *path, struct code_place place)
{
	size_t open = place.last + 1;
	bool argument = (is_class(py->text + py->tokens[place.last].start) || zs_code_in(py, place.last, numbers)) &&
			zs_code_in(py, place.first - 1, "( , = - except") && zs_code_in(py, open, ") , : as");

	if (zs_code_listed(path, strlen(path), readers))
		return zs_code_is(py, open, "(") &&
		       zs_code_find(py, open + 1, code_mate(py, open), ", * **") == code_mate(py, open);
	return ((argument || zs_code_is(py, open, "(")) && is_own_function(path, strlen(path))) ||
	       zs_code_is_shown(py, place);
}

static bool python_check_name(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;

	/* f(name=…) */
	if (zs_code_is(py, at + 1, "=") && zs_code_is(py, place.open, "(") && zs_code_in(py, at - 1, "( ,"))
		return !code_starts(py, py->tokens[at].start, "__");
	if (zs_code_is_keyword(py, at) || zs_code_in(py, at, about_importer))
		return true;
	if (zs_code_is(py, at, "type"))
		return is_type_shown(py, place);
	/* in python 2 these names are builtins until the program assigns them, so they may not be called or passed on
	 */
	return zs_code_check_name(py, place, ret_last) &&
	       (!zs_code_in(py, at, "file input") || zs_code_in(py, at + 1, ". [ == != in") ||
		       zs_code_is_shown(py, place));
}

/* Are all arguments from here to `end` named, with names of the list? */
static bool has_only(struct code_text *py, size_t from, size_t end, const char *names)
{
	for (size_t i = from; i < end; i = zs_code_find(py, i, end, ",") + 1)
		if (!zs_code_in(py, i, names) || !zs_code_is(py, i + 1, "="))
			return false;
	return true;
}

/* Are there two arguments without names, or a dictionary? Then it is replace() of a text or a table: pathlib's takes
 * one path. */
static bool replaces_text(struct code_text *py, size_t open)
{
	size_t end = code_mate(py, open), comma = zs_code_find(py, open + 1, end, ",");
	size_t next = comma < end ? zs_code_find(py, comma + 1, end, ",") : end;

	if (zs_code_is(py, open + 1, "{"))
		return code_mate(py, open + 1) + 1 == end;
	return zs_code_is(py, open, "(") && comma + 1 < end && zs_code_find(py, open + 1, next, "* ** =") == next &&
	       (next == end || has_only(py, next + 1, end, "regex case flags"));
}

/* The first token of the value before an attribute: f of f(x)[y].attribute. */
static size_t value_start(struct code_text *py, size_t at)
{
	while (zs_code_is(py, at - 1, ".")) {
		at -= 2;
		while (code_closes(py, at) && zs_code_ends_operand(py, code_mate(py, at) - 1))
			at = code_mate(py, at) - 1;
		at = code_closes(py, at) ? code_mate(py, at) : at;
	}
	return at;
}

static bool imports(struct code_text *py, const char *root)
{
	char path[CODE_PATH] = "";

	for (size_t i = 0; i < py->bound; i++) {
		if (!py->bindings[i].value)
			continue;
		python_path(py, py->bindings[i].value, path);
		if (strcspn(path, ".") == strlen(root) && strncmp(path, root, strlen(root)) == 0)
			return true;
	}
	return false;
}

static bool imports_own_module(struct code_text *py)
{
	char path[CODE_PATH + CODE_PATH];
	size_t len;

	for (size_t i = 0; i < py->bound; i++) {
		const struct code_binding *binding = &py->bindings[i];
		const struct code_token *member = &py->tokens[binding->member];

		if (!binding->value)
			continue;
		python_path(py, binding->value, path);
		len = strlen(path);
		snprintf(path + len, sizeof path - len, ".%.*s", binding->member ? (int)member->len : 1,
			binding->member ? py->text + member->start : "f");
		if (is_own_function(path, strlen(path)))
			return true;
	}
	return false;
}

/* Does agg("mean"), apply(f, axis=1) or agg(x=("column", "mean")) pass nothing on to the method that a text names? */
static bool passes_nothing_on(struct code_text *py, size_t open)
{
	size_t end = code_mate(py, open), first = zs_code_find(py, open + 1, end, ",");

	if (!zs_code_is(py, open + 2, "="))
		return !zs_code_in(py, open + 1, "* **") && has_only(py, first + 1, end, "axis raw result_type");
	for (size_t i = open + 1; i < end; i = zs_code_find(py, i, end, ",") + 1)
		if (zs_code_in(py, i, "func args * **") || !zs_code_is(py, i + 1, "=") || !zs_code_is(py, i + 2, "("))
			return false;
	return true;
}

/* Is it a query without a call: df.query("a > 1")? */
static bool is_plain_query(struct code_text *py, size_t open)
{
	size_t len;
	const char *text = zs_code_literal(py, open + 1, &len);

	return text && code_mate(py, open) == open + 2 && !memchr(text, '(', len);
}

/* Checks the methods of tables whose arguments decide. False: the name is that of no such method. */
static bool check_table(struct code_text *py, struct code_place place, bool *ret_known)
{
	size_t at = place.first, open = at + 1, end = code_mate(py, open);
	bool called = zs_code_is(py, open, "("), text = zs_code_in(py, at, texts);
	bool passes = zs_code_in(py, at, "agg aggregate apply transform"), query = zs_code_in(py, at, "query");

	if (!called) {
		place.first = value_start(py, at);
		*ret_known = zs_code_is_shown(py, place);
		return text || passes || (query && imports_own_module(py));
	}
	if (text)
		*ret_known = has_only(py, open + 1, end, "columns float_format header index na_rep orient sep indent");
	else if (passes)
		*ret_known = passes_nothing_on(py, open);
	else if (query)
		*ret_known = is_plain_query(py, open);
	else if (zs_code_in(py, at, "drop rename") && end > open + 1)
		*ret_known = has_only(py, open + 1, end, "columns index axis inplace");
	else
		return false;
	return true;
}

/* Is it an attribute that no object of python's own has under this name, as far as it acts? These lead from a
 * generator, a function or an exception to everything else: gi_frame, f_globals, func_globals. */
static bool is_own_attribute(struct code_text *py, size_t at)
{
	static const char *const inner[] = { "ag_", "co_", "cr_", "f_", "func_", "gi_", "im_", "tb_" };
	/* The first part of names of methods that run a text or write a file: run_command, create_file. */
	static const char verbs[] = "call cmd command create dump exec execute export make mkdir run shell spawn sudo "
				    "subprocess system";
	const struct code_token *token = &py->tokens[at];
	const char *name = py->text + token->start, *end = memchr(name, '_', token->len);

	if (zs_code_listed(name, end ? (size_t)(end - name) : token->len, verbs))
		return false;
	for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
		if (code_starts(py, token->start, inner[i]))
			return false;
	/* of a parameter: shutil.copy2 of copytree() */
	if (zs_code_is(py, at, "default") && imports(py, "inspect"))
		return false;
	return is_harmless(name, token->len, true) && !zs_code_in(py, at, denied) && imports_own_module(py);
}

/* Checks the attribute of a value that is no module. */
static bool check_attribute(struct code_text *py, struct code_place place)
{
	size_t at = place.first;
	bool known;

	if (zs_code_is(py, at, "__class__"))
		return zs_code_is(py, at + 1, ".") && zs_code_in(py, at + 2, "__name__ __qualname__");
	if (zs_code_is(py, at, "open"))
		return opens_to_read(py, at + 1, 0);
	if (zs_code_is(py, at, "replace") && !replaces_text(py, at + 1))
		return false;
	if (zs_code_is(py, at, "copy") && !(zs_code_is(py, at + 1, "(") && zs_code_is(py, at + 2, ")")))
		return false;
	if (check_table(py, place, &known))
		return known;
	if (zs_code_in(py, at, about) || zs_code_in(py, at, attributes) || is_own_attribute(py, at))
		return true;
	place.first = value_start(py, at);
	return !code_starts(py, py->tokens[at].start, "_") && zs_code_is_shown(py, place);
}

static bool python_check_token(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;

	if (code_kind(py, at) != CODE_NAME)
		return true;
	return zs_code_is(py, at - 1, ".") ? check_attribute(py, place) : python_check_name(py, place, ret_last);
}

static const struct code_language python = {
	.signs = "... **= //= >>= <<= -> := == != <= >= += -= *= /= %= &= |= ^= << >> ** // + - * / % = < > & "
		 "| ^ ~ , : ; .",
	.number_end = "jJ",
	.quotes = "'\"",
	.field = "{",
	.refused = "\r",
	.hash_comments = true,
	.newlines = true,
	.python = true,
	.bare_point = true,
	.continued = true,
	.keywords = keywords,
	.globals = builtins,
	.denied = denied,
	.members = modules,
	.about = about,
	.points = ".",
	.looks = "is",
	.bind = python_bind_token,
	.check = python_check_token,
	.leads_away = python_leads_away,
	.path = python_path,
	.reads = python_reads,
	.check_rest = python_check_rest,
};

struct zs_filter zs_filter_python(const char *program, size_t len)
{
	return zs_code_judge(program, len, &python);
}
