import { maskIn } from '../../formats/pi/mask-entry.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { PLUGIN_RECALL_DESCRIPTION, RECALL_SCHEMA } from '../shared/recall-schema.ts'
import type { ContextMasks } from './mask-context.ts'
import { type PiApi, type PiContext, STATUS_KEY } from './pi-api.ts'

/** The parts that do the work. */
export type ExtensionWork = typeof import('./extension-work.ts')

/** Registers Pith's handlers and its tool in pi. `work` loads the parts when they are needed. */
export function registerExtension(pi: PiApi, work: () => ExtensionWork): void {
  let masks: ContextMasks | undefined
  let madeStatus: string | undefined

  pi.on('session_start', (_, context) => {
    masks?.reset()
    show(context, 'Pith')
  })
  pi.on('model_select', () => masks?.reset())

  pi.on('session_before_compact', (event, context) =>
    orByPi(context, 'compacts', async () => {
      const made = await work().compactBranch(event, context, pi)
      madeStatus = made?.status
      if (made?.notice !== undefined && context.hasUI) context.ui.notify(made.notice, 'info')
      return made?.answer
    }),
  )
  pi.on('session_compact', (event, context) => {
    masks?.reset()
    if (event.fromExtension) show(context, madeStatus)
  })

  pi.on('context', (event, context) =>
    orByPi(context, 'sends all', async () => {
      if (masks === undefined && !mayMask(context)) return undefined
      masks ??= new (work().ContextMasks)(pi)
      return masks.apply(event, context)
    }),
  )

  pi.registerTool({
    name: 'recall',
    label: 'recall',
    description: PLUGIN_RECALL_DESCRIPTION,
    promptSnippet: 'Read what was compacted or masked earlier in this session, by its handle (#12) or by a search',
    parameters: RECALL_SCHEMA,
    execute: async (_id, input, _signal, _onUpdate, context) => {
      const text = await work().recallInBranch(input, context)
      return { content: [{ type: 'text', text }], details: undefined }
    },
  })
}

/** False while nothing is masked and the context is too small for it: then nothing has to be loaded. */
function mayMask(context: PiContext): boolean {
  return (
    (context.getContextUsage()?.tokens ?? 0) >= LEAST_TOKENS ||
    context.sessionManager.getBranch().some((entry) => maskIn(entry) !== undefined)
  )
}

const LEAST_TOKENS = 8_000

/** If Pith fails, the user is notified and pi works as without Pith. */
async function orByPi<T>(context: PiContext, does: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const why = messageOf(error)
    if (context.hasUI) context.ui.notify(`Pith failed (${why}); pi ${does} by itself`, 'warning')
    return undefined
  }
}

function show(context: PiContext, text: string | undefined): void {
  if (context.hasUI && text !== undefined) context.ui.setStatus(STATUS_KEY, text)
}
