import type { IndexReader, StoredBlock } from './rank.ts'
import { type NewDoc, segmentOf } from './segment.ts'

/** The index of documents that are in memory: of a session that no database has, or of entries that wait to be indexed. */
export function memoryIndex(docs: readonly NewDoc[]): IndexReader {
  const { blocks, ...segment } = segmentOf(docs)
  const stored = (some: typeof blocks): StoredBlock[] => some.map((block) => ({ ...block, segment: 0 }))
  return {
    segments: async () => [{ id: 0, gone: [], ...segment }],
    blocks: async (terms) => {
      const places = new Set(terms.map((term) => blocks.findLastIndex(({ first }) => first <= term)))
      return stored([...places].flatMap((place) => blocks[place] ?? []))
    },
    blocksWith: async (parts) => stored(blocks.filter(({ terms }) => parts.some((part) => terms.includes(part)))),
  }
}

/** Several indexes as one. Their segments get other numbers, because two indexes may use the same ones. */
export function joinedIndex(readers: readonly IndexReader[]): IndexReader {
  const all = async <T>(ask: (reader: IndexReader, number: (id: number) => number) => Promise<readonly T[]>) =>
    (await Promise.all(readers.map((reader, i) => ask(reader, (id) => id * readers.length + i)))).flat()
  return {
    segments: () =>
      all(async (reader, number) => (await reader.segments()).map((one) => ({ ...one, id: number(one.id) }))),
    blocks: (terms) => all(async (reader, number) => (await reader.blocks(terms)).map(renumbered(number))),
    blocksWith: (parts) => all(async (reader, number) => (await reader.blocksWith(parts)).map(renumbered(number))),
  }
}

/** A database may read the lists only when they are used. */
function renumbered(number: (id: number) => number): (block: StoredBlock) => StoredBlock {
  return (block) => ({
    segment: number(block.segment),
    first: block.first,
    terms: block.terms,
    get lists() {
      return block.lists
    },
  })
}
