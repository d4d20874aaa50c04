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

/** The fields of a compaction that are neither its summary nor its facts: numbers, an id, the seqs that it keeps. */
const FRAME_BYTES = 600

describe('a session that is compacted again and again while little is said', () => {
  let entries: readonly Entry[] = []
  let compactions: readonly EntryOf<'compaction'>[] = []
  beforeAll(async () => {
    entries = await compactedAgainAndAgain()
    compactions = entries.filter((entry) => entry.type === 'compaction')
  }, DEADLINE_MS)

  it('grows by what was said, and by a summary and the facts of its own span for each compaction', () => {
    expect(compactions).toHaveLength(COMPACTIONS)
    // The estimator counts four characters as a token; JSON writes a line's end and a quotation mark as two.
    const summary = 4 * budgetOf(policyOf(), WINDOW).summary * 1.1
    const own = ownFacts(entries)
    const large = compactions.filter((entry) => bytes(entry) > summary + bytes(own.get(entry.seq)) + FRAME_BYTES)
    expect(large.map((entry) => `#${entry.seq} has ${bytes(entry)} bytes`)).toEqual([])

    const facts = bytes(compactions.map((entry) => entry.indexDelta))
    const said = sum(entries.filter((entry) => entry.type === 'message'))
    expect(facts).toBeLessThan(said)
    expect(sum(compactions) / COMPACTIONS).toBeLessThan(summary + FRAME_BYTES + facts / COMPACTIONS)
    expect(sum(entries)).toBeLessThan(2 * said + COMPACTIONS * (summary + FRAME_BYTES))
    // A copy of all facts so far in each compaction would not pass.
    expect(facts).toBeGreaterThan(4 * (summary + FRAME_BYTES))
  })

  it('stores every fact once', () => {
    const deltas = compactions.map((entry) => entry.indexDelta)
    const names = deltas.flatMap(namesOf)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    const own = ownFacts(entries)
    for (const entry of compactions) expect(entry.indexDelta).toEqual(own.get(entry.seq))

    const items = viewOf(entries.filter((entry) => entry.type === 'message')).items.slice()
    const stillInView = factsIn(viewOf(entries).items.slice())
    expect(mergeIndexes([...deltas, stillInView])).toEqual(mergeIndexes([factsIn(items)]))
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
      `I have changed part ${round}, its test fails and I look at it next. `.padEnd(1_600, 'It takes a while. '),
    ),
  ]
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
