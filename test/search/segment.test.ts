import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileTerms, toolTerm } from '../../src/search/rank.ts'
import { blockWithout, listsIn, type NewDoc, segmentOf } from '../../src/search/segment.ts'

const docs = fc.array(fc.dictionary(fc.stringMatching(/^[a-e]{1,2}$/), fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 40,
})

it('a block without some documents has the same terms and documents as if they had never been there', () => {
  fc.assert(
    fc.property(docs, fc.func(fc.boolean()), (all, isGone) => {
      const gone = new Set([...all.keys()].filter(isGone))
      const kept = all.map((terms, i) => (gone.has(i) ? {} : terms))
      expect(termsIn(segmentOf(all.map(docOf)), gone)).toEqual(termsIn(segmentOf(kept.map(docOf))))
    }),
  )
})

it('a block that has none of the documents is the same one, and one that has no others is gone', () => {
  const [block] = segmentOf([docOf({ one: 1 }, 0), docOf({ two: 2 }, 1)]).blocks
  if (block === undefined) throw new Error('expected a block')
  expect(blockWithout(block, new Set([7]))).toBe(block)
  expect(blockWithout(block, new Set([0]))).toMatchObject({ first: 'two', terms: 'two' })
  expect(blockWithout(block, new Set([0, 1]))).toBeUndefined()
})

function docOf(terms: Record<string, number>, seq: number): NewDoc {
  return { session: 's', seq, at: 1, length: 1, kind: 0, terms: new Map(Object.entries(terms)) }
}

function termsIn({ blocks }: ReturnType<typeof segmentOf>, gone: ReadonlySet<number> = new Set()) {
  return blocks
    .flatMap((block) => blockWithout(block, gone) ?? [])
    .flatMap((block) => listsIn(block, () => true))
    .map(([term, { docs: found, weights }]) => [term, [...found], [...weights]])
}

it('the name of a file or a tool is a term, whatever characters it has', () => {
  expect(fileTerms('./src/a\nb\ud800.ts')).toEqual(['file:src/ab.ts', 'file:ab.ts'])
  expect(toolTerm('Read\nFile')).toBe('tool:readfile')
})
