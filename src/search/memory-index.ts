import type { IndexReader } from './index-reader.ts'
import { type NewDoc, readDocs, segmentOf } from './segment.ts'
import { type StoredTable, TermTable, tableLists } from './term-table.ts'

/** The index of documents that are in memory: of a session that no database has, or of entries that wait to be indexed. */
export function memoryIndex(docs: readonly NewDoc[]): IndexReader {
  const { blocks, sessions, docs: bytes } = segmentOf(docs)
  const table = new TermTable(blocks)
  const stored: StoredTable = {
    segment: 0,
    table,
    open: async (wanted) => {
      for (const block of wanted) {
        const lists = blocks[block]?.lists
        if (lists !== undefined && !table.isOpen(block)) table.open(block, lists)
      }
    },
  }
  return {
    segments: async () => [{ id: 0, gone: [], sessions, docs: readDocs(bytes) }],
    lists: async (terms) => new Map([[0, await tableLists(stored, terms)]]),
    tables: async () => [stored],
  }
}

/** Several indexes as one. Their segments get other numbers, because two indexes may use the same ones. */
export function joinedIndex(readers: readonly IndexReader[]): IndexReader {
  const all = async <T>(ask: (reader: IndexReader, number: (id: number) => number) => Promise<readonly T[]>) =>
    (await Promise.all(readers.map((reader, i) => ask(reader, (id) => id * readers.length + i)))).flat()
  return {
    segments: () =>
      all(async (reader, number) => (await reader.segments()).map((one) => ({ ...one, id: number(one.id) }))),
    lists: async (terms) =>
      new Map(
        await all(async (reader, number) => {
          const lists = [...(await reader.lists(terms))]
          return lists.map(([segment, list]) => [number(segment), list] as const)
        }),
      ),
    tables: () =>
      all(async (reader, number) =>
        (await reader.tables()).map((stored) => ({ ...stored, segment: number(stored.segment) })),
      ),
  }
}
