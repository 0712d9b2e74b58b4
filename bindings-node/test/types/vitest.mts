// Compiled, never run: the matchers on what Vitest exports.
import { expect } from 'vitest'
import { describeServer } from 'tooltest/vitest'

const passes: Promise<void> = expect('node server.js').toPassTooltest({ max_calls: 3 })
const clean: Promise<void> = expect({}).not.toHaveNoFindings({ level: 'warning', lint: 'no_crash' })
describeServer('tasks', ['node', 'server.js'], { tools: ['add'], timeout: 5 })
// @ts-expect-error unknown option
expect('x').toPassTooltest({ bogus: 3 })
// @ts-expect-error unknown level
describeServer('tasks', 'x', { level: 'info' })
export { clean, passes }
