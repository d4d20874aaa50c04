import type { Entry } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { isLookUp } from '../session/search/is-look-up.ts'
import { searchText } from '../store/search/search-text.ts'
import { snippet } from '../store/search/snippet.ts'

/** An entry that contains the text of a search. */
export type LogHit = { readonly seq: Seq; readonly by: string; readonly snippet: string }

/**
 * The entries of a log that contain a text, the newest first; where none has it, those that have all of its words. Earlier
 * searches are left out: they have the words that they look for.
 */
export function searchLog(entries: readonly Entry[], text: string, most: number): LogHit[] {
  const whole = found(entries, [text], most)
  const words = text.split(/\s+/).filter((word) => word !== '')
  return whole.length > 0 || words.length < 2 ? whole : found(entries, words, most)
}

function found(entries: readonly Entry[], texts: readonly string[], most: number): LogHit[] {
  const wanted = texts.map((text) => text.toLowerCase())
  const hits: LogHit[] = []
  for (const entry of entries.toReversed()) {
    if (hits.length >= most) break
    const said = searchText(entry)
    const folded = said.toLowerCase()
    if (said === '' || isLookUp(entry) || !wanted.every((text) => folded.includes(text))) continue
    hits.push({ seq: entry.seq, by: byOf(entry), snippet: snippet(said, texts[0] ?? '', SNIPPET_CHARACTERS) })
  }
  return hits
}

const SNIPPET_CHARACTERS = 240

function byOf(entry: Entry): string {
  return entry.type === 'message' ? entry.message.role : entry.type
}
