/**
 * What the user typed while the agent worked, of a text in which a client tells it to the model; undefined for any other text.
 * Claude Code tells it as a text of its own or, for older models, in a reminder behind a result. opencode has told it in a reminder.
 */
export function sentMeanwhile(text: string): string | undefined {
  const opening = OPENING.exec(text.slice(0, OPENING_CHARACTERS))
  if (opening === null) return undefined
  const rest = text.slice(opening[0].length)
  // Another reminder may follow in the same text.
  const place = rest.search(REMINDER)
  const words = (place === -1 ? rest : rest.slice(0, place)).trimEnd()
  const end = Math.max(...ADVICE.map((advice) => words.lastIndexOf(advice)))
  return (end === -1 ? words : words.slice(0, end)).trim()
}

const REMINDER = /<\/?system-reminder\b/

/** The reminders in these notes of a client that tell what the user typed meanwhile, each whole. */
export function remindersOfSent(notes: string): string[] {
  const reminders = notes.split(REMINDER_END).map((reminder) => `${reminder.trimStart()}${REMINDER_END}`)
  return reminders.filter((reminder) => sentMeanwhile(reminder) !== undefined)
}

const OPENING =
  /^\s*(?:<system-reminder>\s*)?The user sent (?:a new message while you were working|the following message):[^\S\n]*\n/
const OPENING_CHARACTERS = 200
const REMINDER_END = '</system-reminder>'

/** How the clients go on behind the user's words. */
const ADVICE = [
  '\n\nThis is how Claude Code surfaces messages',
  '\n\nIMPORTANT: After completing your current task',
  '\n\nPlease address this message and continue',
]
