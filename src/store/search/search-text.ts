import { type Entry, jsonText, outputText, partsOf } from '../../model/types.ts'

/** The most characters of an entry that are indexed, so that the index does not become a copy of the log. */
const INDEXED_CHARACTERS = 500_000

/** The text that a search finds an entry by: messages, reasoning, calls, results, summaries, to-dos and titles. */
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
    case 'edit':
      return entry.summary
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

/** A piece of text around the first place where a query occurs in it, on one line. */
export function snippet(text: string, query: string, characters = 160): string {
  const at = placeOf(text, query)
  const from = Math.max(0, at - Math.max(0, Math.floor((characters - query.length) / 2)))
  const piece = text
    .slice(from, from + characters)
    .replace(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${piece}${from + characters < text.length ? '…' : ''}`
}

/** Without `toLowerCase`: some letters are longer in lower case, and the place would shift. */
function placeOf(text: string, query: string): number {
  const exact = text.indexOf(query)
  if (exact !== -1) return exact
  const literal = query.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return Math.max(0, text.search(new RegExp(literal, 'i')))
}
