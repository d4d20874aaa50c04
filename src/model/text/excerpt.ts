import { headOf } from './shorten.ts'

/** The characters of a text's head and tail. */
export type Extent = { readonly head: number; readonly tail: number }

/** The head and tail of a text, whole words, and between them how much is missing and how to get it. */
export function excerpt(text: string, { head, tail }: Extent, where: string): string {
  if (text.length <= head + tail) return text
  const headEnd = wordEnd(text, head)
  const tailStart = tail === 0 ? text.length : Math.max(headEnd, wordStart(text, text.length - tail))
  const cut = tailStart - headEnd
  const note =
    tail === 0
      ? ` [… ${cut} more characters, recall ${where}]`
      : `\n[… ${cut} characters left out, recall ${where} …]\n`
  const short = text.slice(0, headEnd) + note + text.slice(tailStart)
  return short.length < text.length ? short : text
}

/** Half a name is a name that nobody said: a cut goes on to the end of its word, unless that is far. */
const FAR = 80

function wordEnd(text: string, from: number): number {
  const next = text.slice(from, from + FAR).search(/\s/)
  return next === -1 ? headOf(text, from).length : from + next
}

function wordStart(text: string, from: number): number {
  const next = text.slice(from, from + FAR).search(/\s/)
  return next === -1 ? headOf(text, from).length : from + next + 1
}
