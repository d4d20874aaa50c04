import type { Entry } from '../model/entry.ts'
import { jsonText, outputText, partsOf } from '../model/message.ts'

/** The most characters of an entry that are indexed: a search is not a copy of the log. */
const INDEXED_CHARACTERS = 500_000

/** What a search finds an entry by: all that was said, thought, called and answered in it, a summary, a to-do. */
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

/** Arguments as their strings, not as JSON: what was written to a file is found by its lines. */
function readable(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return jsonText(input)
  return Object.values(input).map(readable).join('\n')
}
