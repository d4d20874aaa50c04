import { newestWithin } from '../../../src/eval/baselines.ts'
import type { Method } from './method.ts'

/** The newest messages that fit, starting where a provider lets a conversation start. */
export const truncation: Method = {
  name: 'tail truncation',
  run: async ({ before }, budget) => ({ ok: true, messages: newestWithin(before, budget) }),
}
