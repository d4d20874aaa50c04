/** The beginning of the ids of other agents' sessions. No id of ours begins with it. */
export const AGENT_PREFIX = 'agent:'

/** True for a session of another agent, which can only be read. */
export function isAgentId(id: string): boolean {
  return id.startsWith(AGENT_PREFIX)
}
