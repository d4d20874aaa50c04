import type { Entry } from '../../../model/types.ts'
import { serialize } from '../../record/serialize.ts'

/**
 * All texts of a log in which a summary may have found a name: whole messages, even if they are masked or summarised
 * by now, earlier summaries with their facts, to-dos, and the handles of the entries.
 */
export function logTexts(log: readonly Entry[]): string[] {
  const texts = log.flatMap((entry) =>
    entry.type === 'message' ? [serialize(entry.message, WHOLE), ...textsOf(entry)] : textsOf(entry),
  )
  return [...texts, handles(log)]
}

/** The texts of a log that are not messages. */
export function textsBesideMessages(log: readonly Entry[]): string[] {
  return [...log.flatMap(textsOf), handles(log)]
}

function handles(log: readonly Entry[]): string {
  return log.map(({ seq }) => `#${seq}`).join(' ')
}

const WHOLE = { cutCharacters: 0 }

/** The texts of an entry apart from its message. */
function textsOf(entry: Entry): string[] {
  switch (entry.type) {
    case 'message':
    case 'checkpoint':
      return (entry.files ?? []).map(({ path }) => path)
    case 'compaction':
      // While a session is open, the messages that these facts came from are not in memory.
      return [entry.summary, JSON.stringify(entry.indexDelta)]
    case 'edit':
      return [entry.summary]
    case 'todo':
      return entry.items.map(({ text }) => text)
    default:
      return []
  }
}
