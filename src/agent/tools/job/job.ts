import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { elapsed } from '../../../engine/report/numbers.ts'
import { untilAborted } from '../../interruption.ts'
import { defineTool, refused, type Tool, type ToolOutput } from '../../tool.ts'

const JOB_DESCRIPTION = `Reads the output of a command that runs in the background (\`bash\` with \`background\`), or stops it.

- \`read\` answers with what came since your last look and, when the command has ended, its exit code. \`waitSeconds\` waits for the end first: better than asking again and again.
- You do not have to ask for the end: it is reported to you with the next message.`

const inputSchema = z.strictObject({
  id: z.string().describe('The handle of the command, such as j12'),
  action: z.enum(['read', 'stop']).optional().describe('read by default'),
  waitSeconds: z.number().nonnegative().max(600).optional().describe('Wait at most this long for the command to end'),
  whole: z.boolean().optional().describe('The whole output again, not only what is new'),
})
type Input = z.infer<typeof inputSchema>

/** Reads or stops a command of this session that runs in the background. */
export const job: Tool = defineTool<Input>({
  name: 'job',
  description: JOB_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  // The command itself was allowed, and only commands of this session can be reached.
  permission: async () => undefined,
  run: async ({ id, action = 'read', waitSeconds = 0, whole = false }, { jobs, signal }): Promise<ToolOutput> => {
    const found = jobs?.table.find(jobs.owner, id)
    if (jobs === undefined || found === undefined)
      return refused(`There is no background command ${id} in this session`)
    if (found.state === 'detached') return refused(`The user detached ${id}: it is no longer yours`)
    if (action === 'stop') await jobs.table.stop(id, 'you stopped it')
    else if (found.state === 'running' && waitSeconds > 0) {
      const timer = new AbortController()
      const time = pause(waitSeconds * 1_000, undefined, { signal: timer.signal }).catch(() => undefined)
      await untilAborted(Promise.race([found.ended, time]), signal)
      timer.abort()
    }
    const { text, raw, isNew, runsFor } = jobs.table.read(id, whole ? 'whole' : 'new')
    if (runsFor === undefined) return { text, ...(raw === undefined ? {} : { raw }) }
    const output = text === '' ? '(no output)' : text
    return {
      text: `Command running in background with ID: ${id} (for ${elapsed(runsFor)}; ${isNew ? 'its output since the last look' : 'its output so far'})\n${output}`,
    }
  },
})
