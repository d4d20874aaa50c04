import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/config/read/load-config.ts'
import { parseServerSettings } from '../../../src/config/tables/program-settings.ts'
import type { Settings } from '../../../src/config/tables/settings.ts'
import type { OpenModelDeps } from '../../../src/llm/open-model.ts'
import { loadRegistry, registryOf, withModels } from '../../../src/models/registry.ts'
import { AccessBook, openAccess } from '../../../src/server/access/access-book.ts'
import { type AccessToken, tokenHash, tokenRow } from '../../../src/server/access/tokens.ts'
import type { CompactionLine, RequestLine } from '../../../src/server/observe/watch-requests.ts'
import { createApp, type ServerApp } from '../../../src/server/server-app.ts'
import type { AgentFiles } from '../../../src/server/sessions/agent-sessions.ts'
import type { MachineMemories } from '../../../src/server/sessions/project-memories.ts'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  type Brain,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../support/model-server/index.ts'
import { newStore } from '../../support/new-store.ts'

export const TOKENS = [
  { name: 'local', token: 'token-of-local-0123456789', access: 'write', admin: true },
  { name: 'reader', token: 'token-of-reader-0123456789', access: 'read', owner: 'local' },
  { name: 'other', token: 'token-of-other-0123456789', access: 'write' },
] as const satisfies readonly PlainToken[]

/** A token as a test knows it: with its secret. */
export type PlainToken = Omit<AccessToken, 'hash'> & { readonly token: string }

export type WorldOptions = Partial<ModelServerOptions> & {
  readonly settings?: Partial<Settings>
  readonly server?: Record<string, unknown>
  /** The prices of the model, in US dollars for a million tokens. */
  readonly prices?: { readonly input: number; readonly output: number }
  /** The time on the server, apart from its store. */
  readonly clock?: () => number
  /** The model is on another machine, which forgets what it was sent after five minutes. */
  readonly isFar?: true
  /** The models that Pith ships with are known, too. */
  readonly allModels?: true
  /** No model at all. */
  readonly noModel?: true
  readonly store?: string
  readonly tokens?: readonly PlainToken[]
  /** Tokens from the file of a folder, instead of `tokens`. */
  readonly tokenFolder?: string
  readonly webFolder?: string
  readonly agentFiles?: AgentFiles
  readonly machineMemories?: MachineMemories
}

/** An answer as a test looks at it. */
export type JsonAnswer = { readonly status: number; readonly headers: Headers; readonly body: Json }
// biome-ignore lint/suspicious/noExplicitAny: what comes over HTTP is looked at field by field.
export type Json = any

/** A server without a port, with a real store and a real model provider, gone after the test. */
export type ServerWorld = ServerApp & {
  readonly store: Store
  readonly model: ModelServer
  readonly folder: string
  readonly lines: RequestLine[]
  readonly compactionLines: CompactionLine[]
  readonly models: OpenModelDeps
  /** A request with the token of `local`, or another. */
  readonly ask: (method: string, path: string, body?: unknown, more?: Ask) => Promise<JsonAnswer>
  /** The same, answered by events. */
  readonly stream: (method: string, path: string, body?: unknown, more?: Ask) => Promise<Response>
  /** A session with these messages. */
  readonly session: (body?: unknown) => Promise<string>
}

export type Ask = { readonly token?: string; readonly headers?: Record<string, string>; readonly signal?: AbortSignal }

const WINDOW = 20_000
const hello: Brain = () => ({ text: 'Hello.' })

export async function serverWorld(options: WorldOptions = {}): Promise<ServerWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-server-')))
  const data = join(folder, 'data')
  mkdirSync(data)
  const { brain = hello, window = WINDOW } = options
  const model = await startModelServer({ ...options, brain, window })
  const models = modelsOf(model, window, options)
  const { settings } = loadConfig({ cwd: folder, env: { PITH_HOME: data }, home: folder })
  const store = await (options.store === undefined ? newStore(join(data, 'pith.db')) : openStore(options.store))
  const lines: RequestLine[] = []
  const compactionLines: CompactionLine[] = []
  const access = await accessOf(store, options)
  const server = createApp({
    store,
    settings: { ...settings, ...(options.noModel === true ? {} : { model: 'local/pith-test' }), ...options.settings },
    server: parseServerSettings({ grace_ms: 100, ...options.server }),
    models,
    folders: { config: data, data: options.tokenFolder ?? data },
    access,
    version: '0.0.0-test',
    log: (line) => {
      if ('method' in line) lines.push(line)
      else if ('compaction' in line) compactionLines.push(line)
    },
    ...(options.webFolder === undefined ? {} : { webFolder: options.webFolder }),
    agentFiles: options.agentFiles,
    machineMemories: options.machineMemories,
  })
  onTestFinished(async () => {
    await server.stop(0)
    await store.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const send = (method: string, path: string, body: unknown, more: Ask = {}) =>
    server.app.request(`http://localhost${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${more.token ?? TOKENS[0].token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(more.signal === undefined ? {} : { signal: more.signal }),
    })
  const ask: ServerWorld['ask'] = async (method, path, body, more) => answered(await send(method, path, body, more))
  return {
    ...server,
    store,
    model,
    models,
    folder,
    lines,
    compactionLines,
    ask,
    stream: async (method, path, body, more) =>
      send(method, path, body, { ...more, headers: { accept: 'text/event-stream', ...more?.headers } }),
    session: async (body = {}) => {
      const made = await ask('POST', '/v1/sessions', body)
      if (made.status !== 201) throw new Error(`no session: ${JSON.stringify(made.body)}`)
      return made.body.id
    },
  }
}

async function accessOf(store: Store, { tokenFolder, tokens = TOKENS, clock }: WorldOptions): Promise<AccessBook> {
  if (tokenFolder !== undefined) return openAccess(store, tokenFolder)
  await addTokens(store, tokens)
  return AccessBook.open(store, clock)
}

/** Adds tokens to a store, unless it has them already. */
export async function addTokens(store: Store, tokens: readonly PlainToken[]): Promise<void> {
  for (const { token, ...rights } of tokens) await store.addToken(tokenRow({ ...rights, hash: tokenHash(token) }))
}

export async function answered(response: Response): Promise<JsonAnswer> {
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** Settings under which the model server is the provider `local`. */
function modelsOf(server: ModelServer, window: number, options: WorldOptions): OpenModelDeps {
  const { noModel, prices, clock, isFar } = options
  const url = isFar === true ? 'http://models.test' : server.url
  const price = prices === undefined ? {} : { prices }
  const info = { provider: 'local', model: 'pith-test', contextWindow: window, maxOutput: 2_000, ...price }
  const fetch: typeof globalThis.fetch = (input, init) =>
    String(input).startsWith(url)
      ? globalThis.fetch(String(input).replace(url, server.url), init)
      : Promise.reject(new Error('no such server'))
  return {
    registry:
      options.allModels === true ? withModels(loadRegistry(), [info]) : registryOf([info, { ...info, model: 'cheap' }]),
    providers:
      noModel === true
        ? {}
        : {
            local: {
              kind: 'anthropic',
              baseUrl: server.baseUrl('anthropic').replace(server.url, url),
              apiKey: 'test-key',
            },
          },
    env: {},
    sleep: async () => {},
    clock,
    fetch,
  }
}
