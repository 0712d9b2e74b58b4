'use strict'
// What failing matchers and tests say.

const { render, renderFinding } = require('../documents.js')

/** @typedef {{isNot?: boolean, promise?: string, utils?: {matcherHint?: Function}}} Matching what Jest and Vitest call matchers with */
/** @typedef {import('../..').Finding} Finding */
/** @typedef {import('../..').RunResult} RunResult */

/** Whether the test runner shows colours; both runners say so to their workers with this variable. */
const colour = () => !process.env.NO_COLOR && !['0', 'false', undefined].includes(process.env.FORCE_COLOR)

/**
 * The call as the runner writes calls of matchers.
 * @param {Matching} matching
 * @param {string} name
 * @param {string} received
 * @returns {string}
 */
function heading({ isNot, promise, utils }, name, received) {
  const not = isNot ? '.not' : ''
  return utils?.matcherHint?.(name, received, '', { isNot, promise }) ?? `expect(${received})${not}.${name}()`
}

/**
 * Findings as the terminal report shows them; the first line says it all.
 * @param {readonly Finding[]} findings
 */
function report(findings) {
  const heads = findings.map(({ lint, tool }) => (tool ? `${lint} in ${tool}` : lint))
  const shown = findings.map((finding) => renderFinding(finding, { colour: colour() }).trimEnd())
  if (findings.length === 1) return `${heads[0]}: ${findings[0].message}\n\n${shown[0]}`
  const parts = shown.map((text, index) => `${index + 1}. ${heads[index]}\n\n${text}`)
  return [`${findings.length} findings: ${heads.join(', ')}`, ...parts].join('\n\n')
}

/**
 * A result without findings: the outcome, why, and the whole report.
 * @param {RunResult} result
 */
function verdict(result) {
  const why = result.reason ? `: ${result.reason}` : ''
  return `${result.outcome}${why}\n\n${render(result, 'human', { colour: colour() }).trim()}`
}

module.exports = { heading, report, verdict }
