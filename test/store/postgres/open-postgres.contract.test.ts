import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { sharedStoreContract, storeContract } from '../contract.ts'

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
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'pith_schema'",
    )
    if (rows.length > 0) await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`)
  } finally {
    // A client that stays would use up the connections of all tests after this one.
    await client.end()
  }
  return url
}

storeContract('PostgreSQL', async (deps) => openPostgres(await emptied(), deps))

sharedStoreContract('two stores on one PostgreSQL database', async () => {
  const shared = await emptied()
  return (deps) => openPostgres(shared, deps)
})
