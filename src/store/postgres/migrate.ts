import { migrationsOf, pendingMigrations } from '../migrations.ts'
import { type Db, rowsOf } from './connection.ts'

/** The lock that two processes take in turn when they open at once: any number that other programs do not use. */
const LOCK = 0x70697468

/** Brings the schema up to date, all or nothing. A newer schema is refused; `where` names the database in the message. */
export async function migrate(db: Db, where: string): Promise<void> {
  await db.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    await rowsOf(db, 'SELECT pg_advisory_xact_lock($1)', [LOCK])
    for (const { version, sql } of pendingMigrations(migrationsOf('postgres'), await currentVersion(db), where)) {
      await db.query(sql)
      await rowsOf(db, 'INSERT INTO pith_schema (version) VALUES ($1)', [version])
    }
    await db.query('COMMIT')
  } catch (error) {
    await db.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Creates the table only if it is missing, so that a user without that right can open a database that is up to date. */
async function currentVersion(db: Db): Promise<number> {
  const [found] = await rowsOf<{ exists: boolean }>(db, `SELECT to_regclass('pith_schema') IS NOT NULL AS exists`)
  if (found?.exists !== true) await db.query('CREATE TABLE pith_schema (version integer PRIMARY KEY)')
  const [row] = await rowsOf<{ version: number | null }>(db, 'SELECT max(version) AS version FROM pith_schema')
  return row?.version ?? 0
}
