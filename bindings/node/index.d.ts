import type { ChildProcess, ExecFileException, ExecFileOptions, SpawnOptions, SpawnSyncOptions,
	SpawnSyncReturns } from "node:child_process";

/** strict blocks directory changes, redirections and text that zs cannot inspect; verify also blocks changes of
 * files. */
export type Profile = "strict" | "relaxed" | "verify" | "guard";

/** The files, hosts and variables that a command may reach: the options of `zs run`. They add to the default
 * policy and the settings of user and workspace; `json` replaces both. */
export interface Policy {
	/** The folder that commands may write (default: this directory). Not with json, which names it. */
	workspace?: string;
	/** A folder that commands see as "/", under a layer of their own. */
	root?: string;
	/** They are root in there. */
	rootUser?: boolean;
	/** The same, with other users beside root, whom Box.exec() takes. It needs subordinate ids. */
	users?: boolean;
	/** A commit: they see the workspace's repository as one that ends there. */
	gitBase?: string;
	/** A whole policy, as `zs run --print-policy` prints one. */
	json?: object | string;
	read?: string[];
	write?: string[];
	exec?: string[];
	protect?: string[];
	hide?: string[];
	sockets?: string[];
	hosts?: string[];
	/** Names that pass; NAME* for a prefix. */
	env?: string[];
	setenv?: Record<string, string>;
	/** Such as { wall: "30s", memory: "512M" }. */
	limits?: Record<string, string | number>;
	without?: string[];
	network?: "none" | "hosts" | "full";
	git?: "protect" | "allow";
	tmp?: "private" | "shared";
	caches?: "private" | "auto" | "tasks" | "shared";
	/** Changes to the workspace are thrown away. */
	verify?: boolean;
	settings?: boolean;
}

/** The path of zs; by default ZS_PROGRAM, else the one of this package, else the one in PATH. No confined command may
 * be able to write that file. */
export interface Where {
	zs?: string;
}

/** The answer of the first wall to a text. Check `allowed`: the object itself is always truthy. */
export interface Decision {
	allowed: boolean;
	code: string | null;
	reason: string;
	hint: string;
	risks: string[];
	/** The place, in bytes of the text's UTF-8. */
	span: { start: number; end: number } | null;
}

/** One access that zs refused; docs/refused.md tells which it sees. */
export interface Denial {
	/** Such as "write", "exec", "connect", "system call". */
	kind: string;
	named: string;
	/** As it resolves outside. */
	path: string;
	process: string;
	pid: number;
	errno: number;
	cause: string;
	/** Outside. */
	exists: boolean;
	times: number;
	/** Among the last ones of a run that failed. */
	decisive: boolean;
	/** The smallest option of `zs run` that grants it, with its value; null: nothing does. */
	option: string | null;
	value: string | null;
	risk: string | null;
}

export const CANNOT_ENFORCE: 125;
export const UNPROTECTED: 122;

/** zs is missing, has another version, refuses the policy, or does not answer. Nothing has run. */
export class ZsError extends Error {}

/** The box has ended before the command did, or somebody inside has killed the process of zs that served it. The
 * command has run, and has no status. */
export class BoxLost extends ZsError {
	/** Why: killed is a process of zs. */
	ended: "closed" | "owner" | "limit" | "killed";
	/** The limits that it has met. */
	limits: string[];
}

/** A text was vetted and is not to run. */
export class Blocked extends ZsError {
	decision: Decision;
}

type Confined<Options> = Omit<Options, "shell" | "argv0">;
/** denials: a list that gets what zs refused, until the event "exit" or the return of spawnSync(). It tells what exists
 * outside, so it is not for the command. */
type Collected<Options> = Confined<Options> & { denials?: Denial[] };
type Callback = (error: ExecFileException | null, stdout: string | Buffer, stderr: string | Buffer) => void;

/** A policy that this machine can enforce. It is computed from the files and variables at the time of the call. cwd is
 * the workspace by default. */
