import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { PIN_TEXTS } from './descriptions.ts'
import { chosenSession, type McpTool, type SessionLog, sessionLine } from './found-session.ts'

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
    const log = await chosen.session.read()
    const line = sessionLine(chosen, log)
    const { pin, unpin } = chosen.session
    if (pin === undefined || unpin === undefined)
      throw new PithError('not-allowed', `${line} is a file of its agent, which Pith never writes to. ${USE_WRAP}`)
    if (on) return `${line}\n\n${pinnedText(seq, await pin(seq), log)}`
    await unpin(seq)
    return `${line}\n\n#${seq} is no longer pinned.`
  },
}

const USE_WRAP = 'Messages can be pinned in sessions that Pith records: start the agent with `pith wrap`.'

function pinnedText(seq: number, isBack: boolean, { policy }: SessionLog): string {
  if (!isBack) return `#${seq} stays word for word through later compactions.`
  const back = `#${seq} came back word for word, and stays through later compactions.`
  return policy === undefined ? `${back} ${ONLY_REWRITTEN}` : back
}

/** Messages that an agent has compacted itself are not in its requests, so the gateway cannot put them back in every mode. */
const ONLY_REWRITTEN =
  'It is in the next request if the gateway compacts this session (mode `rewrite`); otherwise read it with `recall`.'
