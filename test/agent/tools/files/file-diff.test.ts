import { applyPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { fileDiff, shortDiff } from '../../../../src/agent/tools/files/file-diff.ts'

const lines = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('')

describe('the diff of a file', () => {
  it('shows every line of a new file, however many they are', () => {
    const diff = fileDiff('new.txt', undefined, lines(9_000, 'new'))
    expect(diff.split('\n').filter((line) => line.startsWith('+new'))).toHaveLength(9_000)
  })

  it('of two texts that are too different to compare takes one out and puts the other in', () => {
    const [before, after] = [`same\n${lines(3_000, 'old')}end\n`, `same\n${lines(5_000, 'new')}--- like a name\nend\n`]
    const diff = fileDiff('a.txt', before, after)
    expect(applyPatch(before, `${diff}\n`)).toBe(after)
    expect(diff).not.toContain('-same')
    expect(diff).not.toContain('+end')
  })

  it('a small change of a file of many megabytes is shown', () => {
    const long = 'text'.repeat(20)
    const before = lines(30_000, long)
    expect(fileDiff('a.txt', before, before.replace(`${long} 20000\n`, 'other\n'))).toBe(
      `@@ -20001,1 +20001,1 @@\n-${long} 20000\n+other`,
    )
  })

  it('for the model it ends after a number of lines, and says how many there are in all', () => {
    const short = shortDiff('a.txt', lines(10, 'old'), lines(20, 'new'), 5).split('\n')
    expect(short).toEqual([
      '@@ -1,10 +1,20 @@',
      ...['-old 0', '-old 1', '-old 2', '-old 3'],
      '(26 more lines of diff; in all +20 -10)',
    ])
  })
})
