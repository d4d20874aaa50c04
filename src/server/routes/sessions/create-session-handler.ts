import { createSessionRoute } from '../../../contract/routes/session-routes.ts'
import type { EntryDraft } from '../../../model/entry.ts'
import { HttpError } from '../../http/http-error.ts'
import { messageInBody } from '../../http/message-in-body.ts'
import { requestKey } from '../../http/request-key.ts'
import { appendFirst, bodyKey, createOnce } from '../../http/same-request.ts'
import { handler } from '../handler.ts'
import { sessionDetail } from './session-detail.ts'
import { settingsDrafts } from './settings-drafts.ts'

/** Creates a session, once for a key. */
export const createSessionHandler = handler(createSessionRoute, async ({ body = {}, headers, caller }, services) => {
  const { store, sessions, server } = services
  const { title, workspace, messages = [] } = body
  if (workspace !== undefined && !Object.hasOwn(server.workspaces, workspace))
    throw new HttpError(400, 'unknown-workspace', `there is no workspace ${workspace} in server.workspaces`)
  const drafts = [...settingsDrafts(services, body), ...messages.map(messageDraft)]
  const { owner } = caller
  const key = requestKey(caller, 'create', headers)
  const { id } = await createOnce(store, { owner, workspace: workspace ?? '', title, key })
  // With a key the log is never empty, so that another body under the same key is known by it.
  const first = drafts.length === 0 && key !== undefined ? [{ type: 'settings', title } as const] : drafts
  if (first.length > 0) await appendFirst(store, id, first, bodyKey('create', body))
  return sessionDetail(services, await sessions.open(id, owner))
})

function messageDraft(message: unknown, i: number): EntryDraft {
  return { type: 'message', message: messageInBody(message, ['messages', i]) }
}
