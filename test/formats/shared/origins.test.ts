import { describe, expect, it } from 'vitest'
import { fit as fitted } from '../../../src/engine.ts'
import {
  fromAnthropic,
  fromOpenAIChat,
  fromOpenAIResponses,
  fromUIMessages,
  removedParts,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
  toUIMessages,
} from '../../../src/formats/index.ts'
import type { ToolResultPart } from '../../../src/model/types.ts'

const long = (words: string) => `${words} `.repeat(2_000)

/** Steps of an agent on Chat Completions, with fields that we do not know. */
function chat(steps: number) {
  return [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look at the picture.' },
        { type: 'video_url', video_url: { url: 'x' } },
      ],
    },
    ...Array.from({ length: steps }, (_, i) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `c${i}`, type: 'function', function: { name: 'read', arguments: `{"path": "f${i}.ts"}` }, extra: i },
        ],
      },
      { role: 'tool', tool_call_id: `c${i}`, content: long(`line${i}`), note: i },
    ]).flat(),
    { role: 'user', content: 'Go on.', name: 'ada' },
  ]
}

describe('a list that is too long', () => {
  it('keeps the very objects of what stays, and says what went', async () => {
    const list = chat(20)
    const { messages } = await fitted(fromOpenAIChat(list), {
      window: 32_000,
      policy: { rungs: ['digest', 'squeeze'] },
    })
    const sent: readonly unknown[] = toOpenAIChat(messages)
    expect(sent[0]).toBe(list[0])
    expect(sent.at(-1)).toBe(list.at(-1))
    expect(sent.length).toBeLessThan(list.length)
    const gone = removedParts(list, sent)
    expect(gone.length).toBeGreaterThan(0)
    for (const { index, part, value } of gone) {
      const item = list[index] as { content?: unknown[]; tool_calls?: unknown[] } | undefined
      const parts = [...(Array.isArray(item?.content) ? item.content : []), ...(item?.tool_calls ?? [])]
      expect(part === undefined ? item : parts[part]).toBe(value)
    }
    const stayed = list.filter((item) => sent.includes(item)).length
    expect(stayed + new Set(gone.map(({ index }) => index)).size).toBe(list.length)
  })

  it('keeps what the developer said in between', async () => {
    const rule = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Never touch main.' }] }
    const items = Array.from({ length: 30 }, (_, i) => [
      { role: 'user', content: `Do step ${i}.` },
      { role: 'assistant', content: long(`answer${i}`) },
      ...(i === 4 ? [rule] : []),
    ]).flat()
    const { messages } = await fitted(fromOpenAIResponses(items), { window: 32_000 })
    const sent: readonly unknown[] = toOpenAIResponses(messages)
    expect(sent.length).toBeLessThan(items.length)
    expect(JSON.stringify(sent)).toContain('Never touch main.')
  })

  it('has nothing gone when nothing went', () => {
    const list = chat(2)
    expect(removedParts(list, toOpenAIChat(fromOpenAIChat(list)))).toEqual([])
  })
})

describe('a message that was changed', () => {
  it('is written as it is now, with its other parts as they came', () => {
    const list = [
      { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One.', citations: [{ type: 'page' }] },
          { type: 'tool_use', id: 'a', name: 'read', input: {}, caller: { type: 'direct' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'old', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'And?', cache_control: { type: 'ephemeral' } },
        ],
      },
    ]
    const read = fromAnthropic(list)
    const result = read[2]?.content[0] as ToolResultPart
    result.output = { type: 'text', value: 'new' }
    const { messages } = toAnthropic(read)
    expect(messages[1]).toBe(list[1])
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'new' },
      { type: 'text', text: 'And?', cache_control: { type: 'ephemeral' } },
    ])
  })

  it('has an output of the kind of its call', () => {
    const items = [
      { role: 'user', content: 'Go.' },
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'old' },
      { type: 'shell_call', call_id: 's', action: { commands: ['ls'] }, max_output_length: 9 },
      {
        type: 'shell_call_output',
        call_id: 's',
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ]
    const read = fromOpenAIResponses(items)
    for (const message of read)
      if (message.role === 'tool')
        message.content = message.content.map((part) => ({ ...part, output: { type: 'text' as const, value: 'new' } }))
    const back = toOpenAIResponses(read)
    expect(back[1]).toBe(items[1])
    expect(back[3]).toBe(items[3])
    expect(back[2]).toEqual({ type: 'custom_tool_call_output', call_id: 'c', output: 'new' })
    expect(back[4]).toMatchObject({ type: 'shell_call_output', call_id: 's', output: [{ stdout: 'new' }] })
  })

  it('keeps its id and its place on the screen', () => {
    const list = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] },
      {
        id: 'a',
        role: 'assistant',
        metadata: { at: 1 },
        parts: [
          { type: 'step-start' },
          { type: 'data-chart', data: 1 },
          { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: {}, output: 'old' },
          { type: 'source-url', sourceId: 's', url: 'https://example.com' },
          { type: 'text', text: 'Done.' },
        ],
      },
    ]
    const read = fromUIMessages(list).map((message) =>
      message.role === 'tool'
        ? {
            ...message,
            content: message.content.map((part) => ({ ...part, output: { type: 'text' as const, value: 'new' } })),
          }
        : message,
    )
    const back = toUIMessages(read)
    expect(back[0]).toBe(list[0])
    expect(back[1]).toEqual({
      ...list[1],
      parts: list[1]?.parts.map((part) => (part.type === 'tool-read' ? { ...part, output: 'new' } : part)),
    })
    expect(back[1]?.parts[1]).toBe(list[1]?.parts[1])
  })
})

it('an item goes back to its own form only', () => {
  const read = fromAnthropic([{ role: 'user', content: [{ type: 'text', text: 'Hi.', cache_control: {} }] }])
  expect(toOpenAIChat(read)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }])
})

it('an unknown part is counted, and its bytes are not', async () => {
  const text = 'words '.repeat(500)
  const read = fromAnthropic([
    { role: 'user', content: [{ type: 'novel', text_of_it: text, data: 'A'.repeat(1_000_000) }] },
  ])
  const { tokensBefore } = await fitted(read, { window: 200_000 })
  expect(tokensBefore).toBeGreaterThan(400)
  expect(tokensBefore).toBeLessThan(5_000)
})
