import type { Message } from '../../src/engine.ts'
import { type MeasuredMessage, measuredLogOf } from '../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import type { CostSession } from './sessions.ts'

/** Longer than any cache lasts: the next task starts without one. */
const PAUSE_MS = 90 * 60_000

/** Several sessions joined into a long one, as if a person never started a new session. Sizes stay as they were counted. */
export function joined(name: string, sessions: readonly CostSession[]): CostSession {
  const messages: MeasuredMessage[] = []
  let at = 0
  for (const [number, { measured }] of sessions.entries()) {
    const start = measured.messages[0]?.at ?? 0
    for (const measuredMessage of measured.messages) {
      const message = withCallIds(measuredMessage.message, `${number}:`)
      const tokens = messageTokens(measuredMessage.message, measured.estimator)
      messages.push({
        ...measuredMessage,
        message,
        tokens,
        seq: messages.length + 1,
        at: at + measuredMessage.at - start,
      })
    }
    at = (messages.at(-1)?.at ?? at) + PAUSE_MS
  }
  const [longest] = sessions.toSorted((a, b) => b.measured.messages.length - a.measured.messages.length)
  if (longest === undefined) throw new Error('no sessions to join')
  const { fixedTokens, firstCacheRead, cacheLifetimeMs, estimator: counted } = longest.measured
  const measured = measuredLogOf({
    messages,
    fixedTokens,
    firstCacheRead,
    cacheLifetimeMs,
    pruned: new Set<number>(),
    counted,
  })
  return { name, agent: 'joined', half: longest.half, measured }
}

/** The same call ids occur in more than one session. */
function withCallIds(message: Message, prefix: string): Message {
  if (typeof message.content === 'string') return { ...message }
  const content = message.content.map((part) =>
    'toolCallId' in part ? { ...part, toolCallId: `${prefix}${part.toolCallId}` } : part,
  )
  return { ...message, content } as Message
}
