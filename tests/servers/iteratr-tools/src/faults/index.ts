/** The seams at which the one seeded bug that is switched on comes in. Each does nothing when none is. */
import type { CallToolResult, McpServer, Tool } from "@modelcontextprotocol/server";
import { active, seeded, trigger } from "../bugs.js";
import type { Sessions } from "../sessions.js";
import type { Tracker } from "../tracker.js";
import { ANSWER_FAULTS } from "./answers.js";
import type { Arguments, Fault, Faults, Fetch, Place } from "./fault.js";
import { HTTP_FAULTS } from "./http.js";
import { INPUT_FAULTS } from "./inputs.js";
import { PARALLEL_FAULTS } from "./parallel.js";
import { STATE_FAULTS } from "./state.js";

const FAULTS: Faults = { ...INPUT_FAULTS, ...ANSWER_FAULTS, ...STATE_FAULTS, ...PARALLEL_FAULTS, ...HTTP_FAULTS };

export const FAULT_IDS = Object.keys(FAULTS).sort();

/** The bug that is switched on. Throws when `TOOLTEST_BUG` names none, because a typing error must not look like a clean server. */
function current(): { fault: Fault; hit: () => void } | undefined {
  if (seeded() === undefined) return undefined;
  const found = Object.entries(FAULTS).find(([id]) => active(id));
  if (found === undefined) throw new Error(`TOOLTEST_BUG is ${seeded()}, which is no seeded bug`);
  const [id, fault] = found;
  return { fault, hit: () => trigger(id) };
}

export function seedTracker(tracker: Tracker): Tracker {
  const bug = current();
  bug?.fault.tracker?.(tracker, bug.hit);
  return tracker;
}

export function seedFetch(next: Fetch, sessions: Sessions): Fetch {
  const bug = current();
  const handle = bug?.fault.fetch;
  return bug && handle ? (request) => handle(request, next, sessions, bug.hit) : next;
}

type Handler = (request: { params: { name: string; arguments?: Arguments } }, context: Context) => Promise<unknown>;
interface Context {
  sessionId?: string;
  mcpReq: { signal: AbortSignal };
}

/** Wraps what the server does with `tools/call` and `tools/list`. To be called before tools are registered. */
export function seedServer(server: McpServer, place: Place): void {
  const bug = current();
  if (bug === undefined || (!bug.fault.call && !bug.fault.list)) return;
  const inner = server.server as unknown as { setRequestHandler(method: string, handler: Handler): void };
  const original = inner.setRequestHandler.bind(inner);
  inner.setRequestHandler = (method, handler) => {
    if (method === "tools/call") original(method, wrapCall(bug, place, handler));
    else if (method === "tools/list") original(method, wrapList(bug, place, handler));
    else original(method, handler);
  };
}

type Bug = NonNullable<ReturnType<typeof current>>;

function wrapCall({ fault, hit }: Bug, place: Place, handler: Handler): Handler {
  return (request, context) => {
    const args = request.params.arguments ?? {};
    const next = (changed: Arguments = args) =>
      handler({ ...request, params: { ...request.params, arguments: changed } }, context) as Promise<CallToolResult>;
    const call = { ...place, name: request.params.name, args, signal: context.mcpReq.signal, session: context.sessionId };
    return fault.call === undefined ? next() : fault.call(call, next, hit);
  };
}

function wrapList({ fault, hit }: Bug, place: Place, handler: Handler): Handler {
  return async (request, context) => {
    const result = (await handler(request, context)) as { tools: Tool[] };
    return fault.list === undefined ? result : { ...result, tools: await fault.list(result.tools, place, hit) };
  };
}
