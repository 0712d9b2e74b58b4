'use strict'
// Runs: the target and the options go to the addon, events and the result come back.

const { randomBytes } = require('node:crypto')
const { isAbsolute, join } = require('node:path')
const { TooltestError, guarded } = require('./error.js')
const { failures, json, readTarget } = require('./documents.js')
const { InProcess, isServer } = require('./in-process.js')
const native = require('./native.js')

/** @typedef {'run' | 'lint' | 'list_tools'} Job */
/** @typedef {import('..').RunOptions} RunOptions */

/** Runs that are not over; kept here so that they are neither collected nor left behind. */
const live = /** @type {Set<native.Run>} */ (new Set())

/** @type {typeof import('..').run} */
const run = (target, options) => carryOut('run', target, options)

/** @type {typeof import('..').lint} */
const lint = (target, options) => carryOut('lint', target, options)

/** @type {typeof import('..').listTools} */
const listTools = (target, options) => carryOut('list_tools', target, options)

/** @type {typeof import('..').replay} */
async function replay(files, options = {}) {
  const { target, ...rest } = options
  const found = failures(files)
  const all = /** @type {RunOptions} */ ({ ...rest, phases: ['replay'], keep_going: true })
  return carryOut('run', target ?? found.target(), all, found.files)
}

/** @type {typeof import('..').listToolsSync} */
function listToolsSync(target, options = {}) {
  const input = json({ target: readTarget(target), ...options }, 'options')
  return guarded(() => JSON.parse(native.listToolsSync(input, settings('list_tools', [], false))))
}

/**
 * @param {Job} job
 * @param {import('..').Target} target
 * @param {RunOptions} [options]
 * @param {string[]} [files] failure files
 * @returns {Promise<any>}
 */
async function carryOut(job, target, options = {}, files = []) {
  const { onEvent, signal, ...rest } = options
  signal?.throwIfAborted()
  const server = isServer(target) || typeof target === 'function' ? new InProcess(target) : undefined
  const document = server ? { in_process: { name: server.name } } : readTarget(/** @type {any} */ (target))
  const input = json({ target: document, ...rest }, 'options')
  /** @type {{error: unknown} | undefined} */
  let ended
  /** @type {native.Run | undefined} */
  let running
  /** @param {unknown} error */
  const end = (error) => {
    ended ??= { error }
    running?.cancel()
  }
  /** @param {string} text */
  const event = async (text) => {
    if (!ended) await onEvent?.(JSON.parse(text))
  }
  const abort = () => end(signal?.reason)
  try {
    return await new Promise((resolve, reject) => {
      /** @type {native.Tell} */
      const tell = (kind, session, text) => {
        if (kind === 'event') event(text).catch(end)
        else if (kind === 'done') resolve(JSON.parse(text))
        else if (kind === 'failed') reject(failed(text))
        else if (running) server?.[kind](running, session, text)
      }
      running = guarded(() => new native.Run(input, settings(job, files, onEvent !== undefined), tell))
      watch(running)
      signal?.addEventListener('abort', abort, { once: true })
    })
  } finally {
    unwatch(running)
    signal?.removeEventListener('abort', abort)
    await server?.end()
    // eslint-disable-next-line no-unsafe-finally -- what ended the run early outweighs its result
    if (ended) throw ended.error
  }
}

/** @param {string} text */
function failed(text) {
  const { code, message } = JSON.parse(text)
  return new TooltestError(code, message)
}

/**
 * What the core may not fetch by itself, as JSON text.
 * @param {Job} job
 * @param {string[]} files
 * @param {boolean} events
 */
function settings(job, files, events) {
  return JSON.stringify({
    job,
    working_dir: process.cwd(),
    user_config_dir: userConfigDir(),
    random_seed: Number(randomBytes(8).readBigUInt64LE() >> 11n),
    replay: files,
    events,
  })
}

function userConfigDir() {
  const { XDG_CONFIG_HOME, HOME, APPDATA } = process.env
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME
  if (HOME && isAbsolute(HOME)) return join(HOME, '.config')
  return APPDATA ?? null
}

function endAll() {
  for (const running of live) running.end()
}

/** @param {native.Run} running */
function watch(running) {
  if (live.size === 0) process.on('exit', endAll)
  live.add(running)
}

/** @param {native.Run | undefined} running */
function unwatch(running) {
  if (running && live.delete(running) && live.size === 0) process.off('exit', endAll)
}

module.exports = { lint, listTools, listToolsSync, replay, run }
