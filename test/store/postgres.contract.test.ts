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

/** The one database with nothing in it: a database for each test would take minutes, and a gigabyte. */
async function emptied(): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await client.end()
  return url
}

storeContract('PostgreSQL', async (deps) => openPostgres(await emptied(), deps))

sharedStoreContract('two stores on one PostgreSQL database', async () => {
  const shared = await emptied()
  return (deps) => openPostgres(shared, deps)
})
