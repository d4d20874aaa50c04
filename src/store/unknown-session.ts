import { PithError } from '../model/problems/errors.ts'
import type { SessionId } from './store.ts'

/** The error of every store for an unknown session: one line, whatever the id contains. */
export function unknownSession(id: SessionId): PithError {
  return new PithError('unknown-session', `there is no session ${id.replace(/\s+/g, ' ')}`)
}

/** True when there is no such session (any more): another process may have deleted it. */
export function isUnknownSession(error: unknown): boolean {
  return error instanceof PithError && error.code === 'unknown-session'
}
