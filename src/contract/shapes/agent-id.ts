/** The beginning of the ids of other agents' sessions. No id of ours begins with it. */
export const AGENT_PREFIX = 'agent:'

/** True for a session of another agent, which can only be read. */
export function isAgentId(id: string): boolean {
  return id.startsWith(AGENT_PREFIX)
}

/** Enough of an id to name a session of any agent, also in a handle. The ids of some agents begin alike. */
export function shortSessionId(session: string): string {
  const id = /^agent:[^:]*:([\s\S]*)$/.exec(session)?.[1] ?? session
  // UUIDs of version 7 begin with the time: those of one minute begin alike.
  const [, short, rest] = /^([0-9a-f]{8})(-[0-9a-f]{4})-/.exec(id) ?? []
  return short === undefined ? id : /^.{14}7/.test(id) ? `${short}${rest}` : short
}
