import type { Mode } from './mode.ts'

/** Forwards every request unchanged. It does not wait for anything to be read: recording happens meanwhile. */
export const observe: Mode = {
  name: 'observe',
  decide: async () => ({ kind: 'forward', why: 'observed' }),
}
