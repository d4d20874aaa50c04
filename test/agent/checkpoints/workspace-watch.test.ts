import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentStore, keptHash } from '../../../src/agent/checkpoints/content-store.ts'
import { LARGE_FILE_BYTES, WorkspaceWatch } from '../../../src/agent/checkpoints/workspace-watch.ts'

const SIGNAL = new AbortController().signal
const hashOf = (text: string) => keptHash(Buffer.from(text))

/** A watch over a folder with these files. */
function watched(files: Readonly<Record<string, string>>, mostBytes?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const contents = new ContentStore(join(folder, 'kept'))
  const path = (name: string) => join(workspace, name)
  const put = (name: string, text: string) => writeFileSync(path(name), text)
  for (const [name, text] of Object.entries(files)) put(name, text)
  const watch = new WorkspaceWatch(workspace, contents, mostBytes)
  const changes = async () => watch.changes(SIGNAL)
  return { workspace, contents, watch, path, put, changes }
}

describe('the changes between two looks', () => {
  it('are the files that came, went and became others, in the order of their paths', async () => {
    const { watch, put, path, changes, contents } = watched({ b: 'old', c: 'gone', d: 'same' })
    chmodSync(path('b'), 0o640)
    expect(await watch.snapshot(SIGNAL)).toBe(true)
    rmSync(path('c'))
    put('b', 'newer')
    put('a', 'made')
    expect(await changes()).toEqual([
      { path: 'a', before: null, after: hashOf('made') },
      { path: 'b', before: hashOf('old'), after: hashOf('newer'), mode: 0o100640 },
      { path: 'c', before: hashOf('gone'), after: null, mode: expect.any(Number) },
    ])
    expect((await contents.get(hashOf('old')))?.toString()).toBe('old')
    expect(await changes()).toEqual([])
  })

  it('are none if a file was only touched or written with the same content', async () => {
    const { watch, put, path, changes } = watched({ a: 'one', b: 'two' })
    await watch.snapshot(SIGNAL)
    utimesSync(path('a'), 1, 1)
    put('b', 'two')
    expect(await changes()).toEqual([])
  })

  it('include one that keeps the size and sets the time of writing back', async () => {
    const { watch, put, path, changes } = watched({ a: 'one', b: 'two' })
    const { atime, mtime } = statSync(path('b'))
    for (const [before, after] of [
      ['two', 'six'],
      ['six', 'ten'],
    ] as const) {
      await watch.snapshot(SIGNAL)
      put('b', after)
      utimesSync(path('b'), atime, mtime)
      expect(await changes()).toMatchObject([{ path: 'b', before: hashOf(before), after: hashOf(after) }])
    }
  })

  it('are found when other files came and went in between', async () => {
    const { watch, put, path, changes } = watched({ b: 'one', c: 'two', d: 'three' })
    await watch.snapshot(SIGNAL)
    put('a', 'made')
    rmSync(path('c'))
    await watch.snapshot(SIGNAL)
    put('d', 'other')
    expect(await changes()).toMatchObject([{ path: 'd', before: hashOf('three'), after: hashOf('other') }])
    const saved = watch.states
    await watch.snapshot(SIGNAL)
    expect(watch.states).toBe(saved)
  })

  it('are not those of links, folders and what .gitignore names', async () => {
    const { watch, put, path, changes } = watched({ '.gitignore': '*.log\n' })
    await watch.snapshot(SIGNAL)
    put('a.log', 'x')
    mkdirSync(path('folder'))
    symlinkSync('.gitignore', path('link'))
    expect(await changes()).toEqual([])
  })

  it('are not known when the snapshot is interrupted', async () => {
    const { watch } = watched({ a: 'one' })
    expect(await watch.snapshot(AbortSignal.abort())).toBe(false)
    expect(await watch.changes(AbortSignal.abort())).toBeUndefined()
  })
})

describe('a snapshot that may read only a number of bytes', () => {
  it('leaves out the contents beyond, and the next one continues from there', async () => {
    const { watch, put, changes } = watched({ a: 'aaaa', b: 'bbbb', c: 'cccc' }, 10)
    await watch.snapshot(SIGNAL)
    put('c', 'changed')
    expect(await changes()).toEqual([
      {
        path: 'c',
        before: undefined,
        after: hashOf('changed'),
        mode: expect.any(Number),
        unkept: 'the files before it took the 10 bytes that are read at once',
      },
    ])
  })

  it('reads a file that just fits', async () => {
    const { watch, put, changes } = watched({ a: 'aaaa', b: 'bbbb' }, 8)
    await watch.snapshot(SIGNAL)
    put('b', 'b')
    expect(await changes()).toMatchObject([{ path: 'b', before: hashOf('bbbb'), after: hashOf('b') }])
  })
})

describe('a file that is not kept', () => {
  const changed = async ({ watch, put, changes }: ReturnType<typeof watched>) => {
    await watch.snapshot(SIGNAL)
    put('a', 'changed')
    return (await changes())?.map(({ unkept }) => unkept)
  }

  it('says that it is too large', async () => {
    expect(await changed(watched({ a: 'x'.repeat(LARGE_FILE_BYTES + 1) }))).toEqual(['it is too large to be kept'])
  })

  it('says that its content could not be written', async () => {
    const world = watched({ a: 'one' })
    writeFileSync(world.contents.folder, 'no folder')
    expect(await changed(world)).toEqual([
      expect.stringMatching(/^it could not be kept: .*a part of the path is a file, not a folder$/),
    ])
  })

  it.skipIf(process.getuid?.() === 0)('says that it could not be read', async () => {
    const world = watched({ a: 'one' })
    chmodSync(world.path('a'), 0o200)
    expect(await changed(world)).toEqual([expect.stringMatching(/^it could not be read: .*permission denied$/)])
  })

  it('says why also after the snapshot was saved', async () => {
    const { watch, workspace, contents, put } = watched({ a: 'x'.repeat(LARGE_FILE_BYTES + 1) })
    await watch.snapshot(SIGNAL)
    put('a', 'two')
    const next = new WorkspaceWatch(workspace, contents)
    next.resume(watch.saved())
    expect(await next.changes(SIGNAL)).toMatchObject([{ path: 'a', unkept: 'it is too large to be kept' }])
  })
})

describe('a snapshot that was saved', () => {
  it('is continued by another process', async () => {
    const { watch, workspace, contents, put } = watched({ a: 'one' })
    await watch.snapshot(SIGNAL)
    put('a', 'two')
    const next = new WorkspaceWatch(workspace, contents)
    expect(next.resume(watch.saved())).toBe(true)
    expect(await next.changes(SIGNAL)).toMatchObject([{ path: 'a', before: hashOf('one'), after: hashOf('two') }])
  })

  it('is refused when it is damaged', () => {
    const { watch } = watched({})
    for (const text of ['', '[["a"]]', '{}', '[["a", {"sign": 1}]]']) expect(watch.resume(text), text).toBe(false)
  })
})
