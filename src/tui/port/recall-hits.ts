import type { Entry } from '../../model/entry.ts'
import { textOf } from '../../model/message.ts'
import { searchText } from '../../store/search-text.ts'
import type { RecallHit } from './port-data.ts'
import { safeText } from './safe-text.ts'

const MOST_CHARACTERS = 4_000

/** True for `#12`, `12` and `#12-#20`: entries by their handles. Other texts are searched for. */
export function isHandle(text: string): boolean {
  return /^\s*#?\d+(?:\s*-\s*#?\d+)?\s*$/.test(text)
}

type FoundHit = { readonly seq: number; readonly type: string; readonly role?: string; readonly snippet: string }

/** A found place in the log, with the text around it. */
export function foundHit({ seq, type, role, snippet }: FoundHit): RecallHit {
  return { seq, type: role ?? type, text: safeText(snippet) }
}

/** An entry verbatim, up to a limit. */
export function entryHit(entry: Entry): RecallHit {
  const said = entry.type === 'message' ? textOf(entry.message) : ''
  const text = safeText(said === '' ? searchText(entry) : said)
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text
  return { seq: entry.seq, type: entry.type === 'message' ? entry.message.role : entry.type, text: shown }
}
