import { expect, it } from 'vitest'
import { forbiddenPaths } from '../../../../src/agent/permissions/shell/forbidden-paths.ts'
import type { TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const shown = (parts: TextShape) => parts.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

it.each<[string, string[], string[]]>([
  ['.env', ['/work/shop/.env'], ['<any>/shop/.env']],
  ['./a/', ['/work/shop/a'], ['<any>/shop/a']],
  ['.', ['/work/shop'], ['<any>/shop']],
  ['a/*.ts', ['/work/shop/a/<segment>.ts'], ['<any>/shop/a/<segment>.ts']],
  ['a/**', ['/work/shop/a', '/work/shop/a/<any>'], ['<any>/shop/a', '<any>/shop/a/<any>']],
  ['a/**/b', ['/work/shop/a/b', '/work/shop/a/<any>/b'], ['<any>/shop/a/b', '<any>/shop/a/<any>/b']],
  ['/etc/*', ['/etc/<segment>'], []],
  ['/etc/**', ['/etc', '/etc/<any>'], []],
  ['**/.env', ['<any>/.env'], []],
])('%s', (pattern, paths, linked) => {
  const found = forbiddenPaths(pattern, '/work/shop')
  expect(found.paths.map(shown)).toEqual(paths)
  expect(found.linked.map(shown)).toEqual(linked)
})
