import { handle, headOf, shorten } from '../../../model/text.ts'
import {
  type AssistantPart,
  type FileData,
  type JsonValue,
  type Message,
  outputText,
  type Part,
  type SqueezedPiece,
  type ToolPart,
  type ToolResultContent,
  type ToolResultOutput,
  type ToolResultPart,
  type UserMessage,
  type UserPart,
} from '../../../model/types.ts'
import { isRefusal, outcomeOf } from '../../extract/calls/call-outcome.ts'
import { TOOL_TABLE, toolRow } from '../../extract/calls/tool-table.ts'
import { quotedLines } from '../../extract/text/fact-lines.ts'
import type { HandleNames } from './mask-all.ts'

/** A handle for a text shorter than this would save nothing. */
const WORTH_MASKING = 240
/** The characters of a masked argument that stay, so that the command or the beginning of a written text is still visible. */
const ARGUMENT_HEAD = 120
/** Half a name would be a wrong name. */
const HALF_A_WORD = /(?<=\s)\S{1,40}$/
/** Replaces a redacted text. */
export const REDACTED = '[redacted by the user]'

/**
 * The message with handles instead of its tool output and of everything after the head of large arguments. The exit status
 * of a command stays, and the handle lists names and quotes lines from the masked text.
 */
export function maskMessage(message: Message, seq: number, names?: HandleNames): Message {
  const note = (text: string, result?: ToolResultPart) => {
    const found = names?.of(text) ?? []
    const among = found.length === 0 ? '' : `; names in it: ${found.join(' ')}`
    const lines = result === undefined ? '' : quotedLines(names?.linesOf(text, result) ?? [])
    return `[masked to save context: ${text.length} characters, recall ${handle(seq)}${among}${lines}]`
  }
  const masked = (text: string, ended = '', result?: ToolResultPart) => {
    if (text.length < WORTH_MASKING || MASKED.test(text.slice(-NOTE_CHARACTERS))) return text
    const short = `${ended}${note(text, result)}`
    return short.length >= text.length ? text : short
  }
  return rewrite(message, {
    output: (text, hasFiles, result) => (hasFiles ? note(text) : masked(text, endOf(text, result), result)),
    argument: (text) => masked(text, `${headOf(text, ARGUMENT_HEAD).replace(HALF_A_WORD, '')} … `),
    text: (text) => text,
  })
}

/** The message with notes instead of the results of some calls, if the notes are shorter. `askers`: who left out which call. */
export function leaveOutResults(message: Message, seq: number, askers: ReadonlyMap<string, 'user' | 'model'>): Message {
  return rewrite(message, {
    output: (text, hasFiles, { toolCallId }) => {
      const asker = askers.get(toolCallId)
      const note = `[left out by the ${asker}: ${text.length} characters, recall ${handle(seq)}]`
      return asker !== undefined && (hasFiles || note.length < text.length) ? note : text
    },
    argument: (text) => text,
    text: (text) => text,
  })
}

