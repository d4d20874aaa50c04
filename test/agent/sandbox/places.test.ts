import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { gitFolders, type PlaceOptions, sandboxPlaces, secretsIn } from '../../../src/agent/sandbox/places.ts'

/** A home with some files in it, and the places of commands below it: `write .npm (from …)`. */
function home(...files: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-places-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const file of files) put(file)
  function put(name: string, text = '') {
    const path = join(root, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(path, text)
  }
  const places = ({ env = {}, ...options }: Partial<PlaceOptions> = {}) =>
    sandboxPlaces({ workspace: join(root, 'work'), own: [], ...options, env: { HOME: root, ...env } })
  const below = (options?: Partial<PlaceOptions>) =>
    places(options)
      .filter(({ path }) => path.startsWith(`${root}/`))
      .map(
        ({ path, access, from }) => `${access} ${path.slice(root.length + 1)}${from === undefined ? '' : ` (private)`}`,
      )
  return { root, put, places, below, privateFolder: join(root, 'private') }
}

it('commands may write to the workspace and to temporary folders', () => {
  const { below, places } = home('work/', 'other/')
  expect(below()).toEqual(['write work'])
  expect(places()).toContainEqual({ path: realpathSync(tmpdir()), access: 'write' })
})

it('of the caches of tools, downloads are shared, and what runs later is private or read-only', () => {
  const { below, privateFolder } = home(
    ...['work/', '.gradle/init.d/a', '.gradle/gradle.properties', '.gradle/caches/modules-2/a', '.deno/bin/deno'],
    ...['.local/share/pnpm/a', '.local/share/pnpm/store/a', '.yarn/bin/yarn', '.yarn/berry/cache/a', '.gem/bin/a'],
    ...['.cargo/registry/src/a', '.cargo/registry/cache/a', '.cargo/bin/a', '.npm/_npx/a', '.npm/_cacache/a'],
    ...['.cache/pre-commit/repo/a', '.cache/pre-commit/db.db', '.cache/pip/http-v2/a', '.m2/repository/a'],
  )
  expect(below({ privateFolder })).toEqual([
    ...['write .cache (private)', 'write .cache/pip/http-v2', 'read .cache/pre-commit/repo (private)'],
    ...['write .cargo/registry (private)', 'write .cargo/registry/cache'],
    ...['write .gradle (private)', 'write .gradle/caches/modules-2', 'read .gradle/init.d (private)'],
    ...['write .local/share/pnpm/store', 'write .m2/repository', 'write .npm (private)', 'write .npm/_cacache'],
    ...['write .yarn (private)', 'write .yarn/berry/cache', 'read .yarn/bin (private)', 'write work'],
  ])
})

it('a private cache starts with copies of the files that it shows, and keeps what commands make of them', () => {
  const { root, put, places, privateFolder } = home('work/')
  put('.gradle/gradle.properties', 'mine')
  const copy = () => places({ privateFolder }).find(({ path }) => path === join(root, '.gradle'))?.from ?? ''
  expect(readFileSync(join(copy(), 'gradle.properties'), 'utf8')).toBe('mine')
  writeFileSync(join(copy(), 'gradle.properties'), 'theirs')
  expect(readFileSync(join(copy(), 'gradle.properties'), 'utf8')).toBe('theirs')
  expect(readFileSync(join(root, '.gradle/gradle.properties'), 'utf8')).toBe('mine')
})

it('commands may write to the folders that the variables of tools name', () => {
  const { root, below, privateFolder } = home('work/', 'tmp/', 'runtime/systemd/', 'target/', 'cache/', 'npm/', 'go/')
  const names = { TMPDIR: 'tmp', XDG_RUNTIME_DIR: 'runtime', CARGO_TARGET_DIR: 'target', XDG_CACHE_HOME: 'cache' }
  const more = { npm_config_cache: 'npm', GOCACHE: 'go', EDITOR: '' }
  const env = Object.fromEntries(Object.entries({ ...names, ...more }).map(([name, at]) => [name, join(root, at)]))
  expect(below({ env, privateFolder })).toEqual([
    ...['write cache (private)', 'write go (private)', 'write npm (private)'],
    ...['write runtime', 'read runtime/systemd', 'write target', 'write tmp', 'write work'],
  ])
})

