// Ending a run early: signals, workers, the command. No server survives, and the event loop stays free.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { run, version } from 'tooltest'
import { alive, folder, script, server, SMALL, until } from './servers/index.mjs'

const ENDLESS = { ...SMALL, max_calls: 10_000_000, time_limit: 600 }
// As npm installs it.
const bin = join(folder(), 'tooltest')
symlinkSync(fileURLToPath(new URL('../bin/tooltest.js', import.meta.url)), bin)
const log = () => join(folder(), 'pids')
const pids = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [])
const gone = (file) => pids(file).length > 0 && !pids(file).some(alive)

for (const faults of ['', 'hang']) {
  test(`aborting ends the servers first${faults && ', even one that hangs'}`, async () => {
    const file = log()
    const controller = new AbortController()
    const reason = new RangeError('enough')
    const onEvent = (event) => event.event === 'server_ready' && controller.abort(reason)
    const running = run(server(faults, { PID_FILE: file }), { ...ENDLESS, onEvent, signal: controller.signal })
    await assert.rejects(running, (error) => error === reason)
    assert.ok(gone(file))
  })
}

test('a signal that is aborted already starts nothing', async () => {
  const file = log()
  await assert.rejects(run(server('', { PID_FILE: file }), { signal: AbortSignal.abort() }), { name: 'AbortError' })
  assert.deepEqual(pids(file), [])
})

test('the event loop is free meanwhile', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await run(server(), SMALL)
  clearInterval(timer)
  assert.ok(ticks > 20, `${ticks} ticks`)
})

test('a worker that is terminated leaves no server', async () => {
  const file = log()
  const body = `import { run } from 'tooltest'; import { parentPort, workerData } from 'node:worker_threads'
    run(workerData, { max_calls: 10000000, time_limit: 600, failure_dir: '', onEvent: (event) => parentPort.postMessage(event.event) })`
  const url = new URL(`data:text/javascript,${encodeURIComponent(body.replace("'tooltest'", JSON.stringify(import.meta.resolve('tooltest'))))}`)
  const worker = new Worker(url, { workerData: server('', { PID_FILE: file }) })
  await until(async () => (await once(worker, 'message'))[0] === 'server_ready')
  await worker.terminate()
  await until(() => gone(file))
})

test('the end of the process ends the servers', async () => {
  const file = log()
  const body = `import { run } from ${JSON.stringify(import.meta.resolve('tooltest'))}
    run(JSON.parse(process.argv[1]), { max_calls: 10000000, time_limit: 600, failure_dir: '', onEvent: (event) => event.event === 'server_ready' && process.exit(3) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', body, JSON.stringify(server('', { PID_FILE: file }))], { stdio: 'inherit' })
  assert.deepEqual(await once(child, 'exit'), [3, null])
  await until(() => gone(file))
})

function command(...args) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const text = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (part) => (text.out += part))
  child.stderr.setEncoding('utf8').on('data', (part) => (text.err += part))
  return { child, text, ended: once(child, 'close') }
}

test('the command is there', async () => {
  const asked = command('--version')
  assert.deepEqual(await asked.ended, [0, null])
  assert.equal(asked.text.out, `tooltest ${version}\n`)
  const args = ['--max-calls', '60', '--seed', '7', '--failure-dir', '', '--report', 'json', '--']
  const passed = command('run', ...args, process.execPath, script)
  assert.deepEqual(await passed.ended, [0, null], passed.text.err)
  assert.equal(JSON.parse(passed.text.out).outcome, 'passed')
  const wrong = command('run', '--max-call', '3', 'x')
  assert.deepEqual(await wrong.ended, [2, null])
  assert.match(wrong.text.err, /--max-calls/)
})

test('the command shows its demonstration', async () => {
  const { child, text, ended } = command('demo', '--max-calls', '200')
  assert.deepEqual(await ended, [0, null], text.err)
  assert.ok(child.pid)
  assert.match(text.out, /no_crash · get_task/)
})

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`${signal} ends the command with its result`, async () => {
    const file = log()
    const args = ['--max-calls', '10000000', '--time-limit', '600', '--failure-dir', '', '--env', `PID_FILE=${file}`, '--report', 'json']
    const { child, text, ended } = command('run', ...args, '--command', `${process.execPath} ${script}`)
    await until(() => text.err.includes('examples: '))
    child.kill(signal)
    assert.deepEqual(await ended, [130, null], text.err)
    assert.equal(JSON.parse(text.out).outcome, 'interrupted')
    await until(() => gone(file))
  })
}
