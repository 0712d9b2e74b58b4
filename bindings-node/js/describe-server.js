'use strict'
// One test for each tool of a server, and one for the lints.

const { TooltestError } = require('./error.js')
const { isServer } = require('./in-process.js')
const { judged } = require('./judged.js')
const { report, verdict } = require('./matchers/words.js')
const { listTools, listToolsSync, run } = require('./run.js')

/** The name of the test for what no single tool is to blame for. */
const LINTS = 'lints'
/** Options of a run that matter for listing tools. */
const LISTING = ['protocol_version', 'request_timeout', 'startup_timeout']

/** @typedef {import('../matchers').DescribeServer} DescribeServer */
/** @typedef {import('../matchers').DescribeOptions} DescribeOptions */
/** @typedef {{target: import('..').Target, options: import('..').RunOptions, level: 'error' | 'warning', result?: Promise<import('..').RunResult>}} Tested */
/**
 * What differs between the test runners.
 * @typedef {object} Runner
 * @property {(name: string, body: () => any) => unknown} describe
 * @property {(name: string, body: (context: any) => Promise<void>, timeout: number) => unknown} test
 * @property {boolean} waits whether the body of `describe` may be asynchronous
 * @property {(context: any, reason: string) => void} skip says of a running test that it judges nothing
 */

/**
 * The function `describeServer` for a test runner.
 * @param {Runner} runner
 * @returns {DescribeServer}
 */
function describeServerWith(runner) {
  return (name, target, given = {}) => {
    const { level = 'error', timeout, tools, ...options } = given
    const tested = { target, level, options: /** @type {import('..').RunOptions} */ ({ keep_going: true, ...options }) }
    const patience = timeout ?? (2 * (options.time_limit ?? 60) + 60) * 1000
    /** @param {readonly string[]} names */
    const declare = (names) => {
      for (const tool of new Set(names)) runner.test(tool, (context) => judgeTool(tested, tool, context, runner), patience)
      runner.test(LINTS, () => judgeLints(tested), patience)
    }
    runner.describe(name, () => {
      if (tools) return declare(tools)
      // A server that cannot be asked declares the one test that says why.
      if (runner.waits) return listTools(target, listing(options)).then(namesOf, () => []).then(declare)
      declare(namesNow(target, options))
    })
  }
}

/** @param {Record<string, any>} options */
const listing = (options) => Object.fromEntries(Object.entries(options).filter(([name]) => LISTING.includes(name)))

/** @param {import('..').ListedTool[]} listed */
const namesOf = (listed) => listed.map((tool) => tool.name).filter((name) => typeof name === 'string')

/**
 * The names of the tools, without waiting. High-level server objects hold them; others cannot be asked now.
 * @param {import('..').Target} target
 * @param {import('..').RunOptions} options
 * @returns {string[]}
 */
function namesNow(target, options) {
  if (isServer(target) || typeof target === 'function') {
    const registered = /** @type {any} */ (target)._registeredTools
    if (registered) return Object.keys(registered)
    throw new TooltestError(
      'input',
      'tools: Jest declares its tests before it waits for anything, so the tools of a low-level server object or of a function must be named here',
    )
  }
  try {
    return namesOf(listToolsSync(/** @type {import('..').WrittenTarget} */ (target), listing(options)))
  } catch (error) {
    if (error instanceof TooltestError) return []
    throw error
  }
}

/**
 * The result of the one run that all tests of a server share.
 * @param {Tested} tested
 */
function resultOf(tested) {
  tested.result ??= run(tested.target, tested.options)
  return tested.result
}

/**
 * Fails with the findings that a tool is to blame for, alone or with others.
 * @param {Tested} tested
 * @param {string} tool
 * @param {unknown} context
 * @param {Runner} runner
 */
async function judgeTool(tested, tool, context, runner) {
  const result = await resultOf(tested)
  check(judged(result, tested.level).filter((finding) => finding.tool === tool || finding.also?.includes(tool)))
  const coverage = result.coverage.find((one) => one.tool === tool)
  if (!coverage) fail(`${tool}: the server lists no such tool`)
  else if (coverage.ok === 0) runner.skip(context, `${tool}: ${coverage.reason ?? 'no call succeeded, so it was not judged'}`)
}

/**
 * Fails with the findings of the handshake, the lists and the whole session, and where nothing could be judged.
 * @param {Tested} tested
 */
async function judgeLints(tested) {
  const result = await resultOf(tested)
  const tools = new Set(result.coverage.map((one) => one.tool))
  const blamed = (/** @type {import('..').Finding} */ { tool, also = [] }) => [tool, ...also].some((one) => one && tools.has(one))
  check(judged(result, tested.level).filter((finding) => !blamed(finding)))
  if (result.outcome === 'inconclusive' || result.outcome === 'interrupted') fail(verdict(result))
}

/** @param {import('..').Finding[]} findings */
function check(findings) {
  if (findings.length > 0) fail(report(findings))
}

/**
 * Fails the running test with a text; the stack of this file says nothing about the server.
 * @param {string} text
 */
function fail(text) {
  const error = new Error(text)
  error.name = 'ServerFailed'
  error.stack = `${error.name}: ${text}`
  throw error
}

module.exports = { describeServerWith }
