import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../../src/store/postgres.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { sharedStoreContract, storeContract } from './contract.ts'

let server: TestPostgres
let url = ''

beforeAll(async () => {
  server = await startPostgres()
  url = await server.url()
}, 120_000)

afterAll(() => server.stop(), 120_000)

/** The one database with nothing in it: a database, or a schema, for each test would take a minute. */
async function emptied(): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'pith_schema'",
  )
  if (rows.length > 0) await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`)
  await client.end()
  return url
}

storeContract('PostgreSQL', async (deps) => openPostgres(await emptied(), deps))

sharedStoreContract('two stores on one PostgreSQL database', async () => {
  const shared = await emptied()
  return (deps) => openPostgres(shared, deps)
})
