import type { ProviderKind } from '../../../src/config/tables/provider-settings.ts'

/** The answer of a model, in no protocol yet. */
export type Said = {
  readonly reasoning?: string
  readonly signature?: string
  readonly text?: string
  readonly calls?: readonly { id: string; name: string; input: string }[]
  readonly finish?: 'stop' | 'length'
  readonly usage?: { input: number; output: number; cacheRead?: number; cacheWrite?: number; reasoning?: number }
}

/** One way to talk to models: how it says an answer, and how it says an error inside a stream. */
export type Protocol = {
  readonly kind: ProviderKind
  readonly provider: string
  readonly path: RegExp
  /** The events of an answer, without and with its end. */
  readonly beginning: (said: Said) => string[]
  readonly answer: (said: Said) => string[]
  readonly errorEvent: (message: string) => string
}

const USAGE: NonNullable<Said['usage']> = { input: 100, output: 10 }

const anthropic: Protocol = {
  kind: 'anthropic',
  provider: 'anthropic',
  path: /\/messages$/,
  beginning: (said) => {
    const { input, cacheRead = 0, cacheWrite = 0 } = said.usage ?? USAGE
    const usage = {
      input_tokens: input - cacheRead - cacheWrite,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite,
      output_tokens: 1,
    }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage }
    const blocks = [
      ...(said.reasoning === undefined
        ? []
        : [
            {
              content_block: { type: 'thinking', thinking: '' },
              deltas: [
                ...halves(said.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
                { type: 'signature_delta', signature: said.signature ?? 'c2lnbmVk' },
              ],
            },
          ]),
      ...(said.text === undefined
        ? []
        : [
            {
              content_block: { type: 'text', text: '' },
              deltas: halves(said.text).map((text) => ({ type: 'text_delta', text })),
            },
          ]),
      ...(said.calls ?? []).map(({ id, name, input: json }) => ({
        content_block: { type: 'tool_use', id, name, input: {} },
        deltas: halves(json).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      })),
    ]
    return [
      named({ type: 'message_start', message }),
      named({ type: 'ping' }),
      ...blocks.flatMap(({ content_block, deltas }, index) => [
        named({ type: 'content_block_start', index, content_block }),
        ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
        named({ type: 'content_block_stop', index }),
      ]),
    ]
  },
  answer: (said) => {
    const stop_reason = said.finish === 'length' ? 'max_tokens' : said.calls === undefined ? 'end_turn' : 'tool_use'
    const usage = { output_tokens: (said.usage ?? USAGE).output }
    return [
      ...anthropic.beginning(said),
      named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
      named({ type: 'message_stop' }),
    ]
  },
  errorEvent: (message) => named({ type: 'error', error: { type: 'invalid_request_error', message } }),
}

const openai: Protocol = {
  kind: 'openai',
  provider: 'openai',
  path: /\/responses$/,
  beginning: (said) => {
    const response = { id: 'resp_1', created_at: 1, model: 'gpt-5', object: 'response' }
    const items: string[][] = []
    if (said.reasoning !== undefined) {
      const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null }
      items.push([
        data({ type: 'response.output_item.added', output_index: 0, item }),
        data({ type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 }),
        ...halves(said.reasoning).map((delta) =>
          data({ type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta }),
        ),
        data({
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...item, encrypted_content: said.signature ?? 'c2lnbmVk' },
        }),
      ])
    }
    if (said.text !== undefined) {
      items.push([
        data({ type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'msg_1' } }),
        ...halves(said.text).map((delta) =>
          data({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta }),
        ),
        data({ type: 'response.output_item.done', output_index: 1, item: { type: 'message', id: 'msg_1' } }),
      ])
    }
    for (const [i, { id: call_id, name, input }] of (said.calls ?? []).entries()) {
      const [output_index, id] = [2 + i, `fc_${i}`]
      const item = { type: 'function_call', id, call_id, name, arguments: '', status: 'in_progress' }
      items.push([
        data({ type: 'response.output_item.added', output_index, item }),
        ...halves(input).map((delta) =>
          data({ type: 'response.function_call_arguments.delta', item_id: id, output_index, delta }),
        ),
        data({
          type: 'response.output_item.done',
          output_index,
          item: { ...item, arguments: input, status: 'completed' },
        }),
      ])
    }
    return [data({ type: 'response.created', response }), ...items.flat()]
  },
  answer: (said) => {
    const { input, output, cacheRead, reasoning } = said.usage ?? USAGE
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead ?? 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    }
    const end =
      said.finish === 'length'
        ? { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' }, usage } }
        : { type: 'response.completed', response: { usage } }
    return [...openai.beginning(said), data(end)]
  },
  errorEvent: (message) =>
    data({
      type: 'error',
      sequence_number: 1,
      error: { type: 'invalid_request_error', code: 'context_length_exceeded', message, param: 'input' },
    }),
}

