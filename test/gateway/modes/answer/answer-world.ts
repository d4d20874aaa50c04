import { text } from 'node:stream/consumers'
import { faceNamed, readRequest } from '../../../../src/gateway/faces/read-request.ts'
import type { GatewayDeps } from '../../../../src/gateway/gateway.ts'
import type { AnswerDeps } from '../../../../src/gateway/modes/answer/answer-mode.ts'
import { modeNamed } from '../../../../src/gateway/modes/modes.ts'
import { RETRY_LIMITS } from '../../../../src/llm/call/chat-model.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { call, type GatewayWorld, gatewayWorld, upstreamServer } from '../../support/world.ts'

export const KEY = new Uint8Array(32).fill(7)

export type Seen = { readonly url: string; readonly body: string; readonly headers: Readonly<Record<string, unknown>> }

export type AnswerWorld = GatewayWorld & {
  /** The requests that the provider got. */
  readonly seen: readonly Seen[]
  /** Sends a request as a client, and returns the text of the answer in its protocol. */
  readonly send: (
    path: string,
    body: object,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: string }>
}

/**
 * The provider's reply: an answer, one of Anthropic's that is cut off at the most tokens that it may have, one whose connection
 * breaks before its last events, an error, or nothing ever.
 */
export type Said =
  | string
  | { readonly cutOff: string }
  | { readonly broken: string }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | undefined

/** A gateway that answers compactions, before a provider that says what the test says. */
export async function answerWorld(
  says: (request: Seen) => Said | Promise<Said>,
  {
    signMs,
    inputTokens = 900,
    ...deps
  }: Partial<AnswerDeps> & Pick<GatewayDeps, 'signMs'> & { readonly inputTokens?: number } = {},
): Promise<AnswerWorld> {
  const seen: Seen[] = []
  const upstream = await upstreamServer(async (request, response) => {
    const asked = { url: request.url ?? '', body: await text(request), headers: request.headers }
    seen.push(asked)
    const said = await says(asked)
    if (said === undefined) return
    const client = { method: 'POST', path: asked.url, headers: {}, body: Buffer.from(asked.body) }
    const read = readRequest(client)
    if (typeof said === 'object' && 'status' in said) {
      response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers }).end(said.body ?? '{}')
      return
    }
    if (read === undefined) return void response.writeHead(404).end('{}')
    const answered = typeof said === 'string' ? said : 'cutOff' in said ? said.cutOff : said.broken
    const usage = { inputTokens, outputTokens: 50, cacheReadTokens: 800 }
    const answer = { text: answered, model: read.model, usage, isStream: read.isStream, id: `${seen.length}`, at: 0 }
    const { status, headers, body } = faceNamed(read.face).render(answer)
    if (typeof said === 'object' && 'broken' in said) {
      const half = body.slice(0, body.indexOf('event: content_block_stop'))
      response.writeHead(status, headers).write(half, () => response.destroy())
      return
    }
    const isCut = typeof said === 'object'
    response.writeHead(status, headers).end(isCut ? body.replace('"end_turn"', '"max_tokens"') : body)
  })
  const store = await openStore(':memory:')
  const mode = modeNamed('answer', {
    store,
    key: KEY,
    policy: {},
    holder: 'test:1',
    owner: 'local',
    clock: Date.now,
    modelInfo: () => ({ contextWindow: 200_000 }),
    summaries: 'same-request',
    configured: async () => [],
    retries: { limits: RETRY_LIMITS, random: () => 0.5, sleep: async () => undefined },
    ...deps,
  })
  const world = await gatewayWorld(upstream, { store, mode, key: KEY, signMs })
  return {
    ...world,
    seen,
    send: async (path, body, headers = {}) => {
      const reply = await call(world.url + path, {
        body: JSON.stringify(body),
        headers: { 'x-api-key': 'sk-1', ...headers },
      })
      return { status: reply.status, body: reply.body.toString() }
    },
  }
}
