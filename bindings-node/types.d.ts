// Types of inputs, results and events. Written by scripts/generate-types.mjs from the Rust types; do not edit.

/** The server to test. */
export type Target = TargetStdio | TargetHttp | TargetSse | TargetInProcess

/** A command that speaks MCP on its standard input and output. */
export interface TargetStdio {
  stdio: StdioTarget
}

/** A Streamable HTTP endpoint. */
export interface TargetHttp {
  http: HttpTarget
}

/** An endpoint of the HTTP+SSE transport of 2024-11-05. */
export interface TargetSse {
  sse: HttpTarget
}

/** A server object in this process; the caller passes the connection beside the input. */
export interface TargetInProcess {
  in_process: InProcessTarget
}

/** A command that speaks MCP on its standard input and output. */
export interface StdioTarget {
  /** The program. */
  command: string
  /** Its arguments. */
  args?: string[]
  /** Environment variables set besides the inherited ones. */
  env?: Record<string, string>
  /** The working directory. */
  cwd?: string | null
}

/** An HTTP endpoint. */
export interface HttpTarget {
  /** The URL, `http` or `https`. */
  url: string
  /** Headers sent with every request. */
  headers?: Record<string, string>
  /** Sent as `Authorization: Bearer …`. */
  auth_token?: string | null
}

/** A server object in this process. */
export interface InProcessTarget {
  /** How reports call it. */
  name?: string
}

/** The parts of a run, in the order in which they come. */
export type Phase = 'replay' | 'lists' | 'examples' | 'boundary' | 'stateful' | 'negative' | 'protocol' | 'parallel'

/** How arguments are found and what is recorded about them. */
export interface StateMachineConfig {
  /** Strings offered to string parameters. */
  seed_strings?: string[]
  /** Numbers offered to number parameters. */
  seed_numbers?: number[]
  /** Values offered to one parameter: keys are `tool.parameter` or `parameter`. */
  seed_values?: Record<string, unknown[]>
  /** Take values from the text of answers, too. */
  mine_text?: boolean
  /** Where values of required parameters may come from. */
  lenient_sourcing?: Sourcing
  /** Tools that coverage lints look at: names or globs; empty means all. */
  coverage_allowlist?: string[]
  /** Tools that coverage lints leave out: names or globs. */
  coverage_blocklist?: string[]
  /** Put the corpus into the result. */
  dump_corpus?: boolean
  /** Emit an event for each value that enters the corpus. */
  log_corpus_deltas?: boolean
}

/** Where values of required parameters may come from. */
export type Sourcing = 'auto' | 'strict' | 'lenient'

/** A check of the user's own: a comparison of the value at a JSON Pointer. */
export interface Assertion {
  /** What the finding is called; absent means the comparison in words. */
  name?: string | null
  /** Tools it is for: names or globs; empty means all. */
  tools?: string[]
  /** The document that the pointer points into. */
  on: AssertionSubject
  /** JSON Pointer, for example `/items/0/id`. */
  pointer: string
  /** The comparison, for example `{"equals": 3}`. */
  expect: Expectation
}

/** What an assertion's pointer points into. */
export type AssertionSubject = 'input' | 'output' | 'structured_output' | 'sequence'

/** The comparison of an assertion. */
export type Expectation = ExpectationExists | ExpectationEquals | ExpectationNotEquals | ExpectationMatches

/** The value is there (`true`) or not (`false`). */
export interface ExpectationExists {
  exists: boolean
}

/** The value equals this one; numbers are compared by value. */
export interface ExpectationEquals {
  equals: unknown
}

/** The value does not equal this one. */
export interface ExpectationNotEquals {
  not_equals: unknown
}

/** The value is valid against this JSON Schema. */
export interface ExpectationMatches {
  matches: unknown
}

/** The verdict of a run. */
export type Outcome = 'passed' | 'failed' | 'inconclusive' | 'interrupted'

/** The server as it presented itself. */
export interface ServerReport {
  /** `serverInfo.name`. */
  name: string
  /** `serverInfo.version`. */
  version: string
  /** The revision in use. */
  revision: Revision | null
  /** `stdio`, `http`, `sse` or `in-process`. */
  transport: string
  /** The command or URL, secrets redacted. */
  target: string
  /** The declared capabilities. */
  capabilities: unknown
  /** The last lines of standard error. */
  stderr?: string
}

