import { serialize } from '../../engine/record/serialize.ts'
import { count } from '../../engine/report/numbers.ts'
import { PithError } from '../../model/problems/errors.ts'
import { headOf } from '../../model/text.ts'
import { type Entry, jsonText, type Seq } from '../../model/types.ts'
import type { Page } from '../../search/find-entries.ts'
import { readHandles } from '../../search/handles.ts'
import type { SearchResult } from '../../search/hits.ts'
import { type SameText, sameTextAs, stringsIn } from '../../store/search/same-text.ts'
import type { BadRow, SearchQuery, SessionId, Store } from '../../store/store.ts'

/** Searches all entries of a session, including masked and compacted ones. Any text is safe. */
export function searchSession(
  store: Store,
  id: SessionId,
  text: string,
  page: Partial<Page> & Pick<SearchQuery, 'with'> = {},
): Promise<SearchResult> {
  return store.search({ text, session: id, ...page })
}

/** `raw`: the output of commands as it came, if more is kept than the message has. `onBad` gets the entries that cannot be read. */
export type EntriesOptions = { readonly raw?: boolean; readonly onBad?: (rows: readonly BadRow[]) => void }

/** Entries verbatim, by handles as people write them (`#12`, `#12, #15-#20, 31`). Unknown ones are left out. */
export async function recall(
  store: Store,
  id: SessionId,
  what: string | readonly Seq[],
  { raw = false, onBad }: EntriesOptions = {},
): Promise<readonly Entry[]> {
  const queries = typeof what === 'string' ? readHandles(what) : [{ seqs: what }]
  const pages = await Promise.all(queries.map((query) => store.entries(id, { ...query, raw })))
  const found = bySeq(pages.flatMap(({ entries }) => entries))
  onBad?.(bySeq(pages.flatMap(({ bad }) => bad)))
  return raw ? found.map(withRawOutput) : found
}

/** Each row once, although ranges may overlap. */
function bySeq<Row extends { readonly seq: Seq }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.seq, row])).values()].toSorted((a, b) => a.seq - b.seq)
}

/** The entry with its raw output instead of the text that a terminal would show. Control characters are written as signs. */
function withRawOutput(entry: Entry): Entry {
  if (entry.type !== 'message' || entry.raw === undefined) return entry
  const { raw, shown: _, ...rest } = entry
  const text = raw.replace(CONTROLS, (sign) => String.fromCharCode(sign < ' ' ? SIGNS + sign.charCodeAt(0) : 0xfffd))
  const { message } = entry
  if (message.role === 'user') return { ...rest, message: { ...message, content: text } }
  if (message.role !== 'tool') return entry
  const output = { type: 'text' as const, value: text }
  const content = message.content.map((part) => (part.type === 'tool-result' ? { ...part, output } : part))
  return { ...rest, message: { ...message, content } }
}

const CONTROLS = /[\0-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Unicode has a sign for each control character from here on, such as ␛ for an escape. */
const SIGNS = 0x2400

/** A log as far as it can be read, and a sentence about entries that another session has and that cannot be read. */
export type WholeLog = { readonly entries: readonly Entry[]; readonly missing?: string }

/** Says that a log has none of these entries, and which ones it has. `earlier` is for a log that continues an unknown one. */
export function noEntryText(name: string, handles: string, { entries, missing }: WholeLog, earlier: string): string {
  const first = entries[0]?.seq ?? 0
  const none = `${name} has no entry ${handles}: its entries are #${first} to #${entries.at(-1)?.seq ?? 0}`
  // A session after a handoff begins with the record of another session, and with that record's handles.
  return first > 1 ? `${none}. ${missing ?? earlier}` : none
}

const AT_ONCE = 500

/**
 * The other messages that repeat the text of an entry, or a word of it that looks like a secret. A redaction of the entry does
 * not change them: the user must redact them, too.
 */
export async function entriesWithSameText(store: Store, id: SessionId, seq: Seq): Promise<readonly Seq[]> {
  const { entries } = await store.entries(id, { seqs: [seq], raw: true })
  const [target] = entries
  if (target === undefined) throw new PithError('unknown-entry', `session ${id} has no entry #${seq}`)
  return (await repetitionsIn(store, id, [sameTextAs(target)])).filter((other) => other !== seq)
}

/** The messages of a session that have one of these texts. */
export async function repetitionsIn(store: Store, id: SessionId, texts: readonly SameText[]): Promise<Seq[]> {
  const isIn = (text: string) => texts.some((each) => each.isIn(text))
  const found: Seq[] = []
  for await (const { seq, message, raw } of messagesOf(store, id)) {
    if (stringsIn([message, raw]).some(isIn)) found.push(seq)
  }
  return found
}

async function* messagesOf(store: Store, id: SessionId): AsyncGenerator<Extract<Entry, { type: 'message' }>> {
  for (let from: Seq | undefined = 1; from !== undefined; ) {
    const { entries } = await store.entries(id, { from, only: 'messages', limit: AT_ONCE, raw: true })
    for (const entry of entries) if (entry.type === 'message') yield entry
    const last: Entry | undefined = entries.at(-1)
    from = last === undefined ? undefined : last.seq + 1
  }
}

/**
 * As many entries as fit into `characters`, word for word; the last lines say how to get the rest. `name` is that of the
 * sub-agent whose conversation they are of: what is in the user's role there is its task.
 */
export function recallPage(entries: readonly Entry[], offset: number, characters: number, name = ''): string {
  const shown: string[] = []
  let room = characters
  for (const [i, entry] of entries.entries()) {
    const text = name === '' ? entryText(entry) : entryText(entry).replace(/^\[User\]: /, '[Task]: ')
    const title = `${name}#${entry.seq} ${titleOf(entry, name)}`
    room -= title.length + 3
    const start = entries.length === 1 ? headOf(text, offset).length : 0
    if (i > 0 && text.length > room) return [...shown, rest(entries.slice(i), name)].join('\n\n')
    const end = headOf(text, start + room).length
    shown.push(`${title}\n${text.slice(start, end)}`)
    if (end < text.length) {
      const missing = `(${text.length - end} characters of ${name}#${entry.seq} follow: recall it alone with offset ${end})`
      return [...shown, missing, ...(i + 1 < entries.length ? [rest(entries.slice(i + 1), name)] : [])].join('\n\n')
    }
    room -= text.length
  }
  return shown.join('\n\n')
}

const LISTED = 20

function rest(entries: readonly Entry[], name: string): string {
  const handles = entries.slice(0, LISTED).map(({ seq }) => `${name}#${seq}`)
  return `(Not shown: ${handles.join(', ')}${entries.length > LISTED ? ', …' : ''}. Recall them by themselves.)`
}

function titleOf(entry: Entry, name: string): string {
  if (entry.type !== 'message') return `(${entry.type})`
  if (entry.shown?.raw !== undefined) return `(${entry.message.role}; ${rawText(entry.shown.raw)})`
  return name !== '' && entry.message.role === 'user' ? '(task)' : `(${entry.message.role})`
}

function rawText(characters: number): string {
  return `as a terminal shows it: the raw output has ${count(characters)} characters, recall it with raw`
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