/** Masked text ends like this; it is not masked again. */
const MASKED =
  /\[masked to save context: \d+ characters(?:, recall #\d+)?(?:; names in it: [^\]]*)?(?:; lines in it: ‘[^\n]*’)?\]$/
const NOTE_CHARACTERS = 2_200

/** How a command ended, in the words of an agent, so that a later index reads it like any result. */
function endOf(text: string, { toolName, output }: ToolResultPart): string {
  // A file may end in "exit code 1" too: only a command has an exit status.
  const wasRun = toolRow(TOOL_TABLE, toolName)?.kind === 'run'
  if (text.length < WORTH_MASKING || !(wasRun || isRefusal(output))) return ''
  const { exit, errorLines } = outcomeOf(output)
  const lines = [...(exit === undefined ? [] : [`Exit code ${exit}`]), ...errorLines]
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * The message with every long text shortened to its head and tail. Images, files and long reasoning are
 * dropped whole, because half of one is not valid. The texts of a user message become one text.
 */
export function squeezeMessage(message: Message, seq: number, head: number, tail: number): Message {
  const squeezed = (text: string) => shorten(text, head, tail, leftOutNote(seq))
  if (message.role === 'user') return { ...message, content: squeezedUser(message, squeezed, seq) }
  const short = rewrite(message, {
    output: (text, hasFiles) => squeezed(text) + (hasFiles ? `\n[recall ${handle(seq)}]` : ''),
    argument: squeezed,
    text: squeezed,
    dropReasoning: (text) => text.length > head + tail,
    fileNote: `[file left out, recall ${handle(seq)}]`,
  })
  // A message of reasoning and files alone is replaced by a note.
  return short.content === '' ? ({ ...short, content: `[left out, recall ${handle(seq)}]` } as Message) : short
}

/** The message with some of its texts shortened, each to its own head and tail, and with notes instead of some files. */
export function squeezePieces(message: Message, seq: number, pieces: readonly SqueezedPiece[]): Message {
  const byPlace = new Map(pieces.map((piece) => [piece.at, piece]))
  return changePieces(message, (piece, at) => {
    const by = byPlace.get(at)
    return by === undefined ? undefined : squeezePiece(piece, seq, by)
  })
}

/** To end at a line break, a piece may lose only this share of its head and tail: the unread keeps as much as fits. */
const LINE_SHARE = 0.02

/** A text with this much of its head and tail, or the note that replaces a file. */
export function squeezePiece(piece: Piece, seq: number, { head, tail }: Omit<SqueezedPiece, 'at'>): string {
  if (piece.kind === 'text') return shorten(piece.text, head, tail, leftOutNote(seq), LINE_SHARE)
  return `[${piece.name} left out, recall ${handle(seq)}]`
}

/** The message with a note before its last line, which is the exit code: how to read the raw output of the command. */
export function nameRaw(message: Message, seq: number, characters: number): Message {
  const note = `[shown as a terminal shows it; raw output, ${characters} characters: recall ${handle(seq)} with raw]`
  const named = (text: string) => {
    const at = text.lastIndexOf('\n') + 1
    return `${text.slice(0, at)}${note}\n${text.slice(at)}`
  }
  return rewrite(message, { output: named, argument: (text) => text, text: named })
}

function leftOutNote(seq: number): (cut: number) => string {
  return (cut) => `\n[… ${cut} characters left out, recall ${handle(seq)} …]\n`
}

/** The text of a user message, shortened. A note replaces images and files. */
function squeezedUser({ content }: UserMessage, squeezed: (text: string) => string, seq: number): string {
  if (typeof content === 'string') return squeezed(content)
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const files = content.filter((part) => part.type !== 'text')
  const note =
    files.length === 0 ? [] : [`[${files.map((part) => part.type).join(', ')} left out, recall ${handle(seq)}]`]
  return [...(text === '' ? [] : [squeezed(text)]), ...note].join('\n')
}

/** The message with its texts changed, or the same message if nothing changes. Reasoning that would change is left out: providers accept it only unchanged. */
export function changeTexts(message: Message, change: (text: string) => string): Message {
  return rewrite(message, {
    output: change,
    argument: change,
    text: change,
    dropReasoning: (text) => change(text) !== text,
  })
}

/** The message without its content. It stays valid: calls and results keep their ids. */
export function redactMessage(message: Message): Message {
  if (typeof message.content === 'string') return { role: message.role, content: REDACTED } as Message
  const parts = (message.content as readonly (UserPart | AssistantPart | ToolPart)[]).flatMap(redactPart)
  return { role: message.role, content: parts.length === 0 && message.role !== 'tool' ? REDACTED : parts } as Message
}

type RewriteRules = {
  output: (text: string, hasFiles: boolean, result: ToolResultPart) => string
  argument: (text: string) => string
  text: (text: string) => string
  dropReasoning?: (text: string) => boolean
  /** The note that replaces a file. */
  fileNote?: string
}

function rewrite(message: Message, rewriting: RewriteRules): Message {
  if (typeof message.content === 'string') {
    const content = rewriting.text(message.content)
    return content === message.content ? message : ({ ...message, content } as Message)
  }
  const parts = message.content as readonly (UserPart | AssistantPart | ToolPart)[]
  const content = parts.flatMap((part) => rewritePart(part, rewriting))
  const same = content.length === parts.length && content.every((part, i) => part === parts[i])
  return same ? message : ({ ...message, content: content.length === 0 ? '' : content } as Message)
}

function rewritePart<P extends UserPart | AssistantPart | ToolPart>(part: P, rewriting: RewriteRules): P[] {
  switch (part.type) {
    case 'text': {
      const text = rewriting.text(part.text)
      return [text === part.text ? part : { ...part, text }]
    }
    case 'reasoning':
      return rewriting.dropReasoning?.(part.text) === true ? [] : [part]
    case 'file':
      return [rewriting.fileNote === undefined ? part : ({ type: 'text', text: rewriting.fileNote } as P)]
    case 'reasoning-file':
      return rewriting.fileNote === undefined ? [part] : []
    case 'tool-call': {
      const input = rewriteStrings(part.input, rewriting.argument)
      return [input === part.input ? part : { ...part, input }]
    }
    case 'tool-result': {
      const output = rewriteOutput(part, rewriting.output)
      return [output === part.output ? part : { ...part, output }]
    }
    default:
      return [part]
  }
}

function rewriteOutput(result: ToolResultPart, change: RewriteRules['output']): ToolResultOutput {
  const { output } = result
  const text = outputText(output)
  const hasFiles = output.type === 'content' && output.value.some((content) => content.type !== 'text')
  const value = change(text, hasFiles, result)
  return value === text ? output : { type: output.type.startsWith('error') ? 'error-text' : 'text', value }
}

/** The value with its strings changed; the same value if none changed. */
export function rewriteStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => rewriteStrings(item, change))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, rewriteStrings(field, change)] as const)
  return fields.every(([key, field]) => field === (value as Record<string, unknown>)[key])
    ? value
    : Object.fromEntries(fields)
}

