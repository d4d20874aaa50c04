import type { ClientRequest, FaceName } from '../../../src/gateway/faces/face.ts'

type Conversation = { readonly path: string; readonly body: Readonly<Record<string, unknown>> }

const schema = { type: 'object', properties: { command: { type: 'string' } } }

/** The same short conversation in the form of each face. */
export const CONVERSATIONS: Readonly<Record<FaceName, Conversation>> = {
  anthropic: {
    path: '/v1/messages?beta=true',
    body: {
      model: 'm-1',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'bash', description: 'Runs', input_schema: schema }],
      stream: true,
      messages: [
        { role: 'user', content: 'List the files' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's1' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.ts' }] },
        { role: 'user', content: [{ type: 'text', text: 'Thanks', cache_control: { type: 'ephemeral' } }] },
      ],
    },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      model: 'm-1',
      stream: true,
      tools: [{ type: 'function', function: { name: 'bash', description: 'Runs', parameters: schema } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'List the files' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 't1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
        },
        { role: 'tool', tool_call_id: 't1', content: 'a.ts' },
        { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
      ],
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      model: 'm-1',
      stream: true,
      store: false,
      instructions: 'Be brief.',
      tools: [{ type: 'function', name: 'bash', description: 'Runs', parameters: schema }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files' }] },
        { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'sealed' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 't1', name: 'bash', arguments: '{"command":"ls"}' },
        { type: 'function_call_output', call_id: 't1', output: 'a.ts' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks' }] },
      ],
    },
  },
  gemini: {
    path: '/v1beta/models/m-1:streamGenerateContent?alt=sse',
    body: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'bash', description: 'Runs', parameters: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'List the files' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { name: 'bash', args: { command: 'ls' } }, thoughtSignature: 'x' },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: 'a.ts' } } }] },
        { role: 'user', parts: [{ text: 'Thanks' }] },
      ],
    },
  },
}

/** The request that a client sends for the conversation of a face. */
export function clientRequest(name: FaceName): ClientRequest {
  const { path, body } = CONVERSATIONS[name]
  return { method: 'POST', path, headers: {}, body: Buffer.from(JSON.stringify(body, undefined, 1)) }
}
