import { expect, it } from 'vitest'
import { serverWorld } from '../support/world.ts'

it('an answer may not be framed, sniffed, cached or read by another page', async () => {
  const { ask } = await serverWorld()
  expect(Object.fromEntries((await ask('GET', '/v1/token')).headers)).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
})
