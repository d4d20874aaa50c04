import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeText } from '../../../src/formats/decode.ts'
import { messagesOf } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/compaction/compact-session.ts'
import { exportSession } from '../../../src/session/export-session.ts'
import { openSession, sessionSettings } from '../../../src/session/open-session.ts'
import { recall, searchSession } from '../../../src/session/search/search-session.ts'
import { undo } from '../../../src/session/user-changes.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { configFolders } from '../../support/config-folders.ts'
import { turns } from '../../support/messages.ts'

/** A database that version 0.1 made: each preset, compactions undone, redone and edited, masks, forks, redactions, settings. */
const FIXTURE = new URL('../../fixtures/store/made-by-0.1.db.br', import.meta.url)
const DATABASE = brotliDecompressSync(readFileSync(FIXTURE))

/** The SHA-256 of what the model saw under 0.1, of the sessions whose view has no record of ours. */
const SEEN_THEN = {
  Undone: '82a43490244407b10e1cc9b83ac3565daaf094ff3af5a6ef048bd8b48c7454ab',
  Masked: '1f677e217bdb87292e3e72f554c64f98d5cf9c4a7c30be16a7c26ac459c5affc',
  Redacted: '0cd8661210ff407c1fe544f1134bbed839678ff19c9bad688b52044bea0e6e3b',
  'A fork of the redacted': '0cd8661210ff407c1fe544f1134bbed839678ff19c9bad688b52044bea0e6e3b',
  'As keen does it': '372603c6c528d29811b6ea9c00406ca7b976cf8aa16179e003d103f25d4ac442',
  'As koda does it': '62b5de181c1422b64ce5d3239b3ec279cafac147e4e238a07ca7f4f75c62c0a3',
}

async function opened(): Promise<Store> {
  const file = join(configFolders().home, 'pith.db')
  writeFileSync(file, DATABASE)
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
    expect(sessions).toHaveLength(14)
    for (const { id } of sessions) expect((await openSession(store, id)).bad).toEqual([])
  })

  it.each(Object.entries(SEEN_THEN))('shows the model what it saw then: %s', async (title, seen) => {
    const store = await opened()
    const view = await viewText(store, await sessionCalled(store, title))
    expect(createHash('sha256').update(view).digest('hex')).toBe(seen)
  })

  it('shows the model the words of its records', async () => {
    const store = await opened()
    const view = await viewText(store, await sessionCalled(store, 'Uploads that hang'))
    expect(view).toContain('The client closes the socket after 30 s of total time, not of silence')
    expect(await viewText(store, await sessionCalled(store, 'Edited and pinned'))).toContain(
      'The user wrote this summary.',
    )
  })

  it('keeps the settings of a session, and its messages are found again', async () => {
    const store = await opened()
    const id = await sessionCalled(store, 'Uploads that hang')
    expect(sessionSettings((await store.entries(id)).entries).policy).toMatchObject({
      preset: 'economy',
      keepTokens: 200,
    })
    expect((await searchSession(store, id, 'client closed the socket')).hits.length).toBeGreaterThan(0)
    expect(JSON.stringify(await recall(store, id, '#15'))).toContain('client closed the socket')
  })

  it('has no redacted text, neither in a view nor in its forks, nor by a search', async () => {
    const store = await opened()
    for (const title of ['Redacted', 'A fork of the redacted']) {
      const id = await sessionCalled(store, title)
      expect(await viewText(store, id)).toContain('redacted')
      expect(await viewText(store, id)).not.toContain('hunter2')
      expect((await searchSession(store, id, 'hunter2-of-upload')).hits).toEqual([])
    }
  })

  const FIRST = /#1 \((?:[^)]*, )?the first request\) Uploads larger than 5 MB fail/
  it.each([
    ['Uploads that hang', FIRST],
    ['Compacted twice', FIRST],
    ['As keen does it', FIRST],
    // Its record had the files alone, and no facts about the user are found again.
    ['As kit does it', /## Earlier, as it was summarised then/],
    ['Undone', FIRST],
    ['Masked', FIRST],
    ['A fork', FIRST],
  ])('is compacted, undone and exported: %s', async (title, said) => {
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
    expect(await viewText(store, id)).toMatch(said)
    await undo(store, id)
    expect(await viewText(store, id)).toBe(before)
    const lines: string[] = []
    for await (const line of exportSession(store, id)) lines.push(line)
    expect(decodeText(lines.join('\n'))).toMatchObject({ ok: true, session: { format: 'pith', issues: [] } })
  })
})
