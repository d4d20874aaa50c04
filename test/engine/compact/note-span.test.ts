import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { turns } from '../../support/messages.ts'

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
