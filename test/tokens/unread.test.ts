import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../src/engine/context/view/log.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import type { Entry } from '../../src/model/types.ts'
import { charactersByFour } from '../../src/tokens/estimate/estimator.ts'
import { sizesOf, unreadOf } from '../../src/tokens/sizes.ts'
import { compaction } from '../support/compaction.ts'
import { assistant, call, result, user } from '../support/messages.ts'

const words = (tokens: number) => 'word'.repeat(tokens)
const sizes = (log: readonly Entry[]) => sizesOf(viewOf(log).items, charactersByFour)
const unread = (...messages: Parameters<typeof logOf>[0]) => unreadOf(sizes(logOf(messages)))

describe('the unread', () => {
  it('is what comes after the last answer of the model', () => {
    expect(unread(user('a'), assistant('b'), user(words(30)))).toEqual({ from: 2, tokens: 30 })
    expect(unread(user('a'), call('x'), result('x', words(50)))).toMatchObject({ from: 2, tokens: 50 })
  })

  it('has all results of a parallel batch, and what the user said beside them', () => {
    const batch = [user('a'), call('x'), result('x', words(50)), result('y', words(70)), user(words(10))]
    expect(unread(...batch)).toMatchObject({ from: 2, tokens: 130 })
  })

  it('is everything before the first answer, and nothing after an answer', () => {
    expect(unread(user(words(30)), user(words(20)))).toEqual({ from: 0, tokens: 50 })
    expect(unread(user('a'), assistant('b'))).toEqual({ from: 2, tokens: 0 })
    expect(unread()).toEqual({ from: 0, tokens: 0 })
  })

  it('has the pending input', () => {
    expect(unreadOf(sizes(logOf([user('a'), assistant('b')])), 40)).toEqual({ from: 2, tokens: 40 })
  })

  it('does not have a message that stays after a summary of what answered it', () => {
    const log = appended(logOf([user(words(30)), assistant('b'), assistant('c')]), [compaction({ upTo: 3, keep: [1] })])
    expect(unreadOf(sizes(log))).toEqual({ from: 2, tokens: 0 })
    const more = appended(log, [{ type: 'message', message: user(words(20)) }])
    expect(unreadOf(sizes(more))).toEqual({ from: 2, tokens: 20 })
  })
})
