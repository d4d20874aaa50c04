import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { KeptFile } from '../../model/kept-file.ts'
import type { CheckpointDraft } from '../file-keeper.ts'
import { writeAtomically } from '../tools/files/write-atomically.ts'
import { keptHash } from './content-store.ts'
import { keptNow, namedContents } from './disk-keeper.ts'
import { contentNow, type FileReturn, type LostFile, type RewindPlace } from './rewind-plan.ts'

export type RewindOrder = RewindPlace & {
  readonly session: string
  readonly rewind: NonNullable<CheckpointDraft['rewind']>
  readonly files: readonly FileReturn[]
  /** Puts the checkpoint of the state now into the log; after it the files are written. */
  readonly append: (draft: CheckpointDraft) => Promise<unknown>
}

export type RewindResult = { readonly done: readonly FileReturn[]; readonly left: readonly LostFile[] }

/**
 * Sets files back. Their state now is kept first and named in the log, so that a crash at any write can be taken back or
 * finished. A file that has changed since the plan was made is left as it is.
 */
export async function rewindFiles(order: RewindOrder): Promise<RewindResult> {
  const { contents, session, files, rewind, append } = order
  const kept: KeptFile[] = []
  const due: FileReturn[] = []
  const left: LostFile[] = []
  for (const file of files) {
    const now = await keptNow(order, file.path)
    if (now.before !== file.now) left.push({ path: file.path, why: now.unkept ?? 'it has changed meanwhile' })
    else {
      kept.push({ ...now, after: file.to })
      due.push(file)
    }
  }
  if (due.length === 0) return { done: [], left }
  await contents.refer(session, namedContents(kept))
  await append({ type: 'checkpoint', files: kept, rewind })
  const done: FileReturn[] = []
  for (const file of due) {
    const why = await setBack(order, file)
    if (why === undefined) done.push(file)
    else left.push({ path: file.path, why })
  }
  return { done, left }
}

/** Writes one file; answers with the reason when it cannot. */
async function setBack({ workspace, contents }: RewindPlace, file: FileReturn): Promise<string | undefined> {
  const real = resolve(workspace, file.path)
  try {
    const now = await contentNow(workspace, file.path)
    if ((now === undefined ? null : keptHash(now)) !== file.now) return 'it has changed meanwhile'
    if (file.to === null) {
      await rm(real)
      return undefined
    }
    const content = await contents.get(file.to)
    if (content === undefined) return 'its content is no longer kept'
    await writeAtomically(real, content, file.mode)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
