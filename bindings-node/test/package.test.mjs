// The packages as they would be published.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folder } from './servers/index.mjs'

const own = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
const npx = (...args) => execFileSync('npx', ['--no-install', ...args], { cwd: own, encoding: 'utf8' })

test('the packages are sound for every kind of consumer', () => {
  const out = folder()
  const addons = ['linux-x64-gnu', 'darwin-arm64', 'win32-x64-msvc'].map((platform) => join(out, `tooltest.${platform}.node`))
  for (const addon of addons) writeFileSync(addon, '')
  const script = join(own, 'scripts/pack.mjs')
  const packed = execFileSync(process.execPath, [script, out, ...addons], { encoding: 'utf8' }).trim().split('\n')
  assert.equal(packed.length, 4)
  for (const pack of packed) assert.match(npx('publint', pack, '--strict'), /All good/)
  // Vitest itself is for `import` alone, which is what the rule that .attw.json leaves out would say.
  npx('attw', packed.at(-1)) // ends with an error where there is a problem
})

test('no script runs at install, and the versions agree', () => {
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(manifest.scripts[name], undefined)
  const workspace = readFileSync(join(own, '../Cargo.toml'), 'utf8')
  assert.ok(workspace.includes(`\nversion = "${manifest.version}"\n`))
})

test('the lock file names no registry', () => {
  const lock = JSON.parse(readFileSync(join(own, 'package-lock.json'), 'utf8'))
  for (const [name, entry] of Object.entries(lock.packages)) assert.equal(entry.resolved, undefined, name)
})
