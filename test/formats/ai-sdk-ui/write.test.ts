import { describe, expect, it } from 'vitest'
import { fromUIMessages, toUIMessages } from '../../../src/formats/index.ts'
import type { Message, ToolResultOutput } from '../../../src/model/types.ts'

const call = { type: 'tool-call', toolCallId: 't1', toolName: 'bash', input: { command: 'ls' } } as const

function answered(output: ToolResultOutput): Message[] {
  return [
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't1', toolName: 'bash', output }] },
  ]
}

describe('messages that become those of a user interface', () => {
  it('are one message an answer, its steps apart, and one for each of the others', () => {
    const said: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      ...answered({ type: 'text', value: 'a.ts' }),
      { role: 'assistant', content: 'There is one file.' },
      { role: 'user', content: 'Thanks.' },
      { role: 'user', content: 'Go on.' },
    ]
    expect(toUIMessages(said)).toEqual([
      { id: 'pith-0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { id: 'pith-1', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
      {
        id: 'pith-2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          {
            type: 'dynamic-tool',
            toolName: 'bash',
            toolCallId: 't1',
            state: 'output-available',
            input: { command: 'ls' },
            output: 'a.ts',
          },
          { type: 'step-start' },
          { type: 'text', text: 'There is one file.' },
        ],
      },
      { id: 'pith-3', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
      { id: 'pith-4', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
    ])
  })

  it.each<[string, Message[], object]>([
    ['waits', [{ role: 'assistant', content: [call] }], { state: 'input-available' }],
    ['failed', answered({ type: 'error-text', value: 'no' }), { state: 'output-error', errorText: 'no' }],
    ['gave data', answered({ type: 'json', value: { a: 1 } }), { state: 'output-available', output: { a: 1 } }],
  ])('show a call that %s', (_, said, state) => {
    expect(toUIMessages(said)[0]?.parts).toMatchObject([{ type: 'step-start' }, state])
  })

  it('keep what was not changed in its place, and its id', () => {
    const came = {
      id: 'a7',
      role: 'assistant',
      parts: [
        { type: 'data-note', data: 1 },
        { type: 'text', text: 'One.', state: 'done' },
        { type: 'reasoning', text: 'Hm.', state: 'done' },
      ],
    }
    const [first] = fromUIMessages([came])
    if (first?.role !== 'assistant' || typeof first.content === 'string') throw new Error('no parts')
    const changed = first.content.map((part) => (part.type === 'reasoning' ? { ...part, text: 'Two.' } : part))
    expect(toUIMessages([{ ...first, content: changed }])).toEqual([
      { ...came, parts: [came.parts[0], came.parts[1], { type: 'reasoning', text: 'Two.' }] },
    ])
  })

  it('have files as addresses that hold their data', () => {
    const image = { type: 'image', image: new Uint8Array([137, 80, 78, 71]), mediaType: 'image/png' } as const
    expect(toUIMessages([{ role: 'user', content: [image] }])[0]?.parts).toEqual([
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw==' },
    ])
    const linked = { type: 'image', image: 'https://example.com/a.png', mediaType: 'image/png' } as const
    expect(toUIMessages([{ role: 'user', content: [linked] }])[0]?.parts).toMatchObject([{ url: linked.image }])
  })
})
