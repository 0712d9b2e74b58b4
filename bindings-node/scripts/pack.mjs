// Packs the npm packages: `node scripts/pack.mjs FOLDER [ADDON...]`.
//
// Each ADDON is a file `tooltest.PLATFORM.node`, the checkout's own unless told; it becomes a package of its own, which npm installs
// where it fits. The main package names them as optional dependencies, so that nothing is downloaded or built at install.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const [out = 'packages', ...given] = process.argv.slice(2)
const own = () => readdirSync(folder).filter((name) => name.endsWith('.node')).map((name) => join(folder, name))
const addons = given.length > 0 ? given : own()
if (addons.length === 0) throw new Error('there is no addon yet: npm run build')

const main = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const { version, license, repository, engines } = main
const stage = mkdtempSync(join(tmpdir(), 'tooltest-pack-'))
mkdirSync(out, { recursive: true })
main.optionalDependencies = {}
for (const addon of addons) main.optionalDependencies[packPlatform(addon)] = version
packMain()
rmSync(stage, { recursive: true })

/** Packs one addon; the name of its package. */
function packPlatform(addon) {
  const platform = /^tooltest\.(.+)\.node$/.exec(basename(addon))?.[1]
  if (!platform) throw new Error(`${addon}: expected a name like tooltest.linux-x64-gnu.node`)
  const [os, cpu, abi] = platform.split('-')
  const libc = { gnu: ['glibc'], musl: ['musl'] }[abi]
  const name = `@tooltest/binding-${platform}`
  const description = `The addon of tooltest for ${platform}`
  const file = basename(addon)
  const place = join(stage, platform)
  mkdirSync(place)
  cpSync(addon, join(place, file))
  write(place, { name, version, description, license, repository, engines, type: 'commonjs', os: [os], cpu: [cpu], libc, main: file, files: [file] })
  licences(place)
  writeFileSync(join(place, 'README.md'), `${description}. Install \`tooltest\`.\n`)
  pack(place)
  return name
}

function packMain() {
  const place = join(stage, 'tooltest')
  mkdirSync(place)
  const patterns = main.files.map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`))
  for (const name of readdirSync(folder)) {
    if (name === 'README.md' || patterns.some((pattern) => pattern.test(name))) cpSync(join(folder, name), join(place, name), { recursive: true })
  }
  licences(place)
  const { scripts, devDependencies, ...published } = main
  write(place, published)
  pack(place)
}

function licences(place) {
  for (const name of ['LICENSE', 'LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(folder, '..', name), join(place, name))
}

function write(place, manifest) {
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function pack(place) {
  const npm = spawnSync('npm', ['pack', '--silent', '--pack-destination', resolve(out)], { cwd: place, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (npm.status !== 0) process.exit(npm.status ?? 1)
  console.log(join(out, npm.stdout.trim()))
}
