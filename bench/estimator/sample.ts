/** The kinds of text that are measured one by one. */
export const KINDS = ['code', 'logs', 'json', 'minified', 'prose', 'cjk', 'base64', 'agent', 'scripts'] as const
export type Kind = (typeof KINDS)[number]

/** One message: a text of one kind, from a source that is either fitted on or held out, never both. */
export type Sample = { readonly kind: Kind; readonly source: string; readonly heldOut: boolean; readonly text: string }

/** A whole document before it is cut into messages. */
export type Document = Sample

const SHORTEST = 300
const LONGEST = 8_000

/** Cuts a document into messages of 300 to 8,000 characters, short ones as likely as long ones, at line ends if it can. */
export function messagesOf(document: Document, random: () => number, most = Number.POSITIVE_INFINITY): Sample[] {
  const { text, ...rest } = document
  const samples: Sample[] = []
  let at = 0
  while (at < text.length && samples.length < most) {
    const size = Math.round(SHORTEST * (LONGEST / SHORTEST) ** random())
    const end = cutNear(text, at, Math.min(text.length, at + size))
    if (end - at >= SHORTEST || samples.length === 0) samples.push({ ...rest, text: capRuns(text.slice(at, end)) })
    at = end
  }
  return samples
}

function cutNear(text: string, from: number, end: number): number {
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end)
  if (line > from + (end - from) / 2) return line + 1
  // Not between the two halves of one character.
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end + 1 : end
}

/** Tokenizers take quadratic time on long unbroken runs: no run of letters, spaces or signs is longer than this. */
const LONGEST_RUN = 400

/** Shortens every run that a tokenizer would look at as one piece. */
export function capRuns(text: string): string {
  return text.replace(LONG_RUN, (run) => run.slice(0, LONGEST_RUN))
}

const LONG_RUN = new RegExp(
  [String.raw`\p{L}`, String.raw`[^\S\r\n]`, String.raw`[^\s\p{L}\p{N}]`]
    .map((one) => `${one}{${LONGEST_RUN},}`)
    .join('|'),
  'gu',
)
