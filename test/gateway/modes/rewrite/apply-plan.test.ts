import { describe, expect, it } from 'vitest'
import type { FaceName, FaceRequest } from '../../../../src/gateway/faces/face.ts'
import { readRequest } from '../../../../src/gateway/faces/read-request.ts'
import { stepsOf } from '../../../../src/gateway/identity/conversation.ts'
import { applyPlan } from '../../../../src/gateway/modes/rewrite/apply-plan.ts'
import { isEmptyPlan, rewritePlan } from '../../../../src/gateway/modes/rewrite/rewrite-plan.ts'
import { emptyIndex } from '../../../../src/model/facts/log-index.ts'
import type { Item, Message } from '../../../../src/model/types.ts'
import { clientRequest } from '../../support/conversations.ts'

const FACES: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

function readOf(face: FaceName): FaceRequest {
  const read = readRequest(clientRequest(face))
  if (read === undefined) throw new Error('the request is not read')
  return read
}

/** The steps of a request as entries 1, 2, 3, … of a log. */
function placed(read: FaceRequest) {
  return stepsOf(read, 'local').map((step, i) => ({ ...step, seq: i + 1 }))
}

function item(seq: number, message: Message): Item {
  return { kind: 'message', seq, place: seq, message, pinned: false }
}

function record(text: string): Item {
  const message: Message = { role: 'user', content: text }
  return {
    kind: 'summary',
    seq: 9,
    place: 0,
    from: 0,
    upTo: 3,
    standsFor: 3,
    message,
    text,
    written: false,
    frame: 'pith',
    index: emptyIndex,
    pinned: false,
  }
}

describe.each(FACES)('a rewritten request of %s', (face) => {
  const read = readOf(face)
  const steps = placed(read)
  const slices = read.messages.map(({ start, end }) => read.body.toString('utf8', start, end))

  it('changes nothing while the view has everything', () => {
    const items = steps.map(({ seq, message }) => item(seq, message))
    expect(isEmptyPlan(rewritePlan(steps, items))).toBe(true)
  })

  it('has the record instead of what it replaced, and the client’s own text of what stays', () => {
    const items = [record('The record.'), item(4, steps[3]?.message as Message)]
    const text = applyPlan(read, rewritePlan(steps, items)).toString()
    expect(text).toContain('The record.')
    expect(text).toContain(slices.at(-1) ?? '-')
    for (const gone of ['List the files', 'I look.', 'a.ts']) expect(text).not.toContain(gone)
    const again = readRequest({ ...clientRequest(face), body: Buffer.from(text) })
    expect(stepsOf(again ?? read, 'local').map(({ message }) => message.role)).toEqual(['user', 'user'])
    const { [faceKey(face)]: _, ...rest } = JSON.parse(text)
    const { [faceKey(face)]: __, ...own } = JSON.parse(read.body.toString())
    expect(rest).toEqual(own)
    expect(again?.fixed).toEqual(read.fixed)
  })

  it('has a handle instead of a masked result, and nothing else changes', () => {
    const masked: Message = {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 't1', toolName: 'bash', output: { type: 'text', value: '[masked: #3]' } },
      ],
    }
    const items = steps.map(({ seq, message }) => item(seq, seq === 3 ? masked : message))
    const text = applyPlan(read, rewritePlan(steps, items)).toString()
    const again = readRequest({ ...clientRequest(face), body: Buffer.from(text) })
    const kept = again?.messages.map(({ start, end }) => again.body.toString('utf8', start, end)) ?? []
    expect(kept.filter((slice, i) => slice !== slices[i])).toHaveLength(1)
    expect(text).toContain('[masked: #3]')
    expect(stepsOf(again ?? read, 'local').map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ])
  })
})

describe('a rewritten request', () => {
  it('leaves out a part of a message, and keeps the text of the others', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'a', content: 'one' },
      { type: 'text', text: 'and now', cache_control: { type: 'ephemeral' } },
    ]
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
      { role: 'user', content },
    ]
    const body = Buffer.from(JSON.stringify({ model: 'm', messages }, undefined, 2))
    const own = readRequest({ method: 'POST', path: '/v1/messages', headers: {}, body })
    if (own === undefined) throw new Error('the request is not read')
    const all = placed(own)
    const changed = applyPlan(own, rewritePlan(all, [record('R'), item(4, all[3]?.message as Message)]))
    expect(JSON.parse(changed.toString()).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'R' }] },
      { role: 'user', content: [content[1]] },
    ])
  })

  it('never changes an answer of the model, which may be signed', () => {
    const read = readOf('anthropic')
    const steps = placed(read)
    const items = steps.map(({ seq, message }) =>
      item(seq, seq === 2 ? { role: 'assistant', content: 'short' } : message),
    )
    expect(isEmptyPlan(rewritePlan(steps, items))).toBe(true)
  })
})

function faceKey(face: FaceName): string {
  return { anthropic: 'messages', 'openai-chat': 'messages', 'openai-responses': 'input', gemini: 'contents' }[face]
}
