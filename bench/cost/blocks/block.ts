import {
  callsOf,
  type Message,
  outputText,
  partsOf,
  resultsOf,
  type Seq,
  type ToolCallPart,
} from '../../../src/model/types.ts'
import type { MeasuredLog } from '../../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { stringsIn } from '../references.ts'

/** Some lines of what a tool answered, of what a call wrote, or of what was said. */
export type Block = {
  readonly seq: Seq
  /** The tokens that were said before its message. */
  readonly place: number
  readonly tokens: number
  readonly text: string
  /** Its lines without line numbers and indentation; short ones are left out, because they occur everywhere. */
  readonly lines: readonly string[]
  readonly words: ReadonlySet<string>
  /** The files that its call names, by folder and name. */
  readonly files: readonly string[]
  readonly kind: 'written' | 'read' | 'searched' | 'ran' | 'called' | 'said'
}

/** A line of a minified file or of a log in JSON is cut here. */
const MOST_CHARACTERS = 400
const SHORTEST_LINE = 12

/** All blocks of a session, in the order of the log. */
export function blocksIn(measured: MeasuredLog, mostLines: number): Block[] {
  const { messages, estimator } = measured
  const places = placesOf(measured)
  const calls = new Map<string, ToolCallPart>()
  const blocks: Block[] = []
  for (const { seq, message } of messages) {
    const place = places.get(message) ?? 0
    for (const call of callsOf(message)) calls.set(call.toolCallId, call)
    for (const { text, kind, files } of textsOf(message, calls)) {
      for (const part of piecesOf(text, mostLines)) {
        const lines = linesOf(part)
        if (lines.length === 0) continue
        blocks.push({
          seq,
          place,
          tokens: estimator.text(part),
          text: part,
          lines,
          words: textWords(part),
          files,
          kind,
        })
      }
    }
  }
  return blocks
}

/** The tokens that were said before each message of a session. */
export function placesOf({ messages, estimator }: MeasuredLog): ReadonlyMap<Message, number> {
  let said = 0
  return new Map(
    messages.map(({ message }) => {
      const place = said
      said += messageTokens(message, estimator)
      return [message, place]
    }),
  )
}

type Source = Pick<Block, 'text' | 'kind' | 'files'>

function textsOf(message: Message, calls: ReadonlyMap<string, ToolCallPart>): Source[] {
  const called = callsOf(message).flatMap((call): Source[] => {
    const files = filesOf(call)
    const written = writtenBy(call.input)
    if (written.length > 0) return written.map((text) => ({ text, kind: 'written', files }))
    return [{ text: stringsIn(call.input).join('\n'), kind: 'called', files }]
  })
  const said = partsOf(message).flatMap((part): Source[] =>
    part.type === 'text' ? [{ text: part.text, kind: 'said', files: [] }] : [],
  )
  const answered = resultsOf(message).map(({ toolCallId, toolName, output }): Source => {
    const call = calls.get(toolCallId)
    return { text: outputText(output), kind: kindOf(toolName, call), files: call === undefined ? [] : filesOf(call) }
  })
  return [...said, ...called, ...answered]
}

/** The new texts of an edit, a patch without the lines that it takes out, and the content of a file that is written. */
function writtenBy(input: unknown): string[] {
  if (typeof input === 'string') return input.includes('*** Begin Patch') ? [patched(input)] : []
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([key, value]) => {
    if (typeof value !== 'string') return writtenBy(value)
    if (value.includes('*** Begin Patch')) return [patched(value)]
    return /^(?:new|content|file_text)/i.test(key) ? [value] : []
  })
}

function patched(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => !line.startsWith('-'))
    .join('\n')
}

function kindOf(toolName: string, call: ToolCallPart | undefined): Block['kind'] {
  const command = call === undefined ? '' : stringsIn(call.input).join(' ')
  if (/grep|glob|search|find/i.test(toolName) || /^\s*(?:rg|grep|git grep|find)\b/.test(command)) return 'searched'
  if (/^(?:read|view)/i.test(toolName) || /^\s*(?:cat|sed -n|nl|head|tail)\b/.test(command)) return 'read'
  return 'ran'
}

/** The files that a call names in the first characters of its arguments. */
export function filesOf(call: ToolCallPart): string[] {
  const names = stringsIn(call.input).flatMap((text) => text.slice(0, 600).match(FILE) ?? [])
  return [...new Set(names.map((name) => name.split(/[\\/]/).slice(-2).join('/')))].slice(0, 6)
}

const FILE = /[\w@./\\+-]+\.[a-z]\w{0,5}\b/gi

function piecesOf(text: string, mostLines: number): string[] {
  const lines = text.split('\n').map((line) => line.slice(0, MOST_CHARACTERS))
  const count = Math.ceil(lines.length / mostLines)
  return Array.from({ length: count }, (_, i) => lines.slice(i * mostLines, (i + 1) * mostLines).join('\n'))
}

/** The lines of a text as they are compared. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\s*[→|:\t]|^[+ ]/, '').trim())
    .filter(({ length }) => length >= SHORTEST_LINE)
}

/** The words of a text. */
export function textWords(text: string): Set<string> {
  return new Set((text.match(WORD) ?? []).map((word) => word.replace(/^[.-]+|[.-]+$/g, '')))
}

const WORD = /[\w@.+-]{3,}/g
