import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { nearest } from '../../../model/problems/nearest.ts'
import type { ToolContext, ToolOutput } from '../../tool.ts'
import { type FilePlace, filePlaceOf } from '../../workspace.ts'
import { refused } from '../define-tool.ts'

/** Says that a path is not there, and which one may have been meant. */
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
