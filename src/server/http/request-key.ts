import { ownerOf, type Token } from '../access/tokens.ts'

/** The key of a post, unique over owners and routes; nothing where the caller gave none. */
export function requestKey(
  token: Token,
  what: string,
  headers: { readonly 'idempotency-key'?: string | undefined },
): string | undefined {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : `${ownerOf(token)}\n${what}\n${key}`
}
