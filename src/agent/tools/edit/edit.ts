import { z } from 'zod'
import { PithError } from '../../../model/problems/errors.ts'
import type { Tool, ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { defineTool } from '../define-tool.ts'
import { fileDiff, shortDiff } from '../files/file-diff.ts'
import { checkKnown, contentHash, storedFile } from '../files/stored-file.ts'
import { allowedPlace, editRequest, missing } from '../files/target.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { applyEdits, type Edit } from './apply-edits.ts'

/** The description of `edit` that the model reads. */
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
    throw new PithError('bad-argument', `${place.shown} is too large or not UTF-8 text: edit it with a command`)
  }
  const edited = applyEdits(old.text, edits)
  if (!edited.ok) throw new PithError('bad-argument', `${place.shown}: ${edited.reason}; nothing was changed`)
  return { before: old.text, after: edited.text, replaced: edited.replaced, mode: old.mode }
}
