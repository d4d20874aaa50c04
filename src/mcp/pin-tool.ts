import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { chosenSession, sessionLine } from './chosen-session.ts'
import { PIN_TEXTS } from './descriptions.ts'
import type { McpTool } from './tool.ts'

const inputSchema = z.strictObject({
  handle: z
    .string()
    .regex(/^#?\d{1,9}$/, 'write one handle, such as #12')
    .describe(PIN_TEXTS.handle),
  on: z.boolean().optional().describe(PIN_TEXTS.on),
})

/** Keeps a message through later compactions. */
export const pinTool: McpTool<z.infer<typeof inputSchema>> = {
  name: 'pin',
  description: PIN_TEXTS.description,
  input: inputSchema,
  isReadOnly: false,
  run: async ({ handle, on = true }, { finder }) => {
    const seq = Number(handle.replace('#', ''))
    const chosen = await chosenSession(finder)
    const line = sessionLine(chosen, await chosen.session.read())
    if (chosen.session.pin === undefined)
      throw new PithError('not-allowed', `${line} is a file of its agent, which Pith never writes to. ${BEHIND}`)
    await chosen.session.pin(seq, on)
    return `${line}\n\n${on ? `#${seq} stays word for word through later compactions.` : `#${seq} is no longer pinned.`}`
  },
}

const BEHIND = 'Messages can be pinned in sessions that Pith records: start the agent with `pith wrap`.'
