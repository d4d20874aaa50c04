import { readdirSync, readFileSync } from 'node:fs'
import { PithError } from '../model/errors.ts'

/** One step of a schema: its number, and what to run. */
export type Migration = { readonly version: number; readonly sql: () => string }

/** The steps of a database's schema, in order, from the SQL files beside this one. */
export function migrationsOf(dialect: 'sqlite' | 'postgres'): Migration[] {
  const folder = new URL(`migrations/${dialect}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => ({ version: Number.parseInt(file, 10), sql: () => readFileSync(new URL(file, folder), 'utf8') }))
    .toSorted((a, b) => a.version - b.version)
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
