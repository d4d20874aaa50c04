import ignore from 'ignore'
import { z } from 'zod'
import { answerRoom } from '../../shown-part.ts'
import { defineTool, refused, type Tool } from '../../tool.ts'
import { fileRequest, missing } from '../files/target.ts'
import { runRipgrep, searchNotes, searchPlace } from '../search/search.ts'

const FIND_DESCRIPTION = `Finds files by name. Answers with their paths, sorted.

- \`pattern\`: a glob. Without a slash it matches names in any folder (\`*.ts\`, \`README*\`); with one it is seen from \`path\` (\`src/**/*.test.{ts,tsx}\`).
- \`path\`: the folder to look in, the whole workspace if left out.
- What \`.gitignore\` names is left out unless \`ignored\` is set. At most \`limit\` paths (500 by default, 5,000 at most).`

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('A glob, such as *.ts or src/**/*.test.ts'),
  path: z.string().min(1).optional().describe('The folder to look in; the workspace by default'),
  ignored: z.boolean().optional().describe('Find what .gitignore names too'),
  limit: z.number().int().positive().max(5_000).optional().describe('The most paths to show; 500 by default'),
})
type Input = z.infer<typeof inputSchema>

const LIMIT = 500

/** Finds files by name. */
export const find: Tool = defineTool<Input>({
  name: 'find',
  description: FIND_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: ({ path }, context) => fileRequest('read', path ?? '.', context),
  run: async ({ pattern, path, ignored, limit = LIMIT }, context) => {
    const place = await searchPlace(path, context)
    if (!place.exists) return missing(place.place, context)
    if (!place.isFolder) return refused(`${place.place.shown} is a file: path must be a folder`)
    const matches = fileGlob(pattern)
    const found: string[] = []
    let room = answerRoom(context)
    const searched = await runRipgrep({
      // Ripgrep's own globs would override .gitignore.
      args: ['--files', ...(ignored === true ? ['--no-ignore'] : []), '--', place.start],
      folder: place.folder,
      signal: context.signal,
      onLine: (line) => {
        if (!matches(line.replace(/^\.[/\\]/, ''))) return true
        const shown = place.shown(line)
        room -= shown.length + 1
        if (found.length === limit || room < 0) return false
        found.push(shown)
        return true
      },
    })
    const notes = searchNotes(searched, `Only the first ${found.length} paths: narrow the pattern or the path.`)
    const hidden = ignored === true ? '' : ' (what .gitignore names was left out)'
    const none = found.length === 0 ? [`No files match \`${pattern}\` in ${place.place.shown}${hidden}.`] : []
    return { text: [...found, ...none, ...notes.map((note) => `(${note})`)].join('\n') }
  },
})

/** Whether a relative path with `/` matches a glob. A glob without a slash matches names at any depth. `{a,b}` is supported. */
function fileGlob(pattern: string): (path: string) => boolean {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(bracesOf(pattern).map(literalStart))
  return (path) => rules.ignores(path.replaceAll('\\', '/'))
}

const MOST_ALTERNATIVES = 200

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`. A brace without its end matches itself. */
function bracesOf(pattern: string): string[] {
  let patterns = [pattern]
  while (patterns.length < MOST_ALTERNATIVES) {
    const next = patterns.flatMap(firstBrace)
    if (next.length === patterns.length) break
    patterns = next
  }
  return patterns
}

/** Expands the innermost braces first, so that nested ones are expanded one after the other. */
function firstBrace(pattern: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (match === null) return [pattern]
  const [all, inside = ''] = match
  const before = pattern.slice(0, match.index)
  const after = pattern.slice(match.index + all.length)
  return inside.split(',').map((choice) => `${before}${choice}${after}`)
}

/** In a `.gitignore`, these first characters have a special meaning, so they are escaped. */
function literalStart(pattern: string): string {
  const plain = pattern.replace(/^\.\//, '')
  return /^[!#]/.test(plain) ? `\\${plain}` : plain
}
