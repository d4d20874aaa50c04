import { forkSessionRoute } from '../../../contract/session-routes.ts'
import { requestKey } from '../../http/request-key.ts'
import { sessionHandler } from '../handler.ts'
import { sessionDetail } from './session-detail.ts'

/** Forks a session at a seq, once for a key. */
export const forkSessionHandler = sessionHandler(
  forkSessionRoute,
  async ({ body = {}, headers, caller }, { id, live }, services) => {
    const { store, sessions } = services
    const { lastSeq, workspace, title = 'session' } = live.session
    const fork = await store.createSession({
      owner: caller.owner,
      workspace,
      parent: { id, seq: body.seq ?? lastSeq },
      title: body.title ?? `${title} (fork)`,
      key: requestKey(caller, `fork ${id}`, headers),
    })
    return sessionDetail(services, await sessions.open(fork.id, caller.owner))
  },
)
