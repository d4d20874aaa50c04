import type { WireSession, WireSessionDetail } from '../../../contract/shapes/shapes.ts'
import { toWire } from '../../../contract/shapes/wire.ts'
import { undoTargets } from '../../../engine/context/view/activity.ts'
import { sessionSettings } from '../../../session/open-session.ts'
import { stateWithoutStatus } from '../../../session/session-state.ts'
import { untitledWords } from '../../../session/session-title.ts'
import type { Session, Store } from '../../../store/store.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf, statusFor } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'

/** A session with its state, as it goes over HTTP. */
export async function sessionDetail(services: Services, served: ServedSession): Promise<WireSessionDetail> {
  const { live } = served
  const measure = await measureOf(services, served)
  const { model, context } = measure
  const { todos, files, breaker, compactions } = stateWithoutStatus(live, live.facts())
  return {
    ...(await wireSession(services.store, live.session)),
    model: model.name,
    no_model: model.missing,
    preset: context.policy.preset,
    policy: toWire(sessionSettings(live.log).policy),
    status: statusFor(measure),
    todos: [...todos],
    files: files.map(({ path, seq, access }) => ({ path, seq, access })),
    breaker: toWire(breaker),
    compactions: compactions.filter(({ undone }) => !undone).length,
    ...undoTargets(live.log),
    bad_rows: live.bad.length,
  }
}

/** A session as the API returns it. If it has no title, `first_words` replaces it. */
export async function wireSession(store: Store, session: Session): Promise<WireSession> {
  return { ...toWire(session), first_words: await untitledWords(store, session) }
}
