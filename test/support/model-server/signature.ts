import { createHash } from 'node:crypto'

/** The seal on a piece of reasoning: whoever sends it back changed gets an error, as from the providers. */
export function signatureOf(text: string): string {
  return `sig_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
}
