import { defineConfig } from 'vitest/config'

/** The tests that drive real agents: `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ['test/clients/*.client.ts'],
    globalSetup: ['test/clients/install.ts', 'test/clients/own-program.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
