'use strict'

const { run } = require('../run.js')
const { heading, report, verdict } = require('./words.js')

/**
 * `await expect(server).toPassTooltest(options?)`: tests the server; findings at level error fail, and so does a run in
 * which nothing could be judged.
 * @this {import('./words.js').Matching}
 * @param {import('../..').Target} target
 * @param {import('../..').RunOptions} [options]
 */
async function toPassTooltest(target, options) {
  const result = await run(target, options)
  const head = heading(this, 'toPassTooltest', 'server')
  const pass = result.outcome === 'passed'
  const message = () => `${head}\n\n${pass || result.findings.length === 0 ? verdict(result) : report(result.findings)}`
  return { pass, message }
}

module.exports = { toPassTooltest }
