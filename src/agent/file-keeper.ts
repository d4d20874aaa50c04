import type { EntryDraft } from '../model/entry.ts'
import type { SeenFile } from '../model/facts/log-index.ts'
import type { PermissionRequest } from './tool.ts'

export type CheckpointDraft = Extract<EntryDraft, { type: 'checkpoint' }>

/** Keeps the state of files before calls change them. It never throws: what it cannot keep it says in its entries. */
export type FileKeeper = {
  /** Called when a call may run. The draft belongs into the log before it does. */
  readonly before: (request: PermissionRequest, toolCallId: string, signal: AbortSignal) => Promise<KeptCall>
}

/** A call whose files are kept. */
export type KeptCall = {
  readonly draft?: CheckpointDraft
  /** Called when it has run: the changes that could only be seen then, for the log and as facts for the ledger. */
  readonly after: () => Promise<{ readonly draft?: CheckpointDraft; readonly files: readonly SeenFile[] }>
}

/** A call that changes no files. */
export const NOTHING_KEPT: KeptCall = { after: async () => ({ files: [] }) }
