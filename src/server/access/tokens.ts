import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import type { StoredToken } from '../../store/store.ts'

/** The most that a token may spend of the server's own model keys on a day. */
export type TokenBudget = z.infer<typeof budgetSchema>
const budgetSchema = z.object({
  dollarsPerDay: z.number().positive().optional(),
  tokensPerDay: z.number().int().positive().optional(),
})

/** The rights of a token, as they are stored with its hash. */
export type TokenRights = z.infer<typeof rightsSchema>
const rightsSchema = z.object({
  access: z.enum(['read', 'write']),
  /** It may make, change and remove tokens. */
  admin: z.literal(true).optional(),
  /** The owner of the sessions that it sees; by default the token's own name. */
  owner: z.string().min(1).optional(),
  /** It is refused from this time on. */
  expires: z.iso.datetime().optional(),
  budget: budgetSchema.optional(),
})

export const tokenSchema = rightsSchema.extend({
  name: z.string().regex(/^[\w.-]{1,100}$/, 'is not a name for a token: use letters, digits, . - _'),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** A token: the hash of a secret, and the owner whose sessions it may read or write. */
export type AccessToken = z.infer<typeof tokenSchema>

/** A token that was just made. Its secret is not stored. */
export type NewToken = AccessToken & { readonly secret: string }

/** A new token with a secret of its own. */
export function newToken(token: Omit<AccessToken, 'hash'>): NewToken {
  const secret = newSecret()
  return { ...checkedToken({ ...token, hash: tokenHash(secret) }), secret }
}

/** Refuses a token with a name or rights that none can have. */
export function checkedToken(token: AccessToken): AccessToken {
  const { data, error } = tokenSchema.safeParse(token)
  if (data === undefined) throw new PithError('bad-argument', `${token.name}: ${error.issues[0]?.message}`)
  if (data.admin === true && data.access === 'read')
    throw new PithError('bad-argument', `${token.name}: the token of an administrator can write, too`)
  return data
}

/** A secret that nobody can guess. */
export function newSecret(): string {
  return `pith_${randomBytes(32).toString('base64url')}`
}

/** The stored form of a secret. A secret has 256 random bits, so a slow hash would add nothing. */
export function tokenHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The owner whose sessions a token sees. */
export function ownerOf({ name, owner }: Pick<AccessToken, 'name' | 'owner'>): string {
  return owner ?? name
}

/** A token as the store keeps it. */
export function tokenRow({ name, hash, ...rights }: AccessToken): StoredToken {
  return { name, hash, body: JSON.stringify(rights) }
}

/** The token of a row. One with rights that this version does not know is refused, so it is left out. */
export function tokensFrom(rows: readonly StoredToken[]): AccessToken[] {
  return rows.flatMap(({ name, hash, body }) => {
    const { data } = rightsSchema.safeParse(JSON.parse(body))
    return data === undefined ? [] : [{ name, hash, ...data }]
  })
}
