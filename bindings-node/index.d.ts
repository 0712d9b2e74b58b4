// The types of the npm package `tooltest`.

import type { Event, Finding, Options, RunResult, Target as TargetDocument } from './types'

export * from './types'
export type { Target as TargetDocument } from './types'

/** A server object of an MCP SDK: `McpServer` or `Server` of 1.x and 2.x. */
export interface ServerObject {
  connect(transport: any): Promise<void>
  close(): Promise<void>
}

/** Makes a fresh server object for each session. The SDK 2.x is told the era that the client speaks, as with its `serveStdio`. */
export type ServerFactory = (context: { era: 'legacy' | 'modern' }) => ServerObject | Promise<ServerObject>

/** An entry of a client configuration. */
export interface ConfigurationEntry {
  command?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  type?: string
  url?: string | URL
  headers?: Record<string, string>
}

/** A target as data: a command line, its words, a URL, an entry of a client configuration, a whole configuration with one server, or a target document. */
export type WrittenTarget =
  | string
  | readonly string[]
  | URL
  | ConfigurationEntry
  | { mcpServers: Record<string, ConfigurationEntry> }
  | { servers: Record<string, ConfigurationEntry> }
  | TargetDocument

/** What can be tested: a target as data, a server object of this process, or a function that makes one for every session. */
export type Target = WrittenTarget | ServerObject | ServerFactory

/** The options of a run, named as in the input document, and what only JavaScript has. */
export interface RunOptions extends Options {
  /** Called with each event, in order. An error that it throws, or rejects with, ends the run and is passed on. */
  onEvent?: (event: Event) => unknown
  /** Ends the run and its servers; the promise rejects with the signal's reason. */
  signal?: AbortSignal
}

/** `input`, `config`, `open` (the server could not be started or reached), `hook`, `file` or `bug`. */
export type ErrorCode = 'input' | 'config' | 'open' | 'hook' | 'file' | 'bug'

/** tooltest itself could not do its work. A failing server is a result, never an error. */
export declare class TooltestError extends Error {
  constructor(code: ErrorCode, message: string)
  readonly name: 'TooltestError'
  /** Which part could not be done. */
  readonly code: ErrorCode
}

/** A tool as the server lists it. */
export interface ListedTool {
  name: string
  description?: string
  inputSchema?: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  [member: string]: unknown
}

/** How a report looks. */
export interface RenderOptions {
  /** Columns; 100 unless told. */
  width?: number
  /** Escape sequences of terminals. */
  colour?: boolean
}

/** The formats of reports. */
export type ReportFormat = 'human' | 'json' | 'junit' | 'sarif' | 'html' | 'markdown' | 'github' | 'ndjson'

/**
 * Tests a server.
 *
 * A server object is connected once, and the sessions of the run share that connection; a function is called for every
 * fresh session. Rejects with a `TooltestError` where tooltest could not do its work, with the signal's reason where it
 * was aborted, and with what `onEvent` threw.
 *
 * @example
 * const result = await run('node server.js', { max_calls: 500 })
 * for (const finding of result.findings) console.log(finding.tool, finding.message)
 */
export declare function run(target: Target, options?: RunOptions): Promise<RunResult>

/** Judges what a server lists and how it speaks, without calling a tool. */
export declare function lint(target: Target, options?: RunOptions): Promise<RunResult>

/** Runs saved failures again: files, or folders of them. `result.replayed` says which are still there; `target` is another server than the one that failed. */
export declare function replay(files: string | string[], options?: RunOptions & { target?: Target }): Promise<RunResult>

/** The tools of a server as it lists them; none is called. */
export declare function listTools(target: Target, options?: RunOptions): Promise<ListedTool[]>

/** As `listTools`, for places that cannot wait; blocks this thread meanwhile, so it cannot ask server objects. */
export declare function listToolsSync(target: WrittenTarget, options?: Options): ListedTool[]

/** A server of a client configuration file (`.mcp.json` and the like), as a target; `${VAR}` is expanded. */
export declare function fromConfig(path: string, server?: string): TargetDocument

/** The target document that a command line, its words, a URL or a client configuration stands for. */
export declare function readTarget(target: WrittenTarget, server?: string): TargetDocument

/** A result as a report. */
export declare function render(result: RunResult, format?: ReportFormat, options?: RenderOptions & { verbose?: boolean }): string

/** One finding as the terminal report shows it: what, why, what to do, the smallest case, how to run it again. */
export declare function renderFinding(finding: Finding, options?: RenderOptions): string

/** Results of the parts of one run (`shard`) as one. */
export declare function merge(results: RunResult[]): RunResult

/** The version of tooltest. */
export declare const version: string
