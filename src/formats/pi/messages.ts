import type { AssistantPart, Message, ToolResultContent, UserPart } from '../../model/types.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { imagePart, outputOf, resultFile, withExit } from '../shared/file-data.ts'
import { type Fields, fields, objects, parsed, text } from '../shared/json.ts'

/** The message that pi sends to the model for one of its own; undefined for those that it never sends. */
export function messageOf(message: Fields): Message | undefined {
  switch (message.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return userRoleMessage(message.content)
    case 'assistant':
      // pi does not send answers that broke off.
      return message.stopReason === 'error' || message.stopReason === 'aborted'
        ? undefined
        : { role: 'assistant', content: objects(message.content).flatMap((block) => assistantPart(block, message)) }
    case 'toolResult':
      return toolMessage(message)
    case 'bashExecution':
      return message.excludeFromContext === true ? undefined : { role: 'user', content: bashText(message) }
    case 'branchSummary':
      return { role: 'user', content: branchText(text(message.summary) ?? '') }
    case 'compactionSummary':
      return { role: 'user', content: summaryText(text(message.summary) ?? '') }
    default:
      return undefined
  }
}

/** The summary of a compaction as pi shows it to the model. */
export function summaryText(summary: string): string {
  return `${SUMMARY_OPENING}${summary}${SUMMARY_CLOSING}`
}

/** The summary in the text that pi shows to the model. */
export function summaryIn(shown: string): string {
  return shown.startsWith(SUMMARY_OPENING) && shown.endsWith(SUMMARY_CLOSING)
    ? shown.slice(SUMMARY_OPENING.length, -SUMMARY_CLOSING.length)
    : shown
}

/** The summary of an abandoned branch as pi shows it to the model. */
export function branchText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`
}

/** A message in the user's role, from a text or blocks. */
export function userRoleMessage(content: unknown): Message {
  if (typeof content === 'string') return { role: 'user', content }
  const parts = objects(content).flatMap((block): UserPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: String(block.text ?? '') }]
    return block.type === 'image' ? [imagePart(imageSource(block))] : []
  })
  return { role: 'user', content: contentOfParts(parts) }
}

const SUMMARY_OPENING =
  'The conversation history before this point was compacted into the following summary:\n\n<summary>\n'
const SUMMARY_CLOSING = '\n</summary>'

function toolMessage(message: Fields): Message {
  // A command that ended with another status than 0 is an error for pi.
  const failed = message.isError === true
  const contents = objects(message.content).map(
    (block): ToolResultContent =>
      block.type === 'image' ? resultFile(imageSource(block)) : { type: 'text', text: String(block.text ?? '') },
  )
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: String(message.toolCallId ?? ''),
        toolName: text(message.toolName) ?? 'unknown',
        output: withExit(outputOf(contents, failed), 'pi', message.toolName === 'bash' && !failed ? 0 : undefined),
      },
    ],
  }
}

function imageSource(block: Fields): { kind: 'data'; data: string; mediaType: string } {
  return { kind: 'data', data: String(block.data ?? ''), mediaType: text(block.mimeType) ?? 'image/png' }
}

function assistantPart(block: Fields, { api }: Fields): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return text(block.text) === undefined ? [] : [{ type: 'text', text: String(block.text) }]
    case 'thinking':
      return [reasoning(String(block.thinking ?? ''), text(block.thinkingSignature), String(api))]
    case 'toolCall':
      return [
        {
          type: 'tool-call',
          toolCallId: String(block.id ?? ''),
          toolName: String(block.name ?? ''),
          input: block.arguments ?? {},
        },
      ]
    default:
      return []
  }
}

/** `signature` is the provider's signature, in the form in which pi stores it. */
function reasoning(words: string, signature: string | undefined, api: string): AssistantPart {
  if (signature === undefined) return { type: 'reasoning', text: words }
  if (api.startsWith('anthropic'))
    return { type: 'reasoning', text: words, providerOptions: { anthropic: { signature } } }
  const item = api.startsWith('openai') ? fields(parsed(signature)) : undefined
  const pi = { signature }
  if (item === undefined) return { type: 'reasoning', text: words, providerOptions: { pi } }
  const openai = { itemId: text(item.id), reasoningEncryptedContent: text(item.encrypted_content) }
  return { type: 'reasoning', text: words, providerOptions: { pi, openai } }
}

function bashText(message: Fields): string {
  const output = text(message.output)
  const exit = message.exitCode
  const ending =
    message.cancelled === true
      ? '\n\n(command cancelled)'
      : typeof exit === 'number' && exit !== 0
        ? `\n\nCommand exited with code ${exit}`
        : ''
  const full = text(message.fullOutputPath)
  const note = message.truncated === true && full !== undefined ? `\n\n[Output truncated. Full output: ${full}]` : ''
  return `Ran \`${text(message.command) ?? ''}\`\n${output === undefined ? '(no output)' : `\`\`\`\n${output}\n\`\`\``}${ending}${note}`
}
