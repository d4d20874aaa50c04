import { describe, expect, it } from 'vitest'
import { fileDiff } from '../../../src/agent/tools/files/file-diff.ts'
import { diffCounts, diffLines } from '../../../src/tui/parts/diff-lines.ts'

describe('the lines of a diff', () => {
  it('leave out the names of the files, and no changed line that looks like one', () => {
    const diff = fileDiff('a.sql', '-- old remark\nkept\n', '++ new\nkept\n')
    expect(diffLines(diff)).toEqual([
      [
        ['1 -', 'removed', 'removed'],
        ['-- old remark', 'plain', 'removed'],
      ],
      [
        ['1 +', 'added', 'added'],
        ['++ new', 'plain', 'added'],
      ],
      [['2 ', 'muted'], [' '], ['kept', 'plain']],
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
      [' 2 +', 'added', 'added'],
      ['line ', 'plain', 'added'],
      ['two here', 'plain', 'added-word'],
    ])
  })

  it('only the words that changed stand out, and not those between them', () => {
    const words = (line: string, after: string, ground: string) =>
      diffLines(fileDiff('a', `${line}\n`, `${after}\n`)).flatMap((spans) => spans.filter((span) => span[2] === ground))
    const [before, after] = ['return call(a, b, c) + 1', 'return call(x, b, y.z) + 1']
    expect(words(before, after, 'removed-word').map(([text]) => text)).toEqual(['a', 'c'])
    expect(words(before, after, 'added-word').map(([text]) => text)).toEqual(['x', 'y.z'])
    // They have nothing in common: all of it would stand out.
    expect(words('one', 'two', 'added-word')).toEqual([])
  })

  it('have the colours of the language of the file, also in a comment of several lines', () => {
    const diff = fileDiff('a.ts', "/*\n one\n*/\nconst a = 'x'\n", "/*\n const\n*/\nconst a = 'x'\n")
    const tones = diffLines(diff, 'src/a.ts').map((spans) => spans.slice(1).map(([text, tone]) => `${text}: ${tone}`))
    expect(tones[2]).toEqual([' const: muted'])
    expect(tones.at(-1)).toEqual([' : undefined', 'const: keyword', ' a = : plain', "'x': string"])
  })

  it('a file that stays as it is has none', () => {
    expect(diffLines(fileDiff('a', 'same\n', 'same\n'))).toEqual([])
  })

  it('a remark instead of a diff is shown', () => {
    expect(diffLines('(big: too much for a diff)')).toEqual([[['(big: too much for a diff)', 'plain']]])
    expect(diffLines('')).toEqual([])
  })
})
