import type { ChildProcess, ExecFileException, ExecFileOptions, SpawnOptions, SpawnSyncOptions,
	SpawnSyncReturns } from "node:child_process";

/** strict blocks what leaves the workspace or cannot be read; verify also what changes files. */
export type Profile = "strict" | "relaxed" | "verify";

/** The files, hosts and variables that a command may reach: the options of `zs run`. They stand on top of the default
 * policy and of the settings.json of user and workspace; `json` takes the place of both. */
export interface Policy {
	/** Where commands work (default: this directory). Not with json, which names it. */
	workspace?: string;
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
	/** Changes to the workspace are thrown away. */
	verify?: boolean;
	settings?: boolean;
}

/** Where zs is; else ZS_PROGRAM, else the one in PATH. No confined command may be able to write it. */
export interface Where {
	zs?: string;
}

/** The answer of the first wall to a text. Look at allowed: the object itself is true. */
export interface Decision {
	allowed: boolean;
	code: string | null;
	reason: string;
	hint: string;
	risks: string[];
	/** In bytes of the text's UTF-8. */
	span: { start: number; end: number } | null;
}

export const CANNOT_ENFORCE: 125;

/** zs is missing or another version, refuses the policy, or does not answer. Nothing has run. */
export class ZsError extends Error {}

/** A text was vetted and is not to run. */
export class Blocked extends ZsError {
	decision: Decision;
}

type Confined<Options> = Omit<Options, "shell" | "argv0">;
type Callback = (error: ExecFileException | null, stdout: string | Buffer, stderr: string | Buffer) => void;

/** A policy that this machine can keep, as files and variables are when it is made. cwd is the workspace where it is
 * not given. */
export class Sandbox {
	constructor(policy?: Policy, where?: Where);
	readonly zs: string;
	readonly workspace?: string;
	/** Whatever starts the result with all of both starts the command confined. env: by default this process's. */
	wrap(argv: string[], env?: Record<string, string | undefined>): { argv: string[]; env: Record<string, string> };
	spawn(file: string, args?: readonly string[], options?: Confined<SpawnOptions>): ChildProcess;
	spawnSync(file: string, args?: readonly string[], options?: Confined<SpawnSyncOptions>):
		SpawnSyncReturns<string | Buffer>;
	execFile(file: string, args: readonly string[], options: Confined<ExecFileOptions>,
		callback: Callback): ChildProcess;
	execFile(file: string, args?: readonly string[], options?: Confined<ExecFileOptions>):
		Promise<{ stdout: string | Buffer; stderr: string | Buffer }>;
	/** Runs a text in a bash inside; vet: the profile to vet it by first, and to throw Blocked. */
	bash(text: string, options?: Confined<SpawnOptions> & { vet?: Profile }): Promise<ChildProcess>;
}

/** Vets in one process of `zs vet --batch`, started when it is needed, and again when it has died. */
export class Vetter {
	constructor(options?: Where & { timeout?: number });
	/** Blocks a text that cannot be decided, or throws a ZsError. */
	vet(text: string, profile?: Profile): Promise<Decision>;
	close(): void;
}

/** May this text run? By one process that all callers share. */
export function vet(text: string, profile?: Profile): Promise<Decision>;