/** A published revision of the Model Context Protocol. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28'

/** One distinct fault. */
export interface Finding {
  /** The lint's id. */
  lint: string
  /** How much it weighs. */
  level: Level
  /** The broken rule, for machines: equal for equal faults. */
  code: string
  /** 16 hexadecimal digits that tell findings apart: lint, tool and rule. */
  fingerprint: string
  /** The phase of the run that found it. */
  phase: Phase
  /** The tool at fault, if one is. */
  tool?: string | null
  /** What is wrong. */
  message: string
  /** Why it matters. */
  why: string
  /** What to do. */
  fix: string
  /** The rule's source: a URL, or empty for a rule of tooltest's own. */
  spec?: string
  /** A piece of evidence: raw bytes, a header, the last line of standard error. */
  evidence?: string | null
  /** The smallest case, where calls show the fault. */
  case?: CaseReport | null
  /** How often it came up during the run. */
  seen: number
  /** Other tools with the same fault. */
  also?: string[]
  /** How often it came again on fresh sessions, where that was tried. */
  reproduction?: Reproduction | null
  /** How the server ended, where it did. */
  exit?: Exit | null
  /** The saved failure file, if one was written. */
  failure_file?: string | null
  /** The command that runs the case again. */
  replay?: string | null
}

/** How much a finding weighs. */
export type Level = 'disabled' | 'warning' | 'error'

/** A case with what was sent and received, for people. */
export interface CaseReport {
  /** The steps. */
  steps: StepReport[]
  /** Index of the step at fault. */
  failing_step: number
  /** Whether no step can be left out and no argument made simpler by the shrinker's means. */
  minimal: boolean
  /** Executions that shrinking took. */
  executions: number
  /** Steps before shrinking. */
  original_steps: number
}

/** One step of a case, as it ran. */
export interface StepReport {
  /** The JSON-RPC method. */
  method: string
  /** The tool, prompt or URI. */
  name?: string
  /** The arguments as sent (secrets redacted). */
  arguments: unknown
  /** The whole request, with `full_trace`. */
  request?: unknown
  /** The answer: the whole JSON-RPC message, or what is known instead (secrets redacted, long ones cut). */
  response: unknown
  /** In a few words how it went: `ok`, `tool error`, `error -32603`, `no answer`, `crash` … */
  outcome: string
  /** Which values were taken from earlier answers. */
  bindings?: Binding[]
  /** What the schema says of the arguments. */
  label: Label
  /** Why the step is there. */
  role: Role
  /** Steps with the same number were sent together. */
  group?: number | null
  /** Milliseconds until the answer. */
  elapsed_ms: number
}

/** "The value at `at` is the one found at `from` in the answer to step `step`". */
export interface Binding {
  /** JSON Pointer into the step's arguments (for `read_resource`: empty, the URI itself). */
  at: string
  /** Index of the earlier step. */
  step: number
  /** Where in that step's answer the value is. */
  from: Source
}

/** Where a mined value is in an answer (or in the request that got it). */
export type Source = ResultSource | TextJsonSource | TextTokenSource | ArgumentSource

/** A JSON Pointer into the result object. */
export interface ResultSource {
  source: 'result'
  /** JSON Pointer, for example `/structuredContent/id`. */
  pointer: string
}

/** A JSON Pointer into the JSON text of a content block. */
export interface TextJsonSource {
  source: 'text_json'
  /** Index of the content block. */
  block: number
  /** JSON Pointer into the parsed text. */
  pointer: string
}

/** A token of a content block's text. */
export interface TextTokenSource {
  source: 'text_token'
  /** Index of the content block. */
  block: number
  /**
   * Which kind of token, as the text miner names it (`uuid`, `hex`, `number`, `uri`, `path`, `word_number`, `quoted`,
   * `labelled:NAME`).
   */
  token: string
  /** Which one of that kind, from 0. */
  index: number
}

/** A JSON Pointer into the arguments that the earlier step sent. */
export interface ArgumentSource {
  source: 'argument'
  /** JSON Pointer, for example `/name`. */
  pointer: string
}

/** What the schema says about a step's arguments, checked before they are sent. */
export type Label = UnknownLabel | ValidLabel | InvalidLabel

/** The schema could not be compiled, or the step is not a tool call. */
export interface UnknownLabel {
  label: 'unknown'
}

/** Valid. */
export interface ValidLabel {
  label: 'valid'
}

/** Invalid in one named way. */
export interface InvalidLabel {
  label: 'invalid'
  /** JSON Pointer of the faulty value in the arguments. */
  pointer: string
  /** The schema keyword that it breaks. */
  keyword: string
  /** The mutation, in words. */
  mutation: string
}

