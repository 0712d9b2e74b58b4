'use strict'

/**
 * The findings of a result from a level on.
 * @param {import('..').RunResult} result
 * @param {'error' | 'warning'} level
 */
function judged(result, level) {
  return level === 'warning' ? [...result.findings, ...result.warnings] : result.findings
}

module.exports = { judged }
