/** This much of a message is enough to distinguish it from all others. */
const BEGINNING_CHARACTERS = 60

/** The beginning of a message in the form in which it is searched: case, spaces and the form of quotation marks do not count. */
export function beginning(text: string): string {
  return quotable(text).slice(0, BEGINNING_CHARACTERS)
}

/** A text in the form in which beginnings of messages are searched. */
export function quotable(text: string): string {
  return text
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .toLowerCase()
    .trim()
}
