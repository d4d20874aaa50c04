import { isMachineText } from '../../engine/facts/text/machine-text.ts'

/** Words in the user's role that a program wrote, marked so that nobody takes them for the user's own. They cannot end the mark. */
export function reminder(words: string): string {
  if (words.trim() === '' || isMachineText(words)) return words
  return `<system-reminder>\n${words.replaceAll('</system-reminder>', '<\\/system-reminder>')}\n</system-reminder>`
}
