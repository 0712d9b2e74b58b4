import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { reporters: ['verbose'], include: ['test/*.test.ts'], setupFiles: ['tooltest/vitest'], testTimeout: 180_000 },
})
