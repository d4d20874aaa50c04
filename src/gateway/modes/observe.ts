import type { Mode } from './mode.ts'

/** Forwards every request as it is. It reads nothing before: recording happens beside. */
export const observe: Mode = {
  name: 'observe',
  decide: async () => ({ kind: 'forward', why: 'observed' }),
}
