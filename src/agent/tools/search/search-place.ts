import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { errorCode } from '../files/file-error.ts'
import { allowedPlace } from '../files/target.ts'

/** The start of a search: the folder to run in, the path to search in it, and how to show found paths. */
export type SearchPlace = {
  readonly place: FilePlace
  readonly exists: boolean
  readonly isFolder: boolean
  readonly folder: string
  readonly start: string
  readonly shown: (path: string) => string
}

/** The place of a search with links resolved; the workspace if no path is given. */
export async function searchPlace(path: string | undefined, context: ToolContext): Promise<SearchPlace> {
  const place = await allowedPlace('read', path ?? '.', context)
  const found = await stat(place.real).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  })
  const isFolder = found?.isDirectory() ?? false
  return {
    place,
    exists: found !== undefined,
    isFolder,
    folder: isFolder ? place.real : dirname(place.real),
    start: isFolder ? './' : `./${basename(place.real)}`,
    shown: (path) => (isFolder ? joined(place.shown, path.replace(/^\.[/\\]/, '')) : place.shown),
  }
}

function joined(folder: string, path: string): string {
  const slashed = path.replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
  return folder === '.' ? slashed : `${folder.replace(/\/$/, '')}/${slashed}`
}
