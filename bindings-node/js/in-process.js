'use strict'
// Servers in this process: objects of the MCP SDKs, connected by messages in memory.

const { OwnConnection, SharedConnection } = require('./connections.js')
const { forServer } = require('./sdk.js')

/** @typedef {import('./native.js').Run} Run */
/** @typedef {import('..').ServerObject} ServerObject */

/**
 * Whether a value is a server object of an MCP SDK: `McpServer` or `Server` of 1.x or 2.x.
 * @param {any} value
 * @returns {value is ServerObject}
 */
function isServer(value) {
  const connects = typeof value?.connect === 'function' && typeof value.close === 'function'
  return connects && typeof value.callTool !== 'function' // a client connects, too
}

/** The sessions of one run with a server object, or with what a function makes. */
class InProcess {
  /** @param {any} target */
  constructor(target) {
    this.target = target
    this.name = isServer(target) ? nameOf(target) : target.name
    /** @type {Map<number, {deliver(line: string): void, end(): unknown}>} */
    this.sessions = new Map()
    /** @type {InstanceType<typeof SharedConnection> | undefined} */
    this.shared = isServer(target) ? new SharedConnection(target) : undefined
  }

  /**
   * Starts a session and says so.
   * @param {Run} run
   * @param {number} session
   */
  open(run, session) {
    const ports = {
      send: (/** @type {string} */ text) => run.send(session, text),
      ended: () => {
        this.sessions.delete(session)
        run.closed(session)
      },
    }
    this.connect(ports).then(
      (connection) => {
        this.sessions.set(session, connection)
        run.opened(session)
      },
      (error) => run.opened(session, error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    )
  }

  /** @param {import('./connections.js').Ports} ports */
  async connect(ports) {
    if (this.shared) return this.shared.join(ports)
    const connection = new OwnConnection(ports)
    const made = await this.target({ era: 'legacy' })
    if (!isServer(made)) throw new TypeError(`the function returned ${kindOf(made)}, which is no server object of an MCP SDK`)
    const sdk = await forServer(made)
    await (sdk ? connection.serve(sdk, made, this.target) : connection.connect(made))
    return connection
  }

  /**
   * Hands messages to the server.
   * @param {Run} _run
   * @param {number} session
   * @param {string} text
   */
  messages(_run, session, text) {
    for (const line of text.split('\n')) this.sessions.get(session)?.deliver(line)
  }

  /**
   * Ends a session whose input has ended.
   * @param {Run} run
   * @param {number} session
   */
  close(run, session) {
    this.sessions.get(session)?.end()
    this.sessions.delete(session)
    run.closed(session)
  }

  /** Ends what is left. */
  async end() {
    const left = [...this.sessions.values()]
    this.sessions.clear()
    await Promise.allSettled([...left.map((connection) => connection.end()), this.shared?.close()])
  }
}

/** @param {any} server */
function nameOf(server) {
  const name = (server.server ?? server)._serverInfo?.name
  return typeof name === 'string' ? name : ''
}

/** @param {unknown} value */
function kindOf(value) {
  return value === null ? 'null' : typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : typeof value
}

module.exports = { InProcess, isServer }
