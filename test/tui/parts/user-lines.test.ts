import { describe, expect, it } from 'vitest'
import { userLines } from '../../../src/tui/parts/block-lines.ts'
import { NO_LIMIT } from '../../../src/tui/parts/markdown.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'

const look = { width: 60, theme: themeOf('none'), unfolded: false, budget: NO_LIMIT, chunks: new Map() }
const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, ''))
const pasted = ['Look at this:', ...Array.from({ length: 5_000 }, (_, i) => `row ${i + 1}`), 'What is wrong?'].join(
  '\n',
)

describe('a message of the user', () => {
  it('with a long paste is folded to a line, its beginning and end stay', () => {
    expect(plain(userLines(pasted, look))).toEqual([
      '› Look at this:',
      '  row 1',
      '  row 2',
      '  [paste: 4,997 lines, Ctrl+O shows them]',
      '  row 5000',
      '  What is wrong?',
    ])
  })

  it('opens on demand', () => {
    expect(userLines(pasted, { ...look, unfolded: true })).toHaveLength(5_002)
  })

  it('of ten lines is shown whole', () => {
    expect(userLines('line\n'.repeat(9), look)).toHaveLength(10)
  })

  it('in one line of many thousand characters is folded too', () => {
    const lines = plain(userLines('word '.repeat(2_000), look))
    expect(lines).toHaveLength(6)
    expect(lines[3]).toMatch(/\[paste: 9,[78]\d\d characters, Ctrl\+O shows them\]/)
  })

  it('that begins with a prompt of a shell is a paste like any other', () => {
    const pasted = `$ npm test\n${'file\n'.repeat(30)}What does it mean?`
    expect(plain(userLines(pasted, look))).toContain('  [paste: 27 lines, Ctrl+O shows them]')
  })

  it('that is the output of a command is not called a paste', () => {
    const listed = `$ ls /\n${'file\n'.repeat(30)}[exit code: 0]`
    expect(plain(userLines(listed, look))).toContain('  [output: 27 lines, Ctrl+O shows them]')
    const long = `$ cat a.json\n${'word '.repeat(2_000)}\n[exit code: 0]`
    expect(plain(userLines(long, look)).join('\n')).toMatch(/\[output: 9,\d{3} characters, Ctrl\+O shows them\]/)
  })
})
