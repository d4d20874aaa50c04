import { describe, expect, it } from 'vitest'
import { joinPath, looksLikeFile } from '../../../../src/engine/extract/calls/paths.ts'

describe('paths', () => {
  it.each([
    ['', 'a.ts', 'a.ts'],
    ['', './a//b/', 'a/b'],
    ['src', '../a.ts', 'a.ts'],
    ['src', '../../a.ts', '../a.ts'],
    ['/w', '../../a.ts', '/a.ts'],
    ['/w', '/x', '/x'],
    ['/w', '~/x', '~/x'],
    ['~', '../x', '~/../x'],
    ['/w', 'C:/x', 'C:/x'],
    ['', '', '.'],
  ])('from %j to %j is %j', (folder, path, joined) => expect(joinPath(folder, path)).toBe(joined))

  it('a file is distinguished from a folder by its name', () => {
    expect(['a.ts', 'x/.env', 'Makefile', '.eslintrc.json'].every(looksLikeFile)).toBe(true)
    expect(['src', 'src/', 'a.b/', '..', '.github'].some(looksLikeFile)).toBe(false)
  })
})
