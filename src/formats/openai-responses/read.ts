import type { Message } from '../../model/message.ts'
import { objects } from '../shared/json.ts'
import { LogBuilder, type MessageFacts } from '../shared/log-builder.ts'
import { listReader } from '../shared/message-list.ts'
import { type ItemMeaning, meaningOf } from './items.ts'

/** Input items of the OpenAI Responses API as our messages; what belongs to one answer becomes one message. */
export function fromOpenAIResponses(items: readonly unknown[]): Message[] {
  const log = new LogBuilder()
  for (const item of objects(items)) addMeaning(log, meaningOf(item))
  const system = log.system.map((content): Message => ({ role: 'system', content }))
  return [...system, ...log.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))]
}

/** Reads input items of the OpenAI Responses API, alone or in a request. */
export const readOpenAIResponses = listReader(fromOpenAIResponses)

/** Appends what an item means to a log. */
export function addMeaning(log: LogBuilder, meaning: ItemMeaning | undefined, facts: MessageFacts = {}): void {
  if (meaning?.kind === 'system') log.system.push(meaning.text)
  else if (meaning?.kind === 'user') log.say(meaning.message, facts)
  else if (meaning?.kind === 'answer') log.answer(meaning.parts, facts)
  else if (meaning?.kind === 'result') {
    const { toolCallId, output, toolName } = meaning
    log.result(toolCallId, output, { ...facts, toolName })
  }
}
