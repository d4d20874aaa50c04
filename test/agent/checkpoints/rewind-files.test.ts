import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CheckpointDraft } from '../../../src/agent/agent.ts'
import { ContentStore } from '../../../src/agent/checkpoints/content-store.ts'
import { type FileSpan, rewindFiles, rewindPlan } from '../../../src/agent/checkpoints/rewind-files.ts'

/** Two files that were `old` and are `new`. */
async function changed() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-rewind-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const contents = new ContentStore(join(folder, 'kept'))
  const [before, after] = [contents.put(Buffer.from('old')), contents.put(Buffer.from('new'))]
  const spans: FileSpan[] = ['a.txt', 'b.txt'].map((path) => ({ path, before, after, mode: 0o100640 }))
  const write = (path: string, text: string) => writeFileSync(join(workspace, path), text)
  for (const { path } of spans) write(path, 'new')
  const texts = () => spans.map(({ path }) => readFileSync(join(workspace, path), 'utf8'))
  const log: CheckpointDraft[] = []
  const append = async (draft: CheckpointDraft) => void log.push(draft)
  const order = { workspace, contents, session: 's', rewind: { to: 1 }, append }
  return { ...order, order, spans, write, texts, log }
}

it('a rewind that dies between two files can be taken back and finished from the log', async () => {
  const { order, contents, workspace, spans, texts, log } = await changed()
  const { files } = await rewindPlan(order, spans)
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  let written = 0
  // From its second file on this process does nothing any more.
  class Dying extends ContentStore {
    override async get(hash: string): Promise<Buffer | undefined> {
      if (++written < 2) return super.get(hash)
      reach()
      return new Promise(() => {})
    }
  }
  void rewindFiles({ ...order, files, contents: new Dying(contents.folder) })
  await reached
  expect(texts()).toEqual(['old', 'new'])
  const [entry] = log
  const back = (entry?.files ?? []).map(({ path, before, after, mode }): FileSpan => ({ path, before, after, mode }))
  const undo = await rewindPlan({ workspace, contents }, back)
  expect(undo.files.map(({ path, changedSince }) => [path, changedSince])).toEqual([['a.txt', false]])
  const again = await rewindPlan({ workspace, contents }, spans)
  await rewindFiles({ ...order, files: again.files })
  expect(texts()).toEqual(['old', 'old'])
})

it('a file that changes between the plan and the rewind is left alone', async () => {
  const { order, spans, write, texts } = await changed()
  const { files } = await rewindPlan(order, spans)
  write('a.txt', 'mine')
  expect(await rewindFiles({ ...order, files })).toMatchObject({
    left: [{ path: 'a.txt', why: 'it has changed meanwhile' }],
  })
  expect(texts()).toEqual(['mine', 'old'])
})

it('a content that is no longer kept is reported, and nothing is written', async () => {
  const { order, contents, spans, texts } = await changed()
  rmSync(contents.pathOf(spans[0]?.before ?? ''))
  expect(await rewindPlan(order, spans)).toMatchObject({ files: [], lost: [{ path: 'a.txt' }, { path: 'b.txt' }] })
  expect(texts()).toEqual(['new', 'new'])
})

it('a file that changes while the rewind begins is left alone too', async () => {
  const { order, spans, write, texts } = await changed()
  const { files } = await rewindPlan(order, spans)
  const append = async () => write('b.txt', 'mine')
  const { done, left } = await rewindFiles({ ...order, files, append })
  expect(done.map(({ path }) => path)).toEqual(['a.txt'])
  expect(left).toEqual([{ path: 'b.txt', why: 'it has changed meanwhile' }])
  expect(texts()).toEqual(['old', 'mine'])
})

it('a content that is lost while the rewind begins is reported', async () => {
  const { order, contents, spans, texts } = await changed()
  const { files } = await rewindPlan(order, spans)
  const append = async () => rmSync(contents.pathOf(spans[0]?.before ?? ''))
  const { done, left } = await rewindFiles({ ...order, files, append })
  expect(done).toEqual([])
  expect(left.map(({ why }) => why)).toEqual(Array(2).fill('its content is no longer kept'))
  expect(texts()).toEqual(['new', 'new'])
})

it('a rewind that changes nothing leaves no entry', async () => {
  const { order, log } = await changed()
  expect(await rewindFiles({ ...order, files: [] })).toEqual({ done: [], left: [] })
  expect(log).toEqual([])
})

it('a rewind is in the log with the files as they were and as they become', async () => {
  const { order, spans, log } = await changed()
  const { files } = await rewindPlan(order, spans)
  await rewindFiles({ ...order, files })
  expect(log).toEqual([
    {
      type: 'checkpoint',
      rewind: { to: 1 },
      files: spans.map(({ path, before, after }) => ({ path, before: after, after: before, mode: expect.any(Number) })),
    },
  ])
})
