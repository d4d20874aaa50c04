import type { ErrorFacts } from './error-facts.ts'

/** What a provider said of a request that is too large. */
export type Overflow = { readonly tokens?: number; readonly limit?: number }

/** Whether an error says that the request is larger than the model's window, and by how much. */
export function overflowIn({ status, message, body }: ErrorFacts & { provider: string }): Overflow | undefined {
  const text = `${message}\n${body}`
  if (status === 429) return undefined
  return /prompt is too long|context_length_exceeded|exceeds the maximum number of tokens/.test(text) ? {} : undefined
}
