import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientRequest, FaceName } from '../../../src/gateway/faces/face.ts'
import { KnownRequests } from '../../../src/gateway/faces/known-requests.ts'
import { messageValue, readRequest } from '../../../src/gateway/faces/read-request.ts'
import { requestConversation, stepsOf } from '../../../src/gateway/identity/conversation.ts'
import { full } from '../../support/full.ts'
import { CONVERSATIONS } from '../support/conversations.ts'

const FACES: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']
const mark = { cache_control: { type: 'ephemeral' } }

/** Messages of each protocol in any order, also such as no client sends: late results, odd kinds, marks that move. */
const MESSAGES: Readonly<Record<FaceName, readonly ((n: number) => object)[]>> = {
  anthropic: [
    (n) => ({ role: 'user', content: `say ${n}` }),
    (n) => ({ role: 'user', content: [{ type: 'text', text: `say ${n}`, ...mark }] }),
    (n) => ({ role: 'assistant', content: [{ type: 'tool_use', id: `t${n % 3}`, name: `tool${n}`, input: { n } }] }),
    (n) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n % 3}`, content: `got ${n}` }] }),
    (n) => ({ role: 'assistant', content: `fine ${n}` }),
    () => ({ role: 'assistant', content: [] }),
  ],
  'openai-chat': [
    (n) => ({ role: 'user', content: `say ${n}` }),
    (n) => ({ role: n % 2 === 0 ? 'developer' : 'system', content: `be ${n}` }),
    (n) => ({ role: 'assistant', tool_calls: [{ id: `t${n % 3}`, function: { name: `f${n}`, arguments: '{}' } }] }),
    (n) => ({ role: 'tool', tool_call_id: `t${n % 3}`, content: `got ${n}` }),
    (n) => ({ role: 'assistant', content: `fine ${n}` }),
  ],
  'openai-responses': [
    (n) => ({ role: 'user', content: n % 3 === 0 ? ' ' : `say ${n}` }),
    (n) => ({ role: 'developer', content: `be ${n}` }),
    (n) => ({ type: 'reasoning', id: `r${n}`, summary: [], encrypted_content: 'x' }),
    (n) => ({ type: 'function_call', call_id: `t${n % 3}`, name: `f${n}`, arguments: '{}' }),
    (n) => ({ type: 'function_call_output', call_id: `t${n % 3}`, output: `got ${n}` }),
    (n) => ({ role: 'assistant', content: [{ type: 'output_text', text: `fine ${n}` }] }),
    (n) => ({ type: 'hologram', n }),
  ],
  gemini: [
    (n) => ({ role: 'user', parts: [{ text: `say ${n}` }] }),
    (n) => ({ role: 'model', parts: [{ functionCall: { name: `f${n % 2}`, args: { n } } }] }),
    (n) => ({ role: 'user', parts: [{ functionResponse: { name: `f${n % 2}`, response: { output: `got ${n}` } } }] }),
    (n) => ({ role: 'model', parts: [{ text: `fine ${n}` }] }),
  ],
}

describe.each(FACES)('a conversation of %s', (face) => {
  const messages = fc.array(fc.tuple(fc.nat(99), fc.nat(5)), { minLength: 1, maxLength: 14 })
  const edits = fc.array(fc.record({ keep: fc.nat(14), said: messages, tools: fc.nat(2) }), {
    minLength: 1,
    maxLength: 8,
  })

  it('is the same when only the new part is read, however its requests continue, fork and change', () => {
    fc.assert(
      fc.property(edits, (requests) => {
        const known = new KnownRequests()
        let said: object[] = []
        for (const { keep, said: more, tools } of requests) {
          said = [...said.slice(0, keep), ...more.map(([kind, n]) => messageOf(face, kind, n))]
          const request = requestOf(face, said, tools)
          const [whole, partly] = [readRequest(request), readRequest(request, known)]
          if (whole === undefined || partly === undefined) throw new Error('the request is not read')
          // The tools of the request before are known only to a reader that has read it.
          expect({ ...partly, toolsBefore: undefined }).toEqual({ ...whole, toolsBefore: undefined })
          expect(partly.messages.map((message) => messageValue(partly, message))).toEqual(said)
          const steps = stepsOf(whole, 'me')
          const { chain, tail } = requestConversation(partly, 'me')
          expect(chain).toEqual(steps.map(({ message: _, ...step }) => step))
          expect(tail).toEqual(steps.slice(steps.length - tail.length))
        }
      }),
      { numRuns: full ? 200 : 25 },
    )
  })

  it('is not read again up to the part that is known', () => {
    const known = new KnownRequests()
    const answer = { anthropic: 4, 'openai-chat': 4, 'openai-responses': 5, gemini: 3 }[face]
    const turn = [0, answer].map((kind) => messageOf(face, kind, 1))
    const said = Array.from({ length: 40 }, () => turn).flat()
    const read = (more: number) => readRequest(requestOf(face, [...said, ...turn.slice(0, more)], 1), known)
    const [first, second] = [read(0), read(1)]
    if (first === undefined || second === undefined) throw new Error('the request is not read')
    expect(second.messages.filter((message) => first.messages.includes(message)).length).toBeGreaterThan(70)
    expect(second.fixed).toBe(first.fixed)
    expect(requestConversation(first, 'me').tail.length).toBe(requestConversation(first, 'other').tail.length)
    expect(requestConversation(first, 'me').tail.length).toBeGreaterThan(40)
    expect(requestConversation(second, 'me').tail.length).toBeLessThan(10)
  })
})

function messageOf(face: FaceName, kind: number, n: number): object {
  const kinds = MESSAGES[face]
  return kinds[kind % kinds.length]?.(n) ?? {}
}

function requestOf(face: FaceName, said: readonly object[], tools: number): ClientRequest {
  const { path, body } = CONVERSATIONS[face]
  const key = { anthropic: 'messages', 'openai-chat': 'messages', 'openai-responses': 'input', gemini: 'contents' }[
    face
  ]
  const { tools: all, [key]: _, ...front } = body
  const whole = { ...front, [key]: said, ...(tools === 0 ? {} : { tools: Array(tools).fill(all).flat() }) }
  return { method: 'POST', path, headers: {}, body: Buffer.from(JSON.stringify(whole)) }
}
