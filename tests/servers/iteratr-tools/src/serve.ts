#!/usr/bin/env node
/** The entry for HTTP: listens until it is told to end. The first line on stdout is the address. */
import { IteratrTools } from "./http.js";
import { OPTIONS_HELP, runEntry } from "./options.js";

const USAGE = `Usage: node dist/serve.js [OPTIONS]

Serves the task tracker over MCP on Streamable HTTP and prints the address.
Ends on SIGINT or SIGTERM.

  --port PORT      the loopback port (default: 0, a free one)
${OPTIONS_HELP}`;

await runEntry(USAGE, true, async (options) => {
  const tools = new IteratrTools(options);
  await tools.start();
  process.stdout.write(`${tools.url()}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void tools.stop());
});
