import { findSecrets } from './find-secrets.ts'

/** A text without its secrets, and the kinds of the secrets. A text without secrets is unchanged. */
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
 * Like `redactSecrets`, but searches each text only once. It keeps all texts, so use it for a single task on texts that are in
 * memory anyway.
 */
export function redactOnce(): (text: string) => RedactedText {
  const known = new Map<string, RedactedText>()
  return (text) => {
    const redacted = known.get(text) ?? redactSecrets(text)
    known.set(text, redacted)
    return redacted
  }
}

function secretMark(kind: string): string {
  return `[secret left out: ${kind}]`
}
