import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { randomOf } from '../../src/eval/random.ts'
import type { Bench, Cell } from '../harness/bench.ts'
import { lines } from '../speed/made-up-text.ts'
import { askChat, type ChatMessage, chatProvider } from './chat-provider.ts'
import { gatewayProcess } from './gateway-process.ts'

/** About 150,000 tokens of code. */
const CHARACTERS = 540_000
const ROUNDS = 2

/** The memory of a gateway with many long sessions at once. */
export const heldSessions: Bench = {
  name: 'gateway/memory',
  what: 'The memory of `pith gateway` while 50 sessions of 150,000 tokens wait for their answers at once, twice over.',
  async run({ quick, scratch, progress }) {
    const count = quick ? 10 : 50
    const rows: Cell[][] = []
    const errors: string[] = []
    for (const mode of ['answer', 'rewrite']) {
      progress(mode)
      const { row, errorText } = await measured(mode, count, scratch)
      rows.push(row)
      if (errorText !== '') errors.push(`${mode} reported: ${errorText.trim().split('\n')[0]}`)
    }
    const most = Math.max(...rows.map((row) => Number(row.at(-2))))
    return {
      tables: [{ title: 'Megabytes', columns: ['mode', 'sessions', 'at the start', 'most', 'afterwards'], rows }],
      notes: [
        'Each session’s request has 540 kB; no answer comes before all requests have arrived, so that all are held open. Resident memory of the process, as the kernel reports it.',
        'Goal: 50 sessions under 400 MB.',
        `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
        ...(most > 400 ? ['Missed.'] : []),
        ...errors,
      ],
    }
  },
}

async function measured(mode: string, count: number, scratch: string) {
  const home = `${scratch}/${mode}`
  mkdirSync(home)
  let [arrived, release] = [0, () => {}]
  let all = new Promise<void>((resolve) => {
    release = resolve
  })
  const provider = await chatProvider(
    () => 'Done.',
    () => {
      if (++arrived % count === 0) {
        release()
        all = new Promise((resolve) => {
          release = resolve
        })
        return Promise.resolve()
      }
      return all
    },
  )
  const gateway = await gatewayProcess({ mode, home, store: `${home}/s.db`, upstream: provider.url })
  const start = gateway.memory().now
  const sessions = Array.from({ length: count }, (_, i) => longSession(i))
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(sessions.map((messages) => askChat(gateway.url, messages)))
    for (const [i, content] of answers.entries())
      sessions[i]?.push({ role: 'assistant', content }, { role: 'user', content: `Go on, ${round}.` })
  }
  const { now, most } = gateway.memory()
  await gateway.end('SIGTERM')
  provider.close()
  return { row: [mode, count, start, most, now], errorText: gateway.errors() }
}

function longSession(seed: number): ChatMessage[] {
  const random = randomOf(seed + 1)
  const messages: ChatMessage[] = []
  for (let size = 0; size < CHARACTERS; ) {
    const content = lines(random, 80)
    size += content.length
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content })
  }
  return messages.length % 2 === 0 ? messages.slice(0, -1) : messages
}
