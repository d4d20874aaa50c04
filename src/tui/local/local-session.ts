import type { Agent } from '../../agent/agent.ts'
import type { AgentEvent } from '../../agent/events.ts'
import { openAgent } from '../../agent/open/open-agent.ts'
import type { PermissionGate } from '../../agent/permissions/permission-gate.ts'
import { noModel } from '../../llm/open-model.ts'
import { sessionSettings } from '../../session/open-session.ts'
import { answeringModel } from '../../session/session-state.ts'
import type { SessionId } from '../../store/store.ts'
import type { LocalSetup } from './local-setup.ts'
import { type ChosenModel, modelFor } from './model-for.ts'
import type { OpenQuestions } from './open-questions.ts'

/** The open session on this machine. */
export type LocalSession = { readonly agent: Agent; readonly gate: PermissionGate; noModel: string | undefined }

/** Opens a session with its model: that of the command line, the session's own, the configured one, or a usable one. */
export async function openLocalSession(
  setup: LocalSetup,
  id: SessionId,
  questions: OpenQuestions,
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
    startedIn: config.startedIn,
    folders,
    ask: questions.askPermission,
    askCompaction: questions.askCompaction,
    onEvent,
    clock,
  })
  const chosen = await chosenModel(setup, sessionSettings(agent.live.log).model, await answeringModel(store, id))
  agent.model = chosen.model
  return { agent, gate, noModel: chosen.why }
}

/** The model of a session. The one that last answered is used only if that is possible: in an imported session, it may be another agent's model. */
async function chosenModel(
  setup: LocalSetup,
  own: string | undefined,
  answered: string | undefined,
): Promise<ChosenModel> {
  const named = setup.askedModel ?? own
  const last = named === undefined && answered !== undefined ? await modelFor(setup, answered) : undefined
  if (last !== undefined && last.why === undefined) return last
  return modelFor(setup, named ?? setup.config.settings.model)
}

/** The model's name as a user writes it; empty if there is no model. */
export function shownModel({ model }: Agent): string {
  const { provider, model: name } = model.info
  return provider === 'none' ? '' : `${provider}/${name}`
}
