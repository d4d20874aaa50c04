import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { findWorkspace, realPath } from '../config/places/trust.ts'
import type { Seq } from '../model/types.ts'
import type { Session, Store } from '../store/store.ts'
import { forkTitle } from './session-title.ts'

/** The folder that the user works in now. */
export type CurrentFolder = {
  readonly workspace: string
  /** The user's home; that of the system by default. */
  readonly home?: string | undefined
}

/** The folder of a session that works somewhere else. */
export type OtherFolder = { readonly folder: string; readonly exists: boolean }

/** The folder of a session that works in another folder; undefined for one that works here, or that never had a folder. */
export function otherFolder({ workspace }: Pick<Session, 'workspace'>, here: CurrentFolder): OtherFolder | undefined {
  if (workspace === '' || isHere(workspace, here)) return undefined
  return { folder: workspace, exists: isFolder(workspace) }
}

/** A new session that continues a session of another folder in this one. The other session does not change. */
export function forkInto(
  store: Store,
  { id, owner, title, lastSeq }: Session,
  { workspace }: CurrentFolder,
): Promise<Session> {
  return store.createSession({ owner, workspace, title: forkTitle(title), parent: { id, seq: lastSeq } })
}

/**
 * The first entry of a session that was made in this folder; undefined when none was. A fork shares entries with its parent, and
 * the files in those entries are in the parent's folder.
 */
export async function firstEntryHere(store: Store, session: Session, here: CurrentFolder): Promise<Seq | undefined> {
  let now = session
  if (!isHere(now.workspace, here)) return undefined
  for (let shared = Number.POSITIVE_INFINITY; now.parent !== undefined; ) {
    shared = Math.min(shared, now.parent.seq)
    const parent = await store.session(now.parent.id)
    // The folder of a deleted session is not known.
    if (parent === undefined || !isHere(parent.workspace, here)) return shared + 1
    now = parent
  }
  return 1
}

/** An imported session names the folder that its agent was started in, which may be below the workspace. */
function isHere(folder: string, { workspace, home }: CurrentFolder): boolean {
  if (!isAbsolute(folder)) return false
  return realPath(folder) === workspace || (isFolder(folder) && findWorkspace(folder, home) === workspace)
}

function isFolder(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
