import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open-store.ts'
import type { Store, StoreDeps } from '../../src/store/store.ts'

/** Ids and times in a row, the same in every run. */
export function countingDeps(start = 1_000): StoreDeps & { advance: (ms: number) => void } {
  let id = 0
  let now = start
  return {
    ids: () => `id-${String(++id).padStart(6, '0')}`,
    clock: () => now++,
    advance: (ms) => {
      now += ms
    },
  }
}

/** A store in a folder of its own that goes with it. */
export async function temporaryStore(
  deps: StoreDeps = countingDeps(),
): Promise<{ store: Store; path: string; reopen: () => Promise<Store>; remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'pith-'))
  const path = join(folder, 'pith.db')
  const open: Store[] = []
  const reopen = async () => {
    const store = await openStore(path, deps)
    open.push(store)
    return store
  }
  const store = await reopen()
  const remove = async () => {
    for (const one of open) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { store, path, reopen, remove }
}
