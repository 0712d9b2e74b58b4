// Importing this file, for example in `setupFiles`, registers the matchers with Vitest.

import { describe, expect, test } from 'vitest'
import { describeServerWith } from './js/describe-server.js'
import matchers from './js/matchers/index.js'

expect.extend(matchers)

const skip = (context, reason) => context.skip(reason)

export const describeServer = describeServerWith({ describe, test, skip, waits: true })
export const { toHaveNoFindings, toPassTooltest } = matchers
