import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { SECTION } from '../../src/engine/record/sections/section-titles.ts'
import { randomOf } from '../../src/eval/random.ts'
import { faceNamed } from '../../src/gateway/faces/read-request.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import type { Message } from '../../src/model/types.ts'
import {
  type Answer,
  isSummarising,
  type ModelRequest,
  type ModelServer,
  startModelServer,
  textOf,
} from '../../test/support/model-server/index.ts'
import type { SessionSource } from '../cost/sessions.ts'
import { words } from '../speed/made-up-text.ts'
import { benchGateway } from './bench-gateway.ts'
import { OWN_DIRECTIVES, type ReplayClient, type SentBody } from './replay-client.ts'
import { replaySteps } from './replay-steps.ts'
import { resultsFor } from './results-for.ts'

export type ReplayWay = 'direct' | ModeName

/** The things that a provider charges for. All parts of a request for a summary count as `summaries`. */
export const COST_KINDS = ['read from the cache', 'written to it', 'not cached', 'answers', 'summaries'] as const
export type CostKind = (typeof COST_KINDS)[number]

/** The requests that a provider saw when a session was replayed, and their price. */
export type Replayed = {
  dollars: number
  /** The same dollars, by what they paid for. */
  readonly kinds: Record<CostKind, number>
  /** Requests of the client for an answer, and how many of them reached the provider byte for byte. */
  asked: number
  equal: number
  /** The client's own compactions; in `rewrite`, those that Pith made. */
  compactions: number
  /** Requests for summaries that the provider saw. */
  summaries: number
  /** Requests that do not extend the one before. Each compaction makes one. */
  breaks: number
  /** Tokens of all requests for an answer. */
  tokens: number
  /** Requests that the provider would have refused, and errors that the gateway reported. */
  readonly problems: string[]
}

/** Agents compact by themselves at about `OWN_TRIGGER` tokens on a window of 200,000. */
const WINDOW = 200_000
const OWN_TRIGGER = 160_000
/** The size of recorded summaries of agents: four thousand tokens. */
const OWN_SUMMARY = `<summary>\n${words(randomOf(7), 2_700)}.\n</summary>`
/** Replays a session request by request, as its client sends them, against a provider that caches and charges. */
export async function replay(
  session: SessionSource,
  client: ReplayClient,
  { way, scratch }: { readonly way: ReplayWay; readonly scratch: string },
): Promise<Replayed> {
  let [now, next]: [number, Answer] = [0, {}]
  const clock = () => now
  const provider = await startModelServer({
    window: WINDOW,
    cacheMinimumTokens: 1_024,
    cacheLifetimeMs: client.pricing.cacheLifetimeMs,
    clock,
    brain: (request) => summaryFor(request) ?? next,
  })
  const path = `${scratch}/${way}.db`
  const model = { contextWindow: WINDOW, prices: client.pricing.prices }
  const gateway = way === 'direct' ? undefined : await benchGateway(way, provider.url, { model, path, clock })
  const tally = new Tally(provider, client)
  const steps = replaySteps(session.log)
  const tools = [...new Set(steps.flatMap(({ answer }) => (answer.calls ?? []).map(({ name }) => name)))]
  const around = { system: session.system || 'You are an agent.', tools: tools.length > 0 ? tools : ['bash'] }
  const history: Message[] = []
  let used = 0
  try {
    for (const step of steps) {
      if (used > OWN_TRIGGER) {
        const summary = await send(client.compaction(history, around), false)
        const text = summary.message === undefined ? '' : textIn(summary.message)
        history.splice(0, history.length, { role: 'user', content: client.resumed(text) })
      }
      now = step.at
      next = step.answer
      history.push(...step.asks.map((content): Message => ({ role: 'user', content })))
      const { message, usage } = await send(client.request(history, around), true)
      used = usage?.inputTokens ?? 0
      if (message === undefined) continue
      history.push(message, ...resultsFor(message, step.results))
    }
  } finally {
    if (way === 'rewrite') tally.result.compactions = (await gateway?.compactions()) ?? 0
    await gateway?.stop()
    await provider.close()
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  }
  tally.result.problems.push(...(gateway?.lines ?? []), ...provider.violations.map(({ problem }) => problem))
  return tally.result

  async function send({ path: at, headers, body }: SentBody, isAsking: boolean) {
    const text = JSON.stringify(body)
    const reply = await fetch((gateway?.url ?? provider.url) + at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })
    const answer = faceNamed(client.face).answerOf(await reply.text(), history.length)
    tally.add(text, isAsking)
    if (reply.status !== 200) tally.result.problems.push(`status ${reply.status}`)
    return answer ?? {}
  }
}

