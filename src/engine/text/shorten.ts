/**
 * The head and the tail of a text with a note between them, cut at line ends where one is near.
 * A surrogate pair is never split, and the result is never longer than the text.
 */
export function shorten(text: string, head: number, tail: number, note: (cut: number) => string): string {
  if (text.length <= head + tail) return text
  const headEnd = lineEndBefore(text, head)
  const tailStart = Math.max(headEnd, lineStartAfter(text, text.length - tail))
  const short = `${text.slice(0, headEnd)}${note(tailStart - headEnd)}${text.slice(tailStart)}`
  return short.length < text.length ? short : text
}

/** The first characters of a text, not ending in half a surrogate pair. */
export function headOf(text: string, length: number): string {
  return text.slice(0, safe(text, length))
}

function lineEndBefore(text: string, index: number): number {
  const newline = text.lastIndexOf('\n', index - 1)
  return newline + 1 >= index * 0.8 ? newline + 1 : safe(text, index)
}

function lineStartAfter(text: string, index: number): number {
  const newline = text.indexOf('\n', index)
  const room = text.length - index
  return newline !== -1 && newline + 1 <= index + room * 0.2 ? newline + 1 : safe(text, index)
}

/** One less where the index would fall between the halves of a surrogate pair. */
function safe(text: string, index: number): number {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index - 1 : index
}
