import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../../config/tables/settings.ts'
import type { Entry, Seq } from '../../model/types.ts'
import { repetitionsIn } from '../../session/search/search-session.ts'
import { tasksOf } from '../../session/tasks.ts'
import { redactEntries } from '../../session/user-changes.ts'
import { rememberRedacted } from '../../store/search/redacted-texts.ts'
import { type SameText, sameTextAs } from '../../store/search/same-text.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { ContentStore, collectGarbage, contentFiles, draftFiles } from './content-store.ts'
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

type RedactedSession = {
  readonly store: Store
  readonly contents: ContentStore
  readonly id: SessionId
  /** Pith's data folder. */
  readonly folder: string
}

/**
 * Redacts entries, remembers hashes of their texts for the files of other agents, and deletes the stored contents of files that contain their text or a word of it that looks like a secret.
 * Messages of sub-agents that contain it are redacted, too. The contents are deleted first. After a crash between the two steps, the user can redact the entries again; a content that is
 * left over would never be found.
 */
export async function redactWithContents(
  { store, contents, id, folder }: RedactedSession,
  seqs: readonly Seq[],
): Promise<{ readonly redactions: readonly Entry[]; readonly contents: number; readonly inTasks: number }> {
  const { entries } = await store.entries(id, { seqs: [...seqs], raw: true })
  rememberRedacted(folder, entries)
  const texts = entries.map(sameTextAs)
  const deleted = await forgetContents(contents, (text) => texts.some(({ isIn }) => isIn(text)))
  const inTasks = await redactInTasks(store, id, texts)
  return { redactions: await redactEntries(store, id, seqs), contents: deleted, inTasks }
}

/** Redacts the messages of sub-agents that have one of the texts. Returns how many there were. */
async function redactInTasks(store: Store, id: SessionId, texts: readonly SameText[]): Promise<number> {
  let redacted = 0
  for (const { session } of await tasksOf(store, id)) {
    const seqs = await repetitionsIn(store, session, texts)
    redacted += (await redactEntries(store, session, seqs)).length
  }
  return redacted
}

/** Deletes the contents of all sessions that contain the text. */
async function forgetContents(contents: ContentStore, isIn: (text: string) => boolean): Promise<number> {
  let deleted = 0
  for (const { file } of [...(await contentFiles(contents)), ...(await draftFiles(contents))]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!isIn(text)) continue
    await rm(file, { force: true })
    deleted++
  }
  return deleted
}
