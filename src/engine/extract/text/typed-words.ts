import { isNativeCompaction } from '../../../model/items.ts'
import { type EntryOf, type Message, type MessageItem, type Part, partsOf } from '../../../model/types.ts'

/** The words that the user typed in a message: those that its reader found, or else those that follow from its role and texts. Replies to a call are left out. */
export function typedIn({
  message,
  userWords,
}: Pick<MessageItem | EntryOf<'message'>, 'message' | 'userWords'>): string {
  if (message.role !== 'user') return ''
  if (userWords === undefined) return typedWords(message)
  return userWords.flatMap(({ text, reply }) => (reply === undefined ? [text] : [])).join('\n')
}

/**
 * The words that a person typed in a message in the user role. Each text is checked separately: Claude Code puts notices
 * ("[Request interrupted by user]", the output of `/model` or of a shell command) and the words typed after them into one message.
 */
export function typedWords(message: Message): string {
  const typed: string[] = []
  for (const part of withoutReferenced(partsOf(message))) {
    if (part.type !== 'text' || isNativeCompaction(part)) continue
    const { text } = part
    if (ATTACHED.test(text)) break
    const words = typedText(text)
    if (words.trim() !== '') typed.push(words)
    // The texts after a command are what Claude Code expands it to, from a file of the project or an MCP server.
    if (isTypedCommand(text)) break
  }
  return typed.join('\n')
}

/**
 * Gemini CLI and qwen-code put the files that a message names between two marker texts. A file may contain the closing marker,
 * so everything up to the last one is removed.
 */
function withoutReferenced(parts: readonly Part[]): readonly Part[] {
  const start = parts.findIndex((part) => part.type === 'text' && REFERENCED.test(part.text))
  if (start === -1) return parts
  const end = parts.findLastIndex((part) => part.type === 'text' && part.text.trim() === REFERENCED_END)
  return [...parts.slice(0, start), ...(end < start ? [] : parts.slice(end + 1))]
}

const REFERENCED = /^\s*--- Content from referenced files ---/
const REFERENCED_END = '--- End of content ---'

