/** A text without the escape sequences of terminals: colours and cursor moves, titles and links, single escapes. Takes linear time. */
export function withoutEscapes(text: string): string {
  const clean = text.includes('\u001b') ? text.replace(ESCAPES, '') : text
  return clean.includes('[') ? clean.replace(LOST_ESCAPES, '') : clean
}

/** A colour whose escape character was lost: `[1mMissing[22m`. A duration in brackets, `[5m]`, does not count. */
const LOST_ESCAPES = /\[\d{1,3}(?:;\d{1,3}){0,4}m(?!\])/g

const ESCAPES = /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)?|[@-Z\\^_]|)/g
