import type { WireChange } from '../../contract/shapes/shapes.ts'
import { wireEntry } from '../../contract/shapes/wire.ts'
import type { Entry } from '../../model/types.ts'
import type { ServedSession } from './live-sessions.ts'
import { measureOf, statusFor } from './measure.ts'
import type { Services } from './services.ts'

/** The answer to a change of a session's view: its entry, and how full the context is after it. */
export async function wireChange(services: Services, { id, live }: ServedSession, entry: Entry): Promise<WireChange> {
  const served = await services.sessions.open(id, live.session.owner)
  return { entry: wireEntry(entry), status: statusFor(await measureOf(services, served)) }
}
