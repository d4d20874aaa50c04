import { z } from 'zod'
import { counted } from '../../../engine/report/numbers.ts'
import { defineTool, type Tool, type ToolContext } from '../../tool.ts'
import type { FilePlace } from '../../workspace.ts'
import { fileDiff } from '../files/file-diff.ts'
import {
  checkKnown,
  contentHash,
  inStyleOf,
  type StoredFile,
  storedFile,
  writeAtomically,
} from '../files/stored-file.ts'
import { allowedPlace, editRequest } from '../files/target.ts'

const WRITE_DESCRIPTION = `Writes a whole file: makes it and its folders, or replaces all of its content.

- \`path\`: from the workspace, or absolute. \`content\`: everything that the file shall contain.
- A file that exists must have been read before, and is refused if it has changed since. Line ends (CRLF) and rights of the old file are kept.
- To change a part of a file use \`edit\`.`

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file, from the workspace or absolute'),
  content: z.string().describe('The whole content of the file'),
})
type Input = z.infer<typeof inputSchema>

/** Creates a file or, if the agent knows the current content, replaces it. */
export const write: Tool = defineTool<Input>({
  name: 'write',
  description: WRITE_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  permission: ({ path, content }, context) =>
    editRequest(path, context, async (place) => {
      const { old, text } = await planWrite(place, content, context)
      return fileDiff(place.shown, old?.text, text)
    }),
  run: async ({ path, content }, context) => {
    const { old, text } = await planWrite(await allowedPlace('read', path, context), content, context)
    const place = await allowedPlace('edit', path, context)
    await writeAtomically(place.real, text, old?.mode)
    const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
    return {
      text: `${old === undefined ? 'Created' : 'Replaced'} ${place.shown} (${counted(lines, 'line')}).`,
      files: [{ path: place.shown, access: 'modified', hash: contentHash(text) }],
    }
  },
})

/** The old file and the new text. Throws if the file may not be overwritten. */
async function planWrite(
  place: FilePlace,
  content: string,
  context: ToolContext,
): Promise<{ old: StoredFile | undefined; text: string }> {
  const old = await storedFile(place)
  if (old !== undefined) await checkKnown(place, old, context)
  return { old, text: old?.text === undefined ? content : inStyleOf(old.text, content) }
}
