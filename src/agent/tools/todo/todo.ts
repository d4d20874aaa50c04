import { z } from 'zod'
import { todoSchema } from '../../../model/entry-parts-schema.ts'
import type { Todo } from '../../../model/types.ts'
import { defineTool, type Tool } from '../../tool.ts'

const TODO_DESCRIPTION = `Writes the to-do list of this session. Each call writes the whole list: items that you leave out are gone.

Use it for work of several steps: write the steps at the start, set one to \`in-progress\` when you begin it and to \`done\` as soon as it is done. The list survives when the conversation is shortened.`

const inputSchema = z.strictObject({
  todos: z
    .array(todoSchema.extend({ text: z.string().trim().min(1).max(500) }))
    .max(200)
    .describe('The whole list, in order'),
})
type Input = z.infer<typeof inputSchema>

const BOXES: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  'in-progress': '[>]',
  done: '[x]',
  cancelled: '[-]',
}

/** Writes the session's to-do list as a whole. */
export const todo: Tool = defineTool<Input>({
  name: 'todo',
  description: TODO_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  permission: async () => undefined,
  run: async ({ todos }) => {
    const lines = todos.map(({ text, status }) => `${BOXES[status]} ${text}`)
    return { text: lines.length === 0 ? 'The to-do list is empty.' : lines.join('\n'), todos }
  },
})
