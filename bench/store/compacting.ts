import { setTimeout as pause } from 'node:timers/promises'
import { featureEstimator } from '../../src/engine.ts'
import { compactSession, LiveSession } from '../../src/session/index.ts'
import { openStore } from '../../src/store/index.ts'
import { status } from '../../src/tokens/status.ts'
import type { InstantModel } from '../harness/instant-model.ts'
import { median } from '../harness/timing.ts'
import { message } from '../message.ts'
import type { AskedModel } from './asked-model.ts'

const MODEL = { contextWindow: 200_000 }
const ROUNDS = 9
const IDLE_MS = 1_000

/**
 * A whole compaction of 1,000 new messages against the bare call: the same bytes over the same client, the same answer.
 * As a running agent does it, with the session open and its messages counted as they came; and by id, read from the store.
 */
export async function compacting(path: string, id: string, { model, askAgain }: AskedModel, server: InstantModel) {
  const store = await openStore(path)
  const live = await LiveSession.open(store, id)
  const times = { open: [] as number[], stored: [] as number[], bare: [] as number[] }
  const input = { holder: 'bench', model: MODEL, summaryModels: [model], reason: 'manual' as const }
  let bytes = 0
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of ['open', 'stored'] as const) {
      await talk(live)
      // All messages came at once here, so the store still has background work. That time is not part of the compaction.
      await pause(IDLE_MS)
      await server.sent()
      const compact = kind === 'open' ? () => live.compact(input) : () => compactSession(store, id, input)
      const ms = await timed(compact)
      bytes = (await server.sent()).bytes
      if (kind === 'stored') await live.refresh()
      const bare = await timed(askAgain)
      if ((await server.sent()).bytes !== bytes) throw new Error('the bare call sent other bytes')
      // The first round warms up.
      if (round < 0) continue
      times[kind].push(ms)
      times.bare.push(bare)
    }
  }
  await store.close()
  const bare = median(times.bare)
  const timeText = (ms: number) => `${ms.toFixed(1)} ms → ${(ms / bare).toFixed(2)} times`
  console.log(`a whole compaction of 1,000 messages, against the bare call of ${bare.toFixed(1)} ms (${bytes} bytes):`)
  console.log(`  in the agent that has the session open: ${timeText(median(times.open))}`)
  console.log(`  of a stored session by its id, opening it included: ${timeText(median(times.stored))}`)
}

let appended = 0

/** Appends turn by turn and counts the context after each, like an agent. */
async function talk(live: LiveSession): Promise<void> {
  for (const end = appended + 1_000; appended < end; appended += 4) {
    await live.append([0, 1, 2, 3].map((i) => ({ type: 'message', message: message(appended + i) })))
    status({ view: live.view, model: MODEL, estimator: featureEstimator })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
