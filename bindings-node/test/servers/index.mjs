// What the tests share: servers, and options that keep runs small.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const script = fileURLToPath(new URL('tasks-server.mjs', import.meta.url))
export const SMALL = { max_calls: 100, time_limit: 60, seed: 7, failure_dir: '' }

/** A new empty folder. */
export const folder = () => mkdtempSync(join(tmpdir(), 'tooltest-'))

// No configuration is found, and nothing is saved among the sources.
process.chdir(folder())

/** The stdio server with these faults, as an entry of a client configuration. */
export function server(faults = '', env = {}) {
  return { command: process.execPath, args: [script], env: { FAULTS: faults, ...env } }
}

/** Whether a process is there. */
export function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until a condition holds, for as long as it takes: the test's own limit ends it. */
export async function until(condition) {
  while (!(await condition())) await new Promise((resume) => setTimeout(resume, 10))
}
