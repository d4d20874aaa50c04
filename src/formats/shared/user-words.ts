import { isAskingTool } from '../../engine/extract/asking-tools.ts'
import { typedText } from '../../engine/extract/text/machine-text.ts'
import type { Entry } from '../../model/entry.ts'
import type { ToolResultOutput, ToolResultPart } from '../../model/message/message.ts'
import type { UserWords } from '../../model/message/user-words.ts'
import type { MessageFacts } from './log-builder.ts'

/** The words of a message that no person wrote. */
export const NOT_OF_USER: { readonly userWords: readonly UserWords[] } = { userWords: [] }

/**
 * Of an agent that works through a task alone: the task is the user's. What comes in the user's role after the first
 * answer is output of commands, and what the program says about the form of an answer.
 */
export function unlessTask(before: readonly Entry[]): Pick<MessageFacts, 'userWords'> {
  return before.some((entry) => entry.type === 'message' && entry.message.role === 'assistant') ? NOT_OF_USER : {}
}

/** The words in texts that the file itself calls the user's. */
export function typedOnes(texts: readonly string[]): UserWords[] {
  return texts.map((text) => ({ text: typedText(text) })).filter(({ text }) => text.trim() !== '')
}

/**
 * What the user said when they refused a call of Claude Code. Newer versions say in the file who denied it; before them, and
 * in a request, only an error of one of its own tools counts.
 */
export function claudeRefusal({ toolName, output }: ToolResultPart, denial?: string): UserWords[] {
  const isUsers =
    denial === undefined ? toolName !== 'unknown' && !toolName.startsWith('mcp__') : denial === 'user-rejected'
  return isUsers && output.type === 'error-text' ? rejectionWords(CLAUDE_REJECTION, output.value) : []
}

/** Words of the user as Claude Code writes them into the result of a call that they refused. */
export function claudeRejection(words: string): string {
  return `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${words}`
}

/** What the user said when they refused a call of opencode. What a tool of others prints is never theirs, whatever its name. */
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
  const said = error.slice(opening[0].length)
  const place = end === undefined ? -1 : said.lastIndexOf(end)
  const text = (place === -1 ? said : said.slice(0, place)).trim()
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
