import { z } from 'zod'
import type { ModelRequest } from '../../../session/model-requests.ts'
import { defineTool, refused, type Tool } from '../../tool.ts'

const CONTEXT_DESCRIPTION = `Shows how full your context is, drops parts of it that are of no more use, restores them, or asks for a compaction.

- \`show\`: the largest parts, and what is superseded. Use it when much was read and new work begins, not as a routine.
- \`drop\`: a \`part\` that is certainly of no more use: a detour, a long output, superseded reads. A line with its handle stays; recall shows it. Drop much at once: everything after it is sent without the cache once.
- \`restore\`: puts back a part that you dropped. To look at it once, use recall.
- \`compact\`: at the next end of work, with a \`focus\`: what to keep in mind. Use it when a task is done and the next one needs little of it.
- The user's words, pins, records and the current turn stay. The user sees each use and can undo it.`

const inputSchema = z
  .strictObject({
    action: z.enum(['show', 'drop', 'restore', 'compact']),
    part: z
      .string()
      .min(1)
      .max(400)
      .optional()
      .describe('#12, #12-#20, turn:#12, tool:bash, file:src/a.ts or superseded'),
    focus: z.string().min(1).max(1_000).optional(),
  })
  .refine(({ action, part }) => part !== undefined || action === 'show' || action === 'compact', 'give the part')
type Input = z.infer<typeof inputSchema>

/** Lets the model look at its own context and change it, within what the user allows. */
export const ownContext: Tool = defineTool<Input>({
  name: 'context',
  description: CONTEXT_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  changesContext: true,
  // Every change can be undone.
  permission: async () => undefined,
  run: async (input, { request }) => {
    if (request === undefined) return refused('There is no session here.')
    const { ok, text } = await request(requestIn(input))
    return { text, isError: !ok }
  },
})

function requestIn({ action, part = '', focus }: Input): ModelRequest {
  if (action === 'show') return { action }
  return action === 'compact' ? { action, focus } : { action, part }
}
