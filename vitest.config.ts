import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { folderInMemory } from './test/support/folder-in-memory.ts'
import { WaitingFirst } from './test/support/waiting-first.ts'

const COMPILED = join(import.meta.dirname, 'node_modules/.cache/pith-tests')

/** Tests that never run the program: they start without its bundle. */
const PURE = ['model', 'tokens', 'engine', 'models', 'formats', 'llm', 'adapters'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

export default defineConfig(({ mode }) => ({
  test: {
    // Programs that tests start find each other's compiled modules.
    env: { NODE_COMPILE_CACHE: COMPILED, ...temporaryFolder(mode) },
    // One more than there are cores: many tests wait for processes, servers and databases of their own.
    maxWorkers: availableParallelism() + 1,
    // Test files share a process and its loaded modules: a process for each takes twice the CPU time. So a test leaves
    // nothing behind: no changed environment, no open server.
    isolate: false,
    // Node loads the files itself, as it does for users: Vite's own loader takes a tenth more time and keeps nothing compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: WaitingFirst },
    setupFiles: 'test/support/seed.ts',
    // A deadline against hanging, not a speed limit: two slow cores must pass.
    testTimeout: mode === 'full' ? 900_000 : 60_000,
    // A PostgreSQL that writes to the disk takes its time to stop.
    hookTimeout: mode === 'full' ? 120_000 : 10_000,
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

/** The long form tests on the disk, and who names a folder gets that one. */
function temporaryFolder(mode: string): Record<string, string> {
  const folder = mode === 'full' || process.env.TMPDIR !== undefined ? undefined : folderInMemory()
  return folder === undefined ? {} : { TMPDIR: folder, RUN_FOLDER: folder }
}
