import { isNativeCompaction } from '../../../model/items.ts'
import { type EntryOf, type Message, type MessageItem, partsOf } from '../../../model/types.ts'
import { type Client, KNOWN_SOURCE } from './clients.ts'
import {
  FILE_END,
  FILE_MARKS,
  FILE_TAGS,
  NOTE_TAGS,
  PROGRAM_COMMANDS,
  PROGRAM_PHRASES,
  PROGRAM_TAGS,
  UNKNOWN_FILE_MARKS,
} from './marks.ts'

/** A message, with the words of the user that its reader found. */
export type Said = Pick<MessageItem | EntryOf<'message'>, 'message' | 'userWords'>

/** The words that the user typed in a message: those that its reader found, or else those that follow from its role and texts. Replies to a call are left out. */
export function typedIn(said: Said): string {
  return typedPieces(said).join('\n')
}

function typedPieces({ message, userWords }: Said): string[] {
  if (message.role !== 'user') return []
  if (userWords === undefined) return typedParts(message)
  return userWords.flatMap(({ text, reply }) => (reply === undefined ? [text] : []))
}

/**
 * The words that a person typed in a message in the user role, by what is known of its client. Each text is checked separately:
 * Claude Code puts notices ("[Request interrupted by user]", the output of `/model` or of a shell command) and the words typed
 * after them into one message.
 */
export function typedParts(message: Message, client: Client = KNOWN_SOURCE): string[] {
  const typed: string[] = []
  if (client.typedParts === 'none') return typed
  const texts = textsOf(message)
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] ?? ''
    const { pieces, isCut } = readText(text, client)
    typed.push(...pieces)
    // A file may contain the closing text, so the last one counts.
    const end = isCut && client.typesTags === true ? texts.findLastIndex((one) => one.trim() === FILE_END) : -1
    if (end > i) i = end
    // The texts after a command are what Claude Code expands it to, from a file of the project or an MCP server.
    else if (isCut || isTypedCommand(text) || (client.typedParts === 'first' && withoutNotes(text) !== '')) break
  }
  return typed
}

function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' && !isNativeCompaction(part) ? [part.text] : []))
}

/**
 * The text in the user's role that nobody is known to have typed: attached files, and the words of programs. Notes of a client,
 * such as its reminders, are left out.
 */
export function untypedIn(said: Said): string {
  if (said.message.role !== 'user') return ''
  const typed = typedPieces(said).join('\n')
  const lines = new Set(typed.split('\n').map((line) => line.trim()))
  const rest = textsOf(said.message).map((text) => {
    const shown = withoutNotes(text)
    if (shown === '' || typed.includes(shown)) return ''
    const cut = shown.split(LEFT_OUT)
    const isTyped = (line: string) =>
      line.trim() !== '' && (lines.has(line.trim()) || (cut.length > 1 && typed.includes(line.trim())))
    return cut
      .flatMap((piece) => piece.split('\n'))
      .filter((line) => !isTyped(line))
      .join('\n')
  })
  return rest.join('\n').trim()
}

/**
 * The first words of each typed text, up to the first text that may be of somebody else: a block in tags, the content of a file, a
 * fenced block. What is remembered for good asks for more than a quotation. Notes of a client before the words do not count.
 */
export function leadingWords(said: Said): string[] {
  const typed = typedIn(said)
  return textsOf(said.message).flatMap((text) => {
    const own = withoutNotes(text)
    const ends = [
      UNKNOWN_MARK.exec(own)?.index,
      blockIn(own, ANY_BLOCK)?.start,
      blockIn(own, MARKED_BLOCK)?.start,
      FENCE.exec(own)?.index,
    ]
    const words = own.slice(0, Math.min(own.length, ...ends.filter((end) => end !== undefined))).trim()
    return words !== '' && typed.includes(words) ? [words] : []
  })
}

