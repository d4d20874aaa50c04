import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { PithError } from '../../../model/problems/errors.ts'
import { nearest } from '../../../model/problems/problem-text.ts'
import { type PermissionRequest, refused, type ToolContext, type ToolOutput } from '../../tool.ts'
import { type FilePlace, filePlaceOf } from '../../workspace.ts'

/** A request that is about a file or a folder. */
export type FileRequest = Extract<PermissionRequest, { path: string }>

/** The request to read or edit a path. A path that cannot be resolved counts as outside, because we do not know where it leads. */
export async function fileRequest(
  kind: FileRequest['kind'],
  path: string,
  { workspace }: ToolContext,
): Promise<FileRequest> {
  try {
    const { shown, outside } = await filePlaceOf(workspace, path)
    return { kind, path: shown, outside }
  } catch {
    return { kind, path, outside: true }
  }
}

/** The request to edit a path. An edit that will fail anyway counts as a read, so that the user is not asked about it. */
export async function editRequest(
  path: string,
  context: ToolContext,
  diffOf: (place: FilePlace) => Promise<string | undefined>,
): Promise<FileRequest> {
  const { kind, ...where } = await fileRequest('edit', path, context)
  try {
    const diff = await diffOf(await filePlaceOf(context.workspace, path))
    return diff === undefined ? { kind: 'read', ...where } : { kind, ...where, diff }
  } catch {
    return { kind: 'read', ...where }
  }
}

/**
 * The current place of a call's path. Throws if that place was not allowed: a link may have been created between the question
 * and the run.
 */
export async function allowedPlace(kind: FileRequest['kind'], path: string, context: ToolContext): Promise<FilePlace> {
  const place = await filePlaceOf(context.workspace, path)
  if (kind === 'read' && !place.outside) return place
  if (covers(context.allowed, kind, place)) return place
  const what = place.outside ? 'is outside of the workspace and was not allowed' : 'was not allowed to be edited'
  throw new PithError('not-allowed', `${place.shown} ${what}: nothing was done`)
}

function covers(allowed: PermissionRequest | undefined, kind: FileRequest['kind'], place: FilePlace): boolean {
  if (allowed === undefined || allowed.kind === 'command' || allowed.kind === 'tool') return false
  // A path outside is absolute, so it cannot be confused with one inside.
  return allowed.path === place.shown && (kind === 'read' || allowed.kind === 'edit')
}

/** The answer for a path that does not exist, with the path that may have been meant. */
export async function missing(place: FilePlace, { workspace }: ToolContext): Promise<ToolOutput> {
  const { folder, part } = await nearestFolder(place.real)
  const name = nearest(part, await namesIn(folder))
  const meant = name === undefined ? undefined : await filePlaceOf(workspace, `${folder}/${name}`)
  const hint = meant === undefined ? 'look for it with find or ls' : `did you mean ${meant.shown}?`
  return refused(`No such file or folder: ${place.shown}; ${hint}`)
}

/** The nearest parent that exists, and the first name below it that does not. */
async function nearestFolder(path: string): Promise<{ folder: string; part: string }> {
  const folder = dirname(path)
  if (folder === path || (await namesIn(folder)).length > 0) return { folder, part: basename(path) }
  return nearestFolder(folder)
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
