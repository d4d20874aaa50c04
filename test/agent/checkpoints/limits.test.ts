import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { keptNow } from '../../../src/agent/checkpoints/disk-keeper.ts'

it('a file of 8 MB is kept, a larger one is not', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'pith-limits-'))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  const contents = new ContentStore(join(workspace, 'kept'))
  const file = join(workspace, 'a')
  writeFileSync(file, '')
  truncateSync(file, 8 * 1024 * 1024)
  expect(await keptNow({ workspace, contents }, 'a')).toMatchObject({ path: 'a', before: expect.any(String) })
  truncateSync(file, 8 * 1024 * 1024 + 1)
  expect(await keptNow({ workspace, contents }, 'a')).toEqual({ path: 'a', unkept: 'it is too large to be kept' })
  expect(await keptNow({ workspace, contents }, 'b')).toEqual({ path: 'b', before: null })
  expect(await keptNow({ workspace, contents }, 'a/b')).toEqual({ path: 'a/b', before: null })
})
