/** Locks: one for the callers inside a process, one for the processes that share a file. */
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const RETRY_MS = 10;
const GIVE_UP_MS = 10_000;

/** Runs one function at a time, in the order of the calls. */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** Runs `work` while this process holds the lock file at `path`. A lock left by a dead process is taken over. */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function acquire(path: string): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  const mine = `${path}.${randomUUID()}`;
  // Linking a finished file creates the lock together with its owner's number.
  await writeFile(mine, String(process.pid), { flag: "wx", mode: 0o600 });
  try {
    while (!(await tryLink(mine, path))) {
      const owner = await readFile(path, "utf8").catch(() => undefined);
      if (owner !== undefined && isDead(owner)) await removeStale(path, owner);
      else if (Date.now() > deadline) throw new Error(`the lock ${path} is held by process ${owner ?? "unknown"}`);
      else await sleep(RETRY_MS);
    }
  } finally {
    await unlink(mine).catch(() => undefined);
  }
}

async function tryLink(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether the process named in a lock is gone. An unreadable owner counts as alive. */
function isDead(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Moves a stale lock away first, because two processes may both have found it stale. */
async function removeStale(path: string, owner: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await readFile(aside, "utf8").catch(() => owner);
  // Another process was faster and already holds a new lock: give it back.
  if (moved !== owner) await link(aside, path).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}
