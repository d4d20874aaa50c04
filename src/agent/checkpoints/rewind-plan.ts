import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FileState } from '../../model/kept-file.ts'
import { fileDiff } from '../tools/files/file-diff.ts'
import { errorCode } from '../tools/files/file-error.ts'
import { type ContentStore, keptHash } from './content-store.ts'
import { type FileSpan, isAsLeft } from './file-spans.ts'

/** Where files are, and their kept contents. */
export type RewindPlace = { readonly workspace: string; readonly contents: ContentStore }

/** A file that a rewind would set back. */
export type FileReturn = {
  readonly path: string
  readonly change: 'restore' | 'create' | 'delete'
  /** The content to write; `null` deletes the file. */
  readonly to: FileState
  readonly mode?: number
  /** Its state now. A rewind that finds another one leaves the file alone. */
  readonly now: FileState
  /** True when it is not as the agent left it: the user or another program changed it. */
  readonly changedSince: boolean
  readonly diff: string
}

/** A file that cannot be set back, and why. */
export type LostFile = { readonly path: string; readonly why: string }

export type RewindPlan = { readonly files: readonly FileReturn[]; readonly lost: readonly LostFile[] }

const GONE = 'its content is no longer kept'

/** What setting these files back would do now. Files that are as they were already are left out. */
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
    return { path, why: error instanceof Error ? error.message : String(error) }
  }
}

/** The content of a file; undefined when there is none. */
export async function contentNow(workspace: string, path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(resolve(workspace, path))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

function diffOf(path: string, now: Buffer | undefined, wanted: Buffer | undefined): string {
  const [before, after] = [now, wanted].map((content) => (content === undefined ? undefined : textIn(content)))
  if ((now !== undefined && before === undefined) || (wanted !== undefined && after === undefined))
    return `--- ${path}\n(no text: ${now?.length ?? 0} bytes become ${wanted?.length ?? 0})`
  return fileDiff(path, before, after ?? '')
}

/** Undefined for a content that is no text. */
function textIn(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined
  return content.toString('utf8')
}
