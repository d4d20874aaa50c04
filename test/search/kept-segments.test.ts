import { describe, expect, it } from 'vitest'
import { KeptSegments, type SegmentStore } from '../../src/search/kept-segments.ts'
import { readQuery } from '../../src/search/query.ts'
import { rank } from '../../src/search/rank.ts'
import { type NewDoc, type Segment, segmentOf } from '../../src/search/segment.ts'
import { countedTerms } from '../../src/search/terms.ts'

describe('segments that are kept between searches', () => {
  it('are soon not read again, and give the same hits from memory', async () => {
    const store = storeOf({ 1: ['a retry limit', 'unlimited retries'], 2: ['the limit'] })
    const kept = new KeptSegments()
    const first = await found(kept, store, 'limit')
    expect(first).toEqual(['2:1', '1:1', '1:2'])
    expect(await found(kept, store, 'limit')).toEqual(first)
    const read = store.reads.length
    expect(await found(kept, store, 'limit')).toEqual(first)
    expect(store.reads).toHaveLength(read)
    expect(store.reads.filter((what) => /^(?:bodies|terms)/.test(what))).toEqual(['bodies 1,2', 'terms 1,2'])
  })

  it('are read again after they were replaced or have changed', async () => {
    const kept = new KeptSegments()
    await found(kept, storeOf({ 1: ['sesame'] }), 'sesame')
    expect(await found(kept, storeOf({ 2: ['corn'] }), 'sesame')).toEqual([])
    expect(await found(kept, storeOf({ 2: ['poppy'] }, 1), 'poppy')).toEqual(['2:1'])
  })

  it('are not mixed up with those that another caller may read', async () => {
    const all = storeOf({ 1: ['sesame'], 2: ['sesame'] })
    const kept = new KeptSegments()
    expect(await found(kept, all, 'sesame')).toHaveLength(2)
    const few = { ...all, heads: async () => (await all.heads()).filter(({ id }) => id === 2) }
    expect(await found(kept, few, 'sesame')).toEqual(['2:1'])
    const read = all.reads.length
    expect(await found(kept, all, 'sesame')).toHaveLength(2)
    expect(all.reads).toHaveLength(read)
  })

  it('give the same hits if there is no room to keep them', async () => {
    const store = storeOf({ 1: ['a retry limit', 'unlimited retries'], 2: ['the limit'] })
    const none = new KeptSegments(0)
    for (let i = 0; i < 2; i++) expect(await found(none, store, 'limit')).toEqual(['2:1', '1:1', '1:2'])
    expect(store.reads.filter((what) => what === 'terms 1,2')).toHaveLength(2)
  })
})

async function found(kept: KeptSegments, store: SegmentStore, text: string): Promise<string[]> {
  const { best } = await rank(kept.reader(store), readQuery(text), () => Number.MAX_SAFE_INTEGER, 10)
  return best.map(({ session, seq }) => `${session}:${seq}`)
}

/** A store with a segment for each list of texts, and the names of all that was read from it. */
function storeOf(texts: Record<number, readonly string[]>, version = 0): SegmentStore & { readonly reads: string[] } {
  const segments = new Map(Object.entries(texts).map(([id, some]) => [Number(id), segmentOf(some.map(docOf(id)))]))
  const reads: string[] = []
  const read = <T>(what: string, of: readonly number[], each: (segment: Segment, id: number) => readonly T[]) => {
    reads.push(`${what} ${of}`)
    return Promise.resolve([...segments].flatMap(([id, segment]) => (of.includes(id) ? each(segment, id) : [])))
  }
  return {
    reads,
    heads: async () => [...segments.keys()].map((id) => ({ id, version, goneIn: () => [] })),
    there: async (ids) => ids.filter((id) => segments.has(id)),
    bodies: (ids) => read('bodies', ids, ({ sessions, docs }, id) => [{ id, sessions, docs }]),
    blocks: (ids) => read('blocks', ids, ({ blocks }, segment) => blocks.map((block) => ({ ...block, segment }))),
    terms: (ids) => read('terms', ids, ({ blocks }, segment) => blocks.map((block) => ({ ...block, segment }))),
    lists: (id, firsts) => read('lists', [id], ({ blocks }) => blocks.filter(({ first }) => firsts.includes(first))),
  }
}

function docOf(session: string): (text: string, i: number) => NewDoc {
  return (text, i) => {
    const terms = countedTerms(text, new Map())
    return { session, seq: i + 1, at: 0, length: terms.size, kind: 0, terms }
  }
}
