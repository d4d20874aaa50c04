import type { EntryDraft, SeenFile } from '../model/types.ts'
import type { PermissionRequest } from './tool.ts'

export type CheckpointDraft = Extract<EntryDraft, { type: 'checkpoint' }>

/** Stores the state of files before calls change them. It never throws: its entries name the files that it cannot store. */
export type FileKeeper = {
  /** Called when a call may run. Write the draft to the log before the call runs. */
  readonly before: (request: PermissionRequest, toolCallId: string, signal: AbortSignal) => Promise<KeptCall>
}

/** A call whose files are stored. */
export type KeptCall = {
  readonly draft?: CheckpointDraft
  /** Called after the call has run: returns the changes that could only be seen then, for the log and as facts for the ledger. */
  readonly after: () => Promise<{ readonly draft?: CheckpointDraft; readonly files: readonly SeenFile[] }>
}

/** A call that changes no files. */
export const NOTHING_KEPT: KeptCall = { after: async () => ({ files: [] }) }
