import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { z } from 'zod'
import { readUnasked } from '../../../config/read/read-unasked.ts'
import { bytes } from '../../../engine/report/numbers.ts'
import type { Tool } from '../../tool.ts'
import { defineTool, refused } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { fileRequest, missing } from '../files/target.ts'
import { searchPlace } from '../search/search.ts'

/** The description of `ls` that the model reads. */
const LS_DESCRIPTION = `Lists a folder: folders with a slash, files with their size, links with where they lead. Hidden files are shown; of what \`.gitignore\` names only the names, in the last line.

- \`path\`: the workspace if left out. \`limit\`: 500 names by default. For whole trees use \`find\`.`

const inputSchema = z.strictObject({
  path: z.string().min(1).optional().describe('The folder; the workspace by default'),
  limit: z.number().int().positive().max(5_000).optional().describe('The most names to show; 500 by default'),
})
type Input = z.infer<typeof inputSchema>

const LIMIT = 500
const IGNORED_LIMIT = 50

/** Lists a folder. */
export const ls: Tool = defineTool<Input>({
  name: 'ls',
  description: LS_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: ({ path }, context) => fileRequest('read', path ?? '.', context),
  run: async ({ path, limit = LIMIT }, context) => {
    const { place, exists, isFolder } = await searchPlace(path, context)
    if (!exists) return missing(place, context)
    if (!isFolder) return refused(`${place.shown} is a file: read it with read`)
    const { isIgnored, notes } = ignoredIn(context.workspace, place)
    const all = (await readdir(place.real, { withFileTypes: true })).filter(({ name }) => name !== '.git')
    const entries = all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const ignored = entries.filter(isIgnored)
    const listed = entries.filter((entry) => !isIgnored(entry))
    const lines = await Promise.all(listed.slice(0, limit).map((entry) => lineOf(place.real, entry)))
    if (listed.length > limit) lines.push(`(${listed.length - limit} more: set limit, or use find)`)
    if (ignored.length > 0) lines.push(ignoredLine(ignored))
    lines.push(...notes)
    return { text: lines.length === 0 ? `${place.shown} is empty.` : lines.join('\n') }
  },
})

async function lineOf(folder: string, entry: Dirent): Promise<string> {
  const path = join(folder, entry.name)
  if (entry.isDirectory()) return `${entry.name}/`
  if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(path).catch(() => '?')}`
  const found = await lstat(path).catch(() => undefined)
  return found === undefined ? entry.name : `${entry.name} (${bytes(found.size)})`
}

function ignoredLine(entries: readonly Dirent[]): string {
  const names = entries.slice(0, IGNORED_LIMIT).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  const more = entries.length > IGNORED_LIMIT ? `, and ${entries.length - IGNORED_LIMIT} more` : ''
  return `(ignored by .gitignore: ${names.join(', ')}${more})`
}

type IgnoreRules = { readonly isIgnored: (entry: Dirent) => boolean; readonly notes: readonly string[] }

/** Whether an entry of this folder is ignored by a `.gitignore` between the workspace and the folder. Outside of the workspace nothing is. */
function ignoredIn(workspace: string, place: FilePlace): IgnoreRules {
  if (place.outside) return { isIgnored: () => false, notes: [] }
  const segments = place.shown === '.' ? [] : place.shown.split('/')
  const folders = Array.from({ length: segments.length + 1 }, (_, depth) => segments.slice(0, depth))
  const notes: string[] = []
  const levels = folders.map((folder) => {
    const file = [...folder, '.gitignore'].join('/')
    const found = readUnasked(join(workspace, file), { inside: workspace })
    if (found.kind === 'refused') notes.push(`(${file} is not read: ${found.why})`)
    return { rules: rulesOf(found.kind === 'text' ? found.text : ''), below: segments.slice(folder.length) }
  })
  const isIgnored = (entry: Dirent) => {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name
    // The deepest `.gitignore` with a rule for the entry decides.
    for (const { rules, below } of levels.toReversed()) {
      const { ignored, unignored } = rules.test([...below, name].join('/'))
      if (ignored || unignored) return ignored
    }
    return false
  }
  return { isIgnored, notes }
}

function rulesOf(text: string): Ignore {
  return ignore({ ignorecase: false, allowRelativePaths: true }).add(text)
}
