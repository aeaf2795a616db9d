// zs for Node: see README.md, and index.d.ts for what each function takes.
import * as child from "node:child_process";
import { accessSync, closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync,
	statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A confined command's status when it did not run. */
export const CANNOT_ENFORCE = 125;
/** A confined command's status when it was ended, since a program outside replaced a protected file. */
export const UNPROTECTED = 122;

const PROTOCOL = 1;
const ANSWER_MAX = 16 * 1024 * 1024;
const MS_TO_CHECK = 60000;

/** zs is missing, has another version, refuses the policy, or does not answer. Nothing has run. */
export class ZsError extends Error {
	name = "ZsError";
}

/** The box has ended before the command did, or somebody inside has killed the process of zs that served it. The
 * command has run, and has no status. */
export class BoxLost extends ZsError {
	name = "BoxLost";
}

/** A text was vetted and is not to run. */
export class Blocked extends ZsError {
	name = "Blocked";
	constructor(decision) {
		super(`blocked (${decision.code}): ${decision.reason}`);
		this.decision = decision;
	}
}

function isProgram(path) {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Returns the path of the zs that the same package brought for this platform. */
function packedZs() {
	const path = fileURLToPath(new URL(`./bin/${process.platform}-${process.arch}/zs`, import.meta.url));
	return isProgram(path) ? path : undefined;
}

/** Returns the absolute path of zs. */
function findZs(zs) {
	const wanted = zs ?? (process.env.ZS_PROGRAM || (packedZs() ?? "zs"));
	// An entry that is not absolute leads to the working directory, where a command may have put a zs of its own.
	const folders = wanted.includes("/") ? [""] : (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
	const found = folders.map((folder) => resolve(join(folder, wanted))).find(isProgram);
	if (!found)
		throw new ZsError(`${wanted}: no such program; install zs, or name it by ZS_PROGRAM`);
	return found;
}

const VALUES = { workspace: "workspace", root: "root", gitBase: "git-base", network: "net", git: "git", tmp: "tmp",
	caches: "caches" };
const LISTS = { read: "ro", write: "rw", exec: "exec", protect: "protect", hide: "hide", sockets: "socket",
	hosts: "host", env: "env", without: "without" };
const PAIRS = { setenv: "setenv", limits: "limit" };
const OTHERS = ["json", "rootUser", "users", "verify", "settings"];

/** The input of a zs that gets the policy's options. */
function jsonOf({ json }) {
	return json === undefined || typeof json === "string" ? json ?? "" : JSON.stringify(json);
}

/** Returns the options of zs run. An unknown field is an error: a misspelt one would have no effect. */
function optionsOf(policy) {
	const options = policy.json === undefined ? [] : ["--policy=-"];
	for (const [field, value] of Object.entries(policy)) {
		if (value === undefined)
			continue;
		if (Object.hasOwn(VALUES, field)) {
			options.push(`--${VALUES[field]}=${value}`);
		} else if (Object.hasOwn(LISTS, field)) {
			if (!Array.isArray(value))
				throw new TypeError(`policy: ${field} is a list`);
			options.push(...value.map((item) => `--${LISTS[field]}=${item}`));
		} else if (Object.hasOwn(PAIRS, field)) {
			options.push(...Object.entries(value).map(([key, item]) => `--${PAIRS[field]}=${key}=${item}`));
		} else if (!OTHERS.includes(field)) {
			throw new TypeError(`policy: there is no field '${field}'`);
		}
	}
	if (policy.rootUser)
		options.push("--root-user");
	if (policy.users)
		options.push("--users");
	if (policy.verify)
		options.push("--verify");
	if (policy.settings === false)
		options.push("--no-settings");
	return options;
}

/** Reads the output of zs run --print-sandbox. */
function readSandbox(printed) {
	let answer, workspace;
	try {
		answer = JSON.parse(printed);
		workspace = JSON.parse(answer.env.ZS_SANDBOX_POLICY).workspace?.root;
	} catch (cause) {
		throw new ZsError("zs: its answer cannot be understood; is it another version?", { cause });
	}
	if (answer.protocol !== PROTOCOL || JSON.stringify(answer.argv) !== '["shim","--"]' ||
		Object.values(answer.env).some((value) => typeof value !== "string"))
		throw new ZsError(`zs: speaks another protocol than ${PROTOCOL}; install the zs of this package`);
	return { argv: answer.argv, env: answer.env, workspace };
}

/** Opens a file without a name, which gets the records of one run. */
function openRecords() {
	const folder = mkdtempSync(join(tmpdir(), "zs-"));
	try {
		return openSync(join(folder, "records"), "wx+", 0o600);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Adds the records to the list, and closes the file. Without a last line zs was killed, and the list lacks some. */
function takeRecords(file, list) {
	const bytes = Buffer.alloc(fstatSync(file).size);
	const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0));
	closeSync(file);
	const lines = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
	if (lines.at(-1)?.event !== "end")
		process.emitWarning("zs: the list of denials has no end", "ZsWarning");
	for (const { event, ...denial } of lines)
		if (event === "denied")
			list.push(denial);
}

/** Returns the standard descriptors with one more, and its number. */
function withDescriptor(stdio = "pipe", file) {
	const all = Array.isArray(stdio) ? [...stdio] : [stdio, stdio, stdio];
	const number = Math.max(all.length, 3);
	all[number] = file;
	return [Array.from(all), number]; // node takes no holes
}

// Variables that zs must not get: loaders obey the first before zs begins, and zs refuses a second policy or
// descriptor.
const NOT_FOR_ZS = /^(LD_|DYLD_|ZS_SANDBOX_)/;

/** A policy that this machine can enforce, for any number of commands. */
export class Sandbox {
	#argv;
	#env;
	#vetter;

	constructor(policy = {}, { zs } = {}) {
		this.zs = findZs(zs);
		const argv = ["run", ...optionsOf(policy), "--print-sandbox"];
		const done = child.spawnSync(this.zs, argv, { encoding: "utf8", input: jsonOf(policy),
			timeout: MS_TO_CHECK, killSignal: "SIGKILL", maxBuffer: ANSWER_MAX });
		if (done.error)
			throw new ZsError(`zs: ${done.error.message}`, { cause: done.error });
		const said = done.stderr.trim();
		if (done.status !== 0)
			throw new ZsError(said || `zs: ended with ${done.status ?? done.signal}`);
		if (said)
			process.emitWarning(said, "ZsWarning");
		const answer = readSandbox(done.stdout);
		this.#argv = answer.argv;
		this.#env = answer.env;
		this.workspace = answer.workspace;
		this.#vetter = new Vetter({ zs: this.zs });
	}

	/** Any call that starts the result, with the whole argv and env, starts the command confined. */
	wrap(argv, env = process.env) {
		if (!Array.isArray(argv) || argv.length === 0 || argv.some((word) => typeof word !== "string"))
			throw new TypeError("wrap: a command is a list of words; for a text see bash()");
		const kept = Object.entries(env).filter(([name]) => !NOT_FOR_ZS.test(name));
		return { argv: [this.zs, ...this.#argv, ...argv], env: { ...Object.fromEntries(kept), ...this.#env } };
	}

	#prepare(name, file, args, options) {
		for (const option of ["shell", "argv0"])
			if (options[option])
				throw new TypeError(`${name}: ${option}: cannot be had confined; see bash()`);
		const { argv, env } = this.wrap([file, ...args], options.env);
		return [argv[0], argv.slice(1), { ...options, env, cwd: options.cwd ?? this.workspace, shell: false }];
	}

	/** Calls child_process.spawn() or spawnSync(). Returns what it returns, and what takes the records. */
	#start(name, file, args, options) {
		const [path, words, { denials, ...rest }] = this.#prepare(name, file, ...argsAndOptions(args, options));
		if (denials === undefined)
			return [child[name](path, words, rest), () => {}];
		if (!Array.isArray(denials))
			throw new TypeError(`${name}: denials is a list, which gets the records`);
		const records = openRecords();
		const [stdio, number] = withDescriptor(rest.stdio, records);
		let started;
		try {
			const told = [words[0], `--denials=fd:${number}`, ...words.slice(1)];
			started = child[name](path, told, { ...rest, stdio });
		} finally {
			if (!started?.pid)
				closeSync(records);
		}
		return [started, () => started.pid && takeRecords(records, denials)];
	}

	/** child_process.spawn(), confined. Killing the process ends every process that the command has started.
	 * denials: a list that has what zs refused at the event "exit". It tells what exists outside, so it is not for
	 * the command. */
	spawn(file, args, options) {
		const [started, take] = this.#start("spawn", file, args, options);
		started.once("exit", take);
		return started;
	}

	/** child_process.spawnSync(), confined. denials: as in spawn(). */
	spawnSync(file, args, options) {
		const [done, take] = this.#start("spawnSync", file, args, options);
		take();
		return done;
	}

	/** child_process.execFile(), confined. Without a callback it returns a promise of { stdout, stderr }. */
	execFile(file, args, options, callback) {
		if (typeof args === "function")
			return this.execFile(file, [], {}, args);
		if (typeof options === "function")
			return this.execFile(file, args, undefined, options);
		const prepared = this.#prepare("execFile", file, ...argsAndOptions(args, options));
		if (prepared[2].denials !== undefined)
			throw new TypeError("execFile: denials: goes with spawn(), spawnSync() and bash()");
		if (callback)
			return child.execFile(...prepared, callback);
		return new Promise((settle, fail) => child.execFile(...prepared, (error, stdout, stderr) =>
			error ? fail(Object.assign(error, { stdout, stderr })) : settle({ stdout, stderr })));
	}

	/** Returns a promise of the process that runs a text in bash, confined. vet: the profile to vet the text by
	 * first. */
	async bash(text, { vet, ...options } = {}) {
		if (typeof text !== "string")
			throw new TypeError("bash: a text is a string");
		if (vet !== undefined) {
			const decision = await this.#vetter.vet(text, vet, options.cwd ?? this.workspace);
			if (!decision.allowed)
				throw new Blocked(decision);
		}
		return this.spawn("bash", ["--norc", "-c", "--", text], options);
	}
}

/** Runs zs box. Returns its status and outputs. */
function callBox(zs, words, input = "") {
	return new Promise((settle, fail) => {
		const started = child.spawn(zs, ["box", ...words], { stdio: "pipe" });
		const outputs = { stdout: [], stderr: [] };
		for (const name of ["stdout", "stderr"])
			started[name].on("data", (bytes) => outputs[name].push(bytes));
		started.on("error", (cause) => fail(new ZsError(`zs: ${cause.message}`, { cause })));
		started.on("close", (status, signal) => settle({ status, signal, stdout: Buffer.concat(outputs.stdout),
			stderr: Buffer.concat(outputs.stderr).toString().trim() }));
		started.stdin.on("error", () => {}); // a command need not read it
		started.stdin.end(input);
	});
}

function boxError({ status, signal, stderr }, cause) {
	return new ZsError(stderr || `zs box: ended with ${status ?? signal}`, { cause });
}

const FILE_ERRORS = { "no such file or directory": "ENOENT", "not a directory": "ENOTDIR", "is a directory": "EISDIR",
	"permission denied": "EACCES", "operation not permitted": "EPERM", "read-only file system": "EROFS",
	"no space left on device": "ENOSPC", "file exists": "EEXIST" };

/** With the code that the text names, as errors of node:fs have one. */
function fileError(text, path) {
	const said = text.slice(text.lastIndexOf("zs: ") + 4);
	const cause = said.slice(said.lastIndexOf(": ") + 2);
	return Object.assign(new Error(said),
		{ code: cause.startsWith("is larger than ") ? "EFBIG" : FILE_ERRORS[cause], path });
}

/** Reads the line of zs box exec --json. */
function readResult(done) {
	let line;
	try {
		line = JSON.parse(done.stdout);
		if (!("failure" in line) || typeof line.stdout !== "string" || typeof line.stderr !== "string")
			throw new Error("not a result");
	} catch (cause) {
		throw boxError(done, cause);
	}
	if (line.failure !== null || (line.status === null) !== line.timed_out)
		throw line.failure === "lost"
			? Object.assign(new BoxLost(line.message), { ended: line.ended, limits: line.limits })
			// Why the command could not be started stands where its own errors would.
			: new ZsError(line.message +
				(line.failure === "not-run" && line.stderr ? `: ${line.stderr.trim()}` : ""));
	const { status, signal, stdout, stderr, policy, image, denials, ended, limits } = line;
	return { status, signal, timedOut: line.timed_out, stdout, stderr, stdoutTruncated: line.stdout_truncated,
		stderrTruncated: line.stderr_truncated, policy, image, denials, denialsOthers: line.denials_others,
		denialsBlind: line.denials_blind, ended, limits,
		enforced: { tier: line.enforced.tier, eachProcess: line.enforced.each_process } };
}

/** A place that lives on between commands: /tmp, processes and network stay until it is closed, or until its owner
 * ends. Every failure of zs is an exception, and so never a command's status. */
export class Box {
	/** Names a box that is there; create() makes one. */
	constructor(id, { zs, token } = {}) {
		this.zs = findZs(zs);
		this.id = id;
		this.#token = token;
	}

	#token;

	/** owner: the box ends with this process. snapshot: a name that save() got. token: cut() takes the policy's
	 * hosts until giveBack(), not for good. */
	static async create(policy = {}, { zs, owner = process.pid, snapshot, token = false } = {}) {
		const path = findZs(zs);
		const words = ["create", `--owner=${owner}`, ...(token ? ["--token"] : []),
			...(snapshot === undefined ? [] : [`--from=${snapshot}`])];
		const done = await callBox(path, [...words, ...optionsOf(policy)], jsonOf(policy));
		if (done.status !== 0)
			throw boxError(done);
		const [id, own] = done.stdout.toString().split("\n");
		return new Box(id, { zs: path, token: own });
	}

	/** The boxes of this user. */
	static async list({ zs } = {}) {
		const done = await callBox(findZs(zs), ["list", "--json"]);
		if (done.status !== 0)
			throw boxError(done);
		return done.stdout.toString().split("\n").slice(0, -1).map((line) => JSON.parse(line));
	}

	/** Runs a command. timeout: milliseconds, rounded up to seconds. maxOutput: bytes of each output that are kept,
	 * 10 MiB by default. user: "user" or "user:group", names or numbers of the box, whose policy has `users`. */
	async exec(argv, { cwd, env = {}, timeout, input, maxOutput, user } = {}) {
		if (!Array.isArray(argv) || argv.length === 0 || argv.some((word) => typeof word !== "string"))
			throw new TypeError("exec: a command is a list of words, such as ['bash', '-c', text]");
		if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0))
			throw new TypeError("exec: timeout is a number of milliseconds");
		const options = Object.entries(env).map(([name, value]) => `--variable=${name}=${value}`);
		if (cwd !== undefined)
			options.push(`--cwd=${cwd}`);
		if (timeout !== undefined)
			options.push(`--timeout=${Math.ceil(timeout / 1000)}`);
		if (maxOutput !== undefined)
			options.push(`--max-output=${maxOutput}`);
		if (user !== undefined)
			options.push(`--user=${user}`);
		const words = ["exec", this.id, "--json", ...options, "--", ...argv];
		return readResult(await callBox(this.zs, words, input));
	}

	/** Writes a file, and makes the folders above it. */
	async put(path, data, { mode = 0o644, user } = {}) {
		const options = user === undefined ? [] : [`--user=${user}`];
		await this.#copy(["put", `--mode=${mode.toString(8)}`, ...options, this.id, "-", path], path, data);
	}

	/** Reads a file of at most maxOutput bytes (1 GiB). */
	async get(path, { maxOutput, user } = {}) {
		const options = maxOutput === undefined ? [] : [`--max-output=${maxOutput}`];
		if (user !== undefined)
			options.push(`--user=${user}`);
		return this.#copy(["get", ...options, this.id, path, "-"], path);
	}

	/** Keeps the box's /tmp and, if it has one, its root directory as a snapshot of this name. */
	async save(name) {
		await this.#call(["save", this.id, name]);
	}

	/** The box's policy, which Policy's json takes. */
	async policy() {
		return JSON.parse((await this.#call(["policy", this.id])).stdout);
	}

	/** Ends all connections that leave the box, for good; if it has a token, until giveBack(). */
	async cut() {
		await this.#call(["policy", this.id, "--net=none"]);
	}

	/** Gives the box the hosts back that cut() has taken. */
	async giveBack() {
		const done = await callBox(this.zs, ["policy", this.id, "--net=hosts"], `${this.#token ?? ""}\n`);
		if (done.status !== 0)
			throw boxError(done);
	}

	/** Ends the box with all its processes. It may have ended already. */
	async close() {
		await this.#call(["close", this.id], [0, 1]);
	}

	async #call(words, good = [0]) {
		const done = await callBox(this.zs, words);
		if (!good.includes(done.status))
			throw boxError(done);
		return done;
	}

	async #copy(words, path, data) {
		const done = await callBox(this.zs, words, data);
		if (done.status === 1)
			throw fileError(done.stderr, path);
		if (done.status !== 0)
			throw boxError(done);
		return done.stdout;
	}
}

function argsAndOptions(args = [], options = {}) {
	if (typeof args !== "object" || typeof options !== "object")
		throw new TypeError("args is a list of words, options an object");
	return Array.isArray(args) ? [args, options] : [[], args];
}

function readAnswer(line) {
	const answer = JSON.parse(line);
	const { verdict, code, reason, hint, risks, span } = answer;
	const allowed = verdict === "allow" && code === null;
	if (code === "bad_input")
		throw new ZsError(`zs vet --batch: ${reason}`);
	const refused = (verdict === "block" || verdict === "ask") && typeof code === "string";
	if (!(allowed || refused) || typeof reason !== "string" || typeof hint !== "string" || !Array.isArray(risks))
		throw new Error("not an answer");
	return { id: answer.id, decision: { allowed, code, reason, hint, risks, span } };
}

/** The absolute path of what spawn() takes as a directory. */
function placeOf(cwd) {
	return resolve(cwd instanceof URL ? fileURLToPath(cwd) : cwd);
}

/** Vets texts in one process of zs vet --batch, which is started when it is needed, and again when it has died. */
export class Vetter {
	#server = null;
	#id = 0;

	constructor({ zs, timeout = 10000 } = {}) {
		this.zs = findZs(zs);
		this.timeout = timeout;
	}

	async vet(text, profile = "strict", cwd = process.cwd()) {
		if (typeof text !== "string" || typeof profile !== "string")
			throw new TypeError("vet: text and profile are strings");
		for (let attempt = 1;; attempt++) {
			const server = this.#server ?? this.#start();
			try {
				return await this.#ask(server, text, profile, placeOf(cwd));
			} catch (error) {
				if (!error.ended || attempt === 2)
					throw error;
			}
		}
	}

	close() {
		if (this.#server)
			this.#end(this.#server, new ZsError("zs vet --batch: it was closed"));
	}

	#ask(server, text, profile, cwd) {
		const id = ++this.#id;
		return new Promise((settle, fail) => {
			const late = new ZsError(`zs vet --batch: no answer within ${this.timeout} ms`);
			const timer = setTimeout(() => this.#end(server, late), this.timeout);
			const done = (call) => (value) => {
				clearTimeout(timer);
				call(value);
			};
			server.waiting.push({ id, settle: done(settle), fail: done(fail) });
			server.process.stdin.write(JSON.stringify({ id, cmd: text, profile, cwd }) + "\n");
		});
	}

	/** The requests' timers keep this process alive while they wait; the server alone does not. */
	#start() {
		const stdio = ["pipe", "pipe", "ignore"];
		const process = child.spawn(this.zs, ["vet", "--batch"], { stdio, cwd: "/" });
		const server = { process, waiting: [], heard: "" };
		const ended = (what) =>
			this.#end(server, Object.assign(new ZsError(`zs vet --batch: ${what}`), { ended: true }));
		process.on("error", (error) => ended(error.message));
		process.on("close", () => ended("ended without an answer; is it another version?"));
		process.stdin.on("error", (error) => ended(error.message));
		process.stdout.on("error", (error) => ended(error.message));
		process.stdout.setEncoding("utf8");
		process.stdout.on("data", (text) => this.#hear(server, text));
		for (const handle of [process, process.stdin, process.stdout])
			handle.unref?.();
		this.#server = server;
		return server;
	}

	#hear(server, text) {
		const lines = (server.heard + text).split("\n");
		server.heard = lines.pop();
		try {
			if (server.heard.length > ANSWER_MAX)
				throw new Error("an endless answer");
			for (const line of lines) {
				const { id, decision } = readAnswer(line);
				if (id !== server.waiting[0]?.id)
					throw new Error("an answer to something else");
				server.waiting.shift().settle(decision);
			}
		} catch (cause) {
			this.#end(server, cause instanceof ZsError ? cause :
				new ZsError(`zs vet --batch: ${cause.message}; is it another version?`, { cause }));
		}
	}

	/** Ends the server, so that its later output is not taken for an answer. */
	#end(server, error) {
		if (this.#server === server)
			this.#server = null;
		server.process.stdout?.removeAllListeners("data");
		server.process.kill("SIGKILL");
		server.process.stdin?.destroy();
		server.process.stdout?.destroy();
		for (const { fail } of server.waiting.splice(0))
			fail(error);
	}
}

let shared;

/** May this text run? One process answers all callers. */
export async function vet(text, profile, cwd) {
	shared ??= new Vetter();
	return shared.vet(text, profile, cwd);
}
