/** Which store a session is kept in. */
import { homedir } from "node:os";
import { join } from "node:path";
import { FileStore, MemoryStore, type Store } from "./store.js";

export interface StoreOptions {
  /** The session's name: whose tasks these are. */
  session: string;
  /** The file that keeps the session; by default one per session in the user's data folder. */
  store?: string;
  /** Keep nothing: the session ends with the process. */
  memory?: boolean;
}

export function openStore(options: StoreOptions): Store {
  if (options.session.trim() === "") throw new Error("the session's name must not be empty");
  if (options.memory === true && options.store !== undefined) throw new Error("a store file and memory exclude each other");
  if (options.memory === true) return new MemoryStore(options.session);
  return new FileStore(options.session, options.store ?? defaultStore(options.session, process.env));
}

/** `iteratr-tools/SESSION.json` in the user's data folder; the name is escaped so that it is one plain file name. */
export function defaultStore(session: string, env: NodeJS.ProcessEnv): string {
  const data = process.platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_DATA_HOME"];
  const folder = data || join(homedir(), ".local", "share");
  const file = encodeURIComponent(session).replace(/[.*~']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return join(folder, "iteratr-tools", `${file}.json`);
}