/** The summary that a request asks for; undefined if it asks for none. */
function summaryFor(request: ModelRequest): Answer | undefined {
  const last = textOf(request.messages.at(-1))
  if (OWN_DIRECTIVES.some((directive) => last.includes(directive))) return { text: OWN_SUMMARY }
  return isSummarising(request) ? { text: briefSummary(request) } : undefined
}

/** Pith asks for what its facts cannot say, in sections, and refuses an answer that names nothing of the work. */
function briefSummary({ messages }: ModelRequest): string {
  const said = messages.filter(({ role }) => role !== 'tool').map((message) => textOf(message).slice(0, 200))
  return `## ${SECTION.state}\n${said.slice(-8, -1).join('\n')}\n\n## ${SECTION.reasons}\n${said[0] ?? ''}`
}

function textIn({ content }: Message): string {
  return typeof content === 'string' ? content : content.flatMap((p) => (p.type === 'text' ? [p.text] : [])).join('')
}

/** Counts the requests that arrived at the provider since the last time, and drops their bodies to save memory. */
class Tally {
  readonly result: Replayed = {
    dollars: 0,
    kinds: { 'read from the cache': 0, 'written to it': 0, 'not cached': 0, answers: 0, summaries: 0 },
    asked: 0,
    equal: 0,
    compactions: 0,
    summaries: 0,
    breaks: 0,
    tokens: 0,
    problems: [],
  }
  readonly #provider: ModelServer
  readonly #client: ReplayClient
  #seen = 0
  #last: readonly string[] = []

  constructor(provider: ModelServer, client: ReplayClient) {
    this.#provider = provider
    this.#client = client
  }

  add(sent: string, isAsking: boolean): void {
    const digest = createHash('sha256').update(sent).digest('hex')
    const { input, output, cacheRead: readPrice = input, cacheWrite: writePrice = input } = this.#client.pricing.prices
    const { result } = this
    if (isAsking) result.asked++
    else result.compactions++
    for (const record of this.#provider.requests.slice(this.#seen)) {
      const { usage, request } = record
      const isSummary = request !== undefined && summaryFor(request) !== undefined
      if (usage !== undefined) {
        const charge = (kind: CostKind, tokens: number, price: number) => {
          result.dollars += (tokens * price) / 1e6
          result.kinds[isSummary ? 'summaries' : kind] += (tokens * price) / 1e6
        }
        charge('not cached', usage.input - usage.cacheRead - usage.cacheWrite, input)
        charge('read from the cache', usage.cacheRead, readPrice)
        charge('written to it', usage.cacheWrite, writePrice)
        charge('answers', usage.output, output)
      }
      if (isSummary) {
        result.summaries++
      } else {
        if (isAsking && record.digest === digest) result.equal++
        result.tokens += record.tokens
        this.#follow(itemsOf(record.body))
      }
      record.body = record.request = undefined
    }
    this.#seen = this.#provider.requests.length
  }

  /** The last message may become longer: a protocol joins consecutive messages of a client into one. */
  #follow(items: readonly string[]): void {
    const isExtended = this.#last.every((item, i) => items[i]?.startsWith(item.slice(0, -2)) === true)
    if (!isExtended) this.result.breaks++
    this.#last = items
  }
}

/** The part of a body before the conversation, and its messages, without the cache marks that clients move. */
function itemsOf(body: unknown): string[] {
  const { messages, input, ...front } = body as { readonly messages?: unknown[]; readonly input?: unknown[] }
  const unmarked = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value)
  return [front, ...(messages ?? input ?? [])].map((item) => JSON.stringify(item, unmarked))
}
