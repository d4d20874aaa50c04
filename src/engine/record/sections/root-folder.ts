import type { FileFact } from '../../../model/types.ts'
import { isWholePath } from '../../extract/distinct-paths.ts'

/**
 * The folder that most paths of a session begin with, up to its last slash, if saying it once saves something. Paths in the
 * record are then relative to it. It is the working folder if the log shows that.
 */
export function rootFolder(files: readonly FileFact[], folder: string | undefined): string | undefined {
  if (folder !== undefined && folder.length > SHORTEST) return folder
  const counts = new Map<string, number>()
  for (const { path } of files.filter((fact) => isWholePath(fact.path)).slice(-MOST_ASKED)) {
    for (let slash = path.indexOf('/', 1); slash !== -1 && slash < LONGEST; slash = path.indexOf('/', slash + 1)) {
      const beginning = path.slice(0, slash + 1)
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1)
    }
  }
  const saving = ([beginning, count]: readonly [string, number]) => (count - 1) * beginning.length
  const best = [...counts].reduce<readonly [string, number]>((a, b) => (saving(b) > saving(a) ? b : a), ['', 0])
  return best[0].length > SHORTEST && best[1] > 1 && best[1] * 2 >= files.length ? best[0] : undefined
}

/** A shorter folder is as well said each time. */
const SHORTEST = 12
const LONGEST = 200
const MOST_ASKED = 400

/** Takes the root out of a text. */
export function fromRoot(root: string | undefined): (text: string) => string {
  return root === undefined ? (text) => text : (text) => text.replaceAll(root, '')
}
