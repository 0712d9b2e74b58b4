// CPU time of the same run through the binding and through the command: `node scripts/bench.mjs COMMAND [ROUNDS]`.
//
// COMMAND is the `tooltest` binary. Both run by turns, so that what else the machine does falls on both; the servers they start count for both.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [command, rounds = '5'] = process.argv.slice(2)
if (!command) throw new Error('usage: node scripts/bench.mjs COMMAND [ROUNDS]')
const folder = mkdtempSync(join(tmpdir(), 'tooltest-bench-'))
const options = { seed: 1, max_calls: 20_000, time_limit: 600, failure_dir: '' }
const target = { stdio: { command, args: ['demo', '--serve', '--fixed'] } }
const input = join(folder, 'input.json')
writeFileSync(input, JSON.stringify({ target, ...options }))
const script = join(folder, 'run.js')
const entry = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(
  script,
  `const { target, ...options } = require(${JSON.stringify(input)})\n` +
    `require(${JSON.stringify(entry)}).run(target, options).then((result) => console.log(JSON.stringify(result)))\n`,
)

/** Seconds of CPU, user and system, of a program and its children; and the calls that it made. */
function measure(...words) {
  const timed = ['-c', '"$@"; code=$?; times >&2; exit $code', 'bash', ...words]
  const { stdout, stderr, status } = spawnSync('bash', timed, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${status}\n${stderr}`)
  const children = stderr.trim().split('\n').at(-1)
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => 60 * minutes + Number(rest))
  return { cpu: seconds.reduce((sum, one) => sum + one), calls: JSON.parse(stdout).budget.calls }
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
const ratios = []
for (let round = 1; round <= Number(rounds); round++) {
  const cli = measure(command, 'run', '--report', 'json', '--input', input)
  const node = measure(process.execPath, script)
  ratios.push(node.cpu / cli.cpu)
  console.log(`round ${round}: command ${cli.cpu.toFixed(2)} s, ${cli.calls} calls; binding ${node.cpu.toFixed(2)} s, ${node.calls} calls; ratio ${ratios.at(-1).toFixed(3)}`)
}
console.log(`start of Node alone: ${median([1, 2, 3].map(() => measure(process.execPath, '-p', '\'{"budget":{}}\'').cpu)).toFixed(2)} s`)
console.log(`median ratio: ${median(ratios).toFixed(3)}`)
