import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patchFiles } from '../../../../src/engine/extract/calls/patch-files.ts'

describe('the files of a patch', () => {
  it('are those of an apply_patch body, moved ones under both names', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: docs/new file.md',
      '+*** Delete File: no-header.md',
      '*** Update File: src/a.ts',
      '*** Move to: src/b.ts',
      '@@',
      '-x',
      '+y',
      '*** Delete File: old.ts',
      '*** End Patch',
    ]
    const files = [
      { path: 'docs/new file.md', change: 'created' },
      { path: 'src/a.ts', change: 'deleted', to: 'src/b.ts' },
      { path: 'src/b.ts', from: 'src/a.ts' },
      { path: 'old.ts', change: 'deleted' },
    ]
    expect(patchFiles(patch.join('\n'))).toEqual(files)
    expect(patchFiles(patch.join('\r\n'))).toEqual(files)
  })

  it.each([
    ['--- a/src/x.c\n+++ b/src/x.c\n@@ -1 +1 @@\n', [{ path: 'src/x.c' }]],
    ['--- /dev/null\n+++ b/new.c\n', [{ path: 'new.c', change: 'created' }]],
    ['--- a/old.c\n+++ /dev/null\n', [{ path: 'old.c', change: 'deleted' }]],
    ['--- x.c.orig\t2024-01-01 00:00:00\n+++ x.c\t2024-01-02 00:00:00\n', [{ path: 'x.c.orig' }, { path: 'x.c' }]],
    ['--- "a/a b.c"\n+++ "b/a b.c"\n', [{ path: 'a b.c' }]],
    [
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
      [
        { path: 'x', change: 'deleted', to: 'y' },
        { path: 'y', from: 'x' },
      ],
    ],
  ])('are those of a diff: %j', (diff, files) => expect(patchFiles(diff)).toEqual(files))

  it('are not deleted lines that begin with two dashes', () => {
    expect(patchFiles('--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- a comment\n x\n')).toEqual([{ path: 'x.sql' }])
  })

  it('are found in any text without throwing', () => {
    const line = fc.constantFrom(
      '--- ',
      '--- a',
      '+++ ',
      '+++ b/x',
      '*** Move to: ',
      '*** Add File:',
      'rename to  ',
      '"',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(line).map((lines) => lines.join('\n')),
    )
    fc.assert(
      fc.property(text, (patch) => {
        expect(patchFiles(patch).filter(({ path }) => path === '')).toEqual([])
      }),
    )
  })
})

it('reads the paths of Windows in a patch with its line ends', () => {
  const lines = [
    '*** Begin Patch',
    '*** Update File: src\\a.ts',
    '@@',
    '-x',
    '+y',
    '*** Add File: c:\\p\\b.ts',
    '+z',
    '*** End Patch',
  ]
  expect(patchFiles(lines.join('\r\n'))).toEqual([{ path: 'src/a.ts' }, { path: 'C:/p/b.ts', change: 'created' }])
})
