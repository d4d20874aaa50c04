import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { notices, packagesIn } from './notices.mjs'

const root = resolve(import.meta.dirname, '..')

/** What brings files of its own that it looks for beside itself. */
const APART = ['@earendil-works/pi-tui', '@vscode/ripgrep', 'pg']

/**
 * Writes the command line as a few files in the place of several hundred: it starts in a third of the time. The
 * licences of what it contains stand beside it.
 */
export async function bundleCli(folder) {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({ cwd: root, input: 'src/cli/main.ts', platform: 'node', external: APART })
  // Flat, so that every file of it finds the data beside itself.
  const names = { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' }
  const { output } = await bundle.write({ dir: folder, format: 'esm', strictExecutionOrder: true, ...names })
  await bundle.close()
  notices(packagesIn(output), join(folder, 'licences.txt'))
}
