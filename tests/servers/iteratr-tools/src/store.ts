/** Where a session is kept: in a file that outlives the process, or in memory. */
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import { Mutex, withLockFile } from "./lock.js";
import { emptyState, StateSchema, type State } from "./model.js";

/** Keeps one session's state. */
export interface Store {
  /** The current state. The caller may change the copy it gets. */
  read(): Promise<State>;
  /** Replaces the state as a whole. Callers use {@link Store.update}, which does not lose changes. */
  write(state: State): Promise<void>;
  /** Changes the state as one transaction: alone, and not at all when `change` throws. */
  update<T>(change: (state: State) => T): Promise<T>;
}

/** A store that ends with the process. */
export class MemoryStore implements Store {
  #text: string;

  constructor(session: string) {
    this.#text = JSON.stringify(emptyState(session));
  }

  async read(): Promise<State> {
    return JSON.parse(this.#text) as State;
  }

  async write(state: State): Promise<void> {
    this.#text = JSON.stringify(state);
  }

  // Nothing is awaited between reading and writing, so no other call can come between.
  async update<T>(change: (state: State) => T): Promise<T> {
    const state = JSON.parse(this.#text) as State;
    const result = change(state);
    this.#text = JSON.stringify(state);
    return result;
  }
}

/** One mutex per file, so that two trackers on the same file in one process queue up as well. */
const mutexes = new Map<string, Mutex>();

/** A store in a JSON file, replaced by renaming a complete new file over it. */
export class FileStore implements Store {
  readonly path: string;
  readonly #session: string;
  readonly #mutex: Mutex;

  constructor(session: string, path: string) {
    this.path = resolve(path);
    this.#session = session;
    const known = mutexes.get(this.path) ?? new Mutex();
    mutexes.set(this.path, known);
    this.#mutex = known;
  }

  /** Throws when the file is no store, or the store of another session: it is never overwritten then. */
  async read(): Promise<State> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new Error(`cannot read the store ${this.path}: ${error.message}`);
    });
    if (text === undefined) return emptyState(this.#session);
    const state = parseState(text, this.path);
    if (state.session !== this.#session) {
      throw new Error(`the store ${this.path} belongs to the session "${state.session}", not to "${this.#session}"`);
    }
    return state;
  }

  /** Writes a new file beside the old one and renames it, so that readers see the old state or the new one. */
  async write(state: State): Promise<void> {
    const temporary = `${this.path}.${process.pid}.${randomUUID()}.tmp`;
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(JSON.stringify(state, null, 1));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw new Error(`cannot write the store ${this.path}: ${(error as Error).message}`);
    }
  }

  async update<T>(change: (state: State) => T): Promise<T> {
    return this.#mutex.run(async () => {
      await mkdir(dirname(this.path), { recursive: true });
      return withLockFile(`${this.path}.lock`, async () => {
        const state = await this.read();
        const before = JSON.stringify(state);
        const result = change(state);
        if (JSON.stringify(state) !== before) await this.write(state);
        return result;
      });
    });
  }
}

function parseState(text: string, path: string): State {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${path} is no task store: it is not JSON`);
  }
  const parsed = StateSchema.safeParse(value);
  if (!parsed.success) throw new Error(`${path} is no task store: ${parsed.error.issues[0]?.message ?? "unknown shape"}`);
  return parsed.data;
}
