import { featureEstimator, type Message, messageTokens } from '../../../src/engine.ts'
import { newestWithin } from '../../../src/eval/baselines.ts'
import type { Method } from './method.ts'

/** The summary that the agent itself wrote at this place with its model, then as many of the newest messages as fit. */
export const recordedWithTail: Method = {
  name: 'recorded summary + tail',
  run: async ({ recorded, before }, budget) => {
    if (recorded === undefined) return { ok: false, why: 'no summary was recorded' }
    const summary: Message = { role: 'user', content: recorded }
    const room = budget - messageTokens(summary, featureEstimator)
    return { ok: true, messages: [summary, ...newestWithin(before, room)] }
  },
}
