import type { Agent } from '../../agent/agent.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { openAgent } from '../../agent/open/open-agent.ts'
import type { PermissionGate } from '../../agent/permissions/permission-gate.ts'
import { noModel } from '../../llm/no-model.ts'
import { sessionSettings } from '../../session/session-settings.ts'
import type { SessionId } from '../../store/store.ts'
import { modelFor } from './model-for.ts'
import type { Questions } from './questions.ts'
import type { LocalSetup } from './setup.ts'

/** A session that somebody works in on this machine. */
export type LocalSession = { readonly agent: Agent; readonly gate: PermissionGate; noModel: string | undefined }

/** Opens a session with its model: the one that was asked for, the session's own, the user's, or one that can be used. */
export async function openLocalSession(
  setup: LocalSetup,
  id: SessionId,
  questions: Questions,
  onEvent: (event: AgentEvent) => void,
): Promise<LocalSession> {
  const { store, config, models, folders, clock } = setup
  const { agent, gate } = await openAgent({
    store,
    session: id,
    model: noModel(''),
    models,
    settings: config.settings,
    workspace: config.workspace,
    folders,
    ask: questions.askPermission,
    askCompaction: questions.askCompaction,
    onEvent,
    clock,
  })
  const wanted = setup.askedModel ?? sessionSettings(agent.live.log).model ?? config.settings.model
  const chosen = await modelFor(setup, wanted)
  agent.model = chosen.model
  return { agent, gate, noModel: chosen.why }
}

/** The model's name as a user writes it; nothing where none is known. */
export function shownModel({ model }: Agent): string {
  const { provider, model: name } = model.info
  return provider === 'none' ? '' : `${provider}/${name}`
}
