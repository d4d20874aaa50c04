import { meaningOf } from '../../formats/openai-responses/items.ts'
import { messagesOfItems } from '../../formats/openai-responses/read.ts'
import { type Fields, fields } from '../../formats/shared/json.ts'
import { Origins } from '../../formats/shared/origins.ts'
import { jsonText, type Message, outputText, partsOf, textOf } from '../../model/message/message.ts'

/** An item of the OpenAI Agents SDK (`AgentInputItem`): of any kind. */
export type AgentItem = { readonly type?: string | undefined; readonly role?: string | undefined }

const origins = new Origins<AgentItem>()

/** Items of the Agents SDK as our messages: they are those of the Responses API, with other names for some fields. */
export function fromAgentItems(items: readonly AgentItem[]): Message[] {
  return messagesOfItems(items, (item) => meaningOf(responsesItem(item)), origins)
}

/** Our messages as items. Unchanged ones are the objects that came. */
export function toAgentItems(messages: readonly Message[]): AgentItem[] {
  return origins
    .stretchesOf(messages)
    .flatMap((stretch): AgentItem[] => ('item' in stretch ? [stretch.item] : written(stretch.message)))
}

function responsesItem(item: Fields): Fields {
  const { callId, type, output, ...rest } = item
  if (type === 'function_call_result')
    return { type: 'function_call_output', call_id: callId, output: outputOf(output) }
  return {
    ...rest,
    type,
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(output === undefined ? {} : { output }),
  }
}

/** A result of the SDK is a text, a part, or parts. */
function outputOf(output: unknown): unknown {
  const part = fields(output)
  return part === undefined ? output : [part]
}

function written(message: Message): AgentItem[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [item({ type: 'message', role: message.role, content: textOf(message) })]
    case 'tool':
      return message.content.flatMap((part) => {
        if (part.type !== 'tool-result') return []
        const { toolCallId: callId, toolName: name, output } = part
        const text = { type: 'text', text: outputText(output) }
        return [item({ type: 'function_call_result', callId, name, status: 'completed', output: text })]
      })
    case 'assistant':
      return partsOf(message).flatMap((part) => {
        if (part.type === 'text') {
          const content = [{ type: 'output_text', text: part.text }]
          return [item({ type: 'message', role: 'assistant', status: 'completed', content })]
        }
        if (part.type !== 'tool-call') return []
        const { toolCallId: callId, toolName: name, input } = part
        return [item({ type: 'function_call', callId, name, status: 'completed', arguments: jsonText(input) })]
      })
  }
}

function item(fields: Fields): AgentItem {
  return fields as AgentItem
}
