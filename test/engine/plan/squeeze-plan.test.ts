import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsWhole, squeezePlan } from '../../../src/engine/plan/squeeze-plan.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import { squeezeMessage } from '../../../src/engine/view/rewrite-message.ts'
import { viewOf } from '../../../src/engine/view/view-of.ts'
import { callsOf, type Message, resultsOf } from '../../../src/model/message.ts'
import { charactersByFour, messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const estimator = charactersByFour
const words = (tokens: number) => 'word'.repeat(tokens)
const tokensOf = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)

/** The messages as the plan leaves them, or undefined when it found none. */
function squeezed(messages: readonly Message[], room: number, userTokens = 100): Message[] | undefined {
  const items = viewOf(logOf(messages)).items.slice()
  const plan = squeezePlan(items, room, userTokens, estimator)
  if (plan === undefined) return undefined
  const after = items.map(({ seq, message }) => {
    const squeeze = plan.squeezes.find(({ target }) => target === seq)
    return squeeze === undefined ? message : squeezeMessage(message, seq, squeeze.head, squeeze.tail)
  })
  expect(tokensOf(after)).toBe(plan.tokens)
  return after
}

describe('what does not fit', () => {
  it('is shortened so that all fits, and no more than that', () => {
    const messages = [user('go'), call('a'), result('a', words(5_000)), call('b'), result('b', words(50))]
    const after = squeezed(messages, 1_000) ?? []
    expect(tokensOf(after)).toBeLessThanOrEqual(1_000)
    expect(tokensOf(after)).toBeGreaterThan(700)
    expect(after.filter((message, i) => message !== messages[i])).toHaveLength(1)
  })

  it('is shortened down to the same size', () => {
    const after = squeezed([assistant(words(4_000)), assistant(words(400)), assistant(words(2_000))], 1_000) ?? []
    const sizes = after.map((message) => messageTokens(message, estimator))
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(100)
  })

  it('keeps its head, its tail and its handle', () => {
    const [after] = squeezed([assistant(`HEAD ${words(4_000)} TAIL`)], 300) ?? []
    expect(after?.content).toMatch(/^HEAD [\s\S]*recall #1[\s\S]* TAIL$/)
  })

  it('is nothing when all fits', () => {
    const messages = [user(words(90)), assistant(words(500))]
    expect(squeezed(messages, 590)).toEqual(messages)
  })

  it('is more than shortening can do where even handles are too much', () => {
    expect(
      squeezed(
        Array.from({ length: 50 }, () => assistant(words(100))),
        20,
      ),
    ).toBeUndefined()
    expect(squeezed([assistant('x')], -1)).toBeUndefined()
  })
})

describe('what fits whole', () => {
  const fits = (
    messages: readonly Message[],
    { cut = 0, room = 10_000, userTokens = 100, kept = [] as number[] } = {},
  ) => {
    const { items } = viewOf(logOf(messages))
    return fitsWhole(
      { items, cut, end: items.length, kept: items.slice().filter(({ seq }) => kept.includes(seq)) },
      room,
      userTokens,
      estimator,
    )
  }
  const messages = [user(words(100)), assistant(words(300)), user(words(100)), assistant(words(500))]

  it('is a tail and what is kept before it, within the room', () => {
    expect(fits(messages, { cut: 2, room: 600 })).toBe(true)
    expect(fits(messages, { cut: 2, room: 599 })).toBe(false)
    expect(fits(messages, { cut: 2, room: 900, kept: [2] })).toBe(true)
    expect(fits(messages, { cut: 2, room: 899, kept: [2] })).toBe(false)
  })

  it('has no message of the user above the limit', () => {
    expect(fits(messages)).toBe(true)
    expect(fits(messages, { userTokens: 99 })).toBe(false)
    expect(fits([user(words(101)), ...messages])).toBe(false)
    expect(fits([user(words(101)), ...messages], { cut: 1 })).toBe(true)
    expect(fits([user(words(101)), ...messages], { cut: 1, kept: [1] })).toBe(false)
    expect(fits(messages, { cut: 3, kept: [1, 2] })).toBe(true)
  })
})

describe('what the user said', () => {
  it('stays whole up to its limit, while other things give way', () => {
    const asked = user(words(100))
    const after = squeezed([asked, assistant(words(5_000))], 200, 100) ?? []
    expect(after[0]).toBe(asked)
  })

  it('is shortened to its limit above it', () => {
    const [asked] = squeezed([user(words(300)), assistant(words(50))], 10_000, 100) ?? []
    expect(tokensOf(asked === undefined ? [] : [asked])).toBeLessThanOrEqual(100)
    expect(asked?.content).toContain('recall #1')
  })

  it('is shortened alone where all else fits', () => {
    const others = [assistant(words(50)), assistant(words(500))]
    const after = squeezed([user(words(300)), ...others], 10_000, 100) ?? []
    expect(after.slice(1)).toEqual(others)
  })

  it('gives way when nothing else helps, the latest last', () => {
    const [first, last] = [user(words(90)), user(words(90))]
    const after = squeezed([first, assistant('ok'), last], 150, 100) ?? []
    expect(tokensOf(after)).toBeLessThanOrEqual(150)
    expect(after.at(-1)).toBe(last)
  })
})

describe('a message that is shortened', () => {
  it('has notes in place of images and files', () => {
    const shown: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'image', image: 'aGVsbG8=' },
        { type: 'file', data: 'aGVsbG8=', mediaType: 'application/pdf' },
      ],
    }
    const [after] = squeezed([shown], 100) ?? []
    expect(after).toEqual({
      role: 'user',
      content: expect.stringMatching(/^what is this\?\n\[image, file left out, recall #1\]$/),
    })
  })

  it('has a note in place of an image that a tool returned', () => {
    const picture: Message = {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'shot',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'a screenshot' },
              { type: 'image-data', data: 'aGVsbG8=', mediaType: 'image/png' },
            ],
          },
        },
      ],
    }
    const after = squeezed([call('a'), picture], 100) ?? []
    expect(JSON.stringify(after)).not.toContain('aGVsbG8=')
    expect(JSON.stringify(after)).toContain('recall #2')
  })

  it.each<[string, Message]>([
    ['a file', { role: 'assistant', content: [{ type: 'file', data: 'aGVsbG8=', mediaType: 'image/png' }] }],
    ['a thought', { role: 'assistant', content: [{ type: 'reasoning', text: words(5_000) }] }],
    ['a picture', { role: 'user', content: [{ type: 'image', image: 'aGVsbG8=' }] }],
  ])('is never empty, also when it is nothing but %s', (_, message) => {
    const [after] = squeezed([message], 100) ?? []
    expect(JSON.stringify(after?.content)).toContain('recall #1')
  })

  it('keeps the ids of its calls and results', () => {
    const messages = [call('a', 'write', { path: 'a.ts', content: words(3_000) }), result('a', words(3_000), 'write')]
    const after = squeezed(messages, 300) ?? []
    expect(after.flatMap(callsOf)).toMatchObject([{ toolCallId: 'a', toolName: 'write', input: { path: 'a.ts' } }])
    expect(after.flatMap(resultsOf)).toMatchObject([{ toolCallId: 'a', toolName: 'write' }])
    expect(tokensOf(after)).toBeLessThanOrEqual(300)
  })

  it('has no half of a character', () => {
    const emoji = fc.record({ before: fc.nat({ max: 3 }), count: fc.integer({ min: 200, max: 2_000 }) })
    fc.assert(
      fc.property(emoji, fc.integer({ min: 40, max: 400 }), ({ before, count }, room) => {
        const text = 'x'.repeat(before) + '😀'.repeat(count)
        const after = squeezed([user(text), assistant(text), result('a', text)], room, 20) ?? []
        expect(after.length).toBe(3)
        expect(JSON.stringify(after)).not.toMatch(/\\ud[89a-f]/)
      }),
      { numRuns: full ? 5_000 : 70 },
    )
  })

  it('fits and keeps its ids, whatever the history', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 4_000 }), (messages, room) => {
        const after = squeezed(messages, room)
        if (after === undefined) return
        expect(tokensOf(after)).toBeLessThanOrEqual(room)
        const ids = (list: readonly Message[]) => list.flatMap((one) => [...callsOf(one), ...resultsOf(one)].map(id))
        expect(ids(after)).toEqual(ids(messages))
      }),
      { numRuns: full ? 5_000 : 70 },
    )
  })
})

function id({ toolCallId }: { toolCallId: string }): string {
  return toolCallId
}
