import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../../src/engine/extract/text/sentences.ts'

describe('the sentences of a text', () => {
  it('end at full stops, question and exclamation marks, in any script', () => {
    expect(sentencesOf('One. Two? Three! 四。五')).toEqual(['One.', 'Two?', 'Three!', '四。', '五'])
  })

  it('do not end inside a path, a version or a number', () => {
    expect(sentencesOf('See src/a.ts and v1.2.3 for 3.5 percent.')).toEqual([
      'See src/a.ts and v1.2.3 for 3.5 percent.',
    ])
  })

  it('are those of list items and headings too, without their marks', () => {
    expect(sentencesOf('# Plan\n- One.\n2. Two.\n* Three.')).toEqual(['Plan', 'One.', 'Two.', 'Three.'])
  })

  it('are those of a very long line too, if it is prose', () => {
    expect(sentencesOf('It works now. '.repeat(200))).toHaveLength(200)
    expect(sentencesOf('现在可以了。'.repeat(500))).toHaveLength(500)
    expect(sentencesOf(`const a=1;${'b.c(d);'.repeat(500)}`)).toEqual([])
  })

  it('are without the colours of a terminal', () => {
    expect(sentencesOf('\u001b[32mIt works.\u001b[0m And more.')).toEqual(['It works.', 'And more.'])
  })

  it('are not in code and output that was pasted', () => {
    const pasted = [
      '```ts',
      'never()',
      '```',
      'at never (a.ts:1)',
      '| a | b |',
      '@@ -1 +1 @@',
      '$ npm test',
      '2024-01-01 12:00 started',
      '{ "never": 1 }',
      'x'.repeat(2_001),
    ]
    expect(sentencesOf(['Before.', ...pasted, 'After.'].join('\n'))).toEqual(['Before.', 'After.'])
  })

  it('are parts of the text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const sentence of sentencesOf(text)) expect(text).toContain(sentence)
      }),
    )
  })
})
