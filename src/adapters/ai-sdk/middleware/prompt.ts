import type { Request } from '../../../engine/context/view/request.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { Fixed, JsonValue, Message, ToolSchema } from '../../../model/types.ts'
import type { CallOptions, Prompt, PromptMessage } from '../models/sdk-types.ts'

type System = Extract<PromptMessage, { role: 'system' }>

/** Splits a prompt of the AI SDK into the instructions at its front and the conversation as our messages. */
export function readPrompt(prompt: Prompt): { instructions: System[]; messages: Message[] } {
  const first = prompt.findIndex((message) => message.role !== 'system')
  const end = first === -1 ? prompt.length : first
  return {
    instructions: prompt.slice(0, end).filter((message) => message.role === 'system'),
    messages: prompt.slice(end).map((message) => message as Message),
  }
}

/** The instructions, followed by the request. Messages that the view did not change are the same objects. */
export function writePrompt(instructions: readonly System[], { system, messages }: Request): Prompt {
  return [
    ...instructions,
    ...system.map((content): System => ({ role: 'system', content })),
    ...messages.map(promptMessage),
  ]
}

/** The parts of every request of a call besides its conversation. */
export function fixedInCall(instructions: readonly System[], tools: CallOptions['tools']): Fixed {
  return { system: instructions.map(({ content }) => content).join('\n'), tools: toolsInCall(tools) }
}

/** The tools of a call, to be counted. */
export function toolsInCall(tools: CallOptions['tools'] = []): ToolSchema[] {
  return tools.map((tool): ToolSchema => {
    if (tool.type !== 'function') return { name: tool.name, inputSchema: tool.args as JsonValue }
    return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema as JsonValue }
  })
}

/** The engine writes a text as a plain string, but providers of the SDK accept only parts. */
export function promptMessage(message: Message): PromptMessage {
  const own = unwrapForeign(message)
  if (own.role === 'system' || typeof own.content !== 'string') return own as PromptMessage
  return { ...own, content: [{ type: 'text', text: own.content }] } as PromptMessage
}
