import { isNativeCompaction } from '../../model/message/native-compaction.ts'
import type { AssistantPart, Message } from '../../model/types.ts'
import { objects } from '../shared/json.ts'
import { LogBuilder, type MessageFacts } from '../shared/log-builder.ts'
import { listReader } from '../shared/message-list.ts'
import { Origins } from '../shared/origins.ts'
import { standIn } from '../shared/stand-in.ts'
import { type ItemMeaning, meaningOf } from './items.ts'
import type { ResponseInput, ResponseItem } from './sdk-types.ts'

/**
 * Input items of the OpenAI Responses API as our messages; all items of one answer become one message. `toOpenAIResponses` returns
 * unchanged items as the original objects.
 */
export function fromOpenAIResponses(items: readonly ResponseInput[]): Message[] {
  return messagesOfItems(items, meaningOf, openAIResponsesOrigins)
}

/** The same for items of a similar form, with other origins. */
export function messagesOfItems<Item extends ResponseInput>(
  items: readonly Item[],
  meaning: (item: Item) => ItemMeaning | undefined,
  origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>,
): Message[] {
  const list = new MessageList(origins)
  for (const item of items) list.add(meaning(item) ?? unknownItem(item), item)
  return list.messages
}

/** The messages that were read from lists of the OpenAI Responses API. */
export const openAIResponsesOrigins = new Origins<ResponseItem>()

/** Reads input items of the OpenAI Responses API, alone or in a request. */
export const readOpenAIResponses = listReader((items) => {
  const log = new LogBuilder()
  for (const item of objects(items)) addMeaning(log, meaningOf(item))
  const system = log.system.map((content): Message => ({ role: 'system', content }))
  return [...system, ...log.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))]
})

/** Appends the meaning of an item to a log. */
export function addMeaning(log: LogBuilder, meaning: ItemMeaning | undefined, facts: MessageFacts = {}): void {
  if (meaning?.kind === 'system') log.system.push(meaning.text)
  else if (meaning?.kind === 'user') log.say(meaning.message, facts)
  else if (meaning?.kind === 'answer') log.answer(meaning.parts, facts)
  else if (meaning?.kind === 'result') {
    const { toolCallId, output, toolName } = meaning
    log.result(toolCallId, output, { ...facts, toolName })
  }
}

/** Messages in the order of their items. The items of each message are noted in `origins`. */
class MessageList {
  readonly messages: Message[] = []
  readonly #names = new Map<string, string>()
  readonly #origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>
  #answer: AssistantPart[] | undefined

  constructor(origins: Pick<typeof openAIResponsesOrigins, 'noteItem' | 'noteLeaves'>) {
    this.#origins = origins
  }

  add(meaning: ItemMeaning, item: ResponseInput): void {
    if (meaning.kind === 'answer') this.#addAnswer(meaning.parts, item)
    else {
      this.#answer = undefined
      const message = this.#messageOf(meaning)
      this.messages.push(message)
      this.#origins.noteItem(item, [message])
    }
  }

  #addAnswer(parts: readonly AssistantPart[], item: ResponseInput): void {
    for (const part of parts) if (part.type === 'tool-call') this.#names.set(part.toolCallId, part.toolName)
    this.#origins.noteLeaves(item, parts)
    // A compaction of the API is a message of its own, so that the view can be cut after it.
    const isApart = parts.some(isNativeCompaction)
    if (this.#answer !== undefined && !isApart) this.#answer.push(...parts)
    else {
      this.#answer = [...parts]
      this.messages.push({ role: 'assistant', content: this.#answer })
    }
    if (isApart) this.#answer = undefined
  }

  #messageOf(meaning: Exclude<ItemMeaning, { kind: 'answer' }>): Message {
    if (meaning.kind === 'user') return meaning.message
    if (meaning.kind === 'system') return { role: 'system', content: meaning.text }
    const { toolCallId, output, toolName = 'unknown' } = meaning
    const name = this.#names.get(toolCallId) ?? toolName
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: name, output }] }
  }
}

function isInstructionOrUser({ type, role }: ResponseInput): boolean {
  return (type === undefined || type === null || type === 'message') && role !== 'assistant'
}

/** An item of an unknown kind keeps its position, so that it is counted there. */
function unknownItem(item: ResponseInput): ItemMeaning {
  if (!isInstructionOrUser(item) || item.role === undefined) return { kind: 'answer', parts: [standIn(item)] }
  return { kind: 'user', message: { role: 'user', content: '' } }
}
