import { importSessionRoute } from '../../../contract/routes/session-routes.ts'
import { decodeText } from '../../../formats/index.ts'
import { importSession } from '../../../session/import/import-session.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { bodyKey, createOnce } from '../../http/same-request.ts'
import { handler } from '../handler.ts'
import { sessionDetail } from './session-detail.ts'

/** Imports an export of ours or a session file of any agent, once for a key. */
export const importSessionHandler = handler(importSessionRoute, async ({ body, headers, caller }, services) => {
  const { store, sessions, models } = services
  const decoded = decodeText(body)
  if (!decoded.ok) throw new HttpError(400, 'bad-request', decoded.text)
  const { entries, issues } = decoded.session
  const { id } = await importSession(
    { ...store, createSession: (draft) => createOnce(store, draft) },
    decoded.session,
    {
      owner: caller.owner,
      workspace: '',
      known: models.known,
      key: requestKey(caller, 'import', headers),
      file: bodyKey('import', body),
    },
  )
  const served = await sessions.open(id, caller.owner)
  return { session: await sessionDetail(services, served), entries: entries.length, issues: [...issues] }
})
