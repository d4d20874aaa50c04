import type { Agent } from '../agent.ts'
import { shownPart } from '../shown-part.ts'
import type { ToolContext } from '../tool.ts'
import { bash } from '../tools/bash/bash.ts'

/** The longest that a command of the user may run. */
const MOST_SECONDS = 600

/** Runs a command that the user typed, and returns it with its output. It needs no permission, because the user typed it. */
export async function runUserCommand({ deps }: Agent, command: string, signal: AbortSignal): Promise<string> {
  const { text } = await bash.run({ command, timeoutSeconds: MOST_SECONDS }, { ...NO_LOG, ...deps, signal })
  return `$ ${command}\n${text}`
}

/** Adds the output of the user's command to the conversation. The model reads it with the next message. It does not count as the user's words. */
export async function addUserCommand(agent: Agent, text: string): Promise<void> {
  const shown = shownPart(text, agent.info.contextWindow)
  const message = { role: 'user' as const, content: text }
  const entries = await agent.live.append([{ type: 'message', message, shown, userWords: [] }])
  for (const entry of entries) agent.emit({ type: 'entry', entry })
}

/** A command does not need the log. */
const NO_LOG: Pick<ToolContext, 'seen' | 'recall'> = {
  seen: () => undefined,
  recall: { entries: async () => [], search: async () => [] },
}
