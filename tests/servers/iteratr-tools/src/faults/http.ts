/** Seeded bugs of the HTTP service and of the 2026-07-28 era. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Task } from "../model.js";
import { structured, type Call, type Faults } from "./fault.js";

/** How long an answer lies where another call can replace it. */
const WINDOW_MS = 100;
const READERS_AND_CHANGES = ["task-list", "task-next", "task-status", "note-list"];

let lastFilter: { session: string | undefined; type: unknown } | undefined;
let lastAnswer: CallToolResult | undefined;
let cachedList: CallToolResult | undefined;
const served = new Set<string>();

export const HTTP_FAULTS: Faults = {
  sessions_share_filter: {
    async call(call, next, hit) {
      if (call.name !== "note-list" || call.session === undefined) return next();
      const { type } = call.args;
      if (type !== undefined) {
        lastFilter = { session: call.session, type };
        return next();
      }
      if (lastFilter === undefined || lastFilter.session === call.session) return next();
      hit();
      return next({ ...call.args, type: lastFilter.type });
    },
  },

  ending_session_ends_all: {
    async fetch(request, next, sessions, hit) {
      const response = await next(request);
      if (request.method !== "DELETE" || !response.ok) return response;
      if (sessions.size > 0) hit();
      await sessions.close();
      return response;
    },
  },

  parallel_answers_mixed: {
    async call(call, next, hit) {
      if (call.transport !== "http" || !READERS_AND_CHANGES.includes(call.name)) return next();
      const answer = await next();
      lastAnswer = answer;
      await sleep(WINDOW_MS);
      if (JSON.stringify(lastAnswer) !== JSON.stringify(answer)) hit();
      return lastAnswer;
    },
  },

  modern_list_cached: {
    async call(call, next, hit) {
      if (call.name !== "task-list" || !isModernHttp(call)) return next();
      const answer = await next();
      if (answer.isError === true) return answer;
      cachedList ??= answer;
      if (JSON.stringify(answer) !== JSON.stringify(cachedList)) hit();
      return cachedList;
    },
  },

  modern_status_unstructured: {
    async call(call, next, hit) {
      const { structuredContent, ...answer } = await next();
      if (call.name !== "task-status" || call.era !== "modern" || structuredContent === undefined) {
        return structuredContent === undefined ? answer : { ...answer, structuredContent };
      }
      hit();
      return answer;
    },
  },

  modern_error_is_success: {
    async call(call, next, hit) {
      const { isError, ...answer } = await next();
      if (isError !== true) return answer;
      if (call.name !== "task-depends" || call.era !== "modern") return { ...answer, isError };
      hit();
      const [block] = answer.content as { text?: string }[];
      return { ...answer, content: [{ type: "text", text: `Error: ${block?.text ?? ""}` }] };
    },
  },

  modern_next_moves_on: {
    async call(call, next, hit) {
      const answer = await next();
      const task = (answer.structuredContent as { task?: Task | null } | undefined)?.task;
      if (call.name !== "task-next" || call.era !== "modern" || !task) return answer;
      if (served.has(task.id)) {
        hit();
        return structured({ task: null, reason: "no task remains to be begun" });
      }
      served.add(task.id);
      return answer;
    },
  },
};

function isModernHttp(call: Call): boolean {
  return call.era === "modern" && call.transport === "http";
}
