/** The agents that run a command when a session begins. */
export const HOOK_AGENTS = ['claude', 'codex', 'gemini', 'qwen', 'copilot'] as const
export type HookAgent = (typeof HOOK_AGENTS)[number]

/** The command that an agent runs at its hook, for a shell. An agent must not notice that Pith is gone, so it always ends well. */
export function hookCommand(
  pith: { readonly command: string; readonly args: readonly string[] },
  agent: string,
  ...more: readonly string[]
): string {
  const words = [pith.command, ...pith.args, 'memory', 'start', '--for', agent, ...more]
  return `${words.map((word) => (/^[\w./-]+$/.test(word) ? word : quoted(word))).join(' ')} || true`
}

/** A path for a shell; those of Windows have backslashes, which stay. */
export function quoted(path: string): string {
  return `"${path.replace(/["$`]/g, '\\$&')}"`
}
