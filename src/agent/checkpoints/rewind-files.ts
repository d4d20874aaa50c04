import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '../../model/problems/errors.ts'
import type { Entry, FileState, KeptFile } from '../../model/types.ts'
import { isOpenDatabase, OPEN_DATABASE } from '../../store/sqlite/open-files.ts'
import type { CheckpointDraft } from '../agent.ts'
import { ifMissing } from '../tool.ts'
import { fileDiff } from '../tools/files/file-diff.ts'
import { writeAtomically } from '../tools/files/stored-file.ts'
import { type ContentStore, keptHash } from './content-store.ts'
import { keptNow, namedContents } from './disk-keeper.ts'

export type RewindOrder = RewindPlace & {
  readonly session: string
  readonly rewind: NonNullable<CheckpointDraft['rewind']>
  readonly files: readonly FileReturn[]
  /** Writes the checkpoint of the current state to the log. The files are written after that. */
  readonly append: (draft: CheckpointDraft) => Promise<unknown>
}

export type RewindResult = { readonly done: readonly FileReturn[]; readonly left: readonly LostFile[] }

/**
 * Restores files. Their current state is stored first and named in the log, so that after a crash the rewind can be undone or
 * finished. A file that has changed since the plan was made is not touched.
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
    const why = await restoreFile(order, file)
    if (why === undefined) done.push(file)
    else left.push({ path: file.path, why })
  }
  return { done, left }
}

/** Writes one file. Returns the reason if that is not possible. */
async function restoreFile({ workspace, contents }: RewindPlace, file: FileReturn): Promise<string | undefined> {
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
    return messageOf(error)
  }
}

type RewindPlace = { readonly workspace: string; readonly contents: ContentStore }

/** A file that a rewind would restore. */
export type FileReturn = {
  readonly path: string
  readonly change: 'restore' | 'create' | 'delete'
  /** The content to write; `null` deletes the file. */
  readonly to: FileState
  readonly mode?: number
  /** Its state when the plan was made. If the rewind finds another one, it does not touch the file. */
  readonly now: FileState
  /** True if the user or another program changed the file after the agent. */
  readonly changedSince: boolean
  readonly diff: string
}

type LostFile = { readonly path: string; readonly why: string }

type RewindPlan = { readonly files: readonly FileReturn[]; readonly lost: readonly LostFile[] }

const GONE = 'its content is no longer kept'

/** The changes that a rewind of these files would make now. Files that already have the wanted state are left out. */
export async function rewindPlan(place: RewindPlace, spans: readonly FileSpan[]): Promise<RewindPlan> {
  const files: FileReturn[] = []
  const lost: LostFile[] = []
  for (const span of spans) {
    const found = await returnOf(place, span)
    if (found === undefined) continue
    if ('why' in found) lost.push(found)
    else files.push(found)
  }
  return { files, lost }
}

async function returnOf(place: RewindPlace, span: FileSpan): Promise<FileReturn | LostFile | undefined> {
  const { path, before: to, mode } = span
  try {
    const content = await contentNow(place.workspace, path)
    const now = content === undefined ? null : keptHash(content)
    if (now === to) return undefined
    if (to === undefined) return isAsLeft(span, now) || now !== null ? { path, why: span.unkept ?? GONE } : undefined
    const wanted = to === null ? undefined : await place.contents.get(to)
    if (to !== null && wanted === undefined) return { path, why: GONE }
    const change = to === null ? 'delete' : now === null ? 'create' : 'restore'
    return { path, change, to, mode, now, changedSince: !isAsLeft(span, now), diff: diffOf(path, content, wanted) }
  } catch (error) {
    return { path, why: messageOf(error) }
  }
}

async function contentNow(workspace: string, path: string): Promise<Buffer | undefined> {
  const file = resolve(workspace, path)
  if (isOpenDatabase(file)) throw new Error(OPEN_DATABASE)
  return readFile(file).catch(ifMissing)
}

function diffOf(path: string, now: Buffer | undefined, wanted: Buffer | undefined): string {
  if (now?.includes(0) || wanted?.includes(0))
    return `--- ${path}\n(no text: ${now?.length ?? 0} bytes become ${wanted?.length ?? 0})`
  return fileDiff(path, now?.toString('utf8'), wanted?.toString('utf8') ?? '')
}

/**
 * A file over a part of the log: its state before, and its state after the last change. `after` is the hash or its beginning;
 * it is undefined if the end of the change was not seen.
 */
export type FileSpan = KeptFile

/** The files that these entries changed, in the order of their paths. */
export function fileSpans(entries: readonly Entry[]): FileSpan[] {
  const spans = new Map<string, FileSpan>()
  for (const entry of entries) {
    if (entry.type === 'checkpoint')
      for (const file of entry.files) spans.set(file.path, { ...(spans.get(file.path) ?? file), after: file.after })
    if (entry.type !== 'message') continue
    for (const { path, access, hash } of entry.files ?? []) {
      const span = spans.get(path)
      // Changes without a hash came from a command. Its checkpoint has their hashes.
      if (span !== undefined && access === 'modified' && hash !== undefined) spans.set(path, { ...span, after: hash })
    }
  }
  return [...spans.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** True if this is the state in which the span left the file. */
export function isAsLeft({ after }: FileSpan, now: FileState): boolean {
  if (typeof after !== 'string' || typeof now !== 'string') return after === now
  // Tools store only the beginning of the hash.
  return now.startsWith(after)
}
