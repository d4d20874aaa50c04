import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { redactWithContents } from '../../../src/agent/checkpoints/open-keeper.ts'
import { openStore } from '../../../src/store/open-store.ts'

const SECRET = 'sk-live-51Hx9zQw77'

it('a redaction deletes the kept contents with its text, of every session, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-contents-'))
  const store = await openStore(join(folder, 'pith.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const contents = new ContentStore(join(folder, 'checkpoints'))
  const put = (text: string) => contents.put(Buffer.from(text))
  const hashes = [put(`KEY=${SECRET}\n`), put('KEY=none\n'), put(`a\nurl: https://me:${SECRET}@shop`), put('shop key')]
  writeFileSync(join(contents.folder, 'left-by-a-crash.tmp'), SECRET)
  const { id } = await store.createSession({ owner: 'local', workspace: folder })
  await store.append(id, [
    { type: 'message', message: { role: 'user', content: `my key is ${SECRET} for the shop` } },
    { type: 'message', message: { role: 'user', content: 'something else' } },
  ])
  const done = await redactWithContents({ store, contents, id, folder }, [1])
  expect(done.redactions).toMatchObject([{ type: 'redact', target: 1 }])
  expect(done.contents).toBe(3)
  expect(hashes.map((hash) => contents.has(hash))).toEqual([false, true, false, true])
  expect(readdirSync(contents.folder)).toEqual(['contents'])
})
