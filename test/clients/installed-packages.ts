import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The folder with the programs of packages that one test needs. `PITH_AGENTS` may have it already, by its name. */
export function installedPackages(name: string, packages: readonly string[]): string {
  const given = join(process.env.PITH_AGENTS ?? '', name, 'node_modules/.bin')
  if (process.env.PITH_AGENTS !== undefined && existsSync(given)) return given
  const folder = mkdtempSync(join(tmpdir(), 'pith-agents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const own = join(folder, name)
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{"private":true}')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages]
  execFileSync('npm', args, { cwd: own, stdio: 'pipe', timeout: 300_000 })
  return join(own, 'node_modules/.bin')
}
