import { isMachineText, sentMeanwhile } from '../../engine/extract/text/machine-text.ts'

/** Marks words of a program in the user's role, so that nobody takes them for the user's. The words cannot close the mark. */
export function reminder(words: string): string {
  if (words.trim() === '' || isMachineText(words)) return words
  const inner = words.replaceAll('</system-reminder>', '<\\/system-reminder>')
  // Claude Code quotes the user's messages in a reminder: no other words may begin like such a reminder.
  const safe = sentMeanwhile(`<system-reminder>\n${inner}`) === undefined ? inner : `Not from the user: ${inner}`
  return `<system-reminder>\n${safe}\n</system-reminder>`
}
