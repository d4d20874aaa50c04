import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writableFolders } from '../../../src/agent/sandbox/writable-folders.ts'

/** A home with some folders in it, and what commands may write to below it. */
function home(...folders: string[]): { root: string; below: (workspace?: string, env?: object) => string[] } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-writable-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true })
  const below = (workspace = 'work', env: object = {}) =>
    writableFolders(join(root, workspace), { HOME: root, ...env })
      .filter((folder) => folder.startsWith(`${root}/`))
      .map((folder) => folder.slice(root.length + 1))
  return { root, below }
}

it('commands may write to the workspace and to temporary folders', () => {
  const { root, below } = home('work', 'other')
  expect(below()).toEqual(['work'])
  expect(writableFolders(root, { HOME: root })).toEqual(expect.arrayContaining([root, realpathSync(tmpdir())]))
})

it('commands may write to the caches of tools that exist, and to nothing else at home', () => {
  const caches = [
    ...['.cache', '.npm', '.yarn', '.pnpm-store', '.local/share/pnpm', '.bun/install', '.deno', '.cargo/registry'],
    ...['.cargo/git', '.rustup/tmp', '.gradle', '.m2/repository', '.nuget', '.gem', '.bundle/cache', 'go/pkg'],
    ...['.ccache', 'Library/Caches'],
  ]
  const { below } = home('work', '.ssh', '.config', '.cargo/bin', ...caches)
  expect(below().toSorted()).toEqual(['work', ...caches].toSorted())
})

it('commands may write to the folders that the variables of tools name', () => {
  const names = [
    ...['TMPDIR', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR', 'npm_config_cache', 'CARGO_TARGET_DIR', 'GOCACHE'],
    'GOMODCACHE',
  ]
  const { root, below } = home('work', ...names)
  const env = Object.fromEntries(names.map((name) => [name, join(root, name)]))
  expect(below('work', { ...env, EDITOR: root }).toSorted()).toEqual(['work', ...names].toSorted())
})

it('links are followed, and a folder is listed once', () => {
  const { root, below } = home('real')
  symlinkSync(join(root, 'real'), join(root, 'work'))
  expect(below('work', { TMPDIR: join(root, 'real') })).toEqual(['real'])
})

it('of a worktree the folders of its repository are writable too', () => {
  const { root, below } = home('tree', 'main/.git/worktrees/tree')
  writeFileSync(join(root, 'tree/.git'), 'gitdir: ../main/.git/worktrees/tree\n')
  writeFileSync(join(root, 'main/.git/worktrees/tree/commondir'), '../..\n')
  expect(below('tree')).toEqual(['tree', 'main/.git/worktrees/tree', 'main/.git'])
})

it('of a submodule the folder of its repository is writable too', () => {
  const { root, below } = home('main/sub', 'main/.git/modules/sub')
  writeFileSync(join(root, 'main/sub/.git'), 'gitdir: ../.git/modules/sub\n')
  expect(below('main/sub')).toEqual(['main/sub', 'main/.git/modules/sub', 'main/.git/modules'])
})

it('a repository of its own, or a file of another kind, adds nothing', () => {
  const { root, below } = home('work/.git', 'odd')
  writeFileSync(join(root, 'odd/.git'), 'not a gitdir: /\n')
  expect(below('work')).toEqual(['work'])
  expect(below('odd')).toEqual(['odd'])
})
