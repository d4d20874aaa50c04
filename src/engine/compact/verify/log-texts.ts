import type { Entry } from '../../../model/entry.ts'
import { serialize } from '../../record/serialize.ts'

/**
 * All texts of a log in which a summary may have found a name: messages whole, also those that are masked or summarised
 * by now, earlier summaries with their facts, to-dos, and the handles of the entries.
 */
export function logTexts(log: readonly Entry[]): string[] {
  return [...log.flatMap(textsOf), log.map(({ seq }) => `#${seq}`).join(' ')]
}

const WHOLE = { cutCharacters: 0 }

function textsOf(entry: Entry): string[] {
  switch (entry.type) {
    case 'message':
      return [serialize(entry.message, WHOLE), ...(entry.files ?? []).map(({ path }) => path)]
    case 'compaction':
      // In a session that is open the messages behind these facts are not in memory.
      return [entry.summary, JSON.stringify(entry.indexDelta)]
    case 'edit':
      return [entry.summary]
    case 'todo':
      return entry.items.map(({ text }) => text)
    default:
      return []
  }
}
