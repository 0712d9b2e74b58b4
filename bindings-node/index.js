'use strict'
// Property-based testing and linting for MCP servers: point it at a server and it finds real bugs.

const { fromConfig, merge, readTarget, render, renderFinding } = require('./js/documents.js')
const { TooltestError } = require('./js/error.js')
const native = require('./js/native.js')
const { lint, listTools, listToolsSync, replay, run } = require('./js/run.js')

module.exports = {
  TooltestError,
  fromConfig,
  lint,
  listTools,
  listToolsSync,
  merge,
  readTarget,
  render,
  renderFinding,
  replay,
  run,
  version: native.version(),
}
