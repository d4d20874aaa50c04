import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fit as fitted } from '../../src/engine.ts'
import {
  fromAnthropic,
  fromModelMessages,
  fromOpenAIChat,
  fromOpenAIResponses,
  fromUIMessages,
  toAnthropic,
  toModelMessages,
  toOpenAIChat,
  toOpenAIResponses,
  toUIMessages,
} from '../../src/formats/index.ts'
import type { Message } from '../../src/model/types.ts'
import { full } from '../support/full.ts'
import { modelMessageHistories, uiMessageHistories } from './lists/ai-sdk-histories.ts'
import { modelMessageLists, uiMessageLists } from './lists/ai-sdk-lists.ts'
import { anthropicHistories } from './lists/anthropic-histories.ts'
import { anthropicLists } from './lists/anthropic-lists.ts'
import { openAIChatHistories } from './lists/openai-chat-histories.ts'
import { openAIChatLists } from './lists/openai-chat-lists.ts'
import { openAIResponsesHistories } from './lists/openai-responses-histories.ts'
import { openAIResponsesLists } from './lists/openai-responses-lists.ts'

const numRuns = full ? 5_000 : 60
/** A whole number: a property with a broken one never ends. */
const fewer = Math.ceil(numRuns / 3)

/** Each form: its lists, and how they are read and written. */
function forms() {
  return {
    Anthropic: form(anthropicLists, anthropicHistories, fromAnthropic, (messages) => toAnthropic(messages).messages),
    'OpenAI Chat': form(openAIChatLists, openAIChatHistories, fromOpenAIChat, toOpenAIChat),
    'OpenAI Responses': form(openAIResponsesLists, openAIResponsesHistories, fromOpenAIResponses, toOpenAIResponses),
    'AI SDK model messages': form(modelMessageLists, modelMessageHistories, fromModelMessages, toModelMessages),
    'AI SDK UI messages': form(uiMessageLists, uiMessageHistories, fromUIMessages, toUIMessages),
  }
}

type Form = {
  readonly lists: fc.Arbitrary<readonly object[]>
  /** Lists that a provider accepts. */
  readonly histories: fc.Arbitrary<readonly object[]>
  readonly from: (list: readonly object[]) => Message[]
  readonly to: (messages: readonly Message[]) => readonly unknown[]
}

function form<Item extends object>(
  lists: fc.Arbitrary<Item[]>,
  histories: fc.Arbitrary<object[]>,
  from: (list: readonly Item[]) => Message[],
  to: (messages: readonly Message[]) => readonly unknown[],
): Form {
  return { lists, histories, from: (list) => from(list as readonly Item[]), to }
}

describe.each(Object.entries(forms()))('a list of %s', (_name, { lists, histories, from, to }) => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(lists, (list) => {
        expect(to(from(list))).toStrictEqual(list)
      }),
      { numRuns },
    )
  })

  it('is the very same objects after fit while it is under the trigger, if it is valid', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const read = from(list)
        const { messages, repairs } = await fitted(read, { window: 1_000_000 })
        expect(repairs).toBeUndefined()
        expectSame(messages, read)
        expectSame(to(messages), list)
      }),
      { numRuns },
    )
  })

  it('is changed by fit under the trigger only if the result lists repairs', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const read = from(list)
        const { messages, repairs = [] } = await fitted(read, { window: 1_000_000 })
        if (repairs.length === 0) expectSame(to(messages), list)
        const changed = read.flatMap((message, index) => (messages.includes(message) ? [] : [index]))
        expect(repairs.map(({ index }) => index)).toEqual(expect.arrayContaining(changed))
      }),
      { numRuns: fewer },
    )
  })

  it('comes back as it was with unknown items and parts', () => {
    const strange = fc.record({ type: fc.constant('from-the-future'), data: fc.json() })
    fc.assert(
      fc.property(lists, strange, fc.nat(10), (list, part, at) => {
        const more = [...list.slice(0, at), ...list.slice(at).map((item) => withPart(item, part))]
        expect(to(from(more))).toStrictEqual(more)
      }),
      { numRuns },
    )
  })

  it('is left as it was', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const copy = structuredClone(list)
        to([...from(list), { role: 'user', content: 'more' }])
        expect(list).toEqual(copy)
      }),
      { numRuns: fewer },
    )
  })
})

function expectSame(list: readonly unknown[], expected: readonly unknown[]): void {
  expect(list).toStrictEqual(expected)
  expect(list.every((item, i) => item === expected[i])).toBe(true)
}

function withPart(item: object, part: object): object {
  const { content, parts } = item as { content?: unknown; parts?: unknown }
  if (Array.isArray(parts)) return { ...item, parts: [...parts, part], unknownField: 1 }
  return { ...item, ...(Array.isArray(content) ? { content: [...content, part] } : {}), unknownField: 1 }
}
