// run, lint, replay, listTools: what goes in and what comes out.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import * as tooltest from 'tooltest'
import { folder, script, server, SMALL } from './servers/index.mjs'

const { TooltestError, lint, listTools, listToolsSync, replay, run } = tooltest
const words = [process.execPath, script]

test('a sound server passes', async () => {
  const result = await run(server(), SMALL)
  assert.deepEqual([result.outcome, result.findings, result.server.name, result.seed], ['passed', [], 'tasks', 7])
  assert.deepEqual(result.coverage.filter((tool) => tool.ok > 0).map((tool) => tool.tool), ['add', 'repeat'])
})

test('a faulty server is found with its smallest case', async () => {
  const result = await run(server('crash'), { ...SMALL, max_calls: 300 })
  assert.equal(result.outcome, 'failed')
  const finding = result.findings.find((one) => one.lint === 'no_crash')
  assert.equal(finding.tool, 'add')
  const step = finding.case.steps[finding.case.failing_step]
  assert.ok(step.arguments.a > 500 && step.arguments.b === 0, JSON.stringify(step))
  const text = tooltest.renderFinding(finding)
  assert.match(text, /Smallest case: 1 step/)
  assert.ok(text.includes(String(step.arguments.a)))
  assert.match(tooltest.render(result), /no_crash/)
})

for (const [form, target] of Object.entries({
  line: words.join(' '),
  words,
  document: { stdio: { command: words[0], args: words.slice(1) } },
  configuration: { mcpServers: { tasks: { command: words[0], args: words.slice(1) } } },
})) {
  test(`targets are read as ${form}`, async () => {
    assert.deepEqual((await listTools(target)).map((tool) => tool.name), ['add', 'repeat'])
  })
}

test('targets are read from configuration files', () => {
  const file = join(folder(), '.mcp.json')
  writeFileSync(file, `// as editors write it\n${JSON.stringify({ mcpServers: { tasks: server() } })}`)
  assert.deepEqual(listToolsSync(tooltest.fromConfig(file, 'tasks')).map((tool) => tool.name), ['add', 'repeat'])
  assert.throws(() => tooltest.fromConfig(join(folder(), 'none')), { code: 'file' })
})

test('lint calls no tool', async () => {
  const result = await lint(server(), SMALL)
  assert.equal(result.server.name, 'tasks')
  assert.ok(result.coverage.every((tool) => tool.calls === 0))
})

test('failures are saved and replayed', async () => {
  const saved = folder()
  const result = await run(server('crash'), { ...SMALL, max_calls: 300, failure_dir: saved })
  const file = result.findings.find((finding) => finding.lint === 'no_crash').failure_file
  const again = await replay(file, { target: server('crash') })
  assert.deepEqual(again.replayed.map(({ lint, status }) => [lint, status]), [['no_crash', 'failing']])
  const fixed = await replay([saved], { target: server() })
  assert.deepEqual(fixed.replayed.map(({ status }) => status), ['fixed'])
  const own = await replay(saved, { failure_dir: '' })
  assert.deepEqual(own.replayed.map(({ status }) => status), ['failing'])
})

test('events come in order', async () => {
  const seen = []
  const result = await run(server(), { ...SMALL, onEvent: (event) => void seen.push(event.event) })
  assert.deepEqual([seen[0], seen.at(-1), result.outcome], ['run_started', 'run_finished', 'passed'])
})

test('what the callback throws, or rejects with, ends the run', async () => {
  const stop = (event) => {
    if (event.event === 'server_ready') throw new RangeError(`enough of ${event.name}`)
  }
  await assert.rejects(run(server(), { ...SMALL, onEvent: stop }), /^RangeError: enough of tasks$/)
  await assert.rejects(run(server(), { ...SMALL, onEvent: async (event) => stop(event) }), /^RangeError: enough of tasks$/)
})

for (const [target, options, code, message] of [
  ['no-such-program-here', {}, 'open', /no-such-program-here/],
  ['', {}, 'input', /empty/],
  [server(), { max_call: 3 }, 'input', /did you mean `max_calls`/],
  [server(), { max_calls: 'many' }, 'input', /max_calls/],
  [server(), { seed: 3n }, 'input', /BigInt/],
  [3, {}, 'input', /target/],
  [undefined, {}, 'input', /must not be undefined/],
  [{ mcpServers: {} }, {}, 'input', /target/],
  ['http://127.0.0.1:9/mcp', { startup_timeout: 5 }, 'open', /127\.0\.0\.1:9/],
]) {
  test(`errors have a code: ${code} for ${typeof target} ${Object.keys(options)}`, async () => {
    await assert.rejects(run(target, options), (error) => {
      assert.ok(error instanceof TooltestError && error instanceof Error)
      assert.deepEqual([error.name, error.code], ['TooltestError', code])
      assert.match(error.message, message)
      return true
    })
  })
}

test('every report format is there', async () => {
  const result = await run(server(), SMALL)
  assert.equal(JSON.parse(tooltest.render(result, 'json')).outcome, 'passed')
  const words = { human: 'tasks', junit: '<testsuites>', sarif: '"runs"', html: '<html', markdown: 'tasks', ndjson: '{' }
  for (const [format, word] of Object.entries(words)) assert.ok(tooltest.render(result, format).includes(word), format)
  assert.throws(() => tooltest.render(result, 'junitt'), { code: 'input', message: /did you mean `junit`/ })
  assert.deepEqual(tooltest.merge([result]).findings, result.findings)
})

test('import and require give the same package', () => {
  const required = createRequire(import.meta.url)('tooltest')
  assert.deepEqual(Object.keys(required).sort(), Object.keys(tooltest).filter((name) => name !== 'default').sort())
  assert.equal(required.TooltestError, TooltestError)
  assert.equal(required.version, createRequire(import.meta.url)('tooltest/package.json').version)
})
