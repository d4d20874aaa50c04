import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentStore, keptHash } from '../../../src/agent/checkpoints/content-store.ts'
import { type FileSpan, rewindPlan } from '../../../src/agent/checkpoints/rewind-files.ts'

/** The changes that a rewind would make to one file with the content `now` that had the content `before`; null is no file. */
async function planOf(before: string | null, now: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-plan-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const contents = new ContentStore(join(folder, 'kept'))
  const [kept, after] = [before, now].map((text) => (text === null ? null : contents.put(Buffer.from(text))))
  if (now !== null) writeFileSync(join(workspace, 'a'), now)
  const { files } = await rewindPlan({ workspace, contents }, [{ path: 'a', before: kept, after }])
  return files.map(({ change, diff }) => ({ change, diff }))
}

describe('the diff of a file that a rewind sets back', () => {
  it('has its lines', async () => {
    expect(await planOf('old\n', 'new\n')).toMatchObject([
      { change: 'restore', diff: expect.stringMatching(/^--- a.*\n\+\+\+ a.*\n@@ -1,1 \+1,1 @@\n-new\n\+old$/) },
    ])
    expect(await planOf(null, 'new\n')).toMatchObject([{ change: 'delete', diff: expect.stringMatching(/@@\n-new$/) }])
    expect(await planOf('old\n', null)).toMatchObject([
      { change: 'create', diff: expect.stringMatching(/^--- \/dev\/null.*\n.*\n@@.*@@\n\+old$/) },
    ])
  })

  it('is its size before and after if either is not text', async () => {
    const diffOf = (sizes: string) => `--- a\n(no text: ${sizes})`
    expect(await planOf('\0old', 'new')).toEqual([{ change: 'restore', diff: diffOf('3 bytes become 4') }])
    expect(await planOf('old', '\0new!')).toEqual([{ change: 'restore', diff: diffOf('5 bytes become 3') }])
    expect(await planOf('\0old', null)).toEqual([{ change: 'create', diff: diffOf('0 bytes become 4') }])
    expect(await planOf(null, '\0new!')).toEqual([{ change: 'delete', diff: diffOf('5 bytes become 0') }])
  })
})

describe('a file that a rewind may set back', () => {
  const hashOf = (text: string) => keptHash(Buffer.from(text))

  /** The plan for one span of the file `a`, which is like `now`. */
  async function planned(span: Omit<FileSpan, 'path'>, now: string | null) {
    const folder = mkdtempSync(join(tmpdir(), 'pith-plan-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const workspace = join(folder, 'work')
    mkdirSync(workspace)
    if (now !== null) writeFileSync(join(workspace, 'a'), now)
    const contents = new ContentStore(join(folder, 'kept'))
    contents.put(Buffer.from('old'))
    return rewindPlan({ workspace, contents }, [{ path: 'a', ...span }])
  }

  it('is left out when it is as it was', async () => {
    expect(await planned({ before: hashOf('old'), after: hashOf('new') }, 'old')).toEqual({ files: [], lost: [] })
    expect(await planned({ before: null, after: hashOf('new') }, null)).toEqual({ files: [], lost: [] })
  })

  it('is reported as changed since when it is not as the agent left it', async () => {
    const since = async (now: string | null, after?: string | null) =>
      (await planned({ before: hashOf('old'), after }, now)).files[0]?.changedSince
    expect(await since('new', hashOf('new'))).toBe(false)
    expect(await since('new', hashOf('new').slice(0, 16))).toBe(false)
    expect(await since('mine', hashOf('new'))).toBe(true)
    expect(await since('new')).toBe(true)
    expect(await since(null, null)).toBe(false)
  })

  it('has its content, rights and state', async () => {
    const { files } = await planned({ before: hashOf('old'), after: hashOf('new'), mode: 0o100600 }, 'new')
    expect(files).toMatchObject([{ path: 'a', to: hashOf('old'), mode: 0o100600, now: hashOf('new') }])
  })

  it('is lost when its content was not kept, with the reason', async () => {
    const lost = async (span: Omit<FileSpan, 'path'>, now: string | null) => (await planned(span, now)).lost
    const why = 'its content is no longer kept'
    expect(await lost({ before: undefined, after: hashOf('new'), unkept: 'too large' }, 'new')).toEqual([
      { path: 'a', why: 'too large' },
    ])
    expect(await lost({ before: undefined, after: hashOf('new') }, 'new')).toEqual([{ path: 'a', why }])
    expect(await lost({ before: undefined, after: null }, null)).toEqual([{ path: 'a', why }])
    expect(await lost({ before: undefined, after: hashOf('new') }, null)).toEqual([])
    expect(await lost({ before: hashOf('gone'), after: hashOf('new') }, 'new')).toEqual([{ path: 'a', why }])
  })
})
