import { run } from 'tooltest'
import { describeServer } from 'tooltest/vitest'
import { expect, test } from 'vitest'
import { createServer } from '../src/notes.js'

/** `FAULTY=1` tests the faulty twin. */
const notes = () => createServer({ faulty: process.env.FAULTY === '1' })
const options = { protocol_version: '2025-11-25', seed: 1 }

test('the server passes', async () => {
  await expect(notes).toPassTooltest(options)
})

test('notes can be read back', async () => {
  const result = await run(notes(), { ...options, tool_allowlist: ['add_note', 'read_note'] })
  await expect(result).toHaveNoFindings({ level: 'warning' })
  expect(result.coverage.find((tool) => tool.tool === 'read_note')?.ok).toBeGreaterThan(0)
})

describeServer('notes', notes, options)
