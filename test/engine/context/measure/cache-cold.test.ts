import { describe, expect, it } from 'vitest'
import { isCacheCold } from '../../../../src/engine/context/open-context.ts'
import { nextEntry } from '../../../../src/engine/context/view/log.ts'
import type { Entry, Message } from '../../../../src/model/types.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const MINUTE = 60_000
const LIFETIME = 5 * MINUTE

/** A log of messages, one a minute. */
function log(...messages: Message[]): Entry[] {
  const entries: Entry[] = []
  for (const [i, message] of messages.entries())
    entries.push(nextEntry(entries, { type: 'message', message }, { clock: () => i * MINUTE }))
  return entries
}

describe('the cache is cold', () => {
  it('when the last answer is older than the provider keeps a request', () => {
    const said = log(user('a'), assistant('b'), user('c'))
    expect(isCacheCold(said, 6 * MINUTE, LIFETIME)).toBe(false)
    expect(isCacheCold(said, 6 * MINUTE + 1, LIFETIME)).toBe(true)
  })

  it('not when only an earlier answer is that old', () => {
    const said = log(user('a'), assistant('b'), user('c'), assistant('d'))
    expect(isCacheCold(said, 7 * MINUTE, LIFETIME)).toBe(false)
  })

  it('also when a tool was that long at work', () => {
    const said = log(user('a'), call('1', 'bash', { command: 'make' }), result('1'))
    expect(isCacheCold(said, 7 * MINUTE, LIFETIME)).toBe(true)
  })

  it('never if nothing was answered yet, or it is not known how long the provider keeps anything', () => {
    expect(isCacheCold(log(user('a')), 60 * MINUTE, LIFETIME)).toBe(false)
    expect(isCacheCold(log(user('a'), assistant('b')), 60 * MINUTE, undefined)).toBe(false)
    expect(isCacheCold(log(user('a'), assistant('b')), 60 * MINUTE, Number.POSITIVE_INFINITY)).toBe(false)
  })
})
