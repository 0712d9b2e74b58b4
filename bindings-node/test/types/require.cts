// Compiled, never run: the API for CommonJS.
import tooltest = require('tooltest')

const result: Promise<tooltest.RunResult> = tooltest.run('x')
// @ts-expect-error no such function
tooltest.runn('x')
export { result }
