import type { Caller } from './request-env.ts'

/** The idempotency key of a post, unique over owners and routes; undefined when the caller sent none. */
export function requestKey(
  { owner }: Caller,
  what: string,
  headers: { readonly 'idempotency-key'?: string | undefined },
): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : `${owner}\n${what}\n${key}`
}
