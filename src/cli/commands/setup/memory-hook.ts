import type { JsonValue } from '../../../model/types.ts'
import { type HookAgent, hookCommand } from '../../memory/memory-command.ts'
import { jsonItem } from './forms/json-forms.ts'
import type { Setting, SetupWorld } from './setup-agent.ts'

/** The word for the memory in the list of what is on. */
export const MEMORY = 'memory'

/** The memory as a hook in the form of Claude Code, which others have taken over. */
export function memoryHook(
  agent: HookAgent,
  { pith }: SetupWorld,
  { file, event, matcher, timeout = 10 }: { file: string; event: string; matcher?: string; timeout?: number },
): Setting {
  const hook = { type: 'command', command: hookCommand(pith, agent), timeout }
  const group = { ...(matcher && { matcher }), hooks: [hook] }
  return { what: MEMORY, file, form: jsonItem(['hooks', event], group, isMemoryHook, 'hooks') }
}

/** True for a hook that an installation of Pith added. */
export function isMemoryHook(item: JsonValue): boolean {
  return /(?:pith|cli[/\\]+main\.[jt]s)\S* memory start --for \w+/.test(JSON.stringify(item))
}
