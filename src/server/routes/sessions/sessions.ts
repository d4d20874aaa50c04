import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import type { Hono } from 'hono'
import * as contract from '../../../contract/sessions.ts'
import { toWire, wireEntry } from '../../../contract/wire.ts'
import { oneLine } from '../../../engine/text/one-line.ts'
import { answerOpenCalls, decodeText, encode, type WritableFormat } from '../../../formats/index.ts'
import type { Entry, EntryDraft } from '../../../model/entry.ts'
import { textOf } from '../../../model/message.ts'
import { parseMessage } from '../../../model/message-schema.ts'
import { exportSession } from '../../../session/export-session.ts'
import type { Session, Store } from '../../../store/store.ts'
import type { Env } from '../../http/env.ts'
import { HttpError } from '../../http/http-error.ts'
import { requestKey } from '../../http/request-key.ts'
import type { Services } from '../../sessions/services.ts'
import { handle } from '../route-handler.ts'
import { policyFrom } from './policy-body.ts'
import { sessionDetail } from './session-detail.ts'

/** Sessions: create, list, get, change, fork, delete, redact, export and import. */
export function sessionRoutes(app: Hono<Env>, services: Services): void {
  const { store, sessions, server } = services

  handle(app, contract.createSession, async ({ body = {}, headers, caller }) => {
    const { title, workspace, messages = [] } = body
    if (workspace !== undefined && !Object.hasOwn(server.workspaces, workspace))
      throw new HttpError(400, 'unknown-workspace', `there is no workspace ${workspace} in server.workspaces`)
    const drafts = [...settingsOf(services, body), ...messages.map(messageDraft)]
    const owner = caller.owner
    const key = requestKey(caller, 'create', headers)
    const { id } = await store.createSession({ owner, workspace: workspace ?? '', title, key })
    if (drafts.length > 0) await store.append(id, drafts, { key: 'create' })
    return sessionDetail(services, await sessions.open(id, owner))
  })

  handle(app, contract.listSessions, async ({ query: { q, limit, before }, caller }) => {
    const page = await store.sessions({
      owner: caller.owner,
      limit,
      ...(q === undefined ? {} : { text: q }),
      ...(before === undefined ? {} : { before }),
    })
    return toWire(page)
  })

  handle(app, contract.listStatuses, async ({ query, caller }) => ({
    statuses: await services.statuses.of(services, query.sessions, caller.owner),
  }))

  handle(app, contract.getSession, async ({ params: { id }, caller }) =>
    sessionDetail(services, await sessions.open(id, caller.owner)),
  )

  handle(app, contract.changeSession, async ({ params: { id }, body, caller }) => {
    await sessions.open(id, caller.owner)
    const drafts = settingsOf(services, body)
    const title = body.title === undefined ? [] : [{ type: 'settings', title: body.title } as const]
    if (drafts.length + title.length > 0) await store.append(id, [...title, ...drafts])
    return sessionDetail(services, await sessions.open(id, caller.owner))
  })

  handle(app, contract.deleteSession, async ({ params: { id }, caller }) => {
    await sessions.open(id, caller.owner)
    const [busy] = services.works.running.filter((work) => work.session === id)
    if (busy !== undefined) {
      const { kind } = busy
      throw new HttpError(409, 'busy', `a ${kind} is running in session ${id}: cancel it first`, { kind, id: busy.id })
    }
    const { entries, keptForForks } = await store.deleteSession(id)
    sessions.forget(id)
    return { entries, kept_for_forks: keptForForks }
  })

  handle(app, contract.forkSession, async ({ params: { id }, body = {}, headers, caller }) => {
    const { live } = await sessions.open(id, caller.owner)
    const { seq = live.session.lastSeq, title } = body
    const session = await store.createSession({
      owner: caller.owner,
      workspace: live.session.workspace,
      parent: { id, seq },
      title: title ?? `${live.session.title ?? 'session'} (fork)`,
      key: requestKey(caller, `fork ${id}`, headers),
    })
    return sessionDetail(services, await sessions.open(session.id, caller.owner))
  })

  handle(app, contract.redactEntry, async ({ params: { id }, body: { seq }, headers, caller }) => {
    const { live } = await sessions.open(id, caller.owner)
    const earlier = live.log.find((entry) => entry.type === 'redact' && entry.target === seq)
    // What is gone cannot go twice: any key finds the first redaction.
    const isAgain = earlier !== undefined && requestKey(caller, 'redact', headers) !== undefined
    return { entry: wireEntry(isAgain ? earlier : await store.redact(id, seq)) }
  })

  handle(app, contract.exportSession, async ({ params: { id }, query: { format }, caller }) => {
    const { live } = await sessions.open(id, caller.owner)
    if (format !== 'pith') return exported(store, live.session, format)
    return new Response(linesOf(exportSession(store, id)), { headers: { 'content-type': 'application/x-ndjson' } })
  })

  handle(app, contract.importSession, async ({ body, headers, caller }) => {
    const decoded = decodeText(body)
    if (!decoded.ok) throw new HttpError(400, 'bad-request', `body: ${decoded.text}`)
    const { entries, issues } = decoded.session
    const title = decoded.session.title ?? firstWords(entries)
    const gap = entries.findIndex((entry, i) => entry.seq !== i + 1)
    if (gap !== -1)
      throw new HttpError(400, 'bad-request', `body: entry ${gap + 1} of the log is missing, and others may name it`)
    const key = requestKey(caller, 'import', headers)
    const session = await store.createSession({ owner: caller.owner, workspace: '', title, key })
    const drafts = entries.map(({ id: _, seq: __, at: ___, ...rest }) => rest as EntryDraft)
    await store.append(session.id, drafts, { key: 'import' })
    const served = await sessions.open(session.id, caller.owner)
    return { session: await sessionDetail(services, served), entries: entries.length, issues: [...issues] }
  })
}

const TITLE_CHARACTERS = 80

/** What somebody who brings a session along will know it by: what they asked first, commands of their agent aside. */
function firstWords(entries: readonly Entry[]): string | undefined {
  const asked = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? [oneLine(textOf(entry.message), TITLE_CHARACTERS)] : [],
  )
  return asked.find((words) => /^[^/<]/.test(words)) ?? asked.find((words) => words !== '')
}

/** What the model would see now, as another agent keeps it. */
async function exported(store: Store, session: Session, format: WritableFormat): Promise<Response> {
  const { entries } = await store.entries(session.id)
  const { text, place } = encode({ ...session, entries: answerOpenCalls(entries) }, format, {
    ids: randomUUID,
    clock: Date.now,
  })
  return new Response(text, { headers: { 'content-type': MEDIA_TYPES[extname(place)] ?? 'application/json' } })
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.jsonl': 'application/x-ndjson',
  '.md': 'text/markdown; charset=utf-8',
}

type Settable = { readonly model?: string | undefined; readonly policy?: Parameters<typeof policyFrom>[0] | undefined }

/** The entry that keeps what was chosen for a session. */
function settingsOf({ models }: Services, { model, policy }: Settable): EntryDraft[] {
  if (model === undefined && policy === undefined) return []
  if (model !== undefined) models.check(model)
  return [
    {
      type: 'settings',
      ...(model === undefined ? {} : { model }),
      ...(policy === undefined ? {} : { policy: policyFrom(policy) }),
    },
  ]
}

function messageDraft(message: unknown, i: number): EntryDraft {
  return { type: 'message', message: parseMessage(message, `body.messages.${i}`) }
}

/** Lines as fast as they are read. */
function linesOf(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = lines[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(`${next.value}\n`))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
