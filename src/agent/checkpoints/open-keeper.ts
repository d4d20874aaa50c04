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
  readonly tell: (text: string) => void
}

/** The contents that sessions of a store have kept. Each store has its own: what one does not know is garbage there only. */
export function keptContents(folder: string, { store }: Pick<Settings, 'store'>): ContentStore {
  const name = createHash('sha256')
    .update(store ?? '')
    .digest('hex')
    .slice(0, 16)
  return new ContentStore(join(folder, 'checkpoints', name))
}

/** Keeps the files of a session; undefined when the settings leave no room for them. */
export function openKeeper(input: KeeperInput): DiskKeeper | undefined {
  const { settings, store, session, workspace, clock, tell } = input
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
      // A store that is closed meanwhile, or a folder that cannot be read: the next session tries again.
      .catch(() => undefined)
      .finally(() => {
        isCollecting = false
      })
  }
  return new DiskKeeper({ workspace, session, contents, onAdded, tell })
}
