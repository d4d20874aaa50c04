import { loadavg } from 'node:os'
import { randomOf } from '../../src/eval/random.ts'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import { textOf } from '../../src/model/types.ts'
import type { Bench, Cell } from '../harness/bench.ts'
import { startInstantModel } from '../harness/instant-model.ts'
import { median } from '../harness/timing.ts'
import { lines, words } from '../speed/made-up-text.ts'
import { type BenchGateway, benchGateway } from './bench-gateway.ts'

const MODES: readonly ModeName[] = ['observe', 'answer', 'rewrite']
const BYTES = 600_000

/** Measures how long a request waits for the gateway. */
export const ownTime: Bench = {
  name: 'gateway/own-time',
  what: 'How much later a request of 600 kB is answered through the gateway, beside `JSON.parse` of it, and whether earlier requests make that longer.',
  async run({ quick, scratch, progress }) {
    const requests = quick ? 20 : 40
    const model = await startInstantModel()
    const rows: Cell[][] = []
    const missed: string[] = []
    for (const mode of MODES) {
      progress(mode)
      const info = { contextWindow: 2_000_000 }
      const gateway = await benchGateway(mode, model.url, { model: info, path: `${scratch}/${mode}.db` })
      const runs = await measured(gateway, model.url, requests)
      await gateway.stop()
      const quarter = Math.floor(requests / 4)
      const decided = (part: readonly Run[]) => median(part.map((run) => run.decided))
      const ratio = decided(runs) / median(runs.map((run) => run.parse))
      const best = fastTenth(runs.map((run) => run.decided)) / fastTenth(runs.map((run) => run.parse))
      const cpu = median(runs.map(({ through, direct }) => through - direct))
      const quarters = [decided(runs.slice(0, quarter)), decided(runs.slice(-quarter))]
      const later = median(runs.map((run) => run.later))
      rows.push([mode, median(runs.map((run) => run.parse)), decided(runs), ratio, best, ...quarters, later, cpu])
      if (ratio > 3) missed.push(`Missed: in \`${mode}\` a request waits longer than 3 × \`JSON.parse\`.`)
    }
    await model.close()
    return {
      tables: [
        {
          title: 'Milliseconds, medians',
          columns: [
            'mode',
            'JSON.parse',
            'waited',
            'ratio',
            'ratio of the fastest tenths',
            'waited, first quarter',
            'last quarter',
            'answered later',
            'CPU of all of it',
          ],
          rows,
        },
      ],
      notes: [
        `One session of ${BYTES / 1_000} kB that grows by a step with each of ${requests} requests. \`waited\` is the time that \`pith gateway status\` reports: from the whole request read until it is sent on. \`answered later\` is by the clock until the last byte, with a provider that answers at once, so that recording delays it. \`CPU of all of it\` is what the thread of client and gateway uses more than without a gateway: one more hop over HTTP, and the recording, which happens while the provider works.`,
        'Goal: at most 3 × `JSON.parse`, and flat in the number of earlier requests.',
        ...missed,
        `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)} on two cores, which makes medians of the clock longer than they are. The goal is judged by the median anyway. The ratio of the fastest tenths is shown because a loaded machine was seen to spoil the median; it decides nothing.`,
      ],
    }
  },
}

/** Milliseconds: of the clock for parsing and waiting, of the CPU for all of a request. */
type Run = {
  readonly parse: number
  readonly direct: number
  readonly through: number
  readonly decided: number
  readonly later: number
}
type ChatMessage = { readonly role: string; readonly content: string }

async function measured(gateway: BenchGateway, model: string, requests: number): Promise<Run[]> {
  const random = randomOf(3)
  const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }]
  const turn = (content: string, answer: string) => {
    messages.push({ role: 'user', content }, { role: 'assistant', content: answer })
  }
  for (let size = 0; size < BYTES; size = JSON.stringify(messages).length) turn(lines(random, 60), words(random, 20))
  const runs: Run[] = []
  for (let i = 0; i < requests; i++) {
    const body = JSON.stringify({
      model: 'm',
      stream: true,
      messages: [...messages, { role: 'user', content: `Go on, ${i}.` }],
    })
    const direct = await used(`${model}/chat/completions`, body, async () => {})
    const through = await used(`${gateway.url}/chat/completions`, body, () => gateway.recorded(i + 1))
    const start = performance.now()
    JSON.parse(body)
    const parse = performance.now() - start
    runs.push({
      parse,
      direct: direct.ms,
      through: through.ms,
      later: through.clock - direct.clock,
      decided: await gateway.recorded(i + 1),
    })
    turn(`Go on, ${i}.`, through.text)
  }
  return runs
}

/** Sends a request, and returns the CPU time of this thread until all of it is recorded. */
async function used(url: string, body: string, recorded: () => Promise<unknown>) {
  const [start, begun] = [process.threadCpuUsage(), performance.now()]
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await reply.text()
  const clock = performance.now() - begun
  await recorded()
  const { user, system } = process.threadCpuUsage(start)
  const { message } = faceNamed('openai-chat').answerOf(text, 0) ?? {}
  return { ms: (user + system) / 1_000, clock, text: message === undefined ? '' : textOf(message) }
}

/** The slowest of the fastest tenth: other programs on the machine make times longer, never shorter. */
function fastTenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN
}
