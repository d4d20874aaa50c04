import type { ModelServer, ProtocolName } from '../support/model-server/index.ts'

/** The parts of a conversation that can be wrong: its turns, in a form that each protocol's body is made from. */
export type Turn =
  | { readonly user: string }
  | { readonly assistant: string }
  | { readonly calls: readonly string[] }
  | { readonly results: readonly string[] }
  | { readonly system: string }

const PATHS: Readonly<Record<ProtocolName, string>> = {
  anthropic: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  google: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
}

/** Sends a body as it is. */
export async function post(server: ModelServer, protocol: ProtocolName, body: unknown) {
  const response = await fetch(`${server.url}${PATHS[protocol]}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

/** A body with these turns, right or wrong, as each protocol writes it. */
export function raw(protocol: ProtocolName, turns: readonly Turn[], { tools = true } = {}): object {
  const inputSchema = { type: 'object', properties: {} }
  switch (protocol) {
    case 'anthropic': {
      const declared = tools ? { tools: [{ name: 'read', input_schema: inputSchema }] } : {}
      return { model: 'm', max_tokens: 100, stream: true, messages: turns.map(anthropicTurn), ...declared }
    }
    case 'responses': {
      const declared = tools ? { tools: [{ type: 'function', name: 'read', parameters: inputSchema }] } : {}
      return { model: 'm', stream: true, input: turns.flatMap(responsesTurn), ...declared }
    }
    case 'chat': {
      const declared = tools
        ? { tools: [{ type: 'function', function: { name: 'read', parameters: inputSchema } }] }
        : {}
      return { model: 'm', stream: true, messages: turns.flatMap(chatTurn), ...declared }
    }
    case 'google': {
      const declared = tools ? { tools: [{ functionDeclarations: [{ name: 'read' }] }] } : {}
      return { contents: turns.map(googleTurn), ...declared }
    }
  }
}

function anthropicTurn(turn: Turn): object {
  if ('calls' in turn) {
    return { role: 'assistant', content: turn.calls.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })) }
  }
  if ('results' in turn) {
    return { role: 'user', content: turn.results.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) }
  }
  const [role, text] = said(turn)
  return { role, content: [{ type: 'text', text }] }
}

function responsesTurn(turn: Turn): object[] {
  if ('calls' in turn) {
    return turn.calls.map((id) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' }))
  }
  if ('results' in turn) {
    return turn.results.map((id) => ({ type: 'function_call_output', call_id: id, output: 'x' }))
  }
  const [role, content] = said(turn)
  return [{ role, content }]
}

function chatTurn(turn: Turn): object[] {
  if ('calls' in turn) {
    const calls = turn.calls.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } }))
    return [{ role: 'assistant', content: null, tool_calls: calls }]
  }
  if ('results' in turn) return turn.results.map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }))
  const [role, content] = said(turn)
  return [{ role, content }]
}

function googleTurn(turn: Turn): object {
  if ('calls' in turn) {
    return { role: 'model', parts: turn.calls.map((id) => ({ functionCall: { id, name: 'read', args: {} } })) }
  }
  if ('results' in turn) {
    return {
      role: 'user',
      parts: turn.results.map((id) => ({ functionResponse: { id, name: 'read', response: { content: 'x' } } })),
    }
  }
  const [role, text] = said(turn)
  return { role: role === 'assistant' ? 'model' : role, parts: [{ text }] }
}

function said(turn: Exclude<Turn, { calls: unknown } | { results: unknown }>): [string, string] {
  if ('user' in turn) return ['user', turn.user]
  return 'system' in turn ? ['system', turn.system] : ['assistant', turn.assistant]
}
