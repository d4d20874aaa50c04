/** So much of a message tells it from all others. */
const BEGINNING_CHARACTERS = 60

/** The beginning of a message as it is looked for: neither case nor spaces nor the form of a quotation mark counts. */
export function beginning(text: string): string {
  return quotable(text).slice(0, BEGINNING_CHARACTERS)
}

/** A text in which beginnings of messages are looked for. */
export function quotable(text: string): string {
  return text
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .toLowerCase()
    .trim()
}
