// The matchers and describeServer under Jest.
const { join } = require('node:path')
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js')
const { run } = require('tooltest')
const { describeServer } = require('tooltest/jest')
const z = require('zod')

const SMALL = { max_calls: 100, seed: 7, failure_dir: '' }
const server = (faults = '') => ({ command: process.execPath, args: [join(__dirname, 'servers/tasks-server.mjs')], env: { FAULTS: faults } })

/** A server object that doubles numbers. */
function doubler() {
  const made = new McpServer({ name: 'doubler', version: '1.0' })
  made.registerTool('double', { description: 'Doubles a number.', inputSchema: { n: z.number().int().min(-1000).max(1000) } }, ({ n }) => ({
    content: [{ type: 'text', text: String(2 * n) }],
  }))
  return made
}

test('a sound server passes', async () => {
  await expect(server()).toPassTooltest(SMALL)
  await expect(doubler()).toPassTooltest(SMALL)
})

test('a faulty server fails with its smallest case', async () => {
  await expect(server('crash')).not.toPassTooltest({ ...SMALL, max_calls: 300 })
  const failing = expect(server('crash')).toPassTooltest({ ...SMALL, max_calls: 300 })
  await expect(failing).rejects.toThrow(/toPassTooltest[^]*no_crash in add: [^]*Smallest case: 1 step[^]*add \{"a": 5\d\d, "b": 0\}/)
  await expect(expect(server()).not.toPassTooltest(SMALL)).rejects.toThrow(/\.not\.toPassTooltest[^]*passed[^]*2 of 2 tools succeeded/)
})

test('findings of a result are looked at by level, tool and lint', async () => {
  const result = await run(server('schema'), SMALL)
  await expect(expect(result).toHaveNoFindings()).rejects.toThrow(/toHaveNoFindings[^]*in add[^]*Smallest case/)
  await expect(result).toHaveNoFindings({ tool: 'repeat' })
  await expect(result).toHaveNoFindings({ lint: 'no_crash' })
  const clean = await run(server(), SMALL)
  await expect(clean).toHaveNoFindings()
  await expect(clean).not.toHaveNoFindings({ level: 'warning' })
  await expect(server()).toHaveNoFindings(SMALL)
  await expect(expect(clean).toHaveNoFindings({ level: 'info' })).rejects.toThrow(/level: must be error or warning/)
})

test('errors and results cross into the context of the test', async () => {
  await expect(run('no-such-program-here')).rejects.toMatchObject({ name: 'TooltestError', code: 'open' })
  await expect(expect('no-such-program-here').toPassTooltest()).rejects.toThrow(/no-such-program-here/)
  const result = await run(server(), { ...SMALL, tool_allowlist: ['add'] })
  expect(result.coverage.filter((tool) => tool.ok > 0).map((tool) => tool.tool)).toEqual(['add'])
})

describeServer('one test a tool', server(), SMALL)
describeServer('a server object', doubler(), SMALL)
describeServer('a function', doubler, { ...SMALL, tools: ['double'] })

test('low-level servers and functions need the names of their tools', () => {
  const { describeServerWith } = require('../js/describe-server.js')
  const declared = []
  const runner = { describe: (name, body) => body(), test: (name) => declared.push(name), skip() {}, waits: false }
  expect(() => describeServerWith(runner)('low', doubler().server)).toThrow(/tools: /)
  describeServerWith(runner)('high', doubler())
  describeServerWith(runner)('gone', 'no-such-program-here')
  expect(declared).toEqual(['double', 'lints', 'lints'])
})
