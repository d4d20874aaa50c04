import { realpathSync } from 'node:fs'
import { platform } from 'node:os'
import type { Settings } from '../../config/tables/settings.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { fallbackModel } from '../../llm/fallback-model.ts'
import { isNoModel } from '../../llm/no-model.ts'
import type { OpenModelDeps } from '../../llm/open-model.ts'
import { KEY_VARIABLES } from '../../llm/provider/providers.ts'
import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import { ownHolder } from '../../session/compaction/holder.ts'
import { LiveSession } from '../../session/live-session.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { Agent, type AgentDeps } from '../agent.ts'
import { openKeeper } from '../checkpoints/open-keeper.ts'
import type { AgentEvent } from '../events.ts'
import { fixedFiles } from '../fixed/fixed-files.ts'
import { FixedParts } from '../fixed/fixed-parts.ts'
import { type AskPermission, PermissionGate } from '../permissions/permission-gate.ts'
import type { Rules } from '../permissions/rule.ts'
import { lastCallOf } from '../request/last-call.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { scrubbedEnv } from '../scrubbed-env.ts'
import { toolSchemas } from '../tool-schemas.ts'
import { TOOLS } from '../tools/index.ts'
import { SYSTEM_PROMPT } from './system-prompt.ts'

export type OpenAgentInput = {
  readonly store: Store
  readonly session: SessionId
  readonly model: ChatModel
  readonly models: OpenModelDeps
  readonly settings: Settings
  readonly workspace: string
  /** The folder where the user started, if it is one of the workspace. */
  readonly startedIn?: string
  readonly folders: { readonly config: string; readonly data: string }
  readonly ask?: AskPermission
  /** Rules beside those of the user's file. */
  readonly rules?: Rules
  readonly askCompaction?: AgentDeps['askCompaction']
  readonly onEvent: (event: AgentEvent) => void
  readonly clock?: () => number
}

/** An agent for a stored session, with the tools, the permissions and the files of its workspace. */
export async function openAgent(input: OpenAgentInput): Promise<{ agent: Agent; gate: PermissionGate }> {
  const { settings, models, folders } = input
  const workspace = realpathSync(input.workspace)
  const clock = input.clock ?? Date.now
  const gate = await PermissionGate.open(
    settings.permissions,
    { folder: folders.data, workspace },
    input.ask,
    input.rules,
  )
  const files = fixedFiles({
    workspace,
    startedIn: input.startedIn,
    userFolder: folders.config,
    instructions: settings.instructions,
    mayRead: gate.mayRead,
  })
  const keys = [...KEY_VARIABLES, ...Object.values(settings.providers).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])]
  const env = scrubbedEnv(models.env, keys)
  const keeper = openKeeper({
    settings,
    store: input.store,
    session: input.session,
    workspace,
    folder: folders.data,
    clock,
    tell: (text) => input.onEvent({ type: 'notice', text }),
  })
  const deps: AgentDeps = {
    workspace,
    tools: TOOLS,
    fixed: FixedParts.read(systemPrompt(workspace), files),
    policy: settings.policy,
    stepLimit: settings.stepLimit,
    reasoning: settings.reasoning,
    fallback: () => fallbackModel(settings.fallbackModel, models),
    env,
    sandbox: await openSandbox(settings.sandbox, workspace, env),
    permit: gate.permit,
    mayRead: gate.mayRead,
    keeper,
    askCompaction: input.askCompaction,
    summaryModels: (policy, main) =>
      isNoModel(main) ? [] : summaryModelsFor(policy.summaryModel, main, models).models,
    hooks: settings.hooks,
    holder: ownHolder(),
    clock,
    onEvent: input.onEvent,
  }
  const live = await LiveSession.open(input.store, input.session)
  const lost = (await keeper?.lost().catch(() => [])) ?? []
  if (lost.length > 0) await live.append(lost)
  const agent = new Agent(deps, live, input.model, toolSchemas(deps.tools))
  agent.lastCall = lastCallOf(agent)
  return { agent, gate }
}

/** The prompt and what does not change while a session is open. */
function systemPrompt(workspace: string): string {
  return `${SYSTEM_PROMPT}\n\nThe workspace is ${workspace} on ${platform()}. Paths are relative to it.`
}
