import { createHash } from 'node:crypto'
import { messageOf } from '../model/problems/errors.ts'
import type { Message } from '../model/types.ts'
import { messagesTokens, messageTokens } from '../tokens/estimate/estimator.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'
import type { CompactAnswer, Compactor } from './compactor.ts'
import type { TruthEvent } from './truth/events.ts'

/** A session to measure on, with its truth. */
export type EvalSession = {
  readonly name: string
  readonly messages: readonly Message[]
  readonly events: readonly TruthEvent[]
}

export type EvalSettings = {
  readonly windowTokens: number
  /** The tokens that a compaction may leave of what the model has read. What it has not read yet comes on top, for every compactor. */
  readonly targetTokens: number
  readonly rounds: number
}

/** The limits of one run: nothing in a report depends on them, unless a compactor exceeds them. */
export type EvalLimits = { readonly signal: AbortSignal; readonly timeoutMs: number }

/** A context after a compaction of the first `at` messages of the session. */
export type Round = {
  readonly round: number
  readonly at: number
  readonly context: readonly Message[]
  readonly tokens: number
  /** The tokens that the compactor was given for it. */
  readonly targetTokens: number
  readonly ms: number
  /** The state that its recall gets back. */
  readonly state?: unknown
  /** Why the compactor left the messages as they were. */
  readonly failure?: string | undefined
}

export type Played = { readonly rounds: readonly Round[]; readonly cost: number }

/** A number that changes with any byte of a session. */
export function hashOfSession({ messages }: EvalSession): string {
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 16)
}

/** An agent compacts when its window is this full. */
export const FULL = 0.8
/** Calls that must follow the last compaction, so that something can be asked about them. */
const CALLS_AFTER = 15

/**
 * The places where a session is compacted, the same for every compactor: whenever a compactor that met its target would have filled
 * the window again. A call stays with its result.
 */
export function cutsIn({ messages }: EvalSession, { windowTokens, targetTokens, rounds }: EvalSettings): number[] {
  const cuts: number[] = []
  let sum = 0
  let room = windowTokens * FULL
  for (const [i, message] of messages.entries()) {
    if (sum >= room && message.role !== 'tool') {
      cuts.push(i)
      sum = 0
      room = windowTokens * FULL - targetTokens
    }
    sum += messageTokens(message, featureEstimator)
  }
  const followed = cuts.filter((cut) => messages.slice(cut).filter(({ role }) => role === 'tool').length >= CALLS_AFTER)
  return followed.slice(0, rounds)
}

/** Compacts a session at its cuts, each time what the last compaction left and the messages since. */
export async function play(
  session: EvalSession,
  cuts: readonly number[],
  compactor: Compactor,
  { windowTokens, targetTokens: readTokens }: EvalSettings,
  { signal, timeoutMs }: EvalLimits,
): Promise<Played> {
  const id = hashOfSession(session)
  const rounds: Round[] = []
  let context: readonly Message[] = []
  let last = 0
  let cost = 0
  let cached: readonly Message[] = []
  for (const [i, at] of cuts.entries()) {
    signal.throwIfAborted()
    const segment = session.messages.slice(last, at)
    cost += segmentCost(cached, context, segment)
    const messages = [...context, ...segment]
    const unread = segment.slice(segment.findLastIndex(({ role }) => role === 'assistant') + 1)
    const unreadTokens = messagesTokens(unread, featureEstimator)
    const targetTokens = Math.min(readTokens + unreadTokens, windowTokens * FULL)
    const request = { windowTokens, targetTokens, unreadTokens, session: id, round: i + 1 }
    const started = performance.now()
    // A compactor that changes what it is given must not change the session.
    const given = { ...request, messages: structuredClone(messages) }
    const made = await within(timeoutMs, signal, (limit) => compactor.compact(given, limit)).catch(
      (error: unknown) => messageOf(error).split('\n')[0] ?? '',
    )
    signal.throwIfAborted()
    const ms = performance.now() - started
    const { messages: left, usage, state } = typeof made === 'string' ? ({ messages } as CompactAnswer) : made
    const failure = typeof made === 'string' ? made : undefined
    context = left
    cost += (usage?.inputTokens ?? 0) + OUTPUT_PRICE * (usage?.outputTokens ?? 0)
    const tokens = messagesTokens(context, featureEstimator)
    rounds.push({ round: i + 1, at, context, tokens, targetTokens, ms, state, failure })
    cached = messages
    last = at
  }
  return { rounds, cost: cost + segmentCost(cached, context, session.messages.slice(last)) }
}

/** Waits only so long, also for work that ignores its signal. */
async function within<T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms / 1_000} seconds`)), ms)
  const either = AbortSignal.any([signal, late.signal])
  const aborted = new Promise<never>((_, fail) =>
    either.addEventListener('abort', () => fail(either.reason), { once: true }),
  )
  try {
    return await Promise.race([work(either), aborted])
  } finally {
    clearTimeout(timer)
  }
}

/** In tokens of plain input: what is read from the cache costs a tenth, what is written to it a quarter more, output five times as much. */
const READ_PRICE = 0.1
const WRITE_PRICE = 1.25
const OUTPUT_PRICE = 5

/** The requests of one segment, each with all that came before. Only a common beginning with the request before it is cached. */
function segmentCost(before: readonly Message[], context: readonly Message[], segment: readonly Message[]): number {
  const tokens = (messages: readonly Message[]) => messagesTokens(messages, featureEstimator)
  const other = context.findIndex((message, i) => JSON.stringify(message) !== JSON.stringify(before[i]))
  let known = tokens(other === -1 ? context : context.slice(0, other))
  let size = tokens(context)
  let cost = 0
  for (const message of segment) {
    const own = messageTokens(message, featureEstimator)
    if (message.role === 'assistant') {
      cost += known * READ_PRICE + (size - known) * WRITE_PRICE + own * OUTPUT_PRICE
      known = size
    }
    size += own
  }
  return cost
}
