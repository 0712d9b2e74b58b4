'use strict'

const { TooltestError } = require('../error.js')
const { run } = require('../run.js')
const { judged } = require('../judged.js')
const { heading, report, verdict } = require('./words.js')

/**
 * `await expect(result).toHaveNoFindings({ level })`: looks at the findings of a result, or of a run of the server that is given.
 * @this {import('./words.js').Matching}
 * @param {import('../..').RunResult | import('../..').Target} received
 * @param {import('../../matchers').FindingsOptions} [options]
 */
async function toHaveNoFindings(received, options = {}) {
  const { level = 'error', tool, lint, ...rest } = options
  if (level !== 'error' && level !== 'warning') {
    throw new TooltestError('input', `level: must be error or warning, not ${level}`)
  }
  const result = isResult(received) ? received : await run(received, rest)
  const found = judged(result, level)
    .filter((finding) => tool === undefined || finding.tool === tool || finding.also?.includes(tool))
    .filter((finding) => lint === undefined || finding.lint === lint)
  const head = heading(this, 'toHaveNoFindings', 'result')
  return { pass: found.length === 0, message: () => `${head}\n\n${found.length === 0 ? verdict(result) : report(found)}` }
}

/**
 * @param {any} value
 * @returns {value is import('../..').RunResult}
 */
function isResult(value) {
  return typeof value?.schema_version === 'number' && Array.isArray(value.findings)
}

module.exports = { toHaveNoFindings }
