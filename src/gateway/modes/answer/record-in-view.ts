import { typedIn } from '../../../engine/extract/text/typed-words.ts'
import { RECORD_BEHIND } from '../../../engine/record/prompts/record-texts.ts'
import { serializeAll } from '../../../engine/record/serialize.ts'
import type { Seq } from '../../../model/ids.ts'
import { textOf } from '../../../model/message/message.ts'
import type { PolicyPatch, Rung } from '../../../model/policy/policy.ts'
import { type Item, isUserMessage, type View } from '../../../model/view.ts'
import { withoutReminders } from './without-reminders.ts'

/** Nothing is masked or shortened in a record for others, nothing is kept beside it, and there is always one. `rungs`: those to climb before it. */
export function answeringPolicy(patch: PolicyPatch, rungs: readonly Rung[]): PolicyPatch {
  const asked = rungs.filter((rung) => rung === 'warm' || rung === 'cold')
  return { ...patch, keepMessages: 0, keepLatestMessage: false, rungs: [...asked, 'digest'] }
}

/** The record at the beginning of a view, with what else belongs to the part up to `end`. */
export function recordInView(view: View, end: Seq): { text: string; seq: Seq } | undefined {
  const [first, ...rest] = view.items.slice()
  if (first?.kind !== 'summary') return undefined
  const missing = rest.filter((item) => item.place <= end && !isReminder(item))
  const told = serializeAll(
    missing.map(({ message }) => withoutReminders(message)),
    { cutCharacters: MOST_TOLD },
  )
  const text = told === '' ? textOf(first.message) : `${textOf(first.message)}\n\n${RECORD_BEHIND}\n\n${told}`
  return { text, seq: first.seq }
}

/** A reminder that an agent writes to its model is no question of the user. */
function isReminder(item: Item): boolean {
  return isUserMessage(item) && textOf(item.message).trim() !== '' && typedIn(item) === ''
}

const MOST_TOLD = 20_000