/** Why a step is in a case. */
export type Role = CallRole | BoundaryRole | SubjectRole | ObserveRole | CancelledRole | RepeatRole

/** An ordinary call. */
export interface CallRole {
  role: 'call'
}

/** A value at a named edge. */
export interface BoundaryRole {
  role: 'boundary'
  /** The edge, for example `minimum` or `longest string`. */
  edge: string
  /** JSON Pointer of the value. */
  pointer: string
}

/** The call under judgement of a metamorphic check. */
export interface SubjectRole {
  role: 'subject'
  /** The check, by lint id. */
  check: string
}

/** A read of the state, to be compared with the other steps of the same name and equal `view`. */
export interface ObserveRole {
  role: 'observe'
  /** The check, by lint id. */
  check: string
  /** Which observation: equal views send equal requests. */
  view: number
}

/** A call that is cancelled before its answer is waited for. */
export interface CancelledRole {
  role: 'cancelled'
  /** After how many milliseconds, if it is not answered by then. */
  after_ms: number
}

/** A repetition of an earlier step's request. */
export interface RepeatRole {
  role: 'repeat'
  /** The check, by lint id. */
  check: string
  /** Index of the step that is repeated. */
  of: number
}

/** How often a finding came again on fresh sessions. */
export interface Reproduction {
  /** Attempts on a fresh session. */
  attempts: number
  /** Attempts that showed the same finding. */
  reproduced: number
}

/** How a server ended. */
export interface Exit {
  /** The exit code, if the process ended by itself. */
  code?: number | null
  /** The signal's number, if one ended it. */
  signal?: number | null
  /** What is known otherwise, for example "connection reset". */
  detail?: string
  /** The end of standard error, at most 64 KiB. */
  stderr?: string
}

/** How a tool fared. */
export interface ToolCoverage {
  /** The tool. */
  tool: string
  /** Calls in all. */
  calls: number
  /** Real successes: an answer that is neither an error nor error text. */
  ok: number
  /** Answers with `isError: true`. */
  tool_errors: number
  /** Error text without `isError: true`. */
  soft_errors: number
  /** JSON-RPC errors. */
  protocol_errors: number
  /** No answer, crash or malformed answer. */
  broken: number
  /** Calls by what the schema says of the arguments: valid ones. */
  valid: number
  /** Deliberately invalid ones. */
  invalid: number
  /** Distinct kinds of answers seen. */
  outcome_classes: number
  /** Why it was not called, or never succeeded. */
  reason?: string | null
  /** The most frequent errors of a tool that never succeeded, with how often each came. */
  errors?: ErrorSample[]
  /** Latency in milliseconds. */
  latency: Latency
}

/** A frequent error of a tool. */
export interface ErrorSample {
  /** The error's text, cut. */
  text: string
  /** How often it came. */
  count: number
  /** The arguments of one such call. */
  arguments: unknown
}

/** Quantiles of the time to an answer, in milliseconds. */
export interface Latency {
  /** Median. */
  p50: number
  /** 95th percentile. */
  p95: number
  /** 99th percentile. */
  p99: number
  /** Longest. */
  max: number
  /** Counts in buckets whose upper bounds are 2^k × 0.125 ms, k = 0, 1, … */
  histogram?: number[]
}

/** Something that was not judged. */
export interface NotMeasured {
  /** A tool, a phase or a check. */
  subject: string
  /** Why. */
  reason: string
  /** What would change that: a flag, a seed, an annotation. */
  hint?: string | null
}

/** A phase as it ran. */
export interface PhaseReport {
  /** The phase. */
  phase: Phase
  /** Cases run. */
  cases: number
  /** Calls made. */
  calls: number
  /** Why it did not run, if it did not. */
  skipped?: string | null
}

/** What the run learned to use as arguments. */
export interface CorpusReport {
  /** Values that entered the corpus. */
  values: number
  /** Learned links from a tool's answers to a tool's parameter, strongest first. */
  links?: CorpusLink[]
  /** The corpus itself, with `dump_corpus`: values by key. */
  dump?: Record<string, unknown[]> | null
}

/** A learned link from answers to a parameter. */
export interface CorpusLink {
  /** `tool` and where in its answers. */
  from: string
  /** `tool.parameter`. */
  to: string
  /** Uses. */
  uses: number
  /** Uses in calls that succeeded. */
  ok: number
}

