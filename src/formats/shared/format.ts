import { typedText } from '../../engine/extract/text/machine-text.ts'
import type { RecordSeal } from '../../engine/record/read/record-seal.ts'
import type { Entry } from '../../model/entry.ts'
import { type Message, partsOf } from '../../model/message/message.ts'
import type { Fields } from './json.ts'
import type { SessionBuilder } from './log-builder.ts'

/** All that Pith knows of one session format. */
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
  /** What to do with a written file that no agent looks for; its path is quoted for a shell. */
  readonly advice?: (file: string) => string
  readonly places?: Places
}

/** How the agent goes on with a file that was written for it. */
export type ResumeRules = {
  /** The agent's own folder, in which it looks for the file's `place`; `~` is the user's home. */
  readonly folder: string
  /** The command that goes on with the session, in the folder of its project. */
  readonly command: (file: { readonly sessionId: string; readonly path: string }) => readonly string[]
}

/**
 * Rules by which the content of a file tells its format. Each rule is asked of all formats, in the order of the table,
 * before the next one.
 */
export type DetectRules = {
  /** True for a line that only this format has. */
  readonly line?: (line: Fields) => boolean
  /** The beginning of a document that is too long to be parsed yet; all of it is looked at again when it is read. */
  readonly head?: RegExp
  /** True for a document that only this format has. */
  readonly document?: (document: Fields) => boolean
  /** True for an item of a message list that only this format has. */
  readonly item?: (item: Fields) => boolean
  /** The types of content parts that only this format has. */
  readonly parts?: readonly string[]
  /** True for a message list without any item that tells. */
  readonly list?: (items: readonly Fields[]) => boolean
}

/** Reads a format that is one JSON object a line, one JSON document, or either. */
export type FormatReader = {
  readonly lines?: (deps: ReadDeps) => LineReader
  readonly document?: (document: unknown, deps: ReadDeps) => SessionBuilder
  /** For a format with both forms: true when the first line says that it is the form of lines. */
  readonly isLines?: (firstLine: string) => boolean
}

/** The seal by which records of this installation are known; without it what they quote is not the user's word. */
export type ReadDeps = { readonly seal?: RecordSeal | undefined }

/** Reads one session line by line. Nothing in a line makes it throw. */
export type LineReader = {
  read(line: Fields, number: number): void
  /** Parses a line with less work where the format allows it; the value has all that `read` looks at. */
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
  /** Seals the record of a file, so that what it quotes of the user is believed when it comes back. */
  readonly seal?: RecordSeal | undefined
}

/** A file for another agent. `place` is where that agent looks for it, from its own folder. */
export type AgentFile = { readonly text: string; readonly sessionId: string; readonly place: string }

/** The places where an agent keeps its sessions on the user's machine. In paths `~` is the user's home. */
export type Places = {
  readonly folders: readonly string[]
  readonly variables: readonly PlaceVariable[]
  /**
   * Matches the files below a folder that are sessions; the first group that matches is the session's id. An agent that
   * keeps no file a session has none.
   */
  readonly file?: RegExp
}

/** An environment variable of the agent. Where it is set it stands for the beginnings of paths that it replaces. */
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
  /** It stood in a queue first, and may come again as a message. */
  readonly isQueued?: true
}

/**
 * Counts the prompts that a person typed, from the raw content and not on the way that reads it: it is the check that none was
 * lost on that way.
 */
export type PromptCounter = {
  readonly line?: (line: Fields, number: number) => void
  readonly document?: (document: unknown) => void
  /** All of them, without those that were taken back. */
  readonly prompts: () => readonly TypedPrompt[]
}

/** How many prompts were typed, and which are not in the log: on branches that were left, or lost. */
export type PromptCheck = {
  readonly typed: number
  readonly left: readonly TypedPrompt[]
  readonly missing: readonly TypedPrompt[]
}

/** A counter that looks at each line, or at each message of a document, by itself. */
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

/** Looks for the prompts among what the user says in the log. `left` are the lines of branches that were left. */
export function checkPrompts(
  prompts: readonly TypedPrompt[],
  entries: readonly Entry[],
  left: ReadonlySet<number>,
): PromptCheck {
  const said = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? textsOf(entry.message).map(typedText) : [],
  )
  const isSaid = lookup(said)
  const leftPrompts = prompts.filter(({ line }) => left.has(line))
  const leftWords = new Set(leftPrompts.map(({ text }) => plain(text)))
  const absent = prompts.filter((prompt) => !left.has(prompt.line) && !isSaid(prompt))
  return {
    typed: prompts.length,
    left: leftPrompts.map(clipped),
    // A prompt that left the queue as a message went with that message.
    missing: absent.filter(({ text, isQueued }) => isQueued !== true || !leftWords.has(plain(text))).map(clipped),
  }
}

/** The texts of a message, each by itself: programs put theirs beside what was typed. */
function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Whether a prompt is among messages. Each message is one prompt, or several that were queued; programs may add to its text. */
function lookup(said: readonly string[]): (prompt: TypedPrompt) => boolean {
  const texts = said.map(plain)
  const open = new Map<string, number>()
  for (const text of texts) open.set(text, (open.get(text) ?? 0) + 1)
  const lines = new Set(said.flatMap((text) => text.split('\n').map(plain)))
  let searches = MOST_SEARCHES
  const isInside = (words: string) => searches-- > 0 && texts.some((told) => told.includes(words))
  return ({ text, isQueued }) => {
    const words = plain(typedText(text))
    const times = open.get(words) ?? 0
    if (isQueued === true) return times > 0 || lines.has(words) || isInside(words)
    if (times > 0) open.set(words, times - 1)
    return times > 0 || (words.length >= LONG_WORDS && isInside(words))
  }
}

/** Searches through all messages; a file that needs more of them has lost its prompts anyway. */
const MOST_SEARCHES = 1_000

/** Shorter words, such as "go on", stand in many messages. */
const LONG_WORDS = 20

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function clipped({ line, text }: TypedPrompt): TypedPrompt {
  return { line, text: text.slice(0, 200) }
}