const google: Protocol = {
  kind: 'google',
  provider: 'google',
  path: /:streamGenerateContent\?alt=sse$/,
  beginning: (said) => {
    const part = (parts: unknown[]) => data({ candidates: [{ content: { role: 'model', parts } }] })
    const thoughtSignature = said.signature ?? 'c2lnbmVk'
    return [
      ...(said.reasoning === undefined
        ? []
        : halves(said.reasoning).map((text) => part([{ text, thought: true, thoughtSignature }]))),
      ...(said.text === undefined ? [] : halves(said.text).map((text) => part([{ text }]))),
      ...(said.calls ?? []).map(({ id, name, input }) =>
        part([{ functionCall: { id, name, args: JSON.parse(input) }, thoughtSignature }]),
      ),
    ]
  },
  answer: (said) => {
    const { input, output, cacheRead, reasoning = 0 } = said.usage ?? USAGE
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      cachedContentTokenCount: cacheRead ?? 0,
      totalTokenCount: input + output,
    }
    const finishReason = said.finish === 'length' ? 'MAX_TOKENS' : 'STOP'
    return [
      ...google.beginning(said),
      data({ candidates: [{ content: { role: 'model', parts: [] }, finishReason }], usageMetadata }),
    ]
  },
  errorEvent: (message) => data({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}

const compatible: Protocol = {
  kind: 'openai-compatible',
  provider: 'deepseek',
  path: /\/chat\/completions$/,
  beginning: (said) => {
    const chunk = (delta: unknown) => data({ id: 'c1', model: 'm', choices: [{ index: 0, delta }] })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(said.reasoning === undefined
        ? []
        : halves(said.reasoning).map((reasoning_content) => chunk({ reasoning_content }))),
      ...(said.text === undefined ? [] : halves(said.text).map((content) => chunk({ content }))),
      ...(said.calls ?? []).flatMap(({ id, name, input }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...halves(input).map((json) => chunk({ tool_calls: [{ index, function: { arguments: json } }] })),
      ]),
    ]
  },
  answer: (said) => {
    const { input, output, cacheRead, reasoning } = said.usage ?? USAGE
    const finish_reason = said.finish ?? (said.calls === undefined ? 'stop' : 'tool_calls')
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      prompt_tokens_details: { cached_tokens: cacheRead ?? 0 },
      completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    }
    return [
      ...compatible.beginning(said),
      data({ id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason }] }),
      data({ id: 'c1', model: 'm', choices: [], usage }),
      'data: [DONE]\n\n',
    ]
  },
  errorEvent: (message) => data({ error: { message, type: 'invalid_request_error', code: 400 } }),
}

/** The four protocols that we speak. */
export const PROTOCOLS: readonly Protocol[] = [anthropic, openai, google, compatible]
export { anthropic, compatible, google, openai }

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function named(value: { type: string; [key: string]: unknown }): string {
  return `event: ${value.type}\n${data(value)}`
}

/** Texts come in pieces. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}
