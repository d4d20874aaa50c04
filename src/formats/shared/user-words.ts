import { isAskingTool } from '../../engine/extract/asking-tools.ts'
import { CLIENTS, type Client, KNOWN_SOURCE } from '../../engine/extract/text/clients.ts'
import { PLAN_OPENING } from '../../engine/extract/text/marks.ts'
import {
  isMachineText,
  sentMeanwhile,
  typedIn,
  typedParts,
  typedText,
  untypedIn,
} from '../../engine/extract/text/typed-words.ts'
import {
  type Entry,
  type Message,
  type MessageItem,
  outputText,
  partsOf,
  resultsOf,
  type SummaryItem,
  type ToolPart,
  type ToolResultOutput,
  type ToolResultPart,
  type UserPart,
  type UserWords,
} from '../../model/types.ts'
import type { MessageFacts } from './log-builder.ts'

/**
 * A message for the file of another agent. Texts in it that are not the user's, such as the output of a command, are marked. The
 * file has no other place for that, and its next reader would take the role for the speaker. `reader`: the client whose messages
 * the file will be read as.
 */
export function markedMessage(item: MessageItem, reader: Client = KNOWN_SOURCE): Message {
  const { message } = item
  if (message.role === 'tool' && item.userWords?.length === 0)
    return { ...message, content: message.content.map(failed) }
  if (message.role !== 'user' || item.userWords === undefined) return message
  const typed = typedIn(item)
  if (typedParts(message, reader).join('\n') === typed) return message
  const marked = (text: string) => markedText(text, item)
  if (typeof message.content === 'string') return { ...message, content: marked(message.content) }
  const content = message.content.map(
    (part): UserPart => (part.type === 'text' ? { ...part, text: marked(part.text) } : part),
  )
  return { ...message, content }
}

/** A call that a program denied becomes a failure. A result of a foreign tool with the name of an asking tool becomes plain output. */
function failed(part: ToolPart): ToolPart {
  if (part.type !== 'tool-result') return part
  const text = outputText(part.output)
  if (part.output.type === 'execution-denied') return { ...part, output: { type: 'error-text', value: text } }
  return isAskingTool(part.toolName) ? { ...part, output: { type: 'text', value: `Output: ${text}` } } : part
}

/** Marks a summary of another agent, or of another preset: its text alone does not differ from the user's words. */
export function markedSummary({ frame, message }: SummaryItem): Message {
  if (frame === 'pith' || message.role !== 'user' || typeof message.content !== 'string') return message
  return { ...message, content: reminder(message.content) }
}

/** A text of a message, with marks around what the user did not type of it. */
function markedText(text: string, { userWords = [] }: MessageItem): string {
  const rest = untypedIn({ message: { role: 'user', content: text }, userWords })
  if (rest === '') return text
  const typed = userWords.flatMap((one) => (one.reply === undefined && text.includes(one.text) ? [one.text] : []))
  return [...typed, reminder(typed.length === 0 ? text : rest)].join('\n\n')
}

/** The facts of a message without words of the user. */
export const NOT_OF_USER: { readonly userWords: readonly UserWords[] } = { userWords: [] }

/**
 * For an agent that works on a task alone: only the task is the user's. Messages in the user's role after the first answer are
 * output of commands, and notes of the program about the form of an answer.
 */
export function unlessTask(before: readonly Entry[]): Pick<MessageFacts, 'userWords'> {
  return before.some((entry) => entry.type === 'message' && entry.message.role === 'assistant') ? NOT_OF_USER : {}
}

/**
 * The words that are typed in a message of a client, if that is not what the message's role and texts say. A text beside the result
 * of a tool is mostly of the tool, or of the client.
 */
export function clientWords(message: Message, client: Client, isBesideResult = false): { userWords?: UserWords[] } {
  if (message.role !== 'user' || (client.typedParts === 'every' && client.typesTags === true)) return {}
  const typed = isBesideResult && client.typedParts === 'first' ? [] : typedParts(message, client)
  return typed.join('\n') === typedParts(message).join('\n') ? {} : { userWords: typed.map((text) => ({ text })) }
}

/** The words that are typed in a message of a request. A request has no field that says which texts are the agent's own plan. */
export function requestWords(message: Message, client: Client, isBesideResult: boolean): { userWords?: UserWords[] } {
  const isPlan =
    isClaudeCode(client) &&
    partsOf(message).some((part) => part.type === 'text' && part.text.trimStart().startsWith(PLAN_OPENING))
  return isPlan && message.role === 'user' ? { userWords: [] } : clientWords(message, client, isBesideResult)
}

