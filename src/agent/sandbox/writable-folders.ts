import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The folders that commands of a workspace may write to: the workspace, temporary folders, and the caches of tools. Links are resolved. */
export function writableFolders(workspace: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const home = env.HOME ?? homedir()
  const named = CACHE_VARIABLES.flatMap((name) => env[name] ?? [])
  const all = [
    workspace,
    ...gitFolders(workspace),
    tmpdir(),
    ...['/tmp', '/var/tmp', '/dev/shm'],
    ...named,
    ...CACHES.map((cache) => join(home, cache)),
  ]
  return [...new Set(all.filter(existsSync).map((folder) => realpathSync(folder)))]
}

/** Caches of tools. Without them, a build that fetches or compiles would fail for no good reason. Nothing in them runs by itself. */
const CACHES = [
  '.cache',
  '.npm',
  '.yarn',
  '.pnpm-store',
  '.local/share/pnpm',
  '.bun/install',
  '.deno',
  '.cargo/registry',
  '.cargo/git',
  '.rustup/tmp',
  '.gradle',
  '.m2/repository',
  '.nuget',
  '.gem',
  '.bundle/cache',
  'go/pkg',
  '.ccache',
  'Library/Caches',
]
const CACHE_VARIABLES = [
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'npm_config_cache',
  'CARGO_TARGET_DIR',
  'GOCACHE',
  'GOMODCACHE',
]

/** In a worktree, `.git` is a file that names another folder. Commits are written to that folder. */
export function gitFolders(workspace: string): string[] {
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(join(workspace, '.git'), 'utf8')) ?? []
    if (named === undefined) return []
    const folder = resolve(workspace, named)
    const common = join(folder, 'commondir')
    return [folder, existsSync(common) ? resolve(folder, readFileSync(common, 'utf8').trim()) : dirname(folder)]
  } catch {
    return []
  }
}
