import { findSecrets } from './find-secrets.ts'

/** A text without its secrets, and the kinds of those that it had. The very same text where it has none. */
export type RedactedText = { readonly text: string; readonly kinds: readonly string[] }

export function redactSecrets(text: string): RedactedText {
  const found = findSecrets(text)
  if (found.length === 0) return { text, kinds: [] }
  let redacted = ''
  let at = 0
  for (const { from, to, kind } of found) {
    redacted += `${text.slice(at, from)}${secretMark(kind)}`
    at = to
  }
  return { text: redacted + text.slice(at), kinds: found.map(({ kind }) => kind) }
}

/**
 * The same for texts that come back: each is searched once. It keeps all of them, so it is for one piece of work on texts
 * that are in memory anyway.
 */
export function redactOnce(): (text: string) => RedactedText {
  const known = new Map<string, RedactedText>()
  return (text) => {
    const redacted = known.get(text) ?? redactSecrets(text)
    known.set(text, redacted)
    return redacted
  }
}

/** What stands in the place of a secret. */
function secretMark(kind: string): string {
  return `[secret left out: ${kind}]`
}
