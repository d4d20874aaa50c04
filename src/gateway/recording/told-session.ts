import type { Seq } from '../../model/ids.ts'
import type { View } from '../../model/view.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { isAsked, isTold, isToldRecord } from './last-told.ts'
import { toldResults } from './told-results.ts'

/** A session, and its end now. */
export type ToldSession = { readonly session: SessionId; readonly seq: Seq }

/**
 * The session that a client tells as a text: of those whose user is quoted in it, or whose record, the one of which most is
 * told. In a long turn nothing of the user stands behind the record. The session that was answered last goes before others
 * of which as much is told. It need not be the right one: a sub-agent answers while the agent that called it waits, and a
 * request for a title repeats the user's words.
 */
export async function toldSession(
  store: Store,
  owner: string,
  told: string,
  last: SessionId | undefined,
): Promise<ToldSession | undefined> {
  const { sessions } = await store.sessions({ owner, limit: MOST_LOOKS })
  const ids = new Set([...(last === undefined ? [] : [last]), ...sessions.map(({ id }) => id)])
  let best: { readonly session: SessionId; readonly view: View; readonly count: number } | undefined
  for (const session of ids) {
    const { view } = await openSession(store, session)
    const items = view.items.slice()
    // Agents say the same words in many sessions; users seldom do.
    if (!items.some((item) => isAsked(item, told) || isToldRecord(item, told))) continue
    const count = items.filter((item) => isTold(item, told)).length
    if (count > (best?.count ?? 0)) best = { session, view, count }
  }
  return best && { session: best.session, seq: await completed(store, best.session, best.view, told) }
}

/** The end of a session, with the results of its last calls. Others may have appended them, or gone on, meanwhile. */
async function completed(store: Store, session: SessionId, view: View, told: string): Promise<Seq> {
  const last = view.items.slice(-1)[0]?.message
  const message = last === undefined ? undefined : toldResults(last, told)
  if (message === undefined) return view.lastSeq
  const guard = {
    since: view.lastSeq,
    check: (later: readonly unknown[]) => (later.length > 0 ? 'it has gone on' : undefined),
  }
  const appended = await store.append(session, [{ type: 'message', message }], { guard })
  return appended.ok ? (appended.entries.at(-1)?.seq ?? view.lastSeq) : view.lastSeq
}

const MOST_LOOKS = 10
