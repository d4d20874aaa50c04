import { PithError } from '../../model/errors.ts'
import { firstLine } from './safe-text.ts'

const TITLE_CHARACTERS = 60

/** The title of a session that the user has not named: the beginning of its first message. */
export function titleFrom(text: string): string {
  return shortTitle(text) || 'session'
}

/** A title on one line. */
export function shortTitle(title: string): string {
  return firstLine(title, TITLE_CHARACTERS)
}

/** The session with this id, or the only one whose id begins with it. */
export function sessionWithId<S extends { readonly id: string }>(sessions: readonly S[], id: string): S {
  const exact = sessions.find((session) => session.id === id)
  const [only, another] = sessions.filter((session) => session.id.startsWith(id))
  const found = exact ?? (another === undefined ? only : undefined)
  if (found !== undefined) return found
  const why = only === undefined ? 'there is none' : 'several begin like that'
  throw new PithError('unknown-session', `session ${id}: ${why}; /sessions lists them`)
}

/** The file that a session is exported to when the user names none. */
export function exportName(id: string): string {
  return `pith-session-${id.slice(0, 8)}.jsonl`
}
