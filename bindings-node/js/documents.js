'use strict'
// Documents: targets as people write them, failure files, reports.

const { readFileSync } = require('node:fs')
const { TooltestError, guarded } = require('./error.js')
const native = require('./native.js')

/**
 * JSON text of what a caller handed over.
 * @param {unknown} value
 * @param {string} name what to call it where it is no JSON
 * @returns {string}
 */
function json(value, name) {
  let text
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw new TooltestError('input', `${name}: ${/** @type {Error} */ (error).message}`)
  }
  if (text === undefined) throw new TooltestError('input', `${name}: must not be ${typeof value}`)
  return text
}

/** @type {typeof import('..').readTarget} */
function readTarget(target, server) {
  const written = target instanceof URL ? target.href : target
  return guarded(() => JSON.parse(native.readTarget(json(written, 'target'), server)))
}

/** @type {typeof import('..').fromConfig} */
function fromConfig(path, server) {
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new TooltestError('file', /** @type {Error} */ (error).message)
  }
  return guarded(() => JSON.parse(native.clientTarget(text, server)))
}

/**
 * The failure files at some paths, and the target that they agree on.
 * @param {string | string[]} paths
 */
function failures(paths) {
  const files = [paths].flat().flatMap((path) => guarded(() => native.failureFiles(String(path))))
  return { files, target: () => guarded(() => JSON.parse(native.commonTarget(files))) }
}

/** @type {typeof import('..').render} */
function render(result, format = 'human', { width = 100, colour = false, verbose = false } = {}) {
  return guarded(() => native.render(json(result, 'result'), format, width, colour, verbose))
}

/** @type {typeof import('..').renderFinding} */
function renderFinding(finding, { width = 100, colour = false } = {}) {
  return guarded(() => native.renderFinding(json(finding, 'finding'), width, colour))
}

/** @type {typeof import('..').merge} */
function merge(results) {
  return guarded(() => JSON.parse(native.merge(results.map((result) => json(result, 'result')))))
}

module.exports = { failures, fromConfig, json, merge, readTarget, render, renderFinding }
