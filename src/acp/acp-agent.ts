import { isAbsolute } from 'node:path'
import {
  type AgentApp,
  type AgentContext,
  agent,
  type McpServer,
  methods,
  RequestError,
} from '@agentclientprotocol/sdk'
import type { McpServerSettings } from '../config/tables/mcp-settings.ts'
import { messageOf } from '../model/problems/errors.ts'
import type { UserPart } from '../model/types.ts'
import type { Port, SessionRow } from '../tui/port/port.ts'
import { AcpSession, type PromptEnd } from './acp-session.ts'
import type { EditorCan } from './session-updates.ts'

/** A session that was opened for an editor. `elsewhere`: it works in another folder, and was not opened. */
export type OpenedForEditor = {
  readonly port: Port
  readonly sayWith: (text: string, attached: readonly UserPart[]) => Promise<void>
  readonly elsewhere?: string | undefined
}

export type AcpAgentDeps = {
  readonly version: string
  /** Opens a session in a folder; a new one without an id. */
  readonly open: (
    folder: string,
    id: string | undefined,
    mcp: Readonly<Record<string, McpServerSettings>>,
  ) => Promise<OpenedForEditor>
  readonly sessions: (folder: string | undefined) => Promise<readonly SessionRow[]>
  readonly now: () => number
}

type Opening = { readonly cwd: string; readonly mcpServers?: readonly McpServer[] | null }

/** The agent side of the protocol. `closeAll` ends every session. */
export function acpAgent(deps: AcpAgentDeps): { app: AgentApp; closeAll: () => Promise<void> } {
  const sessions = new Map<string, AcpSession>()
  let can: EditorCan = { compaction: false, notices: false }

  const named = (id: string): AcpSession => {
    const session = sessions.get(id)
    if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, `session ${id} is not open`)
    return session
  }

  const open = async (editor: AgentContext, asked: Opening, id?: string, replay = false) => {
    const { cwd } = asked
    if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, `cwd must be an absolute path: ${cwd}`)
    await sessions.get(id ?? '')?.close()
    const { port, sayWith, elsewhere } = await deps.open(cwd, id, serversOf(asked.mcpServers ?? []))
    if (elsewhere !== undefined) {
      await port.close()
      throw RequestError.invalidParams({ cwd }, `session ${id} works in another folder: ${elsewhere}`)
    }
    const opened = await port.opened()
    const session = new AcpSession(opened, { port, sayWith, editor, can, now: deps.now })
    sessions.set(session.id, session)
    const answer = { sessionId: session.id, modes: session.modes, configOptions: await session.configOptions() }
    if (replay) await session.introduce(opened, true)
    // An editor knows a new session only after the answer.
    else setImmediate(() => void session.introduce(opened, false))
    return answer
  }

  const app = agent({ name: 'pith' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      const { session } = params.clientCapabilities ?? {}
      can = { compaction: session?.compaction != null, notices: session?.notices != null }
      return {
        protocolVersion: 1,
        agentInfo: { name: 'pith', title: 'Pith', version: deps.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      }
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, ({ params, client }) => answered(() => open(client, params)))
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      answered(() => open(client, params, params.sessionId, true)),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      answered(() => open(client, params, params.sessionId)),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      answered(async () => {
        const rows = await deps.sessions(params.cwd ?? undefined)
        return {
          sessions: rows.map(({ id, workspace, title, updatedAt }) => ({
            sessionId: id,
            cwd: workspace,
            title,
            updatedAt: new Date(updatedAt).toISOString(),
          })),
        }
      }),
    )
    .onRequest(methods.agent.session.close, async ({ params }) => {
      const session = named(params.sessionId)
      sessions.delete(params.sessionId)
      await session.close()
      return {}
    })
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      answered(async () => {
        await configured(named(params.sessionId), 'mode', params.modeId)
        return {}
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      answered(async () => {
        const session = named(params.sessionId)
        await configured(session, params.configId, String(params.value))
        return { configOptions: await session.configOptions() }
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params }) =>
      answered(async () => ({ stopReason: stopReason(await named(params.sessionId).prompt(params.prompt)) })),
    )
    .onNotification(methods.agent.session.cancel, async ({ params }) => sessions.get(params.sessionId)?.cancel())

  const closeAll = async () => {
    await Promise.all([...sessions.values()].map((session) => session.close()))
    sessions.clear()
  }
  return { app, closeAll }
}

async function configured(session: AcpSession, id: string, value: string): Promise<void> {
  const refused = await session.configure(id, value)
  if (refused !== undefined) throw RequestError.invalidParams({ [id]: value }, refused)
}

function stopReason(end: PromptEnd) {
  if ('failure' in end) throw RequestError.internalError(undefined, end.failure)
  return end.stopReason
}

/** An error of ours is one line for the user of the editor, without a stack. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RequestError) throw error
    throw RequestError.internalError(undefined, messageOf(error).split('\n', 1)[0])
  }
}

/** The servers that the editor's user configured there. Those that need another transport are left out. */
function serversOf(servers: readonly McpServer[]): Record<string, McpServerSettings> {
  return Object.fromEntries(
    servers.flatMap((server): [string, McpServerSettings][] => {
      if ('command' in server) {
        const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]))
        return [[nameOf(server), { command: server.command, args: server.args, env }]]
      }
      if (server.type !== 'http') return []
      const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]))
      return [[nameOf(server), { url: server.url, headers }]]
    }),
  )
}

/** The tools of a server are called after it, so its name has no spaces. */
function nameOf({ name }: { readonly name: string }): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'server'
}
