import { canMeet, exactText, literal, type TextShape } from './text-shape.ts'

/** Says which files there are. */
export type FileLook = {
  readonly exists: (path: string) => boolean
  /** All paths below a folder; undefined when there are too many, or links to other folders. */
  readonly below: (folder: string) => readonly string[] | undefined
}

/** Whether there may be a file that has both shapes of absolute paths; where nobody can look, there may. */
export function mayExist(forbidden: TextShape, path: TextShape, look?: FileLook): boolean {
  if (!canMeet(forbidden, path)) return false
  if (look === undefined) return true
  const file = exactText(forbidden)
  if (file !== undefined) return look.exists(file)
  const folder = folderOf(path) ?? folderOf(forbidden)
  const files = folder === undefined ? undefined : look.below(folder)
  return files?.some((one) => canMeet(forbidden, literal(one)) && canMeet(path, literal(one))) ?? true
}

/** The folder that every path of a shape lies in. */
function folderOf(path: TextShape): string | undefined {
  const open = path.findIndex((part) => 'hole' in part)
  const start = exactText(open === -1 ? path : path.slice(0, open)) ?? ''
  const end = start.lastIndexOf('/')
  return end <= 0 ? undefined : start.slice(0, end)
}
