import { typedText } from '../../engine/extract/text/typed-words.ts'
import type { RecordSeal } from '../../engine/record/record-place.ts'
import { type Entry, type Message, partsOf } from '../../model/types.ts'
import type { Fields } from './json.ts'
import type { SessionBuilder } from './log-builder.ts'

/** Everything that Pith knows about one session format. */
export type Format = {
  readonly name: string
  /** The program that writes the format, by its own name. */
  readonly label: string
  readonly detect?: DetectRules
  readonly read?: FormatReader
  /** Counts the prompts in a file, as a check that reading loses none. */
  readonly prompts?: () => PromptCounter
  readonly write?: FormatWriter
  readonly resume?: ResumeRules
  /** The command for a written file that no agent looks for; its path is quoted for a shell. */
  readonly advice?: (file: string) => string
  readonly places?: Places
}

/** How the agent resumes a file that was written for it. */
export type ResumeRules = {
  /** The agent's own folder, in which it looks for the file's `place`; `~` is the user's home. */
  readonly folder: string
  /** The command that resumes the session, in the folder of its project. */
  readonly command: (file: { readonly sessionId: string; readonly path: string }) => readonly string[]
}

/**
 * Rules that detect a format from the content of a file. Each rule is tried for all formats, in the order of the table, before
 * the next rule.
 */
type DetectRules = {
  /** True for a line that only this format has. */
  readonly line?: (line: Fields) => boolean
  /** The beginning of a document that is too long to be parsed yet; the whole document is checked again when it is read. */
  readonly head?: RegExp
  /** True for a document that only this format has. */
  readonly document?: (document: Fields) => boolean
  /** True for an item of a message list that only this format has. */
  readonly item?: (item: Fields) => boolean
  /** The types of content parts that only this format has. */
  readonly parts?: readonly string[]
  /** True for a message list of this format. Asked if no item of the list decides. */
  readonly list?: (items: readonly Fields[]) => boolean
}

/** Reads a format that is one JSON object per line, one JSON document, or either. */
export type FormatReader = {
  readonly lines?: () => LineReader
  readonly document?: (document: unknown) => SessionBuilder
  /** For a format with both forms: true when the first line shows that it is the form of lines. */
  readonly isLines?: (firstLine: string) => boolean
}

/** Reads one session line by line. Nothing in a line makes it throw. */
export type LineReader = {
  read(line: Fields, number: number): void
  /** Parses a line with less work, if the format allows it. The value has all fields that `read` needs. */
  parse?(text: string): unknown
  finish(): SessionBuilder
}

/** Writes the view of a session, or all of its log, as a new file. */
export type FormatWriter = (session: WriteInput, deps: WriteDeps) => AgentFile

/** A log, and the facts of its session that are known. A decoded session is one. */
export type WriteInput = {
  readonly entries: readonly Entry[]
  readonly format?: string
  readonly title?: string
  readonly workspace?: string
  readonly version?: string
  readonly startedAt?: number
  readonly models?: readonly string[]
}

/** The source of ids and of the time. Ids have to be UUIDs: agents refuse others. */
export type WriteDeps = {
  readonly ids: () => string
  readonly clock: () => number
  /** Seals the record of a file: by the seal, the session that it was made of can be found again. */
  readonly seal?: RecordSeal | undefined
}

/** A file for another agent. `place` is where that agent looks for it, from its own folder. */
export type AgentFile = { readonly text: string; readonly sessionId: string; readonly place: string }

/** The places where an agent keeps its sessions on the user's machine. In paths `~` is the user's home. */
export type Places = {
  readonly folders: readonly string[]
  readonly variables: readonly PlaceVariable[]
  /**
   * Matches the files below a folder that are sessions; the first group that matches is the session's id. Absent for an agent
   * that does not keep one file per session.
   */
  readonly file?: RegExp
}

