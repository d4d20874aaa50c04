/**
 * Pith without a model, by its library. `--compactor pith` is the same.
 * npm install pith && pith eval --compactor ./pith-without-a-model.ts
 */
import { compactMessages, type Message } from '../../src/index.ts' // in your program: from 'pith'

type Options = { windowTokens: number; targetTokens: number; session: string; round: number }

const states = new Map<string, unknown>()

export default async function compact(messages: Message[], { windowTokens, targetTokens, session, round }: Options) {
  const result = await compactMessages(messages, {
    window: windowTokens,
    reason: 'manual',
    policy: { targetMaxTokens: targetTokens },
    state: round === 1 ? undefined : states.get(session),
  })
  states.set(session, result.state)
  return result.messages
}
