import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import {
  CUT_RULES,
  type CutRule,
  callsKeepTheirResults,
  cutByTurns,
  legalAtOrAfter,
  legalAtOrBefore,
  legalCuts,
  reasoningStaysWithItsStep,
  tailStartsLegally,
} from '../../../src/engine/plan/cut-rules.ts'
import { cutByWalk, forcedCut } from '../../../src/engine/plan/plan.ts'
import { cutByMessages } from '../../../src/engine/plan/plan-default.ts'
import type { Message } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const view = (...messages: Message[]) => viewOf(logOf(messages))
const sizes = (...messages: Message[]) => sizesOf(view(...messages).items, charactersByFour)
const cutsOf = (messages: Message[], rules?: readonly CutRule[]) => {
  const legal = legalCuts(view(...messages), rules)
  return [...messages, undefined].flatMap((_, index) => (legal(index) ? [index] : []))
}
const parallel: Message = {
  role: 'assistant',
  content: ['x', 'y'].map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: {} })),
}
const thinks: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }
/** A message of the user that is this many tokens long. */
const long = (tokens: number) => user('x'.repeat(tokens * 4))
const reply = (tokens: number) => assistant('x'.repeat(tokens * 4))

describe('a cut', () => {
  it('never separates a call from its result', () => {
    expect(cutsOf([user('a'), call('x'), result('x'), assistant('b')], [callsKeepTheirResults])).toEqual([0, 1, 3, 4])
  })

  it('never separates parallel calls from any of their results, in one tool message or several', () => {
    const messages = [user('a'), parallel, result('x'), result('y'), assistant('b')]
    expect(cutsOf(messages, [callsKeepTheirResults])).toEqual([0, 1, 4, 5])
  })

  it('never separates a call from a result that came late', () => {
    expect(cutsOf([user('a'), call('x'), user('b'), result('x')], [callsKeepTheirResults])).toEqual([0, 1, 4])
  })

  it('waits for the result of a call only at the end: elsewhere a call without one is one step', () => {
    const open = [user('a'), parallel, result('x'), user('b'), call('z'), result('z'), assistant('c')]
    expect(cutsOf(open, [callsKeepTheirResults])).toEqual([0, 1, 3, 4, 6, 7])
    expect(cutsOf([...open, call('w')], [callsKeepTheirResults])).toEqual([0, 1, 3, 4, 6, 7])
    expect(cutsOf([...open, parallel, result('x')], [callsKeepTheirResults])).not.toContain(9)
  })

  it('does not wait for a result that the provider keeps to itself', () => {
    const ran: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'search', input: {}, providerExecuted: true }],
    }
    expect(cutsOf([user('a'), ran, user('b')], [callsKeepTheirResults])).toEqual([0, 1, 2, 3])
  })

  it('never leaves reasoning alone that is stored before its call', () => {
    const messages = [user('a'), thinks, call('x'), result('x')]
    expect(cutsOf(messages, [reasoningStaysWithItsStep])).toEqual([0, 1, 3, 4])
  })

  it('is free between reasoning and what does not belong to it', () => {
    expect(cutsOf([user('a'), thinks, user('b')], [reasoningStaysWithItsStep])).toEqual([0, 1, 2, 3])
    expect(cutsOf([user('a'), thinks], [reasoningStaysWithItsStep])).toEqual([0, 1, 2])
    expect(cutsOf([user('a'), assistant('b'), assistant('c')], [reasoningStaysWithItsStep])).toEqual([0, 1, 2, 3])
  })

  it('never lets the tail start with a tool’s result', () => {
    expect(cutsOf([user('a'), call('x'), result('x'), user('b')], [tailStartsLegally])).toEqual([0, 1, 3, 4])
  })

  it('never lets the tail start with a summary', () => {
    const log = appended(logOf([user('a'), assistant('b'), user('c')]), [
      {
        type: 'compaction',
        from: 1,
        upTo: 2,
        keep: [],
        summary: 's',
        frame: 'pith',
        indexDelta: { files: [], users: [] },
        messages: 2,
        reason: 'manual',
        rung: 'cold',
        tokensBefore: 1,
        tokensAfter: 1,
      },
    ])
    const legal = tailStartsLegally(viewOf(log))
    expect([legal(0), legal(1)]).toEqual([false, true])
  })

  it('is legal only if every rule agrees', () => {
    const messages = [user('a'), thinks, parallel, result('x'), result('y'), assistant('b'), user('c')]
    expect(cutsOf(messages)).toEqual([0, 1, 5, 6, 7])
    const each = CUT_RULES.map((rule) => new Set(cutsOf(messages, [rule])))
    expect(cutsOf(messages)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].filter((index) => each.every((cuts) => cuts.has(index))))
  })

  it('is found before and after an illegal place', () => {
    const legal = (index: number) => index === 1 || index === 4
    expect([legalAtOrBefore(legal, 3), legalAtOrBefore(legal, 4), legalAtOrBefore(legal, 0)]).toEqual([1, 4, 0])
    expect(legalAtOrBefore((index) => index === 4, 3)).toBe(0)
    expect([legalAtOrAfter(legal, 2, 6), legalAtOrAfter(legal, 4, 6), legalAtOrAfter(legal, 5, 6)]).toEqual([4, 4, 6])
  })
})

