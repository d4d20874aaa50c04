import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { WorkspaceList } from '../../../src/agent/checkpoints/workspace-list.ts'

const SIGNAL = new AbortController().signal
/** A clock for which all files were changed long ago, so that ripgrep runs again only after a change that the list notices. */
const LATER = () => Date.now() + 60_000

/** A list of the folder `work` of a repository that was listed twice. */
async function listed(files: Readonly<Record<string, string>>, most = 100) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-list-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const put = (name: string, text = '') => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  put('.git/HEAD', 'ref: refs/heads/main\n')
  mkdirSync(path('work'))
  for (const [name, text] of Object.entries(files)) put(name, text)
  const list = new WorkspaceList(path('work'), most, LATER)
  const paths = async () => list.paths(SIGNAL)
  await paths()
  return { path, put, paths, first: await paths() }
}

const FILES = {
  'work/.gitignore': 'dist/\nnode_modules\n*.log\n',
  'work/a.ts': '',
  'work/src/b.ts': '',
  'work/src/x.tmp': '',
  'work/dist/deep/c.js': '',
  'work/logs/today.log': '',
}
const SEEN = ['.gitignore', 'a.ts', 'src/b.ts', 'src/x.tmp']

it('a list stays the same array until a path comes or goes', async () => {
  const { put, paths, first } = await listed(FILES)
  expect(first).toEqual(SEEN)
  put('work/a.ts', 'changed')
  put('work/dist/deep/new.js')
  expect(await paths()).toBe(first)
})

const changes: [
  what: string,
  change: (world: Awaited<ReturnType<typeof listed>>) => void,
  expected: readonly string[],
][] = [
  ['a new file', ({ put }) => put('work/src/c.ts'), [...SEEN, 'src/c.ts']],
  ['a file that is gone', ({ path }) => rmSync(path('work/src/b.ts')), SEEN.filter((each) => each !== 'src/b.ts')],
  [
    'another name',
    ({ path }) => renameSync(path('work/src'), path('work/code')),
    ['.gitignore', 'a.ts', 'code/b.ts', 'code/x.tmp'],
  ],
  ['a file in a folder of ignored files', ({ put }) => put('work/logs/notes.md'), [...SEEN, 'logs/notes.md']],
  ['a changed ignore file', ({ put }) => put('work/.gitignore', '*.log\n'), [...SEEN, 'dist/deep/c.js']],
  [
    'a new ignore file',
    ({ put }) => put('work/src/.ignore', '*.tmp'),
    ['.gitignore', 'a.ts', 'src/.ignore', 'src/b.ts'],
  ],
  ['one of a folder above', ({ put }) => put('.gitignore', '*.tmp'), SEEN.filter((each) => each !== 'src/x.tmp')],
  [
    'one of the repository',
    ({ put }) => put('.git/info/exclude', '*.tmp'),
    SEEN.filter((each) => each !== 'src/x.tmp'),
  ],
]

it.each(changes)('a list shows %s', async (_what, change, expected) => {
  const world = await listed(FILES)
  expect(world.first).toEqual(SEEN)
  change(world)
  expect(await world.paths()).toEqual([...expected].sort())
})

it('a list shows a new file in a folder that was empty', async () => {
  const { path, put, paths, first } = await listed(FILES)
  mkdirSync(path('work/empty/deep'), { recursive: true })
  expect(await paths()).toBe(first)
  put('work/empty/deep/d.ts')
  expect(await paths()).toContain('empty/deep/d.ts')
})

it('a list shows a new file in a folder that a later rule takes back', async () => {
  const taken = { 'work/.gitignore': 'dist\n!dis*\n*.js\n', 'work/dist/a.js': '', 'work/node_modules/a.js': '' }
  const { put, paths, first } = await listed(taken)
  expect(first).toEqual(['.gitignore'])
  put('work/dist/b.ts')
  expect(await paths()).toEqual(['.gitignore', 'dist/b.ts'])
})

it('a list follows a link to an ignore file', async () => {
  const { path, put, paths } = await listed({ rules: '', 'work/a.ts': '', 'work/b.ts': '' })
  symlinkSync('../rules', path('work/.gitignore'))
  await paths()
  put('rules', 'b.ts\n')
  expect(await paths()).toEqual(['a.ts'])
})

it('a list of a folder that is a link follows the rules above the folder itself', async () => {
  const { path, put } = await listed({ 'real/work/a.ts': '', 'real/work/b.ts': '' })
  mkdirSync(path('elsewhere'))
  symlinkSync('../real/work', path('elsewhere/link'))
  const list = new WorkspaceList(path('elsewhere/link'), 100, LATER)
  expect(await list.paths(SIGNAL)).toEqual(['a.ts', 'b.ts'])
  put('real/.gitignore', 'b.ts\n')
  expect(await list.paths(SIGNAL)).toEqual(['a.ts'])
})

it('there is no list of too many files, or after an abort', async () => {
  const { paths, first } = await listed(FILES, 3)
  expect([first, await paths()]).toEqual([undefined, undefined])
  const list = new WorkspaceList(tmpdir(), 5, LATER)
  expect(await list.paths(AbortSignal.abort())).toBeUndefined()
})
