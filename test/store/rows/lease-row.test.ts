import { expect, it } from 'vitest'
import { leaseHolder } from '../../../src/store/rows/table-rows.ts'

it('a lease has its holder until the moment it expires', () => {
  const row = { holder: 'ann', expires_at: 100 }
  expect(leaseHolder(row, 99)).toEqual({ holder: 'ann', expiresAt: 100 })
  expect(leaseHolder(row, 100)).toBeUndefined()
  expect(leaseHolder(undefined, 99)).toBeUndefined()
})
