import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeText } from '../../../src/formats/decode.ts'
import { messagesOf } from '../../../src/model/view.ts'
import { compactSession } from '../../../src/session/compact-session.ts'
import { exportSession } from '../../../src/session/export-session.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { recall, searchSession } from '../../../src/session/search-session.ts'
import { sessionSettings } from '../../../src/session/session-settings.ts'
import { undo } from '../../../src/session/undo.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { configFolders } from '../../support/config-folders.ts'
import { turns } from '../../support/messages.ts'

/** A database that version 0.1 made: sessions with compactions of two presets, one undone, a fork, and one entry of each type. */
const FIXTURE = new URL('../../fixtures/store/made-by-0.1.db.gz', import.meta.url)

async function opened(): Promise<Store> {
  const file = join(configFolders().home, 'pith.db')
  writeFileSync(file, gunzipSync(readFileSync(FIXTURE)))
  const store = await openStore(file)
  onTestFinished(() => store.close())
  return store
}

async function sessionCalled(store: Store, title: string): Promise<string> {
  const { sessions } = await store.sessions({ owner: 'local' })
  return sessions.find((session) => session.title === title)?.id ?? ''
}

async function viewText(store: Store, id: string): Promise<string> {
  return JSON.stringify(messagesOf((await openSession(store, id)).view))
}

describe('a database of version 0.1', () => {
  it('has its sessions, and each opens', async () => {
    const store = await opened()
    const { sessions } = await store.sessions({ owner: 'local' })
    expect(sessions.map(({ title }) => title).sort()).toEqual([
      'A fork',
      'As kit does it',
      'Undone',
      'Uploads that hang',
      'a title',
    ])
    for (const { id } of sessions) expect((await openSession(store, id)).bad).toEqual([])
  })

  it('shows the model the record in the form of then', async () => {
    const store = await opened()
    const view = await viewText(store, await sessionCalled(store, 'Uploads that hang'))
    expect(view).toContain('## Files modified\\n- src/http/client.ts\\n- test/slow-upload.test.ts')
    expect(view).toContain('#23 `npm test -- upload` (2 times, last exit 2)')
    expect(view).toContain('Does the retry in src/retry.ts still make sense with this?')
    const kit = await viewText(store, await sessionCalled(store, 'As kit does it'))
    expect(kit).toContain('[Conversation summary — earlier messages were compacted]')
  })

  it('keeps the settings of a session, and what it was told is found again', async () => {
    const store = await opened()
    const id = await sessionCalled(store, 'Uploads that hang')
    expect(sessionSettings((await store.entries(id)).entries).policy).toMatchObject({
      preset: 'economy',
      keepTokens: 200,
    })
    expect((await searchSession(store, id, 'client closed the socket')).length).toBeGreaterThan(0)
    expect(JSON.stringify(await recall(store, id, '#15'))).toContain('client closed the socket')
  })

  it.each(['Uploads that hang', 'As kit does it', 'Undone', 'A fork'])(
    'is compacted, undone and exported: %s',
    async (title) => {
      const store = await opened()
      const id = await sessionCalled(store, title)
      await store.append(
        id,
        turns(8, 300).map((message) => ({ type: 'message', message })),
      )
      const before = await viewText(store, id)
      const input = {
        holder: 'test',
        reason: 'manual',
        model: { contextWindow: 8_000 },
        policy: { keepTokens: 200 },
      } as const
      expect(await compactSession(store, id, input)).toMatchObject({ outcome: 'compacted' })
      expect(await viewText(store, id)).toContain('Uploads larger than 5 MB fail')
      await undo(store, id)
      expect(await viewText(store, id)).toBe(before)
      const lines: string[] = []
      for await (const line of exportSession(store, id)) lines.push(line)
      expect(decodeText(lines.join('\n'))).toMatchObject({ ok: true, session: { format: 'pith', issues: [] } })
    },
  )
})
