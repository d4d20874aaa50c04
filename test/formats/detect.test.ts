import { describe, expect, it } from 'vitest'
import { detect } from '../../src/formats/index.ts'

const detected = (value: unknown) => detect(JSON.stringify(value))

describe('a message list', () => {
  it('is that of the first item that only one format has', () => {
    const plain = { role: 'user', content: 'Go.' }
    expect(detected([plain, { role: 'assistant', content: 'Yes.', tool_calls: [] }])).toBe('openai-chat')
    expect(detected([plain, { role: 'assistant', content: [{ type: 'tool_use' }] }])).toBe('anthropic')
    expect(detected([plain, { role: 'assistant', content: [{ type: 'tool-call' }] }])).toBe('ai-sdk')
    expect(detected([plain, { type: 'function_call', name: 'read' }])).toBe('openai-responses')
    expect(detected([plain, { role: 'model', parts: [{ text: 'Yes.' }] }])).toBe('gemini')
    expect(detected([plain, { id: '1', role: 'assistant', parts: [] }])).toBe('ai-sdk-ui')
    expect(detected([plain, { action: 'run', source: 'agent' }])).toBe('openhands')
  })

  it('of roles and texts alone is one of the AI SDK', () => {
    expect(detected([{ role: 'user', content: 'Go.' }])).toBe('ai-sdk')
    expect(detected({ messages: [{ role: 'user', content: 'Go.' }] })).toBe('ai-sdk')
    expect(detected([{ role: 'user' }])).toBeUndefined()
    expect(detected([])).toBeUndefined()
  })

  it('of a developer is one of the Responses API if its items have types, else one of Chat Completions', () => {
    expect(detected([{ type: 'message', role: 'developer', content: 'Be brief.' }])).toBe('openai-responses')
    expect(detected([{ role: 'developer', content: 'Be brief.' }])).toBe('openai-chat')
  })

  it('in a request is told by the request where its items are plain', () => {
    expect(detected({ model: 'gpt-5', input: [{ role: 'user', content: 'Go.' }] })).toBe('openai-responses')
    expect(detected({ history: [{ role: 'model', parts: [] }] })).toBe('gemini')
  })
})

describe('a line', () => {
  it('tells Pith from pi, which begin alike', () => {
    expect(detected({ type: 'session', id: '1', workspace: '/repo', lastSeq: 3 })).toBe('pith')
    expect(detected({ type: 'session', id: '1', cwd: '/repo' })).toBe('pi')
  })

  it('is looked for among the first fifty', () => {
    const line = JSON.stringify({ type: 'session', cwd: '/repo' })
    expect(detect(`${'{}\n'.repeat(49)}${line}\n`)).toBe('pi')
    expect(detect(`${'{}\n'.repeat(50)}${line}\n`)).toBeUndefined()
  })
})

it('a document that goes on is told by its beginning', () => {
  expect(detect('{"info":{"id":"ses_1","projectID":"p","ti')).toBe('opencode')
  expect(detect('{"trajectory":[{"action":"ls"')).toBe('swe-agent')
  expect(detect('{"sessionId":"1","projectHash":"a","messages":[{"id"')).toBe('gemini')
  expect(detect('[{"role":"user","content":"Go on and on')).toBe('ai-sdk')
  expect(detect('[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[{"id')).toBe('openai-chat')
})
