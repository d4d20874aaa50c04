import {
  callPart,
  contentOfParts,
  contentsOf,
  imagePart,
  outputOf,
  placeholderPart,
  sourceOfUrl,
  textOutput,
} from '../../formats/shared/content-parts.ts'
import { fields, objects, text } from '../../formats/shared/json.ts'
import { Origins } from '../../formats/shared/origins.ts'
import { reminder } from '../../formats/shared/user-words.ts'
import {
  callsOf,
  type Message,
  resultsOf,
  type ToolResultPart,
  textOf,
  type Usage,
  type UserPart,
} from '../../model/types.ts'

/** The part of LangChain's `BaseMessage` that we read. This adapter does not import LangChain, so it cannot use the class itself. */
export type ChainMessage = {
  readonly content: unknown
  readonly getType: () => string
  readonly id?: string
  readonly name?: string
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[]
  readonly tool_call_id?: string
  readonly status?: string
  readonly usage_metadata?: { readonly input_tokens: number; readonly output_tokens: number }
}

const origins = new Origins<ChainMessage>()
/** Our message for each of LangChain's. A conversation is recognised by the identity of its first messages, so it must not be made twice. */
const ownMessages = new WeakMap<ChainMessage, Message>()

/** LangChain's messages as ours. A message that was read before gives the same object. */
export function fromChain(messages: readonly ChainMessage[]): Message[] {
  const names = new Map<string, string>()
  return messages.map((message) => {
    const own = ownMessages.get(message) ?? read(message, names)
    for (const { toolCallId, toolName } of callsOf(own)) names.set(toolCallId, toolName)
    return own
  })
}

function read(message: ChainMessage, names: ReadonlyMap<string, string>): Message {
  const own = messageOf(message, names)
  ownMessages.set(message, own)
  origins.noteItem(message, [own])
  return own
}

/** Our messages as LangChain's. Unchanged ones are the original objects; the others are created with the classes of `given`. */
export function toChain<M extends ChainMessage>(messages: readonly Message[], given: readonly M[]): M[] {
  const results = new Map(
    given.flatMap((message) => (message.tool_call_id === undefined ? [] : [[message.tool_call_id, message]])),
  )
  return origins.stretchesOf(messages).flatMap((stretch): M[] => {
    if ('item' in stretch) return [stretch.item as M]
    const { message } = stretch
    if (message.role === 'tool')
      return resultsOf(message).flatMap((part) => {
        const original = results.get(part.toolCallId)
        return original === undefined ? [] : [changed(original, { content: outputContent(part) })]
      })
    const type = message.role === 'assistant' ? 'ai' : 'human'
    const model = given.find((one) => one.getType() === type) ?? given[0]
    return model === undefined ? [] : [made(model, { content: textOf(message) })]
  })
}

/** The provider's count of the last answer, if the messages have it. */
export function usageIn(messages: readonly ChainMessage[]): Usage | undefined {
  const counted = messages.findLast((message) => message.getType() === 'ai')?.usage_metadata
  // Some integrations leave a count out.
  if (counted === undefined || !(counted.input_tokens > 0) || !(counted.output_tokens >= 0)) return undefined
  return { inputTokens: counted.input_tokens, outputTokens: counted.output_tokens }
}

function messageOf(message: ChainMessage, names: ReadonlyMap<string, string>): Message {
  const parts = partsIn(message.content)
  switch (message.getType()) {
    case 'system':
    case 'developer':
      return { role: 'system', content: wordsOf(parts) }
    case 'ai': {
      const calls = (message.tool_calls ?? []).map(({ id, name, args }) => callPart(id, name, args))
      return { role: 'assistant', content: [...parts.filter((part) => part.type === 'text'), ...calls] }
    }
    case 'tool': {
      const toolCallId = message.tool_call_id ?? ''
      const toolName = message.name ?? names.get(toolCallId) ?? 'unknown'
      const output = message.status === 'error' ? textOutput(wordsOf(parts), true) : outputOf(parts.flatMap(resultPart))
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    case 'human':
      return { role: 'user', content: contentOfParts(parts) }
    default:
      // A function's result, or text in a custom role. It is not from the user, whose messages have the type `human`.
      return { role: 'user', content: reminder(wordsOf(parts)) }
  }
}

/** Block types of calls. Some providers repeat the calls in the content. */
const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call', 'input_json_delta', 'function_call'])

/** Block types of text. Other blocks with a text are files and the like, which nobody typed. */
const TEXTS: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text'])

/** The text of a message's content. */
export function wordsIn(content: unknown): string {
  return wordsOf(partsIn(content))
}

function partsIn(content: unknown): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content).flatMap((block): UserPart[] => {
    if (CALLS.has(block.type)) return []
    if (typeof block.text === 'string' && block.text !== '')
      return [{ type: 'text', text: TEXTS.has(block.type) ? block.text : reminder(block.text) }]
    if (block.text === '') return []
    const url =
      text(fields(block.image_url)?.url) ??
      text(block.image_url) ??
      (block.type === 'image' ? text(block.url) : undefined)
    return [url === undefined ? placeholderPart(block) : imagePart(sourceOfUrl(url))]
  })
}

function resultPart(part: UserPart) {
  return part.type === 'text' ? [part] : [{ type: 'text' as const, text: `[${part.type}]` }]
}

function wordsOf(parts: readonly UserPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function outputContent({ output }: ToolResultPart): string {
  return contentsOf(output)
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n')
}

/** The same message with some fields changed. The constructors of LangChain's classes take the fields. */
function changed<M extends ChainMessage>(message: M, more: object): M {
  return made(message, { ...fieldsOf(message), ...more })
}

function fieldsOf(message: ChainMessage): object {
  const { id, name, tool_call_id, status } = message
  const { additional_kwargs, response_metadata, artifact } = message as { [key: string]: unknown } & ChainMessage
  return { id, name, tool_call_id, status, additional_kwargs, response_metadata, artifact }
}

function made<M extends ChainMessage>(like: M, given: object): M {
  const Class = like.constructor as new (fields: object) => M
  return new Class(given)
}