function redactPart(part: UserPart | AssistantPart | ToolPart): (UserPart | AssistantPart | ToolPart)[] {
  switch (part.type) {
    case 'text':
    case 'image':
    case 'file':
      return [{ type: 'text', text: REDACTED }]
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
      return []
    case 'tool-call': {
      const { type, toolCallId, toolName, providerExecuted } = part
      const input = { redacted: true } satisfies JsonValue
      return [{ type, toolCallId, toolName, input, providerExecuted }]
    }
    case 'tool-result': {
      const { type, toolCallId, toolName, output } = part
      const kind = output.type.startsWith('error') ? 'error-text' : 'text'
      return [{ type, toolCallId, toolName, output: { type: kind, value: REDACTED } }]
    }
    case 'tool-approval-request':
      return [{ type: part.type, approvalId: part.approvalId, toolCallId: part.toolCallId }]
    case 'tool-approval-response':
      return [{ type: part.type, approvalId: part.approvalId, approved: part.approved }]
  }
}

/** A text of a message, or a file, which is either whole or left out. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: 'image' | 'file' }

/** The texts and files of a user's message, or of tool results, in the order by which a squeeze counts them. */
export function piecesOf(message: Message): Piece[] {
  const pieces: Piece[] = []
  changePieces(message, (piece) => {
    pieces.push(piece)
    return undefined
  })
  return pieces
}

/** The text that replaces a piece; undefined if it stays. */
type PieceChange = (piece: Piece, at: number) => string | undefined

/** The message with some of its pieces replaced by a text; ids, names and all other parts stay. */
function changePieces(message: Message, change: PieceChange): Message {
  let at = 0
  const next: NextChange = (piece) => change(piece, at++)
  if (typeof message.content === 'string') {
    const content = next({ kind: 'text', text: message.content })
    return content === undefined ? message : ({ ...message, content } as Message)
  }
  const parts = message.content as readonly Part[]
  return { ...message, content: parts.map((part) => changedPart(part, next)) } as Message
}

type NextChange = (piece: Piece) => string | undefined

function changedPart(part: Part, next: NextChange): Part {
  switch (part.type) {
    case 'text':
    case 'image':
    case 'file':
      return changedContent(part, next)
    case 'tool-result':
      return changedResult(part, next)
    default:
      return part
  }
}

function changedResult(result: ToolResultPart, next: NextChange): ToolResultPart {
  const { output } = result
  if (output.type === 'content') {
    return { ...result, output: { ...output, value: output.value.map((content) => changedContent(content, next)) } }
  }
  const value = next({ kind: 'text', text: outputText(output) })
  if (value === undefined) return result
  return { ...result, output: { type: output.type.startsWith('error') ? 'error-text' : 'text', value } }
}

function changedContent<C extends UserPart | ToolResultContent>(content: C, next: NextChange): C {
  if (content.type === 'text') {
    const text = next({ kind: 'text', text: content.text })
    return text === undefined ? content : { ...content, text }
  }
  const data = content.type === 'file' ? textData(content.data) : undefined
  if (data !== undefined) {
    const text = next({ kind: 'text', text: data.text })
    return text === undefined ? content : { ...content, data: { ...data, text } }
  }
  const note = next({ kind: 'file', name: content.type.startsWith('image') ? 'image' : 'file' })
  return note === undefined ? content : ({ type: 'text', text: note } as C)
}

/** A file may be a text, which can be shortened like any other. */
function textData(data: unknown): Extract<FileData, { type: 'text' }> | undefined {
  if (typeof data !== 'object' || data === null || !('text' in data) || typeof data.text !== 'string') return undefined
  return data as Extract<FileData, { type: 'text' }>
}
