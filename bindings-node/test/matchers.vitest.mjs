// The matchers and describeServer under Vitest.
import { McpServer } from '@modelcontextprotocol/server'
import { run } from 'tooltest'
import { describeServer } from 'tooltest/vitest'
import { expect, test } from 'vitest'
import * as z from 'zod'

const SMALL = { max_calls: 100, seed: 7, failure_dir: '' }
const script = new URL('servers/tasks-server.mjs', import.meta.url).pathname
const server = (faults = '') => ({ command: process.execPath, args: [script], env: { FAULTS: faults } })

/** A server object that doubles numbers. */
function doubler() {
  const made = new McpServer({ name: 'doubler', version: '1.0' })
  const inputSchema = z.object({ n: z.number().int().min(-1000).max(1000) })
  made.registerTool('double', { description: 'Doubles a number.', inputSchema }, ({ n }) => ({ content: [{ type: 'text', text: String(2 * n) }] }))
  return made
}

test('a sound server passes', async () => {
  await expect(server()).toPassTooltest(SMALL)
  await expect(doubler).toPassTooltest({ ...SMALL, protocol_version: '2025-11-25' })
})

test('a faulty server fails with its smallest case', async () => {
  await expect(server('crash')).not.toPassTooltest({ ...SMALL, max_calls: 300 })
  const failing = expect(server('crash')).toPassTooltest({ ...SMALL, max_calls: 300 })
  await expect(failing).rejects.toThrow(/toPassTooltest[^]*no_crash in add: [^]*Smallest case: 1 step[^]*add \{"a": 5\d\d, "b": 0\}/)
  await expect(expect(server()).not.toPassTooltest(SMALL)).rejects.toThrow(/toPassTooltest[^]*passed[^]*2 of 2 tools succeeded/)
})

test('findings of a result are looked at by level, tool and lint', async () => {
  const result = await run(server('schema'), SMALL)
  await expect(expect(result).toHaveNoFindings()).rejects.toThrow(/toHaveNoFindings[^]*in add[^]*Smallest case/)
  await expect(result).toHaveNoFindings({ tool: 'repeat' })
  await expect(server()).toHaveNoFindings(SMALL)
})

describeServer('one test a tool', server(), SMALL)
describeServer('a server object', doubler(), SMALL)
describeServer('a function', doubler, { ...SMALL, protocol_version: '2025-11-25' })
