// Compiled, never run: what TypeScript says about the API.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as McpServer2 } from '@modelcontextprotocol/server'
import { listTools, replay, run, TooltestError, type Event, type Finding, type RunResult } from 'tooltest'

const result: RunResult = await run('node server.js', { max_calls: 3, seed: 1, signal: AbortSignal.timeout(1000) })
const words: string[] = result.findings.map((finding: Finding) => finding.message)
const outcome: 'passed' | 'failed' | 'inconclusive' | 'interrupted' = result.outcome
await run(new McpServer({ name: 'one', version: '1' }))
await run(new McpServer2({ name: 'two', version: '2' }))
await run(({ era }) => new McpServer2({ name: era, version: '2' }))
await run(async () => new McpServer({ name: 'one', version: '1' }))
await run(['node', 'server.js'] as const)
await run({ command: 'node', args: ['server.js'], env: { A: 'b' } })
await run({ stdio: { command: 'node' } }, { state_machine_config: { seed_strings: ['x'] }, phases: ['stateful'] })
await run(new URL('http://127.0.0.1:1/mcp'), {
  onEvent(event: Event) {
    if (event.event === 'finding_found') words.push(event.finding.lint)
    // @ts-expect-error only findings have one
    event.finding
  },
})
await replay('.tooltest/failures', { target: 'node fixed.js' })
const name: string = (await listTools('x'))[0].name
const code = (error: unknown): string => (error instanceof TooltestError ? error.code : '')

// @ts-expect-error unknown option
await run('x', { max_call: 3 })
// @ts-expect-error wrong type
await run('x', { max_calls: 'three' })
// @ts-expect-error no target
await run(3)
// @ts-expect-error unknown member
result.outcom
// @ts-expect-error unknown phase
await run('x', { phases: ['lists', 'nothing'] })
export { code, name, outcome }
