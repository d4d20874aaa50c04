import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { rewindPlan } from '../../../src/agent/checkpoints/rewind-plan.ts'

/** What a rewind would do to one file that is like `now` and was like `before`; null is no file. */
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

  it('is its size before and after where either is no text', async () => {
    const told = (sizes: string) => `--- a\n(no text: ${sizes})`
    expect(await planOf('\0old', 'new')).toEqual([{ change: 'restore', diff: told('3 bytes become 4') }])
    expect(await planOf('old', '\0new!')).toEqual([{ change: 'restore', diff: told('5 bytes become 3') }])
    expect(await planOf('\0old', null)).toEqual([{ change: 'create', diff: told('0 bytes become 4') }])
    expect(await planOf(null, '\0new!')).toEqual([{ change: 'delete', diff: told('5 bytes become 0') }])
  })
})
