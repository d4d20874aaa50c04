import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

let empty: Promise<Buffer> | undefined

/** A new store in a file, as a copy of an empty one. */
export async function newStore(path: string): Promise<Store> {
  await copyEmptyStore(path)
  return openStore(path)
}

/** A file for a new store that has its tables already: to make them takes twice as long as all the rest. */
export async function copyEmptyStore(path: string): Promise<void> {
  empty ??= emptyDatabase()
  writeFileSync(path, await empty, { mode: 0o600 })
}

async function emptyDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-empty-'))
  const path = join(folder, 'pith.db')
  await (await openStore(path)).close()
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true, force: true })
  return bytes
}
