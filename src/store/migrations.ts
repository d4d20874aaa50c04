import { PithError } from '../model/problems/errors.ts'
import { POSTGRES_STEPS } from './migrations/postgres.ts'
import { SQLITE_STEPS } from './migrations/sqlite.ts'

/** One step of a schema: its number, and its SQL. */
export type Migration = { readonly version: number; readonly sql: string }

const STEPS = { sqlite: SQLITE_STEPS, postgres: POSTGRES_STEPS }

/** The steps of a database's schema, in order, numbered from one. They are modules, so that a bundler includes them. */
export function migrationsOf(dialect: keyof typeof STEPS): Migration[] {
  return STEPS[dialect].map((sql, i) => ({ version: i + 1, sql }))
}

/** The steps that a database of this version still needs. A database that is newer than this program is refused. */
export function pendingMigrations(migrations: readonly Migration[], version: number, where: string): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0
  if (version > newest) {
    throw new PithError(
      'store-newer',
      `${where} was written by a newer version of Pith (schema ${version}, this one knows ${newest}): update Pith to open it`,
    )
  }
  return migrations.filter((migration) => migration.version > version)
}
