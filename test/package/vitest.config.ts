import { defineConfig } from 'vitest/config'

/** The tests that need the network: `npm run test:package`. */
export default defineConfig({
  test: { include: ['test/package/*.package.ts'], testTimeout: 600_000, hookTimeout: 600_000, fileParallelism: false },
})
