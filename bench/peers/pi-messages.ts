import type { AssistantMessage, Message as PiMessage, ToolCall } from '@earendil-works/pi-ai'
import type { SessionEntry } from '@earendil-works/pi-coding-agent'
import { type Message, outputText, partsOf, partsOfType, resultMessage, textOf } from './text.ts'

/** No reported usage, so that pi has to count. */
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
const USAGE = { ...NO_USAGE, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } }

/** Our messages as the entries of a pi session. */
export function nativeEntries(messages: readonly Message[]): SessionEntry[] {
  const entries: SessionEntry[] = []
  for (const message of messages) appendNative(entries, message)
  return entries
}

/** Adds a message to the entries; one with several tool results is several of pi's. */
export function appendNative(entries: SessionEntry[], message: Message): void {
  for (const one of nativeMessages([message])) {
    const id = entries.length.toString(16).padStart(8, '0')
    const parentId = entries.at(-1)?.id ?? null
    entries.push({ type: 'message', id, parentId, timestamp: TIMESTAMP, message: one })
  }
}

const TIMESTAMP = new Date(0).toISOString()

/** Our messages in pi's shape. */
export function nativeMessages(messages: readonly Message[]): (PiMessage | AssistantMessage)[] {
  return messages.flatMap(nativeOf)
}

function nativeOf(message: Message): (PiMessage | AssistantMessage)[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: 'user', content: textOf(message), timestamp: 0 }]
    case 'assistant':
      return [assistant(message)]
    case 'tool':
      return partsOfType(message, 'tool-result').map(({ toolCallId, toolName, output }) => ({
        role: 'toolResult',
        toolCallId,
        toolName,
        content: [{ type: 'text', text: outputText(output) }],
        isError: output.type.startsWith('error'),
        timestamp: 0,
      }))
  }
}

function assistant(message: Message): AssistantMessage {
  const content = partsOf(message).flatMap((part): AssistantMessage['content'] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'reasoning') return [{ type: 'thinking', thinking: part.text }]
    if (part.type !== 'tool-call') return []
    return [
      { type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input as ToolCall['arguments'] },
    ]
  })
  const from = { api: 'openai-completions', provider: 'bench', model: 'bench' } as const
  const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop'
  return { role: 'assistant', content, ...from, usage: USAGE, stopReason, timestamp: 0 }
}

/** One of pi's messages in our shape. */
export function oursOf(message: PiMessage | AssistantMessage): Message {
  if (message.role === 'toolResult') return resultMessage(message.toolCallId, message.toolName, plain(message.content))
  if (message.role !== 'assistant') return { role: 'user', content: plain(message.content) }
  return {
    role: 'assistant',
    content: message.content.map((block) => {
      if (block.type === 'text') return { type: 'text', text: block.text }
      if (block.type === 'thinking') return { type: 'reasoning', text: block.thinking }
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments }
    }),
  }
}

function plain(content: string | readonly { type: string; text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
