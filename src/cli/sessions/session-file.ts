import type { FormatName, Pieces } from '../../formats/index.ts'

/** A session that an agent keeps on this machine, not read yet. */
export type SessionFile = {
  readonly format: FormatName
  /** The agent's own name for the session. */
  readonly id: string
  /** The file, or the database that it is in. */
  readonly path: string
  readonly modifiedAt: number
  /** A file whose size or date differs is read again. */
  readonly size: number
  readonly read: () => Pieces
}
