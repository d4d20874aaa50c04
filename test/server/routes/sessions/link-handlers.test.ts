import { expect, it } from 'vitest'
import { user } from '../../../support/messages.ts'
import { serverWorld, TOKENS } from '../../support/world.ts'

it('a link shows one session until it is ended; it is listed without its secret and gives no other link', async () => {
  const { ask, session, app } = await serverWorld()
  const id = await session({ messages: [user('Look at the heron.')] })
  const path = `/v1/sessions/${id}/links`
  expect((await ask('GET', path)).body).toEqual({ links: [] })
  const { body: made } = await ask('POST', path, { hours: 2 })
  expect(Date.parse(made.expires) - Date.now()).toBeGreaterThan(3_600_000)
  const secret = made.path.replace('/#share=', '')
  const { body: listed } = await ask('GET', path)
  expect(listed).toEqual({ links: [{ id: made.id, expires: made.expires, by: 'local' }] })
  expect(JSON.stringify(listed)).not.toContain(secret)

  const asGuest = (method: string, to: string) =>
    app.request(to, { method, headers: { authorization: `Bearer ${secret}`, host: 'localhost' } })
  expect((await asGuest('GET', `/v1/sessions/${id}`)).status).toBe(200)
  expect((await asGuest('GET', path)).status).toBe(403)
  expect((await asGuest('POST', path)).status).toBe(403)
  expect(await (await asGuest('GET', '/v1/sessions')).json()).toMatchObject({
    error: { code: 'not-allowed', message: 'this link shows one session, and nothing else' },
  })

  const other = await session({ messages: [user('Another.')] })
  expect((await ask('DELETE', `/v1/sessions/${other}/links/${made.id}`)).body).toEqual({ ended: false })
  expect((await ask('DELETE', `${path}/${made.id}`)).body).toEqual({ ended: true })
  expect((await ask('DELETE', `${path}/${made.id}`)).body).toEqual({ ended: false })
  expect((await asGuest('GET', `/v1/sessions/${id}`)).status).toBe(401)
  expect((await ask('POST', path, { hours: 0 })).status).toBe(400)
})

it('a token that may only read makes no link', async () => {
  const { ask, session } = await serverWorld()
  const id = await session({ messages: [user('Look.')] })
  const answer = await ask('POST', `/v1/sessions/${id}/links`, {}, { token: TOKENS[1].token })
  expect(answer.status).toBe(403)
})
