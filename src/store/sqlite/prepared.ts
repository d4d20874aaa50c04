import type { DatabaseSync, StatementSync } from 'node:sqlite'

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|BEGIN|COMMIT)\b/

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
    // Node answers each write with the row that was inserted last. Behind the search index its number may be larger than any
    // number of JavaScript, which Node 26 throws.
    if (WRITES.test(sql)) statement.setReadBigInts(true)
    known.set(sql, statement)
  }
  return statement
}
