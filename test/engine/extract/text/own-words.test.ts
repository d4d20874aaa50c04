import { describe, expect, it } from 'vitest'
import { ownWords } from '../../../../src/engine/extract/text/own-words.ts'

const LOG = Array<string>(20).fill('2026-02-08 21:51:50 DEBUG hook invoked hook=stop component=hooks').join('\n')

describe('what a user typed', () => {
  it.each<[string, string]>([
    ['a log', LOG],
    ['JSON', `{\n${'  "name": "value",\n'.repeat(30)}}`],
    ['a fenced block', `\`\`\`py\n${'# a remark of the code\n'.repeat(20)}\`\`\``],
    ['a diff', `diff --git a/x b/x\n@@ -1,3 +1,3 @@${'\n+const a = b(c[0]);'.repeat(20)}`],
    ['a trace', `Error: no such thing${'\n    at run (/home/me/src/run.ts:12:3)'.repeat(12)}`],
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

  it('is not part of the logs before and after it', () => {
    const shown = ownWords(`The old session:\n${LOG}\n\nand this is the new one:\n${LOG}`, '#1')
    expect(shown.replace(/\[pasted:[^\n]*\]/g, '[…]')).toBe('The old session:\n[…]\n\nand this is the new one:\n[…]')
  })

  it('stays after a fence that nothing closes', () => {
    const text = `See:\n\`\`\`\n${LOG}\nNow delete the old port and keep the new one.`
    expect(ownWords(text, '#1')).toMatch(/\]\nNow delete the old port and keep the new one\.$/)
  })

  it('stays between the end of a block whose beginning is missing and the next block', () => {
    const text = `${LOG}\n\`\`\`\nThe file may contain:\n\`\`\`py\n${'# a remark of the code\n'.repeat(20)}\`\`\``
    expect(ownWords(text, '#1')).toMatch(/^\[pasted:.*\]\n```\nThe file may contain:\n\[pasted:.*\]$/)
  })

  it('stays if it is a list of tasks that name code', () => {
    const tasks = Array.from(
      { length: 6 },
      (_, i) => `${i}. **Replace \`a${i}()\` with \`slog\`**: leveled (\`branch=main\`).`,
    )
    const text = `Do these:\n${tasks.join('\n')}\n${LOG}`
    expect(ownWords(text, '#1')).toContain(tasks.join('\n'))
  })

  it('stays if it is between the marks of a fence of words; without a language it is a paste', () => {
    const text = `The task:\n\`\`\`text\n${'Write one file for each format, and never touch the others.\n'.repeat(12)}\`\`\`\n${LOG}`
    expect(ownWords(text, '#1').match(/never touch/g)).toHaveLength(12)
    const plain = ownWords(text.replace('```text', '```'), '#1')
    expect(plain).toMatch(/^The task:\n\[pasted: 12 lines, .*“Write one file .*”, recall #1\]/)
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