/** An environment variable of the agent. If it is set, its value replaces these beginnings of paths. */
export type PlaceVariable = {
  readonly name: string
  readonly replaces: readonly string[]
  /** True when it may name several folders, with commas between them. */
  readonly isList?: boolean
}

/** A prompt that a person typed, as the file has it. Lines count from 1; in a document it is the number of the message. */
export type TypedPrompt = {
  readonly line: number
  readonly text: string
  /** It waited in a queue first, and may come again as a message. */
  readonly isQueued?: true
}

/**
 * Counts the prompts that a person typed, from the raw content and without the reader: this checks that the reader has lost
 * none of them.
 */
export type PromptCounter = {
  readonly line?: (line: Fields, number: number) => void
  readonly document?: (document: unknown) => void
  /** All prompts, without those that the user took back. */
  readonly prompts: () => readonly TypedPrompt[]
}

/** How many prompts were typed, and which are not in the log: those on abandoned branches (`left`), and lost ones (`missing`). */
export type PromptCheck = {
  readonly typed: number
  readonly left: readonly TypedPrompt[]
  readonly missing: readonly TypedPrompt[]
}

/** A counter that checks each line, or each message of a document, by itself. */
export function promptCounter(
  wordsIn: (line: Fields) => readonly string[],
  messagesIn?: (document: unknown) => readonly Fields[],
): PromptCounter {
  const prompts: TypedPrompt[] = []
  const line = (value: Fields, number: number) => {
    for (const text of wordsIn(value)) if (typedText(text) !== '') prompts.push({ line: number, text })
  }
  const document = (value: unknown) => {
    for (const [i, message] of (messagesIn?.(value) ?? []).entries()) line(message, i + 1)
  }
  return { line, document, prompts: () => prompts }
}

/** Looks for the prompts in the user's messages of the log. `left` has the lines of abandoned branches. */
export function checkPrompts(
  prompts: readonly TypedPrompt[],
  entries: readonly Entry[],
  left: ReadonlySet<number>,
): PromptCheck {
  const userTexts = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user'
      ? textsOf(entry.message).map((text) => typedText(text))
      : [],
  )
  const isInLog = lookup(userTexts)
  const leftPrompts = prompts.filter(({ line }) => left.has(line))
  const leftWords = new Set(leftPrompts.map(({ text }) => plain(text)))
  const absent = prompts.filter((prompt) => !left.has(prompt.line) && !isInLog(prompt))
  return {
    typed: prompts.length,
    left: leftPrompts.map(clipped),
    // A queued prompt that became a message on an abandoned branch is not lost.
    missing: absent.filter(({ text, isQueued }) => isQueued !== true || !leftWords.has(plain(text))).map(clipped),
  }
}

/** The texts of a message, each by itself: programs add theirs to the typed ones. */
function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Returns a function that finds a prompt in messages. Each message is one prompt, or several that were queued; programs may add to its text. */
function lookup(messages: readonly string[]): (prompt: TypedPrompt) => boolean {
  const texts = messages.map(plain)
  const open = new Map<string, number>()
  for (const text of texts) open.set(text, (open.get(text) ?? 0) + 1)
  const lines = new Set(messages.flatMap((text) => text.split('\n').map(plain)))
  let searches = MOST_SEARCHES
  const isInside = (words: string) => searches-- > 0 && texts.some((each) => each.includes(words))
  return ({ text, isQueued }) => {
    const words = plain(typedText(text))
    const times = open.get(words) ?? 0
    if (isQueued === true) return times > 0 || lines.has(words) || isInside(words)
    if (times > 0) open.set(words, times - 1)
    return times > 0 || (words.length >= LONG_WORDS && isInside(words))
  }
}

/** The most searches through all messages. A file that needs more has lost its prompts anyway. */
const MOST_SEARCHES = 1_000

/** Shorter prompts, such as "go on", are part of many messages. */
const LONG_WORDS = 20

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function clipped({ line, text }: TypedPrompt): TypedPrompt {
  return { line, text: text.slice(0, 200) }
}
