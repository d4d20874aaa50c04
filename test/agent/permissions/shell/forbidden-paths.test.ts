import { expect, it } from 'vitest'
import type { TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'
import { forbiddenPaths } from '../../../../src/agent/permissions/shell/uses-forbidden.ts'

const shown = (parts: TextShape) => parts.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

it.each<[string, string[], string[]]>([
  ['.env', ['/home/me/shop/.env'], ['<any>/shop/.env']],
  ['./a/', ['/home/me/shop/a'], ['<any>/shop/a']],
  ['.', ['/home/me/shop'], ['<any>/shop']],
  ['a/*.ts', ['/home/me/shop/a/<segment>.ts'], ['<any>/shop/a/<segment>.ts']],
  ['a/**', ['/home/me/shop/a', '/home/me/shop/a/<any>'], ['<any>/shop/a', '<any>/shop/a/<any>']],
  ['a/**/b', ['/home/me/shop/a/b', '/home/me/shop/a/<any>/b'], ['<any>/shop/a/b', '<any>/shop/a/<any>/b']],
  ['/etc/*', ['/etc/<segment>'], []],
  ['/etc/**', ['/etc', '/etc/<any>'], []],
  ['**/.env', ['<any>/.env'], []],
])('%s', (pattern, paths, linked) => {
  const found = forbiddenPaths(pattern, '/home/me/shop')
  expect(found.paths.map(shown)).toEqual(paths)
  expect(found.linked.map(shown)).toEqual(linked)
})
