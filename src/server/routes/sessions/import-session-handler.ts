import { importSessionRoute } from '../../../contract/session-routes.ts'
import { oneLine } from '../../../engine/text/one-line.ts'
import { decodeText } from '../../../formats/index.ts'
import type { Entry, EntryDraft } from '../../../model/entry.ts'
import { textOf } from '../../../model/message.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { handler } from '../handler.ts'
import { sessionDetail } from './session-detail.ts'

/** Imports an export of ours or a session file of any agent, once for a key. */
export const importSessionHandler = handler(importSessionRoute, async ({ body, headers, caller }, services) => {
  const { store, sessions } = services
  const decoded = decodeText(body)
  if (!decoded.ok) throw new HttpError(400, 'bad-request', `body: ${decoded.text}`)
  const { entries, issues } = decoded.session
  const gap = entries.findIndex((entry, i) => entry.seq !== i + 1)
  if (gap !== -1)
    throw new HttpError(400, 'bad-request', `body: entry ${gap + 1} of the log is missing, and others may name it`)
  const { id } = await store.createSession({
    owner: caller.owner,
    workspace: '',
    title: decoded.session.title ?? firstWords(entries),
    key: requestKey(caller, 'import', headers),
  })
  await store.append(id, entries.map(draftOf), { key: 'import' })
  const served = await sessions.open(id, caller.owner)
  return { session: await sessionDetail(services, served), entries: entries.length, issues: [...issues] }
})

function draftOf({ id: _, seq: __, at: ___, ...draft }: Entry): EntryDraft {
  return draft
}

const TITLE_CHARACTERS = 80

/** A title for a session without one: the first message of its user that is no command of an agent. */
function firstWords(entries: readonly Entry[]): string | undefined {
  const asked = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? [oneLine(textOf(entry.message), TITLE_CHARACTERS)] : [],
  )
  return asked.find((words) => /^[^/<]/.test(words)) ?? asked.find((words) => words !== '')
}
