import { execFileSync, spawnSync } from 'node:child_process'

/** A program with another SQLite than Node's, which resists the loss of locks since 3.51: Python's. */
export const hasPython = spawnSync('python3', ['-c', 'import sqlite3']).status === 0

export const NO_PYTHON = 'Left out: tests in which another SQLite reads the file. They need python3 with its sqlite3.'

const SCRIPT = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
print(database.execute('SELECT count(*) FROM sqlite_schema').fetchone()[0])
database.close()`

/** Another program opens a database, reads it and closes it. If it takes itself for the last one, it deletes the write-ahead log. */
export function readElsewhere(path: string): void {
  execFileSync('python3', ['-c', SCRIPT, path], { stdio: 'pipe' })
}
