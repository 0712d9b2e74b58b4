// Registers the matchers with Vitest.

import type { DescribeServer, TooltestMatchers } from './matchers.js'
import 'vitest'

export { toHaveNoFindings, toPassTooltest } from './matchers.js'
export type * from './matchers.js'
export declare const describeServer: DescribeServer

declare module 'vitest' {
  interface Matchers<T = any> extends TooltestMatchers {}
}
