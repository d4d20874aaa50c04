import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentStore, keptHash } from '../../../src/agent/checkpoints/content-store.ts'
import { DiskKeeper } from '../../../src/agent/checkpoints/disk-keeper.ts'

const SIGNAL = new AbortController().signal
const hashOf = (text: string) => keptHash(Buffer.from(text))

/** A keeper over a folder with the file `a`, and what it told the user. */
function keeping() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-keeper-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'a'), 'one')
  const contents = new ContentStore(join(folder, 'kept'))
  const told: string[] = []
  let added = 0
  const deps = { workspace, session: 's', contents, onAdded: () => added++, tell: (text: string) => told.push(text) }
  const names = () =>
    readFileSync(join(contents.folder, 'refs', 's'), 'utf8')
      .trim()
      .split('\n')
  return { workspace, contents, told, names, added: () => added, keeper: new DiskKeeper(deps), deps }
}

describe('before a call', () => {
  it('that reads nothing is kept', async () => {
    const { keeper, contents } = keeping()
    const { draft, after: ended } = await keeper.before({ kind: 'read', path: 'a', outside: false }, 'c', SIGNAL)
    expect([draft, await ended()]).toEqual([undefined, { files: [] }])
    expect(existsSync(contents.folder)).toBe(false)
  })

  it('that edits, the file is kept and named for the session', async () => {
    const { keeper, names, added } = keeping()
    const { draft } = await keeper.before({ kind: 'edit', path: 'a', outside: false }, 'c', SIGNAL)
    expect(draft).toEqual({
      type: 'checkpoint',
      toolCallId: 'c',
      files: [{ path: 'a', before: hashOf('one'), mode: expect.any(Number) }],
    })
    expect(names()).toEqual([hashOf('one')])
    expect(added()).toBe(1)
  })

  it('that runs a command, and after it, what changed is kept and told as facts', async () => {
    const { keeper, workspace, names } = keeping()
    const { draft, after: ended } = await keeper.before({ kind: 'command', command: 'x' }, 'c', SIGNAL)
    expect(draft).toBeUndefined()
    writeFileSync(join(workspace, 'b'), 'two')
    rmSync(join(workspace, 'a'))
    expect(await ended()).toEqual({
      draft: {
        type: 'checkpoint',
        toolCallId: 'c',
        files: [
          { path: 'a', before: hashOf('one'), after: null, mode: expect.any(Number) },
          { path: 'b', before: null, after: hashOf('two') },
        ],
      },
      files: [
        { path: 'a', access: 'deleted' },
        { path: 'b', access: 'modified' },
      ],
    })
    expect(names()).toEqual([hashOf('one'), hashOf('two')])
  })

  it('that is interrupted, nothing is kept and nobody is told', async () => {
    const { keeper, told } = keeping()
    const { after: ended } = await keeper.before({ kind: 'command', command: 'x' }, 'c', AbortSignal.abort())
    expect(await ended()).toEqual({ files: [] })
    expect(told).toEqual([])
  })

  it('the user is told once when nothing can be kept', async () => {
    const { keeper, told, contents } = keeping()
    writeFileSync(contents.folder, 'a file in the place of the folder')
    for (const id of ['c', 'd']) await keeper.before({ kind: 'edit', path: 'a', outside: false }, id, SIGNAL)
    expect(told).toEqual([expect.stringMatching(/^What calls change cannot be kept, so \/rewind cannot set it back: /)])
  })
})

it('what a command changed whose process died is found by the next one', async () => {
  const { keeper, workspace, contents, deps, names } = keeping()
  await keeper.before({ kind: 'command', command: 'x' }, 'c', SIGNAL)
  writeFileSync(join(workspace, 'a'), 'two')
  const own = join(contents.folder, 'pending', `s.${process.pid}`)
  // No system gives a process this number.
  writeFileSync(join(contents.folder, 'pending', `s.${2 ** 30}`), readFileSync(own))
  const next = new DiskKeeper(deps)
  expect(await next.lost()).toEqual([
    { type: 'checkpoint', files: [{ path: 'a', before: hashOf('one'), mode: expect.any(Number) }] },
  ])
  expect(names()).toEqual([hashOf('one')])
  expect(await next.lost()).toEqual([])
})
