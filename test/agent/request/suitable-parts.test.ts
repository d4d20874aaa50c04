import { expect, it } from 'vitest'
import { suitable } from '../../../src/agent/request/model-call.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { InputKind, Message } from '../../../src/model/types.ts'

/** The message as a model gets it that takes these kinds. */
function sent(message: Message, ...input: InputKind[]): { before: Message | undefined; after: Message | undefined } {
  const [item] = viewOf(logOf([message])).items.slice()
  const info = { provider: 'local', model: 'small', input }
  return { before: item?.message, after: item && suitable(item, info).message }
}

const data = 'aGk='
const PARTS = [
  { type: 'text', text: 'Look:' },
  { type: 'image', image: data },
  { type: 'file', data, mediaType: 'image/png' },
  { type: 'file', data, mediaType: 'application/pdf' },
  { type: 'file', data, mediaType: 'audio/wav' },
  { type: 'file', data, mediaType: 'video/mp4' },
  { type: 'file', data, mediaType: 'text/csv' },
] as const
const out = (kind: string) => ({ type: 'text', text: `[${kind} left out, as local/small takes none: recall #1]` })

it('a text replaces each part that the model cannot take', () => {
  expect(sent({ role: 'user', content: [...PARTS] }, 'text').after?.content).toEqual([
    PARTS[0],
    ...['image', 'image', 'pdf', 'audio', 'video'].map(out),
    PARTS[6],
  ])
  expect(sent({ role: 'user', content: [...PARTS] }, 'text', 'image', 'audio').after?.content).toEqual([
    ...PARTS.slice(0, 3),
    out('pdf'),
    PARTS[4],
    out('video'),
    PARTS[6],
  ])
})

it('a model whose kinds of content are not known gets text alone', () => {
  const [item] = viewOf(logOf([{ role: 'user', content: PARTS.slice(0, 2) }])).items.slice()
  const info = { provider: 'local', model: 'small' }
  expect(item && suitable(item, info).message.content).toEqual([PARTS[0], out('image')])
})

it('so it is in results of tools', () => {
  const value = [
    { type: 'text', text: 'The page:' },
    { type: 'image-data', data, mediaType: 'image/png' },
    { type: 'file-id', fileId: 'f1' },
  ] as const
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'shot' } as const
  const message: Message = { role: 'tool', content: [{ ...result, output: { type: 'content', value: [...value] } }] }
  expect(sent(message, 'text').after).toEqual({
    role: 'tool',
    content: [{ ...result, output: { type: 'content', value: [value[0], out('image'), value[2]] } }],
  })
})

it('a message of which the model takes all stays the same object', () => {
  const { before, after } = sent({ role: 'user', content: [...PARTS] }, 'text', 'image', 'pdf', 'audio', 'video')
  expect(after).toBe(before)
})
