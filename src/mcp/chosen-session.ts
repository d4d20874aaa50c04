import { PithError } from '../model/problems/errors.ts'
import { clip } from '../model/text.ts'
import type { ChosenSession, FoundSession, SessionFinder, SessionLog } from './found-session.ts'

/** The named session, or else the one that the caller is in. */
export async function chosenSession(finder: SessionFinder, id?: string): Promise<ChosenSession> {
  if (id !== undefined) {
    const session = await finder.named(id)
    if (session === undefined) throw new PithError('unknown-session', `there is no session ${clip(id, 60)}`)
    return { session, why: 'as asked' }
  }
  const chosen = await finder.current()
  if (chosen === undefined) throw new PithError('unknown-session', NONE)
  return chosen
}

const NONE =
  'No session of this folder was found: no agent has written one here yet. `scope: everything` looks elsewhere.'

/** The first line of every answer. */
export function sessionLine({ session, why }: ChosenSession, { title }: SessionLog): string {
  return `Session ${shortId(session)} of ${session.agent}${title === undefined ? '' : `, “${clip(title, 80)}”`} (${why})`
}

/** The beginning of an id. It is enough for the argument `session` of `recall`. */
export function shortId({ id }: FoundSession): string {
  return id.length <= 40 ? id : id.slice(0, 40)
}
