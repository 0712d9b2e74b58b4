/** Seeded bugs in what a tool takes: values that crash it, hang it, or are judged wrongly. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { never, text, type Faults } from "./fault.js";

const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

export const INPUT_FAULTS: Faults = {
  astral_content_crashes: {
    tracker(tracker, hit) {
      const addTask = tracker.addTask.bind(tracker);
      tracker.addTask = (input) => {
        if (!ASTRAL.test(input.content)) return addTask(input);
        hit();
        setImmediate(() => {
          throw new RangeError("code unit out of range");
        });
        return never();
      };
    },
  },

  blocked_task_hangs: {
    tracker(tracker, hit) {
      const addTask = tracker.addTask.bind(tracker);
      tracker.addTask = (input) => {
        if (input.status !== "blocked") return addTask(input);
        hit();
        return never();
      };
    },
  },

  decision_note_refused: {
    async call(call, next, hit) {
      if (call.name !== "note-add" || call.args["type"] !== "decision") return next();
      hit();
      return text('Input validation error: type: Invalid option: expected one of "learning"|"stuck"|"tip"', true);
    },
  },

  default_status_refused: {
    async call(call, next, hit) {
      if (call.name !== "task-add" || call.args["status"] !== "remaining") return next();
      hit();
      return text("Input validation error: status: Invalid option: a new task cannot be set to remaining", true);
    },
  },

  default_status_ignored: {
    async call(call, next, hit) {
      if (call.name !== "task-add" || call.args["status"] !== undefined) return next();
      const answer = await next({ ...call.args, status: "in_progress" });
      if (answer.isError !== true) hit();
      return answer;
    },
  },

  large_priority_accepted: {
    async call(call, next, hit) {
      const { id, priority } = call.args;
      if (call.name !== "task-priority" || typeof id !== "string" || typeof priority !== "number") return next();
      if (!Number.isSafeInteger(priority) || priority <= 4) return next();
      const answer = await next({ id, priority: 4 });
      if (answer.isError === true) return answer;
      hit();
      return text(`Task ${id} has priority ${priority} (backlog).`);
    },
  },

  batch_text_internal_error: {
    async call(call, next, hit) {
      const { tasks } = call.args;
      if (call.name !== "task-batch-add" || typeof tasks !== "string" || !/^\s*\[[^]*\]\s*$/.test(tasks)) return next();
      try {
        JSON.parse(tasks);
      } catch (error) {
        hit();
        throw new ProtocolError(ProtocolErrorCode.InternalError, (error as Error).message);
      }
      return next();
    },
  },

  note_list_drops_unknown: {
    async list(tools) {
      return tools.map((tool) => {
        if (tool.name !== "note-list") return tool;
        const { additionalProperties: _, ...inputSchema } = tool.inputSchema;
        return { ...tool, inputSchema } as typeof tool;
      });
    },
    async call(call, next, hit) {
      const { type, ...unknown } = call.args;
      if (call.name !== "note-list" || Object.keys(unknown).length === 0) return next();
      hit();
      return next(type === undefined ? {} : { type });
    },
  },
};
