import { z } from 'zod'
import { PithError } from '../../../model/problems/errors.ts'
import { defineTool, type Tool, type ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { fileDiff, shortDiff } from '../files/file-diff.ts'
import { checkKnown, contentHash, endsInCrlf, storedFile, withCrlf, writeAtomically } from '../files/stored-file.ts'
import { allowedPlace, editRequest, missing } from '../files/target.ts'

/** One exact replacement. */
export type Edit = { readonly oldText: string; readonly newText: string; readonly replaceAll?: boolean | undefined }

type EditResult =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  | { readonly ok: false; readonly reason: string }

/** The text with all edits applied in order, or why one of them cannot be applied. Line ends may differ. */
export function applyEdits(text: string, edits: readonly Edit[]): EditResult {
  const crlf = endsInCrlf(text)
  let result = text
  let replaced = 0
  for (const [i, edit] of edits.entries()) {
    const found = find(result, edit)
    const problem = problemOf(result, edit, found)
    if (problem !== undefined) return { ok: false, reason: edits.length === 1 ? problem : `Edit ${i + 1}: ${problem}` }
    result = splice(result, found, crlf ? withCrlf(edit.newText) : edit.newText)
    replaced += found.at.length
  }
  if (result === text) return { ok: false, reason: 'The edits change nothing' }
  return { ok: true, text: result, replaced }
}

/** The positions of a text, and the form (with LF or CRLF) in which it was found. */
type Occurrences = { readonly oldText: string; readonly at: readonly number[] }

function find(text: string, { oldText, replaceAll }: Edit): Occurrences {
  const forms = [oldText, withCrlf(oldText), oldText.replaceAll('\r\n', '\n')]
  const found = forms.map((form) => ({ oldText: form, at: placesOf(text, form, replaceAll === true) }))
  return found.find(({ at }) => at.length > 0) ?? { oldText, at: [] }
}

function placesOf(text: string, part: string, all: boolean): number[] {
  const places: number[] = []
  // Two overlapping places count as two, but only one of them can be replaced.
  const step = all ? part.length : 1
  const most = all ? Number.POSITIVE_INFINITY : MOST_COUNTED
  if (part === '') return places
  for (let at = text.indexOf(part); at !== -1 && places.length < most; at = text.indexOf(part, at + step)) {
    places.push(at)
  }
  return places
}

function problemOf(text: string, edit: Edit, { at }: Occurrences): string | undefined {
  if (edit.oldText === '') return '`oldText` is empty: to make a file or replace all of it use write'
  if (edit.oldText === edit.newText) return '`oldText` and `newText` are the same'
  if (at.length === 0) return notFound(text, edit.oldText)
  if (at.length === 1 || edit.replaceAll === true) return undefined
  const lines = at.slice(0, LISTED).map((index) => lineOf(text, index))
  const more = at.length > LISTED ? ', …' : ''
  return `\`oldText\` occurs ${at.length}${at.length === MOST_COUNTED ? ' or more' : ''} times in the file (lines ${lines.join(', ')}${more}): take in more lines around it, or set replaceAll`
}

const LISTED = 8
const MOST_COUNTED = 1_000

function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}

function splice(text: string, { oldText, at }: Occurrences, newText: string): string {
  const pieces: string[] = []
  let end = 0
  for (const start of at) {
    pieces.push(text.slice(end, start), newText)
    end = start + oldText.length
  }
  return [...pieces, text.slice(end)].join('')
}

/** Why a text was not found: because of its line numbers, because of white space, or because it is not there. */
function notFound(text: string, oldText: string): string {
  const plain = withoutNumbers(oldText)
  if (plain !== undefined && text.replaceAll('\r\n', '\n').includes(plain)) {
    return '`oldText` has the line numbers of read in it: leave out the number and the tab of each line'
  }
  const line = lineApartFromSpaces(text, oldText)
  return line === undefined
    ? '`oldText` is not found in the file: read the lines again and copy them exactly'
    : `\`oldText\` is not found exactly, but it is with other white space at line ${line}: copy its spaces and tabs from the file`
}

function withoutNumbers(text: string): string | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const numbered = lines.every((line, i) => /^\s*\d+\t/.test(line) || (line === '' && i === lines.length - 1))
  return numbered ? lines.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n') : undefined
}

/** The line of the text if white space does not count. The whole text is searched once. */
function lineApartFromSpaces(text: string, part: string): number | undefined {
  const words = part.replace(/\s+/g, '')
  if (words === '') return undefined
  const at = text.replace(/\s+/g, '').indexOf(words)
  return at === -1 ? undefined : lineOfCharacter(text, at)
}

/** The line of the character at this position, white space not counted. */
function lineOfCharacter(text: string, place: number): number {
  let left = place
  for (const [i, line] of text.split('\n').entries()) {
    left -= line.replace(/\s+/g, '').length
    if (left < 0) return i + 1
  }
  return 1
}

const EDIT_DESCRIPTION = `Replaces exact pieces of text in a file that you have read.

- \`path\`: from the workspace, or absolute.
- \`edits\`: applied in order, all of them or none. Each replaces \`oldText\` by \`newText\`.
- \`oldText\` must be in the file exactly once, to the last space, without the line numbers that \`read\` shows: take in as many lines around it as make it unique, no more. With \`replaceAll\` every occurrence is changed.
- Refused if you have not read the file, or it has changed since. After your own edit you need not read it again.`

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file, from the workspace or absolute'),
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().describe('The text to replace, exactly as it is in the file'),
        newText: z.string().describe('The text to put in its place'),
        replaceAll: z.boolean().optional().describe('Replace every occurrence'),
      }),
    )
    .min(1)
    .describe('Replacements, applied in order, all or none'),
})
type Input = z.infer<typeof inputSchema>

const MOST_LINES = 80

/** Replaces exact texts in a file that the agent knows, all of them or none. */
export const edit: Tool = defineTool<Input>({
  name: 'edit',
  description: EDIT_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  permission: ({ path, edits }, context) =>
    editRequest(path, context, async (place) => {
      const plan = await planEdits(place, edits, context)
      return plan === undefined ? undefined : fileDiff(place.shown, plan.before, plan.after)
    }),
  run: async ({ path, edits }, context) => {
    const asked = await allowedPlace('read', path, context)
    const plan = await planEdits(asked, edits, context)
    if (plan === undefined) return missing(asked, context)
    const place = await allowedPlace('edit', path, context)
    await writeAtomically(place.real, plan.after, plan.mode)
    return {
      text: `Edited ${place.shown}, ${plan.replaced} ${plan.replaced === 1 ? 'place' : 'places'}:\n${shortDiff(place.shown, plan.before, plan.after, MOST_LINES)}`,
      files: [{ path: place.shown, access: 'modified', hash: contentHash(plan.after) }],
    }
  },
})

type EditPlan = { readonly before: string; readonly after: string; readonly replaced: number; readonly mode: number }

/** The file before and after the edits; undefined when it does not exist. Throws when an edit cannot be made. */
async function planEdits(
  place: FilePlace,
  edits: readonly Edit[],
  context: ToolContext,
): Promise<EditPlan | undefined> {
  const old = await storedFile(place)
  if (old === undefined) return undefined
  await checkKnown(place, old, context)
  if (old.text === undefined) {
    throw new PithError('bad-argument', `${place.shown} is not UTF-8 text: edit it with a command`)
  }
  const edited = applyEdits(old.text, edits)
  if (!edited.ok) throw new PithError('bad-argument', `${place.shown}: ${edited.reason}; nothing was changed`)
  return { before: old.text, after: edited.text, replaced: edited.replaced, mode: old.mode }
}
