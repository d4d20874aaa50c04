import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as compact from '../../contract/compact-routes.ts'
import * as context from '../../contract/context-routes.ts'
import type { Route } from '../../contract/route.ts'
import * as sessions from '../../contract/session-routes.ts'
import type { WireSession } from '../../contract/shapes.ts'
import { whoamiRoute } from '../../contract/system-routes.ts'
import { PithError } from '../../model/errors.ts'
import type { Port } from '../port.ts'
import type { Done, PortEvent } from '../port-data.ts'
import { firstLine } from '../safe-text.ts'
import { RefusalError, RemoteClient, type RemoteServer } from './remote-client.ts'
import { contextReportOf, policyReportOf, previewReportOf, recallHitsOf } from './remote-reports.ts'
import { RemoteSession } from './remote-session.ts'
import { RemoteWork } from './remote-work.ts'

export type RemoteOptions = RemoteServer & {
  readonly cwd: string
  /** The server's workspace for new sessions. By default the only one, if the server has exactly one. */
  readonly workspace?: string
  /** Which session to open; a new one by default. */
  readonly open: { readonly kind: 'new' | 'continue' } | { readonly kind: 'id'; readonly id: string }
}

const SILENT: Done = { ok: true, text: '' }

/** Opens the port to a session on a server. */
export async function openRemotePort(options: RemoteOptions): Promise<Port> {
  const client = new RemoteClient(options)
  const listeners = new Set<(event: PortEvent) => void>()
  const emit = (event: PortEvent) => {
    for (const listener of listeners) listener(event)
  }
  let session = new RemoteSession(client, await idToOpen(client, options), emit)
  let opening = session.open()
  await opening
  const work = new RemoteWork(client, () => session, emit)

  async function switchTo(id: string): Promise<Done> {
    await work.stop()
    await leave()
    session = new RemoteSession(client, id, emit)
    opening = session.open()
    emit({ type: 'opened', opened: await opening })
    return SILENT
  }

  /** Leaves the session; an empty one is deleted. */
  async function leave(): Promise<void> {
    session.close()
    if (session.isEmpty)
      await client.ask(sessions.deleteSessionRoute, { params: session.params }).catch(() => undefined)
  }

  /** Calls a route that changes the session; a refusal becomes a message for the user. */
  async function change(
    route: Route,
    { seq, body }: { readonly seq?: number; readonly body?: object } = {},
  ): Promise<Done> {
    try {
      await client.ask(route, { params: { ...session.params, seq }, body })
    } catch (error) {
      if (error instanceof RefusalError) return { ok: false, text: error.message }
      throw error
    }
    await session.catchUp()
    return SILENT
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened: () => opening,
    say: (text) => work.say(text),
    compact: (focus) => work.compact(focus),
    interrupt: () => work.interrupt(),
    answer: (question, answer) => work.answer(question, answer),
    undo: () => change(context.undoRoute),
    redo: () => change(context.redoRoute),
    preview: async () => {
      const answer = await client.ask(compact.compactSessionRoute, { params: session.params, body: { dry_run: true } })
      if (!('dry_run' in answer)) throw new Error('unreachable: a dry run answers with a preview')
      return previewReportOf(answer)
    },
    context: async () => contextReportOf(await session.context()),
    summary: async () => {
      const { compactions } = await client.ask(compact.listCompactionsRoute, { params: session.params })
      const last = compactions.findLast(({ undone }) => !undone)
      if (last === undefined) return undefined
      const call = { params: { ...session.params, seq: last.seq }, query: { limit: 1 } }
      const { seq, summary, messages_removed, reason, flagged } = await client.ask(compact.getCompactionRoute, call)
      return { seq, text: summary, messages: messages_removed, reason, flagged }
    },
    editSummary: (seq, text) => change(compact.editSummaryRoute, { seq, body: { summary: text } }),
    recall: async (text) => {
      const isHandle = /^\s*#?\d+(?:\s*-\s*#?\d+)?\s*$/.test(text)
      const query = isHandle ? { handles: text.trim() } : { q: text }
      return recallHitsOf(await client.ask(context.recallRoute, { params: session.params, query }))
    },
    pin: (seq, on) => change(on ? context.pinEntryRoute : context.unpinEntryRoute, { seq }),
    redact: (seq) => change(sessions.redactEntryRoute, { body: { seq } }),
    todos: async () => (await session.detail()).todos,
    spent: () => session.spent(),
    models: async () => {
      const { models } = await client.ask(context.listModelsRoute, {})
      return models.map(({ name, context_window: window, usable, why }) => ({ name, usable, window, why }))
    },
    setModel: async (name) => {
      const done = await change(sessions.changeSessionRoute, { body: { model: name } })
      if (!done.ok) return done
      const { model, no_model: noModel } = await session.detail()
      emit({ type: 'model', model: model ?? name, noModel })
      return noModel === undefined
        ? { ok: true, text: `The model is ${model ?? name} now.` }
        : { ok: false, text: noModel }
    },
    permissions: async () => ({ ok: false, text: 'Permissions of tools are set on the server: server.workspaces' }),
    policy: async () => policyReportOf((await session.context()).policy),
    setPolicy: async (key, value, scope) => {
      if (scope === 'user')
        return { ok: false, text: 'The server has its own configuration: you can change settings of this session only' }
      const done = await change(sessions.changeSessionRoute, { body: { policy: { [key]: settingOf(value) } } })
      return done.ok ? { ok: true, text: `${key} is ${value} in this session.` } : done
    },
    sessions: async () => {
      return (await listSessions(client, 500))
        .filter(({ last_seq }) => last_seq > 0)
        .map(({ id, title, workspace, updated_at, last_seq, parent }) => ({
          id,
          title: title === undefined ? undefined : firstLine(title, 60),
          workspace,
          updatedAt: updated_at,
          entries: last_seq,
          fork: parent !== undefined,
        }))
    },
    openSession: async (id) => switchTo(await sessionIdOf(client, id)),
    newSession: async () => switchTo(await createSession(client, options.workspace)),
    fork: async (before) => {
      const body = before === undefined ? {} : { seq: before - 1 }
      const { id } = await client.ask(sessions.forkSessionRoute, { params: session.params, body })
      return switchTo(id)
    },
    openExample: async () => ({ ok: false, text: 'The example needs a session on this machine: leave out --server' }),
    rename: (title) => change(sessions.changeSessionRoute, { body: { title } }),
    exportTo: async (path) => {
      const file = resolve(options.cwd, path ?? `pith-session-${session.id.slice(0, 8)}.jsonl`)
      await writeFile(file, await client.text(sessions.exportSessionRoute, { params: session.params }), { mode: 0o600 })
      return { ok: true, text: `Written to ${file}` }
    },
    // A failed completion is not worth a message: the next request will show that the server is away.
    files: (query) => session.files(query).catch(() => []),
    close: async () => {
      await work.stop()
      await leave()
    },
  }
}

