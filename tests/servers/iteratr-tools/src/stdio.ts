#!/usr/bin/env node
/** The entry for stdio: one client, which started this process. */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { seedTracker } from "./faults/index.js";
import { openStore } from "./location.js";
import { OPTIONS_HELP, runEntry } from "./options.js";
import { createServer } from "./server.js";
import { Tracker } from "./tracker.js";

const USAGE = `Usage: iteratr-tools [OPTIONS]\n\nServes the task tracker over MCP on stdio.\n\n${OPTIONS_HELP}`;

await runEntry(USAGE, false, async (options) => {
  const tracker = seedTracker(new Tracker(openStore(options)));
  // An unusable store is better told at the start than at the first call.
  await tracker.store.read();
  const onerror = (error: Error) => process.stderr.write(`iteratr-tools: ${error.message}\n`);
  const create = (era: "legacy" | "modern") => createServer(tracker, { era, transport: "stdio" });
  if (options.era === "legacy") {
    const server = create("legacy");
    server.server.onerror = onerror;
    await server.connect(new StdioServerTransport());
  } else {
    serveStdio((context) => create(context.era), { legacy: options.era === "modern" ? "reject" : "serve", onerror });
  }
});
