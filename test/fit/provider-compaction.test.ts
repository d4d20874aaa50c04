import { describe, expect, it } from 'vitest'
import { fit as fitted } from '../../src/fit/fit.ts'
import {
  fromAnthropic,
  fromOpenAIResponses,
  type ResponseInput,
  toAnthropic,
  toOpenAIResponses,
} from '../../src/formats/index.ts'
import type { Message } from '../../src/model/types.ts'

const words = (name: string, count: number) => `${name} ${'word '.repeat(count)}`

/** Blocks and items as the APIs document them. */
const BLOCK = {
  type: 'compaction',
  content: 'We looked at the pier.',
  encrypted_content: 'opaque',
  signature: 'sig',
  tool_changes: [],
}
const ITEM = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA'.repeat(50) }

const asked = (text: string) => ({ role: 'user', content: text })
const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })
const use = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
})
const used = (id: string, content: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})
const turns = (count: number, size = 400) =>
  Array.from({ length: count }, (_, i) => [asked(words(`q${i}`, size)), said(words(`a${i}`, size))]).flat()

const overAnthropic = async (list: object[], window: number) => {
  const result = await fitted(fromAnthropic(list as never), { window })
  return { ...result, sent: toAnthropic(result.messages).messages }
}

describe("Anthropic's own context management", () => {
  it.each<[string, object[]]>([
    [
      'compact_20260112, in an answer',
      [...turns(2), { role: 'assistant', content: [BLOCK, { type: 'text', text: 'ok' }] }],
    ],
    ['a compaction that was asked for, first in the list', [{ role: 'assistant', content: [BLOCK] }]],
    [
      'a compaction that failed',
      [
        asked('hi'),
        {
          role: 'assistant',
          content: [
            { ...BLOCK, content: null },
            { type: 'text', text: 'ok' },
          ],
        },
      ],
    ],
    [
      'the memory tool',
      [asked('hi'), use('t1', 'memory', { command: 'view', path: '/memories' }), used('t1', '4.0K\t/memories')],
    ],
  ])('%s: passes as the same objects', async (_, list) => {
    const all = [...list, asked('And now?')]
    const { sent, repairs } = await overAnthropic(all, 200_000)
    expect(repairs).toBeUndefined()
    expect(sent.every((message, i) => message === all[i])).toBe(true)
    expect(sent).toHaveLength(all.length)
  })

  it('a compaction block stays with all that it has when fit compacts what came after it, and through JSON', async () => {
    const before = [...turns(2), { role: 'assistant', content: [BLOCK, { type: 'text', text: 'ok' }] }]
    const { sent, result, messages } = await overAnthropic([...before, ...turns(40)], 16_000)
    expect(result?.compacted).toBe(true)
    expect(sent.slice(0, before.length)).toEqual(before)
    const stored: Message[] = JSON.parse(JSON.stringify(messages))
    const blocks = toAnthropic(stored).messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    expect(blocks).toContainEqual(BLOCK)
  })

  it('a block in the role of the user is one, too, after JSON', () => {
    const stored = JSON.parse(JSON.stringify(fromAnthropic([{ role: 'user', content: [BLOCK] }])))
    expect(toAnthropic(stored).messages).toEqual([{ role: 'user', content: [BLOCK] }])
  })

  it('what came before the provider’s compaction does not count, because it no longer reads it', async () => {
    const list = [
      ...turns(40),
      { role: 'assistant', content: [BLOCK, { type: 'text', text: 'ok' }] },
      asked('And now?'),
    ]
    const { tokensBefore, result } = await overAnthropic(list, 16_000)
    expect(tokensBefore).toBeLessThan(200)
    expect(result).toBeUndefined()
  })

  it('a count that clear_tool_uses made smaller is believed down to a quarter of the messages', async () => {
    const reads = Array.from({ length: 40 }, (_, i) => [
      use(`t${i}`, 'read', { path: `${i}.ts` }),
      used(`t${i}`, words('file', 2_500)),
    ])
    const messages = fromAnthropic([asked('Read all.'), ...reads.flat(), said('Done.'), asked('Next?')] as never)
    const sizeBy = async (inputTokens: number) =>
      (await fitted(messages, { window: 200_000, usage: { inputTokens, outputTokens: 10 } })).tokensBefore
    expect(await sizeBy(40_000)).toBeLessThan(41_000)
    // A server that reports only what was not cached looks the same, so the messages are counted.
    expect(await sizeBy(10_000)).toBeGreaterThan(80_000)
  })
})

