import type { DecodeResult } from './decoded.ts'
import { Decoder } from './decoder.ts'
import type { Format } from './format.ts'
import type { Pieces } from './lines.ts'

export type DecodeOptions = {
  /** The format, where the caller knows it better than the content tells. */
  readonly format?: Format
  /** Characters of the longest line, or of a whole document, that are held in memory. */
  readonly longest?: number
}

/** Reads a session of any agent. The text may come in pieces; lines are parsed as they arrive. It never throws over what it reads. */
export async function decode(pieces: Pieces, options: DecodeOptions = {}): Promise<DecodeResult> {
  const decoder = new Decoder(options)
  for await (const piece of pieces) {
    decoder.push(piece)
    if (decoder.isDone) break
  }
  return decoder.end()
}

/** Reads a session from a text. */
export function decodeText(text: string, options: DecodeOptions = {}): DecodeResult {
  const decoder = new Decoder(options)
  decoder.push(text)
  return decoder.end()
}
