/** The eleven tools, registered on an MCP server. */
import type { CallToolResult, McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import { DomainError, NoteSchema, PRIORITY_NAMES, TaskSchema } from "./model.js";
import * as schemas from "./schemas.js";
import type { NewTask } from "./tasks.js";
import type { Tracker } from "./tracker.js";

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const ADDS_ONCE: ToolAnnotations = { ...ADDS, idempotentHint: true };
const OVERWRITES: ToolAnnotations = { ...ADDS, destructiveHint: true, idempotentHint: true };

export function registerTools(server: McpServer, tracker: Tracker): void {
  registerTaskTools(server, tracker);
  registerTaskChanges(server, tracker);
  registerTaskReads(server, tracker);
  registerNoteTools(server, tracker);
  registerSessionTools(server, tracker);
}

function registerTaskTools(server: McpServer, tracker: Tracker): void {
  server.registerTool(
    "task-add",
    {
      title: "Add a task",
      description: "Adds one task to the session. Its priority is 2 (medium) until task-priority changes it.",
      inputSchema: schemas.TaskAddInput,
      outputSchema: TaskSchema,
      annotations: ADDS,
    },
    (input) => answer(async () => structured(await tracker.addTask(input))),
  );
  server.registerTool(
    "task-batch-add",
    {
      title: "Add several tasks",
      description: "Adds several tasks at once, in order. If one is wrong, none is added.",
      inputSchema: schemas.TaskBatchAddInput,
      outputSchema: schemas.TasksOutput,
      annotations: ADDS,
    },
    ({ tasks }) => answer(async () => structured({ tasks: await tracker.addBatch(parseBatch(tasks)) })),
  );
}

function registerTaskChanges(server: McpServer, tracker: Tracker): void {
  server.registerTool(
    "task-status",
    {
      title: "Set a task's status",
      description: "Moves a task to a status. A completed session with an open task is open again.",
      inputSchema: schemas.TaskStatusInput,
      outputSchema: TaskSchema,
      annotations: OVERWRITES,
    },
    ({ id, status }) => answer(async () => structured(await tracker.setStatus(id, status))),
  );
  server.registerTool(
    "task-priority",
    {
      title: "Set a task's priority",
      description: "Sets a task's priority, from 0 (critical) to 4 (backlog).",
      inputSchema: schemas.TaskPriorityInput,
      annotations: OVERWRITES,
    },
    ({ id, priority }) =>
      answer(async () => {
        const task = await tracker.setPriority(id, priority);
        return plain(`Task ${task.id} has priority ${task.priority} (${PRIORITY_NAMES[task.priority]}).`);
      }),
  );
  server.registerTool(
    "task-depends",
    {
      title: "Make a task depend on another",
      description: "Makes a task wait until another is completed. Refused when it would close a cycle.",
      inputSchema: schemas.TaskDependsInput,
      annotations: ADDS_ONCE,
    },
    ({ id, depends_on }) =>
      answer(async () => {
        const task = await tracker.addDependency(id, depends_on);
        return plain(`Task ${task.id} depends on ${task.depends_on.join(", ")}.`);
      }),
  );
}

function registerTaskReads(server: McpServer, tracker: Tracker): void {
  server.registerTool(
    "task-list",
    {
      title: "List tasks",
      description: "Lists the session's tasks by status, in the order in which they were added.",
      inputSchema: schemas.NoArguments,
      outputSchema: schemas.TaskListOutput,
      annotations: READS,
    },
    () => answer(async () => structured(await tracker.list())),
  );
  server.registerTool(
    "task-next",
    {
      title: "Next task",
      description:
        "Returns the remaining task to begin next: the most urgent whose dependencies are all completed. It does not begin it.",
      inputSchema: schemas.NoArguments,
      outputSchema: schemas.TaskNextOutput,
      annotations: READS,
    },
    () => answer(async () => structured(await tracker.next())),
  );
}

function registerNoteTools(server: McpServer, tracker: Tracker): void {
  server.registerTool(
    "note-add",
    {
      title: "Add a note",
      description: "Keeps a note for later iterations: something learnt, an obstacle, a tip or a decision.",
      inputSchema: schemas.NoteAddInput,
      outputSchema: NoteSchema,
      annotations: ADDS,
    },
    ({ content, type }) => answer(async () => structured(await tracker.addNote(content, type))),
  );
  server.registerTool(
    "note-list",
    {
      title: "List notes",
      description: "Lists the session's notes in the order in which they were added.",
      inputSchema: schemas.NoteListInput,
      outputSchema: schemas.NotesOutput,
      annotations: READS,
    },
    ({ type }) =>
      answer(async () => {
        const notes = await tracker.notes(type);
        return structured({ notes, total: notes.length });
      }),
  );
}

function registerSessionTools(server: McpServer, tracker: Tracker): void {
  server.registerTool(
    "iteration-summary",
    {
      title: "Summarize an iteration",
      description: "Ends an iteration with a summary of what it achieved.",
      inputSchema: schemas.IterationSummaryInput,
      annotations: ADDS,
    },
    ({ summary }) =>
      answer(async () => plain(`Recorded the summary of iteration ${await tracker.addIteration(summary)}.`)),
  );
  server.registerTool(
    "session-complete",
    {
      title: "Complete the session",
      description: "Marks the session as complete. Refused while a task is not completed.",
      inputSchema: schemas.NoArguments,
      annotations: ADDS_ONCE,
    },
    () =>
      answer(async () => {
        const { session, tasks, notes, iterations } = await tracker.complete();
        const counts = `tasks: ${tasks.length}, notes: ${notes.length}, iterations: ${iterations.length}`;
        return plain(`Session ${session} is complete (${counts}).`);
      }),
  );
}

/** Turns a caller's mistake into an error result; anything else is the server's fault and says so. */
async function answer(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const text = error instanceof DomainError ? message : `the tracker failed: ${message}`;
    return { ...plain(text), isError: true };
  }
}

function plain(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** A structured result, mirrored as JSON text for clients that read only text. */
function structured(value: object): CallToolResult {
  return { ...plain(JSON.stringify(value)), structuredContent: { ...value } };
}

function parseBatch(tasks: NewTask[] | string): NewTask[] {
  if (typeof tasks !== "string") return tasks;
  let value: unknown;
  try {
    value = JSON.parse(tasks);
  } catch (error) {
    throw new DomainError(`tasks is not JSON: ${(error as Error).message}`);
  }
  const parsed = schemas.BatchItems.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new DomainError(`no task was added: tasks: ${schemas.describeIssue(parsed.error.issues[0])}`);
}
