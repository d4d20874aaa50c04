import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inactiveSeqs } from '../../../src/engine/context/view/activity.ts'
import type { Entry, EntryOf } from '../../../src/model/types.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { full } from '../../support/full.ts'
import { turns } from '../../support/messages.ts'
import { doubledMessages, expectAcknowledged, wholeLog } from '../../support/session-checks.ts'
import { PLACES, type Place } from '../../support/session-places.ts'
import { type Process, startProcess, warmUp } from '../../support/session-processes.ts'
import { type Ack, type StreamEvent, stepOf } from '../../support/session-script.ts'

const SEED = 4
const PROCESSES = full ? 8 : 3
const STEPS = full ? 200 : 12
const ROUNDS = full ? 20 : 1

describe.each(PLACES)('processes that work on one session at the same time, on %s', (name, start) => {
  let place: Place
  beforeAll(async () => {
    place = await start()
    await warmUp(await place.where())
  }, 120_000)
  afterAll(() => place?.stop())

  it('lose and double nothing, see one order, and summarise each span once', async () => {
    await together(await place.where(), async ({ store, session, running, tasks }) => {
      for (let round = 1; round <= ROUNDS; round++) {
        await store.append(
          session,
          turns(8, 400).map((message) => ({ type: 'message', message })),
        )
        await all(running, 'compact', 'done', round)
        const changes = await store.entries(session, { only: 'changes' })
        expect(changes.entries.map((entry) => entry.type)).toEqual(Array(round).fill('compaction'))
      }
      await all(running, 'steps', 'done', ROUNDS + 1)
      const entries = await wholeLog(store, session)
      await all(running, `${entries.length}`, 'seen')
      for (const { ended } of running) expect(await ended).toMatchObject({ code: 0 })

      const reports = running.flatMap((one) => one.reports)
      const acks = reports.filter((one) => one.type === 'ack')
      expectAcknowledged(entries, acks)
      expect(new Set(acks.map((ack) => ack.id)).size).toBe(acks.length)
      const messages = entries.slice(firstStep(acks) - 1).filter((entry) => entry.type === 'message')
      expect(doubledMessages(messages)).toEqual([])
      expect(messages).toHaveLength(saidIn(tasks))
      const order = entries.map((entry) => [entry.seq, entry.id])
      for (const { entries: seen } of reports.filter((one) => one.type === 'seen')) expect(seen).toEqual(order)
      expect(crossings(entries)).toEqual([])
      expect(saidTwice(entries)).toEqual([])
      expect(entries.filter((entry) => entry.type === 'undo').length).toBeGreaterThan(0)
      console.info(`${name}: ${PROCESSES} processes, ${acks.length} entries acknowledged, none lost or doubled`)
    })
  })
})

type Together = { store: Store; session: string; running: readonly Process[]; tasks: readonly Steps[] }

type Steps = { readonly seed: number; readonly name: string; readonly steps: number }

/** Runs `work` with processes that wait for orders on a new session. */
async function together(where: string, work: (all: Together) => Promise<void>): Promise<void> {
  const store = await openStore(where)
  const { id: session } = await store.createSession({ owner: 'ada', workspace: '/work' })
  const tasks = Array.from({ length: PROCESSES }, (_, i) => ({ seed: SEED, name: `process-${i + 1}`, steps: STEPS }))
  const running = tasks.map((task) =>
    startProcess({ ...task, where, session, mode: 'together', leaseMs: 60_000, window: 12_000 }),
  )
  try {
    await Promise.all(running.map((one) => one.until('ready')))
    await work({ store, session, running, tasks })
  } finally {
    for (const one of running) one.kill()
    await Promise.all(running.map((one) => one.ended))
    await store.close()
  }
}

/** Gives all processes an order at once and waits for their reports that they have done it. */
async function all(running: readonly Process[], order: string, type: StreamEvent['type'], count = 1): Promise<void> {
  for (const one of running) one.order(order)
  await Promise.all(running.map((one) => one.until(type, count)))
}

/** Where the steps begin: what comes before was said by the test. */
function firstStep(acks: readonly Ack[]): number {
  return Math.min(...acks.filter((ack) => ack.step > 0).map((ack) => ack.seq))
}

/** How many messages these processes say in all their steps. */
function saidIn(tasks: readonly Steps[]): number {
  return tasks
    .flatMap((task) => Array.from({ length: task.steps }, (_, i) => stepOf(task, i + 1)))
    .flatMap((step) => (step.kind === 'say' ? step.appends : []))
    .reduce((sum, { drafts }) => sum + drafts.length, 0)
}

/** Compactions that replace a part of what another one replaces, both active at some time of the log. */
function crossings(entries: readonly Entry[]): string[] {
  const found = activeTogether(entries).flatMap((active) =>
    active.flatMap((later, i) =>
      active
        .slice(0, i)
        .filter((earlier) => earlier.upTo >= later.from && earlier.from <= later.upTo)
        .filter((earlier) => earlier.from < later.from || earlier.upTo > later.upTo)
        .map(
          (earlier) =>
            `#${later.seq} (${later.from}-${later.upTo}) cuts #${earlier.seq} (${earlier.from}-${earlier.upTo})`,
        ),
    ),
  )
  return [...new Set(found)]
}

/** A message that the user sent once and that two compactions, both active at some time of the log, have taken out of the view. */
function saidTwice(entries: readonly Entry[]): number[] {
  const found = activeTogether(entries).flatMap((active) => {
    const seqs = active.flatMap(({ indexDelta, keep }) =>
      // A record also names the request that stays in the view, and the compaction that takes it out names it again.
      (indexDelta.users ?? []).map((fact) => fact.seq).filter((seq) => !keep.includes(seq)),
    )
    return seqs.filter((seq, i) => seqs.indexOf(seq) !== i)
  })
  return [...new Set(found)]
}

/** The active compactions after each compaction and each undo. */
function activeTogether(entries: readonly Entry[]): EntryOf<'compaction'>[][] {
  const changes = entries.filter((entry) => entry.type === 'compaction' || entry.type === 'undo')
  return changes.map((_, i) => {
    const log = changes.slice(0, i + 1)
    // An undo may name an entry of another type, such as a mask: it takes no compaction back.
    const inactive = inactiveSeqs(entries.slice(0, log.at(-1)?.seq))
    return log.filter((entry) => entry.type === 'compaction').filter((entry) => !inactive.has(entry.seq))
  })
}
