/** The ids of other agents' sessions begin so; no id of ours does. */
export const AGENT_PREFIX = 'agent:'

/** True for a session of another agent, which can only be read. */
export function isAgentId(id: string): boolean {
  return id.startsWith(AGENT_PREFIX)
}
