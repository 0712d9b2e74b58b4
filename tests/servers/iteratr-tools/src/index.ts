/** iteratr-tools: a task tracker for agent sessions, served over MCP. */
export { IteratrTools, type Era, type IteratrToolsOptions } from "./http.js";
export { defaultStore, openStore, type StoreOptions } from "./location.js";
export {
  DomainError,
  NOTE_TYPES,
  PRIORITY_NAMES,
  STATUSES,
  type Note,
  type NoteType,
  type State,
  type Status,
  type Task,
} from "./model.js";
export { createServer, NAME, VERSION } from "./server.js";
export { FileStore, MemoryStore, type Store } from "./store.js";
export type { NewTask, Next } from "./tasks.js";
export { Tracker, type Overview } from "./tracker.js";
