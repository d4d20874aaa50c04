/**
 * Loads the rules when they are first needed, and returns the function that removes secrets from a text.
 *
 * @example
 * ```ts
 * import { fit, loadRedactor } from 'pith'
 *
 * await fit(messages, { window: 200_000, redact: await loadRedactor() })
 * ```
 */
export function loadRedactor(): Promise<(text: string) => string> {
  loading ??= import('./redact-secrets.ts').then(
    ({ redactSecrets }) =>
      (text) =>
        redactSecrets(text).text,
  )
  return loading
}

let loading: Promise<(text: string) => string> | undefined
