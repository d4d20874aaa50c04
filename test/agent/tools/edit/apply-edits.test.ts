import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from '../../../../src/agent/tools/edit/edit.ts'

/** The text after one edit, or why there is none. */
function edited(text: string, oldText: string, newText: string, more: Partial<Edit> = {}): string {
  const result = applyEdits(text, [{ oldText, newText, ...more }])
  return result.ok ? result.text : result.reason
}

describe('an edit', () => {
  it('replaces the only place of a text', () => {
    expect(applyEdits('a b c', [{ oldText: 'b', newText: 'x' }])).toEqual({ ok: true, text: 'a x c', replaced: 1 })
    expect(edited('a b c', 'a', '')).toBe(' b c')
    expect(edited('a b c', 'c', 'x')).toBe('a b x')
  })

  it('replaces all places when asked to, and counts them', () => {
    const all = { oldText: 'a', newText: 'bb', replaceAll: true }
    expect(applyEdits('a a ca', [all])).toEqual({ ok: true, text: 'bb bb cbb', replaced: 3 })
    expect(edited('aaaa', 'aa', 'b', { replaceAll: true })).toBe('bb')
    const many = 'x'.repeat(1_500)
    expect(edited(many, 'x', 'y', { replaceAll: true })).toBe('y'.repeat(1_500))
  })

  it('of a text that appears several times names the lines', () => {
    expect(edited('x\ny\nx', 'x', 'z')).toBe(
      '`oldText` occurs 2 times in the file (lines 1, 3): take in more lines around it, or set replaceAll',
    )
    expect(edited('x\n'.repeat(8), 'x', 'z')).toContain('8 times in the file (lines 1, 2, 3, 4, 5, 6, 7, 8):')
    expect(edited('x\n'.repeat(9), 'x', 'z')).toContain('9 times in the file (lines 1, 2, 3, 4, 5, 6, 7, 8, …):')
    expect(edited('x\n'.repeat(999), 'x', 'z')).toContain('occurs 999 times')
    expect(edited('x\n'.repeat(1_001), 'x', 'z')).toContain('occurs 1000 or more times')
  })

  it('counts places that overlap as two', () => {
    expect(edited('aaa', 'aa', 'b')).toContain('occurs 2 times in the file (lines 1, 1)')
  })

  it('without an old text, or with the same text twice, says so', () => {
    expect(edited('a', '', 'b')).toBe('`oldText` is empty: to make a file or replace all of it use write')
    expect(edited('a', 'a', 'a')).toBe('`oldText` and `newText` are the same')
  })

  it('finds a text whatever its line ends, and writes those of the file', () => {
    expect(edited('a\r\nb\r\nc', 'a\nb', 'x\ny')).toBe('x\r\ny\r\nc')
    expect(edited('a\nb\nc', 'a\r\nb', 'x\ny')).toBe('x\ny\nc')
    expect(edited('a\r\nb\nc\nd', 'c', 'x\ny')).toBe('a\r\nb\nx\ny\nd')
  })
})

describe('several edits', () => {
  it('are counted together, and the one that cannot be made is named', () => {
    const edits = [
      { oldText: 'a', newText: 'b', replaceAll: true },
      { oldText: 'c', newText: 'd' },
    ]
    expect(applyEdits('a a c', edits)).toEqual({ ok: true, text: 'b b d', replaced: 3 })
    expect(applyEdits('a a', edits)).toMatchObject({ ok: false, reason: expect.stringMatching(/^Edit 2: `oldText`/) })
  })

  it('that change nothing together are refused', () => {
    const there = { oldText: 'a', newText: 'b' }
    const back = { oldText: 'b', newText: 'a' }
    expect(applyEdits('a', [there, back])).toEqual({ ok: false, reason: 'The edits change nothing' })
  })
})

describe('a text that is not found', () => {
  const NUMBERS = '`oldText` has the line numbers of read in it: leave out the number and the tab of each line'
  const NOWHERE = '`oldText` is not found in the file: read the lines again and copy them exactly'

  it('may have the line numbers of read', () => {
    expect(edited('one\ntwo\n', '1\tone\n2\ttwo', '')).toBe(NUMBERS)
    expect(edited('one\ntwo\n', '1\tone\n2\ttwo\n', '')).toBe(NUMBERS)
    expect(edited('one\r\ntwo\r\n', '  1\tone\r\n 12\ttwo', '')).toBe(NUMBERS)
    expect(edited('one\ntwo\n', '1\tone\nthree', '')).toBe(NOWHERE)
    expect(edited('one\n\ntwo\n', '1\tone\n\n2\ttwo', '')).not.toBe(NUMBERS)
    expect(edited('one\ntwo\n', '1\tother', '')).toBe(NOWHERE)
  })

  it('may have other white space', () => {
    const at = (line: number) =>
      `\`oldText\` is not found exactly, but it is with other white space at line ${line}: copy its spaces and tabs from the file`
    expect(edited('if (x) {\n\treturn 1\n}\n', 'if (x) {\n  return 1', '')).toBe(at(1))
    expect(edited('a\n\nif (x)\n', 'if  (x)', '')).toBe(at(3))
    expect(edited('a b\nc d\n', 'cd', '')).toBe(at(2))
    expect(edited('a b\nc d\n', 'b  c', '')).toBe(at(1))
  })

  it('may not be there at all', () => {
    expect(edited('a', 'b', '')).toBe(NOWHERE)
    expect(edited('a', ' \t', '')).toBe(NOWHERE)
  })
})
