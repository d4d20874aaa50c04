import { describe, expect, it } from 'vitest'
import { type FileSpan, fileSpans, isAsLeft } from '../../../src/agent/checkpoints/rewind-files.ts'
import type { Entry, KeptFile, SeenFile } from '../../../src/model/types.ts'

const checkpoint = (...files: KeptFile[]): Entry => ({ id: 'c', seq: 1, at: 0, type: 'checkpoint', files })
const result = (...files: SeenFile[]): Entry => ({
  id: 'r',
  seq: 2,
  at: 0,
  type: 'message',
  message: { role: 'tool', content: [] },
  files,
})

describe('the files that a part of the log changed', () => {
  it('are as they were before the first change, and as the last one left them', () => {
    const entries = [
      checkpoint({ path: 'b', before: 'one', after: 'two', mode: 420 }, { path: 'a', before: null, after: 'new' }),
      checkpoint({ path: 'b', before: 'two', after: 'three', mode: 384, unkept: 'later' }),
      checkpoint({ path: 'c', unkept: 'it is too large' }),
    ]
    expect(fileSpans(entries)).toEqual([
      { path: 'a', before: null, after: 'new' },
      { path: 'b', before: 'one', after: 'three', mode: 420 },
      { path: 'c', before: undefined, after: undefined, unkept: 'it is too large' },
    ])
  })

  it('are as the result of an edit says, not as one of a read or of a command does', () => {
    const edited = checkpoint({ path: 'a', before: 'one' })
    const leftBy = (file: SeenFile) => fileSpans([edited, result(file)])[0]?.after
    expect(leftBy({ path: 'a', access: 'modified', hash: 'two' })).toBe('two')
    expect(leftBy({ path: 'a', access: 'read', hash: 'two' })).toBeUndefined()
    expect(leftBy({ path: 'a', access: 'modified' })).toBeUndefined()
  })

  it('are only those that a checkpoint names', () => {
    expect(fileSpans([result({ path: 'a', access: 'modified', hash: 'two' })])).toEqual([])
  })
})

describe('a file is as the span left it', () => {
  const span = (after: FileSpan['after']): FileSpan => ({ path: 'a', before: null, after })

  it.each<[FileSpan['after'], string | null, boolean]>([
    ['abcd', 'abcd', true],
    ['abcd', 'abcdef', true],
    ['abcdef', 'abcd', false],
    ['cdef', 'abcdef', false],
    ['abcd', null, false],
    [null, null, true],
    [null, 'abcd', false],
    [undefined, 'abcd', false],
    [undefined, null, false],
  ])('%s and now %s: %s', (after, now, is) => {
    expect(isAsLeft(span(after), now)).toBe(is)
  })
})
