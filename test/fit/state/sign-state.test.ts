import { expect, it } from 'vitest'
import { fit, openState, signState } from '../../../src/engine.ts'
import { turns } from '../../support/messages.ts'

const SECRET = 'a secret of the server'

it('a signed state comes back as it was', async () => {
  const { state } = await fit(turns(60, 800), { window: 8_000 })
  const signed = await signState(state, SECRET)
  expect(signed).toMatch(/^[\w-]+\.[\w-]+$/)
  expect(await openState(signed, SECRET)).toEqual(state)
})

it.each<[string, (signed: string) => string]>([
  ['changed', (signed) => signed.replace(/^../, 'AA')],
  ['cut', (signed) => signed.slice(0, -3)],
  ['unsigned', (signed) => signed.split('.')[0] ?? ''],
  ['empty', () => ''],
  ['no such text', () => 'über.all!'],
])('a signed state that is %s is refused', async (_, change) => {
  const { state } = await fit(turns(3), { window: 8_000 })
  await expect(openState(change(await signState(state, SECRET)), SECRET)).rejects.toThrow(
    /signature does not match this secret/,
  )
})

it('a state of another secret is refused, and so is a short secret', async () => {
  const { state } = await fit(turns(3), { window: 8_000 })
  await expect(openState(await signState(state, SECRET), `${SECRET}!`)).rejects.toThrow(/signature/)
  await expect(signState(state, 'short')).rejects.toThrow(/at least 16 characters/)
})
