import { expect, it } from 'vitest'
import { wholePath } from '../../../../src/engine/record/read/changed-items.ts'

it.each([
  ['src/a.ts', '/repo/src/a.ts'],
  ['/etc/hosts', '/etc/hosts'],
  ['~/a.ts', '~/a.ts'],
  ['C:/other/a.ts', 'C:/other/a.ts'],
  ['//server/share/a.ts', '//server/share/a.ts'],
])('the path %s of a record is %s', (path, whole) => expect(wholePath(path, '/repo/')).toBe(whole))
