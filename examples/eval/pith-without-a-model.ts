/**
 * Pith without a model, by its library. `--compactor pith` is the same.
 * npm install pith && pith eval --compactor ./pith-without-a-model.ts
 */
import { compactMessages, type Message } from '../../src/index.ts' // in your program: from 'pith'

type Options = { windowTokens: number; targetTokens: number; unreadTokens: number; session: string; round: number }

const states = new Map<string, unknown>()

export default async function compact(messages: Message[], options: Options) {
  const { windowTokens, targetTokens, unreadTokens, session, round } = options
  const result = await compactMessages(messages, {
    window: windowTokens,
    reason: 'manual',
    policy: { targetMaxTokens: Math.max(targetTokens - unreadTokens, 1_000) },
    state: round === 1 ? undefined : states.get(session),
  })
  states.set(session, result.state)
  return result.messages
}
