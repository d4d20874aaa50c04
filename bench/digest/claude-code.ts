import { readFileSync } from 'node:fs'
import type { AssistantPart, Message } from '../../src/model/message.ts'

/** A Claude Code session as far as the benchmark needs it: the main line, and where the agent compacted it. */
export type Session = { readonly messages: readonly Message[]; readonly compactions: readonly Recorded[] }

/** The recorded summary stands for the messages before `at` (an earlier summary among them is a message too). */
export type Recorded = { readonly at: number; readonly from: number; readonly summary: string }

/** Reads a session file with a few lines of its own, until the codecs exist. */
export function readSession(path: string): Session {
  const messages: Message[] = []
  const compactions: Recorded[] = []
  let from = 0
  let lastId: string | undefined
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    const line = parsed(text)
    const message = line?.message
    if (line === undefined || message === undefined || line.isSidechain === true || line.isMeta === true) continue
    if (line.isCompactSummary === true) {
      const summary = textOf(message.content)
      compactions.push({ at: messages.length, from, summary })
      from = messages.length
      messages.push({ role: 'user', content: summary })
    } else if (line.type === 'assistant') {
      const parts = assistantParts(message.content)
      const last = messages.at(-1)
      if (
        message.id !== undefined &&
        message.id === lastId &&
        last?.role === 'assistant' &&
        typeof last.content !== 'string'
      )
        last.content.push(...parts)
      else if (parts.length > 0) messages.push({ role: 'assistant', content: parts })
      lastId = message.id
    } else if (line.type === 'user') {
      messages.push(...userMessages(message.content, names(messages)))
      lastId = undefined
    }
  }
  return { messages, compactions }
}

type Line = {
  type?: string
  isSidechain?: boolean
  isMeta?: boolean
  isCompactSummary?: boolean
  message?: { id?: string; content?: unknown }
}
type Block = {
  type?: string
  text?: string
  thinking?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
  is_error?: boolean
}

function parsed(text: string): Line | undefined {
  try {
    return text.trim() === '' ? undefined : (JSON.parse(text) as Line)
  } catch {
    return undefined
  }
}

function blocks(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as Block[]) : []
}

function textOf(content: unknown): string {
  return blocks(content)
    .map((block) => block.text ?? '')
    .join('\n')
}

function assistantParts(content: unknown): AssistantPart[] {
  return blocks(content).flatMap((block): AssistantPart[] => {
    if (block.type === 'text' && block.text) return [{ type: 'text', text: block.text }]
    if (block.type === 'thinking' && block.thinking) return [{ type: 'reasoning', text: block.thinking }]
    if (block.type !== 'tool_use') return []
    return [{ type: 'tool-call', toolCallId: block.id ?? '', toolName: block.name ?? '', input: block.input }]
  })
}

function userMessages(content: unknown, toolNames: ReadonlyMap<string, string>): Message[] {
  const all = blocks(content)
  const results = all.filter((block) => block.type === 'tool_result')
  const text = all.flatMap((block) => (block.type === 'text' && block.text ? [block.text] : [])).join('\n')
  return [
    ...results.map((block): Message => {
      const toolCallId = block.tool_use_id ?? ''
      const value = textOf(block.content)
      const output = block.is_error === true ? { type: 'error-text' as const, value } : { type: 'text' as const, value }
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: toolNames.get(toolCallId) ?? '', output }],
      }
    }),
    ...(text.trim() === '' ? [] : [{ role: 'user' as const, content: text }]),
  ]
}

function names(messages: readonly Message[]): ReadonlyMap<string, string> {
  const last = messages.findLast((message) => message.role === 'assistant')
  const parts = last === undefined || typeof last.content === 'string' ? [] : (last.content as AssistantPart[])
  return new Map(
    parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName] as const] : [])),
  )
}
