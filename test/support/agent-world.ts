import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent, AgentEvent, TurnEnd } from '../../src/agent/agent.ts'
import { runTurn, userMessage } from '../../src/agent/loop/run-turn.ts'
import { type OpenAgentInput, openAgent } from '../../src/agent/open/open-agent.ts'
import type { PermissionGate } from '../../src/agent/permissions/permission-gate.ts'
import { loadConfig } from '../../src/config/read/load-config.ts'
import type { Settings } from '../../src/config/tables/settings.ts'
import type { ChatModel } from '../../src/llm/call/chat-model.ts'
import { type OpenModelDeps, openModel } from '../../src/llm/open-model.ts'
import { registryOf } from '../../src/models/registry.ts'
import type { Store } from '../../src/store/store.ts'
import { BILLED_PRICES } from './model-server/billed.ts'
import { type ModelServer, type ModelServerOptions, type ProtocolName, startModelServer } from './model-server/index.ts'
import { newStore } from './new-store.ts'

const KINDS = { anthropic: 'anthropic', responses: 'openai', chat: 'openai-compatible', google: 'google' } as const

export type AgentWorldOptions = ModelServerOptions & {
  readonly protocol?: ProtocolName
  readonly settings?: Partial<Settings>
  readonly agent?: Partial<OpenAgentInput>
  readonly modelDeps?: Partial<OpenModelDeps>
  /** The window that the agent assumes; that of the server by default, `null` for unknown. */
  readonly believedWindow?: number | null
}

/** A real agent in a folder of its own, against a real model server, with a real store. */
export type AgentWorld = {
  readonly server: ModelServer
  readonly store: Store
  readonly workspace: string
  readonly folder: string
  readonly session: string
  readonly events: AgentEvent[]
  readonly agent: Agent
  readonly gate: PermissionGate
  readonly model: ChatModel
  readonly openModel: (model: string) => ChatModel
  /** Another agent on the same session, as after a restart. */
  readonly reopen: () => Promise<Agent>
  readonly say: (text: string | undefined, signal?: AbortSignal) => Promise<TurnEnd>
  readonly close: () => Promise<void>
}

export async function agentWorld(options: AgentWorldOptions): Promise<AgentWorld> {
  const { protocol = 'anthropic', window = 200_000, believedWindow } = options
  const server = await startModelServer(options)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-agent-')))
  const workspace = join(folder, 'work')
  const data = join(folder, 'data')
  for (const one of [workspace, data]) mkdirSync(one)
  const known = believedWindow === null ? {} : { contextWindow: believedWindow ?? window }
  const models: OpenModelDeps = {
    registry: registryOf([
      {
        provider: 'local',
        model: 'pith-test',
        ...known,
        maxOutput: 8_000,
        prices: BILLED_PRICES,
        tier: 'strong',
        input: ['text', 'image'],
      },
      { provider: 'local', model: 'small', contextWindow: 16_000, maxOutput: 4_000, input: ['text'] },
    ]),
    providers: { local: { kind: KINDS[protocol], baseUrl: server.baseUrl(protocol), apiKey: 'test-key' } },
    env: { PATH: process.env.PATH, HOME: folder },
    sleep: async () => {},
    random: () => 0.5,
    ...options.modelDeps,
  }
  const { settings } = loadConfig({ cwd: workspace, env: { PITH_HOME: data }, home: folder })
  const store = await newStore(join(data, 'pith.db'))
  const { id: session } = await store.createSession({ owner: 'local', workspace })
  const events: AgentEvent[] = []
  const model = opened('local/pith-test', models)
  const open = async () => {
    return openAgent({
      store,
      session,
      model,
      models,
      // To keep files for `/rewind` starts two programs more around each command, and to try the sandbox one more for each
      // agent: for the tests that are about them.
      settings: { ...settings, permissions: 'full', checkpointMb: 0, sandbox: 'off', ...options.settings },
      workspace,
      home: folder,
      folders: { config: data, data },
      onEvent: (event) => events.push(event),
      ...options.agent,
    })
  }
  let { agent, gate } = await open()
  return {
    server,
    store,
    workspace,
    folder,
    session,
    events,
    get agent() {
      return agent
    },
    get gate() {
      return gate
    },
    model,
    openModel: (name) => opened(name, models),
    reopen: async () => {
      ;({ agent, gate } = await open())
      return agent
    },
    say: (text, signal = new AbortController().signal) =>
      runTurn(agent, text === undefined ? undefined : userMessage(text), signal),
    close: async () => {
      await store.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function opened(name: string, models: OpenModelDeps): ChatModel {
  const model = openModel(name, models)
  if ('unusable' in model) throw new Error(model.text)
  return model
}
