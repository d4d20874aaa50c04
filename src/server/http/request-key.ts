import type { Caller } from './request-env.ts'

/** The key of a post, unique over owners and routes; nothing where the caller gave none. */
export function requestKey(
  { owner }: Caller,
  what: string,
  headers: { readonly 'idempotency-key'?: string | undefined },
): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : `${owner}\n${what}\n${key}`
}
