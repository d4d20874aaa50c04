import { expect } from 'vitest'
import { redactMessage } from '../../../src/engine/context/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../../../src/engine/context/view/summary-item.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import type { EntryQuery, Session, Store } from '../../../src/store/store.ts'
import { assistant, user } from '../../support/messages.ts'
import { changing, compaction } from './drafts.ts'
import { added, create, fork, found, present, range, read, said, sessionOf } from './helpers.ts'

export type Move =
  | { readonly kind: 'say'; readonly session: number; readonly count: number }
  | { readonly kind: 'compact' | 'fork' | 'redact'; readonly session: number; readonly seq: number }

/** The sessions of a run as plain lists. A fork's list begins with the same entries, by id. */
export class Model {
  readonly #store: Store
  readonly #sessions: { session: Session; ids: string[] }[] = []
  readonly #entries = new Map<string, Entry>()
  readonly #words = new Map<string, string>()
  readonly #redacted = new Set<string>()

  constructor(store: Store) {
    this.#store = store
  }

  async begin(): Promise<void> {
    this.#sessions.push({ session: await create(this.#store), ids: [] })
  }

  async apply(next: Move): Promise<void> {
    const at = present(this.#sessions[next.session % this.#sessions.length])
    const { session, ids } = at
    if (next.kind === 'say') return this.#append(at, this.#drafts(next.count))
    const seq = next.seq % (ids.length + 1)
    if (next.kind === 'fork') {
      this.#sessions.push({ session: await fork(this.#store, session, seq), ids: ids.slice(0, seq) })
      return
    }
    const target = ids[seq - 1]
    const entry = target === undefined ? undefined : this.#entries.get(target)
    if (entry?.type !== 'message') return
    if (next.kind === 'compact') {
      const users = [{ seq, text: String(entry.message.content) }]
      return this.#append(at, [compaction({ upTo: seq, indexDelta: { users } })])
    }
    const markers = await this.#store.redact(session.id, [seq])
    expect(markers).toMatchObject([{ type: 'redact', target: seq, seq: ids.length + 1 }])
    this.#redact(entry)
    // Every session that shares the entry says that it was redacted.
    for (const one of this.#sessions.filter(({ ids }) => ids.includes(entry.id))) {
      const own = await read(this.#store, one.session, { order: 'newest', limit: 1 })
      expect(own).toMatchObject([{ type: 'redact', target: seq, seq: one.ids.length + 1 }])
      this.#take(one, own)
    }
  }

  async check(queries: readonly EntryQuery[]): Promise<void> {
    for (const { session, ids } of this.#sessions) {
      const expected = ids.map((id) => comparable(present(this.#entries.get(id))))
      expect((await read(this.#store, session)).map(comparable)).toEqual(expected)
      expect(await sessionOf(this.#store, session)).toMatchObject({
        lastSeq: ids.length,
        revision: Math.max(0, ...expected.flatMap(({ type, seq }) => (changing.has(type) ? [seq] : []))),
      })
      for (const query of queries) {
        const chosen = select(expected, query)
        expect((await read(this.#store, session, query)).map(comparable)).toEqual(chosen)
      }
    }
    for (const [id, word] of this.#words) await this.#checkSearch(id, word)
  }

  async #checkSearch(id: string, word: string): Promise<void> {
    const { session, ids } = present(this.#sessions.find((one) => one.ids.includes(id)))
    const expected = this.#redacted.has(id) ? [] : [ids.indexOf(id) + 1]
    expect(await found(this.#store, { text: word, session: session.id })).toEqual(expected)
  }

  #drafts(count: number): EntryDraft[] {
    const from = this.#entries.size
    return range(1, count).map((i) => said(i % 2 === 0 ? assistant(`word${from + i}end`) : user(`word${from + i}end`)))
  }

  async #append(at: { session: Session; ids: string[] }, drafts: readonly EntryDraft[]): Promise<void> {
    const entries = added(await this.#store.append(at.session.id, drafts))
    expect(entries.map((entry) => entry.seq)).toEqual(drafts.map((_, i) => at.ids.length + 1 + i))
    this.#take(at, entries)
  }

  #take(at: { ids: string[] }, entries: readonly Entry[]): void {
    for (const entry of entries) {
      at.ids.push(entry.id)
      this.#entries.set(entry.id, entry)
      if (entry.type === 'message') this.#words.set(entry.id, String(entry.message.content))
    }
  }

  /** Its text, and what compactions that follow it say of it, wherever it is shared. */
  #redact(entry: Extract<Entry, { type: 'message' }>): void {
    this.#redacted.add(entry.id)
    this.#entries.set(entry.id, { ...entry, message: redactMessage(entry.message) })
    for (const { ids } of this.#sessions.filter((one) => one.ids.includes(entry.id))) {
      for (const id of ids) {
        const other = this.#entries.get(id)
        if (other?.type !== 'compaction') continue
        const users = other.indexDelta.users?.filter((fact) => fact.seq !== entry.seq) ?? []
        const covers = other.from <= entry.seq && entry.seq <= other.upTo
        const summary = covers ? REDACTED_SUMMARY : other.summary
        this.#entries.set(id, { ...other, summary, indexDelta: { users } })
      }
    }
  }
}

/** Whether a kind of facts is empty or absent means nothing. */
function comparable(entry: Entry): Entry {
  return entry.type === 'compaction' ? { ...entry, indexDelta: mergeIndexes([entry.indexDelta]) } : entry
}

function select(entries: readonly Entry[], query: EntryQuery): readonly Entry[] {
  const { from = 0, upTo = Number.POSITIVE_INFINITY, seqs: places, only, order, limit = entries.length } = query
  const chosen = entries
    .filter(({ seq }) => seq >= from && seq <= upTo && (places === undefined || places.includes(seq)))
    .filter(({ type }) => only === undefined || (type === 'message') === (only === 'messages'))
  return order === 'newest' ? chosen.slice(Math.max(0, chosen.length - limit)) : chosen.slice(0, limit)
}
