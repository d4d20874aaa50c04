import { expect, it } from 'vitest'
import { skipNested } from '../../../../src/engine/extract/shell/shell-lexer.ts'

it.each([
  ['the text inside', 'a b) c', ')'],
  ['another substitution', 'a $(b) c) d', ')'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of the shell.
  ['a variable in braces', 'echo ${a) } b) c', ')'],
  ['an escaped end', 'a \\) b) c', ')'],
  ['a substitution in a default', 'a:-$(b }) } c', '}'],
] as const)('the end of a substitution is found after %s', (_, text, close) => {
  expect(text.slice(skipNested(text, 0, close))).toMatch(/^ [cd]$/)
})

it('a substitution that stays open goes to the end', () => {
  expect(skipNested('a $(b) c', 0, ')')).toBe(8)
})
