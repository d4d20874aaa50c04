import { textOf } from '../../model/message.ts'
import { serialize } from '../record/serialize.ts'
import type { CompactState } from './compact-state.ts'
import { logTexts } from './verify/log-texts.ts'
import { verify } from './verify/verify.ts'

/** The most names that are listed under a summary. */
const MOST_FLAGGED = 20

/** Names in a summary that the session does not contain, if the policy verifies: reported, never passed on as facts. */
export async function flaggedNames(state: CompactState, summary: string): Promise<string[]> {
  if (!state.policy.verify) return []
  const { items } = state.view
  const shown = () => items.slice().map((item) => serialize(item.message, { cutCharacters: 0 }))
  // Most summaries name only what is in view: then the rest of the session need not be read.
  if (verify(summary, { texts: shown }).invented.length === 0) return []
  const texts = [...shown(), ...otherTexts(state), ...((await state.input.sourceTexts?.()) ?? [])]
  return verify(summary, { texts })
    .invented.slice(0, MOST_FLAGGED)
    .map((name) => name.text.slice(0, 120))
}

/** All that the model may have a name from beside the view: the log, the fixed parts, and texts as we have cut them for it. */
function otherTexts({ log, view, policy, input }: CompactState): string[] {
  const { system = '', instructions = '', memory = '', tools = [] } = input.fixed ?? {}
  const cut = view.items.slice().map((item) => serialize(item.message, policy))
  const pending = (input.pending ?? []).map(textOf)
  return [...logTexts(log), ...cut, ...pending, system, instructions, memory, JSON.stringify(tools), input.focus ?? '']
}
