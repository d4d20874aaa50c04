/** The agents that run a command when a session begins. */
export const HOOK_AGENTS = ['claude', 'codex', 'gemini', 'qwen', 'copilot'] as const
export type HookAgent = (typeof HOOK_AGENTS)[number]

/** Set for an agent that `pith wrap` has given the memory: hooks of `pith setup` then say nothing. */
export const MEMORY_GIVEN = 'PITH_MEMORY_GIVEN'

/** The variable with the command that the files for one run of an agent name. */
export const MEMORY_COMMAND = 'PITH_MEMORY_COMMAND'

/** The arguments of the command that an agent runs at its hook. */
export function memoryArgs(agent: HookAgent): string[] {
  return ['memory', 'start', '--for', agent]
}
