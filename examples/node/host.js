// A host: vets a command line of bash, and runs it confined to a workspace. The program zs is its shim.
//
//	npm install
//	node host.js /path/to/workspace 'make test 2>&1 | tail'
import { once } from "node:events";
import { constants } from "node:os";

import { Blocked, Sandbox, ZsError } from "zs-sandbox";

async function run(workspace, text) {
	try {
		const command = await new Sandbox({ workspace }).bash(text, { vet: "strict", stdio: "inherit" });
		const [status, signal] = await once(command, "exit");
		return status ?? 128 + constants.signals[signal];
	} catch (error) {
		if (!(error instanceof ZsError))
			throw error;
		console.error(error.message);
		if (error instanceof Blocked)
			console.error("hint: " + error.decision.hint);
		return error instanceof Blocked ? 2 : 125;
	}
}

if (process.argv.length !== 4) {
	console.error("usage: host.js WORKSPACE COMMAND-LINE");
	process.exitCode = 64;
} else {
	process.exitCode = await run(process.argv[2], process.argv[3]);
}
