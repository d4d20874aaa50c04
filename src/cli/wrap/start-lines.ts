import { triggerText } from '../../gateway/wrap/own-trigger.ts'
import type { WrapPlan } from '../../gateway/wrap/wrapped-agent.ts'
import { modeText } from '../setup/mode-text.ts'
import type { GatewayReady } from './gateway-process.ts'

/** The lines at the start of a wrapped agent: what Pith does, when the session is compacted, and what is off. */
export function startLines(title: string, { model, ownTrigger, turnsOff }: WrapPlan, ready: GatewayReady): string[] {
  const trigger = triggerText(title, { ...ready, own: ownTrigger })
  const does = `Pith is on for ${title}: it ${modeText(ready)}. ${trigger}. \`pith gateway status\` lists each request`
  const unknown = ready.mode === 'rewrite' ? unknownWindow(model, ready) : undefined
  return [does, turnsOff, unknown].filter((line) => line !== undefined)
}

/** Without a window nothing says when a request is too long, except the provider. */
function unknownWindow(model: string | undefined, { knowsWindow }: GatewayReady): string | undefined {
  if (knowsWindow === true) return undefined
  const whose =
    model === undefined
      ? 'If Pith does not know the window of the model that you choose'
      : `Pith does not know the window of ${model}`
  const end = model === undefined ? ', and a line at the end says so' : ''
  return `${whose}: requests are shortened only after the provider refuses one${end}. Name the window under \`models\` in Pith's configuration (\`context_window\`)`
}
