import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Settings } from '../../config/tables/settings.ts'
import type { Store } from '../../store/store.ts'
import { collectGarbage } from './collect-garbage.ts'
import { ContentStore } from './content-store.ts'
import { DiskKeeper } from './disk-keeper.ts'

export type KeeperInput = {
  readonly settings: Pick<Settings, 'store' | 'checkpointMb'>
  readonly store: Store
  readonly session: string
  readonly workspace: string
  /** The user's data folder. */
  readonly folder: string
  readonly clock: () => number
  readonly notify: (text: string) => void
}

/** The stored contents for the sessions of a store. Each store has its own folder, because a content of another store's session would count as garbage. */
export function keptContents(folder: string, { store }: Pick<Settings, 'store'>): ContentStore {
  const name = createHash('sha256')
    .update(store ?? '')
    .digest('hex')
    .slice(0, 16)
  return new ContentStore(join(folder, 'checkpoints', name))
}

/** Stores the files of a session; undefined if the settings leave no room for them. */
export function openKeeper(input: KeeperInput): DiskKeeper | undefined {
  const { settings, store, session, workspace, clock, notify } = input
  const mostBytes = settings.checkpointMb * 1_000_000
  if (mostBytes === 0) return undefined
  const contents = keptContents(input.folder, settings)
  let dueAt = 1
  let isCollecting = false
  const onAdded = () => {
    if (contents.added < dueAt || isCollecting) return
    dueAt = contents.added + mostBytes / 4
    isCollecting = true
    void collectGarbage(contents, { store, current: session, mostBytes, now: clock() })
      // The store may be closed by now, or a folder may be unreadable. The next session tries again.
      .catch(() => undefined)
      .finally(() => {
        isCollecting = false
      })
  }
  return new DiskKeeper({ workspace, session, contents, onAdded, notify })
}
