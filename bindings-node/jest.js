'use strict'
// Importing this file, for example in `setupFilesAfterEnv`, registers the matchers with Jest.

const { describe, expect, test } = require('@jest/globals')
const { describeServerWith } = require('./js/describe-server.js')
const { toHaveNoFindings, toPassTooltest } = require('./js/matchers/index.js')

expect.extend({ toHaveNoFindings, toPassTooltest })

// Jest cannot skip a test that runs already.
const skip = (/** @type {unknown} */ _, /** @type {string} */ reason) => console.warn(`not judged: ${reason}`)

// A body with a parameter would be called with `done`.
/** @type {import('./js/describe-server.js').Runner['test']} */
const declare = (name, body, timeout) => test(name, () => body(undefined), timeout)

const describeServer = describeServerWith({ describe, test: declare, skip, waits: false })

module.exports = { describeServer, toHaveNoFindings, toPassTooltest }
