import type { ProtocolName } from '../support/model-server/index.ts'

/** The body of an answer that does not stream, from the events of the one that does. */
export function wholeAnswer(protocol: ProtocolName, events: readonly string[]): unknown {
  switch (protocol) {
    case 'responses':
      return dataOf<{ response?: unknown }>(events).findLast(({ response }) => response !== undefined)?.response
    case 'chat':
      return chatAnswer(dataOf(events))
    case 'google':
      return googleAnswer(dataOf(events))
    case 'anthropic':
      return anthropicAnswer(dataOf(events))
  }
}

/** The events were written by this process, so their shapes are known. */
function dataOf<T>(events: readonly string[]): T[] {
  return events.flatMap((event) => {
    const json = /^data: (.*)$/m.exec(event)?.[1]
    return json === undefined || json === '[DONE]' ? [] : [JSON.parse(json) as T]
  })
}

type ChatChunk = {
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[]
  readonly usage: unknown
}

function chatAnswer(chunks: readonly ChatChunk[]): object {
  const choices = chunks.flatMap((chunk) => chunk.choices)
  const content = choices.map(({ delta }) => delta.content ?? '').join('')
  const finish_reason = choices.findLast((choice) => choice.finish_reason !== null)?.finish_reason
  return {
    ...chunks[0],
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
    usage: chunks.at(-1)?.usage,
  }
}

type GoogleChunk = { readonly candidates: readonly [{ readonly content: { readonly parts: readonly object[] } }] }

function googleAnswer(chunks: readonly GoogleChunk[]): object {
  const parts = chunks.flatMap(({ candidates }) => candidates[0].content.parts)
  const last = chunks.at(-1)
  return { ...last, candidates: [{ ...last?.candidates[0], content: { role: 'model', parts } }] }
}

type AnthropicEvent = {
  readonly message?: { readonly usage: object }
  readonly delta?: { readonly type?: string; readonly text?: string; readonly stop_reason?: string }
  readonly usage?: object
}

function anthropicAnswer(events: readonly AnthropicEvent[]): object {
  const text = events.map(({ delta }) => (delta?.type === 'text_delta' ? delta.text : '')).join('')
  const message = events.find((event) => event.message !== undefined)?.message
  const end = events.find(({ delta }) => delta?.stop_reason !== undefined)
  return { ...message, content: [{ type: 'text', text }], ...end?.delta, usage: { ...message?.usage, ...end?.usage } }
}
