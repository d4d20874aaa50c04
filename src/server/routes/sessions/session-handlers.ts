import { keptContents } from '../../../agent/checkpoints/open-keeper.ts'
import { redactWithContents } from '../../../agent/checkpoints/redact-with-contents.ts'
import * as contract from '../../../contract/routes/session-routes.ts'
import { toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import { entriesWithSameText } from '../../../session/search/entries-with-same-text.ts'
import { gauge } from '../../../tokens/status.ts'
import { LOCAL_OWNER } from '../../access/tokens.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { createSessionHandler } from './create-session-handler.ts'
import { exportSessionHandler } from './export-session-handler.ts'
import { forkSessionHandler } from './fork-session-handler.ts'
import { importSessionHandler } from './import-session-handler.ts'
import { sessionDetail } from './session-detail.ts'
import { settingsDrafts } from './settings-drafts.ts'
import { wireSession } from './wire-session.ts'

const listSessions = handler(contract.listSessionsRoute, async ({ query: { q, limit, before }, caller }, { store }) => {
  const { sessions, next } = await store.sessions({ owner: caller.owner, limit, text: q, before })
  return { sessions: await Promise.all(sessions.map((session) => wireSession(store, session))), next }
})

const listAgentSessions = handler(contract.listAgentSessionsRoute, async ({ query, caller }, { agentFiles }) => {
  if (caller.owner !== LOCAL_OWNER)
    throw new HttpError(403, 'not-allowed', 'only the owner of this machine sees the sessions of its other agents')
  const sessions = await (agentFiles?.list(query.limit) ?? [])
  return { sessions: sessions.map((each) => ({ ...toWire(each), level: gauge(each.tokens, each.window).level })) }
})

const listStatuses = handler(contract.listStatusesRoute, async ({ query, caller }, services) => ({
  statuses: await services.statuses.of(services, query.sessions, caller.owner),
}))

const getSession = sessionHandler(contract.getSessionRoute, (_, served, services) => sessionDetail(services, served))

const changeSession = sessionHandler(contract.changeSessionRoute, async ({ body, caller }, { id }, services) => {
  const { store, sessions } = services
  const title = body.title === undefined ? [] : [{ type: 'settings', title: body.title } as const]
  const drafts = [...title, ...settingsDrafts(services, body)]
  if (drafts.length > 0) await store.append(id, drafts)
  return sessionDetail(services, await sessions.open(id, caller.owner))
})

const deleteSession = sessionHandler(contract.deleteSessionRoute, async (_, { id }, { store, sessions, workList }) => {
  const busy = workList.running.find((work) => work.session === id)
  if (busy !== undefined) {
    const { kind } = busy
    throw new HttpError(409, 'busy', `a ${kind} is running in session ${id}: cancel it first`, { kind, id: busy.id })
  }
  const { entries, keptForForks } = await store.deleteSession(id)
  sessions.forget(id)
  return { entries, kept_for_forks: keptForForks }
})

const redactEntry = sessionHandler(
  contract.redactEntryRoute,
  async (call, { id, live }, { store, folders, settings }) => {
    const { seq, also = [], dry_run } = call.body
    const same_text = [...(await entriesWithSameText(store, id, seq))]
    if (dry_run === true) return { dry_run, same_text }
    const earlier = live.log.find((entry) => entry.type === 'redact' && entry.target === seq)
    // An entry is redacted once: a repetition with any key finds the first redaction.
    const isAgain = earlier !== undefined && requestKey(call.caller, 'redact', call.headers) !== undefined
    const contents = keptContents(folders.data, settings)
    const done = await redactWithContents({ store, contents, id }, isAgain ? also : [seq, ...also])
    const entry = isAgain ? earlier : done.redactions.find((one) => one.type === 'redact' && one.target === seq)
    if (entry === undefined) throw new Error('unreachable: a redaction is answered with its entry')
    return { entry: wireEntry(entry), same_text }
  },
)

/** Sessions: create, list, get, change, fork, delete, redact, export and import. */
export const sessionHandlers: readonly Handler[] = [
  createSessionHandler,
  listSessions,
  listAgentSessions,
  listStatuses,
  getSession,
  changeSession,
  deleteSession,
  forkSessionHandler,
  redactEntry,
  exportSessionHandler,
  importSessionHandler,
]
