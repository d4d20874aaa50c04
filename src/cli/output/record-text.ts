import { type SummaryItem, textOf } from '../../model/types.ts'

const RECORD = /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/

/** The summary and the index as the model sees them, without the frame around them. */
export function recordText({ message, text }: SummaryItem): string {
  const shown = textOf(message)
  return RECORD.exec(shown)?.[2] ?? (shown === '' ? text : shown)
}
