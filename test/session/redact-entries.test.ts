import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Entry, type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import { compactSession } from '../../src/session/compaction/compact-session.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { openSession } from '../../src/session/open-session.ts'
import { entriesWithSameText } from '../../src/session/search/search-session.ts'
import { editSummary, redactEntries } from '../../src/session/user-changes.ts'
import type { Store } from '../../src/store/store.ts'
import { assistant, call, modelSaying, result, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

const SECRET = 'tok-9f8e7d6c5b4a'
const bulk = (word: string) => `${word} `.repeat(600)

/** The secret in everything that facts are made of: words of the user, calls, commands, errors, files, to-dos and names. */
const planted: readonly Message[] = [
  user(`Never commit ${SECRET}. The server is https://db.example/${SECRET}/v1.`),
  call('a', 'bash', { command: `curl -H "Authorization: ${SECRET}" https://db.example` }),
  result('a', `Error: the token ${SECRET} was refused [exit code: 1]\n  at login (src/${SECRET}.ts:3)`),
  call('b', 'write', { path: `src/${SECRET}.ts`, content: `export const token = '${SECRET}'` }),
  result('b', `wrote src/${SECRET}.ts`),
  call('c', 'todo', { todos: [{ text: `rotate ${SECRET}`, status: 'pending' }] }),
  result('c', `1 to-do: rotate ${SECRET}`),
  assistant(`I decided to use ${SECRET}. ${bulk('alpha')}`),
]

it('a redaction with all that repeats it leaves nothing in records, facts, what is kept and the files', async () => {
  const { store, path, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'me', workspace: '/work' })
  const say = (messages: readonly Message[]) =>
    store.append(
      id,
      messages.map((message): EntryDraft => ({ type: 'message', message })),
    )
  const compact = async (summary?: string) => {
    const summaryModels = summary === undefined ? [] : [modelSaying(summary)]
    const done = await compactSession(store, id, { holder: 't', model: { contextWindow: 8_000 }, summaryModels })
    expect(done.outcome).toBe('compacted')
    return done.entries.find(({ type }) => type === 'compaction')?.seq ?? 0
  }
  await say([...planted, ...['beta', 'gamma', 'delta'].flatMap((word) => [user(bulk(word)), assistant(bulk(word))])])
  await editSummary(store, id, await compact(`## Goal\nUse ${SECRET}.`), `## Goal\nUse ${SECRET}, said the user.`)
  await say(['eta', 'theta', 'iota'].flatMap((word) => [user(bulk(word)), assistant(bulk(word))]))
  await compact()
  const fork = await store.createSession({
    owner: 'me',
    workspace: '/work',
    title: `Never commit ${SECRET}… (fork)`,
    parent: { id, seq: 3 },
  })
  // Both are open elsewhere, and keep their summaries.
  const live = await LiveSession.open(store, id)
  expect(JSON.stringify(messagesOf(live.view))).toContain(SECRET)

  await redactEntries(store, id, [1, ...(await entriesWithSameText(store, id, 1))])

  await live.refresh()
  for (const { view, log } of [live, await openSession(store, id), await openSession(store, fork.id)]) {
    expect(JSON.stringify([messagesOf(view), view.items.slice(), log])).not.toContain(SECRET)
  }
  expect((await store.search({ text: SECRET })).hits).toEqual([])
  const files = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name), 'latin1'))
  expect(files.some((bytes) => bytes.includes(SECRET))).toBe(false)
})

it('thousands are redacted in several calls, each once, and every redaction is answered', async () => {
  const calls: number[] = []
  const store = {
    redact: async (_: string, seqs: readonly number[]) => {
      calls.push(seqs.length)
      return seqs.map((target): Entry => ({ type: 'redact', target, id: `r${target}`, seq: 10_000 + target, at: 0 }))
    },
  } as unknown as Store
  const seqs = Array.from({ length: 4_001 }, (_, i) => i + 1)
  const redactions = await redactEntries(store, 'a session', [...seqs, 1, 2])
  expect(redactions.map((entry) => entry.type === 'redact' && entry.target)).toEqual(seqs)
  expect(Math.max(...calls)).toBeLessThanOrEqual(2_000)
  expect(await redactEntries(store, 'a session', [])).toEqual([])
})
