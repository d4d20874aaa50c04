import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { textOf } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Bench } from '../harness/bench.ts'
import { askChat, type ChatMessage, chatProvider } from './chat-provider.ts'
import { type GatewayProcess, gatewayProcess } from './gateway-process.ts'

type Client = { readonly messages: ChatMessage[]; wrong: number; again: number }

/** Many streams at once through a gateway that is killed before they end. */
export const killedStreams: Bench = {
  name: 'gateway/streams',
  what: '200 clients stream answers through one `pith gateway`, which is killed in the middle and started again: whether answers are mixed up, and whether each conversation is one session afterwards.',
  async run({ quick, scratch }) {
    const [count, seconds] = quick ? [20, 4] : [200, 60]
    mkdirSync(`${scratch}/home`)
    const provider = await chatProvider(answerFor)
    const options = { mode: 'answer', home: `${scratch}/home`, store: `${scratch}/s.db`, upstream: provider.url }
    const first = await gatewayProcess(options)
    const clients = Array.from({ length: count }, (): Client => ({ messages: [], wrong: 0, again: 0 }))
    const end = Date.now() + seconds * 1_000
    const working = Promise.all(clients.map((client, i) => work(client, i, first.url, end)))
    await setTimeout(seconds * 500)
    await first.end('SIGKILL')
    const second: GatewayProcess = await gatewayProcess({ ...options, port: first.port })
    await working
    await second.end('SIGTERM')
    provider.close()
    const { whole, sessions } = await recorded(options.store, clients)
    const total = (of: (client: Client) => number) => clients.reduce((sum, client) => sum + of(client), 0)
    const errors = [first, second].flatMap((gateway) => gateway.errors().split('\n').filter(Boolean))
    const missed = total(({ wrong }) => wrong) > 0 || whole < count
    return {
      tables: [
        {
          title: `${count} clients for ${seconds} seconds, killed after half of them`,
          columns: ['answers', 'broken and asked again', 'mixed up', 'conversations whole in one session', 'sessions'],
          rows: [
            [
              total(({ messages }) => messages.length / 2),
              total(({ again }) => again),
              total(({ wrong }) => wrong),
              whole,
              sessions,
            ],
          ],
        },
      ],
      notes: [
        'Each answer names its client and its turn, and comes in pieces. A client whose stream breaks asks again with the same bytes.',
        `Goal: none mixed up, ${count} conversations whole in one session each.`,
        `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
        ...(missed ? ['Missed.'] : []),
        ...(errors.length > 0 ? [`The gateways reported ${errors.length} errors, such as: ${errors[0]}`] : []),
      ],
    }
  },
}

function answerFor(messages: readonly ChatMessage[]): string {
  return `Here is what was asked for: ${messages.at(-1)?.content}`
}

async function work(client: Client, number: number, url: string, end: number): Promise<void> {
  for (let turn = 1; Date.now() < end; turn++) {
    client.messages.push({ role: 'user', content: `client ${number} turn ${turn}` })
    const answer = await patient(client, url)
    if (answer !== answerFor(client.messages)) client.wrong++
    client.messages.push({ role: 'assistant', content: answer })
  }
}

async function patient(client: Client, url: string): Promise<string> {
  for (;;) {
    try {
      return await askChat(url, client.messages)
    } catch {
      client.again++
      await setTimeout(200)
    }
  }
}

/** How many conversations are in the store whole and as one session, and how many sessions there are. */
async function recorded(path: string, clients: readonly Client[]): Promise<{ whole: number; sessions: number }> {
  const store = await openStore(path)
  const logs = new Set<string>()
  let sessions = 0
  let before: string | undefined
  do {
    const page = await store.sessions({ before, limit: 100 })
    for (const { id } of page.sessions) {
      const { entries } = await store.entries(id, { only: 'messages' })
      logs.add(entries.flatMap((entry) => (entry.type === 'message' ? [textOf(entry.message)] : [])).join('\n'))
      sessions++
    }
    before = page.next
  } while (before !== undefined)
  await store.close()
  const whole = clients.filter(({ messages }) => logs.has(messages.map(({ content }) => content).join('\n'))).length
  return { whole, sessions }
}
