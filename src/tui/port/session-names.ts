import { PithError } from '../../model/problems/errors.ts'

/** The session with this id, or the only one whose id begins with it. `list` is the command that lists all sessions. */
export function sessionWithId<S extends { readonly id: string }>(
  sessions: readonly S[],
  id: string,
  list: SessionList = '/sessions',
): S {
  const exact = sessions.find((session) => session.id === id)
  const [only, another] = sessions.filter((session) => session.id.startsWith(id))
  const found = exact ?? (another === undefined ? only : undefined)
  if (found !== undefined) return found
  const why = only === undefined ? 'there is none' : 'several begin like that'
  throw new PithError('unknown-session', `session ${id}: ${why}; ${list} lists them`)
}

/** The command that lists sessions: in the terminal agent, or before it has started. */
export type SessionList = '/sessions' | 'pith --resume'

/** The file that a session is exported to when the user names none. */
export function exportName(id: string): string {
  return `pith-session-${id.slice(0, 8)}.jsonl`
}
