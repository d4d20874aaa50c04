import type { IndexReader, Lists, StoredSegment } from './index-reader.ts'
import { type Docs, type List, listsIn, readDocs, type TermBlock } from './segment.ts'
import { type BlockTerms, type StoredTable, TermTable, tableLists } from './term-table.ts'

/** The parts of an index that a database gives back. */
export type SegmentStore = {
  /** The segments of the entries that the caller may read. */
  heads(): Promise<readonly SegmentHead[]>
  /** Those of these segments that are still there, of any caller. */
  there(segments: readonly number[]): Promise<readonly number[]>
  bodies(segments: readonly number[]): Promise<readonly SegmentBody[]>
  /** For each term the block of each segment that may have it. */
  blocks(segments: readonly number[], terms: readonly string[]): Promise<readonly (TermBlock & InSegment)[]>
  /** All terms of these segments, the blocks of each in order. */
  terms(segments: readonly number[]): Promise<readonly (BlockTerms & InSegment)[]>
  /** The lists of blocks of a segment. */
  lists(
    segment: number,
    firsts: readonly string[],
  ): Promise<readonly { readonly first: string; readonly lists: Uint8Array }[]>
}

export type SegmentHead = {
  readonly id: number
  /** Another number after the segment was changed. */
  readonly version: number
  /** The documents that are gone. */
  goneIn(segment: SegmentDocs): readonly number[]
}

export type SegmentBody = { readonly id: number; readonly sessions: readonly string[]; readonly docs: Uint8Array }
export type SegmentDocs = { readonly sessions: readonly string[]; readonly docs: Docs }
type InSegment = { readonly segment: number }

/** The most memory for segments, in bytes. An index of 100,000 entries takes about half of it. */
const MOST_BYTES = 64_000_000
const BYTES_OF_DOC = 24

type Kept = SegmentDocs & { readonly version: number; table?: TermTable }

/**
 * A cache: saves reading the segments of an index from the database again for each search, and decoding them. Dropped when the
 * segments change, and with the store. It has those that were searched last, up to a number of bytes.
 */
export class KeptSegments {
  readonly #kept = new Map<number, Kept>()
  readonly #most: number

  constructor(mostBytes = MOST_BYTES) {
    this.#most = mostBytes
  }

  /** The index for one search. */
  reader(store: SegmentStore): IndexReader {
    const opened = new Map<number, Kept>()
    return {
      segments: () => this.#segments(store, opened),
      lists: async (terms) => {
        const lists = await listsOf(store, opened, terms)
        // Blocks that were opened take memory, too.
        this.#keep(opened)
        return lists
      },
      tables: () => this.#tables(store, opened),
    }
  }

  async #segments(store: SegmentStore, opened: Map<number, Kept>): Promise<StoredSegment[]> {
    const heads = await store.heads()
    await this.#forgetOthers(store, heads)
    const known = (head: SegmentHead) => {
      const kept = opened.get(head.id) ?? this.#kept.get(head.id)
      return kept?.version === head.version ? kept : undefined
    }
    const unknown = heads.filter((head) => known(head) === undefined).map(({ id }) => id)
    const bodies = unknown.length === 0 ? [] : await store.bodies(unknown)
    const read = new Map(bodies.map(({ id, sessions, docs }) => [id, { sessions, docs: readDocs(docs) }]))
    const segments = heads.flatMap((head) => {
      const body = read.get(head.id)
      const kept = known(head) ?? (body && { ...body, version: head.version })
      if (kept === undefined) return []
      opened.set(head.id, kept)
      return [{ id: head.id, sessions: kept.sessions, docs: kept.docs, gone: head.goneIn(kept) }]
    })
    this.#keep(opened)
    return segments
  }

  async #tables(store: SegmentStore, opened: ReadonlyMap<number, Kept>): Promise<StoredTable[]> {
    const without = [...opened].flatMap(([id, { table }]) => (table === undefined ? [id] : []))
    const terms = Map.groupBy(without.length === 0 ? [] : await store.terms(without), ({ segment }) => segment)
    for (const id of without) {
      const kept = opened.get(id)
      if (kept !== undefined) kept.table ??= new TermTable(terms.get(id) ?? [])
    }
    this.#keep(opened)
    return [...opened].flatMap(([segment, { table }]) => (table === undefined ? [] : [tableOf(store, segment, table)]))
  }

  /** Segments that were replaced have words of entries that are gone. */
  async #forgetOthers(store: SegmentStore, heads: readonly SegmentHead[]): Promise<void> {
    const known = new Set(heads.map(({ id }) => id))
    const others = [...this.#kept.keys()].filter((id) => !known.has(id))
    if (others.length === 0) return
    const there = new Set(await store.there(others))
    for (const id of others) if (!there.has(id)) this.#kept.delete(id)
  }

  /** Keeps the segments of a search instead of older ones. If there are too many, some of them are read again each time. */
  #keep(opened: ReadonlyMap<number, Kept>): void {
    for (const [id, kept] of opened) {
      this.#kept.delete(id)
      this.#kept.set(id, kept)
    }
    let bytes = 0
    for (const kept of this.#kept.values()) bytes += bytesOf(kept)
    for (const [id, kept] of this.#kept) {
      if (bytes <= this.#most) return
      bytes -= bytesOf(kept)
      this.#kept.delete(id)
    }
  }
}

function bytesOf({ docs, table }: Kept): number {
  return docs.count * BYTES_OF_DOC + (table?.bytes ?? 0)
}

function tableOf(store: SegmentStore, segment: number, table: TermTable): StoredTable {
  return {
    segment,
    table,
    async open(blocks) {
      const closed = new Map<string, number>()
      for (const block of blocks) if (!table.isOpen(block)) closed.set(table.blocks[block]?.first ?? '', block)
      if (closed.size === 0) return
      for (const { first, lists } of await store.lists(segment, [...closed.keys()]))
        table.open(closed.get(first) ?? 0, lists)
    },
  }
}

/** If the terms of a segment are in memory, so are most of the lists that are asked for. */
async function listsOf(
  store: SegmentStore,
  opened: ReadonlyMap<number, Kept>,
  terms: readonly string[],
): Promise<Lists> {
  const lists = new Map<number, Map<string, List>>()
  const others: number[] = []
  for (const [segment, { table }] of opened) {
    if (table === undefined) others.push(segment)
    else lists.set(segment, await tableLists(tableOf(store, segment, table), terms))
  }
  const wanted = new Set(terms)
  for (const block of others.length === 0 ? [] : await store.blocks(others, terms)) {
    const here = lists.get(block.segment) ?? new Map<string, List>()
    for (const [term, list] of listsIn(block, (one) => wanted.has(one))) here.set(term, list)
    lists.set(block.segment, here)
  }
  return lists
}
