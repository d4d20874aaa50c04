import { messageOf, PithError } from '../../model/problems/errors.ts'
import type { ChangeResult } from './port.ts'

/** The answer to a change that the screen shows by itself. */
export const DONE: ChangeResult = { ok: true, text: '' }

/** The answer to a change that was refused. */
export function refusal(text: string): ChangeResult {
  return { ok: false, text }
}

/** The answer to a change that names a message which the session does not have. */
export function noEntry(seq: number): ChangeResult {
  return refusal(`This session has no entry #${seq}`)
}

/** The first line of an error, for the user. */
export function firstErrorLine(error: unknown): string {
  return messageOf(error).split('\n', 1)[0] ?? ''
}

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

/** A setting as the user typed it: a number, a boolean, a list such as `mask, digest`, or a text. */
export function settingValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.includes(',') ? text.split(',').map((word) => word.trim()) : text
  }
}

/** A setting for the user to read. */
export function settingText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