it('secrets are hidden, also behind a link, and the user can open one or a part of one', () => {
  const { root, below, places } = home(
    'work/',
    '.aws/credentials',
    '.netrc',
    'dotfiles/ssh/id',
    '.ssh/',
    '.kube/config',
  )
  rmSync(join(root, '.ssh'), { recursive: true })
  symlinkSync('dotfiles/ssh', join(root, '.ssh'))
  expect(below()).toEqual(['none .aws', 'none .kube', 'none .netrc', 'none dotfiles/ssh', 'write work'])
  expect(secretsIn(places(), { HOME: root }).find(({ shown }) => shown === '~/.ssh')?.names).toEqual([
    ...[join(root, 'dotfiles/ssh'), join(root, '.ssh'), '~/.ssh'],
  ])
  expect(below({ open: ['~'] })).toEqual(['write work'])
  expect(below({ open: ['~/.aws', '~/.kube/config'] })).toEqual([
    ...['read .aws', 'none .kube', 'read .kube/config', 'none .netrc', 'none dotfiles/ssh', 'write work'],
  ])
})

it('a cache that the user opens is the real one', () => {
  const { below, privateFolder } = home('work/', '.gradle/', '.npm/')
  expect(below({ privateFolder, open: ['~/.gradle'] })).toEqual(['write .gradle', 'write .npm (private)', 'write work'])
})

it('the file of npm is shown without its tokens, and as it is if it has none', () => {
  const { root, put, places, privateFolder } = home('work/')
  const shown = () => places({ privateFolder }).find(({ path }) => path === join(root, '.npmrc'))
  const lines = ['registry=https://r.example/', '//r.example/:_authToken = npm_1', '_auth=eA==', 'strict-ssl=false', '']
  put('.npmrc', lines.join('\n'))
  expect(readFileSync(shown()?.from ?? '', 'utf8')).toBe('registry=https://r.example/\nstrict-ssl=false\n')
  expect(shown()?.access).toBe('read')
  expect(places().find(({ path }) => path === join(root, '.npmrc'))?.access).toBe('none')
  put('.npmrc', 'registry=https://r.example/\n')
  expect(shown()).toBeUndefined()
})

it('a folder of Pith is hidden except for skills of the user and a workspace in it', () => {
  const { root, below } = home('pith/pith.db', 'pith/skills/a/SKILL.md', 'pith/work/a')
  const own = [join(root, 'pith')]
  expect(below({ own, workspace: join(root, 'pith/work'), shown: [join(root, 'pith/skills/a')] })).toEqual([
    ...['none pith', 'read pith/skills/a', 'write pith/work'],
  ])
  expect(below({ own, workspace: join(root, 'pith') })).toEqual(['write pith'])
})

it('links are followed, and a folder is listed once', () => {
  const { root, below } = home('real/')
  symlinkSync(join(root, 'real'), join(root, 'work'))
  expect(below({ env: { TMPDIR: join(root, 'real') } })).toEqual(['write real'])
})

it('of a worktree the folders of its repository are writable too', () => {
  const { put, below, root } = home('main/.git/worktrees/tree/')
  put('tree/.git', 'gitdir: ../main/.git/worktrees/tree\n')
  put('main/.git/worktrees/tree/commondir', '../..\n')
  expect(below({ workspace: join(root, 'tree') })).toEqual([
    ...['write main/.git', 'write main/.git/worktrees/tree', 'write tree'],
  ])
})

it('of a submodule the folder of its repository is writable too', () => {
  const { put, root } = home('main/.git/modules/sub/')
  put('main/sub/.git', 'gitdir: ../.git/modules/sub\n')
  const modules = join(root, 'main/.git/modules')
  expect(gitFolders(join(root, 'main/sub'))).toEqual([join(modules, 'sub'), modules])
})

it('a repository of its own, or a file of another kind, adds nothing', () => {
  const { put, below, root } = home('work/.git/')
  put('odd/.git', 'not a gitdir: /\n')
  expect(below()).toEqual(['write work'])
  expect(below({ workspace: join(root, 'odd') })).toEqual(['write odd'])
})
