/** The rules of tasks and notes, as functions that change a state or throw a {@link DomainError}. */
import {
  DEFAULT_PRIORITY,
  DEFAULT_STATUS,
  DomainError,
  type Note,
  type NoteType,
  type State,
  type Status,
  type Task,
} from "./model.js";

/** What a caller says about a new task. */
export interface NewTask {
  content: string;
  status?: Status | undefined;
  priority?: number | undefined;
  depends_on?: string[] | undefined;
}

/** The answer of `task-next`: the task, or why there is none. */
export interface Next {
  task: Task | null;
  reason: string;
}

export function findTask(state: State, id: string): Task {
  const task = state.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new DomainError(`there is no task ${JSON.stringify(id)}; task-list names the tasks there are`);
  return task;
}

export function addTask(state: State, input: NewTask, now: string): Task {
  if (input.content.trim() === "") throw new DomainError("the content of a task must not be empty");
  const depends_on = [...new Set(input.depends_on ?? [])];
  for (const id of depends_on) findTask(state, id);
  const task: Task = {
    id: `T-${state.next_task}`,
    content: input.content,
    status: input.status ?? DEFAULT_STATUS,
    priority: input.priority ?? DEFAULT_PRIORITY,
    depends_on,
    created_at: now,
    updated_at: now,
  };
  state.next_task += 1;
  state.tasks.push(task);
  reopenIfNeeded(state);
  return task;
}

/** Adds all tasks, or none: the error names the first that is wrong. */
export function addBatch(state: State, inputs: NewTask[], now: string): Task[] {
  return inputs.map((input, index) => {
    try {
      return addTask(state, input, now);
    } catch (error) {
      if (error instanceof DomainError) throw new DomainError(`no task was added: tasks[${index}]: ${error.message}`);
      throw error;
    }
  });
}

export function setStatus(state: State, id: string, status: Status, now: string): Task {
  const task = findTask(state, id);
  if (task.status !== status) {
    task.status = status;
    task.updated_at = now;
  }
  reopenIfNeeded(state);
  return task;
}

export function setPriority(state: State, id: string, priority: number, now: string): Task {
  const task = findTask(state, id);
  if (task.priority !== priority) {
    task.priority = priority;
    task.updated_at = now;
  }
  return task;
}

export function addDependency(state: State, id: string, dependency: string, now: string): Task {
  const task = findTask(state, id);
  findTask(state, dependency);
  if (id === dependency) throw new DomainError(`task ${id} cannot depend on itself`);
  if (task.depends_on.includes(dependency)) return task;
  const path = dependencyPath(state, dependency, id);
  if (path !== undefined) {
    throw new DomainError(`task ${id} cannot depend on ${dependency}: that closes the cycle ${[id, ...path].join(" -> ")}`);
  }
  task.depends_on.push(dependency);
  task.updated_at = now;
  return task;
}

/** The chain of dependencies that leads from one task to another, both included. */
function dependencyPath(state: State, from: string, to: string): string[] | undefined {
  const tasks = new Map(state.tasks.map((task) => [task.id, task]));
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) return pathBack(cameFrom, to);
    for (const next of tasks.get(id)?.depends_on ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  return undefined;
}

function pathBack(cameFrom: Map<string, string | undefined>, to: string): string[] {
  const path: string[] = [];
  for (let id: string | undefined = to; id !== undefined; id = cameFrom.get(id)) path.unshift(id);
  return path;
}

/** The most urgent task that has not been begun and waits for nothing; the older one of two equals. */
export function nextTask(state: State): Next {
  const completed = new Set(state.tasks.filter((task) => task.status === "completed").map((task) => task.id));
  const remaining = state.tasks.filter((task) => task.status === "remaining");
  const ready = remaining.filter((task) => task.depends_on.every((id) => completed.has(id)));
  const task = ready.reduce<Task | undefined>(
    (best, candidate) => (best === undefined || candidate.priority < best.priority ? candidate : best),
    undefined,
  );
  if (task !== undefined) return { task, reason: `task ${task.id} comes next` };
  if (remaining.length === 0) return { task: null, reason: "no task remains to be begun" };
  return { task: null, reason: `all remaining tasks (${names(remaining)}) wait for others` };
}

export function addNote(state: State, content: string, type: NoteType, now: string): Note {
  if (content.trim() === "") throw new DomainError("the content of a note must not be empty");
  const note: Note = { id: `N-${state.next_note}`, content, type, created_at: now };
  state.next_note += 1;
  state.notes.push(note);
  return note;
}

/** Records a summary and returns the number of its iteration, from 1. */
export function addIteration(state: State, summary: string, now: string): number {
  if (summary.trim() === "") throw new DomainError("the summary of an iteration must not be empty");
  state.iterations.push({ summary, at: now });
  return state.iterations.length;
}

export function completeSession(state: State): void {
  const open = state.tasks.filter((task) => task.status !== "completed");
  if (open.length > 0) {
    const list = open.map((task) => `${task.id} is ${task.status}`).join(", ");
    throw new DomainError(`the session cannot be completed: ${list}`);
  }
  state.complete = true;
}

/** A completed session is open again as soon as it has something to do. */
function reopenIfNeeded(state: State): void {
  if (state.tasks.some((task) => task.status !== "completed")) state.complete = false;
}

function names(tasks: Task[]): string {
  return tasks.map((task) => task.id).join(", ");
}
