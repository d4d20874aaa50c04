import { isMachineText, sentMeanwhile } from '../../engine/extract/text/machine-text.ts'

/** Words in the user's role that a program wrote, marked so that nobody takes them for the user's own. They cannot end the mark. */
export function reminder(words: string): string {
  if (words.trim() === '' || isMachineText(words)) return words
  const inner = words.replaceAll('</system-reminder>', '<\\/system-reminder>')
  // Claude Code tells in a reminder what the user sent meanwhile: nobody else's words may begin like it.
  const said = sentMeanwhile(`<system-reminder>\n${inner}`) === undefined ? inner : `Not from the user: ${inner}`
  return `<system-reminder>\n${said}\n</system-reminder>`
}
