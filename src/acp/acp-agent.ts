import { isAbsolute } from 'node:path'
import {
  type AgentApp,
  type AgentContext,
  type AuthMethod,
  agent,
  type McpServer,
  methods,
  RequestError,
} from '@agentclientprotocol/sdk'
import type { McpServerSettings } from '../config/tables/mcp-settings.ts'
import { messageOf, PithError } from '../model/problems/errors.ts'
import type { Port, SessionRow } from '../tui/port/port.ts'
import { AcpSession, type AcpSessionDeps, type PromptEnd } from './acp-session.ts'
import type { EditorCan } from './session-updates.ts'

/** A session that was opened for an editor. `elsewhere`: it works in another folder, and was not opened. */
export type OpenedForEditor = {
  readonly port: Port
  readonly sayWith: AcpSessionDeps['sayWith']
  readonly history: AcpSessionDeps['history']
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
  /** Deletes a session with all that is kept of it. One that does not exist counts as deleted. */
  readonly remove: (id: string) => Promise<void>
  readonly textOf: AcpSessionDeps['textOf']
  readonly now: () => number
}

type Opening = { readonly cwd: string; readonly mcpServers?: readonly McpServer[] | null }

/** The agent side of the protocol. `closeAll` ends every session. */
export function acpAgent(deps: AcpAgentDeps): { app: AgentApp; closeAll: () => Promise<void> } {
  const sessions = new Map<string, AcpSession>()
  let can: EditorCan = { compaction: false, notices: false }
  let canSignIn = false

  const named = (id: string): AcpSession => {
    const session = sessions.get(id)
    if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, `session ${id} is not open`)
    return session
  }

  const open = async (editor: AgentContext, asked: Opening, id?: string, replay = false) => {
    const { cwd } = asked
    if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, `cwd must be an absolute path: ${cwd}`)
    await sessions.get(id ?? '')?.close()
    const { servers, notices } = serversOf(asked.mcpServers ?? [])
    const { port, sayWith, history, elsewhere } = await deps.open(cwd, id, servers)
    if (elsewhere !== undefined) {
      await port.close()
      throw RequestError.invalidParams({ cwd }, `session ${id} works in another folder: ${elsewhere}`)
    }
    const opened = await port.opened()
    if (id === undefined && opened.noModel !== undefined && canSignIn) {
      await port.close()
      throw RequestError.authRequired(undefined, opened.noModel)
    }
    const session = new AcpSession(opened, { ...deps, port, sayWith, history, editor, can })
    sessions.set(session.id, session)
    const answer = { sessionId: session.id, modes: session.modes, configOptions: await session.configOptions() }
    if (replay) await session.introduce(opened, { replay, notices })
    // An editor knows a new session only after the answer.
    else setImmediate(() => void session.introduce(opened, { replay, notices }))
    return answer
  }

  const app = agent({ name: 'pith' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      const { session, auth } = params.clientCapabilities ?? {}
      canSignIn = auth?.terminal === true
      can = { compaction: session?.compaction != null, notices: session?.notices != null }
      return {
        protocolVersion: 1,
        agentInfo: { name: 'pith', title: 'Pith', version: deps.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: canSignIn ? [SIGN_IN] : [],
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
            // An editor that asks for a folder inside a repository knows only that folder.
            cwd: params.cwd ?? workspace,
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
    .onRequest(methods.agent.session.delete, ({ params }) =>
      answered(async () => {
        await sessions.get(params.sessionId)?.close()
        sessions.delete(params.sessionId)
        await deps.remove(params.sessionId)
        return {}
      }),
    )
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
      answered(async () => {
        const session = named(params.sessionId)
        if (params.prompt.some(({ type }) => type === 'audio'))
          throw RequestError.invalidParams(undefined, 'audio is not understood: send text, images and files')
        return { stopReason: stopReason(await session.prompt(params.prompt)) }
      }),
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

/** The protocol's code for a session that does not exist. */
const NOT_FOUND = -32002

/** The terminal agent takes the key of a model. */
const SIGN_IN: AuthMethod = {
  type: 'terminal',
  id: 'model',
  name: 'Choose a model',
  description: 'Starts Pith in a terminal: choose one with /model, give its key, and leave with /quit',
  args: ['--sign-in'],
}

/** An error of ours is one line for the user of the editor, without a stack. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RequestError) throw error
    if (error instanceof PithError && error.code === 'unknown-session')
      throw new RequestError(NOT_FOUND, error.message, undefined)
    throw RequestError.internalError(undefined, messageOf(error).split('\n', 1)[0])
  }
}

type EditorServers = {
  readonly servers: Readonly<Record<string, McpServerSettings>>
  readonly notices: readonly string[]
}

/** The servers that the editor's user configured there. A notice names those that need another transport. */
function serversOf(given: readonly McpServer[]): EditorServers {
  const read = given.map((server) => [server, settingsOf(server)] as const)
  const usable = read.flatMap(([server, settings]) =>
    settings === undefined ? [] : [[nameOf(server), settings] as const],
  )
  const others = read.flatMap(([server, settings]) => (settings === undefined ? [server.name] : []))
  return {
    servers: Object.fromEntries(usable),
    notices: others.map(
      (name) => `The MCP server ${name} is not used: Pith starts programs and speaks streamable HTTP`,
    ),
  }
}

function settingsOf(server: McpServer): McpServerSettings | undefined {
  if ('command' in server) return { command: server.command, args: server.args, env: pairsOf(server.env) }
  return server.type === 'http' ? { url: server.url, headers: pairsOf(server.headers) } : undefined
}

function pairsOf(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** The tools of a server are called after it, so its name has no spaces. */
function nameOf({ name }: { readonly name: string }): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'server'
}
