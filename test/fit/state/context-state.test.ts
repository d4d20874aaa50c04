import { expect, it } from 'vitest'
import { type ContextState, fit, readState } from '../../../src/engine.ts'
import { changeWithin } from '../../../src/fit/state/context-state.ts'
import { turns } from '../../support/messages.ts'

async function someState(): Promise<ContextState> {
  return (await fit(turns(60, 800), { window: 8_000 })).state
}

it('a state is the same after it was stored as JSON, in whatever order a database keeps its keys', async () => {
  const state = await someState()
  expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  expect(readState(reordered(state))).toEqual(state)
})

it('of a change, only the part that concerns the entries that are still there is valid', async () => {
  const every = { id: 'e9', seq: 9, at: 0 }
  const squeeze = (target: number) => ({ target, head: 10, tail: 10 })
  const isThere = (seq: number) => seq < 5
  expect(changeWithin({ ...every, type: 'squeeze', squeezes: [squeeze(3), squeeze(7)] }, isThere)).toEqual({
    ...every,
    type: 'squeeze',
    squeezes: [squeeze(3)],
  })
  const mask = { ...every, type: 'mask', tokensBefore: 90, tokensAfter: 10 } as const
  expect(changeWithin({ ...mask, targets: [3, 7] }, isThere)).toEqual({ ...mask, targets: [3] })
  const compaction = (await someState()).changes.find((change) => change.type === 'compaction')
  if (compaction === undefined) throw new Error('the state has no compaction')
  expect(changeWithin({ ...compaction, squeezes: [squeeze(3), squeeze(7)] }, isThere)).toEqual({
    ...compaction,
    squeezes: [squeeze(3)],
  })
})

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, reordered(field)])
      .reverse(),
  )
}

it.each<[string, (state: ContextState) => unknown, RegExp]>([
  ['a text', (state) => JSON.stringify(state), /is a text/],
  ['a number', () => 4, /not a state of Pith/],
  ['an object of somebody else', () => ({ messages: [] }), /not a state of Pith/],
  ['of a version without a number', (state) => ({ ...state, version: 'x' }), /not a state of Pith/],
  ['of a later version', (state) => ({ ...state, version: 2 }), /version 2.*reads up to 1/],
  ['without a part', ({ changes: _, ...state }) => state, /damaged/],
  ['with a change', (state) => ({ ...state, answeredAt: 1 }), /damaged/],
])('a state that is %s is refused in one line', async (_, broken, message) => {
  const state = await someState()
  expect(() => readState(broken(state))).toThrow(message)
  expect(() => readState(broken(state))).not.toThrow(/\n/)
})
