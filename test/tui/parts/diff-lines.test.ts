import { describe, expect, it } from 'vitest'
import { fileDiff } from '../../../src/agent/tools/files/file-diff.ts'
import { diffCounts, diffLines } from '../../../src/tui/parts/diff-lines.ts'

describe('the lines of a diff', () => {
  it('leave out the names of the files, and no changed line that looks like one', () => {
    const diff = fileDiff('a.sql', '-- old remark\nkept\n', '++ new\nkept\n')
    expect(diffLines(diff)).toEqual([
      [
        ['1 ', 'muted'],
        ['--- old remark', 'removed'],
      ],
      [
        ['1 ', 'muted'],
        ['+++ new', 'added'],
      ],
      [
        ['2 ', 'muted'],
        [' kept', 'plain'],
      ],
    ])
    expect(diffCounts(diff)).toEqual({ added: 1, removed: 1 })
  })

  it('have the numbers of the old or the new file, and the changed words of a line stand out', () => {
    const before = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`)
    const after = before.with(1, 'line two here').toSpliced(25, 1)
    const lines = diffLines(fileDiff('a', `${before.join('\n')}\n`, `${after.join('\n')}\n`))
    expect(
      lines.map((spans) => spans.map(([text]) => text).join('')).filter((text) => !/^ *\d+ {2}/.test(text)),
    ).toEqual([' 2 -line 2', ' 2 +line two here', '…', '26 -line 26'])
    expect(lines[2]).toEqual([
      [' 2 ', 'muted'],
      ['+line ', 'added'],
      ['two here', 'added-word'],
    ])
  })

  it('a file that stays as it is has none', () => {
    expect(diffLines(fileDiff('a', 'same\n', 'same\n'))).toEqual([])
  })

  it('a remark instead of a diff is shown', () => {
    expect(diffLines('(big: too much for a diff)')).toEqual([[['(big: too much for a diff)', 'plain']]])
    expect(diffLines('')).toEqual([])
  })
})
