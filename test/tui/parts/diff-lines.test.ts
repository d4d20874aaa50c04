import { describe, expect, it } from 'vitest'
import { fileDiff } from '../../../src/agent/tools/files/file-diff.ts'
import { diffLines } from '../../../src/tui/parts/diff-lines.ts'

describe('the lines of a diff', () => {
  it('leave out the names of the files, and no changed line that looks like one', () => {
    const diff = fileDiff('a.sql', '-- old remark\nkept\n', '++ new\nkept\n')
    expect(diffLines(diff)).toEqual([
      ['@@ -1,2 +1,2 @@', 'muted'],
      ['--- old remark', 'removed'],
      ['+++ new', 'added'],
      [' kept', 'plain'],
    ])
  })

  it('a file that stays as it is has none', () => {
    expect(diffLines(fileDiff('a', 'same\n', 'same\n'))).toEqual([])
  })

  it('a remark instead of a diff is shown', () => {
    expect(diffLines('(big: too much for a diff)')).toEqual([['(big: too much for a diff)', 'plain']])
    expect(diffLines('')).toEqual([])
  })
})
