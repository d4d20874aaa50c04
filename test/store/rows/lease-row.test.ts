import { expect, it } from 'vitest'
import { refusedLease } from '../../../src/store/rows/table-rows.ts'

it('a lease is refused while another holder has it, and is free at the moment it expires', () => {
  const held = { holder: 'ann', expires_at: 100 }
  expect(refusedLease(held, 'bob', 99)).toEqual({ ok: false, holder: 'ann', expiresAt: 100 })
  expect(refusedLease(held, 'bob', 100)).toBeUndefined()
  expect(refusedLease(held, 'ann', 99)).toBeUndefined()
  expect(refusedLease(undefined, 'bob', 99)).toBeUndefined()
})
