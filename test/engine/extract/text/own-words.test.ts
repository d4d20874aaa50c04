import { describe, expect, it } from 'vitest'
import { ownWords } from '../../../../src/engine/extract/text/own-words.ts'

const LOG = '2026-02-08 21:51:50 DEBUG hook invoked hook=stop component=hooks\n'.repeat(20)

describe('what a user typed', () => {
  it.each<[string, string]>([
    ['a log', LOG],
    ['JSON', `{\n${'  "name": "value",\n'.repeat(30)}}`],
    ['a fenced block', `\`\`\`\n${'any words that stand here\n'.repeat(20)}\`\`\``],
    ['a diff', `diff --git a/x b/x\n@@ -1,3 +1,3 @@\n${'+const a = b(c[0]);\n'.repeat(20)}`],
    ['a trace', `Error: no such thing\n${'    at run (/home/me/src/run.ts:12:3)\n'.repeat(12)}`],
    ['one line without a space', 'x'.repeat(900)],
  ])('stays whole around %s, which becomes one line', (_, paste) => {
    const shown = ownWords(`Look at this, please:\n${paste}\nand never touch the port.`, '#7')
    expect(shown).toMatch(/^Look at this, please:\n\[pasted: [^\n]*recall #7\]\nand never touch the port\.$/)
  })

  it('is quoted as it is if nothing was pasted', () => {
    const text = `Please do this:\n\n- first a\n- then b\n\n${'It has to be quick. '.repeat(60)}`
    expect(ownWords(text, '#1')).toBe(text.trim())
  })

  it('is the paste itself if there is nothing else', () => {
    expect(ownWords(LOG, '#1')).toBe(LOG.trim())
  })

  it('keeps a short block', () => {
    expect(ownWords('Run this:\n```\nnpm test\n```', '#1')).toContain('npm test')
  })
})

it('one word of a hundred thousand characters takes little time', () => {
  for (const word of ['q', '=', 'a=', '"', 'ERROR ']) {
    const start = performance.now()
    ownWords(word.repeat(100_000), '#1')
    // Time by the square takes minutes.
    expect(performance.now() - start, word).toBeLessThan(5_000)
  }
})
