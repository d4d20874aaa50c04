/**
 * The text of a body, or undefined when it is no UTF-8. Encoded again it gives the same bytes: a byte order mark stays, and
 * UTF-8 has no other way to write a text.
 */
export function bodyText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}
