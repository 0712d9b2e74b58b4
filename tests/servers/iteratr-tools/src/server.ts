/** One MCP server instance on a tracker. */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { seedServer } from "./faults/index.js";
import { registerTools } from "./tools.js";
import type { Tracker } from "./tracker.js";

export const NAME = "iteratr-tools";
export const VERSION = packageVersion();

const INSTRUCTIONS =
  "Plan with task-batch-add, order with task-priority and task-depends, then repeat: task-next, task-status in_progress, " +
  "work, task-status completed. Keep what you learn with note-add, end each iteration with iteration-summary, and the " +
  "session with session-complete.";

/** Where an instance serves; only the seeded bugs want to know. */
export interface Serving {
  era: "legacy" | "modern";
  transport: "stdio" | "http";
}

export function createServer(tracker: Tracker, serving: Serving = { era: "legacy", transport: "stdio" }): McpServer {
  const server = new McpServer({ name: NAME, version: VERSION }, { instructions: INSTRUCTIONS });
  seedServer(server, { tracker, ...serving });
  registerTools(server, tracker);
  return server;
}

function packageVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
