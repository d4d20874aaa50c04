import type { Usage } from '../../model/provider/usage.ts'
import type { Agent } from '../agent.ts'

/** Keeps in the account what a provider counted for an answer that is not in the log as it came. */
export async function storeVoid(agent: Agent, reason: string, usage: Usage | undefined): Promise<void> {
  if (usage === undefined) return
  const entries = await agent.live.append([{ type: 'void', reason, model: agent.model.name, usage }])
  for (const entry of entries) agent.emit({ type: 'entry', entry })
}
