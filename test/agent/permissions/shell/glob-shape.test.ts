import { expect, it } from 'vitest'
import { globShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

it.each([
  ['a.ts', 'a.ts'],
  ['*.ts', '<segment>.ts'],
  ['**', '<segment>'],
  ['a?b', 'a<one>b'],
  ['[ab]c', '<one>c'],
  ['a\\*', 'a*'],
  ['a\\\\', 'a\\'],
  ['a[', 'a['],
  ['a\\', 'a\\'],
  ['*a*', '<segment>a<segment>'],
  ['a*', 'a<segment>'],
  ['\\?x', '?x'],
  ['', ''],
  ['['.repeat(1_000), '['.repeat(1_000)],
  ['['.repeat(1_001), '<segment>'],
])('%j has the shape %j', (pattern, shape) => {
  expect(
    globShape(pattern)
      .map((part) => ('text' in part ? part.text : `<${part.hole}>`))
      .join(''),
  ).toBe(shape)
})
