// Compiled, never run: the matchers on the globals of `@types/jest`.
/// <reference types="jest" />
import 'tooltest/jest'

const passes: Promise<void> = expect('node server.js').toPassTooltest({ max_calls: 3 })
const clean: Promise<void> = expect({}).not.toHaveNoFindings({ level: 'warning' })
// @ts-expect-error unknown option
expect('x').toPassTooltest({ bogus: 3 })
export { clean, passes }
