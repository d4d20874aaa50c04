import type { Entry } from '../../model/entry.ts'
import { textOf } from '../../model/message.ts'
import { recall, searchSession } from '../../session/search-session.ts'
import { searchText } from '../../store/search-text.ts'
import type { Store } from '../../store/store.ts'
import type { RecallHit } from '../port-data.ts'
import { safeText } from '../safe-text.ts'

const MOST_HITS = 8
const MOST_CHARACTERS = 4_000

/** Where a text was said in the whole log, or what a handle such as `#12` stands for, verbatim. */
export async function findInLog(store: Store, id: string, what: string): Promise<RecallHit[]> {
  if (/^\s*#?\d+(?:\s*-\s*#?\d+)?\s*$/.test(what)) {
    return (await recall(store, id, what)).map((entry) => hitOf(entry))
  }
  const hits = await searchSession(store, id, what, MOST_HITS)
  return hits.map(({ seq, type, snippet }) => ({ seq, type, text: safeText(snippet) }))
}

function hitOf(entry: Entry): RecallHit {
  const said = entry.type === 'message' ? textOf(entry.message) : ''
  const text = safeText(said === '' ? searchText(entry) : said)
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text
  return { seq: entry.seq, type: entry.type === 'message' ? entry.message.role : entry.type, text: shown }
}
