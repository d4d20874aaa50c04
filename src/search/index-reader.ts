import type { Docs, List } from './segment.ts'
import type { StoredTable } from './term-table.ts'

/** A segment as a search reads it. */
export type StoredSegment = {
  readonly id: number
  readonly sessions: readonly string[]
  readonly docs: Docs
  readonly gone: readonly number[]
}

/** The lists of terms, by segment. */
export type Lists = ReadonlyMap<number, ReadonlyMap<string, List>>

/** The index of the entries that the caller may read, in any database. `segments` is asked first. */
export type IndexReader = {
  segments(): Promise<readonly StoredSegment[]>
  /** The lists of these terms in each segment that has them. */
  lists(terms: readonly string[]): Promise<Lists>
  /** All terms of each segment: to look for parts of words, or for words that look alike. */
  tables(): Promise<readonly StoredTable[]>
}
