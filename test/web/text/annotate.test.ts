import { describe, expect, it } from 'vitest'
import { annotate } from '../../../web/text/annotate.ts'

describe('a summary', () => {
  const facts = [
    { kind: 'file', text: 'src/store/store.ts', detail: 'modified', seqs: [4, 9] },
    { kind: 'constraint', text: 'Do not add dependencies.', seqs: [1] },
  ] as const
  const mutable = facts.map((fact) => ({ ...fact, seqs: [...fact.seqs] }))
  const annotated = (summary: string, flagged: string[] = []) =>
    annotate(summary, mutable, flagged)
      .lines.flat()
      .filter((piece) => piece.kind !== 'plain')

  it('has its names linked to the entries that they came from', () => {
    expect(annotated('Changed `src/store/store.ts`. Do not add dependencies.')).toEqual([
      { text: 'src/store/store.ts', kind: 'found', seqs: [4, 9] },
      { text: 'Do not add dependencies.', kind: 'found', seqs: [1] },
    ])
  })

  it('links a path that is named by its end, too', () => {
    expect(annotated('See `store/store.ts`.')).toMatchObject([{ text: 'store/store.ts', seqs: [4, 9] }])
  })

  it('has the names that its source does not contain marked, and counted', () => {
    const { checked, found } = annotate('`src/store/store.ts` and `src/ghost.ts`', mutable, ['src/ghost.ts'])
    expect({ checked, found }).toEqual({ checked: 2, found: 1 })
    expect(annotated('`src/ghost.ts`', ['src/ghost.ts'])).toEqual([{ text: 'src/ghost.ts', kind: 'flagged', seqs: [] }])
  })

  it('is the same text when its pieces are put together', () => {
    const summary = 'a (b) [c] $& \\d\n\n## `src/store/store.ts`:\n- x*y'
    const { lines } = annotate(summary, mutable, ['(b)', '[c]', '$&'])
    expect(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n')).toBe(summary)
  })
})
