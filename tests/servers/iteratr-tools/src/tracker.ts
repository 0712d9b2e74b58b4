/** The tracker of one session: every operation is one transaction on its store. */
import { STATUSES, type Note, type NoteType, type State, type Status, type Task } from "./model.js";
import type { Store } from "./store.js";
import * as rules from "./tasks.js";

/** What `task-list` answers. */
export interface Overview {
  session: string;
  complete: boolean;
  iterations: number;
  total: number;
  tasks: Record<Status, Task[]>;
}

export class Tracker {
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  addTask(input: rules.NewTask): Promise<Task> {
    return this.store.update((state) => rules.addTask(state, input, now()));
  }

  addBatch(inputs: rules.NewTask[]): Promise<Task[]> {
    return this.store.update((state) => rules.addBatch(state, inputs, now()));
  }

  setStatus(id: string, status: Status): Promise<Task> {
    return this.store.update((state) => rules.setStatus(state, id, status, now()));
  }

  setPriority(id: string, priority: number): Promise<Task> {
    return this.store.update((state) => rules.setPriority(state, id, priority, now()));
  }

  addDependency(id: string, dependency: string): Promise<Task> {
    return this.store.update((state) => rules.addDependency(state, id, dependency, now()));
  }

  async list(): Promise<Overview> {
    return overview(await this.store.read());
  }

  async next(): Promise<rules.Next> {
    return rules.nextTask(await this.store.read());
  }

  addNote(content: string, type: NoteType): Promise<Note> {
    return this.store.update((state) => rules.addNote(state, content, type, now()));
  }

  async notes(type?: NoteType): Promise<Note[]> {
    const { notes } = await this.store.read();
    return type === undefined ? notes : notes.filter((note) => note.type === type);
  }

  addIteration(summary: string): Promise<number> {
    return this.store.update((state) => rules.addIteration(state, summary, now()));
  }

  /** Marks the session as complete and returns what it came to. */
  complete(): Promise<State> {
    return this.store.update((state) => {
      rules.completeSession(state);
      return state;
    });
  }
}

export function overview(state: State): Overview {
  const of = (status: Status) => state.tasks.filter((task) => task.status === status);
  return {
    session: state.session,
    complete: state.complete,
    iterations: state.iterations.length,
    total: state.tasks.length,
    tasks: Object.fromEntries(STATUSES.map((status) => [status, of(status)])) as Record<Status, Task[]>,
  };
}

export function now(): string {
  return new Date().toISOString();
}
