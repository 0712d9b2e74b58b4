// The addon's functions. JSON text crosses the boundary; use them through index.js.

/** Called with what happens in a run: `event`, `done`, `failed`, and for in-process servers `open`, `messages`, `close`. */
export type Tell = (kind: 'event' | 'done' | 'failed' | 'open' | 'messages' | 'close', session: number, text: string) => void

/** A run that goes on in the background. */
export declare class Run {
  constructor(input: string, settings: string, tell: Tell)
  /** Ends the run early; it still tells its result. */
  cancel(): void
  /** The in-process server of a session runs, or could not be started for this reason. */
  opened(session: number, fault?: string | null): void
  /** Sends one message of an in-process server; returns whether anybody still listens. */
  send(session: number, message: string): boolean
  /** The in-process server of a session has ended. */
  closed(session: number): void
  /** For the end of the process: ends the run and gives it a moment to close its servers. */
  end(): void
}

/** The command line, program name first; `done` gets its exit code. */
export declare class Command {
  constructor(args: string[], done: (code: number) => void)
  /** Ends it early, with its result so far. */
  cancel(): void
}

export declare function listToolsSync(input: string, settings: string): string
export declare function readTarget(written: string, name?: string | null): string
export declare function clientTarget(text: string, name?: string | null): string
export declare function failureFiles(path: string): string[]
export declare function commonTarget(files: string[]): string
export declare function render(result: string, format: string, width: number, colour: boolean, verbose: boolean): string
export declare function renderFinding(finding: string, width: number, colour: boolean): string
export declare function merge(results: string[]): string
export declare function schemas(): string
export declare function version(): string
/** Kills every running server. */
export declare function killAll(): void
