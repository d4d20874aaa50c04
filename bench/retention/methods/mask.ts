import { featureEstimator, type Message, messagesTokens, messageTokens } from '../../../src/engine.ts'
import { newestWithin } from '../../../src/eval/baselines.ts'
import type { Method } from './method.ts'

/** Agents that mask by a rolling window keep this many of the newest tool messages. */
const WINDOW = 10

/** All but the newest tool results are masked, one more at every step; what is still too much is cut off at the front. */
export const rollingMasking: Method = {
  name: 'rolling masking',
  run: async ({ before }, budget) => {
    const tools = before.flatMap(({ role }, i) => (role === 'tool' ? [i] : []))
    const old = new Set(tools.slice(0, -WINDOW))
    const masked = before.map((message, i) => (old.has(i) ? maskedMessage(message) : message))
    return { ok: true, messages: newestWithin(masked, budget) }
  },
}

/** As many of the oldest tool results as it takes are masked at once; what is still too much is cut off at the front. */
export const batchedMasking: Method = {
  name: 'batched masking',
  run: async ({ before }, budget) => {
    let over = messagesTokens(before, featureEstimator) - budget
    const masked = before.map((message) => {
      if (over <= 0 || message.role !== 'tool') return message
      const short = maskedMessage(message)
      over -= messageTokens(message, featureEstimator) - messageTokens(short, featureEstimator)
      return short
    })
    return { ok: true, messages: newestWithin(masked, budget) }
  },
}

/** In the words that SWE-agent uses. */
function maskedMessage(message: Message): Message {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part
    const text = 'value' in part.output && typeof part.output.value === 'string' ? part.output.value : ''
    if (text.length < 120 && text !== '') return part
    return {
      ...part,
      output: { type: 'text' as const, value: `[Old environment output: (${text.split('\n').length} lines omitted)]` },
    }
  })
  return { ...message, content }
}
