import { join } from 'node:path'
import type { JsonValue } from '../../../model/types.ts'
import { jsonItem } from './forms/json-forms.ts'
import type { Setting, SetupWorld } from './setup-agent.ts'

/** An event at which an agent runs one of our programs; a matcher narrows it. */
export type HookEvent = {
  readonly event: string
  readonly program: 'hook.cjs' | 'tell.sh'
  readonly matcher?: string
  readonly timeoutSeconds?: number
}

/** Hooks as Claude Code and Codex have them. They need the program that the build makes. */
export function hookSettings({ builtFile, exists }: SetupWorld, file: string, events: readonly HookEvent[]): Setting[] {
  const folder = builtFile('plugins/claude-code')
  if (!exists(join(folder, 'hook.cjs'))) return []
  return events.map(({ event, program, matcher, timeoutSeconds = 10 }) => {
    const command = commandOf(quoted(join(folder, program)), program, event)
    const group = { ...(matcher && { matcher }), hooks: [{ type: 'command', command, timeout: timeoutSeconds }] }
    return { what: `hook ${event}`, file, form: jsonItem(['hooks', event], group, isOurs, 'hooks') }
  })
}

/**
 * `sh` ends with status 2 where the script is gone, with which Claude Code refuses the user's prompt: without Pith nothing
 * must run. `node` ends with status 1 there, which is only reported.
 */
function commandOf(file: string, program: HookEvent['program'], event: string): string {
  return program === 'hook.cjs' ? `node ${file} ${event}` : `[ ! -r ${file} ] || sh ${file} ${event}`
}

/** A path for a shell; those of Windows have backslashes, which stay. */
function quoted(path: string): string {
  return `"${path.replace(/["$`]/g, '\\$&')}"`
}

function isOurs(item: JsonValue): boolean {
  return /dist[/\\]+plugins[/\\]+claude-code[/\\]+(?:hook\.cjs|tell\.sh)/.test(JSON.stringify(item))
}
