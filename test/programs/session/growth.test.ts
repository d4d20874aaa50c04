import { beforeAll, describe, expect, it } from 'vitest'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import type { Entry, EntryOf, IndexDelta, Item, Message, Seq } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/index.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { full } from '../../support/full.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const COMPACTIONS = full ? 500 : 50
const WINDOW = 8_000
const DEADLINE_MS = 600_000

/** The fields of a compaction that are neither its record nor its facts: numbers, an id, the seqs that it keeps. */
const FRAME_BYTES = 600

describe('a session that is compacted again and again while little is said', () => {
  let entries: readonly Entry[] = []
  let compactions: readonly EntryOf<'compaction'>[] = []
  beforeAll(async () => {
    entries = await compactedAgainAndAgain()
    compactions = entries.filter((entry) => entry.type === 'compaction')
  }, DEADLINE_MS)

  it('grows by what was said, and by a record and the facts of its own span for each compaction', () => {
    expect(compactions).toHaveLength(COMPACTIONS)
    // The estimator counts four characters as a token. The parts of a record also say where they belong, and its words are stored twice.
    const record = 4 * (budgetOf(policyOf(), WINDOW).target ?? 0) * 1.5
    const own = ownFacts(entries)
    const large = compactions.filter((entry) => bytes(entry) > record + bytes(own.get(entry.seq)) + FRAME_BYTES)
    expect(large.map((entry) => `#${entry.seq} has ${bytes(entry)} bytes`)).toEqual([])

    const facts = bytes(compactions.map((entry) => entry.indexDelta))
    const said = sum(entries.filter((entry) => entry.type === 'message'))
    expect(facts).toBeLessThan(said)
    expect(sum(compactions) / COMPACTIONS).toBeLessThan(record + FRAME_BYTES + facts / COMPACTIONS)
    expect(sum(entries)).toBeLessThan(2 * said + COMPACTIONS * (record + FRAME_BYTES))
    // A copy of all facts so far in each compaction would not pass.
    expect(facts).toBeGreaterThan(2 * (record + FRAME_BYTES))
  })

  it('stores every fact once, and a request that stays after the record with each of them', () => {
    const deltas = compactions.map(factsOf)
    const names = deltas.flatMap(namesOf)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    const own = ownFacts(entries)
    for (const entry of compactions) expect(begun(factsOf(entry))).toEqual(begun(own.get(entry.seq) ?? {}))

    const items = viewOf(entries.filter((entry) => entry.type === 'message')).items.slice()
    const stillInView = factsIn(viewOf(entries).items.slice())
    expect(mergeIndexes([...deltas, stillInView].map(begun))).toEqual(mergeIndexes([begun(factsIn(items))]))
    const asked = items.filter((item) => item.message.role === 'user').map((item) => item.seq)
    const listed = [...deltas, stillInView].flatMap(({ users = [] }) => users.map((fact) => fact.seq))
    expect(listed.toSorted((a, b) => a - b)).toEqual(asked)
  })
})

async function compactedAgainAndAgain(): Promise<readonly Entry[]> {
  const store = await openStore(':memory:')
  const { id } = await store.createSession({ owner: 'ada', workspace: '/work' })
  const say = (messages: readonly Message[]) =>
    store.append(
      id,
      messages.map((message) => ({ type: 'message', message })),
    )
  await say(turns(10, 400))
  for (let round = 1; round <= COMPACTIONS; round++) {
    await say(roundOf(round))
    const done = await compactSession(store, id, {
      holder: 'test',
      model: { contextWindow: WINDOW },
      estimator: charactersByFour,
    })
    expect(done, `round ${round}: ${done.reason}`).toMatchObject({ compacted: true, rung: 'digest' })
  }
  const { entries } = await store.entries(id)
  await store.close()
  return entries
}

/** A little of everything that becomes a fact: a demand, a file, a command that fails each time. */
function roundOf(round: number): Message[] {
  return [
    user(`Now do part ${round}. Never listen on port ${3_000 + round} again.`),
    call(`edit-${round}`, 'edit', { path: `src/part-${round}.ts`, old_string: 'a', new_string: 'b' }),
    result(`edit-${round}`, 'The file was changed.', 'edit'),
    call(`test-${round}`, 'bash', { command: 'npm test' }),
    result(`test-${round}`, `Error: part ${round} is wrong\nexit code 1`, 'bash'),
    assistant(
      `I have changed part ${round}, its test fails and I look at it next. `.padEnd(4_000, 'It takes a while. '),
    ),
  ]
}

/** The facts that a compaction stores, without the request that it keeps: its record names that one, too. */
function factsOf({ indexDelta, keep }: EntryOf<'compaction'>): IndexDelta {
  return { ...indexDelta, users: indexDelta.users?.filter(({ seq }) => !keep.includes(seq)) }
}

/** The same facts with only the beginning of the agent's paragraphs: long ones are not stored whole. */
function begun<F extends IndexDelta>(facts: F): F {
  return { ...facts, statements: facts.statements?.map((fact) => ({ ...fact, text: fact.text.slice(0, 400) })) }
}

/** The facts of what left the view with each compaction, by the seq of the compaction. */
function ownFacts(entries: readonly Entry[]): ReadonlyMap<Seq, IndexDelta> {
  const facts = new Map<Seq, IndexDelta>()
  let live: readonly Item[] = []
  for (const entry of entries) {
    if (entry.type === 'message') live = [...live, ...viewOf([entry]).items]
    if (entry.type !== 'compaction') continue
    const { from, upTo, keep } = entry
    const removed = live.filter(({ seq }) => seq >= from && seq <= upTo && !keep.includes(seq))
    facts.set(entry.seq, factsIn(removed))
    live = live.filter((item) => !removed.includes(item))
  }
  return facts
}

/** Every fact of a delta by its kind and all that it says. */
function namesOf(delta: IndexDelta): string[] {
  return Object.entries(delta).flatMap(([kind, facts]) => {
    const all: readonly unknown[] = Array.isArray(facts) ? facts : []
    return all.map((fact) => `${kind} ${JSON.stringify(fact)}`)
  })
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function sum(entries: readonly Entry[]): number {
  return entries.reduce((all, entry) => all + bytes(entry), 0)
}
