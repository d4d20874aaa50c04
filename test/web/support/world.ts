import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageFolder } from '../../../src/cli/commands/serve/serve-run.ts'
import { loadConfig } from '../../../src/config/read/load-config.ts'
import { parseServerSettings } from '../../../src/config/tables/program-settings.ts'
import { sessionRequests } from '../../../src/gateway/running-gateways.ts'
import { registryOf } from '../../../src/models/registry.ts'
import { type AccessBook, openAccess } from '../../../src/server/access/access-book.ts'
import { tokensFile } from '../../../src/server/access/old-files.ts'
import { type RunningServer, serve } from '../../../src/server/serve.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { type Brain, startModelServer } from '../../support/model-server/index.ts'
import { type AgentMachine, agentMachine } from './agent-machine.ts'

const WINDOW = 20_480
export const TOKEN = 'token-of-the-page-0123456789'
export const READER = 'token-of-a-reader-0123456789'

/** A server that listens, with the built page, a real store and a real model provider. */
export type WebWorld = {
  readonly url: string
  /** Asks the server as another client would. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Json>
  readonly session: (title: string, messages?: readonly unknown[]) => Promise<string>
  readonly append: (id: string, messages: readonly unknown[]) => Promise<void>
  /** Masks these tool results, as the first rung of the ladder does. */
  readonly mask: (id: string, targets: number[]) => Promise<void>
  /** Stops the server, and starts it again on the same address and store. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
  /** The folder with the database. */
  readonly data: string
  /** The tokens of the running server. */
  readonly access: () => AccessBook
  /** The other agent on this machine. */
  readonly agent: AgentMachine
}

// biome-ignore lint/suspicious/noExplicitAny: what comes over HTTP is looked at field by field.
export type Json = any

export async function startWorld(brain: Brain, clock: () => number = Date.now, window = WINDOW): Promise<WebWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-web-')))
  // Another test file may be replacing this build with its own.
  const webFolder = pageFolder() ?? pageFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  // The form of earlier versions: the first start takes it over.
  const tokens = [
    { name: 'local', token: TOKEN, access: 'write' },
    { name: 'reader', token: READER, access: 'read', owner: 'local' },
  ]
  writeFileSync(tokensFile(data), JSON.stringify({ tokens }))
  const agent = agentMachine(folder)
  const model = await startModelServer({ brain, window })
  const info = { provider: 'local', model: 'pith-test', contextWindow: window, maxOutput: 2_000 }
  const { settings } = loadConfig({ cwd: folder, env: { PITH_HOME: data }, home: folder })
  const open = () => openStore(join(data, 'pith.db'), { ids: randomUUID, clock })
  let access: AccessBook | undefined
  const start = async (port: number): Promise<RunningServer> => {
    const store = await open()
    access = await openAccess(store, data)
    return serve({
      store,
      settings: { ...settings, model: 'local/pith-test' },
      server: parseServerSettings({ grace_ms: 100 }),
      models: {
        registry: registryOf([{ ...info, prices: { input: 3, output: 15 } }]),
        providers: { local: { kind: 'anthropic', baseUrl: model.baseUrl('anthropic'), apiKey: 'test-key' } },
        env: {},
      },
      folders: { config: data, data },
      access,
      version: '0.1.0',
      agentFiles: agent.files,
      gatewayRequests: (session) => sessionRequests(data, session),
      ...(webFolder === undefined ? {} : { webFolder }),
      host: '127.0.0.1',
      port,
    })
  }
  let running = await start(0)
  const { url } = running
  const ask: WebWorld['ask'] = async (method, path, body) => {
    const isText = typeof body === 'string'
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': isText ? 'application/x-ndjson' : 'application/json',
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (response.headers.get('content-type') ?? '').startsWith('application/json') ? JSON.parse(text) : text
  }
  return {
    url,
    ask,
    data,
    access: () => {
      if (access === undefined) throw new Error('unreachable: the server has started')
      return access
    },
    agent,
    session: async (title, messages = []) => (await ask('POST', '/v1/sessions', { title, messages })).id,
    append: async (id, messages) =>
      ask('POST', `/v1/sessions/${id}/messages`, { messages: messages.map((message) => ({ message })) }),
    mask: async (id, targets) => {
      const { tokens } = (await ask('GET', `/v1/sessions/${id}/context`)).status
      const store = await open()
      await store.append(id, [{ type: 'mask', targets, tokensBefore: tokens, tokensAfter: tokens }])
      await store.close()
    },
    restart: async () => {
      await running.stop()
      running = await start(Number(new URL(url).port))
    },
    stop: async () => {
      await running.stop()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
