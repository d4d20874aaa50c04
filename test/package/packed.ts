import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from './loaded-modules.ts'

export type Packed = { readonly tarball: string; readonly files: readonly string[]; readonly folder: string }

/** Builds and packs a copy of the sources as they are, so that no existing `dist` is touched. */
export function pack(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'pith-pack-'))
  const copy = join(folder, 'copy')
  copySources(copy)
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')
  npm(['run', 'build', '--silent'], copy)
  execFileSync(process.execPath, ['scripts/package-pages.mjs'], { cwd: copy })
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], copy))
  return {
    folder,
    tarball: join(folder, packed.filename),
    files: packed.files.map(({ path }: { path: string }) => path),
  }
}

/** Copies the sources as they are, without what was installed or built. */
export function copySources(folder: string): void {
  for (const file of tracked()) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
}

/** Runs npm in a folder; what it prints. */
export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', ['--no-audit', '--no-fund', '--loglevel=error', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, npm_config_update_notifier: 'false' },
  })
}

/** Why the registry cannot be asked, or nothing. */
export function offline(): string | undefined {
  try {
    npm(['view', 'zod', 'version'], ROOT)
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : String(error)
  }
}

type Manifest = {
  readonly version: string
  readonly exports: Record<string, unknown>
  readonly bin: Record<string, string>
  readonly devDependencies: Record<string, string>
}

export function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

function tracked(): string[] {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return output.split('\n').filter((file) => file !== '')
}
