import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkdownChunks } from '../../../src/tui/parts/markdown.ts'

const piece = fc.constantFrom(
  'A paragraph of text.\n\n',
  'Two lines\nof one paragraph.\n\n',
  '# A heading\n\n',
  '- one\n- two\n\n  more of two\n\n',
  '1. first\n\n2. second\n\n',
  '```ts\nconst a = 1\n\nconst b = 2\n```\n\n',
  '> quoted\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
)

describe('a growing text in Markdown', () => {
  it('is cut into chunks that together are the text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        expect(new MarkdownChunks().update(text).join('')).toBe(text)
      }),
    )
  })

  it('what is finished never changes, however the text comes in', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 15 }), fc.integer({ min: 1, max: 40 }), (pieces, step) => {
        const text = pieces.join('')
        const growing = new MarkdownChunks()
        let before: readonly string[] = []
        for (let end = step; end < text.length + step; end += step) {
          const now = [...growing.update(text.slice(0, end))]
          expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
          before = now
        }
        expect(before).toEqual(new MarkdownChunks().update(text))
      }),
    )
  })

  it('a blank line inside a code block or a list does not end it', () => {
    const text = '```ts\na\n\nb\n```\n\n- one\n\n- two\n\nafter\n\n'
    expect(new MarkdownChunks().update(text)).toEqual(['```ts\na\n\nb\n```\n\n- one\n\n- two\n\n', 'after\n\n'])
  })

  it('a code block without end is cut in pieces that are code blocks themselves', () => {
    const text = `\`\`\`ts\n${'const a = 1\n'.repeat(4_000)}`
    const chunks = new MarkdownChunks().update(text)
    expect(chunks.length).toBeGreaterThan(2)
    for (const chunk of chunks) expect(chunk.startsWith('```ts\n')).toBe(true)
    expect(chunks.join('').split('const a = 1').length).toBe(4_001)
  })
})
