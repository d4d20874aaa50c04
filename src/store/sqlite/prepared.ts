import type { DatabaseSync, StatementSync } from 'node:sqlite'

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** The statement for a text of SQL, compiled once for each database. */
export function prepared(database: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(database)
  if (known === undefined) {
    known = new Map()
    statements.set(database, known)
  }
  let statement = known.get(sql)
  if (statement === undefined) {
    statement = database.prepare(sql)
    known.set(sql, statement)
  }
  return statement
}
