// Types of the matchers and of `describeServer`, declared once; jest.d.ts and vitest.d.mts hand them to the test runners.

import type { RunOptions, RunResult, ServerFactory, ServerObject, Target, WrittenTarget } from './index'

/** The lowest level of findings that count. */
export type FindingsLevel = 'error' | 'warning'

/** Which findings `toHaveNoFindings` looks at, and the options of the run where it is given a server. */
export interface FindingsOptions extends RunOptions {
  /** `error` unless told; `warning` counts both levels. */
  level?: FindingsLevel
  /** Only findings that this tool is to blame for. */
  tool?: string
  /** Only findings of this lint. */
  lint?: string
}

/** The matchers. */
export interface TooltestMatchers<R = Promise<void>> {
  /**
   * Tests the server, and fails with the smallest case of each finding at level error, or where nothing could be judged.
   *
   * @example await expect('node server.js').toPassTooltest({ max_calls: 500 })
   */
  toPassTooltest(options?: RunOptions): R
  /**
   * Looks at the findings of a result, or of a run of the server that is given.
   *
   * @example await expect(await run(server)).toHaveNoFindings({ level: 'warning' })
   */
  toHaveNoFindings(options?: FindingsOptions): R
}

/** What a matcher returns to its test runner. */
export interface MatcherOutcome {
  pass: boolean
  message: () => string
}

export declare function toPassTooltest(target: Target, options?: RunOptions): Promise<MatcherOutcome>
export declare function toHaveNoFindings(received: RunResult | Target, options?: FindingsOptions): Promise<MatcherOutcome>

/** The options of `describeServer`: those of the run, and of the tests. */
export interface DescribeOptions extends RunOptions {
  /** The lowest level of findings that fail a test; `error` unless told. */
  level?: FindingsLevel
  /** The tools to declare tests for; the server is asked unless told. */
  tools?: readonly string[]
  /** Milliseconds that a test may take; twice the `time_limit` and a minute unless told. */
  timeout?: number
}

/**
 * Declares one test for each tool of the server, and one named `lints` for what no tool is to blame for. The server is
 * tested once, when the first of them runs; each shows the findings of its tool. A tool without one success is skipped
 * by Vitest and named in a warning by Jest: it was not judged.
 */
export type DescribeServer = (name: string, target: WrittenTarget | ServerObject | ServerFactory, options?: DescribeOptions) => void
