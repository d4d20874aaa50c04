import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { breakerOf } from '../../../src/engine/context/context.ts'
import type { DecodedSession } from '../../../src/formats/index.ts'
import type { Entry } from '../../../src/model/types.ts'
import { loadRegistry } from '../../../src/models/registry.ts'
import { exportSession } from '../../../src/session/export-session.ts'
import { importSession } from '../../../src/session/import/import-session.ts'
import { originIn } from '../../../src/session/import/origin.ts'
import { recallWithTasks, searchWithTasks, tasksOf } from '../../../src/session/tasks.ts'
import { decoded, fixture } from '../../formats/fixture.ts'
import { user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>
const input = { owner: 'ann', workspace: '/repo', known: { registry: loadRegistry(), own: [] } }

beforeEach(async () => {
  temporary = await temporaryStore()
})
afterEach(() => temporary.remove())

const storedLog = async (id: string) => (await temporary.store.entries(id)).entries
const withoutIds = (log: readonly Entry[]) => log.map(({ id: _, at: __, ...entry }) => entry)
const said = (seq: number, at = 1): Entry => ({
  id: `e${seq}`,
  seq,
  at,
  type: 'message',
  message: user(`number ${seq}`),
})

/** A session of ours with these entries. */
const withEntries = (entries: readonly Entry[]): DecodedSession => ({
  ...decoded(fixture('pith.jsonl')),
  title: undefined,
  entries,
})

describe('a session that is imported', () => {
  it('has its sub-agents as sessions of their own, which recall finds and lists leave out', async () => {
    const { store } = temporary
    const session = decoded(fixture('claude-code.jsonl'))
    const { id } = await importSession(store, session, { ...input, key: 'once' })
    await importSession(store, session, { ...input, key: 'once' })
    expect((await store.sessions()).sessions.map((one) => one.id)).toEqual([id])
    expect((await tasksOf(store, id)).map(({ name }) => name)).toEqual(['task-1'])
    const { hits, nameOf } = await searchWithTasks(store, id, 'who calls listen')
    expect(hits.map((hit) => `${nameOf?.(hit)}#${hit.seq}`)).toContain('task-1#1')
    expect(await recallWithTasks(store, id, 'task-1#1')).toMatchObject([{ message: { role: 'user' }, userWords: [] }])
  })

  it.each(['claude-code-compacted.jsonl', 'codex-compacted.jsonl', 'opencode.json', 'pi-v1.jsonl'])(
    'has every entry of %s, in its order, under its seq and at its time',
    async (name) => {
      const session = decoded(fixture(name))
      const { id } = await importSession(temporary.store, session, input)
      const log = (await storedLog(id)).slice(0, session.entries.length)
      expect(log.map(({ seq, at, type }) => ({ seq, at, type }))).toEqual(
        session.entries.map(({ seq, at, type }) => ({ seq, at, type })),
      )
      const messages = (entries: readonly Entry[]) => withoutIds(entries.filter(({ type }) => type === 'message'))
      expect(messages(log)).toEqual(messages(session.entries))
    },
  )

  it('has its title, workspace, beginning, model, window and system prompt', async () => {
    const session = { ...decoded(fixture('codex.jsonl')), window: 258_400 }
    const made = await importSession(temporary.store, session, input)
    expect(made).toMatchObject({ workspace: session.workspace, createdAt: session.startedAt })
    expect(made.title).toMatch(/^Make the server listen/)
    expect(made.updatedAt).toBe(session.entries.at(-1)?.at)
    expect(originIn(await storedLog(made.id))).toMatchObject({
      agent: session.agent,
      model: session.models.at(-1),
      window: 258_400,
      system: session.system.join('\n\n'),
    })
  })

  it('has no entry in the year 1970: one without a time gets that of its neighbour', async () => {
    const session = { ...withEntries([said(1, 0), said(2, 0), said(3, 70), said(4, 0), said(5, 90)]), startedAt: 0 }
    const made = await importSession(temporary.store, session, input)
    expect((await storedLog(made.id)).slice(0, 5).map(({ at }) => at)).toEqual([70, 70, 70, 70, 90])
    expect(made.createdAt).toBe(70)
  })

  it('has the current time if no entry has one, and the workspace of the input if it names none', async () => {
    const session = { ...withEntries([said(1, 0), said(2, 0)]), startedAt: 0, workspace: undefined }
    const made = await importSession(temporary.store, session, input)
    expect(made.workspace).toBe('/repo')
    expect(made.createdAt).toBeGreaterThan(0)
    for (const { at } of await storedLog(made.id)) expect(at).toBeGreaterThanOrEqual(made.createdAt)
  })

  it('is not there twice for a file without a name, and is refused under the key of another', async () => {
    const once = { ...input, key: 'once' }
    const { id } = await importSession(temporary.store, withEntries([said(1)]), once)
    expect(await importSession(temporary.store, withEntries([said(1)]), once)).toMatchObject({ id, lastSeq: 1 })
    const refused = importSession(temporary.store, withEntries([said(1)]), { ...once, file: 'another.jsonl' })
    await expect(refused).rejects.toMatchObject({ code: 'other-body' })
  })

  it('is imported once for a key', async () => {
    const session = decoded(fixture('codex.jsonl'))
    const first = await importSession(temporary.store, session, { ...input, key: 'once' })
    const again = await importSession(temporary.store, session, { ...input, key: 'once' })
    expect(again).toEqual(first)
  })

  it('keeps its origin through an export of ours', async () => {
    const { store } = temporary
    const { id } = await importSession(store, decoded(fixture('codex.jsonl')), input)
    const lines: string[] = []
    for await (const line of exportSession(store, id)) lines.push(line)
    const again = await importSession(store, decoded(lines.join('\n')), input)
    expect(originIn(await storedLog(again.id))).toEqual(originIn(await storedLog(id)))
  })

  it('is not there at all when it cannot be stored whole', async () => {
    const { store } = temporary
    const failing = Object.assign(Object.create(store), {
      append: async () => {
        throw new Error('the disk is full')
      },
    })
    const entries = [said(1, 0), said(2, 60_000), said(3, 120_000)]
    await expect(importSession(failing, withEntries(entries), input)).rejects.toThrow('the disk is full')
    expect((await store.sessions({ owner: 'ann' })).sessions).toEqual([])
  })
})

describe('a session that is imported with gaps in its log', () => {
  it('keeps the seq of every entry, and what fills the gaps means nothing', async () => {
    const { store } = temporary
    const { id } = await importSession(store, withEntries([said(2), said(5)]), input)
    const entries = await storedLog(id)
    expect(entries.map(({ type }) => type)).toEqual(['settings', 'message', 'settings', 'settings', 'message'])
    expect(entries[4]).toMatchObject({ seq: 5, message: user('number 5') })
    expect(breakerOf(entries).failures).toBe(0)
    expect((await store.session(id))?.title).toBe('number 2')
  })
})

it('a second import under a key is the session of the first, and another file under that key is refused', async () => {
  const session = withEntries([said(1), said(2)])
  const imported = (file: string) => importSession(temporary.store, session, { ...input, key: 'once', file })
  const { id } = await imported('a.jsonl')
  expect(await imported('a.jsonl')).toMatchObject({ id, lastSeq: (await storedLog(id)).length })
  await expect(imported('b.jsonl')).rejects.toThrow('this key was sent before with another file: send a new key')
  expect(await temporary.store.session(id)).toBeDefined()
})
