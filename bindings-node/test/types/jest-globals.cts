// Compiled, never run: the matchers on what `@jest/globals` exports.
import { expect } from '@jest/globals'
import { describeServer, type DescribeOptions } from 'tooltest/jest'

const passes: Promise<void> = expect('node server.js').toPassTooltest({ max_calls: 3 })
const clean: Promise<void> = expect({}).not.toHaveNoFindings({ level: 'warning', tool: 'add' })
const options: DescribeOptions = { tools: ['add'], timeout: 5, level: 'warning', seed: 1 }
describeServer('tasks', 'node server.js', options)
// @ts-expect-error unknown option
expect('x').toPassTooltest({ bogus: 3 })
// @ts-expect-error unknown level
expect('x').toHaveNoFindings({ level: 'info' })
export { clean, passes }
