import { describe, expect, it } from 'vitest'
import { compactMessages, logOf, mask, messagesTokens, requestOf, validate, viewOf } from '../../../src/engine.ts'
import { fit as fitted } from '../../../src/fit/fit.ts'
import { fromAnthropic, fromOpenAIResponses, toAnthropic, toOpenAIResponses } from '../../../src/formats/index.ts'
import type { PolicyPatch } from '../../../src/model/policy/policy.ts'
import type { Message } from '../../../src/model/types.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'

const long = (words: string) => `${words} `.repeat(1_500)

const compaction = {
  role: 'assistant',
  content: [
    { type: 'compaction', content: 'The user wants a port.', signature: 'c2ln', encrypted_content: 'b3BhcXVl' },
  ],
}

function anthropicSteps(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((i) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'read', input: { path: `src/f${i}.ts` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: long(`line${i}`) }] },
  ])
}

const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'b3BhcXVl', created_by: 'x' }

function responsesSteps(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((i) => [
    { type: 'function_call', call_id: `t${i}`, name: 'read', arguments: `{"path":"src/f${i}.ts"}` },
    { type: 'function_call_output', call_id: `t${i}`, output: long(`line${i}`) },
  ])
}

const DIGEST: PolicyPatch = { rungs: ['digest', 'squeeze'] }

describe.each([DIGEST, {}])("a provider's own compaction, under %o", (policy) => {
  it('of Anthropic stays as it came, before the messages that followed it, with the record after it', async () => {
    const before = [{ role: 'user', content: long('old') }, ...anthropicSteps(100, 103)]
    const list = [...before, compaction, { role: 'user', content: 'Go on.' }, ...anthropicSteps(0, 20)]
    const { messages, fits, result } = await fitted(fromAnthropic(list), {
      window: 32_000,
      policy,
    })
    const sent: readonly unknown[] = toAnthropic(messages).messages
    expect({ fits, compacted: result?.compacted }).toEqual({ fits: true, compacted: true })
    expect(sent.slice(0, before.length + 1)).toEqual([...before, compaction])
    expect(sent[before.length]).toBe(compaction)
    expect(JSON.stringify(sent.slice(before.length + 1))).not.toContain('The user wants a port.')
  })

  it('of OpenAI stays as it came, with the messages of the user before it', async () => {
    const before = [{ role: 'user', content: 'Make a port.' }, ...responsesSteps(100, 103)]
    const items = [...before, item, { role: 'user', content: 'Go on.' }, ...responsesSteps(0, 20)]
    const { messages, fits, result } = await fitted(fromOpenAIResponses(items), {
      window: 32_000,
      policy,
    })
    const sent: readonly unknown[] = toOpenAIResponses(messages)
    expect({ fits, compacted: result?.compacted }).toEqual({ fits: true, compacted: true })
    expect(sent.slice(0, before.length + 1)).toEqual([...before, item])
    expect(sent[before.length]).toBe(item)
  })
})

describe("messages before a provider's compaction", () => {
  it('are not counted if the provider does not read them', async () => {
    const hidden = [{ role: 'user', content: long('old') }, ...anthropicSteps(0, 30)]
    const list = [...hidden, compaction, { role: 'user', content: 'Go on.' }]
    const { tokensBefore, messages } = await fitted(fromAnthropic(list), { window: 32_000 })
    expect(tokensBefore).toBeLessThan(100)
    expect(toAnthropic(messages).messages).toEqual(list)
  })

  it('keep their place when they are compacted a second time', async () => {
    const list = [{ role: 'user', content: 'Make a port.' }, compaction, { role: 'user', content: 'Go on.' }]
    const first = await fitted(fromAnthropic([...list, ...anthropicSteps(0, 20)]), { window: 32_000, policy: DIGEST })
    const more = [...first.messages, ...fromAnthropic(anthropicSteps(20, 40))]
    const { messages, fits, result } = await fitted(more, { window: 32_000, policy: DIGEST })
    expect({ fits, compacted: result?.compacted }).toEqual({ fits: true, compacted: true })
    expect(toAnthropic(messages).messages.slice(0, 2)).toEqual(list.slice(0, 2))
  })

  it('come before a compaction that keeps the results of its own message', async () => {
    const calls = { type: 'tool_use', id: 'own', name: 'read', input: { path: 'a.ts' } }
    const both = { role: 'assistant', content: [...compaction.content, calls] }
    const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'own', content: 'a' }] }
    const list = [{ role: 'user', content: 'Make a port.' }, both, results, ...anthropicSteps(0, 20)]
    const { messages, fits } = await fitted(fromAnthropic(list), { window: 32_000, policy: DIGEST })
    expect(fits).toBe(true)
    expect(toAnthropic(messages).messages.slice(0, 2)).toEqual([list[0], both])
    expect(validate(messages.filter(({ role }) => role !== 'system'))).toEqual([])
  })
})

it("a provider's compaction is counted itself", () => {
  const [message] = fromOpenAIResponses([{ ...item, encrypted_content: 'abcd '.repeat(1_000) }])
  expect(messagesTokens(message === undefined ? [] : [message], featureEstimator)).toBeGreaterThan(1_000)
})

it("a provider's compaction opens a request: nothing is put before it", () => {
  const read = fromAnthropic([compaction, { role: 'user', content: 'Go on.' }])
  expect(requestOf(viewOf(logOf(read))).messages).toEqual(read)
})

it("a provider's compaction is left alone by a manual compaction", async () => {
  const read = fromOpenAIResponses([
    { role: 'user', content: 'One.' },
    item,
    ...responsesSteps(0, 6),
    { role: 'assistant', content: 'Done.' },
  ])
  const result = await compactMessages(read, { model: { contextWindow: 200_000 }, policy: { keepTokens: 0 } })
  expect(result.compacted).toBe(true)
  expect(toOpenAIResponses(result.messages).slice(0, 2)).toEqual([{ role: 'user', content: 'One.' }, item])
  expect(result.messagesRemoved).toBe(read.length - result.messages.length + 1)
})

it("a provider's compaction is left alone by a mask of the messages before it", () => {
  const read: Message[] = [
    ...fromOpenAIResponses(responsesSteps(100, 102)),
    {
      role: 'assistant',
      content: [{ type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { itemId: 'a' } } }],
    },
    ...fromOpenAIResponses([
      { role: 'user', content: 'Go on.' },
      ...responsesSteps(0, 4),
      { role: 'assistant', content: 'Done.' },
    ]),
  ]
  const masked = mask(read, { needTokens: 2_000, keepTokens: 0 })
  expect(masked.messages.slice(0, 5)).toEqual(read.slice(0, 5))
})