/** Times of a run. */
export interface Timing {
  /** Seconds in all. */
  seconds: number
  /** Seconds until the first answer of the server. */
  startup_seconds: number
  /** Calls per second over the phases. */
  calls_per_second: number
  /** Seconds spent on confirming and shrinking. */
  shrink_seconds: number
}

/** What was spent of the budget. */
export interface BudgetReport {
  /** Calls made over the phases. */
  calls: number
  /** Calls made to confirm and shrink. */
  shrink_calls: number
  /** Sessions opened. */
  sessions: number
  /** What ended the run: `complete`, `calls`, `time`, `fail_fast`, `interrupted`, `lists`. */
  ended_by: string
}

/** A saved failure that was run again. */
export interface ReplayReport {
  /** The failure file. */
  file: string
  /** The lint. */
  lint: string
  /** The tool, if one was at fault. */
  tool?: string | null
  /** Whether it is still there. */
  status: ReplayStatus
  /** Attempts and how many of them showed it. */
  reproduction: Reproduction
  /** What was seen, in a sentence. */
  message: string
}

/** Whether a saved failure is still there. */
export type ReplayStatus = 'failing' | 'flaky' | 'fixed' | 'error'

/** What a baseline made of the findings of a run. */
export interface BaselineReport {
  /** Findings that the baseline knows; they stand neither among the findings nor among the warnings. */
  accepted: Finding[]
  /** Entries of the baseline that the run did not come upon. */
  stale: BaselineEntry[]
}

/** An accepted finding. */
export interface BaselineEntry {
  /** The finding's fingerprint; the rest is for people. */
  fingerprint: string
  /** The lint. */
  lint: string
  /** The tool at fault, if one is. */
  tool?: string | null
  /** What was wrong when it was accepted. */
  message: string
  /** Why it is accepted; kept when the file is updated. */
  reason?: string | null
}

/** Every option of a run; each has a default. */
export interface Options {
  /** `auto` (find out which era the server speaks) or a revision's date, for example `2025-11-25`. */
  protocol_version?: string
  /** Which phases to run; empty means all that the target's safety allows. */
  phases?: Phase[]
  /** How many stateful sequences to run at most; absent means as many as the budget allows. */
  cases?: number | null
  /** The shortest stateful sequence, in calls. */
  min_sequence_len?: number
  /** The longest stateful sequence, in calls. */
  max_sequence_len?: number
  /** Budget: calls, over all phases but shrinking. */
  max_calls?: number
  /** Budget: seconds for the whole run. */
  time_limit?: number
  /** Seconds without an answer or progress after which a request counts as hanging. */
  request_timeout?: number
  /** Seconds that the server may take to start and answer its first request. */
  startup_timeout?: number
  /** The seed of everything random; drawn and reported when absent. */
  seed?: number | null
  /** Sessions run side by side (stdio: processes); 1 is fully deterministic. */
  workers?: number
  /** Calls under way at once while a server that shows no state is screened; stdio only. */
  in_flight?: number
  /** How arguments are found and what is recorded about them. */
  state_machine_config?: StateMachineConfig
  /** Tools that may be called: names or globs; empty means all. */
  tool_allowlist?: string[]
  /** Tools that may not be called: names or globs. */
  tool_blocklist?: string[]
  /** Call only tools annotated `readOnlyHint: true`; absent means yes for HTTP targets that are not loopback. */
  read_only?: boolean | null
  /** Call tools that may destroy something on a target where that is not the default. */
  allow_destructive?: boolean
  /** Answers with `isError: true` count as findings. */
  in_band_error_forbidden?: boolean
  /** Give each server process a private home, configuration and temporary folder. */
  isolate?: boolean
  /** A folder that is copied into each private home (with `isolate`). */
  fixture_dir?: string | null
  /** A command (argv) run before each fresh session, to reset outside state. */
  pre_run_hook?: string[]
  /** The user's own checks. */
  assertions?: Assertion[]
  /** An explicit `tooltest.toml`. */
  config?: string | null
  /** Where failing cases are saved and replayed from; empty switches both off. */
  failure_dir?: string
  /** Stop at the first finding at level error. */
  fail_fast?: boolean
  /** Go on to call tools even when a list-phase lint found an error. */
  keep_going?: boolean
  /** Carry every request and response of each finding's case, not only the last ones. */
  full_trace?: boolean
  /** Tell for each tool without a real success what was tried. */
  show_uncallable?: boolean
  /** How many failed attempts to show for such a tool. */
  uncallable_limit?: number
  /** Carry the trace of every call of the run in the result (memory grows with the run). */
  trace_all?: boolean
  /** Which part of the run to do, as `I/N`: the findings of all N parts together are those of the whole. */
  shard?: string | null
}

