// Builds the addon and puts it beside native.js: `node scripts/build.mjs [arguments of cargo build]`.
// Plain cargo shares its artifacts with the rest of the workspace; other build tools compile every dependency once more.
import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { platform } = createRequire(import.meta.url)('../js/platform.js')
const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const args = ['build', '--package', 'tooltest-node', '--message-format=json-render-diagnostics', ...process.argv.slice(2)]
const cargo = spawnSync('cargo', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 })
if (cargo.error) throw cargo.error
if (cargo.status !== 0) process.exit(cargo.status ?? 1)

const library = cargo.stdout
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter((message) => message.reason === 'compiler-artifact' && message.target.name === 'tooltest_node')
  .flatMap((message) => message.filenames)
  .find((file) => /\.(so|dylib|dll)$/.test(file))
const addon = join(folder, `tooltest.${platform()}.node`)
rmSync(addon, { force: true }) // a running Node may have the old file mapped: it keeps its inode
copyFileSync(library, addon)
console.log(addon)
