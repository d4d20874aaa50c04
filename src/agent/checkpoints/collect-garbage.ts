import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Store } from '../../store/store.ts'
import { contentFiles, draftFiles, type FoundFile, filesIn } from './content-files.ts'
import type { ContentStore } from './content-store.ts'

export type GarbageOptions = {
  readonly store: Pick<Store, 'sessions'>
  /** The open session: its contents are kept. */
  readonly current: string
  readonly mostBytes: number
  readonly now: number
}

/** A content that no log names is kept this long: another process may be about to name it. */
const CACHED_MS = 24 * 3_600_000
const FRESH_MS = 10 * 60_000

/**
 * Deletes the contents of deleted sessions. Above the limit, it also deletes the contents of the sessions that have not stored
 * anything for the longest time. Their files cannot be restored after that; /rewind says so.
 */
export async function collectGarbage(contents: ContentStore, options: GarbageOptions): Promise<void> {
  const { current, mostBytes, now } = options
  const alive = await livingSessions(options.store)
  const refs = await filesIn(join(contents.folder, 'refs'))
  for (const { file } of refs)
    if (!alive.has(basename(file)) && basename(file) !== current) await rm(file, { force: true })
  const kept = refs
    .filter(({ file }) => alive.has(basename(file)) || basename(file) === current)
    .toSorted((a, b) => Number(basename(b.file) === current) - Number(basename(a.file) === current) || b.at - a.at)
  const all = await contentFiles(contents)
  const sizes = new Map(all.map(({ file, size }) => [basename(file), size]))
  const needed = new Set<string>()
  let bytes = 0
  for (const { file } of kept) {
    const own = (await namesIn(file)).filter((hash) => !needed.has(hash) && sizes.has(hash))
    const more = own.reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0)
    if (bytes + more > mostBytes && basename(file) !== current) {
      await rm(file, { force: true })
      continue
    }
    bytes += more
    for (const hash of own) needed.add(hash)
  }
  await removeDrafts(contents, now)
  await removeOthers(all, { needed, now, room: mostBytes - bytes })
}

/** Removes contents that no session needs: all old ones and, if there is no room, the oldest of the others. */
async function removeOthers(
  all: readonly FoundFile[],
  { needed, now, room }: { needed: ReadonlySet<string>; now: number; room: number },
): Promise<void> {
  let left = room
  for (const { file, size, at } of all.toSorted((a, b) => b.at - a.at)) {
    if (needed.has(basename(file))) continue
    const age = now - at
    if (age < FRESH_MS || (age < CACHED_MS && size <= left)) left -= size
    else await rm(file, { force: true })
  }
}

/** Removes files that a crash left half written. */
async function removeDrafts(contents: ContentStore, now: number): Promise<void> {
  for (const { file, at } of await draftFiles(contents)) if (now - at > FRESH_MS) await rm(file, { force: true })
}

async function namesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

/** All sessions of the store and the parents of forks: a fork shares entries of its parent even if the parent was deleted. */
async function livingSessions(store: Pick<Store, 'sessions'>): Promise<ReadonlySet<string>> {
  const alive = new Set<string>()
  for (let before: string | undefined, more = true; more; ) {
    const page = await store.sessions({ limit: 500, before })
    for (const { id, parent } of page.sessions) {
      alive.add(id)
      if (parent !== undefined) alive.add(parent.id)
    }
    before = page.next
    more = before !== undefined
  }
  return alive
}
