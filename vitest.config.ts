import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { nodeComplaint } from './src/cli/node-version.ts'
import { LONG_TESTS } from './test/support/long-tests.ts'
import { folderInMemory, folderOnDisk } from './test/support/run-folder.ts'
import { WaitingBetween } from './test/support/waiting-between.ts'

// `npm test` brings a Node of its own, `npx vitest` takes the machine's. On an old one vitest fails before it says why.
const complaint = nodeComplaint(process.versions.node)
if (complaint !== undefined) throw new Error(`${complaint}, or npm test, which has a Node of its own`)

const COMPILED = join(import.meta.dirname, 'node_modules/.cache/pith-tests')

/** Tests that never run the program. */
const PURE = ['model', 'tokens', 'engine', 'models', 'formats', 'llm', 'adapters'].map((folder) => `test/${folder}/`)

/** The files that were asked for; none means all. Who asks for such tests alone need not wait for the program. */
const ASKED = process.argv.slice(3).filter((word) => !word.startsWith('-'))
const needsProgram = ASKED.length === 0 || !ASKED.every((file) => PURE.some((folder) => file.startsWith(folder)))

export default defineConfig(({ mode }) => ({
  test: {
    // Programs that tests start find each other's compiled modules.
    env: { NODE_COMPILE_CACHE: COMPILED, ...foldersOfRun(mode) },
    // One more than there are cores: many tests wait for processes, servers and databases of their own.
    maxWorkers: availableParallelism() + 1,
    // Test files share a process and its loaded modules: a process for each takes twice the CPU time. So a test leaves
    // nothing behind: no changed environment, no open server.
    isolate: false,
    // Node loads the files itself, as it does for users: Vite's own loader takes a tenth more time and keeps nothing compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: WaitingBetween },
    setupFiles: 'test/support/seed.ts',
    // A deadline against hanging, not a speed limit: two slow cores must pass.
    testTimeout: mode === 'full' ? 900_000 : 60_000,
    // A PostgreSQL that writes to the disk takes its time to stop.
    hookTimeout: mode === 'full' ? 120_000 : 60_000,
    // A state that a test waits for may take its time, too: a second is too short for a busy machine.
    expect: { poll: { timeout: 30_000 } },
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'test' && ASKED.length === 0 ? longTests() : [])],
    globalSetup: needsProgram ? 'test/support/program.ts' : [],
  },
}))

/** The long form uses the disk, and so does a run with a temporary folder of the user's choice. */
function foldersOfRun(mode: string): Record<string, string> {
  const memory = mode === 'full' || process.env.TMPDIR !== undefined ? undefined : folderInMemory()
  return memory === undefined ? { RUN_FOLDER: folderOnDisk() } : { TMPDIR: memory, RUN_FOLDER: memory }
}

/** Nothing is left out silently. */
function longTests(): readonly string[] {
  console.log('Left out here: tests that take long (test/support/long-tests.ts). npm run test:all runs them, too.')
  return LONG_TESTS
}
