import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { sharedStoreContract, storeContract } from '../contract.ts'

let server: TestPostgres
let url = ''
let cleaner: pg.Client

beforeAll(async () => {
  server = await startPostgres()
  url = await server.url()
  // Rows go without a look at the rows that refer to them: all of them go.
  cleaner = new pg.Client({ connectionString: url, options: '-c session_replication_role=replica' })
  await cleaner.connect()
}, 120_000)

afterAll(async () => {
  await cleaner.end()
  await server.stop()
}, 120_000)

/**
 * The one database with nothing in it: a database, or a schema, for each test would take a minute. The tables are small,
 * so that to delete their rows takes a fiftieth of the time in which PostgreSQL truncates them.
 */
async function emptied(): Promise<string> {
  const { rows } = await cleaner.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'pith_schema'",
  )
  await cleaner.query(rows.map(({ name }) => `DELETE FROM ${name}`).join(';'))
  return url
}

storeContract('PostgreSQL', async (deps) => openPostgres(await emptied(), deps))

sharedStoreContract('two stores on one PostgreSQL database', async () => {
  const shared = await emptied()
  return (deps) => openPostgres(shared, deps)
})
