import type { Fixed } from '../../model/fixed.ts'
import type { JsonValue } from '../../model/message/message.ts'
import type { PiApi, PiContext } from './pi-api.ts'

/** What pi sends with every request beside the conversation. */
export function fixedOf(context: PiContext, pi: PiApi): Fixed {
  const active = new Set(pi.getActiveTools())
  const tools = pi
    .getAllTools()
    .filter(({ name }) => active.has(name))
    .map(({ name, description, parameters }) => ({
      name,
      description,
      // A schema is JSON by what it is for.
      inputSchema: parameters as JsonValue | undefined,
    }))
  return { system: context.getSystemPrompt(), tools }
}
