import { isMachineText } from '../../engine/facts/text/machine-text.ts'

/** Words in the user's role that a program wrote, marked so that nobody takes them for the user's own. */
export function reminder(words: string): string {
  return words.trim() === '' || isMachineText(words) ? words : `<system-reminder>\n${words}\n</system-reminder>`
}
