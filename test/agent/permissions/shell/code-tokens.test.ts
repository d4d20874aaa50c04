import { expect, it } from 'vitest'
import { codeTokens } from '../../../../src/agent/permissions/shell/command-kinds.ts'

it.each([
  ["open('.env')", ['open', '.env']],
  ['open("./a/b.txt", 5)', ['open', './a/b.txt', '5']],
  ['  a;b  ', ['a', 'b']],
  ['', []],
  // Pieces that the code puts together.
  ["open('.e' + 'nv')", ['open', '.env']],
  ['open(".e"+"nv")', ['open', '.env']],
  ["'.e' . 'nv'", ['.env']],
  ["'.e' 'nv'", ['.env']],
  // Texts of their own.
  ["['git', '-C', '.', 'push']", ['git', '-C', '.', 'push']],
  [`'a' + "b"`, ['a', '+', 'b']],
  ['~/x @y %z a:b c-d e+f', ['~/x', '@y', '%z', 'a:b', 'c-d', 'e+f']],
])('%s', (code, tokens) => {
  expect(codeTokens(code)).toEqual(tokens)
})