export class Sandbox {
	constructor(policy?: Policy, where?: Where);
	readonly zs: string;
	readonly workspace?: string;
	/** Any call that starts the result, with the whole argv and env, starts the command confined. env: this
	 * process's by default. */
	wrap(argv: string[], env?: Record<string, string | undefined>): { argv: string[]; env: Record<string, string> };
	spawn(file: string, args?: readonly string[], options?: Collected<SpawnOptions>): ChildProcess;
	spawnSync(file: string, args?: readonly string[], options?: Collected<SpawnSyncOptions>):
		SpawnSyncReturns<string | Buffer>;
	execFile(file: string, args: readonly string[], options: Confined<ExecFileOptions>,
		callback: Callback): ChildProcess;
	execFile(file: string, args?: readonly string[], options?: Confined<ExecFileOptions>):
		Promise<{ stdout: string | Buffer; stderr: string | Buffer }>;
	/** Runs a text in bash, confined. vet: the profile to vet the text by first; a blocked text throws Blocked. */
	bash(text: string, options?: Collected<SpawnOptions> & { vet?: Profile }): Promise<ChildProcess>;
}

/** How a command of a box has ended. */
export interface BoxResult {
	/** null: it was timed out. */
	status: number | null;
	signal: number | null;
	timedOut: boolean;
	stdout: string;
	stderr: string;
	stdoutTruncated: boolean;
	stderrTruncated: boolean;
	/** The SHA-256 of the box's policy as JSON; null: it is not known. */
	policy: string | null;
	/** The digest of the box's image. */
	image: string | null;
	/** Its refused accesses; null: they are not known. They tell what exists outside. */
	denials: Denial[] | null;
	/** So many more. */
	denialsOthers: number;
	/** Only hosts and limits were looked at. */
	denialsBlind: boolean;
	ended: "exit" | "signal" | "timeout";
	/** Limits that it may have met: tmp, where it has failed while /tmp or the layer of the root was full. */
	limits: string[];
	/** The tier, and the limits that bound each process, not the box. */
	enforced: { tier: string; eachProcess: string[] };
}

/** A place that lives on between commands: /tmp, processes and network stay until it is closed, or until its owner
 * ends. Every failure of zs is an exception, and so never a command's status. */
export class Box {
	/** Names a box that is there; create() makes one. */
	constructor(id: string, where?: Where & { token?: string });
	readonly zs: string;
	readonly id: string;
	/** owner: the box ends with this process (default: this one). snapshot: a name that save() got; the box begins
	 * with what it has kept, and has its root directory. token: cut() takes the policy's hosts until giveBack(),
	 * not for good. */
	static create(policy?: Policy, options?: Where & { owner?: number; snapshot?: string; token?: boolean }):
		Promise<Box>;
	/** The boxes of this user. processes: -1 where /proc hides them. */
	static list(where?: Where): Promise<{ id: string; workspace: string; seconds: number; processes: number }[]>;
	/** Runs a command. cwd: the workspace by default. env: variables besides the box's. timeout: milliseconds,
	 * rounded up to seconds. maxOutput: bytes of each output that are kept, 10 MiB by default. user: "user" or
	 * "user:group", names or numbers of the box, whose policy has `users`. */
	exec(argv: readonly string[], options?: { cwd?: string; env?: Record<string, string>; timeout?: number;
		input?: string | Uint8Array; maxOutput?: number; user?: string | number }): Promise<BoxResult>;
	/** Writes a file, and makes the folders above it. An Error with a code, such as ENOENT: the box's files do not
	 * allow it. user: as for exec(). */
	put(path: string, data: string | Uint8Array, options?: { mode?: number; user?: string | number }):
		Promise<void>;
	/** Reads a file of at most maxOutput bytes (default: 1 GiB). The same errors. */
	get(path: string, options?: { maxOutput?: number; user?: string | number }): Promise<Buffer>;
	/** Keeps the box's /tmp and, if it has one, its root directory as a snapshot of this name. */
	save(name: string): Promise<void>;
	/** The box's policy, which Policy's json takes. */
	policy(): Promise<object>;
	/** Ends all connections that leave the box, for good; if it has a token, until giveBack(). */
	cut(): Promise<void>;
	/** Gives the box the hosts back that cut() has taken. */
	giveBack(): Promise<void>;
	/** Ends the box with all its processes. It may have ended already. */
	close(): Promise<void>;
}

/** Vets in one process of `zs vet --batch`, started when it is needed, and again when it has died. */
export class Vetter {
	constructor(options?: Where & { timeout?: number });
	/** A text that cannot be decided is blocked, or throws a ZsError. cwd: where it would run, which is also its
	 * workspace (default: this process's directory). The profile guard asks. */
	vet(text: string, profile?: Profile, cwd?: string): Promise<Decision>;
	close(): void;
}

/** May this text run? One process answers all callers. */
export function vet(text: string, profile?: Profile, cwd?: string): Promise<Decision>;