/** What a run found out. */
export interface RunResult {
  /** [`RESULT_SCHEMA_VERSION`]. */
  schema_version: number
  /** The version of tooltest. */
  tooltest_version: string
  /** The verdict. */
  outcome: Outcome
  /** Why the verdict is not `passed`, in a sentence. */
  reason?: string | null
  /** The server. */
  server: ServerReport
  /** Findings at level error, most telling first. */
  findings: Finding[]
  /** Findings at level warning. */
  warnings: Finding[]
  /** How each tool fared. */
  coverage: ToolCoverage[]
  /** What was not judged, and why. */
  not_measured: NotMeasured[]
  /** The phases as they ran. */
  phases: PhaseReport[]
  /** What the run learned to use as arguments. */
  corpus: CorpusReport
  /** Times. */
  timing: Timing
  /** The seed that repeats the run. */
  seed: number
  /** What was spent of the budget. */
  budget: BudgetReport
  /** Saved failures that were run again. */
  replayed?: ReplayReport[]
  /** What a baseline made of the findings, where one was used. */
  baseline?: BaselineReport | null
  /** What the server offers, as listed: `tools`, `resources`, `resourceTemplates`, `prompts`. */
  offered: unknown
  /** The input with its secrets redacted. */
  input: unknown
  /** Where the lint configuration came from: `built-in` or a path. */
  config_source: string
  /** Every call of the run, with `trace_all`. */
  trace?: unknown[] | null
}

/** Something that happened in a run. The last event of every run is [`Event::RunFinished`]. */
export type Event = RunStartedEvent | ServerReadyEvent | PhaseStartedEvent | PhaseFinishedEvent | ProgressEvent | CorpusGrewEvent | FindingFoundEvent | FindingShrunkEvent | SessionRestartedEvent | RunFinishedEvent

/** The run has its plan. */
export interface RunStartedEvent {
  event: 'run_started'
  /** The command or URL, secrets redacted. */
  target: string
  /** The seed that repeats the run. */
  seed: number
  /** Budget: calls. */
  max_calls: number
  /** Budget: seconds. */
  time_limit: number
}

/** The first session is open. */
export interface ServerReadyEvent {
  event: 'server_ready'
  /** The server's name. */
  name: string
  /** The server's version. */
  version: string
  /** The revision's date. */
  revision: string
  /** Tools, resources, templates and prompts listed. */
  tools: number
  /** Resources listed. */
  resources: number
  /** Prompts listed. */
  prompts: number
}

/** A phase begins. */
export interface PhaseStartedEvent {
  event: 'phase_started'
  /** The phase. */
  phase: Phase
}

/** A phase is over. */
export interface PhaseFinishedEvent {
  event: 'phase_finished'
  /** The phase. */
  phase: Phase
  /** Calls made in it. */
  calls: number
  /** Why it did not run, if it did not. */
  skipped: string | null
}

/** Calls were made since the last such event; sent a few times a second. */
export interface ProgressEvent {
  event: 'progress'
  /** The phase. */
  phase: Phase
  /** Calls so far. */
  calls: number
  /** Seconds so far. */
  seconds: number
  /** Distinct findings so far. */
  findings: number
  /** What is being done, for example `shrinking get_task (5 steps left)`. */
  doing: string
}

/** A value entered the corpus (with `log_corpus_deltas`). */
export interface CorpusGrewEvent {
  event: 'corpus_grew'
  /** The tool whose answer held it. */
  tool: string
  /** Its key. */
  key: string
  /** The value. */
  value: unknown
}

/** A finding came up for the first time; its case may still shrink. */
export interface FindingFoundEvent {
  event: 'finding_found'
  /** The finding so far. */
  finding: Finding
  /** Calls made until then. */
  calls: number
  /** Seconds until then. */
  seconds: number
}

/** A finding has its final form. */
export interface FindingShrunkEvent {
  event: 'finding_shrunk'
  /** The finding. */
  finding: Finding
}

/** The server ended or was ended, and a new one is started. */
export interface SessionRestartedEvent {
  event: 'session_restarted'
  /** Why. */
  reason: string
}

/** The run is over. */
export interface RunFinishedEvent {
  event: 'run_finished'
  /** The verdict. */
  outcome: Outcome
  /** Findings at level error. */
  findings: number
  /** Findings at level warning. */
  warnings: number
  /** Calls made. */
  calls: number
  /** Seconds taken. */
  seconds: number
}
