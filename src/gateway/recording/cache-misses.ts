import { counted } from '../../engine/report/numbers.ts'
import { type Fields, fields, list, parsed } from '../../formats/shared/json.ts'
import type { Usage } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import { cachedMs } from '../faces/cached-ms.ts'
import type { FaceAnswer, FaceRequest } from '../faces/face.ts'
import { faceNamed } from '../faces/read-request.ts'

/** A request whose beginning the provider should have had in its cache, and had not. */
export type CacheMiss = {
  /** The tokens that were billed in full again. */
  readonly tokens: number
  /** Our own explanation, from the two requests. */
  readonly guess: string
  /** The provider's explanation, if it sent one. */
  readonly reported?: string
}

/** A request that got an answer. */
type AnsweredRequest = {
  readonly session: string
  readonly upstream: string
  readonly read: FaceRequest
  /** The body that was sent. */
  readonly body: Buffer
  readonly at: number
  readonly usage: Usage
  readonly reported?: FaceAnswer['cacheMiss']
}

type LastRequest = Pick<AnsweredRequest, 'read' | 'body' | 'at'> & { readonly inputTokens: number }

/** The last requests are held with their bodies. */
const MOST_SESSIONS = 20
/** Providers cache no shorter beginning; some none below 4,096 tokens. */
const LEAST_TOKENS = 4_096
/** Caches work in blocks, and marks are not at the very end. */
const EXPECTED_SHARE = 0.5

/** Compares each request of a session with the one before it, and finds those that the provider's cache did not help. */
export class CacheMisses {
  readonly #last = new RecentMap<string, LastRequest>(MOST_SESSIONS)
  readonly #compacted = new RecentMap<string, true>(MOST_SESSIONS)
  /** The providers that have reported tokens of a cache. A local server may have none, and then nothing is missed. */
  readonly #caching = new Set<string>()

  /** A compaction gives the next request of the session another beginning. */
  noteCompaction(session: string): void {
    this.#compacted.set(session, true)
  }

  /** The miss of a request, if it is one. */
  add(request: AnsweredRequest): CacheMiss | undefined {
    const { session, upstream, usage, read, body, at, reported } = request
    const last = this.#last.get(session)
    const isCompacted = this.#compacted.delete(session)
    const cached = usage.cacheReadTokens ?? 0
    if (cached > 0 || (usage.cacheWriteTokens ?? 0) > 0) this.#caching.add(upstream)
    this.#last.set(session, { read, body, at, inputTokens: usage.inputTokens })
    const expected = last?.inputTokens ?? 0
    const isMissed =
      this.#caching.has(upstream) &&
      expected >= LEAST_TOKENS &&
      cached < Math.min(expected, usage.inputTokens) * EXPECTED_SHARE
    if (!isMissed && reported === undefined) return undefined
    const guess = isCompacted ? 'compaction' : last === undefined ? 'no earlier request' : guessOf(last, request)
    const tokens = reported?.tokens ?? Math.max(0, Math.min(expected, usage.inputTokens) - cached)
    return { tokens, guess, reported: reported?.reason }
  }
}

/** Why the second request found less in the cache than the first one had put there. */
function guessOf(last: LastRequest, { read, body, at }: AnsweredRequest): string {
  const changes = [
    ...(last.read.model === read.model ? [] : ['another model']),
    ...changesBetween(last.body, body, faceNamed(read.face).messagesKey),
    ...(at - last.at > cachedMs(last.read)
      ? [`a pause of ${counted(Math.round((at - last.at) / 60_000), 'minute')}`]
      : []),
  ]
  return changes.length === 0 ? 'no reason that Pith can see' : changes.join(', ')
}

/** The parts before the messages, by the members that hold them in the protocols. */
const HEAD_PARTS: Readonly<Record<string, string>> = {
  tools: 'the tools',
  system: 'the system prompt',
  instructions: 'the system prompt',
  systemInstruction: 'the system prompt',
  system_instruction: 'the system prompt',
  tool_choice: 'the choice of a tool',
  thinking: 'the thinking settings',
  reasoning: 'the thinking settings',
  prompt_cache_key: 'the key of the cache',
}

/** The difference before the end of the first request. Marks of the cache move without harm. */
function changesBetween(before: Buffer, after: Buffer, messagesKey: string): string[] {
  const [first, second] = [before, after].map((body): Fields => fields(parsed(body.toString())) ?? {})
  const head = Object.keys(HEAD_PARTS).filter((key) => comparable(first?.[key]) !== comparable(second?.[key]))
  const [earlier, later] = [first, second].map((request) => list(request?.[messagesKey]))
  const at = earlier?.findIndex((message, i) => comparable(message) !== comparable(later?.[i])) ?? -1
  const isSystem = ['system', 'developer'].includes(String(fields(earlier?.[at])?.role))
  const changed = at === -1 ? [] : [isSystem ? 'the system prompt' : `message ${at + 1}`]
  const parts = [...new Set([...head.map((key) => HEAD_PARTS[key]), ...changed])]
  return parts.map((part) => `${part} changed`)
}

function comparable(value: unknown): string | undefined {
  return JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner))
}
