import { expect, it } from 'vitest'
import { contentHash } from '../../../../src/agent/tools/files/stored-file.ts'

it('a content is known again by sixteen characters, as text or as bytes', () => {
  expect(contentHash('a')).toBe(contentHash(Buffer.from('a')))
  expect(contentHash('a')).toMatch(/^[0-9a-f]{16}$/)
  expect(contentHash('a')).not.toBe(contentHash('b'))
})
