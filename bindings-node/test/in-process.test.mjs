// Server objects of the SDKs, run in this process.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import * as sdk1 from '@modelcontextprotocol/sdk/server/mcp.js'
import * as sdk2 from '@modelcontextprotocol/server'
import { listTools, listToolsSync, lint, render, run } from 'tooltest'
import * as z from 'zod'
import { SMALL } from './servers/index.mjs'

const require = createRequire(import.meta.url)
const SDKS = {
  '1.x': sdk1.McpServer,
  '1.x, required': require('@modelcontextprotocol/sdk/server/mcp.js').McpServer,
  '2.x': sdk2.McpServer,
  '2.x, required': require('@modelcontextprotocol/server').McpServer,
}
const text = (words) => ({ content: [{ type: 'text', text: words }] })

/** The SDK 1.x takes the members of an object, 2.x the object. */
const schema = (McpServer, object) => ([SDKS['2.x'], SDKS['2.x, required']].includes(McpServer) ? object : object.shape)

/** A calculator without faults. */
function sound(McpServer) {
  const server = new McpServer({ name: 'calculator', version: '1.0' })
  const numbers = z.object({ a: z.number().int().min(-1000).max(1000), b: z.number().int().min(-1000).max(1000) })
  server.registerTool('add', { description: 'Adds two numbers.', inputSchema: schema(McpServer, numbers) }, ({ a, b }) => text(String(a + b)))
  const words = z.object({ text: z.string() })
  server.registerTool('shout', { description: 'Says it loudly.', inputSchema: schema(McpServer, words) }, async ({ text: quiet }) => text(quiet.toUpperCase()))
  return server
}

for (const [name, McpServer] of Object.entries(SDKS)) {
  describe(`SDK ${name}`, () => {
    test('a server object passes', async () => {
      const result = await run(sound(McpServer), SMALL)
      assert.deepEqual([result.outcome, result.server.name, result.server.transport], ['passed', 'calculator', 'in-process'], render(result))
      assert.deepEqual(result.coverage.filter((tool) => tool.ok > 0).map((tool) => tool.tool), ['add', 'shout'])
    })

    test('the low-level server is a target itself, and can be one again', async () => {
      const { server } = sound(McpServer)
      for (const _ of [1, 2]) assert.equal((await run(server, { ...SMALL, max_calls: 30, workers: 2 })).outcome, 'passed')
    })

    test('a function makes a server for every session', async () => {
      let made = 0
      const result = await run(() => (made++, sound(McpServer)), SMALL)
      // What the SDK itself does wrong in the newest revision is nobody's tool.
      assert.deepEqual(result.findings.filter((finding) => finding.tool), [], render(result))
      assert.deepEqual(result.coverage.filter((tool) => tool.ok > 0).map((tool) => tool.tool), ['add', 'shout'])
      assert.ok(made >= result.budget.sessions && result.budget.sessions > 1, `${made} of ${result.budget.sessions}`)
      const revision = name.startsWith('2') ? '2026-07-28' : '2025-11-25'
      assert.equal(result.server.revision, revision)
    })

    test('sessions of an object cannot disturb each other', async () => {
      const server = sound(McpServer)
      const seen = new Set()
      const wait = async (extra) => {
        const signal = extra.signal ?? extra.mcpReq.signal
        seen.add(signal.aborted)
        return text('done')
      }
      server.registerTool('wait', { description: 'Waits.' }, wait)
      const result = await run(server, { ...SMALL, workers: 3 })
      assert.equal(result.outcome, 'passed', render(result))
      assert.deepEqual([...seen], [false])
    })

    test('a server that closes itself is found, with its smallest case', async () => {
      const server = sound(McpServer)
      server.registerTool('leave', { description: 'Closes the connection.' }, async () => {
        await server.close()
        return text('gone')
      })
      const result = await run(server, SMALL)
      assert.deepEqual(result.findings.map(({ lint, tool }) => [lint, tool]), [['no_crash', 'leave']], render(result))
      assert.deepEqual(result.findings[0].case.steps.map((step) => step.name), ['leave'])
    })

    test('aborting ends the run', async () => {
      const controller = new AbortController()
      const onEvent = (event) => event.event === 'server_ready' && controller.abort()
      const running = run(sound(McpServer), { ...SMALL, max_calls: 10_000_000, time_limit: 600, onEvent, signal: controller.signal })
      await assert.rejects(running, { name: 'AbortError' })
    })
  })
}

test('lists and lints take server objects', async () => {
  assert.deepEqual((await listTools(sound(sdk1.McpServer))).map((tool) => tool.name), ['add', 'shout'])
  assert.equal((await lint(sound(sdk2.McpServer), SMALL)).server.transport, 'in-process')
  assert.throws(() => listToolsSync(sound(sdk1.McpServer)), { code: 'input' })
})

test('functions that fail are told', async () => {
  const broken = () => {
    throw new RangeError('no database')
  }
  await assert.rejects(run(broken, SMALL), { code: 'open', message: /RangeError: no database/ })
  await assert.rejects(run(() => 3, SMALL), { code: 'open', message: /returned number/ })
  await assert.rejects(run(async () => null, SMALL), { code: 'open', message: /returned null/ })
  const taken = sound(sdk1.McpServer)
  await taken.connect({ start: async () => {}, send: async () => {}, close: async () => {} })
  await assert.rejects(run(taken, SMALL), { code: 'open', message: /Already connected/ })
})

test('a function that never comes back does not outlive its signal', async () => {
  const never = () => new Promise(() => {})
  const controller = new AbortController()
  const running = run(never, { ...SMALL, signal: controller.signal })
  setImmediate(() => controller.abort())
  await assert.rejects(running, { name: 'AbortError' })
})
