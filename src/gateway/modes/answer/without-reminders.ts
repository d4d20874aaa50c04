import { withoutClientNotes } from '../../../engine/extract/text/client-notes.ts'
import { isReminderText } from '../../../engine/extract/text/machine-text.ts'
import { remindersOfSent } from '../../../engine/extract/text/sent-meanwhile.ts'
import type { Message, ToolResultOutput } from '../../../model/message/message.ts'

/**
 * A message without what its agent reminds the model of: lists of tools and skills, the tokens that are left. Claude Code
 * says all of it again behind a compaction, but not what a command of the user, a hook or a task has said: that stays. So
 * does a message that the user sent while the agent worked, which stands in a reminder.
 */
export function withoutReminders(message: Message): Message {
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
