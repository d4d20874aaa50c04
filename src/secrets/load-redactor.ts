/** Loads the rules when they are first needed, and gives the function that takes secrets out of a text. */
export async function loadRedactor(): Promise<(text: string) => string> {
  const { redactSecrets } = await import('./redact-secrets.ts')
  return (text) => redactSecrets(text).text
}
