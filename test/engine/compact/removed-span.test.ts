import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { removing } from '../../../src/engine/compact/removed-span.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const log = logOf([user('Fix a.ts'), call('x'), result('x'), user('go on'), assistant('ok')])
const seqs = (removed: ReturnType<ReturnType<typeof removing>>) => removed.items.map((item) => item.seq)

it('what stands before the cut leaves the view, each cut by itself', () => {
  const removed = removing(viewOf(log), policyOf())
  expect(seqs(removed(3))).toEqual([1, 2, 3])
  expect(seqs(removed(1))).toEqual([1])
  expect(seqs(removed(3))).toEqual([1, 2, 3])
  expect(removed(3)).toBe(removed(3))
})

it('what is kept does not leave it', () => {
  expect(seqs(removing(viewOf(log), policyOf())(5))).toEqual([1, 2, 3, 5])
  const pinned = viewOf(appended(log, [{ type: 'pin', target: 3, on: true }]))
  expect(seqs(removing(pinned, policyOf())(5))).toEqual([1, 5])
})

it('its facts are those of what leaves, and those that the caller finds', () => {
  const own = () => ({ todos: [] })
  const { facts } = removing(viewOf(log), policyOf(), own)(3)
  expect(facts.files).toMatchObject([{ path: 'x.ts' }])
  expect(facts.users).toMatchObject([{ seq: 1, text: 'Fix a.ts' }])
  expect(removing(viewOf(log), policyOf())(1).facts.files ?? []).toEqual([])
  expect(removing(viewOf(log), policyOf({ indexFacts: 'files' }), own)(3).facts).toEqual(facts)
})

it('a digest of a very long session can be cancelled while it is made', async () => {
  const stop = new AbortController()
  const made = await compact({
    log: logOf(turns(3_000, 60), {}),
    model: { contextWindow: 100_000 },
    signal: stop.signal,
    pause: () => setTimeout(),
    // As a user does it: from outside, which needs a pause to be heard.
    onEvent: ({ type }) => void (type === 'start' && setTimeout().then(() => stop.abort())),
  })
  expect(made.outcome).toBe('cancelled')
})

it('one that nobody cancels is made as ever', async () => {
  const made = await compact({
    log: logOf(turns(3_000, 60), {}),
    model: { contextWindow: 100_000 },
    pause: () => setTimeout(),
  })
  expect(made).toMatchObject({ outcome: 'compacted', rung: 'digest' })
})
