/** What a seeded bug can reach: the tracker, tool calls, the list of tools, and HTTP requests. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { Sessions } from "../sessions.js";
import type { Tracker } from "../tracker.js";

export type Fetch = (request: Request) => Promise<Response>;
export type Arguments = Record<string, unknown>;

/** Where a server instance serves. */
export interface Place {
  tracker: Tracker;
  era: "legacy" | "modern";
  transport: "stdio" | "http";
}

/** One tool call on its way to the tool. */
export interface Call extends Place {
  name: string;
  args: Arguments;
  signal: AbortSignal;
  /** The id of the HTTP session, where there is one. */
  session: string | undefined;
}

/** Marks the moment at which the bug makes a difference. */
export type Hit = () => void;

/** One seeded bug: the places where it comes in. */
export interface Fault {
  tracker?(tracker: Tracker, hit: Hit): void;
  call?(call: Call, next: (args?: Arguments) => Promise<CallToolResult>, hit: Hit): Promise<CallToolResult>;
  list?(tools: Tool[], place: Place, hit: Hit): Promise<Tool[]>;
  fetch?(request: Request, next: Fetch, sessions: Sessions, hit: Hit): Promise<Response>;
}

export type Faults = Record<string, Fault>;

export function text(value: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text: value }], ...(isError && { isError }) };
}

/** A structured result and its mirror, as the tools answer. */
export function structured(value: object): CallToolResult {
  return { ...text(JSON.stringify(value)), structuredContent: { ...value } };
}

/** An answer that never comes. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
