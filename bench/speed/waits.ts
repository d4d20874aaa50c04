import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Message, SummaryModel } from '../../src/engine.ts'
import { asSummaryModel, openModel } from '../../src/llm/index.ts'
import { registryOf } from '../../src/models/index.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { settingsIn } from '../../src/session/open-session.ts'
import { openStore } from '../../src/store/index.ts'
import type { Bench, Cell } from '../harness/bench.ts'
import { inChild } from '../harness/in-child.ts'
import { startInstantModel } from '../harness/instant-model.ts'
import { median } from '../harness/timing.ts'
import { conversation } from './conversation.ts'
import { draft, storeSession } from './pith-files.ts'

const SIZES = [1_000, 10_000] as const
/** The messages that come after the preparation. */
const LATER = 40
const GOAL_MS = 50
/** Large enough that all of the span is one request. */
const SUMMARISER_WINDOW = 1_000_000_000

type WaitInput = { readonly path: string; readonly id: string; readonly url?: string; readonly prepared: boolean }
type Wait = { readonly ms: number; readonly longest: number; readonly before: number }

/** The first compaction of a process, as a user of an open session has it: nearly all of them are the first. */
export const waits: Bench = {
  name: 'speed/waits',
  what: 'How long a user waits for our own work at the first compaction of a process, and for how long at a time nothing else can run.',
  async run({ quick, scratch, progress }) {
    const runs = quick ? 3 : 9
    const model = await startInstantModel()
    const rows: Cell[][] = []
    const missed: string[] = []
    for (const size of SIZES) {
      for (const url of [undefined, model.url]) {
        for (const prepared of [false, true]) {
          const name = `${url === undefined ? 'digest' : 'instant model'}, ${prepared ? 'prepared' : 'not prepared'}`
          const found: Wait[] = []
          for (let run = 0; run < runs; run++) {
            progress(`${size}, ${name}, ${run + 1} of ${runs}`)
            const stored = await storeSession(
              join(scratch, `${size}-${rows.length}-${run}.db`),
              conversation(size, run + 1),
            )
            const { value } = await inChild(import.meta.filename, 'oneWait', { ...stored, url, prepared })
            found.push(value as Wait)
          }
          const ms = found.map((one) => one.ms)
          const longest = Math.max(...found.map((one) => one.longest))
          const before = Math.max(...found.map((one) => one.before))
          rows.push([size, name, median(ms), Math.max(...ms), median(found.map((one) => one.longest)), longest, before])
          if (longest > GOAL_MS) missed.push(`Missed: ${size} messages, ${name}: a block of ${Math.round(longest)} ms.`)
        }
      }
    }
    await model.close()
    const columns = ['messages', '', 'wait: ms', 'worst', 'longest block: ms', 'worst', 'worst block while preparing']
    return {
      tables: [{ title: 'The first compaction of a process', columns, rows }],
      notes: [
        ...missed,
        `Each run is a process of its own, with a made-up session of its own. Its Context is open, as in an agent; the digest is prepared, ${LATER} messages come, and the session is compacted and stored. All times are processor time of the thread, so that other programs on the machine do not count: with a real model, its answer comes on top. A block is the time between two turns of the event loop; goal: at most ${GOAL_MS} ms.`,
      ],
    }
  },
}

/** Compacts a stored session, in a process of its own. */
export async function oneWait({ path, id, url, prepared }: WaitInput): Promise<Wait> {
  const store = await openStore(path)
  const live = await LiveSession.open(store, id)
  const input = {
    holder: 'bench',
    reason: 'manual',
    model: { contextWindow: 200_000 },
    summaryModels: url === undefined ? [] : [await askedBefore(served(url))],
  } as const
  live.context(settingsIn(input))
  live.facts()
  const { longest: before } = await watched(async () => {
    if (prepared) await live.prepareDigest(input)
  })
  for (const message of later()) {
    await live.append([draft(message)])
    await setImmediate()
  }
  const wait = await watched(() => live.compact(input))
  await store.close()
  return { ...wait, before }
}

/** Messages with calls of their own: ids that occur twice would have to be repaired. */
function later(): Message[] {
  return JSON.parse(JSON.stringify(conversation(LATER, 1_000)).replaceAll('"call-', '"later-')) as Message[]
}

/** An agent has asked a model before its session is compacted. */
async function askedBefore(model: SummaryModel): Promise<SummaryModel> {
  const request = { system: '', messages: [{ role: 'user' as const, content: 'Hello.' }] }
  for await (const _ of model.stream(request, new AbortController().signal));
  return model
}

/** The processor time of some work, and the most of it between two turns of the event loop. */
async function watched(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly longest: number }> {
  let longest = 0
  let last = cpuMs()
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const start = last
  const ticker = setInterval(look, 1)
  await work()
  look()
  clearInterval(ticker)
  return { ms: last - start, longest }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function served(url: string) {
  const info = { provider: 'bench', model: 'instant', contextWindow: SUMMARISER_WINDOW, maxOutput: 16_384 }
  const providers = { bench: { kind: 'openai-compatible' as const, baseUrl: url, apiKey: 'none' } }
  const opened = openModel('bench/instant', { registry: registryOf([info]), providers, env: {} })
  if ('unusable' in opened) throw new Error(opened.text)
  return asSummaryModel(opened)
}
