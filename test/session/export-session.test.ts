import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { EntryDraft } from '../../src/model/types.ts'
import { exportSession } from '../../src/session/export-session.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { user } from '../support/messages.ts'

const KEY = `sk-ant-api03-${'aB3dE5gH7jK9'.repeat(8)}`

let store: Store

beforeEach(async () => {
  store = await openStore(':memory:')
  onTestFinished(() => store.close())
})

async function linesOf(from: Store, id: string, secrets?: 'keep' | 'leave-out') {
  const lines: string[] = []
  for await (const line of exportSession(from, id, secrets)) lines.push(line)
  return lines
}

const said = (text: string): EntryDraft => ({ type: 'message', message: user(text) })

describe('the export of a session', () => {
  it('has its row with its title, and a line for every entry, however many', async () => {
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo', title: 'Uploads' })
    await store.append(
      id,
      Array.from({ length: 1_001 }, (_, i) => said(`number ${i}`)),
    )
    const [row, ...entries] = (await linesOf(store, id)).map((line) => JSON.parse(line))
    expect(row).toMatchObject({ type: 'session', id, title: 'Uploads', workspace: '/repo', lastSeq: 1_001 })
    expect(entries).toEqual((await store.entries(id)).entries)
  })

  it('has no title if the session has none', async () => {
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    for (const secrets of ['keep', 'leave-out'] as const)
      expect(JSON.parse((await linesOf(store, id, secrets))[0] ?? '')).not.toHaveProperty('title')
  })

  it('has secrets as they were said, or leaves them out of title and entries', async () => {
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo', title: `use ${KEY}` })
    await store.append(id, [said(`my key is ${KEY}`), said('thanks')])
    expect((await linesOf(store, id)).join('\n').split(KEY)).toHaveLength(3)
    const without = (await linesOf(store, id, 'leave-out')).join('\n')
    expect(without).not.toContain(KEY)
    expect(without).toContain('thanks')
    expect(without).toMatch(/"title":"use .+"/)
  })

  it('continues after rows that cannot be read', async () => {
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    await store.append(id, [said('one'), said('two'), said('three')])
    const broken: Store = {
      ...store,
      entries: async (session, { from = 1, ...query } = {}) => {
        const { entries } = await store.entries(session, { ...query, from, limit: 1 })
        const bad = entries
          .filter(({ seq }) => seq === 2)
          .map(({ seq, id: row }) => ({ seq, id: row, reason: 'broken' }))
        return { entries: entries.filter(({ seq }) => seq !== 2), bad }
      },
    }
    const seqs = (await linesOf(broken, id)).slice(1).map((line) => JSON.parse(line).seq)
    expect(seqs).toEqual([1, 3])
  })

  it('refuses a session that is not there', async () => {
    await expect(linesOf(store, 'nobody')).rejects.toMatchObject({ code: 'unknown-session' })
  })
})
