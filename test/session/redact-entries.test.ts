import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appended } from '../../src/engine/context/view/log.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type Entry, type EntryDraft, type Message, messagesOf, textOf, type View } from '../../src/model/types.ts'
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

describe('a redaction of one of 31 messages of the user', () => {
  const NUMBERS = Array.from({ length: 31 }, (_, i) => `lamp${String.fromCharCode(97 + (i % 26))}${i}`)
  const messages = NUMBERS.flatMap((lamp) => [
    user(`Put the ${lamp} into the hall.`),
    assistant(`The light of ${lamp} is on.\n\n${bulk('so')}`),
  ])
  const seqOf = (i: number) => 1 + i * 2

  /** A session with a record of these messages, with a model's summary or without, and its log as it was then. */
  async function compacted(summary?: string) {
    const { store, reopen, remove } = await temporaryStore()
    onTestFinished(remove)
    const { id } = await store.createSession({ owner: 'me', workspace: '/work' })
    await store.append(
      id,
      [...messages, user('Go on.'), assistant('Yes.')].map((message): EntryDraft => ({ type: 'message', message })),
    )
    const summaryModels = summary === undefined ? [] : [modelSaying(summary)]
    const policy = { keepTokens: 1, rungs: [summary === undefined ? ('digest' as const) : ('cold' as const)] }
    const done = await compactSession(store, id, {
      holder: 't',
      model: { contextWindow: 64_000 },
      summaryModels,
      policy,
    })
    expect(done).toMatchObject({ outcome: 'compacted', rung: summary === undefined ? 'digest' : 'cold' })
    const { entries: whole } = await store.entries(id)
    await openSession(store, id)
    return { id, store, reopen, whole }
  }
  const recordIn = (view: View) => textOf(messagesOf(view)[0] as Message)

  it.each([0, 7, 30])(
    '(number %i) leaves the 30 others in the record: in memory, in the database, and after a restart',
    async (i) => {
      const { id, store, reopen, whole } = await compacted()
      const before = recordIn(viewOf(whole))
      for (const lamp of NUMBERS) expect(before).toContain(`Put the ${lamp} into`)
      await redactEntries(store, id, [seqOf(i)])
      const inMemory = recordIn(viewOf(appended(whole, [{ type: 'redact', target: seqOf(i) }])))
      for (const lamp of NUMBERS.toSpliced(i, 1)) expect(inMemory).toContain(`Put the ${lamp} into`)
      expect(inMemory).not.toContain(`Put the ${NUMBERS[i]} into`)
      const answers = (text: string) => text.match(/The light of/g)
      expect(answers(inMemory)).toEqual(answers(before))
      const opened = await openSession(store, id)
      expect(recordIn(opened.view)).toBe(inMemory)
      expect(JSON.stringify(opened.log)).not.toContain(`Put the ${NUMBERS[i]} into`)
      const again = await reopen()
      expect(recordIn((await openSession(again, id)).view)).toBe(inMemory)
      expect(recordIn(viewOf((await again.entries(id)).entries))).toBe(inMemory)
    },
  )

  it('takes the words of a model with it, the same everywhere, and not the 30 others', async () => {
    const { id, store, reopen, whole } = await compacted(`## Goal\nThe user wants a lamp in the hall.`)
    expect(recordIn(viewOf(whole))).toContain('wants a lamp')
    await redactEntries(store, id, [seqOf(7)])
    const inMemory = recordIn(viewOf(appended(whole, [{ type: 'redact', target: seqOf(7) }])))
    expect(inMemory).not.toMatch(/wants a lamp|## Goal/)
    for (const lamp of NUMBERS.toSpliced(7, 1)) expect(inMemory).toContain(`Put the ${lamp} into`)
    expect(inMemory).not.toContain(`Put the ${NUMBERS[7]} into`)
    expect(recordIn((await openSession(store, id)).view)).toBe(inMemory)
    expect(recordIn((await openSession(await reopen(), id)).view)).toBe(inMemory)
  })
})
