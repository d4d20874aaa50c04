import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verify } from '../../../../src/engine/compact/verify/verify.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { full } from '../../../support/full.ts'

const LONG = full ? 200_000 : 40_000

const piece = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '`',
    '```\n',
    '"',
    '“',
    '> ',
    '{a,b}',
    '<x',
    '\\',
    '\\n',
    '\\u12',
    '../',
    'a/b.ts:1',
    '()',
    '…',
    '\ud800',
    '::',
  ),
  fc.constantFrom('src/a.ts', 'parseLine', 'MAX_LINES', 'v1.2.3', 'said: "one two three four"', '\n\n', ' '),
)
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

describe('verify, of any text', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (summary, texts) => {
        const facts = { modifiedFiles: texts, constraints: texts, openTodos: [summary], unresolvedErrors: texts }
        const { invented, checked } = verify(summary, { texts, facts })
        expect(invented.length).toBeLessThanOrEqual(checked)
      }),
    )
  })

  it('reports nothing and misses nothing when the summary is the source', () => {
    fc.assert(
      fc.property(text, (summary) => {
        expect(verify(summary, { texts: [summary], facts: { constraints: [summary] } })).toMatchObject({
          invented: [],
          missing: [],
        })
      }),
    )
  })

  it.each(['a', '/', '.', '{', '<a', '`', '"', ' "', '\n', '\n>', '\\', '\\n', 'a/', 'a.', '(', '-', '_', ': "'])(
    'takes linear time for very many times %j',
    (unit) => {
      const long = unit.repeat(LONG)
      const start = performance.now()
      verify(long, { texts: [long], facts: { constraints: [long], modifiedFiles: [long] } })
      expect(performance.now() - start).toBeLessThan(10_000)
    },
  )

  it('looks up hundreds of names in millions of characters within seconds', () => {
    const source = Array.from(
      { length: full ? 60_000 : 15_000 },
      (_, i) => `line ${i} of src/file${i}.ts says nameNumber${i} again`,
    )
    const summary = Array.from({ length: 300 }, (_, i) => `\`nameNumber${i}\` \`inventedName${i}\``).join('\n')
    const start = performance.now()
    const { invented, checked } = verify(summary, { texts: source })
    expect([invented.length, checked]).toEqual([300, 600])
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
