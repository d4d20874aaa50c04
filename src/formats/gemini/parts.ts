import type { ToolResultOutput, UserPart } from '../../model/message.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { imagePart } from '../shared/file-data.ts'
import { type Fields, fields, text } from '../shared/json.ts'
import type { MessageFacts } from '../shared/log-builder.ts'
import { textOutput } from '../shared/result-output.ts'
import type { SessionBuilder } from '../shared/session-builder.ts'

/** Appends a message of the user. Gemini CLI puts its own summary, a snapshot of the state, in the place of one. */
export function sayUser({ log }: SessionBuilder, parts: readonly UserPart[], facts: MessageFacts): void {
  const [only] = parts
  if (only?.type === 'text' && CONTEXT.test(only.text)) log.system.push(only.text)
  else if (only?.type === 'text' && parts.length === 1 && SNAPSHOT.test(only.text))
    log.compact({ summary: only.text, ...facts })
  else log.say({ role: 'user', content: contentOfParts(parts) }, facts)
}

const SNAPSHOT = /^\s*<state_snapshot>/
/** Gemini CLI describes the machine to the model before the user has said anything. */
const CONTEXT = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context)/

/** The parts of a content, which may be a bare text or a single part. */
export function partsIn(content: unknown): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  const parts = Array.isArray(content) ? content : [content]
  return parts.flatMap((part): UserPart[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }]
    const words = text(fields(part)?.text)
    if (words !== undefined) return [{ type: 'text', text: words }]
    const inline = fields(fields(part)?.inlineData)
    const data = text(inline?.data)
    const mediaType = text(inline?.mimeType) ?? 'image/png'
    return data === undefined
      ? []
      : mediaType.startsWith('image/')
        ? [imagePart({ kind: 'data', data, mediaType })]
        : [{ type: 'file', data, mediaType }]
  })
}

/** The output of a tool from a response of the API. */
export function responseOutput(response: Fields | undefined, failed = false): ToolResultOutput {
  const error = text(response?.error)
  const output = text(response?.output) ?? text(response?.content)
  if (error !== undefined) return textOutput(error, true)
  return textOutput(output ?? (response === undefined ? '' : JSON.stringify(response)), failed)
}
