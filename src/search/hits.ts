import { counted } from '../engine/report/numbers.ts'
import { unindexedText } from '../engine/report/search-text.ts'
import { oneLine } from '../model/text.ts'
import type { Entry, Message, Seq } from '../model/types.ts'
import { docOf } from './entry-doc.ts'
import { type Page, toolOf } from './find-entries.ts'
import { type IndexedSessions, searchIndexed } from './indexed-sessions.ts'
import { memoryIndex } from './memory-index.ts'
import { isBlank, readQuery, typedFilters } from './query.ts'
import type { KnownWords } from './terms.ts'

/** An entry that a search found. */
export type Hit = {
  /** The session that was searched. In a search of all sessions: the one that the entry was appended to or, if that was deleted, a fork of it. */
  readonly session: string
  readonly seq: Seq
  /** The seq of the user message that the entry's turn began with; 0 before the first. */
  readonly turn: Seq
  readonly type: Entry['type']
  /** The role, when it is a message. */
  readonly role?: Message['role']
  /** The tool that was called, or whose result it is. */
  readonly tool?: string
  readonly at: number
  /** The two or three lines around the match. */
  readonly snippet: string
  /** Other entries of the same exchange that match, too. */
  readonly also: readonly Seq[]
  /** The messages right before and after it. */
  readonly near: readonly Seq[]
}

export type SearchResult = {
  /** The best first. */
  readonly hits: readonly Hit[]
  /** How many entries match. */
  readonly total: number
  /** How many entries were searched. */
  readonly searched: number
  /** If there is no hit: words of these entries that are close to those of the query. */
  readonly nearest: readonly string[]
  /** How many entries wait to be indexed, if there are too many to look into all of them now. */
  readonly waiting?: number
}

export const NOTHING_FOUND: SearchResult = { hits: [], total: 0, searched: 0, nearest: [] }

/** Searches a log that no database has, as a database would. */
export async function searchLog(entries: readonly Entry[], text: string, page: Page): Promise<SearchResult> {
  return searchIndexed(indexedLog('', entries), text, page)
}

/** A log in memory, to search in. */
export function indexedLog(id: string, entries: readonly Entry[]): IndexedSessions {
  return indexedLogs(new Map([[id, entries]]))
}

/** Logs in memory, each under its id, to search in together. */
export function indexedLogs(logs: ReadonlyMap<string, readonly Entry[]>): IndexedSessions {
  const known: KnownWords = new Map()
  const all = [...logs].map(([id, entries]) => {
    const turns = entries.filter((entry) => entry.type === 'message' && entry.message.role === 'user')
    return [id, { bySeq: new Map(entries.map((entry) => [entry.seq, entry])), turns }] as const
  })
  const byId = new Map(all)
  return {
    index: memoryIndex([...logs].flatMap(([id, entries]) => entries.flatMap((entry) => docOf(id, entry, known) ?? []))),
    scope: () => Number.POSITIVE_INFINITY,
    read: async (hits) =>
      hits.flatMap(({ session, seq }) => {
        const entry = byId.get(session)?.bySeq.get(seq)
        return entry === undefined ? [] : [{ session, entry }]
      }),
    has: (session) => byId.has(session),
    hitOf: ({ session, entry, lines, also, near }) => {
      const turn = byId.get(session)?.turns.findLast(({ seq }) => seq <= entry.seq)?.seq ?? 0
      return { ...hitOf(entry), session, turn, snippet: lines, also, near }
    },
  }
}

/** The fields of a hit that its entry has. */
export function hitOf(entry: Entry): Pick<Hit, 'seq' | 'type' | 'role' | 'tool' | 'at'> {
  const { seq, type, at } = entry
  return entry.type === 'message'
    ? { seq, type, at, role: entry.message.role, tool: toolOf(entry.message) }
    : { seq, type, at }
}

/** How many hits a model gets: the right one is nearly always among the first five, and each takes room in its window. */
export const MOST_HITS = 6

/** The answer to a model that searches one session. `nameOf` names the sub-agent in whose conversation a hit is. */
export function searchAnswer(text: string, result: SearchResult, nameOf: (hit: Hit) => string = () => ''): string {
  const { hits, total } = result
  const unread = unindexedText(result)
  if (hits.length === 0) return [`${nothingFound(text, result)}.`, ...unread].join('\n')
  const shown = hits.reduce((sum, { also }) => sum + 1 + also.length, 0)
  const rest = total - shown
  const more =
    rest > 0
      ? ` ${counted(rest, 'other entry')} ${rest === 1 ? 'matches' : 'match'}: narrow the search with a word or a filter.`
      : ''
  return [
    ...hits.map((hit) => hitText(hit, nameOf(hit))),
    `To see an entry as a whole: recall its handle.${more}`,
    ...unread,
  ].join('\n')
}

/** Hits as a model reads them: the handle, who said it, when, and the lines around the match. */
export function hitTexts(hits: readonly Hit[]): string[] {
  return hits.map((hit) => hitText(hit))
}

/** `name` is that of the sub-agent whose conversation has the entry: what is in the user's role there is its task. */
function hitText(hit: Hit, name = ''): string {
  const by = name !== '' && hit.role === 'user' ? 'task' : saidBy(hit)
  return `${name}#${hit.seq} (${by}${beside(hit, name)}):\n${indented(hit.snippet)}`
}

/** The handles of other entries that match, and of those next to it. */
export function beside({ also, near }: Pick<Hit, 'also' | 'near'>, name = ''): string {
  const listed = (seqs: readonly Seq[]) => seqs.map((seq) => `${name}#${seq}`).join(', ')
  return `${also.length === 0 ? '' : `; also ${listed(also)}`}${near.length === 0 ? '' : `; next to ${listed(near)}`}`
}

/** The speaker, the tool and the time of a hit. */
export function saidBy({ role, type, tool, at }: Pick<Hit, 'role' | 'type' | 'tool' | 'at'>): string {
  const when = at > 0 ? [new Date(at).toISOString().slice(0, 16).replace('T', ' ')] : []
  return [role ?? type, ...(tool === undefined ? [] : [tool]), ...when].join(', ')
}

const LINE_CHARACTERS = 160

function indented(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `  ${oneLine(line, LINE_CHARACTERS)}`)
    .join('\n')
}

/** One line for a search without a hit: how much was searched, and words that do occur. `where` names the place. */
export function nothingFound(
  text: string,
  { searched, nearest }: Pick<SearchResult, 'searched' | 'nearest'>,
  where = '',
): string {
  const query = readQuery(text)
  if (isBlank(query)) return NOTHING_TO_FIND
  const asked = `Nothing was found for \`${oneLine(text, 80)}\``
  const filters = typedFilters(text).map((filter) => oneLine(filter, 80))
  if (searched === 0 && filters.length > 0)
    return `${asked}: no entry${where} fits \`${filters.join(' ')}\`. Change it or leave it out`
  const words = nearest.map((word) => `\`${word}\``).join(', ')
  const near = nearest.length === 0 ? '' : `. Words that do occur: ${words}`
  const unknown = query.words.length === 0 && query.phrases.length > 0 ? `. ${NOT_INDEXED}` : ''
  return `${asked} in ${counted(searched, 'entry')}${where}${near}${unknown}`
}

/** For a search without words, phrases and filters. */
export const NOTHING_TO_FIND = 'There is nothing to search for: write words, "a phrase" or a filter such as role:user'

const NOT_INDEXED = 'Signs and words such as `the` are not indexed: add a word that says more'
