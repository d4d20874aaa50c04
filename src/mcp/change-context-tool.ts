import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { CHANGE_CONTEXT_TEXTS } from './descriptions.ts'
import { type McpTool, withinAnswer } from './found-session.ts'

const inputSchema = z
  .strictObject({
    action: z.enum(['drop', 'restore', 'compact']),
    part: z.string().min(1).max(400).optional().describe(CHANGE_CONTEXT_TEXTS.part),
    focus: z.string().min(1).max(1_000).optional().describe(CHANGE_CONTEXT_TEXTS.focus),
  })
  .refine(({ action, part }) => part !== undefined || action === 'compact', 'give the part')

/** Drops and restores parts of the caller's own context, and asks for a compaction, if a gateway rewrites it. */
export const changeContextTool: McpTool<z.infer<typeof inputSchema>> = {
  name: 'change_context',
  description: CHANGE_CONTEXT_TEXTS.description,
  input: inputSchema,
  isReadOnly: false,
  run: async ({ action, part = '', focus }, { finder }) => {
    if (finder.request === undefined) throw new PithError('not-allowed', 'there is no gateway here')
    const text = await finder.request('change_context', action === 'compact' ? { action, focus } : { action, part })
    return withinAnswer(() => text)
  },
}
