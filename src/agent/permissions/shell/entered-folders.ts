import { pathShape } from './path-shape.ts'
import { effortOfShapes } from './reading-limits.ts'
import { ANYTHING, type TextShape } from './text-shape.ts'

const MOST_FOLDERS = 16
const LONGEST_FOLDER = 500

/** The folders in which a command may be after it has entered one of these targets from one of these folders. With too many folders, or too long a path, it may be anywhere. */
export function enteredFolders(folders: readonly TextShape[], targets: readonly TextShape[]): readonly TextShape[] {
  if (folders.length * targets.length > MOST_FOLDERS) return [ANYTHING, ...folders.slice(-MOST_FOLDERS / 2)]
  return folders.flatMap((folder) =>
    targets.map((target) => {
      const entered = pathShape(folder, target)
      return effortOfShapes([entered]) > LONGEST_FOLDER ? ANYTHING : entered
    }),
  )
}

/** The same if the command may also stay in its folder: a `cd` may fail, and of several options only the last counts. */
export function maybeEntered(folders: readonly TextShape[], targets: readonly TextShape[]): readonly TextShape[] {
  const all = [...enteredFolders(folders, targets), ...folders]
  return all.length > MOST_FOLDERS ? [ANYTHING, ...folders.slice(-MOST_FOLDERS / 2)] : all
}
