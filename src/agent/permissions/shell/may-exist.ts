import { canMeet, exactText, literal, type TextShape } from './text-shape.ts'

/** Checks which files exist. */
export type FileProbe = {
  readonly exists: (path: string) => boolean
  /** All paths below a folder; undefined if there are too many, or links to other folders. */
  readonly below: (folder: string) => readonly string[] | undefined
}

/** Whether there may be a file whose absolute path has both shapes. True if that cannot be checked. */
export function mayExist(forbidden: TextShape, path: TextShape, probe?: FileProbe): boolean {
  if (!canMeet(forbidden, path)) return false
  if (probe === undefined) return true
  const file = exactText(forbidden)
  if (file !== undefined) return probe.exists(file)
  const folder = folderOf(path) ?? folderOf(forbidden)
  const files = folder === undefined ? undefined : probe.below(folder)
  return files?.some((one) => canMeet(forbidden, literal(one)) && canMeet(path, literal(one))) ?? true
}

/** The folder that contains every path of a shape. */
function folderOf(path: TextShape): string | undefined {
  const open = path.findIndex((part) => 'hole' in part)
  const start = exactText(open === -1 ? path : path.slice(0, open)) ?? ''
  const end = start.lastIndexOf('/')
  return end <= 0 ? undefined : start.slice(0, end)
}
