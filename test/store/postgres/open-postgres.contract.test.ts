import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { INDEXING } from '../../../src/store/postgres/search-index.ts'
import type { Store, StoreDeps } from '../../../src/store/store.ts'
import { full } from '../../support/full.ts'
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
  await open?.close()
  await cleaner?.end()
  await server?.stop()
}, 120_000)

/** Of tables that were as large as this the next tests would look through what was deleted. */
const LARGE_BYTES = 2_000_000

/**
 * The one database with nothing in it but the versions of its parts: a database, or a schema, for each test would take a minute. The tables are small as
 * a rule, so that to delete their rows takes a fiftieth of the time in which PostgreSQL truncates them.
 */
async function emptied(): Promise<string> {
  const { rows } = await cleaner.query<{ name: string; bytes: string }>(
    `SELECT tablename AS name, pg_total_relation_size(tablename::regclass) AS bytes
    FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('pith_schema', 'server_access')`,
  )
  const names = rows.map(({ name }) => name)
  const isLarge = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0) > LARGE_BYTES
  const empty = isLarge ? `TRUNCATE ${names.join()}` : names.map((name) => `DELETE FROM ${name}`).join(';')
  // The store that the tests share may be indexing: what it has read of the test before must not come back.
  await cleaner.query(`BEGIN; SELECT pg_advisory_xact_lock(${INDEXING}); ${empty}; COMMIT`)
  return url
}

/** Tests of what a store does as it is closed, and of what it hears: each opens one. */
const OWN = /> (?:close|subscribe|signals) >/

let open: Store | undefined
let current: StoreDeps

/** Most of the time of a test goes into the processes that serve a fresh connection: those of the short form share a store. */
async function storeFor(deps: StoreDeps): Promise<Store> {
  const where = await emptied()
  if (full || OWN.test(expect.getState().currentTestName ?? '')) return openPostgres(where, deps)
  current = deps
  open ??= await openPostgres(where, { ids: () => current.ids(), clock: () => current.clock() })
  return { ...open, close: async () => {} }
}

storeContract('PostgreSQL', storeFor)

sharedStoreContract('two stores on one PostgreSQL database', async () => {
  const shared = await emptied()
  return (deps) => openPostgres(shared, deps)
})
