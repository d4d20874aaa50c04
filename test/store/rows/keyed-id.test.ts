import { expect, it } from 'vitest'
import { keyedId } from '../../../src/store/rows/table-rows.ts'

it('an id that follows from a key is the same in every process and every version', () => {
  expect(keyedId('a key')).toBe('8fa3aab2-faa9-879e-aa03-98da5b5abd07')
})

it('an id that follows from a key has the form of a UUID, and another key gives another', () => {
  const ids = ['', 'a', 'b', 'a'.repeat(1_000)].map(keyedId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
})
