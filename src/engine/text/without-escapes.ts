/** A text without the escape sequences of terminals: colours and cursor moves, titles and links, single escapes. Linear. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(ESCAPES, '') : text
}

const ESCAPES = /\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)?|[@-Z\\^_]|)/g
