import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry } from '../../../src/model/types.ts'
import { compactSession } from '../../../src/session/index.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { full } from '../../support/full.ts'
import { turns } from '../../support/messages.ts'
import { doubledMessages, expectAcknowledged, wholeLog } from '../../support/session-checks.ts'
import { PLACES, type Place } from '../../support/session-places.ts'
import { killAfter, startProcess, warmUp } from '../../support/session-processes.ts'
import { type Ack, randomOf, type Task } from '../../support/session-script.ts'

const SEED = 4
const LEASE_MS = 1_000
const WINDOW = 4_000
const START = 1_750_000_000_000
const KILLS: Record<string, number> = full ? { SQLite: 200, PostgreSQL: 200 } : { SQLite: 3, PostgreSQL: 3 }

const DEADLINE_MS = full ? 3_600_000 : 60_000

/** After this many lives the database server dies, too, if there is one. */
const SERVER_DIES = 3

/** The clock of a store: it moves on only from one process to the next. */
function at(now: number) {
  return { ids: randomUUID, clock: () => now }
}

describe.each(PLACES)('a process that is killed, on %s', (name, start) => {
  let place: Place
  beforeAll(async () => {
    place = await start()
    await warmUp(await place.where())
  }, 120_000)
  afterAll(() => place?.stop())

  it(
    'loses nothing that was acknowledged, and the next one continues',
    async () => {
      const where = await place.where()
      const session = await newSession(where)
      const random = randomOf(`${SEED} ${name}`)
      const acks: Ack[] = []
      let entries: readonly Entry[] = []
      let again: Task['again']
      const kills = KILLS[name] ?? 0
      let serverKills = 0
      for (let life = 1; life <= kills; life++) {
        // The lease that the one before may have left has just expired.
        const now = START + life * LEASE_MS
        const task: Task = {
          where,
          session,
          seed: SEED,
          name: `life-${life}`,
          mode: 'until-killed',
          leaseMs: LEASE_MS,
          window: WINDOW,
          now,
          again,
        }
        const running = startProcess(task)
        const crash = life % SERVER_DIES === 0 ? place.crash : undefined
        if (crash !== undefined) serverKills++
        await killAfter(running, 1 + random(40), random(200), crash)
        expect(running.reports.filter((report) => report.type !== 'ack')).toEqual([])
        const own = running.reports.filter((one) => one.type === 'ack')
        acks.push(...own)
        again = { name: task.name, step: (own.at(-1)?.step ?? 0) + 1 }

        place.expectSound(where)
        const store = await openStore(where, at(now))
        entries = await wholeLog(store, session)
        await store.close()
        expectAcknowledged(entries, acks)
        expect(doubledMessages(entries)).toEqual([])
      }
      expect(entries.filter((entry) => entry.type === 'compaction').length).toBeGreaterThan(0)
      expect(entries.filter((entry) => entry.type === 'undo').length).toBeGreaterThan(0)
      console.info(
        `${name}: ${kills} processes and ${serverKills} database servers killed, ${acks.length} entries acknowledged, none lost`,
      )
      // A deadline against hanging: two hundred lives on a busy machine.
    },
    DEADLINE_MS,
  )

  it('while a model writes its summary keeps others waiting only as long as its lease', async () => {
    const where = await place.where()
    const session = await newSession(where)
    const store = await openStore(where, at(START))
    const before = turns(12, 300).map((message) => ({ type: 'message' as const, message }))
    await store.append(session, before)
    const running = startProcess({
      where,
      session,
      seed: SEED,
      name: 'the dead one',
      mode: 'while-a-model-writes',
      leaseMs: LEASE_MS,
      window: WINDOW,
      now: START,
    })
    await running.until('asked')
    running.kill()
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
    place.expectSound(where)
    expect(await wholeLog(store, session)).toHaveLength(before.length)

    const input = { holder: 'the next one', leaseMs: LEASE_MS, model: { contextWindow: WINDOW } }
    const waiting = await openStore(where, at(START + LEASE_MS - 1))
    expect(await compactSession(waiting, session, input)).toMatchObject({ outcome: 'busy', holder: 'the dead one' })
    await waiting.close()
    const free = await openStore(where, at(START + LEASE_MS))
    const done = await compactSession(free, session, input)
    expect(done, done.reason).toMatchObject({ compacted: true, rung: 'digest' })
    expect(await wholeLog(free, session)).toHaveLength(before.length + 1)
    await free.close()
    await store.close()
  })
})

async function newSession(where: string): Promise<string> {
  const store = await openStore(where, at(START))
  const { id } = await store.createSession({ owner: 'ada', workspace: '/work' })
  await store.close()
  return id
}
