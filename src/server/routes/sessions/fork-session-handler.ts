import { forkSessionRoute } from '../../../contract/routes/session-routes.ts'
import { originIn } from '../../../session/import/origin.ts'
import { forkTitle } from '../../../session/session-title.ts'
import { requestKey } from '../../http/request-key.ts'
import { createOnce, otherBody } from '../../http/same-request.ts'
import { sessionHandler } from '../handler.ts'
import { sessionDetail } from './session-detail.ts'

/** Forks a session at a seq, once for a key. */
export const forkSessionHandler = sessionHandler(
  forkSessionRoute,
  async ({ body = {}, headers, caller }, { id, live }, services) => {
    const { store, sessions } = services
    const { lastSeq, workspace, title } = live.session
    const seq = body.seq ?? lastSeq
    const fork = await createOnce(store, {
      owner: caller.owner,
      workspace,
      parent: { id, seq },
      title: body.title ?? forkTitle(title),
      key: requestKey(caller, `fork ${id}`, headers),
    })
    if (body.seq !== undefined && fork.parent?.seq !== body.seq) throw otherBody()
    // An import writes the origin behind the last entry, where a fork of an earlier one does not reach.
    const origin = originIn(live.log)
    if (origin !== undefined && originIn(live.log.filter((entry) => entry.seq <= seq)) === undefined)
      await store.append(fork.id, [{ type: 'settings', origin }], { key: 'origin' })
    return sessionDetail(services, await sessions.open(fork.id, caller.owner))
  },
)
