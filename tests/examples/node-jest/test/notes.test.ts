import { expect, test } from '@jest/globals'
import { join } from 'node:path'
import { run } from 'tooltest'
import { describeServer } from 'tooltest/jest'
import { createServer } from '../src/notes.js'

/** `FAULTY=1` tests the faulty twin. */
const program = [process.execPath, join(__dirname, '../src/main.js'), ...(process.env.FAULTY === '1' ? ['--faulty'] : [])]
const options = { seed: 1, max_calls: 400 }

test('the program passes', async () => {
  await expect(program).toPassTooltest(options)
})

test('notes can be read back', async () => {
  const result = await run(createServer({ faulty: false }), { ...options, tool_allowlist: ['add_note', 'read_note'] })
  await expect(result).toHaveNoFindings()
  expect(result.coverage.find((tool) => tool.tool === 'read_note')?.ok).toBeGreaterThan(0)
})

describeServer('notes', program, options)
