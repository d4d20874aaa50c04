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

  it.each([
    ['anthropic', ['tool_use', 'tool_result', 'thinking', 'document']],
    ['ai-sdk', ['tool-call', 'tool-result', 'reasoning', 'file']],
    ['openai-chat', ['image_url']],
    ['openai-responses', ['input_text', 'output_text']],
  ])('is one of %s if it has a part of the types %j', (format, types) => {
    const plain = { type: 'text', text: 'Look.' }
    for (const type of types) expect(detected([{ role: 'user', content: [plain, { type }] }])).toBe(format)
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

  it('in a request is recognised by the request if its items are plain', () => {
    expect(detected({ model: 'gpt-5', input: [{ role: 'user', content: 'Go.' }] })).toBe('openai-responses')
    expect(detected({ history: [{ role: 'model', parts: [] }] })).toBe('gemini')
  })
})

describe('a line', () => {
  it('distinguishes Pith from pi, which begin alike', () => {
    expect(detected({ type: 'session', id: '1', workspace: '/repo', lastSeq: 3 })).toBe('pith')
    expect(detected({ type: 'session', id: '1', cwd: '/repo' })).toBe('pi')
  })

  it.each([
    ['codex', { type: 'session_meta', payload: {} }],
    ['codex', { type: 'response_item', payload: {} }],
    ['codex', { type: 'event_msg', payload: {} }],
    ['codex', { type: 'turn_context', payload: {} }],
    ['codex', { type: 'compacted', payload: {} }],
    ['codex', { record_type: 'state' }],
    ['codex', { id: '1', timestamp: 'now', instructions: null }],
    ['copilot', { type: 'session.start', data: {} }],
    ['copilot', { type: 'tool.execution_complete', data: {} }],
    ['gemini', { sessionId: '1', projectHash: 'a' }],
    ['claude-code', { type: 'user', uuid: '1', parentUuid: null }],
    ['claude-code', { type: 'assistant', uuid: '1', sessionId: '1' }],
    ['claude-code', { type: 'system', uuid: '1', sessionId: '1' }],
    ['claude-code', { type: 'progress', uuid: '1', sessionId: '1' }],
    ['claude-code', { type: 'attachment', uuid: '1', sessionId: '1' }],
    ['claude-code', { type: 'file-history-snapshot' }],
    ['claude-code', { type: 'queue-operation' }],
    ['claude-code', { type: 'custom-title' }],
    ['claude-code', { type: 'ai-title' }],
    ['claude-code', { type: 'summary', leafUuid: '1' }],
    ['openhands', { instance_id: '1', history: [] }],
    ['openhands', { instance: {}, history: [] }],
    ['pi', { type: 'session', timestamp: 'now' }],
  ])('of %s is known: %o', (format, line) => {
    expect(detected(line)).toBe(format)
  })

  it.each([
    { type: 'session' },
    { type: 'session', workspace: '/repo' },
    { type: 'session', lastSeq: 1 },
    { type: 'other', payload: {} },
    { type: 'event_msg', payload: 'text' },
    { id: '1', instructions: null },
    { id: '1', timestamp: 'now' },
    { timestamp: 'now', instructions: null },
    { type: 'session.start' },
    { type: 'window.open', data: {} },
    { type: 'a session.start', data: {} },
    { type: 'session.start now', data: {} },
    { sessionId: '1' },
    { projectHash: 'a' },
    { type: 'user', uuid: '1' },
    { type: 'user', sessionId: '1', parentUuid: null },
    { type: 'other', uuid: '1', sessionId: '1' },
    { type: 'summary' },
    { leafUuid: '1' },
    { instance_id: '1', history: {} },
    { trajectory: [] },
    { trajectory_format: 'other mini-swe-agent' },
    { info: {}, messages: [{ info: {} }] },
    { info: {}, messages: [{ parts: 'none' }] },
    { messages: [{ info: {}, parts: 'none' }] },
  ])('of no agent is not: %o', (line) => {
    expect(detected(line)).toBeUndefined()
  })

  it('is looked for among the first fifty', () => {
    const line = JSON.stringify({ type: 'session', cwd: '/repo' })
    expect(detect(`${'{}\n'.repeat(49)}${line}\n`)).toBe('pi')
    expect(detect(`${'{}\n'.repeat(50)}${line}\n`)).toBeUndefined()
  })
})

describe('a document', () => {
  it.each([
    ['gemini', { projectHash: 'a', messages: [] }],
    ['opencode', { info: {}, messages: [{ info: {}, parts: [] }] }],
    ['mini-swe-agent', { trajectory_format: 'mini-swe-agent-1', messages: [] }],
    ['swe-agent', { trajectory: [], history: [] }],
  ])('of %s is known by its fields', (format, document) => {
    expect(detected(document)).toBe(format)
  })

  it.each([
    ['opencode', '{"info":{"id":"ses_1","projectID":"p","ti'],
    ['opencode', ' { "info" : { "id":"ses_1","slug" : "p","ti'],
    ['mini-swe-agent', '{"info":{"exit_status":"Submitted","mode'],
    ['mini-swe-agent', '{"messages":[],"trajectory_format": "mini-swe-agent-1","mo'],
    ['swe-agent', '{"trajectory":[{"action":"ls"'],
    ['gemini', '{"sessionId":"1","projectHash":"a","messages":[{"id"'],
    ['gemini', '[{"role":"user","parts":[{"text":"x"}]},{"role": "model","parts":[{'],
    ['openhands', '{"instance_id":"1","history":[{'],
    ['codex', '{"type":"session_meta","payload":{"id'],
    ['codex', '{"type":"response_item","payload":{"id'],
    ['codex', '{"timestamp":"2026","type":"session_meta","payload":{"id'],
    ['claude-code', '{"parentUuid":null,"message":{"content'],
    ['copilot', '{"type":"session.start","data":{"sess'],
    ['ai-sdk-ui', '[{"id":"1","role":"user","parts":[{"type'],
    ['openai-chat', '[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[{"id'],
    ['openai-chat', '[{"role":"tool","tool_call_id":"k","content":"x'],
    ['anthropic', '{"messages":[{"role":"assistant","content":[{"type":"tool_use","id'],
    ['anthropic', '[{"role":"user","content":[{"type": "tool_result","tool'],
    ['openai-responses', '{"input":[{"type":"function_call","call'],
    ['openai-responses', '{"input":[{"type":"function_call_output","call'],
    ['ai-sdk', '[{"role":"assistant","content":[{"type":"tool-call","tool'],
    ['ai-sdk', '[{"role":"tool","content":[{"type":"tool-result","tool'],
    ['ai-sdk', '[{"role":"user","content":"Go on and on'],
    ['ai-sdk', '{"messages":[{"content":"x","role":"assistant"},{"con'],
    ['ai-sdk', '[{"role":"system","content":"Be'],
  ])('of %s that is longer is recognised by its beginning: %s', (format, head) => {
    expect(detect(head)).toBe(format)
  })

  it.each([
    'x {"info":{"projectID":1',
    'x {"trajectory":[',
    'x {"instance_id":',
    'x {"type":"session_meta"',
    'x {"timestamp":"2026","type":"session_meta"',
    'x {"parentUuid":',
    'x {"type":"session.start"',
    'x [{"parts":[',
    'x [{"role":"user"',
    '{"role":"user"',
  ])('is of no agent if the mark of one is elsewhere: %s', (head) => {
    expect(detect(head)).toBeUndefined()
  })
})