/** The user's words in the results of a request: why Claude Code did not run a call. Only the client's own tools ask the user. */
export function repliesIn(message: Message, client: Client): { userWords?: UserWords[] } {
  const results = resultsOf(message)
  const refused = isClaudeCode(client) ? results.flatMap((result) => claudeRefusal(result)) : []
  if (refused.length > 0) return { userWords: refused }
  const isForeign = results.some(({ toolName }) => isAskingTool(toolName) && client.asks?.includes(toolName) !== true)
  return isForeign ? { userWords: [] } : {}
}

function isClaudeCode(client: Client): boolean {
  return client === CLIENTS.claudeCode || client === CLIENTS.claudeCodeDriven
}

/** The words in texts that the file itself calls the user's. */
export function typedUserWords(texts: readonly string[]): UserWords[] {
  return texts.map((text) => ({ text: typedText(text) })).filter(({ text }) => text.trim() !== '')
}

/**
 * The user's reason for refusing a call of Claude Code. Newer versions store in the file who denied it: an empty text for nobody.
 * In older files and in requests, only an error of one of Claude Code's own tools counts.
 */
export function claudeRefusal({ toolName, output }: ToolResultPart, denial?: string): UserWords[] {
  const isUsers =
    denial === undefined ? toolName !== 'unknown' && !toolName.startsWith('mcp__') : denial === 'user-rejected'
  return isUsers && output.type === 'error-text' ? rejectionWords(CLAUDE_REJECTION, output.value) : []
}

/** The user's reason as Claude Code writes it into the result of a refused call. */
export function claudeRejection(words: string): string {
  return `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${words}`
}

/** The user's reason for refusing a call of opencode. The output of other programs' tools is never the user's, even if the tool has a known name. */
export function opencodeWords(tool: string, output: ToolResultOutput): Pick<MessageFacts, 'userWords'> {
  if (!OPENCODE_TOOLS.has(tool)) return isAskingTool(tool) ? NOT_OF_USER : {}
  const refused = output.type === 'error-text' ? rejectionWords(OPENCODE_REJECTION, output.value) : []
  return refused.length === 0 ? {} : { userWords: refused }
}

/** A client's own words before and after those of the user. */
type RejectionFrame = { readonly start: RegExp; readonly end?: string }

const CLAUDE_REJECTION: RejectionFrame = {
  start:
    /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|Permission for this tool use was denied)[^\n]*the user said:\n/i,
  end: "\n\nNote: The user's next message",
}

const OPENCODE_REJECTION: RejectionFrame = {
  start: /^The user rejected permission to use this specific tool call with the following feedback: /,
}

/** A tool can print the same phrases: ask only about an error that the client itself worded. */
function rejectionWords({ start, end }: RejectionFrame, error: string): UserWords[] {
  const opening = start.exec(error.slice(0, OPENING_CHARACTERS))
  if (opening === null) return []
  const rest = error.slice(opening[0].length)
  const place = end === undefined ? -1 : rest.lastIndexOf(end)
  const text = (place === -1 ? rest : rest.slice(0, place)).trim()
  return text === '' ? [] : [{ text, reply: 'rejection' }]
}

const OPENING_CHARACTERS = 400

/** The tools of opencode itself: its other tools come from MCP servers and plug-ins, which word their own errors. */
const OPENCODE_TOOLS: ReadonlySet<string> = new Set([
  'apply_patch',
  'bash',
  'codesearch',
  'edit',
  'glob',
  'grep',
  'list',
  'lsp',
  'multiedit',
  'patch',
  'plan_enter',
  'plan_exit',
  'question',
  'read',
  'skill',
  'task',
  'todoread',
  'todowrite',
  'webfetch',
  'websearch',
  'write',
])

/** Marks words of a program in the user's role, so that nobody takes them for the user's. The words cannot close the mark. */
export function reminder(words: string): string {
  if (words.trim() === '' || isMachineText(words)) return words
  const inner = words.replaceAll('</system-reminder>', '<\\/system-reminder>')
  // Claude Code quotes the user's messages in a reminder: no other words may begin like such a reminder.
  const safe = sentMeanwhile(`<system-reminder>\n${inner}`) === undefined ? inner : `Not from the user: ${inner}`
  return `<system-reminder>\n${safe}\n</system-reminder>`
}
