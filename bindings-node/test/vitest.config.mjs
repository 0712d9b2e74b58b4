import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.vitest.mjs'], setupFiles: ['tooltest/vitest'], testTimeout: 180_000 },
})
