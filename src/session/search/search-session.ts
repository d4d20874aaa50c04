import { serialize } from '../../engine/record/serialize.ts'
import { PithError } from '../../model/problems/errors.ts'
import { headOf } from '../../model/text.ts'
import { callsOf, type Entry, jsonText, type Message, type Seq } from '../../model/types.ts'
import { sameTextAs, stringsIn } from '../../store/search/same-text.ts'
import type { Hit, SessionId, Store } from '../../store/store.ts'

/** Searches all entries of a session, including masked and compacted ones. Any text is safe. */
export function searchSession(store: Store, id: SessionId, text: string, limit?: number): Promise<readonly Hit[]> {
  return store.search({ text, session: id, limit })
}

/**
 * The same for a model, without its own earlier searches: a search contains the words that it looks for, so it would be found
 * instead of the conversation.
 */
export async function searchConversation(store: Store, id: SessionId, text: string): Promise<readonly Hit[]> {
  const hits = await searchSession(store, id, text, MOST_SEARCHED)
  const { entries } = await store.entries(id, { seqs: hits.map(({ seq }) => seq), only: 'messages' })
  const lookUps = new Set(entries.flatMap((entry) => (isLookUp(entry) ? [entry.seq] : [])))
  return hits.filter(({ seq }) => !lookUps.has(seq)).slice(0, MOST_HITS)
}

const MOST_SEARCHED = 500
const MOST_HITS = 20

/** Entries verbatim, by handles (`#12`, `12`) or a range (`#12-#20`). Unknown ones are left out. */
export async function recall(store: Store, id: SessionId, what: string | readonly Seq[]): Promise<readonly Entry[]> {
  const { entries } = await store.entries(id, typeof what === 'string' ? handleQuery(what) : { seqs: what })
  return entries
}

/** The entries that handles name: single ones, or a range. */
export function handleQuery(what: string): { seqs: Seq[] } | { from: Seq; upTo: Seq } {
  const range = /^\s*#?(\d+)\s*(?:-|–|\.\.)\s*#?(\d+)\s*$/.exec(what)
  if (range !== null) return { from: Number(range[1]), upTo: Number(range[2]) }
  const seqs = what.split(/[\s,]+/).filter((word) => word !== '')
  const bad = seqs.find((word) => !/^#?\d+$/.test(word))
  if (bad !== undefined || seqs.length === 0) {
    throw new PithError('bad-argument', `\`${bad ?? what}\` is not a handle: write #12, or #12-#20 for a range`)
  }
  return { seqs: seqs.map((word) => Number(word.replace('#', ''))) }
}

/** True for a model's call of `recall` in any agent, and for its result. */
export function isLookUp(entry: Entry): boolean {
  if (entry.type !== 'message') return false
  const tools = toolsIn(entry.message)
  return tools.length > 0 && tools.every((name) => /(?:^|_)recall$/.test(name))
}

function toolsIn(message: Message): string[] {
  if (message.role !== 'tool') return callsOf(message).map(({ toolName }) => toolName)
  return message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []))
}

const AT_ONCE = 500

/**
 * The other messages that repeat the text of an entry, or a word of it that looks like a secret. A redaction of the entry does
 * not change them: the user must redact them, too.
 */
export async function entriesWithSameText(store: Store, id: SessionId, seq: Seq): Promise<readonly Seq[]> {
  const { entries } = await store.entries(id, { seqs: [seq] })
  const [target] = entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  const { isIn } = sameTextAs(target)
  const found: Seq[] = []
  for await (const { seq: other, message } of messagesOf(store, id)) {
    if (other !== seq && stringsIn(message).some(isIn)) found.push(other)
  }
  return found
}

async function* messagesOf(store: Store, id: SessionId): AsyncGenerator<Extract<Entry, { type: 'message' }>> {
  for (let from: Seq | undefined = 1; from !== undefined; ) {
    const { entries } = await store.entries(id, { from, only: 'messages', limit: AT_ONCE })
    for (const entry of entries) if (entry.type === 'message') yield entry
    const last: Entry | undefined = entries.at(-1)
    from = last === undefined ? undefined : last.seq + 1
  }
}

/** As many entries as fit into `characters`, word for word; the last lines say how to get the rest. */
export function recallPage(entries: readonly Entry[], offset: number, characters: number): string {
  const shown: string[] = []
  let room = characters
  for (const [i, entry] of entries.entries()) {
    const text = entryText(entry)
    const title = `#${entry.seq} ${titleOf(entry)}`
    room -= title.length + 3
    const start = entries.length === 1 ? headOf(text, offset).length : 0
    if (i > 0 && text.length > room) return [...shown, rest(entries.slice(i))].join('\n\n')
    const end = headOf(text, start + room).length
    shown.push(`${title}\n${text.slice(start, end)}`)
    if (end < text.length) {
      const missing = `(${text.length - end} characters of #${entry.seq} follow: recall it alone with offset ${end})`
      return [...shown, missing, ...(i + 1 < entries.length ? [rest(entries.slice(i + 1))] : [])].join('\n\n')
    }
    room -= text.length
  }
  return shown.join('\n\n')
}

const LISTED = 20

function rest(entries: readonly Entry[]): string {
  const handles = entries.slice(0, LISTED).map(({ seq }) => `#${seq}`)
  return `(Not shown: ${handles.join(', ')}${entries.length > LISTED ? ', …' : ''}. Recall them by themselves.)`
}

function titleOf(entry: Entry): string {
  return entry.type === 'message' ? `(${entry.message.role})` : `(${entry.type})`
}

function entryText(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return serialize(entry.message, { cutCharacters: 0, isVerbatim: true })
    case 'compaction':
    case 'edit':
      return entry.summary
    case 'todo':
      return entry.items.map(({ text, status }) => `- ${text} (${status})`).join('\n')
    default: {
      const { id: _, seq: __, at: ___, type: ____, ...content } = entry
      return jsonText(content)
    }
  }
}
