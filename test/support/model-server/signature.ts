import { createHash } from 'node:crypto'

/** The seal on a piece of reasoning: a client that sends it back changed gets an error, as from the providers. */
export function signatureOf(text: string): string {
  return `sig_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
}

/** A seal that replaces reasoning that the client never sees: it is only checked for being whole. */
export function selfSigned(content: string): string {
  return `${content}.${signatureOf(content)}`
}

export function isSelfSigned(seal: string): boolean {
  return selfSigned(seal.split('.')[0] ?? '') === seal
}
