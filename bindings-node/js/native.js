'use strict'
// Loads the addon: from a checkout's own build, otherwise from the package for this platform.

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { candidates } = require('./platform.js')

/** @returns {typeof import('./native.js')} */
function load() {
  const faults = []
  for (const name of candidates()) {
    const built = join(__dirname, '..', `tooltest.${name}.node`)
    const place = existsSync(built) ? built : `@tooltest/binding-${name}`
    try {
      return require(place)
    } catch (error) {
      faults.push(`${place}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
  throw new Error(
    `tooltest has no addon for this platform, or npm left it out.\n${faults.map((fault) => `  ${fault}`).join('\n')}\n` +
      'Where npm was told to leave optional dependencies out, install again without that; a lock file made on another platform may need to be made anew.',
  )
}

module.exports = load()
