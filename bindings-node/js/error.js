'use strict'
// `TooltestError`: the one error.

/** tooltest itself could not do its work; `code` says which part. */
class TooltestError extends Error {
  /**
   * @param {import('..').ErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.name = 'TooltestError'
    this.code = code
  }
}

const CODES = ['input', 'config', 'open', 'hook', 'file', 'bug']

/**
 * Calls the addon, whose errors become `TooltestError`s.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function guarded(call) {
  try {
    return call()
  } catch (error) {
    const { code, message } = /** @type {{code?: any, message?: any}} */ (error)
    throw CODES.includes(code) ? new TooltestError(code, message) : error
  }
}

module.exports = { TooltestError, guarded }
