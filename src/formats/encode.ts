import { requestOf } from '../engine/view/request.ts'
import { viewOf } from '../engine/view/view.ts'
import { unreachable } from '../model/errors.ts'
import type { Message } from '../model/message.ts'
import { toAnthropic } from './anthropic.ts'
import { toOpenAIChat } from './openai-chat.ts'
import { toOpenAIResponses } from './openai-responses.ts'
import { settle } from './settle.ts'
import type { WritableFormat } from './writable-formats.ts'
import { writeClaudeCode } from './write/claude-code.ts'
import { writeCodex } from './write/codex.ts'
import { writeMarkdown } from './write/markdown.ts'
import { writePi } from './write/pi.ts'
import type { Writable, WriteDeps, Written } from './write/source.ts'

export type { Writable, WriteDeps, Written } from './write/source.ts'

/** Writes the view of a session as a new file. The same log with the same ids and clock gives the same text. */
export function encode(session: Writable, format: WritableFormat, deps: WriteDeps): Written {
  switch (format) {
    case 'claude-code':
      return writeClaudeCode(session, deps)
    case 'codex':
      return writeCodex(session, deps)
    case 'pi':
      return writePi(session, deps)
    case 'markdown':
      return named(writeMarkdown(session, deps), deps, 'md')
    case 'ai-sdk':
      return listed(sentMessages(session), deps)
    case 'openai-chat':
      return listed(toOpenAIChat(sentMessages(session)), deps)
    case 'openai-responses':
      return listed(toOpenAIResponses(sentMessages(session)), deps)
    case 'anthropic':
      return listed(toAnthropic(sentMessages(session)), deps)
    default:
      return unreachable(format)
  }
}

/** What would be sent of a session: its view without instructions, every call answered. */
export function sentMessages({ entries }: Pick<Writable, 'entries'>): Message[] {
  const { system, messages } = requestOf(viewOf(settle(entries)))
  // A summary that its preset puts among the instructions has no other place in a list of messages.
  return [...system.map((content): Message => ({ role: 'user', content })), ...messages]
}

function listed(value: unknown, deps: WriteDeps): Written {
  return named(`${JSON.stringify(value, undefined, 2)}\n`, deps, 'json')
}

function named(text: string, { ids }: WriteDeps, extension: string): Written {
  const sessionId = ids()
  return { text, sessionId, place: `${sessionId}.${extension}` }
}
