'use strict'
// The SDK 2.x, where a server is one of its: only its own entry point serves every revision.

/**
 * @typedef {{
 *   serveStdio(factory: (context: {era: string}) => any, options: object): {close(): Promise<void>},
 *   deserializeMessage(line: string): any,
 * }} Sdk
 */

const PACKAGE = '@modelcontextprotocol/server'

/**
 * The copy of the SDK 2.x that a server object comes from, if it does. The package has one copy for `import` and one for `require`.
 * @param {object} server
 * @returns {Promise<Sdk | undefined>}
 */
async function forServer(server) {
  for (const load of [imported, required]) {
    const [main, stdio] = await load().catch(() => [])
    const classes = [main?.McpServer, main?.Server]
    if (stdio && classes.some((made) => made && server instanceof made)) {
      return { serveStdio: stdio.serveStdio, deserializeMessage: main.deserializeMessage }
    }
  }
  return undefined
}

/** @returns {Promise<any[]>} */
const imported = () => Promise.all([import(PACKAGE), import(`${PACKAGE}/stdio`)])

/** @returns {Promise<any[]>} */
const required = async () => [require(PACKAGE), require(`${PACKAGE}/stdio`)]

module.exports = { forServer }