async function idToOpen(client: RemoteClient, { open, workspace }: RemoteOptions): Promise<string> {
  if (open.kind === 'id') return sessionIdOf(client, open.id)
  if (open.kind === 'new') return createSession(client, workspace)
  const newest = await listSessions(client, 20)
  return newest.find(({ last_seq }) => last_seq > 0)?.id ?? createSession(client, workspace)
}

/** The sessions of this token, the newest first. */
async function listSessions(client: RemoteClient, limit: number): Promise<readonly WireSession[]> {
  return (await client.ask(sessions.listSessionsRoute, { query: { limit } })).sessions
}

async function createSession(client: RemoteClient, wanted: string | undefined): Promise<string> {
  const { workspaces } = await client.ask(whoamiRoute, {})
  if (wanted !== undefined && !workspaces.includes(wanted)) throw noWorkspace(wanted, workspaces)
  const workspace = wanted ?? (workspaces.length === 1 ? workspaces[0] : undefined)
  const body = workspace === undefined ? {} : { workspace }
  return (await client.ask(sessions.createSessionRoute, { body })).id
}

function noWorkspace(wanted: string, workspaces: readonly string[]): PithError {
  const known = workspaces.length === 0 ? 'it has none' : `it has ${workspaces.join(', ')}`
  return new PithError('bad-argument', `the server has no workspace ${wanted}: ${known}`)
}

/** The id of the session that an id or its beginning means. */
async function sessionIdOf(client: RemoteClient, id: string): Promise<string> {
  const known = await listSessions(client, 500)
  const exact = known.find((session) => session.id === id)
  const [only, another] = known.filter((session) => session.id.startsWith(id))
  if (exact !== undefined) return exact.id
  if (only !== undefined && another === undefined) return only.id
  const why = only === undefined ? 'there is none on the server' : 'several begin like that'
  throw new PithError('unknown-session', `session ${id}: ${why}; /sessions lists them`)
}

/** A setting as the user typed it: a number, a list, or a text. */
function settingOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.includes(',') ? text.split(',').map((word) => word.trim()) : text
  }
}
