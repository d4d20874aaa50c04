import { describe, expect, it } from 'vitest'
import type { FaceName } from '../../../src/gateway/faces/face.ts'
import { faceNamed, messageValue, readRequest } from '../../../src/gateway/faces/read-request.ts'
import { type Message, partsOf } from '../../../src/model/types.ts'
import { protocolsOf } from '../../support/model-server/protocols.ts'
import { CONVERSATIONS, clientRequest } from '../support/conversations.ts'

const NAMES: readonly FaceName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

describe.each(NAMES)('the face %s', (name) => {
  const { path, body } = CONVERSATIONS[name]
  const face = faceNamed(name)

  it('reads the model, the instructions and the tools of a request', () => {
    const read = readRequest(clientRequest(name))
    expect(read).toMatchObject({ face: name, model: 'm-1', isStream: true })
    expect(read?.fixed.system).toBe('Be brief.')
    expect(read?.fixed.tools).toMatchObject([{ name: 'bash', inputSchema: { type: 'object' } }])
  })

  it('finds the text of each message in the body', () => {
    const read = readRequest(clientRequest(name))
    expect(read?.messages.length).toBeGreaterThan(3)
    const { messages = [], list = { start: 0, end: 0 }, body: bytes = Buffer.alloc(0) } = read ?? {}
    const values = messages.map((message) => messageValue({ body: bytes }, message))
    expect(values).toEqual(body[face.messagesKey])
    expect(JSON.parse(bytes.toString('utf8', list.start, list.end))).toEqual(values)
  })

  it('reads the messages of a request as ours, the same as every other face', () => {
    const read = readRequest(clientRequest(name))
    const values = read?.messages.map((message) => messageValue(read, message)) ?? []
    const messages = face.messagesOf(values).flat()
    expect(messages.map(plain)).toEqual([
      { role: 'user', parts: ['List the files'] },
      { role: 'assistant', parts: ['I look.', { tool: 'bash', input: { command: 'ls' } }] },
      { role: 'tool', parts: [{ of: 'bash', output: 'a.ts' }] },
      { role: 'user', parts: ['Thanks'] },
    ])
  })

  it('passes on what it does not know', () => {
    const known = clientRequest(name)
    expect(readRequest({ ...known, method: 'GET' })).toBeUndefined()
    expect(readRequest({ ...known, path: '/v1/models' })).toBeUndefined()
    expect(readRequest({ ...known, body: Buffer.from('{"messages": [') })).toBeUndefined()
    expect(
      readRequest({ ...known, body: Buffer.from(JSON.stringify({ ...body, [face.messagesKey]: 7 })) }),
    ).toBeUndefined()
  })

  it('reads a streamed answer with its reasoning left to itself, and the usage that the provider counts', () => {
    const protocol = protocolsOf((prefix) => `${prefix}_1`).find(
      ({ read, matches }) => matches(path.replace(/\?.*/, '')) && read,
    )
    const answer = { reasoning: 'Hm.', text: 'Two files.', calls: [{ name: 'bash', input: { command: 'ls -a' } }] }
    const usage = { input: 1_000, cacheRead: 600, cacheWrite: 0, output: 50, reasoning: 10 }
    const events = protocol?.events(answer, usage, { model: 'm-1', ids: (prefix) => `${prefix}_1`, usage: true }) ?? []
    const read = face.answerOf(events.join(''), 4)
    expect(read?.message && plain(read.message)).toEqual({
      role: 'assistant',
      parts: ['Two files.', { tool: 'bash', input: { command: 'ls -a' } }],
    })
    expect(read?.usage).toMatchObject({ inputTokens: 1_000, outputTokens: 50, cacheReadTokens: 600 })
    expect(face.answerOf(events.slice(0, events.length / 2).join(''), 4)).toBeUndefined()
  })

  it('reads no answer from an error', () => {
    expect(face.answerOf('{"error":{"message":"overloaded"}}', 0)).toBeUndefined()
    expect(face.answerOf('', 0)).toBeUndefined()
    expect(face.answerOf('<html>', 0)).toBeUndefined()
  })
})

/** A message without ids and reasoning, which differ from face to face. */
function plain(message: Message) {
  const parts = partsOf(message).flatMap((part): unknown[] => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'tool-call') return [{ tool: part.toolName, input: part.input }]
    if (part.type === 'tool-result')
      return [{ of: part.toolName, output: part.output.type === 'text' && part.output.value }]
    return []
  })
  return { role: message.role, parts }
}