/** opencode adds the files and MCP resources that a message names after it, as texts. Their number is unknown, so everything from the first one on is left out. */
const ATTACHED = /^(?:Called the \w+ tool with the following input: \{|Reading MCP resource: .+ \(\S+\)$)/

/**
 * The user's words in a text that a client sends because they typed while the agent worked; undefined for any other text.
 * Claude Code sends them as a separate text or, for older models, in a reminder after a result. opencode used a reminder.
 */
export function sentMeanwhile(text: string): string | undefined {
  const opening = OPENING.exec(text.slice(0, OPENING_CHARACTERS))
  if (opening === null) return undefined
  const rest = text.slice(opening[0].length)
  // Another reminder may follow in the same text.
  const place = rest.search(REMINDER)
  const words = (place === -1 ? rest : rest.slice(0, place)).trimEnd()
  const end = Math.max(...ADVICE.map((advice) => words.lastIndexOf(advice)))
  return (end === -1 ? words : words.slice(0, end)).trim()
}

const REMINDER = /<\/?system-reminder\b/

/** The reminders among a client's notes that quote what the user typed meanwhile, each whole. */
export function remindersOfSent(notes: string): string[] {
  const reminders = notes.split(REMINDER_END).map((reminder) => `${reminder.trimStart()}${REMINDER_END}`)
  return reminders.filter((reminder) => sentMeanwhile(reminder) !== undefined)
}

const OPENING =
  /^\s*(?:<system-reminder>\s*)?The user sent (?:a new message while you were working|the following message):[^\S\n]*\n/
const OPENING_CHARACTERS = 200
const REMINDER_END = '</system-reminder>'

/** The clients' own words after those of the user. */
const ADVICE = [
  '\n\nThis is how Claude Code surfaces messages',
  '\n\nIMPORTANT: After completing your current task',
  '\n\nPlease address this message and continue',
]

/**
 * The words that a person typed in a message in the user role, without what a program added before and after. Empty if a
 * program wrote all of it (notices, outputs of commands, reminders, instructions from files, the text of a skill).
 */
export function typedText(text: string): string {
  const typed = sentMeanwhile(text) ?? asTyped(withoutWrapped(withoutEditor(text)))
  // Only the beginning is tested, because a paste may have megabytes.
  const isMachine = MACHINE.test(typed.slice(0, 2_000)) || isShellOutput(typed) || STAND_IN.test(typed)
  return typed.trim() === '' || isMachine ? '' : typed
}

/** Our text for a provider's block that none of our parts can represent: a search result, a document. */
const STAND_IN = /^\[[\w.-]{1,60}\] \{"[\s\S]*\}$/

/** Codex puts the open files of the editor, or instructions for a review, under headings before the request. */
function withoutEditor(text: string): string {
  if (!/^\s*#/.test(text)) return text
  const request = text.lastIndexOf(EDITOR_REQUEST)
  if (request !== -1) return text.slice(request + EDITOR_REQUEST.length).trim()
  return /^\s*# (?:Context from my IDE setup|Files mentioned by the user):/.test(text) ? '' : text
}

const EDITOR_REQUEST = '\n## My request for Codex:'

/** True for a command that the user ran in pi's shell, with its output and nothing after it. */
function isShellOutput(text: string): boolean {
  return SHELL_COMMAND.test(text.slice(0, 2_000)) && SHELL_END.test(text.slice(-500))
}

const SHELL_COMMAND = /^\s*Ran `[^\n]+`\n(?:```\n|\(no output\))/
const SHELL_END =
  /(?:\n```|\(no output\))(?:\n\n(?:\(command cancelled\)|Command exited with code -?\d+))?(?:\n\n\[Output truncated\. Full output: [^\]\n]+\])?\s*$/

/** True for a message in the user role that a program wrote. */
export function isMachineText(text: string): boolean {
  return text.trim() !== '' && typedText(text) === ''
}

/** True for a text in which a client only reminds the model of something, or describes the editor. */
export function isReminderText(text: string): boolean {
  if (text.trim() === '' || text.includes('<attached_file>')) return false
  return sentMeanwhile(text) === undefined && withoutWrapped(text).trim() === ''
}

/** Tags of blocks that programs put around the user's words: the state of the editor, reminders for the model, attached files. */
export const WRAPPING_TAGS = [
  'system-reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'attached_file',
  'hook_context',
] as const
/** Claude Code gives some tags an id, also the closing one. */
const MARK = `(?:${WRAPPING_TAGS.join('|')})(?:\\s[^<>\\n]{0,200})?>`
const WRAPPED = new RegExp(`^\\s*<${MARK}`)
const WRAPPED_END = new RegExp(`</${MARK}$`)
const OPENING_MARK = new RegExp(`<${MARK}`)
const CLOSING_MARK = new RegExp(`</${MARK}`, 'g')
const LONGEST_MARK = 240
/** Our note that the middle of a text is missing. */
const LEFT_OUT = /\[… \d+ characters left out/

/**
 * The text without such blocks at both ends. Clients do not escape what they wrap, and a file may contain any of the tags.
 * So blocks at the beginning end at the last closing tag, and those at the end begin at the first opening tag.
 */
function withoutWrapped(text: string): string {
  if (!WRAPPED.test(text)) return withoutWrappedEnd(text)
  const end = [...text.matchAll(CLOSING_MARK)].at(-1)
  return end === undefined ? '' : text.slice(end.index + end[0].length).trim()
}

/** A shortened text may have lost its opening tag: then everything after the gap is in doubt. */
function withoutWrappedEnd(text: string): string {
  if (!WRAPPED_END.test(text.trimEnd().slice(-LONGEST_MARK))) return text
  const start = OPENING_MARK.exec(text)?.index ?? LEFT_OUT.exec(text)?.index
  return start === undefined ? text : text.slice(0, start).trim()
}

/** True for a command such as `/review src`, which Claude Code stores in its own tags, with or without reminders. */
function isTypedCommand(text: string): boolean {
  return isCommand(withoutWrapped(text))
}

function isCommand(text: string): boolean {
  return text.trimStart().startsWith('<command-') && !MACHINE.test(text.slice(0, 2_000))
}

function asTyped(text: string): string {
  if (!isCommand(text)) return text
  const name = /<command-name>([^<]+)<\/command-name>/.exec(text)?.[1]
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1] ?? ''
  return name === undefined ? text : `${name} ${words}`.trim()
}

/** Tags in which a program writes to the model in the user's role. */
export const PROGRAM_TAGS: readonly string[] = [
  'task-notification|teammate-message|cross-session-message|channel-message|channel|tick',
  'local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr',
  'user-prompt-submit-hook|environment_context|turn_aborted|subagent_notification|user_instructions',
  'user_shell_command|permissions instructions|INSTRUCTIONS|skill|state_snapshot|session_context|hook_prompt',
  'codex_internal_context|goal_context|recommended_plugins|collaboration_mode|skills|user_action',
  'model_switch|apps_instructions|plugins_instructions|realtime_conversation|environments',
  'mcp-resource-update|mcp-polling-update|persisted-output|fork-boilerplate|remote-review',
  'available-deferred-tools|loaded_context',
].flatMap((tags) => tags.split('|'))

/** Commands to the program itself, not to the agent. */
const PROGRAM_COMMANDS = [
  'add-dir|agents|bashes|clear|compact|config|context|copy|cost|doctor|effort|exit|export|extra-usage|fast|feedback|help',
  'hooks|ide|keybindings|login|logout|mcp|memory|model|output-style|permissions|plugin|plugins|privacy-settings|quit',
  'rate-limit-options|release-notes|rename|resume|rewind|sandbox|skills|stats|status|statusline|tasks|terminal-setup',
  'theme|todos|upgrade|usage|vim',
].join('|')

export const PROGRAM_PHRASES = [
  // Summaries in the user's role: our own records, Claude Code, Codex, pi twice, Copilot CLI.
  'The earlier part of this conversation \\(\\d+ messages?\\) was compacted',
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem and produced a summary',
  'The conversation history before this point was compacted into the following summary:',
  'The following is a summary of a branch that this conversation came back from:',
  'Some of the conversation history has been summarized to free up context\\.',
  'The earlier part of this conversation was compacted\\.',
  '\\[Conversation Summary\\]',
  '\\[Conversation summary — earlier messages were compacted\\]',
  'This is the Gemini CLI\\. We are setting up the context',
  'This is the Qwen Code\\. We are setting up the context',
  'I ran the following shell command:',
  "Here is a summary of changes in the user's editor",
  "Here is the user's editor context as a JSON object",
  'System: Potential loop detected',
  // Claude Code, for other sessions and programs.
  'Another Claude session sent a message',
  'The coordinator sent a message',
  'The [^\\n]{1,80} plugin sent a message',
  'A message arrived from \\w',
  'A background agent completed a task:',
  '\\[SYSTEM NOTIFICATION - NOT USER INPUT\\]',
  // opencode, for a file that it could not attach.
  '\\w+ tool failed to read ',
  '\\[Request interrupted by user',
  'Caveat: The messages below were generated',
  'Base directory for this skill: ',
  '# AGENTS\\.md instructions for ',
  'Stop hook feedback:',
  // opencode, for a sub-agent that the user names, after a sub-agent or a compaction, and for a shell command of the user.
  'Use the above message and context to generate a prompt and call the task tool with subagent: ',
  'Summarize the task tool output above and continue with your task\\.$',
  'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\\.$',
  "The previous request exceeded the provider's size limit due to large media attachments\\.",
  'The following tool was executed by the user$',
  '\\[Image: (?:source|original)',
]

const MACHINE = new RegExp(
  [
    `^\\s*<(?:${PROGRAM_TAGS.join('|')})\\b`,
    `^\\s*(?:<command-message>[^<]{0,80}</command-message>\\s*)?<command-name>/(?:${PROGRAM_COMMANDS})<`,
    `^\\s*(?:${PROGRAM_PHRASES.join('|')})`,
  ].join('|'),
)
