/** The shapes of the tracker: what a task, a note and a stored session are. */
import { z } from "zod";

export const STATUSES = ["remaining", "in_progress", "completed", "blocked"] as const;
export const NOTE_TYPES = ["learning", "stuck", "tip", "decision"] as const;
export const PRIORITY_NAMES = ["critical", "high", "medium", "low", "backlog"] as const;

export type Status = (typeof STATUSES)[number];
export type NoteType = (typeof NOTE_TYPES)[number];

export const DEFAULT_STATUS: Status = "remaining";
/** The priority of a task that was given none: medium. */
export const DEFAULT_PRIORITY = 2;
export const LOWEST_PRIORITY = PRIORITY_NAMES.length - 1;

export const StatusSchema = z.enum(STATUSES);
export const NoteTypeSchema = z.enum(NOTE_TYPES);
export const PrioritySchema = z
  .int()
  .min(0)
  .max(LOWEST_PRIORITY)
  .describe("0 critical, 1 high, 2 medium, 3 low, 4 backlog");

const TimeSchema = z.string().meta({ format: "date-time" });

export const TaskSchema = z.object({
  id: z.string(),
  content: z.string(),
  status: StatusSchema,
  priority: PrioritySchema,
  depends_on: z.array(z.string()).describe("ids of the tasks that must be completed first"),
  created_at: TimeSchema,
  updated_at: TimeSchema,
});
export type Task = z.infer<typeof TaskSchema>;

export const NoteSchema = z.object({
  id: z.string(),
  content: z.string(),
  type: NoteTypeSchema,
  created_at: TimeSchema,
});
export type Note = z.infer<typeof NoteSchema>;

/** What one store file holds: everything about one session. */
export const StateSchema = z.object({
  format: z.literal("iteratr-tools/1"),
  session: z.string(),
  /** Numbers of the next task and note. They only grow, so no id is ever given twice. */
  next_task: z.int().min(1),
  next_note: z.int().min(1),
  tasks: z.array(TaskSchema),
  notes: z.array(NoteSchema),
  iterations: z.array(z.object({ summary: z.string(), at: TimeSchema })),
  complete: z.boolean(),
});
export type State = z.infer<typeof StateSchema>;

/** The state of a session that has just begun. */
export function emptyState(session: string): State {
  return {
    format: "iteratr-tools/1",
    session,
    next_task: 1,
    next_note: 1,
    tasks: [],
    notes: [],
    iterations: [],
    complete: false,
  };
}

/** A mistake of the caller. Its message is shown to the caller as it is. */
export class DomainError extends Error {
  override readonly name = "DomainError";
}
