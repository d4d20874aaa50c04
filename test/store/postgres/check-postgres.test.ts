import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { checkPostgres } from '../../../src/store/postgres/check-postgres.ts'
import { startPostgres } from '../../support/postgres.ts'

it('a check reads every entry of a PostgreSQL database, and names those that are wrong', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const url = await server.url()
  const store = await openStore(url)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/w' })
  const said = (content: string) => ({ type: 'message', message: { role: 'user', content } }) as const
  await store.append(id, [said('one'), said('two'), said('three')])
  await store.close()
  expect(await checkPostgres(url)).toEqual({ sessions: 1, entries: 3, problems: [], isDamaged: false })
  const client = new pg.Client(url)
  await client.connect()
  await client.query("UPDATE entries SET body = 'no json' WHERE seq = 2")
  await client.query('DELETE FROM entries WHERE seq = 3')
  await client.end()
  const { problems, isDamaged } = await checkPostgres(url)
  expect(isDamaged).toBe(true)
  expect(problems).toEqual([expect.stringContaining('entry #2'), `session ${id}: 2 of 3 entries are there`])
})
