import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that never run the program: they start without its bundle. */
const PURE = ['model', 'tokens', 'engine', 'models', 'formats', 'llm', 'adapters'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

export default defineConfig(({ mode }) => ({
  test: {
    // One more than there are cores: many tests wait for processes, servers and databases of their own.
    maxWorkers: availableParallelism() + 1,
    // Test files share a process and its loaded modules: a process for each takes twice the CPU time. So a test leaves
    // nothing behind: no changed environment, no open server.
    isolate: false,
    setupFiles: 'test/support/seed.ts',
    // A deadline against hanging, not a speed limit: two slow cores must pass.
    testTimeout: mode === 'full' ? 900_000 : 60_000,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: PURE,
          globalSetup: 'test/support/program.ts',
        },
      },
    ],
  },
}))
