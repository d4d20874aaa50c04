import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../process/package.ts'

const BUILT = join(PACKAGE, 'dist', 'web')

/** The folder of the built page. In a checkout the page is built when it is missing or older than its sources. */
export function pageFolder(): string | undefined {
  const sources = join(PACKAGE, 'web')
  if (existsSync(join(sources, 'index.html')) && changedAt(sources) > builtAt()) build()
  return builtAt() === 0 ? undefined : BUILT
}

/** Builds the page. Without the build tools it stays as it is, and the server answers how to build it. */
function build(): void {
  spawnSync(process.execPath, [join(PACKAGE, 'scripts', 'build-web.mjs')], { stdio: 'ignore' })
}

function builtAt(): number {
  return statSync(join(BUILT, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function changedAt(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}
