/** A text without control characters other than line ends: nothing moves the cursor, sets colours or turns the direction. Tabs become spaces. */
export function safeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])/g, '')
    .replace(/[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
}

/** The first line of a text, at most `most` characters long. */
export function firstLine(text: string, most: number): string {
  const line = safeText(text).trim().split('\n', 1)[0] ?? ''
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
