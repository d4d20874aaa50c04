import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A deadline against hanging, not a speed limit: two slow cores must pass.
    testTimeout: 30_000,
  },
})
