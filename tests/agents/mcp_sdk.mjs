// The MCP SDK's client with zs mcp: mcp_sdk.mjs NODE_MODULES NUMBER ZS. Prints what it saw, as JSON. Nobody else sleeps
// for that NUMBER of seconds.
import fs from "node:fs";

const [modules, number, zs] = process.argv.slice(2);
const sdk = `${modules}/@modelcontextprotocol/sdk/dist/esm/client`;
const { Client } = await import(`${sdk}/index.js`);
const { StdioClientTransport } = await import(`${sdk}/stdio.js`);

const until = async (condition) => {
  const end = Date.now() + 60000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("it did not come about: " + condition);
    await new Promise((done) => setTimeout(done, 20));
  }
};
const sleepers = () =>
  fs.readdirSync("/proc").filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "latin1") === `sleep\0${number}\0`;
    } catch {
      return false;
    }
  }).length;

const client = new Client({ name: "test", version: "0" });
await client.connect(new StdioClientTransport({ command: zs, args: ["mcp"] }));
const bash = (command, options) => client.callTool({ name: "bash", arguments: { command } }, undefined, options);
const seen = { tools: (await client.listTools()).tools.map((tool) => tool.name) };
seen.allowed = await bash("echo one");
seen.denied = await bash("echo harm > loot");
seen.failed = await bash("ls nowhere");

// Cancelled while it runs; one of its children has a session of its own.
const stop = new AbortController();
const running = bash(`setsid sleep ${number} & touch started; sleep ${number}`, { signal: stop.signal });
running.catch(() => {});
await until(() => fs.existsSync("started") && sleepers() === 2);
stop.abort();
seen.cancelled = await running.then(() => false, () => true);
await until(() => sleepers() === 0);
seen.after = await bash("echo two");

// Closed while it runs.
fs.unlinkSync("started");
bash(`setsid sleep ${number} & touch started; sleep ${number}`).catch(() => {});
await until(() => fs.existsSync("started") && sleepers() === 2);
await client.close();
await until(() => sleepers() === 0);
console.log(JSON.stringify(seen));
