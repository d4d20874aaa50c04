import { callsOf, type Message, type ToolResultPart } from '../model/message.ts'
import { assistantParts, userMessages } from './anthropic-read.ts'
import { type AnthropicBlock, assistantBlocks, resultBlock, userBlocks } from './anthropic-write.ts'
import { objects } from './json.ts'

export type { AnthropicBlock } from './anthropic-write.ts'

/** A message of the Anthropic API. */
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }

/** Messages of the Anthropic API as ours: each tool result is a message, reasoning keeps its signature. */
export function fromAnthropic(messages: readonly unknown[]): Message[] {
  const names = new Map<string, string>()
  const nameOf = (id: string) => names.get(id) ?? 'unknown'
  return objects(messages).flatMap((message): Message[] => {
    if (message.role !== 'assistant') return userMessages(message.content, nameOf)
    const content = assistantParts(message.content)
    if (content.length === 0) return []
    const said: Message = { role: 'assistant', content }
    for (const call of callsOf(said)) names.set(call.toolCallId, call.toolName)
    return [said]
  })
}

/** Our messages for the Anthropic API, which wants user and assistant in turn, and all results of a step in one message. */
export function toAnthropic(messages: readonly Message[]): { system?: string; messages: AnthropicMessage[] } {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const made: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksFor(message)
    const last = made.at(-1)
    if (blocks.length === 0) continue
    if (last?.role === role) last.content.push(...blocks)
    else made.push({ role, content: blocks })
  }
  return { ...(system.length === 0 ? {} : { system: system.join('\n\n') }), messages: made }
}

function blocksFor(message: Message): AnthropicBlock[] {
  if (message.role === 'assistant') return assistantBlocks(message)
  if (message.role !== 'tool') return userBlocks(message)
  return message.content.filter((part): part is ToolResultPart => part.type === 'tool-result').map(resultBlock)
}
