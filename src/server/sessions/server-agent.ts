import { Agent, type AgentDeps } from '../../agent/agent.ts'
import { FixedParts } from '../../agent/fixed/fixed-parts.ts'
import { openAgent } from '../../agent/open-agent.ts'
import { PermissionGate } from '../../agent/permissions/permission-gate.ts'
import { toolSchemas } from '../../agent/tool-schemas.ts'
import { recall } from '../../agent/tools/recall/recall.ts'
import { todo } from '../../agent/tools/todo/todo.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { isNoModel } from '../../llm/no-model.ts'
import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import { commandEnv } from './command-env.ts'
import type { ServedSession } from './live-sessions.ts'
import { NO_WORKSPACE_PROMPT } from './no-workspace-prompt.ts'
import type { Services } from './services.ts'

/** The tools that touch nothing but the session itself. */
const SESSION_TOOLS = [todo, recall]

/** The workspace that a session belongs to, if the configuration names it. */
export function workspaceOf({ server }: Services, { live }: ServedSession): Workspace | undefined {
  const { workspace } = live.session
  return Object.hasOwn(server.workspaces, workspace) ? server.workspaces[workspace] : undefined
}

type Workspace = Services['server']['workspaces'][string]

/** The agent of a session that belongs to a workspace: what it sends with every request is part of the context. */
export async function workspaceAgent(
  services: Services,
  served: ServedSession,
  model: ChatModel,
): Promise<Agent | undefined> {
  if (served.agent !== undefined) return served.agent
  if (workspaceOf(services, served) === undefined) return undefined
  // A folder that is gone is said when the agent is to work there.
  return serverAgent(services, served, model).catch(() => undefined)
}

/**
 * The agent of a session. Its tools are on only in a workspace that the configuration names; elsewhere it can look into
 * its own session and nothing else.
 */
export async function serverAgent(services: Services, served: ServedSession, model: ChatModel): Promise<Agent> {
  if (served.agent !== undefined) {
    if (served.agent.model.name !== model.name) {
      served.agent.lastCallAt = undefined
      served.agent.lastCallMessages = undefined
      served.agent.learnedWindow = undefined
    }
    served.agent.model = model
    return served.agent
  }
  // One agent, though several requests may want it at once.
  served.opening ??= openedAgent(services, served, model).finally(() => {
    served.opening = undefined
  })
  return served.opening
}

async function openedAgent(services: Services, served: ServedSession, model: ChatModel): Promise<Agent> {
  const workspace = workspaceOf(services, served)
  const agent =
    workspace === undefined
      ? await withoutWorkspace(services, served, model)
      : await inWorkspace(services, served, model, workspace)
  served.agent = agent
  served.live = agent.live
  return agent
}

async function withoutWorkspace(services: Services, served: ServedSession, model: ChatModel): Promise<Agent> {
  const { settings, models, folders } = services
  const deps: AgentDeps = {
    workspace: folders.data,
    tools: SESSION_TOOLS,
    fixed: await FixedParts.read(NO_WORKSPACE_PROMPT, { instructions: [], memory: [] }),
    policy: settings.policy,
    stepLimit: settings.stepLimit,
    env: commandEnv(services),
    permit: async () => ({ ok: false, reason: 'Tools are off on this server.' }),
    summaryModels: (policy, main) =>
      isNoModel(main) ? [] : summaryModelsFor(policy.summaryModel, main, models.deps).models,
    hooks: {
      ...(settings.hooks.beforeCompaction === undefined ? {} : { before: settings.hooks.beforeCompaction }),
      ...(settings.hooks.afterCompaction === undefined ? {} : { after: settings.hooks.afterCompaction }),
    },
    get holder() {
      return served.holder
    },
    clock: Date.now,
    onEvent: (event) => served.onEvent(event),
  }
  return new Agent(deps, served.live, model, toolSchemas(deps.tools))
}

async function inWorkspace(
  { settings, models, folders, store }: Services,
  served: ServedSession,
  model: ChatModel,
  { path, permissions }: Workspace,
): Promise<Agent> {
  const mode = permissions ?? settings.permissions
  const { agent, gate } = await openAgent({
    store,
    session: served.id,
    model,
    models: models.deps,
    settings: { ...settings, permissions: mode },
    workspace: path,
    folders,
    onEvent: (event) => served.onEvent(event),
  })
  const place = { folder: folders.data, workspace: agent.deps.workspace }
  const asking = await PermissionGate.open(mode, place, async (...request) =>
    served.ask === undefined ? { kind: 'tell', text: '' } : served.ask(...request),
  )
  const deps: AgentDeps = {
    ...agent.deps,
    // Where nobody can be asked, a refusal says how to allow it.
    permit: (...request) => (served.ask === undefined ? gate : asking).permit(...request),
    get holder() {
      return served.holder
    },
  }
  return new Agent(deps, agent.live, model, agent.toolSchemas)
}
