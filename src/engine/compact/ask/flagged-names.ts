import type { Entry } from '../../../model/entry.ts'
import { textOf } from '../../../model/message/message.ts'
import { serialize } from '../../record/serialize.ts'
import type { CompactState } from '../compact-state.ts'
import { isWrittenIn } from '../verify/find-name.ts'
import { logTexts, textsBesideMessages } from '../verify/log-texts.ts'
import { namesOf } from '../verify/names.ts'
import { eitherIndex, sourceIndex } from '../verify/source-index.ts'
import { inventedNames } from '../verify/verify.ts'

/** The most names that are listed under a summary. */
const MOST_FLAGGED = 20

/** Names in a summary that the session does not contain, if the policy verifies: reported, never passed on as facts. */
export async function flaggedNames(state: CompactState, summary: string, read = ''): Promise<string[]> {
  // Most summaries write their names as they have read them: then nothing need be made searchable.
  const names = (state.policy.verify ? namesOf(summary) : []).filter((name) => !isWrittenIn(read, name))
  if (names.length === 0) return []
  const shown = state.view.items.slice().map((item) => serialize(item.message, { cutCharacters: 0 }))
  const view = sourceIndex(shown)
  // Most summaries name only what is in view: then the rest of the session need not be read.
  if (inventedNames(names, view).length === 0) return []
  const others = sourceIndex([...otherTexts(state, shown), ...((await state.input.sourceTexts?.()) ?? [])])
  return inventedNames(names, eitherIndex(view, others))
    .slice(0, MOST_FLAGGED)
    .map((name) => name.text.slice(0, 120))
}

/** All that the model may have a name from beside the view: the log, the fixed parts, and texts as we have cut them for it. */
function otherTexts(state: CompactState, shown: readonly string[]): string[] {
  const { input, fixed: sizes } = state
  const log = state.whole.log.slice()
  const { system = '', instructions = '', memory = '', tools = [] } = sizes.fixed
  const logged = showsLog(state, log) ? textsBesideMessages(log) : logTexts(log)
  const pending = (input.pending ?? []).map(textOf)
  const fixed = [system, instructions, memory, JSON.stringify(tools)]
  return [...logged, ...cutTexts(state, shown), ...pending, ...fixed, input.focus ?? '']
}

/** True when the messages of the view are those of the log: then there is nothing more to find in them. */
function showsLog({ view: { items } }: CompactState, log: readonly Entry[]): boolean {
  let at = 0
  for (const entry of log) if (entry.type === 'message' && items.at(at++)?.message !== entry.message) return false
  return at === items.length
}

/** The messages of the view that were cut for the model. A text that is short as a whole has no part that is long. */
function cutTexts({ view, policy }: CompactState, shown: readonly string[]): string[] {
  return view.items.slice().flatMap(({ message }, i) => {
    const whole = shown[i] ?? ''
    const cut = whole.length <= policy.cutCharacters ? whole : serialize(message, policy)
    return cut === whole ? [] : [cut]
  })
}
