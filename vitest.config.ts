import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    // A deadline against hanging, not a speed limit: two slow cores must pass.
    testTimeout: mode === 'full' ? 900_000 : 60_000,
  },
}))