describe("OpenAI's own compaction and conversations", () => {
  const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const answer = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })

  it.each<[string, ResponseInput[]]>([
    ['the list of /responses/compact', [user('one'), user('two'), ITEM, user('And now?')]],
    ['an item of server-side compaction', [user('one'), answer('a'), ITEM, answer('b'), user('And now?')]],
    ['a compaction_trigger at the end', [user('one'), answer('a'), user('two'), { type: 'compaction_trigger' }]],
    ['references to stored items', [{ type: 'item_reference', id: 'msg_1' }, user('And now?')]],
  ])('%s passes as the same objects', async (_, list) => {
    const { messages, repairs } = await fitted(fromOpenAIResponses(list), { window: 200_000 })
    const sent: readonly unknown[] = toOpenAIResponses(messages)
    expect(repairs).toBeUndefined()
    expect(sent.every((item, i) => item === list[i])).toBe(true)
    expect(sent).toHaveLength(list.length)
  })

  it('the list of /responses/compact stays in front when fit compacts what came after it', async () => {
    const front = [user('one'), user('two'), ITEM]
    const later = Array.from({ length: 40 }, (_, i) => [user(words(`q${i}`, 400)), answer(words(`a${i}`, 400))]).flat()
    const { messages, result } = await fitted(fromOpenAIResponses([...front, ...later]), { window: 16_000 })
    expect(result?.compacted).toBe(true)
    expect(toOpenAIResponses(messages).slice(0, 3)).toEqual(front)
  })

  it('with previous_response_id the whole list is fitted, and a compaction begins a new chain', async () => {
    const provider = heldByProvider()
    const items: ResponseInput[] = []
    let previous: string | undefined
    let known = 0
    let state: unknown
    for (let turn = 0; turn < 24; turn++) {
      items.push(user(words(`q${turn}`, 300)))
      const result = await fitted(fromOpenAIResponses(items), { window: 8_000, state })
      state = result.state
      if (result.result?.compacted) previous = undefined
      const input = previous === undefined ? toOpenAIResponses(result.messages) : items.slice(known)
      const { id, output } = provider.create({ previous_response_id: previous, input })
      items.push(...output)
      known = items.length
      previous = id
      if (provider.openCalls(id)) items.push({ type: 'function_call_output', call_id: `c${turn}`, output: 'the pier' })
    }
    expect(provider.chains()).toBeGreaterThan(1)
    // A word of the messages has five characters, and is a token.
    expect(provider.largest()).toBeLessThan(8_000 * 5)
    expect(provider.refusals()).toEqual([])
  })
})

/** OpenAI's side of a chain: it holds what came before, and refuses an output without its call, or a call without its output. */
function heldByProvider() {
  const held = new Map<string, readonly ResponseInput[]>()
  const refusals: string[] = []
  let [chains, largest] = [0, 0]
  const idsIn = (items: readonly ResponseInput[], type: string) =>
    new Set(items.flatMap((item) => (item.type === type ? [String((item as { call_id?: string }).call_id)] : [])))
  return {
    create({ previous_response_id, input }: { previous_response_id?: string; input: readonly object[] }) {
      if (previous_response_id === undefined) chains++
      const context = [...(held.get(previous_response_id ?? '') ?? []), ...(input as ResponseInput[])]
      const calls = idsIn(context, 'function_call')
      const outputs = idsIn(context, 'function_call_output')
      refusals.push(...[...calls, ...outputs].filter((id) => !calls.has(id) || !outputs.has(id)))
      largest = Math.max(largest, JSON.stringify(context).length)
      const number = held.size
      const call = { type: 'function_call', call_id: `c${number}`, name: 'look', arguments: '{}' }
      const text = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words('a', 100) }] }
      const output = number % 3 === 0 ? [call] : [text]
      const id = `resp_${number}`
      held.set(id, [...context, ...output])
      return { id, output }
    },
    openCalls: (id: string) => held.get(id)?.at(-1)?.type === 'function_call',
    chains: () => chains,
    largest: () => largest,
    refusals: () => refusals,
  }
}
