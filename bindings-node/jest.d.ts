// Registers the matchers with Jest, for `@jest/globals` and for `@types/jest`.

import type {} from '@jest/expect'
import type { DescribeServer, TooltestMatchers } from './matchers'

export { toHaveNoFindings, toPassTooltest } from './matchers'
export type * from './matchers'
export declare const describeServer: DescribeServer

declare module '@jest/expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends TooltestMatchers {}
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends TooltestMatchers {}
  }
}
