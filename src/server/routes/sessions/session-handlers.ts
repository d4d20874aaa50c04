import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { keptContents, redactWithContents } from '../../../agent/checkpoints/open-keeper.ts'
import * as contract from '../../../contract/routes/session-routes.ts'
import { toWire, wireEntry } from '../../../contract/shapes/wire.ts'
import { answerOpenCalls, decodeText, encode, type WritableFormat } from '../../../formats/index.ts'
import type { EntryDraft } from '../../../model/types.ts'
import { durationMs } from '../../../model/values.ts'
import { exportSession } from '../../../session/export-session.ts'
import { importSession } from '../../../session/import/import-session.ts'
import { originIn } from '../../../session/import/origin.ts'
import { entriesWithSameText } from '../../../session/search/search-session.ts'
import { forkTitle } from '../../../session/session-title.ts'
import { LOCAL_OWNER, type Session, type Store } from '../../../store/store.ts'
import { gauge } from '../../../tokens/status.ts'
import { HttpError } from '../../http/http-error.ts'
import { messageInBody, policyFrom } from '../../http/request-body.ts'
import { appendFirst, bodyKey, createOnce, otherBody, requestKey } from '../../http/same-request.ts'
import { deleteExpired, expiredSessions, measureExpired } from '../../retention/delete-expired.ts'
import { forgetFiles } from '../../retention/forget-files.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, handler, sessionHandler } from '../handler.ts'
import { sessionDetail, wireSession } from './session-detail.ts'

/** Exports the whole log in our own format, or the current view in the format of another agent. */
const exportSessionHandler = sessionHandler(
  contract.exportSessionRoute,
  async ({ query: { format } }, { id, live }, { store }) => {
    if (format !== 'pith') return exportedView(store, live.session, format)
    const lines = ReadableStream.from(bytesOf(exportSession(store, id, 'leave-out')))
    return new Response(lines, { headers: fileHeaders('application/x-ndjson', `${id}.jsonl`) })
  },
)

async function exportedView(store: Store, session: Session, format: WritableFormat): Promise<Response> {
  const { Redaction } = await import('../../../secrets/redacted-log.ts')
  const { entries } = await store.entries(session.id)
  const redacted = entries.map(new Redaction().entry)
  const { text, place } = encode({ ...session, entries: answerOpenCalls(redacted) }, format, {
    ids: randomUUID,
    clock: Date.now,
  })
  const type = extname(place)
  return new Response(text, { headers: fileHeaders(MEDIA_TYPES[type] ?? 'application/json', `${session.id}${type}`) })
}

/** A browser saves it under this name. */
function fileHeaders(type: string, name: string): Record<string, string> {
  return { 'content-type': type, 'content-disposition': `attachment; filename="pith-${name.replace(/[^\w.-]/g, '-')}"` }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.jsonl': 'application/x-ndjson',
  '.md': 'text/markdown; charset=utf-8',
}

const encoder = new TextEncoder()

/** The bytes of the lines; each line is made when it is read. */
async function* bytesOf(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  for await (const line of lines) yield encoder.encode(`${line}\n`)
}

/** Forks a session at a seq, once for a key. */
const forkSessionHandler = sessionHandler(
  contract.forkSessionRoute,
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
    // An import writes the origin after the last entry, so a fork at an earlier entry does not have it.
    const origin = originIn(live.log)
    if (origin !== undefined && originIn(live.log.filter((entry) => entry.seq <= seq)) === undefined)
      await store.append(fork.id, [{ type: 'settings', origin }], { key: 'origin' })
    return sessionDetail(services, await sessions.open(fork.id, caller.owner))
  },
)

/** Creates a session, once for a key. */
const createSessionHandler = handler(contract.createSessionRoute, async ({ body = {}, headers, caller }, services) => {
  const { store, sessions, server } = services
  const { title, workspace, messages = [] } = body
  if (workspace !== undefined && !Object.hasOwn(server.workspaces, workspace))
    throw new HttpError(400, 'unknown-workspace', `there is no workspace ${workspace} in server.workspaces`)
  const drafts = [...settingsDrafts(services, body), ...messages.map(messageDraft)]
  const { owner } = caller
  const key = requestKey(caller, 'create', headers)
  const { id } = await createOnce(store, { owner, workspace: workspace ?? '', title, key })
  // With a key the log is never empty, so that another body under the same key is recognised.
  const first = drafts.length === 0 && key !== undefined ? [{ type: 'settings', title } as const] : drafts
  if (first.length > 0) await appendFirst(store, id, first, bodyKey('create', body))
  return sessionDetail(services, await sessions.open(id, owner))
})

function messageDraft(message: unknown, i: number): EntryDraft {
  return { type: 'message', message: messageInBody(message, ['messages', i]) }
}

/** Imports an export of ours or a session file of any agent, once for a key. */
const importSessionHandler = handler(contract.importSessionRoute, async ({ body, headers, caller }, services) => {
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

const listSessions = handler(contract.listSessionsRoute, async ({ query: { q, limit, before }, caller }, { store }) => {
  const { sessions, next } = await store.sessions({ owner: caller.owner, limit, text: q, before })
  return { sessions: await Promise.all(sessions.map((session) => wireSession(store, session))), next }
})

const listAgentSessions = handler(contract.listAgentSessionsRoute, async ({ query, caller }, { agentFiles, store }) => {
  if (caller.owner !== LOCAL_OWNER)
    throw new HttpError(403, 'not-allowed', 'only the owner of this machine sees the sessions of its other agents')
  const sessions = await (agentFiles?.list(query.limit, store) ?? [])
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

const deleteSession = sessionHandler(contract.deleteSessionRoute, async (_, { id }, services) => {
  const { store, sessions, workList } = services
  const busy = workList.running.find((work) => work.session === id)
  if (busy !== undefined) {
    const { kind } = busy
    throw new HttpError(409, 'busy', `a ${kind} is running in session ${id}: cancel it first`, { kind, id: busy.id })
  }
  const { entries, bytes, keptForForks } = await store.deleteSession(id)
  sessions.forget(id)
  await forgetFiles(services, [id])
  return { entries, bytes, kept_for_forks: keptForForks }
})

const deleteUnusedSessions = handler(contract.deleteUnusedSessionsRoute, async ({ body, caller, gone }, services) => {
  const { older_than, project, limit, dry_run = false } = body
  const rule = { olderThanMs: durationMs(older_than), project, owner: caller.owner }
  const all = await expiredSessions(services.store, [rule], Date.now())
  const now = all.slice(0, limit)
  const onDeleted = (id: string) => services.sessions.forget(id)
  const { kept, left, ...counts } = dry_run
    ? await measureExpired(services.store, all)
    : await deleteExpired(services, now, { signal: gone, onDeleted })
  return { ...counts, kept_for_forks: [...kept], left: dry_run ? 0 : left + all.length - now.length, dry_run }
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
    const redacted = { store, contents, id, folder: folders.data }
    const done = await redactWithContents(redacted, isAgain ? also : [seq, ...also])
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
  deleteUnusedSessions,
  forkSessionHandler,
  redactEntry,
  exportSessionHandler,
  importSessionHandler,
]

type Settings = { readonly model?: string | undefined; readonly policy?: Parameters<typeof policyFrom>[0] | undefined }

/** The entry that stores the chosen model and policy of a session; none when nothing was chosen. */
function settingsDrafts({ models }: Services, { model, policy }: Settings): EntryDraft[] {
  if (model === undefined && policy === undefined) return []
  if (model !== undefined) models.check(model)
  return [{ type: 'settings', model, policy: policy === undefined ? undefined : policyFrom(policy) }]
}