describe('the cut by messages', () => {
  it('keeps the last ones', () => {
    expect(cutByMessages(view(user('a'), assistant('b'), user('c'), assistant('d')), 2, 2)).toBe(2)
  })

  it('keeps none when it is asked to keep none', () => {
    expect(cutByMessages(view(user('a'), assistant('b'), user('c')), 0, 1)).toBe(3)
  })

  it('keeps more if a call would lose its result', () => {
    const messages = [user('a'), assistant('b'), user('c'), parallel, result('x'), result('y'), assistant('d')]
    expect(cutByMessages(view(...messages), 2, 2)).toBe(3)
    expect(cutByMessages(view(...messages), 3, 2)).toBe(3)
  })

  it('is too short with too few messages before it', () => {
    expect(cutByMessages(view(user('a'), assistant('b'), user('c')), 2, 2)).toBe('too-short')
  })

  it('says when only a broken call is in the way', () => {
    expect(cutByMessages(view(user('a'), call('x'), user('c'), result('x')), 1, 2)).toBe('no-legal-cut')
  })
})

describe('the cut by turns', () => {
  const cut = (messages: Message[], tail: number) => cutByTurns(view(...messages), tail, sizes(...messages))

  it('keeps whole turns if they use the tail well', () => {
    const messages = [long(50), reply(50), long(10), reply(50), long(10), reply(30)]
    expect(cut(messages, 100)).toBe(2)
    expect(cut(messages, 99)).toBe(4 - 1)
    expect(cut([long(50), reply(50), long(10), reply(50), long(30), reply(20)], 100)).toBe(4)
    expect(cut([long(50), reply(50), long(10), reply(50), long(29), reply(20)], 100)).toBe(3)
  })

  it('splits a turn when whole ones would leave most of the tail unused', () => {
    expect(cut([long(50), reply(50), reply(60), reply(30), long(1), reply(1)], 100)).toBe(2)
  })

  it('keeps the last step though it alone exceeds the tail', () => {
    const messages = [long(5), reply(5), user('x'), call('a'), result('a', 'x'.repeat(400))]
    expect(cut(messages, 10)).toBe(3)
  })

  it('keeps nothing if nothing can be kept', () => {
    expect(cut([long(500)], 10)).toBe(1)
  })
})

describe('the cut by walking back', () => {
  const cut = (messages: Message[], keep: number) => cutByWalk(view(...messages), keep, sizes(...messages))

  it('falls after the message that exceeds the budget', () => {
    expect(cut([long(50), reply(50), long(50), reply(50)], 100)).toBe(2)
    expect(cut([long(50), reply(50), long(50), reply(50)], 99)).toBe(3)
  })

  it('keeps a last message that alone exceeds it', () => {
    expect(cut([long(5), reply(5), long(500)], 100)).toBe(2)
  })

  it('moves forward if the tail would start with a result', () => {
    expect(cut([long(5), call('x'), result('x', 'x'.repeat(400)), reply(5)], 106)).toBe(3)
  })

  it('does not exist when that leads off the end', () => {
    expect(cut([long(5), call('x'), result('x', 'x'.repeat(4_000))], 100)).toBe('no-legal-cut')
  })

  it('does not exist when everything fits, or fewer than two messages would be before it', () => {
    expect(cut([long(5), reply(5), long(5)], 100)).toBe('too-short')
    expect(cut([long(500), reply(5)], 100)).toBe('too-short')
  })
})

describe('the forced cut', () => {
  it('is before the last message that is not a result and has two before it', () => {
    expect(forcedCut(view(user('a'), assistant('b'), user('c')))).toBe(2)
    expect(forcedCut(view(user('a'), assistant('b'), call('x'), result('x')))).toBe(2)
  })

  it('does not exist in a history that is too short for it', () => {
    expect(forcedCut(view(user('a'), assistant('b')))).toBe('too-short')
    expect(forcedCut(view(user('a'), call('x'), result('x')))).toBe('too-short')
  })
})
