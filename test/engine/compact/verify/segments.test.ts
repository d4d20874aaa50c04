import { describe, expect, it } from 'vitest'
import { markdownSegments, proseOf } from '../../../../src/engine/compact/verify/quotations.ts'

/** Without stretches of white space. */
const segmentsOf = (...lines: string[]) =>
  markdownSegments(lines.join('\n'))
    .map(({ kind, text }) => `${kind}: ${text.trim()}`)
    .filter((segment) => !segment.endsWith(': '))

describe('a Markdown text', () => {
  it('is prose and code between backticks', () => {
    expect(segmentsOf('Run `npm test` and ``b``.')).toEqual([
      'prose: Run',
      'inline: npm test',
      'prose: and',
      'inline: b',
      'prose: .',
    ])
  })

  it('is prose again after a fence', () => {
    expect(segmentsOf('Before', '```ts', 'code `x`', '```', 'after `y`')).toEqual([
      'prose: Before',
      'fence: code `x`',
      'prose: after',
      'inline: y',
    ])
  })

  it('is in a fence until one of its own kind and length closes it', () => {
    expect(segmentsOf('````', '```', 'a', '~~~', '````', 'b')).toEqual(['fence: ```\na\n~~~', 'prose: b'])
    expect(segmentsOf('~~~', 'a', '~~~~', 'b')).toEqual(['fence: a', 'prose: b'])
    expect(segmentsOf('```', 'a', '```ts', 'b')).toEqual(['fence: a\n```ts\nb'])
  })

  it('opens no fence with a line that has code in it', () => {
    expect(segmentsOf('```a``` b')).toEqual(['prose: ```a``` b'])
  })
})

it('the prose of a text has no fence in it, and no quotes in its code', () => {
  expect(proseOf('Say `"a"` now\n```\nsecret\n```\nand "b"')).toMatch(/^Say `'a'` now\n\s*and "b"\n$/)
})
