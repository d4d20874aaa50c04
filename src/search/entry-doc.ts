import { outcomeOf } from '../engine/extract/calls/call-outcome.ts'
import { parseCall } from '../engine/extract/calls/tool-facts.ts'
import { typedIn } from '../engine/extract/text/typed-words.ts'
import { callsOf, type Entry, type EntryOf, jsonText, type Message, outputText, partsOf } from '../model/types.ts'
import { fileTerms, KIND, toolTerm } from './rank.ts'
import type { NewDoc } from './segment.ts'
import { countedTerms, type KnownWords } from './terms.ts'

/** The most characters of an entry that are indexed, so that the index does not become a copy of the log. */
const INDEXED_CHARACTERS = 500_000

/**
 * The text that a search finds an entry by: messages, reasoning, calls, results, to-dos and titles. A record repeats what the
 * log has, so it is found only if the log does not have it, as after a handoff.
 */
export function searchText(entry: Entry): string {
  return textOf(entry).slice(0, INDEXED_CHARACTERS)
}

function textOf(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return partsOf(entry.message)
        .map((part) => {
          if (part.type === 'text' || part.type === 'reasoning') return part.text
          if (part.type === 'tool-call') return `${part.toolName} ${readable(part.input)}`
          return part.type === 'tool-result' ? outputText(part.output) : ''
        })
        .filter((text) => text !== '')
        .join('\n')
    case 'compaction':
      return entry.messages === 0 ? entry.summary : ''
    case 'todo':
      return entry.items.map((item) => item.text).join('\n')
    case 'settings':
      return entry.title ?? ''
    default:
      return ''
  }
}

/** Arguments as their strings, not as JSON, so that the text of a written file is found by its lines. */
function readable(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return jsonText(input)
  return Object.values(input).map(readable).join('\n')
}

/** An entry as a document of the index; undefined for one that no search finds. */
export function docOf(session: string, entry: Entry, known: KnownWords = new Map()): NewDoc | undefined {
  if (isLookUp(entry)) return undefined
  const text = searchText(entry)
  if (text === '') return undefined
  const terms = countedTerms(text, known)
  let length = 0
  for (const count of terms.values()) length += count
  const { kind, names } = entry.type === 'message' ? messageKind(entry) : { kind: 0, names: [] }
  for (const name of names) terms.set(name, 1)
  return { session, seq: entry.seq, at: Math.floor(entry.at / 1_000), length, kind, terms }
}

function messageKind(entry: EntryOf<'message'>): { kind: number; names: string[] } {
  const { message, files = [] } = entry
  const names = files.flatMap(({ path }) => fileTerms(path))
  if (message.role === 'user') return { kind: typedIn(entry) === '' ? 0 : KIND.user, names }
  if (message.role === 'assistant') {
    const parsed = callsOf(message).map((call) => parseCall(call))
    const facts = parsed.flatMap((call) => call.facts)
    const paths = facts.flatMap((fact) => ('path' in fact ? fileTerms(fact.path) : []))
    const isEdit = parsed.some(
      ({ row, facts: own }) => row?.kind !== 'run' && own.some(({ kind }) => kind === 'modified'),
    )
    const tools = parsed.map(({ call }) => toolTerm(call.toolName))
    return { kind: KIND.assistant + (isEdit ? KIND.edit : 0), names: [...names, ...paths, ...tools] }
  }
  if (message.role !== 'tool') return { kind: 0, names }
  const results = message.content.flatMap((part) => (part.type === 'tool-result' ? [part] : []))
  const isError = results.some(({ output }) => outcomeOf(output).ok === false)
  return {
    kind: KIND.tool + (isError ? KIND.error : 0),
    names: [...names, ...results.map(({ toolName }) => toolTerm(toolName))],
  }
}

/** True for a model's call of `recall` in any agent, and for its result. */
export function isLookUp(entry: Entry): boolean {
  if (entry.type !== 'message') return false
  const tools = toolsIn(entry.message)
  return tools.length > 0 && tools.every((name) => /(?:^|[_-])recall$/.test(name))
}

function toolsIn(message: Message): string[] {
  if (message.role !== 'tool') return callsOf(message).map(({ toolName }) => toolName)
  return message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []))
}