const FENCE = /^\s*(?:```|~~~)/m

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
 * The words that a person typed in a text in the user role, without what a program added before and after. Empty if a program wrote
 * all of it (notices, outputs of commands, reminders, instructions from files, the text of a skill).
 */
export function typedText(text: string, client: Client = KNOWN_SOURCE): string {
  return readText(text, client).pieces.join('\n')
}

/** The typed pieces of a text, as the text has them. `isCut`: a file begins in it, and nothing after that is typed. */
function readText(text: string, client: Client): { readonly pieces: readonly string[]; readonly isCut: boolean } {
  const isKnown = client.typesTags === true
  const end = (isKnown ? KNOWN_MARK : UNKNOWN_MARK).exec(text)?.index
  const own = text.slice(0, end)
  const words = sentMeanwhile(own) ?? asTyped(own)
  const kinds = isKnown ? [MARKED_BLOCK] : [MARKED_BLOCK, ANY_BLOCK]
  const pieces = kinds.reduce((some, kind) => some.flatMap((one) => outsideBlock(one, kind)), [words])
  const typed = withoutEditor(pieces).filter((piece) => piece.trim() !== '' && !isProgramText(piece))
  return { pieces: isProgramText(text) ? [] : typed, isCut: end !== undefined }
}

/** True for a text that a program wrote, by how it begins. Only the beginning is tested, because a paste may have megabytes. */
function isProgramText(text: string): boolean {
  return MACHINE.test(text.slice(0, 2_000)) || isShellOutput(text) || STAND_IN.test(text)
}

/** Our text for a provider's block that none of our parts can represent: a search result, a document. */
const STAND_IN = /^\[[\w.-]{1,60}\] \{"[\s\S]*\}$/

/** Codex puts the open files of the editor, or instructions for a review, under headings before the request. */
function withoutEditor(pieces: readonly string[]): readonly string[] {
  const [first = ''] = pieces
  if (!/^\s*#/.test(first)) return pieces
  const at = pieces.findLastIndex((piece) => piece.includes(EDITOR_REQUEST))
  if (at === -1) return EDITOR_OPENING.test(first) ? [] : pieces
  return [pieces[at]?.split(EDITOR_REQUEST).at(-1)?.trim() ?? '', ...pieces.slice(at + 1)]
}

const EDITOR_OPENING = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):/
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
  return (
    text.trim() !== '' && sentMeanwhile(text) === undefined && outsideBlock(text, NOTE_BLOCK).join('').trim() === ''
  )
}

/** The text without the notes of a client; empty if a program wrote all of it. */
function withoutNotes(text: string): string {
  const own = sentMeanwhile(text) ?? asTyped(withoutEditor(outsideBlock(text, NOTE_BLOCK)).join('\n').trim())
  return isProgramText(own) ? '' : own
}

/** How blocks in tags begin and end. `spans`: only those that span lines, or have their lines for themselves. */
type BlockKind = { readonly opening: RegExp; readonly closing: RegExp; readonly spans?: boolean }

/** Claude Code gives some tags an id, also the closing ones. */
function marked(tags: readonly { readonly tag: string; readonly attribute?: string }[]): BlockKind {
  const openings = tags.map(({ tag, attribute }) =>
    attribute === undefined ? `${tag}(?=[\\s>])` : `${tag}(?=\\s[^]{0,400}?\\b${attribute}\\s*=)`,
  )
  return {
    opening: new RegExp(`<(${openings.join('|')})`, 'gi'),
    closing: new RegExp(`</(?:${tags.map(({ tag }) => tag).join('|')})(?:\\s[^<>]*)?>`, 'gi'),
  }
}

const NOTES = NOTE_TAGS.map((tag) => ({ tag }))
const NOTE_BLOCK = marked(NOTES)
const MARKED_BLOCK = marked([...NOTES, ...FILE_TAGS])
/** Any tag of an unknown client. */
const ANY_BLOCK: BlockKind = {
  opening: /<([a-z][\w:.-]*)(?=[\s>])/gi,
  closing: /<\/[a-z][\w:.-]*(?:\s[^<>]*)?>/gi,
  spans: true,
}

/** The text without blocks in tags, whatever their names are. */
export function withoutTags(text: string): string {
  return outsideBlock(text, ANY_BLOCK).join('\n')
}

function outsideBlock(text: string, kind: BlockKind): string[] {
  const block = blockIn(text, kind)
  if (block === undefined) return [text]
  return [text.slice(0, block.start), text.slice(block.end)].map((one) => one.trim()).filter((one) => one !== '')
}

/**
 * The blocks of a text as one, from the first opening tag to the last closing one. Clients do not escape what they wrap, and a
 * file may contain any of the tags: what is between two blocks is in doubt.
 */
function blockIn(text: string, { opening, closing, spans = false }: BlockKind): Block | undefined {
  if (!text.includes('<')) return undefined
  const closings = [...text.matchAll(closing)].map((tag) => ({
    at: tag.index,
    end: tag.index + tag[0].length,
    tag: tag[0],
  }))
  const last = closings.at(-1)
  const named = new Map(closings.map((one) => [nameIn(one.tag), one]))
  // Each looks on from the tag before, so that a text of nothing but tags takes no longer than another one.
  const lineEnd = nextOf(text, '\n')
  const tagEnd = nextOf(text, '>')
  for (const { 0: tag, 1: name = '', index: start } of text.matchAll(opening)) {
    const inner = start + tag.length
    const closed = spans ? named.get(name.toLowerCase()) : last
    const own = closed === undefined || closed.at < inner ? undefined : closed
    const end = own === undefined ? text.length : (last?.end ?? text.length)
    const begins = isAtLineStart(text, start)
    // Nothing closes a text that was cut off.
    const isAlone = begins && isLineEnd(text, own === undefined ? tagEnd(inner) + 1 : end)
    const isLong = own !== undefined && lineEnd(inner) < own.at
    if (isAlone || isLong || (!spans && (begins || (own !== undefined && text.slice(end).trim() === ''))))
      return { start, end }
  }
  // A shortened text may have lost the opening tag: then everything after the gap is in doubt.
  const gap = last === undefined || spans || text.slice(last.end).trim() !== '' ? undefined : LEFT_OUT.exec(text)?.index
  return gap === undefined ? undefined : { start: gap, end: text.length }
}

type Block = { readonly start: number; readonly end: number }

function nameIn(closing: string): string {
  return closing.slice(2, -1).trim().toLowerCase()
}

/** Finds the next sign from a place on, for places that only grow. Infinity if there is none. */
function nextOf(text: string, sign: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      const at = text.indexOf(sign, from)
      found = at === -1 ? Number.POSITIVE_INFINITY : at
    }
    return found
  }
}

/** True if only spaces come before this place in its line. */
function isAtLineStart(text: string, place: number): boolean {
  let at = place - 1
  while (at >= 0 && text[at] !== '\n' && text[at]?.trim() === '') at--
  return at < 0 || text[at] === '\n'
}

/** True if only spaces come after this place in its line. */
function isLineEnd(text: string, place: number): boolean {
  let at = place
  while (at < text.length && text[at] !== '\n' && text[at]?.trim() === '') at++
  return place <= text.length && (at === text.length || text[at] === '\n')
}

/** Our note that the middle of a text is missing. */
const LEFT_OUT = /\[… \d+ characters left out(?:, recall #\d+)? …\]/

/**
 * Finds the first line that announces the content of a file. Signs may decorate it, and a client that joins the texts of a message
 * may have it in the middle of a line. A colon ends the line.
 */
function markOf(rows: readonly (readonly string[])[]): RegExp {
  const lines = rows.map((row) => row.map(escapedPattern).join('[^\\n]{0,400}?').replace(/:$/, ':[-=#*_ \\t]*$'))
  return new RegExp(`(?:^[-=#*>_ \\t]{0,40}|(?<=\\s)--+ ?)(?:${lines.join('|')})`, 'im')
}

function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

const KNOWN_MARK = markOf(FILE_MARKS)
const UNKNOWN_MARK = markOf([...FILE_MARKS, ...UNKNOWN_FILE_MARKS])

/** True for a command such as `/review src`, which Claude Code stores in its own tags, with or without reminders. */
function isTypedCommand(text: string): boolean {
  return commandIn(text) !== undefined
}

function commandIn(text: string): string | undefined {
  const own = outsideBlock(text, NOTE_BLOCK).join('\n').trimStart()
  return own.startsWith('<command-') && !MACHINE.test(own.slice(0, 2_000)) ? own : undefined
}

/** A command as it was typed; any other text unchanged. */
function asTyped(text: string): string {
  const command = commandIn(text)
  const name = /<command-name>([^<]+)<\/command-name>/.exec(command ?? '')?.[1]
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(command ?? '')?.[1] ?? ''
  return name === undefined ? text : `${name} ${words}`.trim()
}

const MACHINE = new RegExp(
  [
    `^\\s*<(?:${PROGRAM_TAGS.join('|')})\\b`,
    `^\\s*(?:<command-message>[^<]{0,80}</command-message>\\s*)?<command-name>/(?:${PROGRAM_COMMANDS})<`,
    `^\\s*(?:${PROGRAM_PHRASES.join('|')})`,
  ].join('|'),
)
