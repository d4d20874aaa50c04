import { z } from 'zod'
import { defineTool, refused, type TaskWish, type Tool } from '../../tool.ts'

const TASK_DESCRIPTION = `Gives a piece of work to a sub-agent with a context of its own. You get only its report, so what it reads does not fill your context.

- Use it to look through much text for a short answer, or for parts of the work that do not depend on each other. Call it several times in one answer to run them side by side.
- It sees nothing of this conversation: \`prompt\` must say what to do, what you know already, where to look, and what to report.
- \`tools\`: \`read\` (default) reads and searches files; \`all\` may also change files and run commands, one sub-agent at a time.
- The report has handles such as \`task-1#5\`: recall gives back those parts of its work, and its search finds them.`

const inputSchema: z.ZodType<TaskWish> = z.strictObject({
  description: z.string().trim().min(1).max(200).describe('The work in a few words, for the user'),
  prompt: z.string().trim().min(1).describe('The whole order for the sub-agent'),
  tools: z.enum(['read', 'all']).default('read'),
})

/** Starts a sub-agent. Its own calls ask for their permissions. */
export const task: Tool = defineTool<TaskWish>({
  name: 'task',
  description: TASK_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: async () => undefined,
  run: async (wish, { startTask }) => startTask?.(wish) ?? refused('There are no sub-agents here: do it yourself.'),
})
