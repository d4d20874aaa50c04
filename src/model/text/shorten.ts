/**
 * The head and the tail of a text with a note between them, cut at a line end if that costs at most this share of them.
 * A surrogate pair is never split, and the result is never longer than the text.
 */
export function shorten(
  text: string,
  head: number,
  tail: number,
  note: (cut: number) => string,
  lineShare = 0.2,
): string {
  if (text.length <= head + tail) return text
  const headEnd = lineEndBefore(text, head, lineShare)
  const tailStart = Math.max(headEnd, lineStartAfter(text, text.length - tail, lineShare))
  const short = `${text.slice(0, headEnd)}${note(tailStart - headEnd)}${text.slice(tailStart)}`
  return short.length < text.length ? short : text
}

/** The first characters of a text, not ending in half a surrogate pair. */
export function headOf(text: string, length: number): string {
  return text.slice(0, safe(text, length))
}

function lineEndBefore(text: string, index: number, share: number): number {
  const newline = text.lastIndexOf('\n', index - 1)
  return newline + 1 >= index * (1 - share) ? newline + 1 : safe(text, index)
}

function lineStartAfter(text: string, index: number, share: number): number {
  const newline = text.indexOf('\n', index)
  const room = text.length - index
  return newline !== -1 && newline + 1 <= index + room * share ? newline + 1 : safe(text, index)
}

/** One less where the index would fall between the halves of a surrogate pair. */
function safe(text: string, index: number): number {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index - 1 : index
}
