/** Seeded bugs in what a tool answers: its form, its text, and what it gives away. */
import { createHash } from "node:crypto";
import type { Task } from "../model.js";
import { text, type Faults } from "./fault.js";

export const ANSWER_FAULTS: Faults = {
  summary_logged_to_stdout: {
    async call(call, next, hit) {
      if (call.name !== "iteration-summary" || call.transport !== "stdio") return next();
      hit();
      console.log("iteration summary received");
      return next();
    },
  },

  unknown_id_leaks_stack: {
    async call(call, next, hit) {
      const answer = await next();
      if (call.name !== "task-status" || answer.isError !== true || !textOf(answer).includes("there is no task")) return answer;
      hit();
      return text(new Error(textOf(answer)).stack ?? "", true);
    },
  },

  unknown_id_is_success: {
    async call(call, next, hit) {
      const answer = await next();
      if (call.name !== "task-priority" || answer.isError !== true || !textOf(answer).includes("there is no task")) return answer;
      hit();
      return text(`Error: ${textOf(answer)}`);
    },
  },

  empty_filter_unstructured: {
    async call(call, next, hit) {
      const answer = await next();
      if (call.name !== "note-list" || call.args["type"] === undefined || structuredOf(answer)["total"] !== 0) return answer;
      hit();
      return text("No notes of this type.");
    },
  },

  critical_priority_is_text: {
    async call(call, next, hit) {
      const answer = await next();
      const task = structuredOf(answer)["task"] as Task | null | undefined;
      if (call.name !== "task-next" || task?.priority !== 0) return answer;
      hit();
      const changed = { ...structuredOf(answer), task: { ...task, priority: "critical" } };
      return { ...text(JSON.stringify(changed)), structuredContent: changed };
    },
  },

  filtered_notes_text_unfiltered: {
    async call(call, next, hit) {
      const answer = await next();
      if (call.name !== "note-list" || call.args["type"] === undefined || answer.isError === true) return answer;
      const notes = await call.tracker.notes();
      if (notes.length === structuredOf(answer)["total"]) return answer;
      hit();
      return { ...answer, ...text(JSON.stringify({ notes, total: notes.length })) };
    },
  },

  refusal_reveals_key: {
    async call(call, next, hit) {
      const answer = await next();
      if (call.name !== "session-complete" || answer.isError !== true) return answer;
      hit();
      // Made here, so that no text in this repository looks like a key.
      const key = createHash("sha256").update("iteratr-tools").digest("hex").slice(0, 40);
      return text(`${textOf(answer)}\nsync settings: {"api_key":"${key}"}`, true);
    },
  },

  tool_vanishes_after_completion: {
    async list(tools, { tracker }, hit) {
      if (!(await tracker.list()).complete) return tools;
      hit();
      return tools.filter((tool) => tool.name !== "session-complete");
    },
  },
};

function textOf(answer: { content: { type: string }[] }): string {
  const [block] = answer.content as { text?: string }[];
  return block?.text ?? "";
}

function structuredOf(answer: { structuredContent?: unknown }): Record<string, unknown> {
  return (answer.structuredContent ?? {}) as Record<string, unknown>;
}
