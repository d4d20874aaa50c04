import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { fitsWhole, squeezePlan } from '../../../src/engine/plan/squeeze-plan.ts'
import {
  callsOf,
  type Message,
  messagesOf,
  outputText,
  resultsOf,
  type ToolResultPart,
} from '../../../src/model/types.ts'
import { charactersByFour, messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { sizesOf } from '../../../src/tokens/sizes.ts'
import { history } from '../../support/arbitrary-history.ts'
import { full } from '../../support/full.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const estimator = charactersByFour
const words = (tokens: number) => 'word'.repeat(tokens)
const tokensOf = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + messageTokens(message, estimator), 0)

/** The messages as the plan leaves them, or undefined when it found none. */
function squeezed(messages: readonly Message[], room: number, userTokens = 100): Message[] | undefined {
  const log = logOf(messages)
  const plan = squeezePlan(viewOf(log).items.slice(), room, userTokens, estimator)
  if (plan === undefined) return undefined
  const after = messagesOf(viewOf(appended(log, [{ type: 'squeeze', squeezes: [...plan.squeezes] }])))
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

  it('is more than shortening can do if even handles are too large', () => {
    expect(
      squeezed(
        Array.from({ length: 50 }, () => assistant(words(100))),
        20,
      ),
    ).toBeUndefined()
    expect(squeezed([assistant('x')], -1)).toBeUndefined()
  })
})

describe('parallel results in one message', () => {
  const batch = (...outputs: readonly ToolResultPart['output'][]): Message => ({
    role: 'tool',
    content: outputs.map((output, i) => ({ type: 'tool-result', toolCallId: `c${i}`, toolName: 'read', output })),
  })
  const text = (value: string) => ({ type: 'text' as const, value })
  const sizesOf = (message: Message | undefined) =>
    resultsOf(message as Message).map(({ output }) => estimator.text(outputText(output)))

  it('share the room as if each had come alone', () => {
    const outputs = [4_000, 900, 6_000, 100].map((tokens) => words(tokens))
    const [together] = squeezed([batch(...outputs.map(text))], 5_000) ?? []
    const alone = squeezed(
      outputs.map((output, i) => result(`c${i}`, output)),
      5_000,
    )
    expect(sizesOf(together)).toEqual(alone?.flatMap(sizesOf))
    const [first = 0, second, third = 0, fourth] = sizesOf(together)
    expect([second, fourth]).toEqual([900, 100])
    expect(Math.min(first, third)).toBeGreaterThan(1_940)
    expect(first + third).toBeLessThanOrEqual(4_000)
  })

  it('keep nearly all of it if they exceed the room by little', () => {
    const [after] = squeezed([batch(...[1, 2, 3, 4].map(() => text(words(4_000))))], 15_700) ?? []
    for (const size of sizesOf(after)) expect(size).toBeGreaterThan(3_800)
  })

  it('share it by tokens, however many characters a token has', () => {
    const dense = { ...estimator, text: (value: string) => Math.ceil(value.replace(/[a-z\s]{4}/g, 'x').length) }
    const items = viewOf(logOf([batch(text('漢字'.repeat(4_000)), text(words(8_000)))])).items.slice()
    const plan = squeezePlan(items, 4_000, 100, dense)
    expect(plan?.tokens).toBeGreaterThan(3_900)
    const [chinese, english] = plan?.squeezes[0]?.pieces ?? []
    expect((english?.head ?? 0) / (chinese?.head ?? 1)).toBeGreaterThan(3.5)
  })

  it('keep an image whole beside a text that gives way', () => {
    const image = { type: 'image-data' as const, data: 'aGVsbG8=', mediaType: 'image/png' }
    const shot = { type: 'content' as const, value: [{ type: 'text' as const, text: words(5_000) }, image] }
    const [after] = squeezed([batch(shot, text(words(5_000)))], 4_000) ?? []
    expect(resultsOf(after as Message)[0]?.output).toMatchObject({ type: 'content', value: [{ type: 'text' }, image] })
    expect(tokensOf([after as Message])).toBeGreaterThan(3_900)
  })

  it('lose one image after the other, the oldest first, if texts would have next to nothing', () => {
    const image = { type: 'image-data' as const, data: 'aGVsbG8=', mediaType: 'image/png' }
    const shots = [1, 2, 3].map(() => ({ type: 'content' as const, value: [image] }))
    const [after] = squeezed([batch(...shots, text(words(5_000)))], 4_000) ?? []
    expect(resultsOf(after as Message).map(({ output }) => JSON.stringify(output).includes(image.data))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(tokensOf([after as Message])).toBeGreaterThan(3_900)
  })

  it('of a file that is a text keep its head and tail', () => {
    const file = { type: 'file' as const, data: { type: 'text' as const, text: words(5_000) }, mediaType: 'text/plain' }
    const [after] = squeezed([batch({ type: 'content', value: [file] })], 1_000) ?? []
    expect(tokensOf([after as Message])).toBeGreaterThan(970)
    expect(JSON.stringify(after)).toContain('recall #1')
  })

  it('that a provider has counted fit by its count', () => {
    const message = batch(text(words(4_000)), text(words(4_000)))
    const counting = { ...estimator, known: new Map([[message, 12_000]]) }
    const plan = squeezePlan(viewOf(logOf([message])).items.slice(), 9_000, 100, counting)
    expect(plan?.squeezes).toHaveLength(1)
    expect(plan?.tokens).toBeLessThanOrEqual(9_000)
    expect(plan?.tokens).toBeGreaterThan(7_000)
  })
})

describe('what fits whole', () => {
  const fits = (
    messages: readonly Message[],
    { cut = 0, room = 10_000, userTokens = 100, kept = [] as number[] } = {},
  ) => {
    const { items } = viewOf(logOf(messages))
    const sizes = sizesOf(items, estimator)
    // The entries are those of the messages, in their order.
    return fitsWhole({ sizes, cut, end: items.length, kept: kept.map((seq) => seq - 1) }, room, userTokens)
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

  it('is shortened alone if everything else fits', () => {
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
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'text', text: '[image left out, recall #1]' },
        { type: 'text', text: '[file left out, recall #1]' },
      ],
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
