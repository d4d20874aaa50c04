import type { Route } from '../../contract/routes/route.ts'
import * as contract from '../../contract/routes/session-routes.ts'
import { whoamiRoute } from '../../contract/routes/system-routes.ts'
import type { WireSession } from '../../contract/shapes/shapes.ts'
import { PithError } from '../../model/problems/errors.ts'
import { shortTitle } from '../../session/session-title.ts'
import type { ChangeResult, OpenedSession, PortEvent, SessionRow } from '../port/port.ts'
import { DONE, noEntry, refusal, sessionWithId } from '../port/shared.ts'
import { RefusalError, type RemoteClient } from './remote-client.ts'
import type { RemoteOptions } from './remote-port.ts'
import { RemoteSession } from './remote-session.ts'

/** The sessions of a server, one of which is open. A session without entries is deleted when it is left. */
export class RemoteSessions {
  readonly #client: RemoteClient
  readonly #emit: (event: PortEvent) => void
  #current: RemoteSession
  #opened: Promise<OpenedSession>

  private constructor(client: RemoteClient, id: string, emit: (event: PortEvent) => void) {
    this.#client = client
    this.#emit = emit
    this.#current = new RemoteSession(client, id, emit)
    this.#opened = this.#current.open()
  }

  static async open(
    client: RemoteClient,
    options: RemoteOptions,
    emit: (event: PortEvent) => void,
  ): Promise<RemoteSessions> {
    const sessions = new RemoteSessions(client, await idToOpen(client, options), emit)
    await sessions.opened()
    return sessions
  }

  get current(): RemoteSession {
    return this.#current
  }

  opened(): Promise<OpenedSession> {
    return this.#opened
  }

  async list(): Promise<SessionRow[]> {
    return (await listed(this.#client, 500))
      .filter(({ last_seq }) => last_seq > 0)
      .map(({ id, title, first_words, workspace, updated_at, last_seq, parent }) => ({
        id,
        title: title === undefined ? first_words : shortTitle(title),
        workspace,
        updatedAt: updated_at,
        entries: last_seq,
        fork: parent !== undefined,
      }))
  }

  async switchTo(id: string): Promise<ChangeResult> {
    return this.#open(sessionWithId(await listed(this.#client, 500), id).id)
  }

  async create(workspace: string | undefined): Promise<ChangeResult> {
    return this.#open(await created(this.#client, workspace))
  }

  async fork(before?: number): Promise<ChangeResult> {
    const { params } = this.#current
    if (before !== undefined) {
      const { last_seq } = await this.#client.ask(contract.getSessionRoute, { params })
      if (before < 1 || before > last_seq) return noEntry(before)
    }
    const body = before === undefined ? {} : { seq: before - 1 }
    const { id } = await this.#client.ask(contract.forkSessionRoute, { params, body })
    return this.#open(id)
  }

  /** Changes something in the open session. */
  change(
    route: Route,
    {
      seq,
      body,
      query,
    }: { readonly seq?: number; readonly body?: object; readonly query?: Readonly<Record<string, unknown>> } = {},
  ): Promise<ChangeResult> {
    return this.changeWith(async (params) => {
      await this.#client.ask(route, { params: { ...params, seq }, body, query })
      return DONE.text
    })
  }

  /** Changes the open session and returns the text of the change. A refusal of the server is an answer for the user. */
  async changeWith(ask: (params: RemoteSession['params']) => Promise<string>): Promise<ChangeResult> {
    try {
      const text = await ask(this.#current.params)
      await this.#current.catchUp()
      return { ok: true, text }
    } catch (error) {
      if (error instanceof RefusalError) return refusal(error.message)
      throw error
    }
  }

  async leave(): Promise<void> {
    const { isEmpty, params } = this.#current
    this.#current.close()
    if (isEmpty) await this.#client.ask(contract.deleteSessionRoute, { params }).catch(() => undefined)
  }

  async #open(id: string): Promise<ChangeResult> {
    await this.leave()
    this.#current = new RemoteSession(this.#client, id, this.#emit)
    this.#opened = this.#current.open()
    this.#emit({ type: 'opened', opened: await this.#opened })
    return DONE
  }
}

async function idToOpen(client: RemoteClient, { open, workspace }: RemoteOptions): Promise<string> {
  if (open.kind === 'id') return sessionWithId(await listed(client, 500), open.id, 'pith --resume').id
  if (open.kind === 'new') return created(client, workspace)
  const newest = await listed(client, 20)
  return newest.find(({ last_seq }) => last_seq > 0)?.id ?? created(client, workspace)
}

/** The sessions of this token, the newest first. */
async function listed(client: RemoteClient, limit: number): Promise<readonly WireSession[]> {
  return (await client.ask(contract.listSessionsRoute, { query: { limit } })).sessions
}

async function created(client: RemoteClient, wanted: string | undefined): Promise<string> {
  const { workspaces } = await client.ask(whoamiRoute, {})
  if (wanted !== undefined && !workspaces.includes(wanted)) throw noWorkspace(wanted, workspaces)
  const workspace = wanted ?? (workspaces.length === 1 ? workspaces[0] : undefined)
  return (await client.ask(contract.createSessionRoute, { body: { workspace } })).id
}

function noWorkspace(wanted: string, workspaces: readonly string[]): PithError {
  const known = workspaces.length === 0 ? 'it has none' : `it has ${workspaces.join(', ')}`
  return new PithError('bad-argument', `the server has no workspace ${wanted}: ${known}`)
}
