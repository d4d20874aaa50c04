import { PithError } from '../model/errors.ts'
import type { SessionId } from './store.ts'

/** What every method of every store says of a session that is not there, in one line whatever the id has in it. */
export function unknownSession(id: SessionId): PithError {
  return new PithError('unknown-session', `there is no session ${id.replace(/\s+/g, ' ')}`)
}
