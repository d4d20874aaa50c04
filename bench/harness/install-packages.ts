import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs what the lock file of a folder names, unless it is there already. Returns why that failed, or undefined. */
export function installPackages(folder: string): string | undefined {
  const known = tried.get(folder) ?? install(folder)
  tried.set(folder, known)
  return known.failure
}

const tried = new Map<string, { readonly failure?: string }>()

function install(folder: string): { readonly failure?: string } {
  const stamp = join(folder, 'node_modules', '.pith-bench')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return {}
  console.error('bench: installing the peers (once, about a minute)…')
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', flags, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) return { failure: `the peers could not be installed: ${error?.message ?? firstLine(stderr)}` }
  writeFileSync(stamp, wanted)
  return {}
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n').find((line) => line.trim() !== '') ?? 'no reason given'
}
