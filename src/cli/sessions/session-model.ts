import type { DecodedSession } from '../../formats/index.ts'
import { modelName } from '../../model/model-info.ts'
import { modelNamed } from '../setup/named-model.ts'
import type { Setup } from '../setup/setup.ts'
import { type WindowedModel, withAgentWindow } from './agent-window.ts'

/** The model of a session's last answer, as far as it is known, with the window that its agent worked with. */
export function sessionModel(session: DecodedSession, setup: Setup): WindowedModel & { readonly name?: string } {
  const last = session.entries.findLast((entry) => entry.type === 'message' && entry.model !== undefined)
  const name = last?.type === 'message' ? last.model : session.models.findLast((model) => !model.includes('<'))
  const own = setup.config.settings.models.find((model) => modelName(model) === name)
  return { name, ...withAgentWindow(session, modelNamed(setup, name), own?.contextWindow) }
}
