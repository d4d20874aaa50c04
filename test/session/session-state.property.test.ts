import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { type EntryDraft, type Message, messagesOf } from '../../src/model/types.ts'
import { compactSession, editSummary, openSession, pin, redo, stateOf, undo, unpin } from '../../src/session/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { full } from '../support/full.ts'
import { assistant, call, modelSaying, result, turns, user } from '../support/messages.ts'
import { PLACES, type Place } from '../support/session-places.ts'

const RUNS = full ? 300 : 3
const STEPS = full ? 40 : 20
const DEADLINE_MS = full ? 1_800_000 : 120_000
const model = { contextWindow: 6_000, provider: 'acme', model: 'large' }

/** One operation on a session; `pick` chooses among what is there. */
type Operation = { readonly kind: (typeof KINDS)[number]; readonly pick: number }
const KINDS = [
  'say',
  'say',
  'use-tools',
  'use-tools',
  'report',
  'compact',
  'compact',
  'compact-without-model',
  'fail-to-compact',
  'undo',
  'redo',
  'todo',
  'pin',
  'unpin',
  'edit',
  'redact',
  'fork',
] as const

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat({ max: 9_999 }) }),
  { minLength: 5, maxLength: STEPS },
)

describe.each(PLACES)('the state of a session, on %s', (_, start) => {
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await start()
    store = await openStore(await place.where())
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    await place?.stop()
  })

  it(
    'is what its whole log says, after every operation, in the session and in those it was forked from',
    async () => {
      const done = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(operations, async (all) => {
          const sessions = [(await store.createSession({ owner: 'ann', workspace: '/repo' })).id]
          for (const [step, operation] of all.entries()) {
            const id = sessions.at(-1) ?? ''
            const fork = await perform(store, id, operation, step)
            if (fork !== undefined) sessions.push(fork)
            done.set(operation.kind, (done.get(operation.kind) ?? 0) + 1)
            for (const session of new Set([id, ...sessions.slice(-2)])) await expectReplayed(store, session)
          }
          for (const session of sessions) await expectReplayed(store, session)
        }),
        // One of everything is always among them; the rest is chance.
        { numRuns: RUNS, examples: [[KINDS.map((kind, pick) => ({ kind, pick: 37 * pick }))]] },
      )
      expect([...done.keys()].toSorted()).toEqual([...new Set(KINDS)].toSorted())
    },
    DEADLINE_MS,
  )
})

/** The state of an open session is the one that the log alone gives. */
async function expectReplayed(store: Store, id: string): Promise<void> {
  const open = await openSession(store, id)
  const { entries, bad } = await store.entries(id)
  const view = viewOf(entries)
  expect(bad).toEqual([])
  expect(stateOf(open, { model })).toEqual(stateOf({ log: entries, view }, { model }))
  expect(JSON.stringify(messagesOf(open.view))).toBe(JSON.stringify(messagesOf(view)))
  expect(open.session.revision).toBe(view.revision)
  expect(open.session.lastSeq).toBe(view.lastSeq)
}

async function perform(store: Store, id: string, { kind, pick }: Operation, step: number): Promise<string | undefined> {
  const say = (messages: readonly Message[]) => store.append(id, said(messages))
  const input = { holder: 'test', model, reason: pick % 2 === 0 ? ('manual' as const) : ('overflow' as const) }
  const { lastSeq = 0 } = (await store.session(id)) ?? {}
  const some = async (type: string) => {
    const { entries } = await store.entries(id)
    const found = entries.filter((entry) => entry.type === type)
    return found[pick % Math.max(1, found.length)]?.seq
  }
  switch (kind) {
    case 'say':
      await say(turns(1 + (pick % 6), 300 + (pick % 900)))
      return
    case 'use-tools':
      await say(toolSteps(step, pick))
      return
    case 'report':
      await store.append(id, reported(pick))
      return
    case 'compact':
      await compactSession(store, id, { ...input, summaryModels: [modelSaying(`## Goal\nTo get on, ${pick}.`)] })
      return
    case 'compact-without-model':
      await compactSession(store, id, input)
      return
    case 'fail-to-compact':
      await compactSession(store, id, { ...input, policy: { preset: 'koda' }, summaryModels: [modelSaying('')] })
      return
    case 'undo':
      await undo(store, id)
      return
    case 'redo':
      await redo(store, id)
      return
    case 'todo':
      await store.append(id, [{ type: 'todo', items: [{ text: `do ${pick}`, status: 'pending' }] }])
      return
    case 'pin':
    case 'unpin': {
      const seq = await some('message')
      if (seq !== undefined) await (kind === 'pin' ? pin : unpin)(store, id, seq)
      return
    }
    case 'edit': {
      const seq = await some('compaction')
      if (seq !== undefined) await editSummary(store, id, seq, `## Goal\nMine, ${pick}.`)
      return
    }
    case 'redact': {
      const seq = await some('message')
      if (seq !== undefined) await store.redact(id, [seq])
      return
    }
    case 'fork': {
      const seq = lastSeq === 0 ? 0 : Math.max(1, lastSeq - (pick % 4))
      return (await store.createSession({ owner: 'ann', workspace: '/repo', parent: { id, seq } })).id
    }
  }
}

function said(messages: readonly Message[]): EntryDraft[] {
  return messages.map((message) => ({ type: 'message', message }))
}

/** A provider's count, which is an anchor for the status and, a few times in a row, calibrates the estimator. */
function reported(pick: number): EntryDraft[] {
  const asked = `Never use port ${pick}. `.padEnd(1_600, 'And think of the others, too. ')
  return [1, 2, 3, 4].flatMap((round): EntryDraft[] => [
    ...said([user(asked)]),
    {
      type: 'message',
      message: assistant(`Understood, ${pick}.`),
      usage: { inputTokens: 400 + (400 + (pick % 400)) * round, outputTokens: 20 },
      model: 'acme/large',
    },
  ])
}

/** Files read and written, a command that fails or passes, a to-do list. */
function toolSteps(step: number, pick: number): Message[] {
  const id = `${step}-${pick}`
  const path = `src/part-${pick % 7}.ts`
  const todos = [{ content: `finish ${pick}`, status: 'in_progress' }]
  return [
    user(`now part ${pick}`),
    call(`r${id}`, 'read', { path }),
    result(`r${id}`, `line of ${path}\n`.repeat(pick % 60)),
    call(`w${id}`, 'edit', { path, old_string: 'a', new_string: 'b' }),
    result(`w${id}`, 'The file was changed.', 'edit'),
    call(`t${id}`, 'todo_write', { todos }),
    result(`t${id}`, 'written', 'todo_write'),
    call(`b${id}`, 'bash', { command: 'npm test' }),
    result(`b${id}`, pick % 2 === 0 ? 'passed\nexit code 0' : 'Error: wrong\nexit code 1', 'bash'),
    // Sometimes a call is left without its result, and is repaired.
    ...(pick % 11 === 0 ? [call(`x${id}`), user('well?')] : []),
  ]
}
