import { transcode } from 'node:buffer'

/**
 * The platform's fetch, but with the text of a request already encoded: it would take six times as long to encode it,
 * and the text of a summary request is megabytes.
 */
export const fetchBytes: typeof globalThis.fetch = (input, init) =>
  globalThis.fetch(input, typeof init?.body === 'string' ? { ...init, body: bytesOf(init.body) } : init)

/** The text is encoded in pieces of this many characters, because each piece is copied twice on the way. */
const PIECE = 1 << 20

/** A text in UTF-8. */
export function bytesOf(text: string, piece = PIECE): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + piece, text.length)
    // A surrogate pair stays together.
    while (end < text.length && isFirstHalf(text.charCodeAt(end - 1))) end++
    pieces.push(pieceOf(text.slice(start, end)))
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

function pieceOf(text: string): Uint8Array {
  try {
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8')
  } catch {
    // A lone surrogate, which becomes U+FFFD.
    return new TextEncoder().encode(text)
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
