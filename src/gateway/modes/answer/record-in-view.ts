import { withoutClientNotes } from '../../../engine/extract/text/client-notes.ts'
import { isReminderText, remindersOfSent, typedIn, untypedIn } from '../../../engine/extract/text/typed-words.ts'
import { AFTER_RECORD, BESIDE_RECORD } from '../../../engine/record/prompts/record-texts.ts'
import { serializeAll } from '../../../engine/record/serialize.ts'
import type { PolicyPatch, Rung } from '../../../model/policy/policy.ts'
import {
  type Item,
  isUserMessage,
  type Message,
  type Seq,
  type ToolResultOutput,
  textOf,
  type View,
} from '../../../model/types.ts'

/** The policy for a record that a client gets: nothing is masked, shortened or kept next to it, and there is always a record. `rungs`: the model rungs to try before the digest. */
export function answeringPolicy(patch: PolicyPatch, rungs: readonly Rung[]): PolicyPatch {
  const asked = rungs.filter((rung) => rung === 'warm' || rung === 'cold')
  return { ...patch, keepMessages: 0, keepLatestMessage: false, rungs: [...asked, 'digest'] }
}

/** The record at the beginning of a view, followed by the messages up to `end` that are not in it: pinned ones, and those without an answer. */
export function recordInView({ items }: View, end: Seq): { text: string; seq: Seq } | undefined {
  const [first] = items
  if (first?.kind !== 'summary') return undefined
  const quoted = (heading: string, beside: readonly Item[]) => {
    const missing = beside.filter((item) => item.place <= end && !isReminder(item))
    const messages = missing.map(({ message }) => withoutReminders(message))
    const text = serializeAll(messages, { cutCharacters: CUT_CHARACTERS })
    return text === '' ? [] : [heading, text]
  }
  const unread = items.unread()
  const parts = [
    textOf(first.message),
    ...quoted(BESIDE_RECORD, items.slice(1, unread)),
    ...quoted(AFTER_RECORD, items.slice(unread)),
  ]
  return { text: parts.join('\n\n'), seq: first.seq }
}

/** True for a user message of nothing but notes: an agent writes reminders to its model in such messages. */
function isReminder(item: Item): boolean {
  return isUserMessage(item) && textOf(item.message).trim() !== '' && typedIn(item) === '' && untypedIn(item) === ''
}

const CUT_CHARACTERS = 20_000

/**
 * A message without the agent's reminders to the model, such as lists of tools and skills or the tokens that are left. Claude
 * Code repeats those after a compaction. It does not repeat the output of a user's command, of a hook or of a task, so that
 * stays. So does a message that the user sent while the agent worked, which comes inside a reminder.
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
  const sentMeanwhile = remindersOfSent(output.value.slice(own.length))
  return { ...output, value: [own, ...sentMeanwhile].join('\n\n') }
}
