import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { bytes } from '../../../engine/report/numbers.ts'
import { defineTool, refused, type Tool } from '../../tool.ts'
import { fileRequest, missing } from '../files/target.ts'
import { searchPlace } from '../search/search.ts'

const LS_DESCRIPTION = `Lists a folder: folders with a slash, files with their size, links with where they lead. Hidden files are shown, and so is what \`.gitignore\` names, which \`find\` and \`grep\` leave out.

- \`path\`: the workspace if left out. \`limit\`: 500 names by default. For whole trees use \`find\`.`

const inputSchema = z.strictObject({
  path: z.string().min(1).optional().describe('The folder; the workspace by default'),
  limit: z.number().int().positive().max(5_000).optional().describe('The most names to show; 500 by default'),
})
type Input = z.infer<typeof inputSchema>

const LIMIT = 500

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
    const all = (await readdir(place.real, { withFileTypes: true })).filter(({ name }) => name !== '.git')
    const entries = all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const lines = await Promise.all(entries.slice(0, limit).map((entry) => lineOf(place.real, entry)))
    if (entries.length > limit) lines.push(`(${entries.length - limit} more: set limit, or use find)`)
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
