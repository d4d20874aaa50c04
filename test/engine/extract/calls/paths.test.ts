import { describe, expect, it } from 'vitest'
import { joinPath, looksLikeFile, withSlashes } from '../../../../src/engine/extract/calls/paths.ts'

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
    ['C:\\work', 'src\\a.ts', 'C:/work/src/a.ts'],
    ['C:\\work', '.\\src\\a.ts', 'C:/work/src/a.ts'],
    ['C:/work', '..\\a.ts', 'C:/a.ts'],
    ['C:/work', '../../../a.ts', 'C:/a.ts'],
    ['/w', 'd:\\x\\..\\a.ts', 'D:/a.ts'],
    ['\\\\server\\share', 'a.ts', '//server/share/a.ts'],
    ['C:/work', '\\\\server\\share\\a.ts', '//server/share/a.ts'],
  ])('from %j to %j is %j', (folder, path, joined) => expect(joinPath(folder, path)).toBe(joined))

  it.each([
    ['c:\\a\\b.ts', 'C:/a/b.ts'],
    ['c:/a/b.ts', 'C:/a/b.ts'],
    ['C:\\Users\\Ada Lovelace\\b.ts', 'C:/Users/Ada Lovelace/b.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['/tmp/a\\b.ts', '/tmp/a\\b.ts'],
    ['src/a\\b.ts', 'src/a\\b.ts'],
    ['/c/a', '/c/a'],
  ])('%j is kept as %j', (path, kept) => expect(withSlashes(path)).toBe(kept))

  it('a file is distinguished from a folder by its name', () => {
    expect(['a.ts', 'x/.env', 'Makefile', '.eslintrc.json'].every(looksLikeFile)).toBe(true)
    expect(['src', 'src/', 'a.b/', '..', '.github'].some(looksLikeFile)).toBe(false)
  })
})
