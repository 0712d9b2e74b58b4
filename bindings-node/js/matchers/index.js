'use strict'
// One matcher a file.

const { toHaveNoFindings } = require('./to-have-no-findings.js')
const { toPassTooltest } = require('./to-pass-tooltest.js')

module.exports = { toHaveNoFindings, toPassTooltest }
