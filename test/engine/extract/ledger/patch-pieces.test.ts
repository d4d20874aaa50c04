import { expect, it } from 'vitest'
import { patchPieces } from '../../../../src/engine/extract/ledger/text-pieces.ts'

const lines = (...all: readonly string[]) => Object.fromEntries(patchPieces(all.join('\n')))

it('the pieces of a patch belong to the file above them; a moved file has its new path', () => {
  expect(
    lines(
      '*** Begin Patch',
      '*** Update File: a.ts',
      '*** Move to: b.ts',
      '@@ class A',
      '-old',
      '+new',
      '*** Add File: c.ts',
      '+fresh',
      '*** Update File: d.ts',
      '*** Move to: ',
      '-one',
      '+two',
      '*** End Patch',
    ),
  ).toEqual({
    'b.ts': [{ before: 'class A\nold', after: 'class A\nnew' }],
    'c.ts': [{ after: 'fresh' }],
    'd.ts': [{ before: 'one', after: 'two' }],
  })
})

it('the pieces of a diff belong to the pair of names above them; a deleted line may look like half of one', () => {
  expect(
    lines(
      'diff --git a/a.sql b/a.sql',
      '--- a/a.sql',
      '+++ b/a.sql',
      '@@ -1,2 +1,1 @@',
      '--- a remark',
      ' SELECT 1',
      '--- /dev/null',
      '+++ b/new.ts',
      '@@ -0,0 +1 @@',
      '+fresh',
      '--- "a/gone.ts"\t2026-03-01',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-stale',
    ),
  ).toEqual({
    'a.sql': [{ before: '-- a remark\nSELECT 1', after: 'SELECT 1' }],
    'new.ts': [{ after: 'fresh' }],
    'gone.ts': [{ before: 'stale', after: '' }],
  })
})

it('a part that changes nothing is not a piece', () => {
  expect(lines('*** Update File: a.ts', ' same', '@@', '-', '+ ', '@@', '-x', '+x')).toEqual({})
  expect(lines('+without a file')).toEqual({})
})
