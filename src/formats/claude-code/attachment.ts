import { type Fields, fields, text } from '../json.ts'
import { reminder } from '../reminder.ts'

/** What the model reads of an attachment: what the user typed meanwhile or gave along; the rest is the program's own. */
export function attachmentText(attachment: Fields | undefined): string {
  switch (attachment?.type) {
    case 'queued_command':
      return text(attachment.prompt) ?? ''
    case 'file': {
      const file = fields(fields(attachment.content)?.file)
      const name = text(attachment.filename) ?? text(file?.filePath)
      return name === undefined ? '' : reminder(`The user attached ${name}:\n${text(file?.content) ?? ''}`)
    }
    case 'edited_text_file':
      return reminder(
        `${text(attachment.filename) ?? 'A file'} was changed by the user or a program:\n${text(attachment.snippet) ?? ''}`,
      )
    default:
      return ''
  }
}
