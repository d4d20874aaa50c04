import { pathsOf } from '../../engine/extract/files.ts'
import {
  type AssistantPart,
  type Message,
  partsOf,
  resultsOf,
  type ToolResultContent,
  type UserPart,
} from '../../model/types.ts'
import { contentsOf, isFailure, sourceOf } from '../shared/content-parts.ts'
import type { AgentFile, WriteDeps, WriteInput } from '../shared/format.ts'
import { fields, text } from '../shared/json.ts'
import { isoTime, jsonLines, type KeptMessage, titleOf, viewPartsOf } from '../shared/view-parts.ts'
import { summaryIn } from './read.ts'

/** Writes a session that pi resumes: a compaction whose kept entries follow it. */
export function writePi(session: WriteInput, deps: WriteDeps): AgentFile {
  const { ids, clock } = deps
  const sessionId = ids()
  const now = clock()
  const workspace = session.workspace ?? '/'
  const view = viewPartsOf(session.entries, deps)
  const { opening, tail } = view
  const lines: object[] = [{ type: 'session', version: 3, id: sessionId, timestamp: isoTime(now), cwd: workspace }]
  let parentId: string | null = null
  const add = (type: string, at: number, fields: object, id = shortId(ids())): void => {
    lines.push({ type, id, parentId, timestamp: isoTime(at), ...fields })
    parentId = id
  }
  const firstKeptEntryId = shortId(ids())
  if (opening !== undefined) {
    const { files } = opening.item.index
    const details = { readFiles: pathsOf(files, 'read'), modifiedFiles: pathsOf(files, 'modified'), ...opening.field }
    add('compaction', tail[0]?.at ?? now, {
      summary: summaryIn(opening.text),
      firstKeptEntryId,
      tokensBefore: opening.tokensBefore,
      details,
    })
  }
  const messages = tail.flatMap((kept) => messagesOf(kept).map((message) => ({ message, at: kept.at })))
  for (const [i, { message, at }] of messages.entries())
    add('message', at, { message }, i === 0 ? firstKeptEntryId : undefined)
  add('session_info', now, { name: titleOf(session, view) })
  const folder = `--${workspace.replace(/^[/\\]/, '').replaceAll(/[/\\:]/g, '-')}--`
  return {
    text: jsonLines(lines),
    sessionId,
    place: `sessions/${folder}/${isoTime(now).replaceAll(/[:.]/g, '-')}_${sessionId}.jsonl`,
  }
}

/** pi names entries by eight characters. The last characters of a UUID are random, even if it begins with the time. */
function shortId(uuid: string): string {
  return uuid.replaceAll('-', '').slice(-8)
}

function messagesOf(kept: KeptMessage): object[] {
  const { message, at } = kept
  switch (message.role) {
    case 'system':
    case 'user':
      return [
        {
          role: 'user',
          content: typeof message.content === 'string' ? message.content : userBlocks(message),
          timestamp: at,
        },
      ]
    case 'assistant':
      return [answer(partsOf(message) as readonly AssistantPart[], kept)]
    case 'tool':
      return resultsOf(message).map(({ toolCallId, toolName, output }) => {
        const content = contentsOf(output).map(block)
        return { role: 'toolResult', toolCallId, toolName, content, isError: isFailure(output), timestamp: at }
      })
  }
}

function userBlocks(message: Message): object[] {
  return (partsOf(message) as readonly UserPart[]).map(block)
}

function block(part: UserPart | ToolResultContent): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const source = sourceOf(part)
  return source?.kind === 'data' && source.mediaType.startsWith('image/')
    ? { type: 'image', data: source.data, mimeType: source.mediaType }
    : { type: 'text', text: `[${part.type}]` }
}

function answer(parts: readonly AssistantPart[], { at, model, usage }: KeptMessage): object {
  const [provider = 'unknown', ...name] = (model ?? 'anthropic/unknown').split('/')
  const api = APIS[provider] ?? 'openai-completions'
  const content = parts.flatMap((part) => answerBlock(part, api))
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model: name.join('/'),
    usage: usageOf(usage),
    stopReason: parts.some((part) => part.type === 'tool-call') ? 'toolUse' : 'stop',
    timestamp: at,
  }
}

const APIS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  google: 'google-generative-ai',
}

function answerBlock(part: AssistantPart, api: string): object[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'tool-call') {
    // Codex has calls whose argument is a bare text; pi and most providers accept only objects.
    const input = fields(part.input) ?? { input: part.input }
    return [{ type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: input }]
  }
  if (part.type !== 'reasoning') return []
  const { anthropic, openai, pi } = part.providerOptions ?? {}
  const item = {
    type: 'reasoning',
    id: openai?.itemId,
    summary: [],
    encrypted_content: openai?.reasoningEncryptedContent,
  }
  const signature =
    text(pi?.signature) ??
    (api === 'anthropic-messages'
      ? text(anthropic?.signature)
      : openai === undefined
        ? undefined
        : JSON.stringify(item))
  // pi would show unsigned reasoning to the model as text, as if the model had said it.
  return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, thinkingSignature: signature }]
}

function usageOf(usage: KeptMessage['usage']): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {}
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  return {
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    totalTokens: inputTokens + outputTokens,
    cost,
  }
}
