import { expect, it } from 'vitest'
import { outputOf } from '../../../src/formats/shared/content-parts.ts'

const words = { type: 'text', text: 'one' } as const
const file = { type: 'file', data: { type: 'data', data: 'aGk=' }, mediaType: 'image/png' } as const

it.each([
  ['nothing', [], { type: 'text', value: '' }],
  ['one text', [words], { type: 'text', value: 'one' }],
  ['two texts', [words, words], { type: 'content', value: [words, words] }],
  ['one file', [file], { type: 'content', value: [file] }],
])('a result of %s stays that', (_, contents, output) => {
  expect(outputOf(contents)).toEqual(output)
})

it('a result that failed is a text', () => {
  expect(outputOf([words, words], true)).toEqual({ type: 'error-text', value: 'one\none' })
})
