'use strict'
// Importing this file, for example in `setupFilesAfterEnv`, registers the matchers with Jest.

const { describe, expect, test } = require('@jest/globals')
const { describeServerWith } = require('./js/describe-server.js')
const matchers = require('./js/matchers/index.js')

expect.extend(matchers)

// Jest cannot skip a test that runs already.
const skip = (/** @type {unknown} */ _, /** @type {string} */ reason) => console.warn(`not judged: ${reason}`)

// A body with a parameter would be called with `done`.
/** @type {import('./js/describe-server.js').Runner['test']} */
const declare = (name, body, timeout) => test(name, () => body(undefined), timeout)

module.exports = { describeServer: describeServerWith({ describe, test: declare, skip, waits: false }), ...matchers }
