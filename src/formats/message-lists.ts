import { callsOf, type Message } from '../model/message.ts'
import { messageSchema } from '../model/message-schema.ts'
import { fromUIMessages } from './ai-sdk-ui.ts'
import { fromAnthropic } from './anthropic.ts'
import { Draft } from './codec.ts'
import { fields, list, objects, text } from './json.ts'
import { fromOpenAIChat } from './openai-chat.ts'
import { fromOpenAIResponses } from './openai-responses.ts'

/** Reads a list of the AI SDK's model messages, alone or in a request; one that is not right becomes an issue. */
export function readAiSdk(document: unknown): Draft {
  const draft = draftOf(document)
  for (const [i, value] of itemsOf(document).entries()) {
    const message = messageSchema.safeParse(value)
    if (message.success) add(draft, message.data)
    else draft.log.issue(i + 1, `item ${i + 1} is no message of the AI SDK`)
  }
  return draft
}

/** Reads a list of the AI SDK's UI messages. */
export const readUIMessages = reader(fromUIMessages)
/** Reads messages of the OpenAI Chat Completions API, alone or in a request. */
export const readOpenAIChat = reader(fromOpenAIChat)
/** Reads input items of the OpenAI Responses API, alone or in a request. */
export const readOpenAIResponses = reader(fromOpenAIResponses)
/** Reads messages of the Anthropic API, alone or in a request. */
export const readAnthropic = reader(fromAnthropic)

function reader(from: (items: readonly unknown[]) => Message[]): (document: unknown) => Draft {
  return (document) => {
    const draft = draftOf(document)
    for (const message of from(itemsOf(document))) add(draft, message)
    return draft
  }
}

function draftOf(document: unknown): Draft {
  const draft = new Draft()
  const request = fields(document)
  const blocks = objects(request?.system).flatMap((block) => text(block.text) ?? [])
  const system = text(request?.system) ?? text(request?.instructions) ?? blocks.join('\n')
  if (system !== '') draft.log.system.push(system)
  const model = text(request?.model)
  if (model !== undefined) draft.log.noteModel(model)
  return draft
}

function itemsOf(document: unknown): readonly unknown[] {
  const request = fields(document)
  return request === undefined ? list(document) : list(request.messages ?? request.input ?? request.history)
}

function add({ log }: Draft, message: Message): void {
  log.recordedMessages++
  log.recordedCalls += callsOf(message).length
  if (message.role === 'system') log.system.push(message.content)
  else log.say(message)
}
