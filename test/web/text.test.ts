import { describe, expect, it } from 'vitest'
import { annotate } from '../../web/text/annotate.ts'
import { blocksOf, previewOf } from '../../web/text/entry-text.ts'
import { ago } from '../../web/text/times.ts'
import { oneLine, visiblePieces } from '../../web/text/visible.ts'

describe('a summary', () => {
  const facts = [
    { kind: 'file', text: 'src/store/store.ts', detail: 'modified', seqs: [4, 9] },
    { kind: 'constraint', text: 'Do not add dependencies.', seqs: [1] },
  ] as const
  const mutable = facts.map((fact) => ({ ...fact, seqs: [...fact.seqs] }))
  const told = (summary: string, flagged: string[] = []) =>
    annotate(summary, mutable, flagged)
      .lines.flat()
      .filter((piece) => piece.kind !== 'plain')

  it('has its names linked to the entries that they came from', () => {
    expect(told('Changed `src/store/store.ts`. Do not add dependencies.')).toEqual([
      { text: 'src/store/store.ts', kind: 'found', seqs: [4, 9] },
      { text: 'Do not add dependencies.', kind: 'found', seqs: [1] },
    ])
  })

  it('has a path that is said by its end linked too', () => {
    expect(told('See `store/store.ts`.')).toMatchObject([{ text: 'store/store.ts', seqs: [4, 9] }])
  })

  it('has the names that its source does not contain marked, and counted', () => {
    const { checked, found } = annotate('`src/store/store.ts` and `src/ghost.ts`', mutable, ['src/ghost.ts'])
    expect({ checked, found }).toEqual({ checked: 2, found: 1 })
    expect(told('`src/ghost.ts`', ['src/ghost.ts'])).toEqual([{ text: 'src/ghost.ts', kind: 'flagged', seqs: [] }])
  })

  it('is the same text when its pieces are put together', () => {
    const summary = 'a (b) [c] $& \\d\n\n## `src/store/store.ts`:\n- x*y'
    const { lines } = annotate(summary, mutable, ['(b)', '[c]', '$&'])
    expect(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n')).toBe(summary)
  })
})

describe('an entry', () => {
  const at = { id: 'e', seq: 3, at: 0, place: 'whole' as const }

  it('with a call says its arguments in a few words on one line, and all of them in its blocks', () => {
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: '1', toolName: 'grep', input: { pattern: 'x', path: 'src', deep: true } },
    ]
    const entry = { ...at, type: 'message' as const, message: { role: 'assistant', content } }
    expect(previewOf(entry)).toBe('I look.  → grep x · src')
    expect(blocksOf(entry)[1]?.text).toContain('"deep": true')
  })

  it('of every type has words for what it did', () => {
    const sized = { tokens_before: 1200, tokens_after: 300 }
    const said = [
      { ...at, type: 'compaction' as const, messages: 2, ...sized },
      { ...at, type: 'mask' as const, targets: [1], ...sized },
      { ...at, type: 'undo' as const, of: 2 },
      { ...at, type: 'attempt' as const, outcome: 'failed', reason: 'no model' },
    ].map(previewOf)
    expect(said).toEqual([
      'Compacted 2 messages · 1,200 → 300 tokens',
      'Masked old tool output · 1,200 → 300 tokens',
      '#2 was taken back',
      'Compaction failed: no model',
    ])
  })
})

describe('a text', () => {
  it('shows characters that nobody sees by their names, and joins emoji as they were', () => {
    const family = '👩\u200d👧'
    expect(visiblePieces(`a\u202eb\r\n${family}\u0000`)).toEqual([
      { text: 'a', isMark: false },
      { text: 'RLO', isMark: true },
      { text: `b\n${family}`, isMark: false },
      { text: 'U+0000', isMark: true },
    ])
  })

  it('on one line has no line ends, no marks, and an end', () => {
    expect(oneLine(' a\n\tb\u202ec ')).toBe('a b c')
    expect(oneLine('x'.repeat(5_000_000), 10)).toBe('xxxxxxxxx…')
  })
})

describe('times', () => {
  it('are said in the unit that fits', () => {
    expect([ago(0, 30_000), ago(0, 300_000), ago(0, 7_200_000)]).toEqual(['now', '5 min', '2 h'])
  })
})
