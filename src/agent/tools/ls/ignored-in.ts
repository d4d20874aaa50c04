import type { Dirent } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import type { Place } from '../../workspace.ts'

/** Whether an entry of this folder is named by a `.gitignore` between the workspace and it; outside nothing is. */
export async function ignoredIn(workspace: string, place: Place): Promise<(entry: Dirent) => boolean> {
  if (place.outside) return () => false
  const segments = place.shown === '.' ? [] : place.shown.split('/')
  const folders = Array.from({ length: segments.length + 1 }, (_, depth) => segments.slice(0, depth))
  const levels = await Promise.all(
    folders.map(async (folder) => ({
      rules: await rulesOf(join(workspace, ...folder)),
      below: segments.slice(folder.length),
    })),
  )
  return (entry) => {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name
    // The deepest file that says something about it has the last word.
    for (const { rules, below } of levels.toReversed()) {
      const { ignored, unignored } = rules.test([...below, name].join('/'))
      if (ignored || unignored) return ignored
    }
    return false
  }
}

async function rulesOf(folder: string): Promise<Ignore> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
  return ignore({ ignorecase: false, allowRelativePaths: true }).add(text)
}
