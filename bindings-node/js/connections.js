'use strict'
// Transports of the MCP SDKs over messages in memory.

/** @typedef {any} Message a JSON-RPC message */
/** @typedef {import('..').ServerObject} ServerObject */
/**
 * Where a connection sends what the server says.
 * @typedef {{send(text: string): unknown, ended(): void}} Ports
 */

/** What the SDKs ask of a transport. */
class Transport {
  /** @type {((message: Message) => void) | undefined} */ onmessage
  /** @type {(() => void) | undefined} */ onclose
  /** @type {((error: Error) => void) | undefined} */ onerror
  closed = false

  async start() {}

  async close() {
    if (this.closed) return
    this.closed = true
    this.gone()
    this.onclose?.()
  }

  /** Called once, when the connection is over. */
  gone() {}

  /**
   * Hands the server a line as its standard input would: what is no message is an error of the transport.
   * @param {string} line
   * @param {(line: string) => Message} read
   * @param {(message: Message) => Message} [change]
   */
  take(line, read, change = (message) => message) {
    if (this.closed) return
    try {
      this.onmessage?.(change(read(line)))
    } catch (error) {
      this.onerror?.(/** @type {Error} */ (error))
    }
  }
}

/** The connection of a server that was made for one session: messages pass as they are. */
class OwnConnection extends Transport {
  /** @param {Ports} ports */
  constructor(ports) {
    super()
    this.ports = ports
    this.read = JSON.parse
    /** @type {() => unknown} */
    this.dispose = () => this.close()
  }

  /**
   * Connects the server as it is.
   * @param {ServerObject} server
   */
  async connect(server) {
    this.dispose = () => server.close()
    await server.connect(this)
  }

  /**
   * Lets the SDK 2.x serve, which decides by the first message which revisions are spoken.
   * @param {import('./sdk.js').Sdk} sdk
   * @param {ServerObject} made the server that was made already
   * @param {(context: {era: string}) => any} make makes another one
   */
  async serve(sdk, made, make) {
    /** @type {ServerObject | undefined} */
    let first = made
    /** @param {{era: string}} context */
    const factory = (context) => {
      if (context.era !== 'legacy' || !first) return make(context)
      const server = first
      first = undefined
      return server
    }
    this.read = sdk.deserializeMessage
    const handle = sdk.serveStdio(factory, { transport: this })
    this.dispose = () => handle.close()
  }

  /** @param {Message} message */
  async send(message) {
    if (!this.closed) this.ports.send(JSON.stringify(message))
  }

  /** @param {string} line */
  deliver(line) {
    this.take(line, this.read)
  }

  gone() {
    this.ports.ended()
  }

  /** The input has ended: the server is closed. */
  async end() {
    await this.dispose()
    await this.close()
  }
}

/**
 * The one connection of a server object, which the sessions of a run share. The SDKs connect an object once at a time, so
 * requests get numbers of their own on the way in and their old identity back on the way out.
 */
class SharedConnection extends Transport {
  /** @param {ServerObject} server */
  constructor(server) {
    super()
    this.server = server
    /** @type {Promise<unknown> | undefined} */
    this.connected = undefined
    this.last = 0
    this.sessions = /** @type {Set<Ports>} */ (new Set())
    /** @type {Map<number, {ports: Ports, id: unknown}>} */
    this.requests = new Map()
    /** @type {Map<number, {ports: Ports, token: unknown}>} */
    this.tokens = new Map()
  }

  /**
   * Adds a session.
   * @param {Ports} ports
   */
  async join(ports) {
    this.closed = false
    this.connected ??= this.server.connect(this)
    await this.connected
    this.sessions.add(ports)
    return {
      deliver: (/** @type {string} */ line) => this.take(line, JSON.parse, (message) => this.inward(ports, message)),
      end: () => this.leave(ports),
    }
  }

  /**
   * Ends a session: its requests are cancelled, as at the end of a connection.
   * @param {Ports} ports
   */
  leave(ports) {
    this.sessions.delete(ports)
    for (const [token, { ports: owner }] of this.tokens) if (owner === ports) this.tokens.delete(token)
    for (const [requestId, { ports: owner }] of this.requests) {
      if (owner !== ports) continue
      this.requests.delete(requestId)
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    }
  }

  /**
   * @param {Ports} ports
   * @param {Message} message
   * @returns {Message}
   */
  inward(ports, message) {
    if (message === null || typeof message !== 'object' || typeof message.method !== 'string') return message
    if (message.method === 'notifications/cancelled') return this.inwardCancellation(ports, message)
    if (typeof message.id !== 'string' && typeof message.id !== 'number') return message
    const id = ++this.last
    this.requests.set(id, { ports, id: message.id })
    const token = message.params?._meta?.progressToken
    if (token === undefined) return { ...message, id }
    this.tokens.set(id, { ports, token })
    return { ...message, id, params: { ...message.params, _meta: { ...message.params._meta, progressToken: id } } }
  }

  /**
   * @param {Ports} ports
   * @param {Message} message
   */
  inwardCancellation(ports, message) {
    const named = message.params?.requestId
    const found = [...this.requests].find(([, request]) => request.ports === ports && request.id === named)
    // An identity that nobody has keeps the server from cancelling another session's request.
    const requestId = found ? found[0] : typeof named === 'number' ? -1 : named
    return { ...message, params: { ...message.params, requestId } }
  }

  /**
   * @param {Message} message
   * @param {{relatedRequestId?: unknown}} [options]
   */
  async send(message, options) {
    if (message.method === undefined) {
      const request = this.requests.get(message.id)
      this.requests.delete(message.id)
      request?.ports.send(JSON.stringify({ ...message, id: request.id }))
      return
    }
    const progress = this.tokens.get(message.params?.progressToken)
    if (message.method === 'notifications/progress' && progress) {
      const params = { ...message.params, progressToken: progress.token }
      progress.ports.send(JSON.stringify({ ...message, params }))
      return
    }
    const related = this.requests.get(/** @type {number} */ (options?.relatedRequestId))
    const latest = [...this.sessions].slice(-1)
    const receivers = related ? [related.ports] : message.id === undefined ? this.sessions : latest
    for (const ports of receivers) ports.send(JSON.stringify(message))
  }

  gone() {
    this.connected = undefined
    this.requests.clear()
    this.tokens.clear()
    for (const ports of this.sessions) ports.ended()
    this.sessions.clear()
  }
}

module.exports = { OwnConnection, SharedConnection }
