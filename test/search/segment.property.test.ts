import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextMerge } from '../../src/search/next-merge.ts'
import { listsIn, merged, type NewDoc, readDocs, type Segment, segmentOf } from '../../src/search/segment.ts'

const term = fc.stringMatching(/^[a-zäé0-9重试.:]{1,12}$/u)
const doc = fc
  .record({
    session: fc.constantFrom('s1', 's2', 'a longer id'),
    seq: fc.nat(5_000_000),
    at: fc.nat(4_000_000_000),
    length: fc.nat(1_000_000),
    kind: fc.nat(63),
    terms: fc.dictionary(term, fc.integer({ min: 1, max: 300 }), { maxKeys: 30 }),
  })
  .map(({ terms, ...rest }): NewDoc => ({ ...rest, terms: new Map(Object.entries(terms)) }))
const docs = fc.array(doc, { maxLength: 60 })

describe('a segment', () => {
  it('has all of its documents and their terms, however many blocks it has', () => {
    fc.assert(
      fc.property(docs, (all) => {
        expect(contentOf(segmentOf(all))).toEqual(expected(all))
      }),
    )
  })

  it('that is merged has the documents of all, without those that are gone', () => {
    fc.assert(
      fc.property(fc.array(docs, { maxLength: 6 }), fc.func(fc.boolean()), (parts, isGone) => {
        const sources = parts.map((part, i) => {
          const gone = new Set(part.flatMap((_, at) => (isGone(i, at) ? [at] : [])))
          return { part, source: { ...segmentOf(part), gone }, left: part.filter((_, at) => !gone.has(at)) }
        })
        const work = merged(sources.map(({ source }) => source))
        let step = work.next()
        while (step.done !== true) step = work.next()
        expect(contentOf(step.value)).toEqual(expected(sources.flatMap(({ left }) => left)))
      }),
    )
  })

  it('has its blocks in order, so that a database finds the block of a term', () => {
    const many = Array.from({ length: 50 }, (_, i) => ({
      session: 's',
      seq: i,
      at: 0,
      length: 9,
      kind: 0,
      terms: new Map(Array.from({ length: 200 }, (_, j) => [`t${(i * 37 + j * 11) % 2_000}`, 1])),
    }))
    const { blocks } = segmentOf(many)
    expect(blocks.length).toBeGreaterThan(2)
    const firsts = blocks.map(({ first }) => first)
    expect(firsts).toEqual(firsts.toSorted())
    for (const [i, { first, terms }] of blocks.entries()) {
      const names = terms.split('\n')
      expect(names[0]).toBe(first)
      expect(names.every((name) => i + 1 === blocks.length || name < (firsts[i + 1] ?? ''))).toBe(true)
    }
  })
})

describe('merges', () => {
  it('keep the segments few, however the entries come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 128 }), { minLength: 50, maxLength: 400 }), (batches) => {
        let segments: { id: number; count: number }[] = []
        let id = 0
        for (const count of batches) {
          segments.push({ id: id++, count })
          for (let next = nextMerge(segments); next.length > 0; next = nextMerge(segments)) {
            const taken = segments.filter((one) => next.includes(one.id))
            const sum = taken.reduce((all, one) => all + one.count, 0)
            segments = [...segments.filter((one) => !next.includes(one.id)), { id: id++, count: sum }]
          }
        }
        expect(segments.length).toBeLessThan(45)
        expect(segments.reduce((all, { count }) => all + count, 0)).toBe(batches.reduce((all, one) => all + one, 0))
      }),
    )
  })
})

/** The documents of a segment with their terms, in order. */
function contentOf(segment: Segment): unknown[] {
  const { count, session, seq, at, length, kind } = readDocs(segment.docs)
  const terms = Array.from({ length: count }, () => new Map<string, number>())
  for (const block of segment.blocks) {
    for (const [name, list] of listsIn(block, () => true)) {
      for (const [i, one] of list.docs.entries()) terms[one]?.set(name, list.weights[i] ?? 0)
    }
  }
  return terms.map((own, i) => [
    segment.sessions[session[i] ?? -1],
    seq[i],
    at[i],
    length[i],
    kind[i],
    [...own].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}

function expected(docs: readonly NewDoc[]): unknown[] {
  return docs.map(({ session, seq, at, length, kind, terms }) => [
    session,
    seq,
    at,
    length,
    kind,
    [...terms].map(([name, weight]) => [name, Math.min(weight, 255)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}
