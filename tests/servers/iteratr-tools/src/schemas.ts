/** What each tool takes and gives back. */
import { z } from "zod";
import {
  DEFAULT_STATUS,
  NoteSchema,
  NoteTypeSchema,
  PrioritySchema,
  StatusSchema,
  TaskSchema,
} from "./model.js";

const MAX_BATCH = 100;

const Text = (what: string) => z.string().min(1).regex(/\S/, `${what} must not be empty or blank`).describe(`${what}; not blank`);
const TaskId = z.string().describe('the id of a task, as task-add returned it, such as "T-1"');
const InitialStatus = StatusSchema.default(DEFAULT_STATUS).describe("where the task stands at first");

export const NoArguments = z.strictObject({});

export const TaskAddInput = z.strictObject({
  content: Text("what is to be done"),
  status: InitialStatus,
});

export const BatchItems = z
  .array(
    z.strictObject({
      content: Text("what is to be done"),
      status: InitialStatus,
      priority: PrioritySchema.optional(),
      depends_on: z.array(z.string()).optional().describe("ids of tasks that exist already"),
    }),
  )
  .min(1)
  .max(MAX_BATCH);

export const TaskBatchAddInput = z.strictObject({
  tasks: z
    .union(
      [
        BatchItems,
        z
          .string()
          .regex(/^\s*\[[\s\S]*\]\s*$/, "the text must be a JSON array of tasks")
          .meta({ contentMediaType: "application/json", description: "the same array as JSON text" }),
      ],
      { error: (issue) => issueOfBranch(issue.errors as z.core.$ZodIssue[][], typeof issue.input === "string" ? 1 : 0) },
    )
    .describe("the tasks, as an array or as its JSON text; all are added, or none"),
});

/** What is wrong and where, such as `[1]["content"]: ...`. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const place = issue?.path.map((part) => `[${JSON.stringify(part)}]`).join("") ?? "";
  return `${place}${place && ": "}${issue?.message ?? "not an array of tasks"}`;
}

/** A union alone would only say that no branch fits; the caller meant the branch of the type that was sent. */
function issueOfBranch(branches: z.core.$ZodIssue[][], meant: 0 | 1): string {
  return describeIssue(branches[meant]?.[0]);
}

export const TaskStatusInput = z.strictObject({ id: TaskId, status: StatusSchema });
export const TaskPriorityInput = z.strictObject({ id: TaskId, priority: PrioritySchema });
export const TaskDependsInput = z.strictObject({
  id: TaskId,
  depends_on: z.string().describe("the id of the task that must be completed first"),
});

export const NoteAddInput = z.strictObject({ content: Text("the note"), type: NoteTypeSchema });
export const NoteListInput = z.strictObject({
  type: NoteTypeSchema.optional().describe("only notes of this type; all when absent"),
});
export const IterationSummaryInput = z.strictObject({ summary: Text("what the iteration achieved") });

export const TasksOutput = z.object({ tasks: z.array(TaskSchema) });
export const TaskListOutput = z.object({
  session: z.string(),
  complete: z.boolean(),
  iterations: z.int().min(0),
  total: z.int().min(0),
  tasks: z.object({
    remaining: z.array(TaskSchema),
    in_progress: z.array(TaskSchema),
    completed: z.array(TaskSchema),
    blocked: z.array(TaskSchema),
  }),
});
export const TaskNextOutput = z.object({ task: TaskSchema.nullable(), reason: z.string() });
export const NotesOutput = z.object({ notes: z.array(NoteSchema), total: z.int().min(0) });
