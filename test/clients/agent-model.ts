import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { deliver, deliverFaulty } from '../support/model-server/deliver.ts'
import type { Answer, Fault, ProtocolName } from '../support/model-server/index.ts'
import { promptCaches } from '../support/model-server/prompt-caches.ts'
import type { Protocol } from '../support/model-server/protocol.ts'
import { protocolsOf } from '../support/model-server/protocols.ts'
import { answerTokens, requestTokens, type TokenUsage, tokensOf } from '../support/model-server/token-count.ts'
import { type Asked, askedOf } from './asked.ts'
import { wholeAnswer } from './whole-answer.ts'

/** The model's answer to an agent. `tokens` is the usage that it reports if that is not the truth; `fault` spoils the answer. */
export type AgentAnswer = Answer & { readonly tokens?: number; readonly fault?: Fault }

type AgentModelOptions = {
  readonly window?: number
  readonly caches?: boolean
  /** How long a stream stays open after its last event. */
  readonly endMs?: number
}

export type AgentModel = {
  readonly url: string
  /** Every request for an answer, in the order of arrival. */
  readonly asked: readonly Asked[]
  /** Those that were refused because they have more tokens than the window. */
  readonly refused: readonly Asked[]
  /** The usage that each answer was charged for, if the server has a cache. */
  readonly usages: readonly TokenUsage[]
  readonly close: () => Promise<void>
}

/**
 * The model server for real agents: it writes answers as the strict one does, in its four protocols, but takes every
 * request as it comes, because agents send tools, blocks and side requests of their own.
 */
export async function startAgentModel(
  brain: (asked: Asked) => AgentAnswer,
  { window = Number.POSITIVE_INFINITY, caches = false, endMs = 0 }: AgentModelOptions = {},
): Promise<AgentModel> {
  const asked: Asked[] = []
  const refused: Asked[] = []
  const usages: TokenUsage[] = []
  const cacheFor = promptCaches({ minimumTokens: 1_024, lifetimeMs: 5 * 60_000, clock: Date.now })
  let count = 0
  const ids = (prefix: string) => `${prefix}_${process.pid}${Date.now()}${`${++count}`.padStart(6, '0')}`
  const protocols = protocolsOf(ids)
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refused,
    usages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
    const name = PATHS.find(([pattern]) => pattern.test(path))?.[1]
    const source = await text(incoming)
    if (incoming.method !== 'POST' || name === undefined) return deliver(response, aside(path, source))
    const request = askedOf(name, { path, headers: incoming.headers, body: parsed(source) })
    asked.push(request)
    const protocol = protocols.find((each) => each.name === name) as Protocol
    const tokens = tokensOf(source.length)
    if (tokens > window) {
      refused.push(request)
      return deliver(response, protocol.overflow(tokens, window))
    }
    const said = brain(request)
    const output = answerTokens(said)
    const usage = { input: said.tokens ?? tokens, cacheRead: 0, cacheWrite: 0, output, reasoning: 0 }
    if (caches) {
      const reading = protocol.read(request.body, path)
      const cache = cacheFor(protocol, reading)
      Object.assign(usage, { input: requestTokens(reading.segments), ...cache.use(reading.segments) })
      cache.store(reading.segments)
      usages.push(usage)
    }
    const events = protocol.events(said, usage, { model: request.model, ids, usage: true })
    const { fault } = said
    if (fault !== undefined) return deliverFaulty(response, events, { fault, protocol })
    const streams = request.body.stream === true || path.endsWith(':streamGenerateContent')
    const whole = { kind: 'json', status: 200, body: wholeAnswer(name, events) } as const
    return deliver(response, streams ? { kind: 'stream', events, endMs } : whole)
  }
}

/** The paths by their ends: a base URL may have a path of its own. */
const PATHS: readonly (readonly [RegExp, ProtocolName])[] = [
  [/\/messages$/, 'anthropic'],
  [/\/responses$/, 'responses'],
  [/\/chat\/completions$/, 'chat'],
  [/:(?:streamG|g)enerateContent$/, 'google'],
]

/** Counts of tokens, lists of models, and whatever else an agent looks for. */
function aside(path: string, source: string): { kind: 'json'; status: number; body: unknown } {
  const tokens = tokensOf(source.length)
  const body = /count/i.test(path) ? { input_tokens: tokens, totalTokens: tokens } : { data: [], models: [] }
  return { kind: 'json', status: 200, body }
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}
