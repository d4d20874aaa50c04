import { expect, it, onTestFinished } from 'vitest'
import { serverHome } from '../../server/support/processes.ts'
import { full } from '../../support/full.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { startPostgres } from '../../support/postgres.ts'

/** Two machines, each with a data folder and the tokens of an earlier version, on one PostgreSQL. */
async function machines() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const model = await startModelServer({ brain: () => ({ text: 'ok' }) })
  onTestFinished(() => model.close())
  const url = await postgres.readyUrl()
  const start = async () => {
    const home = serverHome(url, model)
    onTestFinished(() => home.stop())
    return home.start()
  }
  return [await start(), await start()] as const
}

it.runIf(full)(
  'a token that one machine makes works on another at once, and ends there within two seconds',
  async () => {
    const [one, two] = await machines()
    // Both had a token of the name local: both work, and the first administers.
    expect((await one.ask('GET', '/v1/token')).body).toMatchObject({ name: 'local', admin: true })
    expect((await two.ask('GET', '/v1/token')).body).toMatchObject({ owner: 'local', admin: false })
    const { body } = await one.ask('POST', '/v1/tokens', { name: 'ann', budget: { tokens_per_day: 1 } })
    const bearer = { authorization: `Bearer ${body.secret}` }
    const status = async () => (await two.ask('GET', '/v1/token', undefined, bearer)).status
    expect(await status()).toBe(200)
    // A budget that is used on one machine is used on the other.
    const { id } = (await two.ask('POST', '/v1/sessions', {}, bearer)).body
    const turn = `/v1/sessions/${id}/turn`
    expect((await two.ask('POST', turn, { text: 'Hi' }, bearer)).status).toBe(200)
    expect((await one.ask('POST', turn, { text: 'Hi' }, bearer)).body.error.code).toBe('budget-used')
    const events = await fetch(`${two.url}/v1/events`, { headers: bearer })
    expect((await one.ask('DELETE', '/v1/tokens/ann')).status).toBe(200)
    await expect.poll(status, { timeout: 10_000, interval: 20 }).toBe(401)
    await events.text()
    expect((await fetch(`${two.url}/gateway/${body.secret}/anthropic/v1/models`)).status).toBe(404)
    for (const server of [one, two]) {
      server.signal('SIGTERM')
      expect((await server.ended).errors).not.toContain(body.secret)
    }
  },
)
