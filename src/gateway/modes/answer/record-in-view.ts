import { withoutClientNotes } from '../../../engine/extract/text/client-notes.ts'
import { isReminderText, remindersOfSent } from '../../../engine/extract/text/machine-text.ts'
import { typedIn } from '../../../engine/extract/text/typed-words.ts'
import { AFTER_RECORD } from '../../../engine/record/prompts/record-texts.ts'
import { serializeAll } from '../../../engine/record/serialize.ts'
import type { Seq } from '../../../model/ids.ts'
import { type Message, type ToolResultOutput, textOf } from '../../../model/message/message.ts'
import type { PolicyPatch, Rung } from '../../../model/policy/policy.ts'
import { type Item, isUserMessage, type View } from '../../../model/view.ts'

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
  const text = told === '' ? textOf(first.message) : `${textOf(first.message)}\n\n${AFTER_RECORD}\n\n${told}`
  return { text, seq: first.seq }
}

/** A reminder that an agent writes to its model is no question of the user. */
function isReminder(item: Item): boolean {
  return isUserMessage(item) && textOf(item.message).trim() !== '' && typedIn(item) === ''
}

const MOST_TOLD = 20_000

/**
 * A message without what its agent reminds the model of: lists of tools and skills, the tokens that are left. Claude Code
 * says all of it again behind a compaction, but not what a command of the user, a hook or a task has said: that stays. So
 * does a message that the user sent while the agent worked, which stands in a reminder.
 */
function withoutReminders(message: Message): Message {
  if (message.role === 'user' && typeof message.content !== 'string')
    return {
      ...message,
      content: message.content.filter((part) => part.type !== 'text' || !isReminderText(part.text)),
    }
  if (message.role !== 'tool') return message
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? { ...part, output: shortened(part.output) } : part,
  )
  return { ...message, content }
}

function shortened(output: ToolResultOutput): ToolResultOutput {
  if (output.type !== 'text' && output.type !== 'error-text') return output
  const own = withoutClientNotes(output.value)
  const said = remindersOfSent(output.value.slice(own.length))
  return { ...output, value: [own, ...said].join('\n\n') }
}
